import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("Pages of a large report")
struct HTMLPagingTests {
  /// Returns a suite in which every n-th case failed.
  private static func suite(
    _ count: Int,
    columns: Int = 1,
    failedEach step: Int,
    repetitions: Int = 1
  ) -> SuiteResult {
    var suite = RunResult.everywhere("inbox").suites[0]
    suite.repetitions = repetitions
    suite.columns = (0..<columns).map { column in
      var result = suite.columns[0]
      result.prompt = "v\(column + 1)"
      result.trials = (0..<count).flatMap { index in
        (1...repetitions).map { repetition in
          // Only the first column fails.
          let isFailed = index % step == 0 && column == 0
          var trial = Trial.fixture("x", isFailed ? .failed : .passed, repetition: repetition)
          trial.caseID = "case-\(index)"
          return trial
        }
      }
      return result
    }
    return suite
  }

  private static func pages(_ suite: SuiteResult) throws -> [HTMLPageFixture] {
    let result = RunResult(suites: [suite])
    return (0..<HTMLReport(result, casesOnPage: 100).pageCount).map {
      HTMLPageFixture(result, page: $0, casesOnPage: 100)
    }
  }

  @Test("Failed cases are on the first page, and the others follow in suite order")
  func order() throws {
    let pages = try Self.pages(Self.suite(120, failedEach: 10))
    #expect(try pages.map { try $0.trials.count } == [100, 20])
    let ids = try pages.map { try $0.caseIDs }
    #expect(try pages[0].trials.count { $0[3] == 1 } == 12)
    #expect(ids[0].prefix(3) == ["case-0", "case-1", "case-2"])
    #expect(ids[0].suffix(2) == ["case-100", "case-110"])
    #expect(ids[1].prefix(2) == ["case-98", "case-99"])
    #expect(Set(ids.joined()).count == 120)
  }

  @Test("All trials of a case are on the same page")
  func together() throws {
    let suite = Self.suite(130, columns: 2, failedEach: 7, repetitions: 2)
    let pages = try Self.pages(suite)
    #expect(try pages.map { try $0.cases.count } == [100, 30])
    let ids = try pages.map { try $0.caseIDs }
    #expect(ids.map(\.count) == [400, 120])
    for ids in ids {
      #expect(Dictionary(grouping: ids) { $0 }.values.allSatisfy { $0.count == 4 })
    }
  }

  @Test("Each page links to the others, and only the first one has gates and figures")
  func navigation() throws {
    let pages = try Self.pages(Self.suite(120, failedEach: 10))
    #expect(
      try pages[0].between("<nav class=\"pages\"", "</p>")
        == """
         aria-label="Pages of cases"><ul class="places">\
        <li><a href="report.html#cases" data-page aria-current="page">1</a></li>\
        <li><a href="report-2.html#cases" data-page>2</a></li></ul></nav>
        <p class="small quiet">120 cases on 2 pages. Cases with an answer that failed, was lost or changed come \
        first. Search, filters and counts apply to this page only.
        """
    )
    #expect(
      try pages[1].markup.contains(
        "<li><a href=\"report-2.html#cases\" data-page aria-current=\"page\">2</a></li>"
      )
    )
    #expect(try pages.map { try $0.markup.contains("id=\"gates\"") } == [true, false])
    #expect(try pages.map { try $0.markup.contains("id=\"latency\"") } == [true, false])
    #expect(try pages.allSatisfy { try $0.markup.contains("<title>Sluice: fail</title>") })
  }

  @Test("A single page has no links; of more than five, only pages with failed cases are written")
  func ends() throws {
    let one = try Self.pages(Self.suite(100, failedEach: 10))
    #expect(one.count == 1)
    #expect(HTMLPaging.most == 10_000)
    #expect(try !one[0].markup.contains("class=\"pages\""))
    let five = try Self.pages(Self.suite(500, failedEach: 10))
    #expect(try five.map { try $0.trials.count } == Array(repeating: 100, count: 5))
    let many = try Self.pages(Self.suite(503, failedEach: 2))
    #expect(many.count == 3)
    #expect(try many.flatMap { try $0.trials }.count { $0[3] == 1 } == 252)
    #expect(
      try many[2].markup.contains(
        "300 cases on 3 pages. Cases with an answer that failed, was lost or changed come first. "
          + "203 more cases are only in report.csv and report.json."
      )
    )
  }

  @Test("A case with more trials than a page can have is not split")
  func wide() throws {
    let suite = Self.suite(2, failedEach: 2, repetitions: 401)
    #expect(try Self.pages(suite).map { try $0.trials.count } == [401, 401])
  }
}
