/// The types of assertions, each with what reads its arguments.
enum AssertionCatalog {
  private typealias Make = @Sendable (ScorerArguments) -> (any AnswerCheck)?

  private static let all: [(type: String, make: Make)] = [
    ("assert-set", AssertSet.init),
    ("bleu", { SimilarityCheck($0, .bleu) }),
    ("chrf", { SimilarityCheck($0, .chrf) }),
    ("contains", { ContainsCheck($0, .one) }),
    ("contains-all", { ContainsCheck($0, .all) }),
    ("contains-any", { ContainsCheck($0, .any) }),
    ("contains-json", { JSONFormCheck($0, isWhole: false) }),
    ("cost", { LimitCheck($0, .cost) }),
    ("ends-with", { AffixCheck($0, .end) }),
    ("equals", EqualsCheck.make),
    ("finish-reason", FinishReasonCheck.init),
    ("first-text", { LimitCheck($0, .firstText) }),
    ("icontains", { ContainsCheck($0, .one, ignoringCase: true) }),
    ("icontains-all", { ContainsCheck($0, .all, ignoringCase: true) }),
    ("icontains-any", { ContainsCheck($0, .any, ignoringCase: true) }),
    ("is-json", { JSONFormCheck($0, isWhole: true) }),
    ("is-refusal", RefusalCheck.init),
    ("json-path", JSONPathCheck.init),
    ("latency", { LimitCheck($0, .latency) }),
    ("levenshtein", LevenshteinCheck.init),
    ("regex", RegexCheck.init),
    ("rouge-1", { SimilarityCheck($0, .rouge(.n(1))) }),
    ("rouge-2", { SimilarityCheck($0, .rouge(.n(2))) }),
    ("rouge-l", { SimilarityCheck($0, .rouge(.longest)) }),
    ("rouge-n", { SimilarityCheck($0, .rouge(.n(1))) }),
    ("starts-with", { AffixCheck($0, .start) }),
    ("tokens", TokensCheck.init),
    ("tool-calls", ToolCallsCheck.init),
    ("word-count", WordCountCheck.init),
  ]

  /// The names of the types, without negation.
  static let types = all.map(\.type)

  /// Reads an assertion; nil, with errors reported, when its arguments are wrong.
  static func make(_ type: String, _ arguments: ScorerArguments) -> (any AnswerCheck)? {
    all.first { $0.type == type }?.make(arguments)
  }
}
