package import SluiceSupport

/// The result of importing another tool's files, with everything that could not be imported.
package struct ImportReport: Sendable {
  /// The kind of content that a finding is about.
  package enum Area: String, Sendable {
    case prompt, testCase, assertion, parameter, backend, answer, setting
  }

  /// A difference between the source and the imported files, with its position in the source.
  package struct Finding: Hashable, Sendable {
    package enum Kind: String, Sendable {
      /// The item was left out entirely.
      case leftOut = "left out"
      /// The closest equivalent was written, but its meaning differs.
      case changed
      /// A file of the source is missing.
      ///
      /// A placeholder for its text was written instead.
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
    /// The closest equivalent in Sluice, or `nil` if there is none.
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

  /// The numbers of items of one kind that were imported, changed or left out.
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
  /// The findings, in the order of the source.
  package var findings: [Finding] = []
  package var counts: [Count] = []
  /// The placeholders that the user must replace before a run is useful.
  package var fillIns: [String] = []
  /// The differences between the tool's judgments and Sluice's that affect the imported files.
  package var differences: [String] = []
  /// The lines to add to an existing `sluice.yaml`; empty if there are none.
  package var linesToAdd = ""

  package init(source: String) { self.source = source }

  /// True if all prompts, cases, parameters and assertions keep their meaning.
  package var isWhole: Bool {
    !findings.contains {
      [.leftOut, .changed].contains($0.kind) && ![.backend, .setting, .answer].contains($0.area)
    }
  }

  /// True if all backends keep their meaning, too.
  package var isWholeWithBackends: Bool {
    isWhole && !findings.contains { [.leftOut, .changed].contains($0.kind) && $0.area == .backend }
  }
}
