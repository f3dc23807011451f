package import SluiceSupport

/// The outcome of importing the results of a batch.
package struct BatchImportResult: Sendable {
  /// The counts of imported answers for one suite, prompt and backend.
  package struct Part: Hashable, Sendable {
    package var suite: String
    package var backend: String
    package var prompt: String
    /// The number of answers that were added to the pending set.
    package var imported = 0
    /// The number of answers that had already been recorded.
    package var known = 0

    package init(suite: String, backend: String, prompt: String, imported: Int = 0) {
      self.suite = suite
      self.backend = backend
      self.prompt = prompt
      self.imported = imported
    }
  }

  /// A line of the results file from which no answer was imported.
  package struct Fault: Hashable, Sendable {
    package enum Kind: String, Sendable {
      /// The line is malformed.
      case broken
      /// The service or the server returned no answer.
      case failed
      /// The line refers to a request that the batch does not contain.
      case unknown = "unknown-request"
      /// The request differs from every request of the project.
      case other = "other-request"
      /// Another line gives a different answer to the same request.
      case conflict
      /// Another line gives the same answer to the same request.
      case duplicate
      /// The request is already recorded with a different answer.
      case recorded = "recorded-otherwise"
    }

    package var kind: Kind
    /// The `custom_id`, if the line has one.
    package var id: String?
    package var diagnostic: Diagnostic

    package init(_ kind: Kind, id: String?, _ diagnostic: Diagnostic) {
      self.kind = kind
      self.id = id
      self.diagnostic = diagnostic
    }

    /// True if the line can be ignored, since another line gives the same answer.
    package var isHarmless: Bool { kind == .duplicate }
  }

  /// A request that was sent but has no answer.
  package struct Missing: Hashable, Sendable {
    package var suite: String
    /// The suite's file.
    package var path: ProjectPath
    package var backend: String
    package var prompt: String
    /// The prompt's file; `nil` for the suite's own prompt.
    package var otherPrompt: ProjectPath?
    package var testCase: String
    package var repetition: Int
    package var reason: String
    /// The difference from the most similar request that has an answer; `nil` if there is none.
    package var difference: RequestDifference?

    package init(
      suite: String,
      path: ProjectPath,
      backend: String,
      prompt: String,
      otherPrompt: ProjectPath? = nil,
      testCase: String,
      repetition: Int,
      reason: String,
      difference: RequestDifference? = nil
    ) {
      self.suite = suite
      self.path = path
      self.backend = backend
      self.prompt = prompt
      self.otherPrompt = otherPrompt
      self.testCase = testCase
      self.repetition = repetition
      self.reason = reason
      self.difference = difference
    }
  }

  /// The names of the files, as given on the command line.
  package var files: [String]
  /// The number of result lines.
  package var lines = 0
  package var parts: [Part] = []
  package var faults: [Fault] = []
  /// The number of further refused lines, which ``faults`` does not list.
  package var unlisted = 0
  package var missing: [Missing] = []
  /// The models and services that gave the answers, as far as known, without duplicates.
  package var provenances: [Provenance] = []
  /// The error that kept some files from being written, or `nil` if all were written.
  package var fileError: FileError?
  /// The file that lists every fault and every missing request.
  package var summary: ProjectPath?

  package init(files: [String]) { self.files = files }

  package var imported: Int { parts.reduce(0) { $0 + $1.imported } }
  package var known: Int { parts.reduce(0) { $0 + $1.known } }
  package var duplicates: Int { faults.count { $0.isHarmless } }
  package var refused: Int { faults.count - duplicates + unlisted }
  /// True if no line was refused, every request has an answer, and all files were written.
  package var isComplete: Bool { refused == 0 && missing.isEmpty && fileError == nil }
}
