public import Sluice

/// A set of tests for the rules that a scorer must follow, whatever a model answers.
///
/// ```swift
/// @Test("The scorer keeps the rules")
/// func rules() {
///   let testCase = TestCase(id: "thanks", input: [:], expected: ["polite": true])
///   let report = ScorerConformance(PoliteScorer(), testCase, answers: ["Thank you."]).report()
///   #expect(report.isConforming, "\(report)")
/// }
/// ```
public struct ScorerConformance: Sendable {
  /// The maximum number of characters in an explanation.
  public static let maximumExplanation = 1_000
  /// The length of the longest answer in the tests, in bytes.
  public static let largestAnswer = 1 << 20

  private let scorer: any Scorer
  private let testCase: TestCase
  private let answers: [String]
  private let largeAnswer: @Sendable (_ length: Int) -> String

  /// Creates the tests for a scorer.
  ///
  /// - Parameters:
  ///   - scorer: The scorer.
  ///   - testCase: A case that the scorer can judge.
  ///   - answers: Typical answers, both right and wrong.
  ///   - largeAnswer: A closure that returns an answer of about the given number of bytes. By
  ///     default, the answer is prose. If your scorer reads only a small part of prose, return an
  ///     answer that the scorer must read in full, such as a long JSON array.
  public init(
    _ scorer: any Scorer,
    _ testCase: TestCase,
    answers: [String] = [],
    largeAnswer: @escaping @Sendable (_ length: Int) -> String = ScorerConformance.prose
  ) {
    self.scorer = scorer
    self.testCase = testCase
    self.answers = answers
    self.largeAnswer = largeAnswer
  }

  /// Returns prose of about the given length.
  ///
  /// - Parameter length: The number of bytes.
  /// - Returns: Words and line breaks, without repeated sentences.
  public static func prose(length: Int) -> String {
    var text = ""
    text.reserveCapacity(length + 80)
    var number = 0
    while text.utf8.count < length {
      number += 1
      text += "Sentence \(number) says that ana sends the report on day \(number % 31), naïvely.\n"
    }
    return text
  }

  /// Tests all rules.
  ///
  /// - Returns: The findings.
  public func report() -> ConformanceReport {
    let threads = OwnThreads.results(of: 16) { scores() }
    // Run this test first. If it fails, the other tests skip the answer of one megabyte.
    let growth = finding("the time for a large answer is proportional to its length") {
      try checkGrowth()
    }
    return ConformanceReport(findings: [
      finding("the same answer to the same case gets the same score") {
        try forEachAnswer { name, answer in
          let (first, second) = (score(answer), score(answer))
          try demand(first == second, "\(name) gets \(shown(first)), and then \(shown(second))")
        }
      },
      finding("many concurrent threads all get the same score") {
        let alone = scores()
        for (index, scores) in threads.enumerated() {
          try demand(
            scores.elementsEqual(alone),
            "thread \(index + 1) of \(threads.count) gets other scores than a single thread"
          )
        }
      },
      finding("every score has an explanation, whatever the answer is") {
        try forEachAnswer { name, answer in
          try demand(!score(answer).explanation.isEmpty, "the score of \(name) has no explanation")
        }
      },
      finding("an explanation is one line of at most \(Self.maximumExplanation) characters") {
        try forEachAnswer { name, answer in try checkLine(of: score(answer), name) }
        if growth.outcome == .kept {
          try checkLine(of: score(Answer(ModelResponse(text: large))), "a large answer")
        }
      },
      finding("measurements are Booleans, finite numbers or labels") {
        try forEachAnswer { name, answer in
          for (key, value) in score(answer).measurements.members {
            try demand(isMeasurement(value), "'\(key)' of \(name) is \(shown(value))")
          }
        }
      },
      growth,
    ])
  }

  // MARK: Answers

