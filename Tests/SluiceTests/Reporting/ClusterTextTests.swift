@testable import Sluice
import Testing

@Suite("What n counts where cases belong to clusters")
struct ClusterTextTests {
  private func result(_ clusters: [String?]) -> RunResult {
    var result = RunResult.everywhere("x")
    result.suites[0].columns[0].trials = clusters.enumerated().map { index, cluster in
      var trial = Trial.fixture("case-\(index)", .passed)
      trial.cluster = cluster
      return trial
    }
    return result
  }

  @Test(
    "As how many the cases count is said where that is fewer",
    arguments: [
      ([nil, nil], nil), ([nil, "a", "b"], nil),
      (
        [nil, "a", "a", "b", "b"],
        "The 5 cases count as 3: those of one cluster, which vary one situation, count once, and n "
          + "is how many count."
      ),
    ] as [([String?], String?)]
  )
  func sentence(_ clusters: [String?], _ sentence: String?) {
    #expect(ClusterText.sentence(result(clusters).suites[0].columns[0]) == sentence)
  }

  @Test("Every report for people says it, and none where each case counts")
  func reports() throws {
    func texts(_ result: RunResult) throws -> [String] {
      [
        TerminalReport(result, style: TerminalStyle(isColored: false)).text,
        String(decoding: MarkdownReport(result).bytes, as: UTF8.self),
        try HTMLPageFixture(result).markup,
      ]
    }
    let line = "\n  n                                 2 of 3 cases: a cluster counts once\n"
    let said = try texts(result([nil, "a", "a"]))
    #expect(said[0].contains(line))
    #expect(said[1].contains("\nThe 3 cases count as 2: "))
    #expect(said[2].contains("<p class=\"quiet small\">The 3 cases count as 2: "))
    for text in try texts(result([nil, nil, "a"])) {
      #expect(!text.contains("count as"))
      #expect(!text.contains("a cluster counts once"))
    }
  }
}
