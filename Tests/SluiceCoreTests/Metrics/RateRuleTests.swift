import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Rate rules")
struct RateRuleTests {
  private static let flags = Dictionary(
    uniqueKeysWithValues: ScoringMetrics.flags.map { ($0.name, $0) }
  )

  private static func metric(_ name: String) throws -> Metric {
    let definition = try #require(flags[name])
    return Metric(.scorer("s", definition.formula), prefersSmall: definition.prefersSmall)
  }

  /// Returns the score of a case with an answer; without one, only the values that depend on the
  /// case.
  private func measured(_ isPositive: Bool, _ flagged: Bool?) -> JSONObject {
    guard let flagged else {
      return isPositive
        ? ["positive": true, "clean": false, "false-alarm": false]
        : ["positive": false, "clean": true, "hit": false]
    }
    return [
      "positive": .bool(isPositive), "clean": .bool(!isPositive), "flagged": .bool(flagged),
      "hit": .bool(isPositive && flagged), "false-alarm": .bool(!isPositive && flagged),
    ]
  }

  /// Returns trials of cases, each given as a word: `P` or `C` for a positive or clean case, then
  /// `+` for each flagged repeat, `-` for an unflagged one and `?` for a lost one.
  private func trials(_ words: [String]) -> [Trial] {
    words.enumerated().flatMap { index, word in
      let isPositive = word.hasPrefix("P")
      return word.dropFirst().enumerated().map { repetition, letter in
        let flagged: Bool? = letter == "?" ? nil : letter == "+"
        let id = "case-\(index)"
        let measurements = measured(isPositive, flagged)
        if flagged == nil {
          return StatisticsTrials.lost(id, given: measurements, repetition: repetition + 1)
        }
        return StatisticsTrials.trial(
          id,
          repetition: repetition + 1,
          scores: [
            .init(name: "s", score: Score(.passed, explanation: "", measurements: measurements))
          ]
        )
      }
    }
  }

