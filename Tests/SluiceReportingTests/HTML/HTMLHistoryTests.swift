import Foundation
import SampleProjects
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("history.html")
struct HTMLHistoryTests {
  /// A baseline, a run without answers, and a run of another prompt and model.
  private static var line: History.Line {
    var silent = SampleHistory.measurement(60, prompt: ("v2", "p2"), models: [])
    silent.estimates[0] = Estimate(unknown: "no trial was scored")
    return SampleHistory.line([
      SampleHistory.measurement(0, .baseline(commit: "4f2a91c07be34d5a"), passed: 78),
      silent,
      SampleHistory.measurement(
        86_400,
        .run(log: ProjectPath("reports/runs/b.jsonl"), isLive: true),
        prompt: ("v2", "p2"),
        models: ["m-1"],
        passed: 84,
        repetitions: 2
      ),
    ])
  }

  @Test(
    "Each metric has a chart with gaps, bound and changes, then folded points and changes"
  )
  func whole() {
    #expect(HTMLHistoryLine.title(Self.line) == "clarity: v2 on fast")
    #expect(
      HTMLHistoryLine(Self.line).body == """
        <div class="courses">
        <div><h3><code>accuracy</code></h3>
        <figure><svg class="course" width="100%" height="236" role="img" aria-label="accuracy, 3 \
        points, from 78.0% to 84.0%, 1 unknown, changes before 2 points">\
        <line class="grid" x1="0" y1="172.8" x2="100%" y2="172.8"/>\
        <text class="quiet" x="-8" y="176.8" text-anchor="end">70%</text>\
        <line class="grid" x1="0" y1="145.3" x2="100%" y2="145.3"/>\
        <text class="quiet" x="-8" y="149.3" text-anchor="end">75%</text>\
        <line class="grid" x1="0" y1="117.8" x2="100%" y2="117.8"/>\
        <line class="grid" x1="0" y1="90.3" x2="100%" y2="90.3"/>\
        <text class="quiet" x="-8" y="94.3" text-anchor="end">85%</text>\
        <line class="grid" x1="0" y1="62.8" x2="100%" y2="62.8"/>\
        <text class="quiet" x="-8" y="66.8" text-anchor="end">90%</text>\
        <line class="axis" x1="0" y1="196.0" x2="100%" y2="196.0"/>\
        <line class="bound" x1="0" y1="117.8" x2="100%" y2="117.8"/>\
        <text x="-8" y="121.8" text-anchor="end">≥ 80.0%</text>\
        <line class="event" x1="33.33%" y1="17.0" x2="33.33%" y2="196.0"/>\
        <line class="event" x1="66.67%" y1="33.0" x2="66.67%" y2="196.0"/>\
        <text class="quiet" x="-8" y="13.0" text-anchor="end">prompt</text>\
        <text class="letter" x="33.33%" y="13.0" text-anchor="middle">P</text>\
        <text class="quiet" x="-8" y="29.0" text-anchor="end">repeats</text>\
        <text class="letter" x="66.67%" y="29.0" text-anchor="middle">R</text><g><title>\
        2026-11-18 11:06, 4f2a91c0: 78.0% [68.9%, 85.0%]</title>\
        <line class="interval" x1="16.67%" y1="90.3" x2="16.67%" y2="178.7"/>\
        <rect class="front" x="16.67%" y="124.8" width="8.0" height="8.0" \
        transform="translate(-4.0)"/></g><g><title>2026-11-18 11:07, run: unknown</title>\
        <text class="quiet" x="50.00%" y="190.0" text-anchor="middle">?</text></g><g><title>\
        2026-11-19 11:06, live: 84.0% [75.6%, 89.9%]</title>\
        <line class="interval" x1="83.33%" y1="63.3" x2="83.33%" y2="142.1"/>\
        <circle class="behind" cx="83.33%" cy="95.8" r="4.0"/></g>\
        <line class="axis" x1="16.67%" y1="196.0" x2="16.67%" y2="200.0"/>\
        <text class="quiet" x="16.67%" y="214.0" text-anchor="middle">2026-11-18</text>\
        <text class="quiet" x="16.67%" y="229.0" text-anchor="middle">11:06</text>\
        <line class="axis" x1="83.33%" y1="196.0" x2="83.33%" y2="200.0"/>\
        <text class="quiet" x="83.33%" y="214.0" text-anchor="middle">2026-11-19</text>\
        <text class="quiet" x="83.33%" y="229.0" text-anchor="middle">11:06</text></svg>\
        <figcaption>Newest: 84.0% [75.6%, 89.9%], n 100<br>\
        Unknown at 1 of 3 points: no trial was scored<br>Gate: accuracy &gt;= 80%</figcaption>\
        </figure>
        <details><summary><span>3 points of accuracy</span></summary><div class="body">\
        <div class="scroll"><table><thead><tr><th scope="col">Date, UTC</th><th scope="col">\
        Source</th><th scope="col">Changed</th><th scope="col" class="num">Value</th>\
        <th scope="col">95% interval</th><th scope="col" class="num">n</th></tr></thead><tbody>\
        <tr><th scope="row" class="figure">2026-11-18 11:06</th><td>4f2a91c0</td><td></td>\
        <td class="num">78.0%</td><td><span class="figure">[68.9%, 85.0%]</span></td>\
        <td class="num">100</td></tr><tr><th scope="row" class="figure">2026-11-18 11:07</th><td>\
        run</td><td>prompt</td><td class="num">unknown</td><td>no trial was scored</td>\
        <td class="num">0</td></tr><tr><th scope="row" class="figure">2026-11-19 11:06</th><td>\
        live</td><td>repeats</td><td class="num">84.0%</td><td><span class="figure">\
        [75.6%, 89.9%]</span></td><td class="num">100</td></tr></tbody></table></div></div>\
        </details></div>
        <div><h3><code>p95(latency)</code></h3>
        <p class="small quiet">Unknown: no trial has a latency</p>
        <details><summary><span>3 points of p95(latency)</span></summary><div class="body">\
        <div class="scroll"><table><thead><tr><th scope="col">Date, UTC</th><th scope="col">\
        Source</th><th scope="col">Changed</th><th scope="col" class="num">Value</th>\
        <th scope="col">95% interval</th><th scope="col" class="num">n</th></tr></thead><tbody>\
        <tr><th scope="row" class="figure">2026-11-18 11:06</th><td>4f2a91c0</td><td></td>\
        <td class="num">unknown</td><td>no trial has a latency</td><td class="num">0</td></tr><tr>\
        <th scope="row" class="figure">2026-11-18 11:07</th><td>run</td><td>prompt</td>\
        <td class="num">unknown</td><td>no trial has a latency</td><td class="num">0</td></tr><tr>\
        <th scope="row" class="figure">2026-11-19 11:06</th><td>live</td><td>repeats</td>\
        <td class="num">unknown</td><td>no trial has a latency</td><td class="num">0</td></tr>\
        </tbody></table></div></div></details></div>
        </div>
        <h3>Changes</h3>
        <ul class="flips"><li><span class="num quiet">2026-11-18 11:07</span> prompt v1 → v2</li>\
        <li><span class="num quiet">2026-11-19 11:06</span> trials per case: 1 → 2</li></ul>

        """
    )
  }

  @Test(
    "A gate that compares the metric with a number is drawn; a regression gate is only named",
    arguments: [
      (Condition.Comparison.atLeast, "≥ 79.5%"), (.atMost, "≤ 79.5%"), (.above, "&gt; 79.5%"),
      (.below, "&lt; 79.5%"),
    ]
  )
  func gates(comparison: Condition.Comparison, label: String) {
    var line = SampleHistory.line([SampleHistory.measurement(0)])
    line.metrics[0].gates = [
      SampleHistory.gate("the first", .comparison(comparison, 0.795, confidence: 0.95)),
      SampleHistory.gate("the second", .noRegression(margin: 0.05, isRelative: false)),
    ]
    let body = HTMLHistoryLine(line).body
    #expect(body.components(separatedBy: "class=\"bound\"").count == 2)
    #expect(body.contains("text-anchor=\"end\">\(label)</text>"))
    #expect(body.contains("Gates: the first; the second</figcaption>"))
  }

  @Test("The page starts with suites that need attention, then shows each suite and a legend")
  func head() throws {
    let page = try HTMLPageFixture(History(lines: [Self.line])).markup
    #expect(page.contains("<title>Sluice: history</title>"))
    #expect(page.contains("<h1 class=\"verdict\">History</h1>"))
    #expect(
      page.contains("<p class=\"reason\">At its newest point the suite misses no gate.</p>")
    )
    #expect(
      page.contains("<li>3 points</li><li>2026-11-18 11:06 to 2026-11-19 11:06 UTC</li>")
    )
    #expect(page.contains("P prompt, M model, D dataset, S scorers, R repeats.</li>"))
    #expect(page.contains("<a class=\"skip\" href=\"#suites\">Skip to the figures</a>"))
    // The only suite is unfolded.
    #expect(
      page.contains("<details class=\"panel\" open><summary><span class=\"name\">clarity</span>")
    )
    // The page has no table of cases and none of its parts.
    for missing in ["id=\"cases\"", "<dialog", "application/json"] {
      #expect(!page.contains(missing), "\(missing)")
    }
  }

  /// Returns a suite with two points, the first value and the newest one, and a flag for a missed
  /// gate.
  private static func suite(
    _ name: String,
    _ passed: [Int],
    misses: Bool = false,
    edited: Bool = false
  )
    -> History.Line
  {
    var measurements = passed.enumerated().map { index, passed in
      SampleHistory.measurement(index * 3_600, passed: passed)
    }
    if edited {
      measurements[measurements.count - 1] = SampleHistory.measurement(
        3_600,
        prompt: ("v1", "p2"),
        passed: passed[1]
      )
    }
    if misses {
      measurements[measurements.count - 1].missed = [SampleHistory.metrics[0].gates, []]
    }
    var line = SampleHistory.line(measurements)
    line.suite = name
    return line
  }

  @Test("Suites that miss a gate come first, then those that fell, then those that changed")
  func order() throws {
    let lines = [
      Self.suite("steady", [80, 81]), Self.suite("edited", [80, 80], edited: true),
      Self.suite("fell", [90, 70]), Self.suite("fell-more", [90, 60]),
      Self.suite("misses", [80, 78], misses: true),
    ]
    let page = HTMLPageFixture(History(lines: lines))
    #expect(
      try page.between("<p class=\"reason\">", "</p>")
        == "1 of 5 suites misses a gate; 2 fell by more than chance explains."
    )
    let names = try page.markup.components(
      separatedBy: "<details class=\"panel\"><summary><span class=\"name\">"
    )
    .dropFirst().map { $0.prefix { $0 != "<" } }
    #expect(names == ["misses", "fell-more", "fell", "edited", "steady"])
    let markup = try page.markup
    #expect(markup.contains("<span class=\"small fail\">✗ misses accuracy &gt;= 80%</span>"))
    #expect(markup.contains("<span class=\"small fail\">▼ 30.0 points below 11-18</span>"))
    #expect(markup.contains("<span class=\"small quiet\">11-18 prompt v1 edited</span>"))
    #expect(markup.contains("<span class=\"small quiet\"></span>"))
  }

  @Test("A drop that was accepted as a baseline needs no attention")
  func accepted() throws {
    var line = SampleHistory.line([
      SampleHistory.measurement(0, passed: 90),
      SampleHistory.measurement(60, passed: 60),
      SampleHistory.measurement(120, .baseline(commit: "4f2a91c07be34d5a"), passed: 60),
      SampleHistory.measurement(180, .run(log: ProjectPath("b.jsonl"), isLive: true), passed: 60),
    ])
    line.suite = "accepted"
    let reason = try HTMLPageFixture(History(lines: [line])).between("<p class=\"reason\">", "</p>")
    #expect(reason == "At its newest point the suite misses no gate.")
  }

  @Test(
    "A small chart shows points, changes, a gate's bound and the newest value"
  )
  func panel() throws {
    var other = Self.line
    other.suite = "other"
    let page = HTMLPageFixture(History(lines: [Self.line, other]))
    let picture = try page.between("<svg class=\"small-multiple\"", "</svg>")
    #expect(
      picture.contains(
        "aria-label=\"clarity, accuracy, 3 points, from 78.0% to 84.0%, 1 unknown, last changes: "
          + "2026-11-18 prompt v1 → v2; 2026-11-19 trials per case: 1 → 2, 11-19 trials per case: "
          + "1 → 2\""
      )
    )
    #expect(picture.contains("<path class=\"bound\""))
    #expect(picture.contains(">P</text>"))
    #expect(picture.contains(">R</text>"))
    #expect(picture.contains("class=\"strong\""))
    #expect(picture.hasSuffix(">84.0%</text>"))
    #expect(picture.contains("<title>2026-11-18 11:06, 4f2a91c0: 78.0% [68.9%, 85.0%]</title>"))
    // Each suite contains all of its lines.
    #expect(
      try page.markup.contains(
        "<h3 class=\"line\">clarity: v2 on fast</h3>\n<div class=\"courses\">"
      )
    )
  }

  @Test("A suite's other prompts and backends are inside its panel")
  func lines() throws {
    var beside = SampleHistory.line([SampleHistory.measurement(0)])
    beside.prompt = "v1"
    beside.hasOlder = true
    let markup = try HTMLPageFixture(History(lines: [Self.line, beside])).markup
    #expect(markup.components(separatedBy: "<details class=\"panel\"").count == 2)
    #expect(markup.contains("<h3 class=\"line\">clarity: v1 on fast</h3>"))
    #expect(markup.contains("<p class=\"quiet\">Not the candidate.</p>"))
    #expect(
      markup.contains(
        "Older runs or baselines are not shown; to show more, use sluice history --limit"
      )
    )
    #expect(markup.contains("aria-label=\"accuracy, 1 point, 80.0%\""))
  }

  @Test("A missed gate is shown in the table, in the caption and in the point's tooltip")
  func missed() throws {
    let gate = SampleHistory.metrics[0].gates
    var measurements = [
      SampleHistory.measurement(0, passed: 78), SampleHistory.measurement(3_600, passed: 84),
    ]
    measurements[0].missed = [gate, []]
    let page = HTMLPageFixture(History(lines: [SampleHistory.line(measurements)]))
    let first = try page.between("<tbody>", "</tbody>")
    #expect(
      first == """
        <tr><th scope="row" class="figure">2026-11-18 11:06</th><td>run</td><td></td>\
        <td class="num">78.0%</td><td><span class="figure">[68.9%, 85.0%]</span></td>\
        <td class="num">100</td><td><span class="sign fail" aria-hidden="true">✗</span> \
        misses accuracy &gt;= 80%</td></tr>\
        <tr><th scope="row" class="figure">2026-11-18 12:06</th><td>run</td><td></td>\
        <td class="num">84.0%</td><td><span class="figure">[75.6%, 89.9%]</span></td>\
        <td class="num">100</td><td></td></tr>
        """
    )
    let markup = try page.markup
    #expect(markup.contains("<br>✗ accuracy &gt;= 80% missed at 1 of 2 points</figcaption>"))
    let point = "2026-11-18 11:06, run: 78.0% [68.9%, 85.0%], misses accuracy &gt;= 80%"
    #expect(markup.contains(point))
    #expect(markup.contains("from 78.0% to 84.0%, 1 point missing a gate"))
    // Without a missed gate, the table has no column for gates.
    #expect(markup.components(separatedBy: "<th scope=\"col\">Gate</th>").count == 2)
  }

  @Test("Texts of a project cannot become markup", arguments: HostileText.all)
  func hostile(text: String) throws {
    func tags(_ text: String) throws -> [String] {
      let lines = [SampleHistory.everywhere(text), SampleHistory.line([])]
      let page = HTMLPageFixture(History(lines: lines))
      #expect(page.text.components(separatedBy: "<script").count == 2)
      for scalar in try page.markup.unicodeScalars where scalar != "\n" {
        #expect(scalar.properties.generalCategory != .control)
      }
      return try page.markup.split(separator: "<").dropFirst().map { part in
        String(part.prefix { !" >\n".contains($0) })
      }
    }
    #expect(try tags(text) == tags("x"))
  }

  @Test("The page is a single file that loads nothing and runs only its own script")
  func policy() throws {
    let page = HTMLPageFixture(History(lines: [Self.line]))
    func digest(_ text: String) -> String { Base64.encode(SHA256.digest(text.utf8).bytes) }
    let style = digest(try page.between("<style>", "</style>"))
    let program = digest(try page.between("<script>", "</script>"))
    #expect(
      try page.between("Content-Security-Policy\" content=\"", "\">")
        == "default-src 'none'; style-src 'sha256-\(style)'; script-src 'sha256-\(program)'; "
        + "base-uri 'none'; form-action 'none'"
    )
    for forbidden in ["http:", "https:", " src=", "<link", "<iframe", " style=", " onclick="] {
      #expect(try !page.markup.contains(forbidden), "\(forbidden)")
    }
    #expect(page.text == HTMLPageFixture(History(lines: [Self.line])).text)
  }

  @Test("Without points, the page says so and how to begin")
  func empty() throws {
    let page = try HTMLPageFixture(History(lines: [])).markup
    #expect(
      page.contains(
        "<p class=\"reason\">There are no finished runs in reports/runs/ and no committed "
          + "baselines yet.</p>"
      )
    )
    #expect(page.contains("Next: run <code>sluice run</code>, which writes a log of each run"))
    #expect(HTMLHistoryLine(SampleHistory.line([])).body.contains("There are no points to show."))
  }
}
