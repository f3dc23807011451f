package import SluiceSupport

/// The outcome of reading another tool's files: what came over, and everything that did not.
package struct ImportReport: Sendable {
  /// The part of the source that a finding is about.
  package enum Area: String, Sendable {
    case prompt, testCase, assertion, parameter, backend, answer, setting
  }

  /// A deviation from the source, with its place.
  package struct Finding: Hashable, Sendable {
    package enum Kind: String, Sendable {
      /// Nothing of it was written.
      case leftOut = "left out"
      /// The nearest form was written, which means something else.
      case changed
      /// A file that is not there, with a text to fill in written in its place.
      case missingFile = "file not found"
      /// Written with the same meaning, in a way that is worth knowing.
      case note
    }

    package var kind: Kind
    package var area: Area
    /// The file of the source, and the place in it where that is known.
    package var path: String
    package var position: SourcePosition?
    package var message: String
    /// The nearest way to the same; nil where there is none to name.
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

  /// The things of one kind, by how much of each came over.
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
  /// The texts that have to be written before a run makes sense.
  package var fillIns: [String] = []
  /// The ways in which judging differs, of those that matter for what was read.
  package var differences: [String] = []
  /// The lines to add to a `sluice.yaml` that is there already; empty where there are none.
  package var linesToAdd = ""

  package init(source: String) { self.source = source }

  /// True where prompts, cases, parameters and assertions mean the same.
  package var isWhole: Bool {
    !findings.contains {
      [.leftOut, .changed].contains($0.kind) && ![.backend, .setting, .answer].contains($0.area)
    }
  }

  /// True where the backends came over as well.
  package var isWholeWithBackends: Bool {
    isWhole && !findings.contains { [.leftOut, .changed].contains($0.kind) && $0.area == .backend }
  }
}
