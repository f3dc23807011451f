package import SluiceSupport

/// The properties of a scorer that do not depend on an answer: its metrics, and the parts of a case
/// and an answer that it reads.
package struct ScorerTraits: Sendable {
  /// The name given by the suite; nil to use the type.
  package var name: String?
  /// The metrics in addition to the pass rate.
  package var metrics: [MetricDefinition] = []
  /// The class names that conditions may use.
  package var classes: [String] = []
  /// True if its scores are advisory: they fail no trial and decide no gate.
  package var isAdvisory = false
  /// The content of other files that affects scores, and so is part of the digest.
  package var content: JSONValue = .null

  // MARK: Reads of a case

  /// The keys under `expected:` that the scorer reads.
  package var expectedKeys: [String] = []
  /// The inputs that the scorer reads.
  package var inputKeys: [String] = []
  /// The keys of a case that the scorer reads but that may be missing.
  package var mayRead = CaseReads()
  /// True if the scorer may read any key under `expected:`, because it cannot be determined.
  package var readsAllExpected = false
  /// True if the scorer may read any input, because it cannot be determined.
  package var readsAllInputs = false
  /// True if the scorer passes the whole case on, so that no part of it is unused.
  package var readsWholeCase = false

  // MARK: Reads of an answer

  /// True if the scorer reads only the text of an answer, not times, tokens or another model's
  /// opinion, so that it can be tested on known outputs.
  package var judgesTextAlone = true
  /// True if the scorer reads the text of an answer, and cannot score an answer without text.
  package var needsText = true
  /// The parts that may replace text, because the scorer asks for them.
  package var wantedParts: Set<AnswerPart> = []
}
