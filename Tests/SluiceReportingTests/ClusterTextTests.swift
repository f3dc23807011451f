import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
import Testing

@Suite("The number of cases and clusters")
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
    "The number of clusters is stated only if clusters have several cases",
    arguments: [
      ([nil, nil], nil), ([nil, "a", "b"], nil),
      (
        [nil, "a", "a", "b", "b"],
        "The 5 cases come in 3 clusters, each of which varies one situation. Figures are means "
          + "over cases; intervals and gates take into account that cases of a cluster are alike."
      ),
    ] as [([String?], String?)]
  )
  func sentence(_ clusters: [String?], _ sentence: String?) {
    #expect(ClusterText.sentence(result(clusters).suites[0].columns[0]) == sentence)
  }

  @Test("Every report for people states the clusters, but only if they have several cases")
  func reports() throws {
    func texts(_ result: RunResult) throws -> [String] {
      [
        TerminalReport(result, style: TerminalStyle(isColored: false)).text,
        String(decoding: MarkdownReport(result).bytes, as: UTF8.self),
        try HTMLPageFixture(result).markup,
      ]
    }
    let line = "\n  n                                 3 cases in 2 clusters\n"
    let said = try texts(result([nil, "a", "a"]))
    #expect(said[0].contains(line))
    #expect(said[1].contains("\nThe 3 cases come in 2 clusters, "))
    #expect(said[2].contains("<p class=\"quiet small\">The 3 cases come in 2 clusters, "))
    for text in try texts(result([nil, nil, "a"])) {
      #expect(!text.contains("cases come in"))
      #expect(!text.contains(" clusters\n"))
    }
  }
}
