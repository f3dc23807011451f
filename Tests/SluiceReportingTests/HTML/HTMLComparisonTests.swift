import Foundation
import SampleProjects
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("compare.html")
struct HTMLComparisonTests {
  private func page(_ comparison: ConfigurationComparison) -> HTMLPageFixture {
    HTMLPageFixture(SluiceReporting.ComparisonResult([comparison]))
  }

  @Test(
    "Without gates, the first sentence states the difference in accuracy, its range and the cost",
    arguments: [
      (
        ConfigurationComparison.Standing.worse,
        "Backend b is worse than a by 5.0 points (95% interval [0.1, 10.8]) and costs 2 times as much per call"
      ),
      (
        .better,
        "Backend b is better than a by 5.0 points (95% interval [-10.8, -0.1]) and costs 2 times as much per call"
      ),
      (
        .asGood,
        "Backend b is not worse than a by more than 5 points (-5.0 points, 95% interval [-10.8, -0.1]) and costs 2 times as much per call"
      ),
      (.same, "Backends b and a pass the same cases; b costs 2 times as much per call"),
      (
        .undecided,
        "Undecided between b and a (-5.0 points, 95% interval [-10.8, -0.1]); b costs 2 times as much per call"
      ),
    ]
  )
  func standing(standing: ConfigurationComparison.Standing, sentence: String) throws {
    var comparison = ConfigurationComparison.tradeoff([
      ("a", 150, 0.0001, 300), ("b", 140, 0.0002, 300),
    ])
    comparison.pairs[0].changes[0].change = .fixture(7, 2, 100)
    comparison.pairs[0].changes[0].standing = standing
    let reason = try page(comparison).between("<p class=\"reason\">", "</p>")
    #expect(reason == "\(sentence).")
  }

