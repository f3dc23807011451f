import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing
import TestSupport

/// Tests the report page in a real browser, as `make test-browser` does.
@Suite(
  "The report page in a browser",
  .serialized,
  .enabled(
    if: Browser.program != nil,
    "needs a Chromium: make test-browser, or SLUICE_BROWSER=/path/to/chromium swift test"
  ),
  .timeLimit(.minutes(5))
)
struct ReportPageTests {
  /// Returns a result with a suite whose cases differ in outcome, tag and class.
  private static func result(count: Int = 60) -> RunResult {
    var result = RunResult.everywhere("inbox")
    result.suites[0].repetitions = 1
    result.suites[0].columns[0].trials = (0..<count).map { index in
      var trial = Trial.fixture("inbox", index % 5 == 0 ? .failed : .passed)
      trial.caseID = "case-\(index)"
      trial.tags = index % 3 == 0 ? ["short", "typos"] : index % 3 == 1 ? ["long"] : []
      trial.split = index % 2 == 0 ? "held-out" : nil
      trial.output?.excerpt = index == 7 ? "A needle in this answer." : "An answer."
      trial.scores[0].score.explanation =
        index % 5 == 0 ? "expected fan, got spam" : "fan as expected"
      return trial
    }
    return result
  }

  private static func pages(_ result: RunResult) -> [[UInt8]] {
    let report = HTMLReport(result)
    return (0..<report.pageCount).map { page in
      FileSink.bytes { (sink) throws(FileError) in try report.write(page: page, to: &sink) }
    }
  }

  private func withPage(
    _ result: RunResult = result(),
    fragment: String = "",
    _ body: (Browser) throws -> Void
  ) throws {
    try withPages(Self.pages(result), fragment: fragment, body)
  }

  private func withPages(
    _ pages: [[UInt8]],
    fragment: String = "",
    _ body: (Browser) throws -> Void
  ) throws {
    let browser = try Browser()
    defer { browser.close() }
    try browser.resize(1_280, 900)
    try browser.open(pages, fragment: fragment)
    try body(browser)
    #expect(browser.complaints == [])
    #expect(browser.requests == [])
  }

  // MARK: Finding cases

