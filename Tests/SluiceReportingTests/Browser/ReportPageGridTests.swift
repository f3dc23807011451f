import Foundation
import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing
import TestSupport

/// Tests the answers and cases of a report in a real browser: columns, differences, marks, and many
/// cases.
@Suite(
  "The answer grid of the report in a browser",
  .serialized,
  .enabled(
    if: Browser.program != nil,
    "needs a Chromium: make test-browser, or SLUICE_BROWSER=/path/to/chromium swift test"
  ),
  .timeLimit(.minutes(5))
)
struct ReportPageGridTests {
  /// Four messages that two prompts classify.
  ///
  /// v1 sends the message; v2 adds an exclamation mark, so the server classifies the message as
  /// something other than a question.
  private static func result(where: String = "Where is it?") async throws -> RunResult {
    let project = RecordingProject()
    try project.edit(RecordingProject.casesPath, replacing: "Where is it?", with: `where`)
    let prompt = try project.text(of: RecordingProject.promptPath)
    try project.files.write(
      Array(prompt.replacingOccurrences(of: "{{message}}", with: "{{message}}!").utf8),
      to: ProjectPath("prompts/triage/v2.yaml")
    )
    try project.edit(
      RecordingProject.suitePath,
      replacing: "prompt: v1.yaml",
      with: "prompts: [v1.yaml, v2.yaml]"
    )
    _ = try await project.record()
    return RunResult(suites: [try project.replay().suites[0]])
  }

  private func withPage(
    _ result: RunResult,
    fragment: String = "",
    history: BaselineHistory = BaselineHistory(),
    _ body: (Browser) throws -> Void
  ) throws {
    let browser = try Browser()
    defer { browser.close() }
    try browser.resize(1_280, 900)
    let page = FileSink.bytes { (sink) throws(FileError) in
      try HTMLReport(result, history: history).write(to: &sink)
    }
    try browser.open([page], fragment: fragment)
    try body(browser)
    #expect(browser.complaints == [])
    #expect(browser.requests == [])
  }

  private func isOpen(_ browser: Browser) throws -> Bool {
    try browser.value("document.getElementById('case').open") == true
  }

  // MARK: Cells

