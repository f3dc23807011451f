import SampleProjects
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

/// Tests the history page in a real browser, as `make test-browser` does.
@Suite(
  "The history page in a browser",
  .serialized,
  .enabled(
    if: Browser.program != nil,
    "needs a Chromium: make test-browser, or SLUICE_BROWSER=/path/to/chromium swift test"
  ),
  .timeLimit(.minutes(5))
)
struct HistoryPageTests {
  /// Histories with few and with many points, from all sources, with gaps and changes.
  private static let history = History(
    lines: [1, 2, 12, 50].map { count in
      var line = SampleHistory.line(
        (0..<count).map { number in
          var measurement = SampleHistory.measurement(
            number * 3_600,
            number % 3 == 0
              ? .baseline(commit: "4f2a91c07be34d5a")
              : .run(log: ProjectPath("reports/runs/a.jsonl"), isLive: number % 3 == 1),
            prompt: ("v\(number / 5)", "p\(number / 2)"),
            models: ["m-\(number / 7)"],
            passed: 70 + number % 7 * 3,
            repetitions: 1 + number / 20
          )
          if number % 11 == 10 { measurement.estimates[0] = Estimate(unknown: "nobody answered") }
          return measurement
        }
      )
      line.suite = "suite-\(count)"
      return line
    }
  )

  /// Thirteen suites, as in a real project.
  private static let project = History(
    lines: (0..<13).map { number in
      var line = history.lines[number % 4]
      line.suite = "suite-of-a-feature-\(number)"
      return line
    }
  )

  private func withPage(_ history: History = history, _ body: (Browser) throws -> Void) throws {
    let browser = try Browser()
    defer { browser.close() }
    try browser.resize(1_280, 900)
    let page = FileSink.bytes { (sink) throws(FileError) in
      try HTMLHistory(history).write(to: &sink)
    }
    try browser.open([page])
    try body(browser)
    #expect(browser.complaints == [])
    #expect(browser.requests == [])
  }

  @Test("Every text has enough contrast with its background", arguments: ["light", "dark"])
  func contrast(scheme: String) throws {
    try withPage { browser throws in
      try browser.prefer(["prefers-color-scheme": scheme])
      try browser.unfold()
      #expect(try browser.value(PageScripts.faint) == [])
    }
  }

  @Test(
    "Nothing is wider than the window",
    arguments: [320, 390, 768, 1_920]
  )
  func widths(width: Int) throws {
    try withPage { browser throws in
      try browser.resize(width, 800)
      try browser.unfold()
      #expect(try browser.value(PageScripts.overhang) == 0)
    }
  }

  @Test(
    "Names are not broken inside a word, and the label of an unknown value is not cut off",
    arguments: [390, 768, 1_280]
  )
  func names(width: Int) throws {
    let names = ["contradictions", "sentiment", "faq", "smart-reply-stream"]
    let lines = names.map { name -> History.Line in
      var line = SampleHistory.line(
        (0..<3).map { number in
          var measurement = SampleHistory.measurement(number * 3_600)
          if number == 2 { measurement.estimates[0] = Estimate(unknown: "nobody answered") }
          return measurement
        }
      )
      line.suite = name
      return line
    }
    try withPage(History(lines: lines)) { browser throws in
      try browser.resize(width, 844)
      #expect(try browser.value(PageScripts.brokenNames) == [])
      let cut = """
        [...document.querySelectorAll('.panel')].flatMap(panel => [...panel.querySelectorAll('svg text')]
          .filter(text => text.getBoundingClientRect().right > panel.getBoundingClientRect().right + 6)
          .map(text => text.textContent))
        """
      #expect(try browser.value(cut) == [])
    }
  }

