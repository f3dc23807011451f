package import SluiceSupport

/// The result of importing the results of a batch.
package struct BatchImportResult: Sendable {
  /// The answers of a suite's prompt through a backend.
  package struct Part: Hashable, Sendable {
    package var suite: String
    package var backend: String
    package var prompt: String
    /// The number of answers that were added to the pending set.
    package var imported = 0
    /// The number of answers that were recorded before.
    package var known = 0

    package init(suite: String, backend: String, prompt: String, imported: Int = 0) {
      self.suite = suite
      self.backend = backend
      self.prompt = prompt
      self.imported = imported
    }
  }

  /// A line that brought no answer, or one that was there already.
  package struct Fault: Hashable, Sendable {
    package enum Kind: String, Sendable {
      /// The line is not one of a batch.
      case broken
      /// The service or the server has no answer.
      case failed
      /// The line tells a request that nobody knows.
      case unknown = "unknown-request"
      /// The request differs from all that the project asks.
      case other = "other-request"
      /// Another line answers the same request with another answer.
      case conflict
      /// Another line gives the same answer.
      case duplicate
      /// The request has a recording with another answer.
      case recorded = "recorded-otherwise"
    }

    package var kind: Kind
    /// The `custom_id`, where the line has one.
    package var id: String?
    package var diagnostic: Diagnostic

    package init(_ kind: Kind, id: String?, _ diagnostic: Diagnostic) {
      self.kind = kind
      self.id = id
      self.diagnostic = diagnostic
    }

    /// True where nothing is lost by it.
    package var isHarmless: Bool { kind == .duplicate }
  }

  /// A request that was asked and has no answer.
  package struct Missing: Hashable, Sendable {
    package var suite: String
    /// The suite's file.
    package var path: ProjectPath
    package var backend: String
    package var prompt: String
    /// The prompt's file where the suite itself asks another one.
    package var otherPrompt: ProjectPath?
    package var testCase: String
    package var repetition: Int
    package var reason: String
    /// The difference from the request that was answered instead.
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

  /// The files as they were named.
  package var files: [String]
  /// The number of lines of results.
  package var lines = 0
  package var parts: [Part] = []
  package var faults: [Fault] = []
  /// The number of refused lines that are not among the faults, as there are so many.
  package var untold = 0
  package var missing: [Missing] = []
  /// Who answered, as far as it is known, each once.
  package var provenances: [Provenance] = []
  /// Why not everything could be written.
  package var fileError: FileError?
  /// Where every fault and every missing request is listed.
  package var summary: ProjectPath?

  package init(files: [String]) { self.files = files }

  package var imported: Int { parts.reduce(0) { $0 + $1.imported } }
  package var known: Int { parts.reduce(0) { $0 + $1.known } }
  package var duplicates: Int { faults.count { $0.isHarmless } }
  package var refused: Int { faults.count - duplicates + untold }
  /// True where every line was of use and every request has its answer.
  package var isComplete: Bool { refused == 0 && missing.isEmpty && fileError == nil }
}