  @Test("A row has the question, the expectation and an answer for each column")
  func rows() async throws {
    try withPage(try await Self.result()) { browser throws in
      let head = "[...document.querySelectorAll('#grid-head th')].map(e => e.textContent)"
      #expect(try browser.value(head) == ["Case", "Expected", "v1 on server", "v2 on server"])
      #expect(try browser.value(PageScripts.rows) == ["where", "send", "polite", "thanks"])
      let words = "\(PageScripts.cells(0)).map(t => t.replace(/\\d+ ms/, ''))"
      #expect(
        try browser.value(words) == [
          "whereWhere is it?", "question", "✓ passedkind: question",
          "✗failed≠ differs from v1 on server expected question, got otherkind: other",
        ]
      )
      // Reasons and ids wrap and are not cut off, in wide windows and on a phone.
      for width in [1_280, 390] {
        try browser.resize(width, 844)
        let cut =
          "[...document.querySelectorAll('#rows .cell-head')].filter(e => e.scrollHeight > e.clientHeight)"
          + ".map(e => e.textContent)"
        #expect(try browser.value(cut) == [])
      }
    }
  }

  @Test(
    "Words that differ from the first column are highlighted unless that is turned off"
  )
  func columnDifferences() async throws {
    try withPage(try await Self.result()) { browser throws in
      #expect(try browser.value(PageScripts.marked(0)) == [[], ["other"]])
      #expect(try browser.value(PageScripts.marked(3)) == [[], []])
      #expect(
        try browser.value(
          "document.querySelectorAll('#row-list tr.row')[3].querySelector('.compared').textContent"
        ) == "= the same as v1 on server"
      )
      try browser.value(
        "(s => { s.value = 'off'; s.dispatchEvent(new Event('change')); })(document.getElementById('highlight'))"
      )
      #expect(try browser.value(PageScripts.marked(0)) == [[], []])
      #expect(
        try browser.value(PageScripts.chips("Answer")) == ["All4 on", "columns differ3"]
      )
    }
  }

  @Test("Words that differ from the baseline are highlighted in the grid and in the case")
  func baselineDifferences() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let draft = try #require(
      try BaselineAcceptance(try project.suite(), surroundings: project.surroundings)
        .drafts(try project.replay().suites[0]).first
    )
    try project.files.write(draft.bytes, to: draft.path)
    let prompt = try project.text(of: RecordingProject.promptPath)
    try project.files.write(
      Array(prompt.replacingOccurrences(of: "{{message}}", with: "{{message}}!").utf8),
      to: ProjectPath(RecordingProject.promptPath)
    )
    _ = try await project.record()
    try withPage(RunResult(suites: [try project.replay().suites[0]])) { browser throws in
      #expect(try browser.value(PageScripts.rows) == ["where", "send", "polite", "thanks"])
      #expect(try browser.value(PageScripts.marked(0)) == [["other"]])
      #expect(
        try browser.value(PageScripts.chips("Answer"))
          == ["All4 on", "differs from the baseline3"]
      )
      try browser.value("document.querySelector('#row-list .c-answer a').click()")
      #expect(
        try browser.value(
          "[...document.querySelectorAll('.sides del, .sides ins')].map(e => e.textContent)"
        ) == ["question", "other"]
      )
    }
  }

  @Test("Search covers question, expectation, answer and id, but not the system message")
  func search() async throws {
    try withPage(try await Self.result()) { browser throws in
      func found(_ words: String) throws -> JSONValue {
        try browser.value(
          "(s => { s.value = '\(words)'; s.dispatchEvent(new Event('input')); })(document.getElementById('search'))"
        )
        try browser.settle()
        return try browser.value(PageScripts.rows)
      }
      #expect(try found("could") == ["polite"])
      #expect(try found("REQUEST") == ["send", "polite"])
      #expect(try found("thanks") == ["thanks"])
      #expect(try found("question") == ["where", "polite"])
      // "Say what kind of message it is." is sent with every case.
      #expect(try found("what kind") == [])
    }
  }

  @Test("If a cell is too short to show a hit, it shows the part of the text with the hit")
  func hiddenHit() async throws {
    let message = String(repeating: "lost and found ", count: 10) + "under the needle, where is it?"
    try withPage(try await Self.result(where: message)) { browser throws in
      let cell = "document.querySelector('#row-list .c-case .cell-text').textContent"
      #expect(try browser.text(cell).hasPrefix("lost and found lost"))
      _ = try browser.value(
        "(s => { s.value = 'needle'; s.dispatchEvent(new Event('input')); })(document.getElementById('search'))"
      )
      try browser.settle()
      #expect(
        try browser.text(cell)
          == "message: … found under the needle, where is it?"
      )
    }
  }

  @Test("Arrow keys move between cells, and Enter opens the case in the cell's column")
  func keyboard() async throws {
    try withPage(try await Self.result()) { browser throws in
      let cell =
        "document.activeElement.closest('td, th').cellIndex + ' ' + document.activeElement.closest('tr').dataset.place"
      try browser.press("/")
      #expect(try browser.text(PageScripts.focus) == "search")
      try browser.press("ArrowDown")
      #expect(try browser.text(cell) == "0 0")
      for key in ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"] {
        try browser.press(key)
      }
      #expect(try browser.text(cell) == "3 1")
      try browser.press("Enter")
      #expect(try isOpen(browser))
      #expect(try browser.text(PageScripts.title) == "send")
      let column = "document.querySelector('[aria-label=Columns] [aria-pressed=true]').textContent"
      #expect(try browser.text(column) == "✗ failed: v2 on server")
      #expect(try browser.text("location.hash") == "#case=triage/v2/server/send/1")
      try browser.press("1")
      #expect(try browser.text(column) == "✓ passed: v1 on server")
      try browser.press("j")
      #expect(try browser.text(PageScripts.title) == "polite")
      try browser.press("Escape")
      #expect(try browser.text(cell) == "2 2")
      try browser.press("?")
      #expect(try browser.value("document.getElementById('keys').open") == true)
      try browser.press("Escape")
      #expect(try browser.value("document.getElementById('keys').open") == false)
      // Only one cell is a Tab stop.
      #expect(
        try browser.value("document.querySelectorAll('#row-list [tabindex=\"0\"]').length") == 1
      )
    }
  }

  // MARK: The case

  @Test("An open case shows question, expectation, answer and scores, and folds the request")
  func caseView() async throws {
    try withPage(
      try await Self.result(),
      fragment: "#case=triage/v2/server/where/1"
    ) { browser throws in
      let parts = "[...document.querySelectorAll('#case h3')].map(e => e.textContent)"
      #expect(try browser.value(parts) == ["Question", "Expected", "Answer", "Scores"])
      let text = try browser.text(PageScripts.caseText)
      for part in [
        "Where is it?", "datasets/triage/cases.yaml:1", "expected question, got other",
        "Real failure", "Against v1 on server",
      ] {
        #expect(text.contains(part), "\(part)")
      }
      #expect(
        try browser.text("document.querySelector('#case pre.json').textContent")
          == "{\n  \"kind\": \"other\"\n}"
      )
      #expect(!text.contains("Say what kind of message it is."))
      try browser.unfold()
      let sent = try browser.text(PageScripts.caseText)
      #expect(sent.contains("Say what kind of message it is."))
      #expect(sent.contains("Where is it?!"))
      // The difference from the other column is computed when it is unfolded.
      #expect(
        try browser.value(
          "[...document.querySelectorAll('.sides del, .sides ins')].map(e => e.textContent)"
        ) == ["question", "other"]
      )
    }
  }

  @Test("An open case lists its committed baselines, and a missing answer is shown as lost")
  func past() async throws {
    var result = try await Self.result()
    let place = try #require(result.suites[0].columns[0].trials.firstIndex { $0.caseID == "where" })
    let shown = result.suites[0].columns[1].trials[place]
    result.suites[0].columns[0].trials[place] = .fixture(
      "where",
      .lost(.stated("the server did not answer"))
    )
    result.suites[0].columns[0].trials[place].output = nil
    func version(_ day: Int, _ outcome: String, _ answer: String) throws -> BaselineVersion {
      let text = """
        {"schema":1,"kind":"baseline","suite":"triage","prompts":[{"name":"v\(day)"}],"backends":["server"]}
        {"case":"where","case-digest":"\(shown.caseDigest)","outcome":"\(outcome)","response-digest":"\(answer)"}

        """
      return try #require(
        BaselineVersion(
          Array(text.utf8),
          commit: "\(day)23456789",
          date: Timestamp(seconds: 86_400 * day),
          isCurrent: day == 2
        )
      )
    }
    let digest = try #require(shown.output?.digest)
    let history = BaselineHistory([
      Baseline.path(suite: "triage", backend: "server"): [
        try version(1, "passed", "another"), try version(2, "failed", digest),
      ]
    ])
    try withPage(result, fragment: "#case=triage/v2/server/where/1", history: history) {
      browser throws in
      let rows =
        "[...document.querySelectorAll('.past li')].map(e => e.innerText.replaceAll('\\n', ' '))"
      #expect(
        try browser.value(rows) == [
          "1970-01-02 ✓ passed 1234567 v1 another answer",
          "1970-01-03 ✗ failed 2234567 v2 same answer as now, today's baseline",
        ]
      )
      try browser.unfold()
      let text = try browser.text(PageScripts.caseText)
      #expect(text.contains("the server did not answer"))
      #expect(!text.contains("(an empty text)"))
      try browser.resize(390, 844)
      #expect(try browser.value(PageScripts.overhang) == 0)
    }
  }

  // MARK: Marks

  @Test("Keys mark who is at fault; marks are shown, counted, remembered and removable")
  func marks() async throws {
    try withPage(try await Self.result()) { browser throws in
      let badges = "[...document.querySelectorAll('.badge.marked')].map(e => e.textContent)"
      let chips = PageScripts.chips("Mark")
      #expect(try browser.value(chips) == [])
      try browser.value("document.querySelector('#row-list .c-answer:nth-child(4) a').click()")
      try browser.press("l")
      let pressed =
        "[...document.querySelectorAll('.mark[aria-pressed=true]')].map(e => e.dataset.mark)"
      #expect(try browser.value(pressed) == ["label"])
      #expect(
        try browser.text("document.getElementById('note-text').textContent")
          == "where: label's fault."
      )
      try browser.press("Escape")
      #expect(try browser.value(badges) == ["Label's fault"])
      #expect(
        try browser.value(chips) == [
          "All4 on", "Real failure0", "Scorer's fault0", "Label's fault1", "not marked2",
        ]
      )
      try browser.press("ArrowDown")
      try browser.press("s")
      #expect(try browser.value(badges) == ["Label's fault", "Scorer's fault"])
      try browser.value(PageScripts.press(chip: "Label's fault", in: "Mark"))
      #expect(try browser.value(PageScripts.rows) == ["where"])
      try browser.reload()
      #expect(try browser.text("document.getElementById('labels-count').textContent") == "2 marks")
      #expect(try browser.value(PageScripts.rows) == ["where"])
      // Pressing the same key again removes the mark.
      try browser.value("document.querySelector('#row-list .c-answer:nth-child(4) a').click()")
      try browser.press("l")
      #expect(try browser.value(pressed) == [])
      #expect(try browser.text("document.getElementById('labels-count').textContent") == "1 mark")
    }
  }

  @Test("Marks are saved as a file of outputs that the page and a suite can read")
  func labelsFile() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "sluice-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try await Self.result()
    var text = ""
    try withPage(result) { browser throws in
      try browser.send(
        "Page.setDownloadBehavior",
        ["behavior": "allow", "downloadPath": .string(folder.path)]
      )
      try browser.value("document.querySelector('#row-list .c-answer:nth-child(4) a').focus()")
      try browser.press("r")
      try browser.press("ArrowDown")
      try browser.press("s")
      try browser.value("document.querySelector('[data-save]').click()")
      let file = folder.appending(path: "labels-triage-server.jsonl")
      for _ in 0..<500 where text.isEmpty {
        text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        try browser.settle()
      }
      #expect(
        text == """
          {"id":"where","prompt":"v2","text":"real"}
          {"id":"send","prompt":"v2","text":"scorer"}

          """
      )
      // Without marks in the browser, loading the file restores them.
      try browser.value("localStorage.clear()")
      try browser.reload()
      #expect(try browser.text("document.getElementById('labels-count').textContent") == "Marks")
      try browser.value("document.querySelector('[data-load]').click()")
      try browser.send("DOM.enable")
      let root = try browser.send("DOM.getDocument")["root"]?["nodeId"] ?? .null
      let picker = try browser.send(
        "DOM.querySelector",
        ["nodeId": root, "selector": "#labels-file"]
      )["nodeId"]
      try browser.send(
        "DOM.setFileInputFiles",
        ["files": [.string(file.path)], "nodeId": picker ?? .null]
      )
      try browser.wait(
        until: "document.getElementById('labels-count').textContent === '2 marks'"
      )
    }
    // A person is a backend that answers from a file.
    let project = OutputsProject()
    try project.files.write(
      Array(text.utf8) + Array("{\"id\": \"thanks\", \"text\": \"label\"}\n".utf8),
      to: ProjectPath(OutputsProject.outputsPath)
    )
    let loaded = ProjectLoader.load(from: project.files)
    #expect(loaded.diagnostics.map(\.description) == [])
  }

  // MARK: Many

  /// Ten thousand cases in four columns, some with different answers.
  private static func many() -> RunResult {
    var result = RunResult.everywhere("inbox")
    let column = result.suites[0].columns[0]
    let kinds = ["fan", "business", "spam", "urgent"]
    result.suites[0].repetitions = 1
    result.suites[0].columns = (0..<4).map { number in
      var own = column
      own.prompt = "v\(number + 1)"
      own.trials = (0..<10_000).map { index in
        let kind = kinds[(index + (index % 17 == number ? 1 : 0)) % 4]
        var trial = Trial.fixture("inbox", index % 17 == number ? .failed : .passed)
        trial.caseID = "case-\(index)"
        trial.tags = [["short", "long", "typos"][index % 3]]
        trial.output?.excerpt =
          "{\"category\": \"\(kind)\", \"confidence\": 0.\(index % 90 + 10), \"reason\": \"The "
          + "sender of message \(index) expresses what \(kind) messages express.\"}"
        return trial
      }
      return own
    }
    return result
  }

  @Test("10,000 cases in 4 columns load within a second, and a search key takes under 50 ms")
  func quick() throws {
    try withPage(Self.many()) { browser throws in
      #expect(try browser.text(PageScripts.shown) == "10,000 cases")
      // The limits are about the page. Other tests may keep the machine busy, so the best of
      // several attempts counts for each key.
      var load = Double.infinity
      var keys = [Double](repeating: .infinity, count: 10)
      for attempt in 1...8 where load >= 1_000 || keys.contains(where: { $0 >= 50 }) {
        if attempt > 1 { try browser.reload() }
        let loaded = try browser.value(
          "performance.getEntriesByType('navigation')[0].loadEventEnd"
        )
        load = min(load, loaded.number ?? .infinity)
        try browser.value("new Promise(done => setTimeout(done, 500))")
        let times = (try browser.value(Self.typing).array ?? []).compactMap(\.number)
        #expect(times.count == keys.count)
        keys = zip(keys, times).map(min)
      }
      #expect(load < 1_000)
      // Five times the limit is too slow on any machine. In between, a busy machine may be the
      // cause, so a miss is only a known issue.
      #expect(keys.allSatisfy { $0 < 250 }, "\(keys)")
      withKnownIssue("a key took 50 ms or more; run this test alone", isIntermittent: true) {
        #expect(keys.allSatisfy { $0 < 50 }, "\(keys)")
      }
    }
  }

  /// The milliseconds of ten key presses in the search, from the frame that handles the key to the
  /// end of its layout.
  private static let typing = """
    (async () => {
      const search = document.getElementById('search'), times = [];
      for (const text of ['s', 'sp', 'spa', 'spam', 'spam 9', 'spam 99', '', 'c', 'case-12', 'urgent']) {
        times.push(await new Promise(done => {
          let start = 0;
          requestAnimationFrame(() => { start = performance.now(); });
          search.value = text;
          search.dispatchEvent(new Event('input'));
          requestAnimationFrame(() => { document.body.offsetHeight; done(performance.now() - start); });
        }));
        await new Promise(done => setTimeout(done, 30));
      }
      return times;
    })()
    """
}
