import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

/// Tests the layout of the first screen of a run's page in a real browser.
@Suite(
  "The first screen of a run's page",
  .serialized,
  .enabled(
    if: Browser.program != nil,
    "needs a Chromium: make test-browser, or SLUICE_BROWSER=/path/to/chromium swift test"
  ),
  .timeLimit(.minutes(5))
)
struct FirstScreenReportPageTests {
  /// A run whose prompt lost a line, so that 81 of 355 cases fail.
  private static func worse() -> RunResult {
    var result = RunResult.everywhere("clarity")
    result.mixes = []
    result.suites[0].repetitions = 1
    var column = result.suites[0].columns[0]
    column.trials = (0..<355).map { index in
      var trial = Trial.fixture("case-\(index)", index < 81 ? .failed : .passed)
      trial.prompt = "clarity"
      trial.backend = "clarity"
      return trial
    }
    let change = PairedChange.fixture(81, 0, 355, margin: 0.04)
    var regression = Decision.fixture(
      "no regression in accuracy beyond 4 points",
      .fail,
      Estimate(rate: 274, of: 355)
    )
    regression.change = change
    column.gates = [
      .fixture("accuracy >= 50%", .pass, Estimate(rate: 274, of: 355)),
      .fixture("accuracy >= 95%", .fail, Estimate(rate: 274, of: 355), bound: 0.95),
      regression,
    ]
    column.goals = [.fixture("accuracy >= 85%", .fail, Estimate(rate: 274, of: 355))]
    column.requestChange = RequestChange(
      count: 355,
      total: 355,
      caseID: "case-0",
      difference: RequestDifference(
        parts: [
          .init(
            name: "user message",
            lines: [
              "  …", "  Sent: today", "- Conversation so far:", "- (none)", "  Message:", "  …",
            ]
          )
        ]
      )
    )
    column.comparison = RunComparison(
      reference: "the baseline (v2)",
      isIdentical: false,
      changedCases: [],
      addedCases: [],
      removedCases: [],
      reslicedCases: [],
      changedScorers: [],
      flips: (0..<81).map { .init(caseID: "case-\($0)", flip: .harmful) },
      changes: [.init(name: "accuracy", quantity: .rate, change: change)],
      slices: [
        .init(tag: "hard", n: 190, harmful: 65, beneficial: 0, adjustedP: 1e-9),
        .init(tag: "conversation", n: 110, harmful: 64, beneficial: 0, adjustedP: 1e-9),
      ]
    )
    result.suites[0].columns[0] = column
    return result
  }

  private static func withPage(
    _ result: RunResult,
    _ width: Int,
    _ height: Int,
    _ body: (Browser) throws -> Void
  ) throws {
    let browser = try Browser()
    defer { browser.close() }
    try browser.resize(width, height)
    let revision = PageRevision(project: "shop", branch: "main", commit: "1a2b3c4", isEdited: true)
    let bytes = FileSink.bytes { (sink) throws(FileError) in
      try HTMLReport(result, revision: revision).write(to: &sink)
    }
    try browser.open([bytes])
    try body(browser)
    #expect(browser.complaints == [])
    #expect(browser.requests == [])
  }

  /// The bottom edge of the first element that matches a selector, in pixels from the top of the
  /// window.
  private static func bottom(of selector: String) -> String {
    "Math.round(document.querySelector('\(selector)').getBoundingClientRect().bottom)"
  }

  /// The run of ``worse()`` after 18 suites that pass.
  private static func worseAmongOthers() -> RunResult {
    var result = worse()
    let passing = (1...18).map { number in
      var suite = RunResult.everywhere("suite-\(number)").suites[0]
      suite.columns[0].trials = [.fixture("a", .passed)]
      suite.columns[0].gates = [.fixture("accuracy >= 50%", .pass, Estimate(rate: 1, of: 1))]
      suite.columns[0].goals = []
      return suite
    }
    result.suites = passing + result.suites
    return result
  }