  private func rate(
    _ name: String,
    _ words: [String],
    _ fill: MetricEvaluator.Fill = .none
  ) throws -> String {
    let rows = try #require(
      MetricEvaluator(trials(words), fill: fill).rateRows(Self.metric(name))
    )
    func text(_ number: Double) -> String {
      let whole = number.rounded()
      return isClose(number, whole)
        ? JSONWriter.number(whole) : NumberText.fixed(number, decimals: 2)
    }
    return
      "\(text(rows.reduce(0) { $0 + $1.holding })) of \(text(rows.reduce(0) { $0 + $1.weight }))"
  }

  @Test(
    "A case counts by the share of its repeats; for precision, its weight is a share, too",
    arguments: [
      (["P+", "P-", "C+", "C-"], "1 of 2", "1 of 2", "1 of 2"),
      (["P++-", "P+--", "C--+", "C---"], "1 of 2", "0.33 of 2", "1 of 1.33"),
      (["P+-", "C-+"], "0.50 of 1", "0.50 of 1", "0.50 of 1"),
      (["P+", "P+", "C-"], "2 of 2", "0 of 1", "2 of 2"),
      (["P-", "C-"], "0 of 1", "0 of 1", "0 of 0"),
    ] as [([String], String, String, String)]
  )
  func flagRates(_ words: [String], _ recall: String, _ alarms: String, _ precision: String) throws
  {
    #expect(try rate("recall", words) == recall)
    #expect(try rate("false-positive-rate", words) == alarms)
    #expect(try rate("precision", words) == precision)
  }

  @Test("A lost case is filled only with values that are possible for it")
  func fillings() throws {
    let words = ["P+", "P-", "C+", "C-"]
    for (lost, name, best, worst) in [
      ("P?", "recall", "2 of 3", "1 of 3"), ("C?", "recall", "1 of 2", "1 of 2"),
      ("P?", "false-positive-rate", "1 of 2", "1 of 2"),
      ("C?", "false-positive-rate", "2 of 3", "1 of 3"),
      // A lost positive case may be a hit or a miss, and precision does not count misses.
      ("P?", "precision", "2 of 3", "1 of 2"), ("C?", "precision", "1 of 2", "1 of 3"),
    ] {
      #expect(try rate(name, words + [lost], .holding) == best, "\(name) with \(lost)")
      #expect(try rate(name, words + [lost], .notHolding) == worst, "\(name) with \(lost)")
      #expect(try rate(name, words + [lost]) == rate(name, words), "\(name) with \(lost)")
    }
  }

  @Test(
    "Fillings are the minimum and maximum over all possible results of lost trials",
    arguments: ["recall", "false-positive-rate", "precision"]
  )
  func bounds(_ name: String) throws {
    var random = SeededGenerator(seed: 7)
    func value(_ words: [String], _ fill: MetricEvaluator.Fill = .none) throws -> Double? {
      try MetricEvaluator(trials(words), fill: fill).estimate(Self.metric(name)).value
    }
    var checked = 0
    for _ in 0..<150 {
      var lost = 0
      let words = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        let letters = (0..<Int.random(in: 1...3, using: &random)).map { _ -> String in
          let letter = ["+", "-", "?"].randomElement(using: &random) ?? "?"
          if letter != "?" || lost == 4 { return letter == "?" ? "-" : letter }
          lost += 1
          return letter
        }
        return (Bool.random(using: &random) ? "P" : "C") + letters.joined()
      }
      let filled = words.reduce([[String]]([[]])) { lists, word in
        let options = word.reduce([""]) { starts, letter in
          starts.flatMap { start in
            (letter == "?" ? "+-" : String(letter)).map { start + String($0) }
          }
        }
        return lists.flatMap { list in options.map { list + [$0] } }
      }
      let values = try filled.compactMap { try value($0) }
      let ends = try [MetricEvaluator.Fill.notHolding, .holding].map { try value(words, $0) }
      // If perhaps nothing counts, a bound may be unknown.
      guard values.count == filled.count else { continue }
      checked += 1
      #expect(ends == [values.min(), values.max()], "\(words)")
    }
    #expect(checked > 40)
  }

  @Test("Class precision weighs each case by the share of its repeats that predicted the class")
  func classPrecision() throws {
    func trials(_ cases: [(String, [String?])]) -> [Trial] {
      StatisticsTrials.scored(
        cases.map { expected, answers in
          answers.map { answer in
            [
              "expected": .string(expected),
              "predicted": answer.map(JSONValue.string) ?? .null,
            ]
          }
        }
      )
    }
    let found = trials([
      ("a", ["a", "a", "b"]), ("b", ["a", "a", "b"]), ("a", ["b", "b"]), ("b", ["a", "b"]),
      ("b", [nil, nil, "a"]),
    ])
    let precision = Metric(.scorer("s", .perClass(.precision)), classLabel: "a")
    let evaluator = MetricEvaluator(found)
    let rows = try #require(evaluator.rateRows(precision))
    #expect(
      rows.map { [$0.holding, $0.weight].map { ($0 * 6).rounded() } } == [
        [4, 4], [0, 4], [0, 3], [0, 2],
      ]
    )
    // (2/3) / (2/3 + 2/3 + 1/2 + 1/3)
    #expect(isClose(evaluator.estimate(precision).value, 4.0 / 13))
    #expect(evaluator.estimate(precision).n == 4)
    let lost = StatisticsTrials.lost("lost", given: ["expected": "b"])
    let filled = MetricEvaluator(found + [lost])
    #expect(isClose(filled.filling(.holding).estimate(precision).value, 4.0 / 13))
    #expect(isClose(filled.filling(.notHolding).estimate(precision).value, 4.0 / 19))
  }

  @Test("Clusters do not change a rate, and their number is reported")
  func clusters() throws {
    func estimate(_ name: String, _ words: [String]) throws -> Estimate {
      let clustered = trials(words).map { trial in
        var trial = trial
        trial.cluster = "all"
        return trial
      }
      return try MetricEvaluator(clustered).estimate(Self.metric(name))
    }
    #expect(isClose(try estimate("false-positive-rate", ["C-", "C+", "C-", "P+"]).value, 1.0 / 3))
    #expect(isClose(try estimate("recall", ["P+", "P+", "P-", "C+"]).value, 2.0 / 3))
    #expect(try estimate("recall", ["P+", "P-", "C-"]).n == 2)
    #expect(try estimate("recall", ["P+", "P-", "C-"]).clusters == 1)
    #expect(try estimate("recall", ["C-", "C+"]).unknown == "there is nothing to count")
    let mixed = MetricEvaluator(
      StatisticsTrials.cases("pppff").map { trial in
        var trial = trial
        trial.cluster = trial.caseID == "case-4" ? nil : "all"
        return trial
      }
    ).estimate(Metric(.accuracy))
    #expect(mixed.value == 0.6)
    #expect(mixed.n == 5)
    #expect(mixed.clusters == 2)
  }
}

/// The metrics of scorers as suites use them.
enum ScoringMetrics {
  static let flags = [
    MetricDefinition(
      "false-positive-rate",
      .share(of: .init("false-alarm"), among: [.init("clean")]),
      prefersSmall: true
    ),
    MetricDefinition("recall", .share(of: .init("hit"), among: [.init("positive")])),
    MetricDefinition(
      "precision",
      .share(of: .init("hit"), among: [.init("hit"), .init("false-alarm")])
    ),
  ]
}