  /// Answers that models give, including some that often cause errors in programs.
  private var tried: [(name: String, answer: ModelResponse)] {
    let texts = [
      ("an empty text", ""), ("white space", " \n\t "), ("broken JSON", #"{"a": [1, "b"#),
      ("JSON of another form", #"[null, true, -1e300, {"": {}}]"#), ("a JSON null", "null"),
      ("deep JSON", String(repeating: "[", count: 5_000)),
      ("combining marks alone", "\u{301}\u{301}\u{20dd}"),
      ("a letter under 10,000 marks", "a" + String(repeating: "\u{301}", count: 10_000)),
      ("text from right to left", "\u{202e}\u{5e9}\u{5dc}\u{5d5}\u{5dd} abc\u{202c}"),
      ("a NUL", "a\0b"), ("emoji of many scalars", "👩‍👩‍👧‍👦🏳️‍🌈🇩🇪🇩"),
      ("line breaks of all kinds", "a\r\nb\rc\u{2028}d\u{85}e\u{b}f"),
      ("an escape sequence", "\u{1b}[31mred\u{7}"), ("noncharacters", "\u{fffe}\u{10ffff}\u{feff}"),
    ]
    let given = answers.enumerated().map { ("answer \($0 + 1)", ModelResponse(text: $1)) }
    return given + texts.map { ($0, ModelResponse(text: $1)) } + [
      ("no text", ModelResponse(text: nil)),
      ("a refusal", ModelResponse(text: nil, refusal: "I can't help with that.")),
      ("an answer that was cut off", ModelResponse(text: "The first ha", finishReason: "length")),
      ("a filtered answer", ModelResponse(text: "The fir", finishReason: "content_filter")),
    ]
  }

  private var large: String { largeAnswer(Self.largestAnswer) }

  private func score(_ answer: Answer) -> Score { scorer.score(answer, for: testCase) }

  private func scores() -> [Score] { tried.map { score(Answer($0.answer)) } }

  private func forEachAnswer(_ body: (String, Answer) throws -> Void) throws {
    for (name, answer) in tried { try body(name, Answer(answer)) }
  }

  // MARK: Rules

  /// A violation of a rule.
  private struct Broken: Error { var how: String }

  private func finding(_ rule: String, _ body: () throws -> Void)
    -> ConformanceReport.Finding
  {
    do {
      try body()
      return ConformanceReport.Finding(rule: rule, outcome: .kept)
    } catch {
      let how = (error as? Broken)?.how ?? "\(error)"
      return ConformanceReport.Finding(rule: rule, outcome: .broken(how))
    }
  }

  private func demand(_ isKept: Bool, _ how: @autoclosure () -> String) throws {
    if !isKept { throw Broken(how: how()) }
  }

  private func shown(_ score: Score) -> String {
    "\(score.outcome.rawValue) (\(String(score.explanation.prefix(60))))"
  }

  private func shown(_ value: JSONValue) -> String {
    if let number = value.number { return "\(number)" }
    return value.array != nil ? "an array" : value.object != nil ? "an object" : "null"
  }

  private func checkLine(of score: Score, _ name: String) throws {
    let text = score.explanation.unicodeScalars
    try demand(
      text.count <= Self.maximumExplanation,
      "the explanation for \(name) has \(text.count) characters"
    )
    let breaks: Set<Unicode.Scalar> = [
      "\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}",
    ]
    try demand(
      !text.contains(where: breaks.contains),
      "the explanation for \(name) has several lines"
    )
  }

  private func isMeasurement(_ value: JSONValue) -> Bool {
    switch value {
    case .bool, .string, .exact: true
    case .number(let number): number.isFinite
    case .null, .array, .object: false
    }
  }

  // MARK: Time

  /// The maximum factor by which the time may grow if an answer is four times as long.
  ///
  /// The time of a linear scorer grows by a factor of 4, that of a quadratic one by 16.
  private static let maximumGrowth = 9.0

  /// Compares the times for answers of increasing length, each four times as long as the previous
  /// one.
  ///
  /// The comparison stops at the first answer that takes too long, since a quadratic scorer would
  /// take very long for a megabyte.
  private func checkGrowth() throws {
    var shorter: (length: Int, time: Double)?
    var length = Self.largestAnswer >> 10
    // Score once before measuring, so that one-time setup does not count.
    _ = time(of: Answer(ModelResponse(text: largeAnswer(length))))
    while length <= Self.largestAnswer {
      let answer = Answer(ModelResponse(text: largeAnswer(length)))
      var time = time(of: answer)
      if let shorter {
        // On a busy machine, a single measurement may be too high, so take the best of several.
        for _ in 0..<3 where isTooMuch(time, after: shorter.time, answer) {
          time = min(time, self.time(of: answer))
        }
        if isTooMuch(time, after: shorter.time, answer) {
          let growth = Int((time / shorter.time).rounded())
          throw Broken(
            how: "\(length) bytes take \(growth) times as long as \(shorter.length) bytes"
          )
        }
      }
      shorter = (length, time)
      length *= 4
    }
  }

  private func isTooMuch(_ time: Double, after shorter: Double, _ answer: Answer) -> Bool {
    // Accept any scorer that takes no longer than ten passes over the text. Such a time is too
    // short to measure reliably.
    time > Self.maximumGrowth * shorter && time > 10 * timeOfPass(over: answer.text)
  }

  /// Returns the CPU time of scoring an answer, in nanoseconds.
  private func time(of answer: Answer) -> Double { ThreadTime.spent { _ = score(answer) } }

  private func timeOfPass(over text: String) -> Double {
    var count = 0
    let time = ThreadTime.spent { for scalar in text.unicodeScalars { count ^= Int(scalar.value) } }
    // Use the result, so that the optimizer does not remove the pass over the text.
    return count == .min ? 0 : time
  }
}
