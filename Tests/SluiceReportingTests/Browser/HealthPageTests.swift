import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

/// Tests the health page in a real browser, as `make test-browser` does.
@Suite(
  "The health page in a browser",
  .serialized,
  .enabled(
    if: Browser.program != nil,
    "needs a Chromium: make test-browser, or SLUICE_BROWSER=/path/to/chromium swift test"
  ),
  .timeLimit(.minutes(5))
)
struct HealthPageTests {
  /// A suite with a number of cases that fail in the newest answers.
  private static func report(_ name: String, cases: Int, failing: Int) -> SuiteHealthReport {
    let ids = (0..<cases).map { "\(name)-case-of-some-length-\($0)" }
    let trials = ids.enumerated().map { place, id -> Trial in
      var trial = Trial.fixture("x", place < failing ? .failed : .passed)
      trial.caseID = id
      return trial
    }
    let places = Dictionary(uniqueKeysWithValues: ids.enumerated().map { (ExactString($1), $0) })
    func column(_ prompt: String, isOwn: Bool) -> SuiteHealth.Column {
      SuiteHealth.Column(
        prompt: prompt,
        backend: "a-backend-with-a-long-name",
        origin: .recorded,
        isOwn: isOwn,
        trials: cases == 0 ? [] : trials,
        places: places
      )
    }
    return SuiteHealthReport(
      health: SuiteHealth(
        suite: name,
        path: ProjectPath("prompts/\(name)/suite.yaml"),
        prompt: "v2",
        cases: ids.enumerated().map { place, id in
          SuiteHealth.Case(
            id: id,
            tags: ["tag-\(place % 7)"],
            expectedClass: place % 2 == 0 ? "clean" : "flagged"
          )
        },
        columns: cases == 0 ? [] : [column("v1", isOwn: false), column("v2", isOwn: true)],
        skippedLogs: [
          SuiteHealth.SkippedLog(name: "run-20260101T000000Z.jsonl", reason: "another version")
        ]
      )
    )
  }

  private static let project = [
    report("open-suite", cases: 200, failing: 40), report("full-suite", cases: 200, failing: 0),
    report("nearly-full-suite", cases: 200, failing: 2), report("empty", cases: 0, failing: 0),
  ]

  private func withPage(
    _ reports: [SuiteHealthReport] = project,
    _ body: (Browser) throws -> Void
  ) throws {
    let browser = try Browser()
    defer { browser.close() }
    try browser.resize(1_280, 800)
    let page = FileSink.bytes { (sink) throws(FileError) in
      try HTMLHealth(reports).write(to: &sink)
    }
    try browser.open([page])
    try body(browser)
    #expect(browser.complaints == [])
    #expect(browser.requests == [])
  }

  @Test(
    "The first screen shows the summary and every suite, starting with the most saturated",
    arguments: [(1_280, 800), (390, 844)]
  )
  func firstScreen(width: Int, height: Int) throws {
    try withPage { browser throws in
      try browser.resize(width, height)
      #expect(
        try browser.text("document.querySelector('h1').innerText") == "– 1 of 4 suites is saturated"
      )
      let names = "[...document.querySelectorAll('.suite > summary .name')].map(e => e.textContent)"
      #expect(
        try browser.value(names) == ["full-suite", "nearly-full-suite", "empty", "open-suite"]
      )
      let bottoms =
        "[...document.querySelectorAll('.suite')].every(e => e.getBoundingClientRect().bottom <= \(height))"
      #expect(try browser.value(bottoms) == true)
    }
  }

  @Test("A single suite is unfolded, with its name and state as the title")
  func single() throws {
    try withPage([Self.project[1]]) { browser throws in
      #expect(
        try browser.text("document.querySelector('h1').innerText") == "– full-suite: saturated"
      )
      #expect(try browser.value("document.querySelector('.suite').open") == true)
      #expect(
        try browser.text("document.querySelector('.reason').textContent").hasPrefix(
          "All 200 cases pass; the suite can show a loss of "
        )
      )
    }
  }

  @Test("Pass rates are drawn on one scale, and their accessible names contain the value")
  func pictures() throws {
    try withPage { browser throws in
      let pictures = "[...document.querySelectorAll('.suite > summary svg')]"
      #expect(
        try browser.value(
          "new Set(\(pictures).map(e => Math.round(e.getBoundingClientRect().left))).size"
        )
          == 1
      )
      #expect(
        try browser.value("\(pictures).map(e => e.getAttribute('aria-label').split(' ')[0])")
          == ["100.0%", "99.0%", "80.0%"]
      )
    }
  }

  @Test("Names are not broken inside a word", arguments: [390, 768, 1_280])
  func names(width: Int) throws {
    let suites = ["contradictions", "smart-reply-stream"]
      .map { Self.report($0, cases: 50, failing: 1) }
    try withPage(suites) { browser throws in
      try browser.resize(width, 844)
      #expect(try browser.value(PageScripts.brokenNames) == [])
    }
  }

  @Test("On a laptop, the name and the figures of a suite are on one line")
  func lines() throws {
    let suites = ["contradictions", "sentiment"].map { Self.report($0, cases: 50, failing: 0) }
    try withPage(suites) { browser throws in
      let heights = """
        [...document.querySelectorAll('.suite > summary > :is(.name, .num)')]
          .every(e => e.offsetHeight < 30)
        """
      #expect(try browser.value(heights) == true)
    }
  }

  @Test("Nothing is wider than the window", arguments: [320, 390, 768, 1_280])
  func widths(width: Int) throws {
    try withPage { browser throws in
      try browser.resize(width, 844)
      #expect(try browser.value(PageScripts.overhang) == 0)
      try browser.unfold()
      #expect(try browser.value(PageScripts.overhang) == 0)
    }
  }

  @Test("Every text has enough contrast with its background", arguments: ["light", "dark"])
  func contrast(scheme: String) throws {
    try withPage { browser throws in
      try browser.prefer(["prefers-color-scheme": scheme])
      try browser.unfold()
      #expect(try browser.value(PageScripts.faint) == [])
    }
  }
}
