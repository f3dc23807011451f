@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

/// Tests the page of a comparison in a real browser, as `make test-browser` does.
@Suite(
  "The comparison page in a browser",
  .serialized,
  .enabled(
    if: Browser.program != nil,
    "needs a Chromium: make test-browser, or SLUICE_BROWSER=/path/to/chromium swift test"
  ),
  .timeLimit(.minutes(5))
)
struct ComparisonPageTests {
  private static let two = ConfigurationComparison.tradeoff([
    ("small", 160, 0.0001, 300), ("large", 192, 0.00166, 320),
  ])
  private static let many = ConfigurationComparison.tradeoff([
    ("small-2026-01-31", 150, 0.0001, 300), ("small-fast", 152, 0.0001, 300),
    ("middle", 178, 0.0009, 310), ("middle-long-name-of-a-preview", 178, 0.00092, 310),
    ("large", 192, 0.0040, 320), ("largest", 193, 0.0081, 330),
  ])
  /// Configurations with unknown costs and different tokenizers.
  private static let unpriced = ConfigurationComparison.tradeoff([
    ("one", 160, nil, 300), ("another", 192, nil, 320),
  ])

  private func withPage(
    _ comparisons: [ConfigurationComparison],
    _ body: (Browser) throws -> Void
  ) throws {
    let browser = try Browser()
    defer { browser.close() }
    try browser.resize(1_280, 800)
    let page = FileSink.bytes { (sink) throws(FileError) in
      try HTMLComparison(ComparisonResult(comparisons)).write(to: &sink)
    }
    try browser.open([page])
    try body(browser)
    #expect(browser.complaints == [])
    #expect(browser.requests == [])
  }

  @Test(
    "The summary and the chart are on the first screen",
    arguments: [(1_280, 800), (390, 844)]
  )
  func firstScreen(width: Int, height: Int) throws {
    for comparison in [Self.two, Self.many, Self.unpriced] {
      try withPage([comparison]) { browser throws in
        try browser.resize(width, height)
        let bottoms = try browser.value(
          """
          ['.reason', '.tradeoff svg:not([style*=none])'].map(what => [...document.querySelectorAll(what)]
            .map(x => x.getBoundingClientRect()).filter(box => box.height > 0)[0].bottom <= \(height))
          """
        )
        #expect(bottoms == [true, true])
      }
    }
  }

  @Test(
    "If gates decide, the first screen shows the verdict, the edit, its effect and the worst gate",
    arguments: [(1_280, 800), (390, 844)]
  )
  func decidedFirstScreen(width: Int, height: Int) async throws {
    let comparison = try await ConfigurationComparison.worseRevision()
    try withPage([comparison]) { browser throws in
      try browser.resize(width, height)
      for selector in [
        "h1.verdict", ".reason", ".change .difference", ".change .tally", ".gates li:first-child",
      ] {
        let script =
          "Math.round(document.querySelector('\(selector)').getBoundingClientRect().bottom)"
        let bottom = try #require(try browser.value(script).number)
        #expect(bottom > 0 && bottom <= Double(height), "\(selector) ends at \(bottom)")
      }
      #expect(try browser.value(PageScripts.overhang) == 0)
      // The button leads to the cases that the effect counts.
      try browser.value("document.querySelector('.effect [data-choose]')?.click()")
      let listed = try browser.text("document.querySelector('.tally strong').textContent")
      #expect(try browser.text(PageScripts.shown).hasPrefix(listed))
    }
  }

  @Test("Texts in a chart do not overlap at any width", arguments: [320, 390, 768, 1_280])
  func texts(width: Int) throws {
    for comparison in [Self.two, Self.many, Self.unpriced] {
      try withPage([comparison]) { browser throws in
        try browser.resize(width, 800)
        #expect(try browser.value(PageScripts.touching("svg")) == [])
      }
    }
  }

  @Test("Tables do not scroll on a laptop, and the frontier line crosses no label")
  func room() throws {
    for comparison in [Self.two, Self.many, Self.unpriced] {
      try withPage([comparison]) { browser throws in
        try browser.resize(1_280, 800)
        try browser.unfold()
        let scrolling =
          "[...document.querySelectorAll('.scroll')].filter(x => x.scrollWidth > x.clientWidth).length"
        #expect(try browser.value(scrolling) == 0)
        for width in [1_280, 390] {
          try browser.resize(width, 844)
          let crossed = """
            [...document.querySelectorAll('.tradeoff svg .frontier')].filter(line => line.getBoundingClientRect().width > 0)
              .flatMap(line => [...line.ownerSVGElement.querySelectorAll('text')].filter(text => {
                const box = text.getBBox(), length = line.getTotalLength();
                for (let at = 0; at <= length; at += 2) {
                  const point = line.getPointAtLength(at);
                  if (point.x > box.x && point.x < box.x + box.width && point.y > box.y && point.y < box.y + box.height) return true;
                }
                return false;
              }).map(text => text.textContent))
            """
          #expect(try browser.value(crossed) == [])
        }
      }
    }
  }

  @Test("The cost of a million calls is in the caption and in the table")
  func million() throws {
    try withPage([Self.two]) { browser throws in
      let caption = "document.querySelector('.tradeoff figcaption').textContent"
      #expect(
        try browser.value("\(caption).includes('A million calls cost: A $100, B $1,660.')")
          == true
      )
      let cells =
        "[...document.querySelectorAll('[data-label=\"Cost per million calls\"]')].map(x => "
        + "x.textContent)"
      #expect(try browser.value(cells) == ["$100", "$1,660"])
    }
  }

  @Test(
    "Nothing is wider than the window",
    arguments: [320, 390, 768, 1_920]
  )
  func widths(width: Int) throws {
    try withPage([Self.many]) { browser throws in
      try browser.resize(width, 800)
      try browser.unfold()
      #expect(try browser.value(PageScripts.overhang) == 0)
    }
    try withPage([Self.two, Self.unpriced, Self.many]) { browser throws in
      try browser.resize(width, 800)
      try browser.unfold()
      #expect(try browser.value(PageScripts.overhang) == 0)
    }
  }

  @Test("Every text has enough contrast with its background", arguments: ["light", "dark"])
  func contrast(scheme: String) throws {
    try withPage([Self.many]) { browser throws in
      try browser.prefer(["prefers-color-scheme": scheme])
      try browser.unfold()
      #expect(try browser.value(PageScripts.faint) == [])
    }
  }

  @Test("Each chart is shown in one of its two widths, with the same accessible name")
  func names() throws {
    try withPage([Self.two]) { browser throws in
      let shown =
        "[...document.querySelectorAll('.tradeoff svg')].filter(x => "
        + "x.getBoundingClientRect().height > 0).map(x => x.getAttribute('aria-label'))"
      let names = [
        "Accuracy against cost per call: A small 80.0%, interval [73.9%, 85.0%] for $0.00010, "
          + "best for its price; B large 96.0%, interval [92.3%, 98.0%] for $0.00166, best for "
          + "its price",
        "Times: A small p50 420 ms, p95 431 ms; B large p50 420 ms, p95 431 ms",
      ]
      #expect(try browser.value(shown) == .array(names.map(JSONValue.string)))
      try browser.resize(390, 844)
      #expect(try browser.value(shown) == .array(names.map(JSONValue.string)))
    }
  }
}
