package import SluiceSupport

/// The outcome of importing another tool's files, with everything that was not imported.
package struct ImportReport: Sendable {
  /// The part of the source that a finding is about.
  package enum Area: String, Sendable {
    case prompt, testCase, assertion, parameter, backend, answer, setting
  }

  /// A deviation from the source, with its position.
  package struct Finding: Hashable, Sendable {
    package enum Kind: String, Sendable {
      /// The item was left out entirely.
      case leftOut = "left out"
      /// The closest equivalent was written, but it has another meaning.
      case changed
      /// A file is missing, and a text to fill in was written instead.
      case missingFile = "file not found"
      /// The item was written with the same meaning, but in a form that users should know about.
      case note
    }

    package var kind: Kind
    package var area: Area
    /// The file of the source, with the position if it is known.
    package var path: String
    package var position: SourcePosition?
    package var message: String
    /// The closest alternative, or `nil` if there is none.
    package var nearest: String?

    package init(
      _ kind: Kind,
      _ area: Area,
      path: String,
      position: SourcePosition? = nil,
      message: String,
      nearest: String? = nil
    ) {
      self.kind = kind
      self.area = area
      self.path = path
      self.position = position
      self.message = message
      self.nearest = nearest
    }
  }

  /// The number of items of one kind, by the extent of their import.
  package struct Count: Hashable, Sendable {
    package var name: String
    package var whole = 0
    package var inPart = 0
    package var notAtAll = 0

    package init(_ name: String, whole: Int = 0, inPart: Int = 0, notAtAll: Int = 0) {
      self.name = name
      self.whole = whole
      self.inPart = inPart
      self.notAtAll = notAtAll
    }

    package var total: Int { whole + inPart + notAtAll }
  }

  /// The name of the tool whose files were read.
  package var source: String
  /// The deviations in the order of the source.
  package var findings: [Finding] = []
  package var counts: [Count] = []
  /// The texts that the user must write before a run is useful.
  package var fillIns: [String] = []
  /// The differences in judging that matter for the imported files.
  package var differences: [String] = []
  /// The lines to add to an existing `sluice.yaml`; empty if there are none.
  package var linesToAdd = ""

  package init(source: String) { self.source = source }

  /// True when prompts, cases, parameters and assertions keep their meaning.
  package var isWhole: Bool {
    !findings.contains {
      [.leftOut, .changed].contains($0.kind) && ![.backend, .setting, .answer].contains($0.area)
    }
  }

  /// True when the backends were imported as well.
  package var isWholeWithBackends: Bool {
    isWhole && !findings.contains { [.leftOut, .changed].contains($0.kind) && $0.area == .backend }
  }
}
