package import SluiceSupport

/// The properties of a scorer that do not depend on an answer: its metrics, and the parts of a case and
/// of an answer that it reads.
package struct ScorerTraits: Sendable {
  /// The name that a suite gives the scorer in place of its type; nil for the type.
  package var name: String?
  /// The metrics beside the share of passed trials.
  package var metrics: [MetricDefinition] = []
  /// The classes that conditions may name.
  package var classes: [String] = []
  /// True when its scores are only shown: they fail no trial and decide no gate.
  package var isAdvisory = false
  /// The content of other files that decides scores, and so is part of the digest.
  package var content: JSONValue = .null

  // MARK: Of a case

  /// The keys under `expected:` that the scorer reads.
  package var expectedKeys: [String] = []
  /// The inputs that the scorer reads.
  package var inputKeys: [String] = []
  /// The keys of a case that the scorer reads and that a case may lack.
  package var mayRead = CaseReads()
  /// True when the scorer may read any key under `expected:`, since nobody can tell which.
  package var readsAllExpected = false
  /// True when the scorer may read any input, since nobody can tell which.
  package var readsAllInputs = false
  /// True when the scorer hands the whole case to somebody, so that nothing of it is unread.
  package var readsWholeCase = false

  // MARK: Of an answer

  /// True when the text of an answer is all that the scorer looks at, rather than times, tokens or what
  /// another model says: then it can be tried on known outputs.
  package var judgesTextAlone = true
  /// True when the scorer judges the text of an answer, and has nothing to judge where there is none.
  package var needsText = true
  /// The parts that an answer may have in place of text, since the scorer asks for them.
  package var wantedParts: Set<AnswerPart> = []
}