  @Test("Thirteen suites with their newest values fit on two screens")
  func twoScreens() throws {
    try withPage(Self.project) { browser throws in
      try browser.resize(1_280, 800)
      #expect(
        try browser.value(
          "document.documentElement.scrollHeight <= 1600 || document.documentElement.scrollHeight"
        )
          == true
      )
      #expect(try browser.value("document.querySelectorAll('svg.small-multiple').length") == 13)
      // A click unfolds a suite to the full width.
      #expect(
        try browser.value(
          """
          (() => { const panel = document.querySelector('.panel'); panel.querySelector('summary').click();
            return panel.open && panel.getBoundingClientRect().width > 1000; })()
          """
        ) == true
      )
      // The row above the open suite stays full.
      let open = "document.querySelectorAll('.panel')[2]"
      _ = try browser.value("document.querySelector('.panel').open = false; \(open).open = true")
      let above =
        "[...document.querySelectorAll('.panel')].filter(e => e.getBoundingClientRect().bottom <= "
        + "\(open).getBoundingClientRect().top).length"
      #expect(try browser.value(above) == 4)
    }
  }

  @Test("Thirteen suites need at most three screens of a phone")
  func phoneScreens() throws {
    try withPage(Self.project) { browser throws in
      try browser.resize(390, 844)
      let bottom = "[...document.querySelectorAll('.panel')].at(-1).getBoundingClientRect().bottom"
      #expect(try #require(try browser.value(bottom).number) <= 3 * 844)
    }
  }

  @Test("Texts in a chart do not overlap at any width", arguments: [320, 768, 1_280])
  func texts(width: Int) throws {
    try withPage { browser throws in
      try browser.resize(width, 800)
      #expect(try browser.value(PageScripts.touching("svg.small-multiple")) == [])
      try browser.unfold()
      #expect(
        try browser.value(PageScripts.touching("svg"))
          == []
      )
    }
  }

  @Test("All regions, charts and controls have roles and accessible names")
  func accessibility() throws {
    try withPage { browser throws in
      try browser.unfold()
      let tree = try browser.send("Accessibility.getFullAXTree")["nodes"]?.array ?? []
      let all = tree.filter { $0["ignored"] != true }.map {
        (role: $0["role"]?["value"]?.string ?? "", name: $0["name"]?["value"]?.string ?? "")
      }
      let named = [
        "button", "link", "image", "img", "region", "navigation", "heading", "columnheader",
      ]
      #expect(all.filter { named.contains($0.role) && $0.name.isEmpty }.map(\.role) == [])
      for landmark in ["banner", "navigation", "main"] {
        #expect(all.count { $0.role == landmark } == 1, "\(landmark)")
      }
      #expect(try browser.value("document.querySelectorAll('h1').length") == 1)
      #expect(
        all.contains {
          $0.role == "region"
            && $0.name == "Accuracy by suite; suites that need attention come first"
        }
      )
      let pictures = all.filter { ["image", "img"].contains($0.role) }.map(\.name)
        .filter { $0.hasPrefix("accuracy") }.sorted()
      #expect(
        pictures == [
          "accuracy, 1 point, 70.0%",
          "accuracy, 12 points, from 70.0% to 82.0%, lowest 70.0%, highest 88.0%, 1 unknown, "
            + "changes before 7 points",
          "accuracy, 2 points, from 70.0% to 73.0%",
          "accuracy, 50 points, from 70.0% to 70.0%, lowest 70.0%, highest 88.0%, 4 unknown, "
            + "changes before 32 points",
        ]
      )
    }
  }

  @Test("The first Tab stop skips to the figures")
  func skips() throws {
    try withPage { browser throws in
      try browser.press("Tab")
      #expect(try browser.text(PageScripts.focus) == "Skip to the figures")
      #expect(try browser.text("document.activeElement.getAttribute('href')") == "#suites")
    }
  }

  @Test("The theme follows the system until the reader chooses one, which is remembered")
  func theme() throws {
    try withPage { browser throws in
      let background = "getComputedStyle(document.body).backgroundColor"
      try browser.prefer(["prefers-color-scheme": "dark"])
      #expect(try browser.text(background) == "rgb(13, 17, 23)")
      try browser.value("document.querySelector('[data-set-theme=light]').click()")
      try browser.reload()
      #expect(try browser.text(background) == "rgb(255, 255, 255)")
    }
  }

  @Test("In print, everything is unfolded and controls are hidden")
  func prints() throws {
    try withPage { browser throws in
      try browser.value(
        """
        window.seen = -1;
        window.addEventListener('beforeprint', () => { window.seen = document.querySelectorAll('details:not([open])').length; })
        """
      )
      let pdf = try browser.send("Page.printToPDF")
      #expect((pdf["data"]?.string?.count ?? 0) > 10_000)
      #expect(try browser.value("window.seen") == 0)
      #expect(try browser.value("document.querySelectorAll('details[open]').length") == 0)
    }
  }

  @Test("Names are shown as text, and nothing in them runs or loads")
  func hostile() throws {
    let long = String(repeating: "long", count: 2_000)
    let texts = HostileText.all + [long]
    try withPage(History(lines: texts.map { SampleHistory.everywhere($0) })) { browser throws in
      try browser.resize(320, 800)
      try browser.unfold()
      #expect(
        try browser.value("document.querySelectorAll('main img, main iframe, main script').length")
          == 0
      )
      #expect(try browser.value(PageScripts.overhang) == 0)
    }
  }

  @Test("A page without points says so and reports no errors")
  func nothing() throws {
    try withPage(History(lines: [])) { browser throws in
      #expect(try browser.text("document.querySelector('main h2').textContent") == "Nothing yet")
    }
  }
}
