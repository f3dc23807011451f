import SluiceSupport

/// The types of assertions.
///
/// Each type has a function that reads its arguments.
enum AssertionCatalog {
  private typealias Make = @Sendable (ScorerArguments) -> (any AnswerCheck)?

  private static let all: [(type: String, make: Make)] = [
    ("assert-set", AssertSet.init),
    ("bleu", { SimilarityCheck($0, .bleu) }),
    ("character-count", { CountCheck($0, .characters) }),
    ("chrf", { SimilarityCheck($0, .chrf) }),
    ("contains", { ContainsCheck($0, .one) }),
    ("contains-all", { ContainsCheck($0, .all) }),
    ("contains-any", { ContainsCheck($0, .any) }),
    ("contains-html", { HTMLCheck($0, isWhole: false) }),
    ("contains-json", { JSONFormCheck($0, isWhole: false) }),
    ("contains-xml", { XMLCheck($0, isWhole: false) }),
    ("cost", { LimitCheck($0, .cost) }),
    ("ends-with", { AffixCheck($0, .end) }),
    ("equals", EqualsCheck.make),
    ("exact", ExactCheck.init),
    ("expression", ExpressionCheck.init),
    ("finish-reason", FinishReasonCheck.init),
    ("first-text", { LimitCheck($0, .firstText) }),
    ("icontains", { ContainsCheck($0, .one, ignoringCase: true) }),
    ("icontains-all", { ContainsCheck($0, .all, ignoringCase: true) }),
    ("icontains-any", { ContainsCheck($0, .any, ignoringCase: true) }),
    ("is-html", { HTMLCheck($0, isWhole: true) }),
    ("is-json", { JSONFormCheck($0, isWhole: true) }),
    ("is-refusal", RefusalCheck.init),
    ("is-xml", { XMLCheck($0, isWhole: true) }),
    ("json-path", JSONPathCheck.init),
    ("latency", { LimitCheck($0, .latency) }),
    ("levenshtein", LevenshteinCheck.init),
    ("occurrences", OccurrencesCheck.init),
    ("regex", RegexCheck.init),
    ("rouge-1", { SimilarityCheck($0, .rouge(.n(1))) }),
    ("rouge-2", { SimilarityCheck($0, .rouge(.n(2))) }),
    ("rouge-l", { SimilarityCheck($0, .rouge(.longest)) }),
    ("rouge-n", { SimilarityCheck($0, .rouge(.n(1))) }),
    ("sentence-count", { CountCheck($0, .sentences) }),
    ("starts-with", { AffixCheck($0, .start) }),
    ("tokens", TokensCheck.init),
    ("tool-calls", ToolCallsCheck.init),
    ("valid-date", DateCheck.init),
    ("valid-url", URLCheck.init),
    ("word-count", { CountCheck($0, .words) }),
  ]

  /// The names of the types, without negation.
  static let types = all.map(\.type)

  /// The types whose argument is a list of other assertions.
  ///
  /// Each of these assertions reads its own arguments.
  private static let nestingTypes = ["assert-set"]
  /// The types whose argument is a schema.
  ///
  /// Templates in a schema are not filled in.
  private static let schemaTypes = ["contains-json", "is-json"]
  /// The types whose argument is written in a language in which braces are not templates.
  private static let languageTypes = ["expression"]
  private static let gradedTypes = [
    "bleu", "chrf", "levenshtein", "rouge-1", "rouge-2", "rouge-l", "rouge-n",
  ]
  private static let responseTypes = [
    "cost", "finish-reason", "first-text", "is-refusal", "latency", "tokens", "tool-calls",
  ]

  /// The types whose argument is not a text.
  private static let typesWithoutText = [
    "assert-set", "character-count", "contains-html", "contains-json", "cost", "first-text",
    "is-html", "is-json", "is-refusal", "json-path", "latency", "occurrences", "sentence-count",
    "tokens", "tool-calls", "word-count",
  ]

  /// The types whose argument may be a single number: a limit or a count.
  private static let numberTypes = [
    "character-count", "cost", "first-text", "latency", "sentence-count", "tokens", "word-count",
  ]

  /// Returns true if the argument of an assertion type may be a single number.
  static func takesNumber(_ type: String) -> Bool { numberTypes.contains(type) }

  /// Returns true if the argument of an assertion type is a text or a list of texts.
  static func takesText(_ type: String) -> Bool { !typesWithoutText.contains(type) }

  /// Returns true if an assertion type always gives a grade, not only pass or fail.
  static func isGraded(_ type: String) -> Bool { gradedTypes.contains(type) }

  /// Returns true if an assertion type always checks the text of an answer.
  static func needsText(_ type: String) -> Bool { !responseTypes.contains(type) }

  /// Reads an assertion; nil, with errors reported, if its arguments are invalid.
  ///
  /// If the case is known, templates are filled in at once. Otherwise each case fills them in
  /// later.
  static func make(_ type: String, _ arguments: ScorerArguments) -> (any AnswerCheck)? {
    if nestingTypes.contains(type) || languageTypes.contains(type) {
      return makePlain(type, arguments)
    }
    if schemaTypes.contains(type) {
      return AssertionTemplate.isPlainSchema(in: arguments) ? makePlain(type, arguments) : nil
    }
    var filled = arguments
    switch AssertionTemplate.read(arguments) {
    case nil: return nil
    case .plain(let node): filled.spec.arguments = node
    case .template(let template):
      guard let testCase = arguments.testCase else {
        return TemplatedCheck(template, arguments.spec, type: type)
      }
      guard let node = template.filled(testCase, reportingTo: arguments) else { return nil }
      filled.spec.arguments = node
    }
    return makePlain(type, filled)
  }

  /// Reads an assertion whose arguments contain no templates.
  static func makePlain(_ type: String, _ arguments: ScorerArguments) -> (any AnswerCheck)? {
    all.first { $0.type == type }?.make(arguments)
  }
}