  @Test(
    "The first screen shows verdict, change and the worst gate, even of the last of 19 suites",
    arguments: [(1_280, 800), (390, 844)],
    [1, 19]
  )
  func geometry(size: (width: Int, height: Int), suites: Int) throws {
    let (width, height) = size
    let result = suites == 1 ? Self.worse() : Self.worseAmongOthers()
    try Self.withPage(result, width, height) { browser throws in
      for selector in [
        "h1.verdict", ".reason", ".change .difference", ".change .tally", ".gates li:first-child",
      ] {
        let bottom = try #require(try browser.value(Self.bottom(of: selector)).number)
        #expect(bottom > 0 && bottom <= Double(height), "\(selector) ends at \(bottom)")
      }
      // The worst gate comes first, whatever its position in the suite.
      #expect(
        try browser.text("document.querySelector('.gates li code').textContent")
          == "accuracy >= 95%"
      )
      #expect(try browser.value(PageScripts.overhang) == 0)
      #expect(try browser.value(PageScripts.faint).array?.isEmpty == true)
    }
  }

  @Test(
    "A button leads to all newly failing cases, with the heading and the first rows in sight",
    arguments: [(1_280, 800), (390, 844)]
  )
  func flips(width: Int, height: Int) throws {
    try Self.withPage(Self.worse(), width, height) { browser throws in
      try browser.value("document.querySelector('.effect [data-choose]').click()")
      #expect(try browser.text(PageScripts.shown) == "81 of 355 cases")
      // A smooth scroll would end within this time, wherever it ends.
      try browser.value("new Promise(done => setTimeout(done, 600))")
      func top(of selector: String) throws -> Double {
        let script = "document.querySelector('\(selector)').getBoundingClientRect().top"
        return try #require(try browser.value(script).number)
      }
      let bar = try #require(
        try browser.value("document.querySelector('.bar').getBoundingClientRect().bottom").number
      )
      #expect(try top(of: "#cases-title") >= bar, "the navigation covers the heading")
      #expect(try top(of: "#cases-title") < Double(height) / 4)
      for selector in ["#shown", "#row-list tr.row"] {
        #expect(try top(of: selector) < Double(height) - 40, "\(selector) is out of sight")
      }
    }
  }

  @Test("A case that is opened from the cases that newly fail is counted among them")
  func counter() throws {
    try Self.withPage(Self.worse(), 1_280, 800) { browser throws in
      let place = "document.getElementById('case-place').textContent"
      try browser.value("document.querySelector('.effect .named a').click()")
      #expect(try browser.text(place) == "1 of 81")
      try browser.value("document.getElementById('next').click()")
      #expect(try browser.text(place) == "2 of 81")
      #expect(try browser.text("document.getElementById('case-title').textContent") == "case-1")
    }
  }

  @Test("Every changed case is reachable from the list of all changes")
  func allChanges() throws {
    try Self.withPage(Self.worse(), 1_280, 800) { browser throws in
      try browser.value("document.querySelector('.more').open = true")
      let list = "document.querySelector('.more .flips:last-of-type li').textContent"
      #expect(try browser.text(list).hasSuffix("case-11 Show all 81"))
      try browser.value("document.querySelector('.more [data-choose]').click()")
      #expect(try browser.text(PageScripts.shown) == "81 of 355 cases")
    }
  }

  @Test("On a phone the lines of a cut edit keep the column of signs, and no link runs off")
  func phone() throws {
    try Self.withPage(Self.worse(), 390, 844) { browser throws in
      // The second row of a wrapped line is indented, so that it starts after the sign.
      let starts = """
        [...document.querySelectorAll('.difference > del, .difference > ins')].map(line => {
          const style = getComputedStyle(line);
          return style.display === 'block' && parseFloat(style.textIndent) === -parseFloat(style.paddingLeft)
            && parseFloat(style.paddingLeft) > 0;
        }).every(Boolean)
        """
      #expect(try browser.value(starts) == true)
      let cut = """
        [...document.querySelectorAll('.named a, .named button, .legend span')]
          .filter(e => e.offsetParent && e.getBoundingClientRect().right > innerWidth).map(e => e.textContent)
        """
      #expect(try browser.value(cut).array == [])
    }
  }

  @Test("Labels in a chart neither overlap nor leave it")
  func labels() throws {
    let overlaps = """
      [...document.querySelectorAll('main svg')].flatMap(svg => {
        const frame = svg.getBoundingClientRect();
        const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
        const faults = [];
        boxes.forEach(([text, a], i) => {
          if (a.left < frame.left - 1 || a.right > frame.right + 1) faults.push(text + ' leaves');
          boxes.slice(i + 1).forEach(([other, b]) => {
            if (a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1) faults.push(text + ' on ' + other);
          });
        });
        return faults;
      })
      """
    var result = Self.worse()
    // Two percentiles are so close that their labels would overlap on one line.
    for index in result.suites[0].columns[0].trials.indices {
      result.suites[0].columns[0].trials[index].output?.timings.total = index < 10 ? 260 : 250
    }
    try Self.withPage(result, 1_280, 800) { browser throws in
      #expect(try browser.value(overlaps).array == [])
    }
  }
}