  @Test("Chips of one group widen the selection; other groups and the search narrow it")
  func filters() throws {
    try withPage { browser throws in
      #expect(try browser.text(PageScripts.shown) == "60 cases")
      #expect(
        try browser.value(PageScripts.chips("Outcome"))
          == ["All60 on", "passed48", "failed12"]
      )
      try browser.value(PageScripts.press(chip: "failed", in: "Outcome"))
      #expect(try browser.text(PageScripts.shown) == "12 of 60 cases")
      // The counts of a group ignore the group's own selection.
      #expect(
        try browser.value(PageScripts.chips("Outcome")) == ["All60", "passed48", "failed12 on"]
      )
      #expect(
        try browser.value(PageScripts.chips("Tag")) == ["All12 on", "long4", "short4", "typos4"]
      )
      try browser.value(PageScripts.press(chip: "short", in: "Tag"))
      #expect(try browser.text(PageScripts.shown) == "4 of 60 cases")
      try browser.value(PageScripts.press(chip: "long", in: "Tag"))
      #expect(try browser.text(PageScripts.shown) == "8 of 60 cases")
      try browser.value("document.getElementById('search').focus()")
      try browser.type("CASE-10 answer")
      #expect(try browser.text(PageScripts.shown) == "1 of 60 cases")
      #expect(try browser.value(PageScripts.rows) == ["case-10"])
      try browser.type(" needle")
      #expect(try browser.text(PageScripts.shown) == "0 of 60 cases")
      #expect(
        try browser.text("document.getElementById('none-text').textContent")
          == "No case matches all that is chosen and typed."
      )
      try browser.value("document.getElementById('clear').click()")
      #expect(try browser.text(PageScripts.shown) == "60 cases")
    }
  }

  @Test(
    "A cell has the verdict with its reason and the answer, and is below the case on a phone"
  )
  func cells() throws {
    try withPage { browser throws in
      #expect(
        try browser.value(PageScripts.cells(0)) == [
          "case-0", "✗failed251 ms expected fan, got spamAn answer.",
        ]
      )
      let height = "String([...document.querySelectorAll('tr.row')].map(r => r.offsetHeight).every("
      #expect(try browser.text(height + "h => h === 76))") == "true")
      for width in [320, 390] {
        try browser.resize(width, 800)
        let tops =
          "[...document.querySelector('tr.row').children].map(c => c.getBoundingClientRect().top)"
        #expect(try browser.value("(t => t[0] < t[1])(\(tops))") == true)
        // The script relies on rows of equal height.
        #expect(try browser.text(height + "h => h === 128))") == "true")
      }
    }
  }

  @Test("A command can be copied with a button, or is selected if copying is not possible")
  func copiesCommand() throws {
    var result = Self.result()
    result.suites[0].columns[0].trials[0].outcome =
      .lost(.noRecording(RecordingMiss(reason: .newCase)))
    try withPage(result) { browser throws in
      #expect(try browser.text("String(document.querySelector('[data-copy]').hidden)") == "false")
      try browser.value("document.querySelector('[data-copy]').click()")
      try browser.value("new Promise(done => setTimeout(done, 200))")
      let status = try browser.text("document.querySelector('.command [role=status]').textContent")
      #expect(
        ["It is in the clipboard.", "This browser does not let pages copy; it is selected."]
          .contains(status)
      )
    }
  }

  @Test("A case without tags is listed only under All, and the search covers answers")
  func withoutTag() throws {
    try withPage { browser throws in
      try browser.value("document.getElementById('search').focus()")
      try browser.type("needle")
      #expect(try browser.value(PageScripts.rows) == ["case-7"])
      try browser.value("document.getElementById('clear').click()")
      #expect(
        try browser.value(PageScripts.chips("Tag")) == ["All60 on", "long20", "short20", "typos20"]
      )
    }
  }

  @Test("For two prompts, the chips say which one passes a case")
  func sides() throws {
    var comparison = ConfigurationComparison.everywhere("inbox")
    comparison.pairs[0].comparison.changedCases = []
    comparison.pairs[0].comparison.addedCases = []
    comparison.pairs[0].comparison.flips = [.init(caseID: "inbox", flip: .harmful)]
    let result = SluiceReporting.ComparisonResult([comparison])
    let page = FileSink.bytes { (sink) throws(FileError) in
      try HTMLComparison(result).write(to: &sink)
    }
    try withPages([page]) { browser throws in
      let chips = try browser.value(PageScripts.chips("Change")).array?.compactMap(\.string) ?? []
      #expect(chips.contains { $0.hasPrefix("fails, A passes") }, "\(chips)")
      #expect(!chips.contains { $0.contains("now") }, "\(chips)")
    }
  }

  @Test("A comparison names the column that the filters look at, and fades the others")
  func lookedAt() throws {
    var comparison = ConfigurationComparison.everywhere("inbox")
    comparison.configurations[1].name = "another"
    let result = SluiceReporting.ComparisonResult([comparison])
    let page = FileSink.bytes { (sink) throws(FileError) in
      try HTMLComparison(result).write(to: &sink)
    }
    try withPages([page]) { browser throws in
      let legends = "[...document.querySelectorAll('legend')].map(e => e.textContent)[0]"
      #expect(try browser.text(legends) == "Outcome of any")
      try browser.value(PageScripts.press(chip: "another", in: "Look at"))
      #expect(try browser.text(legends) == "Outcome of another")
      let faint = "[...document.querySelectorAll('#grid-head .aside')].map(e => e.textContent)"
      #expect(try browser.value(faint) == ["inbox"])
      #expect(try browser.value(PageScripts.faint) == [])
    }
  }

  @Test("Cases are sorted as chosen, by default with failures first")
  func sorts() throws {
    try withPage { browser throws in
      let first = "\(PageScripts.rows)[1]"
      let choose = { (order: String) in
        "(s => { s.value = '\(order)'; s.dispatchEvent(new Event('change')); })(document.getElementById('sort'))"
      }
      #expect(try browser.text(first) == "case-5")
      try browser.value(choose("suite"))
      #expect(try browser.text(first) == "case-1")
      try browser.value(choose("case"))
      #expect(
        try browser.value("\(PageScripts.rows).slice(0, 3)") == ["case-0", "case-1", "case-10"]
      )
      #expect(try browser.text("location.hash") == "#sort=case")
      // Unknown values are not offered as a sort order.
      #expect(
        try browser.value("[...document.getElementById('sort').options].map(o => o.value)")
          == ["", "suite", "case", "latency"]
      )
    }
  }

  // MARK: Keyboard

  @Test("Everything works by keyboard: search, select, open, go to the next case, and close")
  func keyboard() throws {
    try withPage { browser throws in
      try browser.press("/")
      #expect(try browser.text(PageScripts.focus) == "search")
      try browser.press("ArrowDown")
      #expect(try browser.text(PageScripts.focus) == "case-0")
      try browser.press("ArrowDown")
      try browser.press("ArrowDown")
      // Failed cases come first.
      #expect(try browser.text(PageScripts.focus) == "case-10")
      try browser.press("End")
      #expect(try browser.text(PageScripts.focus) == "case-59")
      try browser.press("Home")
      try browser.press("Enter")
      #expect(try browser.text("document.getElementById('case').open ? 'open' : ''") == "open")
      #expect(try browser.text(PageScripts.focus) == "case-title")
      #expect(try browser.text(PageScripts.title) == "case-0")
      try browser.press("ArrowRight")
      #expect(try browser.text(PageScripts.title) == "case-5")
      try browser.press("Escape")
      #expect(try browser.value("document.getElementById('case').open") == false)
      #expect(try browser.text(PageScripts.focus) == "case-5")
    }
  }

  @Test("The first Tab stop skips to the cases")
  func skips() throws {
    try withPage { browser throws in
      try browser.press("Tab")
      #expect(try browser.text(PageScripts.focus) == "Skip to the cases")
      let order = try (0..<5).map { _ in
        try browser.press("Tab")
        return try browser.text(PageScripts.focus)
      }
      #expect(order == ["System", "Light", "Dark", "Search", "Gates and goals"])
    }
  }

  @Test("The link to the search shows the field and puts the cursor into it")
  func searchLink() throws {
    try withPage { browser throws in
      _ = try browser.value("document.querySelector('#find a').click()")
      #expect(try browser.text("document.activeElement.id") == "search")
      #expect(
        try browser.value(
          "(box => box.top >= 0 && box.bottom <= innerHeight)"
            + "(document.getElementById('search').getBoundingClientRect())"
        ) == true
      )
    }
  }

  // MARK: Links

  @Test("A link opens a case and restores the filters")
  func deepLink() throws {
    try withPage(fragment: "#outcome=failed&tag=short&case=inbox/inbox/inbox/case-15/1") {
      browser throws in
      #expect(try browser.text(PageScripts.title) == "case-15")
      #expect(try browser.text("document.getElementById('case-place').textContent") == "2 of 4")
      #expect(try browser.text(PageScripts.shown) == "4 of 60 cases")
      try browser.press("ArrowRight")
      #expect(
        try browser.text("location.hash")
          == "#outcome=failed&tag=short&case=inbox/inbox/inbox/case-30/1"
      )
    }
  }

  @Test("A link to an unknown case says so and offers to show all cases")
  func deadLink() throws {
    try withPage(fragment: "#outcome=failed&case=inbox/inbox/inbox/gone/1") { browser throws in
      #expect(
        try browser.text("document.getElementById('dead-text').textContent")
          == "This report does not have the case 'gone' of the suite 'inbox' that the link leads to. "
          + "It may have been renamed or removed, or the link is to a report of another run."
      )
      #expect(try browser.value("document.getElementById('dead-link').hidden") == false)
      #expect(try browser.text(PageScripts.focus) == "all-cases")
      #expect(try browser.text(PageScripts.shown) == "12 of 60 cases")
      try browser.press("Enter")
      #expect(try browser.value("document.getElementById('dead-link').hidden") == true)
      #expect(try browser.text(PageScripts.shown) == "60 cases")
    }
  }

  @Test("Links in the summary open their cases")
  func summaryLinks() throws {
    var result = Self.result()
    result.suites[0].columns[0].comparison = RunComparison(
      reference: "the baseline (v1)",
      isIdentical: false,
      changedCases: [],
      addedCases: [],
      removedCases: [],
      reslicedCases: [],
      changedScorers: [],
      flips: [.init(caseID: "case-5", flip: .harmful)],
      changes: [],
      slices: []
    )
    try withPage(result) { browser throws in
      try browser.value("document.querySelector('.flips a').click()")
      #expect(try browser.text(PageScripts.title) == "case-5")
      #expect(
        try browser.text("document.querySelector('.case-verdict').textContent").hasPrefix(
          "✗ failednewly failing"
        )
      )
    }
  }

  // MARK: Hiding

  @Test("Undo shows a hidden case again, and a button shows all of them")
  func undo() throws {
    try withPage { browser throws in
      let hide =
        "document.querySelector('#row-list a').click(); document.getElementById('hide').click()"
      try browser.value(hide)
      #expect(try browser.text(PageScripts.shown) == "59 of 60 cases")
      #expect(
        try browser.text("document.getElementById('note-text').textContent") == "case-0 is hidden."
      )
      try browser.value("document.getElementById('undo').click()")
      try browser.settle()
      #expect(try browser.text(PageScripts.shown) == "60 cases")
      #expect(try browser.text(PageScripts.focus) == "case-0")
      try browser.value(hide)
      try browser.value(hide)
      #expect(
        try browser.text("document.getElementById('show-hidden').textContent")
          == "Show 2 hidden cases"
      )
      try browser.value("document.getElementById('show-hidden').click()")
      #expect(try browser.text(PageScripts.shown) == "60 cases")
    }
  }

  // MARK: Looks

  @Test("The theme follows the system until the reader chooses one, which is remembered")
  func theme() throws {
    try withPage { browser throws in
      let background = "getComputedStyle(document.body).backgroundColor"
      try browser.prefer(["prefers-color-scheme": "dark"])
      #expect(try browser.text(background) == "rgb(13, 17, 23)")
      try browser.value("document.querySelector('[data-set-theme=light]').click()")
      #expect(try browser.text(background) == "rgb(255, 255, 255)")
      try browser.reload()
      #expect(try browser.text(background) == "rgb(255, 255, 255)")
      #expect(
        try browser.text(
          "document.querySelector('[data-set-theme=light]').getAttribute('aria-pressed')"
        )
          == "true"
      )
      try browser.value("document.querySelector('[data-set-theme=system]').click()")
      #expect(try browser.text(background) == "rgb(13, 17, 23)")
    }
  }

  @Test("Every text has enough contrast with its background", arguments: ["light", "dark"])
  func contrast(scheme: String) throws {
    try withPage { browser throws in
      try browser.prefer(["prefers-color-scheme": scheme])
      try browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
      try browser.value(PageScripts.press(chip: "failed", in: "Outcome"))
      try browser.settle()
      #expect(try browser.value(PageScripts.faint) == [])
      try browser.value("document.querySelector('#row-list a').click()")
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
      try browser.value("document.querySelector('#row-list a').click()")
      let dialog =
        "document.getElementById('case').scrollWidth - document.getElementById('case').clientWidth"
      #expect(try browser.value(dialog) == 0)
    }
  }

  @Test("If the system prefers reduced motion, scrolling is not animated")
  func motion() throws {
    try withPage { browser throws in
      let behavior = "getComputedStyle(document.documentElement).scrollBehavior"
      #expect(try browser.text(behavior) == "smooth")
      try browser.prefer(["prefers-reduced-motion": "reduce"])
      #expect(try browser.text(behavior) == "auto")
    }
  }

  @Test("In print, everything is unfolded and controls are hidden")
  func prints() throws {
    try withPage { browser throws in
      try browser.value(
        """
        window.seen = [];
        window.addEventListener('beforeprint', () => { window.seen = [document.querySelectorAll('details:not([open])').length, document.querySelectorAll('#row-list tr.row').length]; })
        """
      )
      let pdf = try browser.send("Page.printToPDF")
      #expect((pdf["data"]?.string?.count ?? 0) > 10_000)
      #expect(try browser.value("window.seen") == [0, 60])
      #expect(
        try browser.value("document.querySelectorAll('details:not([open])').length > 0") == true
      )
      try browser.prefer([:], media: "print")
      #expect(
        try browser.text("getComputedStyle(document.querySelector('.tools')).display") == "none"
      )
      let buttons =
        "[...document.querySelectorAll('main button')].filter(e => !e.closest('th') && e.getClientRects().length)"
      #expect(try browser.value("\(buttons).length") == 0)
    }
  }

  // MARK: Assistive technology

  @Test("All regions and controls have roles and accessible names")
  func accessibility() throws {
    try withPage { browser throws in
      try browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
      func nodes() throws -> [(role: String, name: String)] {
        let tree = try browser.send("Accessibility.getFullAXTree")["nodes"]?.array ?? []
        return tree.filter { $0["ignored"] != true }.map {
          ($0["role"]?["value"]?.string ?? "", $0["name"]?["value"]?.string ?? "")
        }
      }
      let all = try nodes()
      let named = [
        "button", "link", "searchbox", "textbox", "image", "img", "dialog", "region", "navigation",
        "grid", "table", "heading", "columnheader", "rowheader", "combobox",
      ]
      // A table gets its name from its caption or its region. All other elements need a name.
      let nameless = all.filter { named.contains($0.role) && $0.role != "table" && $0.name.isEmpty }
      #expect(nameless.map(\.role) == [])
      for landmark in ["banner", "navigation", "main"] {
        #expect(all.count { $0.role == landmark } == 1, "\(landmark)")
      }
      #expect(try browser.value("document.querySelectorAll('h1').length") == 1)
      #expect(all.contains { $0.role == "region" && $0.name.hasPrefix("inbox: ") })
      #expect(all.contains { $0.role == "region" && $0.name == "Cases" })
      #expect(all.contains { $0.role == "searchbox" && $0.name.hasPrefix("Search") })
      #expect(try browser.text("document.documentElement.lang") == "en")
      try browser.value("document.querySelector('#row-list a').click()")
      #expect(try nodes().contains { $0.role == "dialog" && $0.name == "case-0" })
    }
  }

  // MARK: Hostile texts

  @Test("Texts of datasets, prompts and models are shown as text, and never run or load anything")
  func hostile() throws {
    var result = RunResult(suites: [])
    for text in HostileText.all + [String(repeating: "long ", count: 200_000)] {
      result.suites += RunResult.everywhere(text).suites
    }
    try withPage(result) { browser throws in
      let opened = try browser.value(
        """
        (async () => {
          let count = 0;
          document.querySelector('#row-list a').click();
          const next = document.getElementById('next');
          while (true) {
            count += 1;
            for (const details of document.querySelectorAll('#case details')) details.open = true;
            await new Promise(done => setTimeout(done));
            if (next.disabled) return count;
            next.click();
          }
        })()
        """
      )
      // One per suite, because the fixture's trials belong to one case.
      #expect(opened.integer == HostileText.all.count + 1)
      #expect(
        try browser.value(
          "document.querySelectorAll('main img, main iframe, dialog img, dialog script, main script').length"
        ) == 0
      )
    }
  }

  // MARK: Many

  @Test("Of ten thousand cases, only the visible ones are in the page")
  func many() throws {
    try withPage(Self.result(count: 10_000)) { browser throws in
      #expect(try browser.text(PageScripts.shown) == "10,000 cases")
      #expect(
        try browser.value("document.querySelectorAll('#row-list tr.row').length < 60") == true
      )
      try browser.value("document.querySelector('#row-list a').focus()")
      try browser.press("End")
      #expect(try browser.text(PageScripts.focus) == "case-9999")
      #expect(
        try browser.value("document.querySelectorAll('#row-list tr.row').length < 60") == true
      )
    }
  }

  @Test("Links between pages keep the filters, and a link to a case opens the page it is on")
  func pages() throws {
    let address = "#case=inbox/inbox/inbox/case-11999/1"
    try withPage(Self.result(count: 12_000), fragment: address) { browser throws in
      try browser.wait(until: "location.pathname.endsWith('/report-2.html')")
      try browser.wait(
        until: "document.getElementById('case-title').textContent === 'case-11999'"
      )
      #expect(try browser.text(PageScripts.shown) == "2,000 cases")
      #expect(try browser.value(PageScripts.chips("Outcome")) == [])
      #expect(
        try browser.text("document.querySelector('[aria-current=page]').textContent") == "2"
      )
      try browser.press("Escape")
      try browser.value(PageScripts.press(chip: "short", in: "Tag"))
      try browser.value("document.querySelector('.pages a').click()")
      try browser.wait(until: "location.pathname.endsWith('/report.html')")
      try browser.wait(until: "\(PageScripts.shown) === '3,333 of 10,000 cases'")
      #expect(try browser.text("location.hash") == "#tag=short")
      #expect(
        try browser.value(PageScripts.chips("Outcome")) == [
          "All3,333 on", "passed2,533", "failed800",
        ]
      )
    }
  }

  @Test("A link to a case of an earlier page opens that page with the filters")
  func passedOn() throws {
    try withPage(Self.result(count: 12_000)) { browser throws in
      let second = try browser.text("new URL('report-2.html', location.href).href")
      try browser.open(address: second + "#outcome=failed&case=inbox/inbox/inbox/case-10/1")
      try browser.wait(until: "location.pathname.endsWith('/report.html')")
      try browser.wait(until: "document.getElementById('case-title').textContent === 'case-10'")
      #expect(try browser.text(PageScripts.shown) == "2,400 of 10,000 cases")
      #expect(
        try browser.text("location.hash") == "#outcome=failed&case=inbox/inbox/inbox/case-10/1"
      )
    }
  }

  @Test("Filters stay selected on a page without matching cases")
  func nothingOfThat() throws {
    try withPage(Self.result(count: 12_000)) { browser throws in
      let second = try browser.text("new URL('report-2.html', location.href).href")
      try browser.open(address: second + "#outcome=failed")
      #expect(try browser.text(PageScripts.shown) == "0 of 2,000 cases")
      #expect(
        try browser.value(PageScripts.chips("Outcome")) == [
          "All2,000", "passed2,000", "failed0 on",
        ]
      )
    }
  }

  @Test("A link to a case that no page has ends on the last page with a message")
  func noPage() throws {
    let address = "#case=inbox/inbox/inbox/nobody/1"
    try withPage(Self.result(count: 12_000), fragment: address) { browser throws in
      try browser.wait(until: "location.pathname.endsWith('/report-2.html')")
      try browser.wait(until: "!document.getElementById('dead-link').hidden")
    }
  }
}