  @Test("Up to three pairs have a sentence each, starting with the best pair")
  func best() throws {
    let comparison = ConfigurationComparison.tradeoff([
      ("a", 100, 0.0001, 300), ("b", 40, 0.0001, 300), ("c", 190, 0.0001, 400),
    ])
    let reason = try page(comparison).between("<p class=\"reason\">", "</p>")
    #expect(reason.hasPrefix("Backend c is better than a by 45.0 points ("))
    #expect(
      reason.contains(") and costs the same per call. Backend b is worse than a by 30.0 points (")
    )
    #expect(reason.hasSuffix(") and costs the same per call."))
  }

  @Test("With more pairs, the sentence is about the best one, and the others are counted")
  func counted() throws {
    let comparison = ConfigurationComparison.tradeoff([
      ("a", 100, 0.0001, 300), ("b", 40, 0.0001, 300), ("c", 190, 0.0001, 400),
      ("d", 30, 0.0001, 300), ("e", 20, 0.0001, 300),
    ])
    let reason = try page(comparison).between("<p class=\"reason\">", "</p>")
    #expect(reason.hasPrefix("Backend c is better than a by 45.0 points ("))
    #expect(reason.hasSuffix(") and costs the same per call. Other pairs: 3 worse."))
  }

  @Test("If costs are unknown, the chart uses tokens, then lengths of answers, and says so")
  func measures() throws {
    var comparison = ConfigurationComparison.tradeoff([("a", 100, nil, 300), ("b", 150, nil, 360)])
    for index in 0..<2 {
      for trial in comparison.configurations[index].column.trials.indices {
        comparison.configurations[index].column.trials[trial].output?.provenance.model = "one"
      }
    }
    let tokens = try page(comparison)
    #expect(
      try tokens.between("<p class=\"reason\">", "</p>").hasSuffix(
        " and uses 20% more tokens per call."
      )
    )
    #expect(try tokens.markup.contains("Quality against size</h2>"))
    #expect(
      try tokens.markup.contains(
        "The costs of some answers are unknown, so the chart uses tokens per call instead."
      )
    )
    let lengths = try page(.tradeoff([("a", 100, nil, nil), ("bbb", 150, nil, 360)]))
    #expect(
      try lengths.between("<p class=\"reason\">", "</p>").hasSuffix(" and gives answers 5% longer.")
    )
    #expect(try lengths.markup.contains("size: characters per answer →"))
    var silent = ConfigurationComparison.tradeoff([("a", 100, nil, nil), ("b", 150, nil, nil)])
    for index in 0..<2 {
      for trial in silent.configurations[index].column.trials.indices {
        silent.configurations[index].column.trials[trial].output?.excerpt = ""
      }
    }
    let nothing = try page(silent).markup
    #expect(nothing.contains("Quality</h2>"))
    #expect(
      nothing.contains("aria-label=\"Accuracy: A a 50.0%, interval [43.1%, 56.9%]; B b 75.0%, ")
    )
    #expect(nothing.contains("The costs, tokens and lengths of some answers are unknown."))
  }

  private func verdict(_ gates: [Decision], _ verdict: Verdict) -> String? {
    var comparison = ConfigurationComparison.everywhere("inbox")
    comparison.edits = []
    comparison.gates = gates
    comparison.verdict = verdict
    return ComparisonHeadline(SluiceReporting.ComparisonResult([comparison])).verdict
  }

  @Test("Without a verdict, the reason is missing answers, undecided gates, or that there are none")
  func noVerdict() throws {
    let held = Decision.fixture("accuracy >= 85%", .pass, Estimate(rate: 9, of: 10))
    let open = Decision.fixture("mean(cost) <= $1", .noVerdict, Estimate(unknown: "no usage"))
    func text(_ gates: [Decision], losing: Bool) -> String? {
      var comparison = ConfigurationComparison.everywhere("inbox")
      comparison.edits = []
      comparison.gates = gates
      comparison.verdict = .noVerdict
      for index in comparison.configurations.indices where !losing {
        comparison.configurations[index].column.trials.removeAll(where: \.isLost)
      }
      return ComparisonHeadline(SluiceReporting.ComparisonResult([comparison])).verdict
    }
    #expect(text([held, open], losing: false) == "1 of 2 gates undecided (inbox)")
    #expect(text([open], losing: false) == "the only gate is undecided (inbox)")
    #expect(text([], losing: false) == "no gates (inbox)")
    #expect(text([held, open], losing: true) == "answers are missing (inbox)")
  }

  @Test("With gates, the first sentence counts those that do not pass, then states the difference")
  func gates() throws {
    let failed = Decision.fixture("accuracy >= 85%", .fail, Estimate(rate: 8, of: 10))
    let held = Decision.fixture("accuracy >= 85%", .pass, Estimate(rate: 9, of: 10))
    #expect(verdict([failed], .fail) == "the only gate fails (inbox)")
    #expect(verdict([failed, held], .fail) == "1 of 2 gates fails (inbox)")
    #expect(verdict([held, held], .pass) == "all 2 gates pass")
    var comparison = ConfigurationComparison.everywhere("inbox")
    comparison.edits = [YardstickEdit(.gate, "accuracy >= 85% was 80%")]
    comparison.gates = [failed]
    comparison.verdict = .fail
    let reason = try page(comparison).between("<p class=\"reason\">", "</p>")
    #expect(
      reason.hasPrefix(
        "The only gate fails (inbox); this change also edits how it is judged. "
      )
    )
    #expect(reason.hasSuffix(TradeoffText(comparison).answer))
  }

  @Test("If answers are missing on either side, passing gates are not mentioned")
  func missing() {
    let holds = Decision.fixture("accuracy >= 85%", .pass, Estimate(rate: 9, of: 10))
    #expect(verdict([holds], .noVerdict) == "answers are missing (inbox)")
    #expect(verdict([], .noVerdict) == "no gates (inbox)")
  }

  @Test(
    "Failing suites come first, and unchanged ones come last and are folded"
  )
  func several() throws {
    var failing = ConfigurationComparison.everywhere("tone")
    failing.edits = [YardstickEdit(.gate, "accuracy >= 85% was 80%")]
    failing.gates = [.fixture("accuracy >= 85%", .fail, Estimate(rate: 8, of: 10))]
    failing.verdict = .fail
    let quiet = ["alarms", "beta"].map { name in
      var comparison = ConfigurationComparison.everywhere(name)
      comparison.edits = []
      comparison.gates = []
      comparison.verdict = .pass
      comparison.pairs[0].comparison.isIdentical = true
      return comparison
    }
    let result = SluiceReporting.ComparisonResult(quiet + [failing])
    let verdict =
      "the only gate fails (tone); this change also edits how it is judged (tone)"
    #expect(ComparisonHeadline(result).verdict == verdict)
    let page = HTMLPageFixture(result)
    #expect(
      try page.between("<p class=\"reason\">", "</p>")
        == ComparisonHeadline(result).text
    )
    let blocks = try page.markup.components(separatedBy: "<details id=\"suite-")
      .dropFirst().map { $0.prefix { $0 != "<" } }
    #expect(blocks == ["3\" open>", "1\">", "2\">"])
    let markdown = String(decoding: ComparisonMarkdown(result).bytes, as: UTF8.self)
    #expect(markdown.contains("\n**T\(verdict.dropFirst()). tone: "))
    #expect(
      markdown.contains("\n2 suites unchanged, with identical answers: alarms, beta.\n")
    )
    #expect(
      ComparisonHeadline(SluiceReporting.ComparisonResult(quiet)).text
        == "No gates. All answers are identical."
    )
  }

  @Test("Cases on which configurations differ are listed once, with the configurations that pass")
  func sides() throws {
    let two = try page(.everywhere("inbox")).markup
    #expect(two.contains("<h2 id=\"differ-title\">Cases where they differ</h2>"))
    #expect(
      two.contains(
        "<td class=\"passed\" data-label=\"A\">✓</td><td class=\"failed\" data-label=\"B\">✗</td>"
      )
    )
    #expect(!two.contains("failing, but passing with A"))
    let three = try page(.everywhere("inbox", configurations: 3)).markup
    #expect(three.contains("1<span class=\"unit\"> case</span></th>"))
    #expect(three.contains("<h2 id=\"pairs-title\">All pairs</h2>"))
  }

  @Test("Texts of datasets, prompts and models cannot become markup", arguments: HostileText.all)
  func hostile(text: String) throws {
    func tags(_ page: HTMLPageFixture) throws -> [String] {
      try page.markup.split(separator: "<").dropFirst().map { part in
        String(part.prefix { !" >\n".contains($0) })
      }
    }
    let page = page(.everywhere(text))
    #expect(try tags(page) == tags(self.page(.everywhere("x"))))
    #expect(page.text.components(separatedBy: "<script").count == 5)
  }
}
