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
    "Without gates the first sentence says how configurations stand to the first one",
    arguments: [
      (ConfigurationComparison.Standing.worse, "is worse in accuracy than"),
      (.better, "is better in accuracy than"), (.asGood, "is as good in accuracy as"),
      (.same, "is the same in accuracy as"), (.undecided, "is not told apart in accuracy from"),
    ]
  )
  func standing(standing: ConfigurationComparison.Standing, phrase: String) throws {
    // A name may hold any words, those of the sentence too.
    let name = "as good in accuracy than"
    var comparison = ConfigurationComparison.everywhere(name)
    comparison.verdict = nil
    comparison.pairs[0].changes[0].name = "accuracy"
    comparison.pairs[0].changes[0].standing = standing
    let reason = try page(comparison).between("<p class=\"reason\">", "</p>")
    #expect(reason.hasPrefix("\(name): \(name) \(phrase) \(name) ("))
  }

  @Test("With gates it says which do not pass")
  func gates() throws {
    var comparison = ConfigurationComparison.everywhere("inbox")
    comparison.edits = []
    comparison.gates = [.fixture("accuracy >= 85%", .fail, Estimate(rate: 8, of: 10))]
    comparison.verdict = .fail
    #expect(
      try page(comparison).between("<p class=\"reason\">", "</p>")
        == "inbox: accuracy &gt;= 85% fails (80.0%, missed by 5.0 points)."
    )
    comparison.gates = []
    comparison.verdict = .pass
    #expect(
      try page(comparison).between("<p class=\"reason\">", "</p>") == "inbox: every gate holds."
    )
  }

  @Test("Gates that hold are no reassurance where answers are missing on either side")
  func missing() {
    func reason(_ gates: [Decision]) -> String {
      var comparison = ConfigurationComparison.everywhere("inbox")
      comparison.edits = []
      comparison.gates = gates
      comparison.verdict = .noVerdict
      return ComparisonSummaryText(SluiceReporting.ComparisonResult([comparison])).reason
    }
    let holds = Decision.fixture("accuracy >= 85%", .pass, Estimate(rate: 9, of: 10))
    #expect(reason([holds]) == "inbox: no verdict, since answers are missing.")
    #expect(reason([]) == "inbox: no verdict without gates.")
  }

  @Test(
    "Of several suites the one that stands in the way comes first, those without a change last and folded"
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
    let reason =
      "tone: accuracy >= 85% fails (80.0%, missed by 5.0 points). 2 suites pass. "
      + "This change also edits what judges it, in tone."
    #expect(ComparisonSummaryText(result).reason == reason)
    let page = HTMLPageFixture(result)
    #expect(
      try page.between("<p class=\"reason\">", "</p>")
        == reason.replacingOccurrences(of: ">=", with: "&gt;=")
    )
    let blocks = try page.markup.components(separatedBy: "<span class=\"name\">")
      .dropFirst().prefix(3).map { $0.prefix { $0 != "<" } }
    #expect(blocks == ["tone", "alarms", "beta"])
    let folded = try page.markup.components(separatedBy: "<details><summary><span>")
    #expect(folded.count == 3)
    let markdown = String(decoding: ComparisonMarkdown(result).bytes, as: UTF8.self)
    #expect(
      markdown.contains(
        "\ntone: `accuracy >= 85%` fails (80.0%, missed by 5.0 points). 2 suites pass."
      )
    )
    #expect(markdown.contains("<details><summary>2 suites: every answer is the same</summary>"))
    #expect(
      ComparisonSummaryText(SluiceReporting.ComparisonResult(quiet)).reason
        == "Every gate of 2 suites holds."
    )
  }

  @Test("Of two prompts it says which one passes a case, and names each case once")
  func sides() throws {
    var comparison = ConfigurationComparison.everywhere("inbox")
    comparison.pairs[0].comparison.flips = [.init(caseID: "inbox", flip: .harmful)]
    let markup = try page(comparison).markup
    #expect(markup.contains("<li>1 failing where A passes: <a "))
    #expect(!markup.contains("newly failing"))
    #expect(!markup.contains("Cases on which they disagree"))
    comparison.pairs[0].comparison.flips = [.init(caseID: "inbox", flip: .beneficial)]
    #expect(try page(comparison).markup.contains("<li>1 passing where A fails: <a "))
    // A case that no list has, and of three all of them.
    comparison.pairs[0].comparison.flips = []
    #expect(try page(comparison).markup.contains("<h3>Cases on which they disagree</h3>\n<p>1: "))
    let three = try page(.everywhere("inbox", configurations: 3)).markup
    #expect(three.contains("<h3>Cases on which they disagree</h3>\n<p>1: <a "))
  }

  @Test("No text of a dataset, a prompt or a model becomes markup", arguments: HostileText.all)
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
