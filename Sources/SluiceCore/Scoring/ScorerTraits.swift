package import SluiceSupport

/// The properties of a scorer that do not depend on an answer.
///
/// They include its metrics, and the parts of cases and answers that it reads.
package struct ScorerTraits: Sendable {
  /// The name that the suite gives to the scorer; nil to use the type.
  package var name: String?
  /// The metrics that the scorer has in addition to the pass rate.
  package var metrics: [MetricDefinition] = []
  /// The names of classes that conditions may use.
  package var classes: [String] = []
  /// True if the scores are advisory: they do not make a trial fail, and no gate decides on them.
  package var isAdvisory = false
  /// The contents of other files that affect scores.
  ///
  /// The scorer's digest includes these contents.
  package var content: JSONValue = .null

  // MARK: Reads of a case

  /// The keys under `expected:` that the scorer reads.
  package var expectedKeys: [String] = []
  /// The inputs that the scorer reads.
  package var inputKeys: [String] = []
  /// The keys of a case that the scorer reads, but that a case may lack.
  package var mayRead = CaseReads()
  /// True if it is unknown which keys under `expected:` the scorer reads, so that it may read any
  /// of them.
  package var readsAllExpected = false
  /// True if it is unknown which inputs the scorer reads, so that it may read any of them.
  package var readsAllInputs = false
  /// True if the scorer passes the whole case on, so that no part of the case counts as unused.
  package var readsWholeCase = false

  // MARK: Reads of an answer

  /// True if the scorer reads only the text of an answer.
  ///
  /// It can then be tested on known outputs. False if it also needs times, tokens or the opinion of
  /// another model.
  package var judgesTextAlone = true
  /// True if the scorer reads the text of an answer, so that it cannot score an answer without
  /// text.
  package var needsText = true
  /// The parts that the scorer accepts in place of text, such as tool calls.
  package var wantedParts: Set<AnswerPart> = []
}
