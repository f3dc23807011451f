import SampleProjects
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

/// Tests of the reports of gates that fail alone but not together.
@Suite("Reports of corrected gates")
struct CorrectionReportTests {
  private static let gates = """
    gates:
      - no regression in accuracy beyond 5 points
      - no regression in accuracy[tag=third] beyond 50 points
      - no regression in unusable-rate beyond 5 points
    """

  /// 9 of 100 cases got worse and 2 better: p = .0174, which fails for one gate but not among
  /// three.
  private func result(_ family: GateFamily = .suite, suites: Int = 1) throws -> RunResult {
    let suite = try GatedSuite(cases: 100, gates: Self.gates)
    let baseline = try suite.baseline { testCase, _ in testCase < 2 ? .wrong : .right }
    let result = suite.result(against: baseline) { testCase, _ in
      testCase < 2 ? .right : testCase < 11 ? .wrong : .right
    }
    let all = (0..<suites).map { index in
      var suite = result.suites[0]
      if index > 0 { suite.name = "triage \(index + 1)" }
      return suite
    }
    return RunResult(suites: all, family: family)
  }

  private func terminal(_ result: RunResult) -> String {
    TerminalReport(result, style: TerminalStyle(isColored: false)).text
  }

  private func markdown(_ result: RunResult) -> String {
    String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
  }

  private func html(_ result: RunResult) -> String {
    String(
      decoding: FileSink.bytes { (sink) throws(FileError) in
        try HTMLReport(result).write(to: &sink)
      },
      as: UTF8.self
    )
  }

  @Test("The terminal shows that a gate fails alone, with both p values and both intervals")
  func taken() throws {
    let text = terminal(try result())
    #expect(
      text.contains(
        """
        Gates
          ? no regression in accuracy beyond 5 points
              98.0% → 91.0%, -7.0 points [-13.2, -1.8], at 96.7%: [-15.4, +0.1]: fails
              alone (p 0.017); not when corrected for 3 gates (p 0.052)
              worse ···├─────────────────●─────┊─────────┤····│··· better
                    ┊ margin, │ no change, ├ 90% interval ┤
          ✓ no regression in accuracy[tag=third] beyond 50 points
              97.1% → 91.2%, -5.9 points [-17.8, +4.9]

        """
      )
    )
    #expect(!text.contains("--family"))
  }

  @Test("With the call as the family, the terminal names the family and its gates")
  func call() throws {
    let text = terminal(try result(.call, suites: 2))
    let gate = """
            98.0% → 91.0%, -7.0 points [-13.2, -1.8], at 98.3%: [-16.6, +1.2]: fails
            alone (p 0.017); not when corrected for the 6 gates of the run (p 0.104)

      """
    #expect(text.ranges(of: gate).count == 2)
    #expect(
      text.contains(
        """
        --family call: the regression gates of all suites are corrected together. If
        nothing got worse, any of them fails in at most 5% of such runs.

        INCONCLUSIVE: 2 of 6 gates undecided (triage, triage 2)

        """
      )
    )
  }

  @Test("A call over several suites states the chance of a false alarm")
  func falseAlarms() throws {
    let result = try result(suites: 2)
    #expect(
      terminal(result).contains(
        """
        2 suites with 6 regression gates have changed answers. Even if nothing got
        worse, at least one gate fails in up to 10% of such runs (5% per suite, if
        suites are independent). With --family call, it is at most 5%.

        INCONCLUSIVE: 2 of 6 gates undecided (triage, triage 2)

        """
      )
    )
    let sentence =
      "2 suites with 6 regression gates have changed answers. Even if nothing got worse, at least "
      + "one gate fails in up to 10% of such runs (5% per suite, if suites are independent). "
      + "With --family call, it is at most 5%."
    #expect(markdown(result).contains("\n\n\(MarkdownText.plain(sentence))\n"))
    #expect(html(result).contains(HTMLText.escaped(sentence)))
    let json = try JSONReader.value(JSONReport(result).bytes)
    #expect(json["false-alarms"]?["family"] == "suite")
    #expect(json["false-alarms"]?["suites"] == 2)
    #expect(json["false-alarms"]?["gates"] == 6)
    #expect(try ReportSchema.report.violations(of: json) == [])
  }

  @Test("report.md has a table of all gates that were corrected together")
  func table() throws {
    let text = markdown(try result())
    #expect(
      text.contains(
        """
        | `no regression in accuracy beyond 5 points` | 98.0% | 91.0% | -7.0 points [-13.2, -1.8] \
        | ❔ fails alone (p 0.017); not when corrected for 3 gates (p 0.052) |

        """
      )
    )
    #expect(
      text.contains(
        """
        <details><summary>Corrected for 3 gates</summary>

        | gate | p | would fail alone | at the corrected level | corrected p | fails |
        | --- | --- | --- | --- | --- | --- |
        | `no regression in accuracy beyond 5 points` | 0.017 | yes | 96.7%: \\[-15.4, +0.1\\] | 0.052 | no |
        | `no regression in accuracy[tag=third] beyond 50 points` | 1.000 | no | 96.7%: \\[-22.3, +9.4\\] | 1.000 | no |
        | `no regression in unusable-rate beyond 5 points` | 0.989 | no | 96.7%: \\[-4.3, +4.3\\] | 1.000 | no |

        </details>

        """
      )
    )
  }

  @Test("report.html has the same table, folded under the gates")
  func page() throws {
    let text = html(try result())
    #expect(
      text.contains(
        """
        <details><summary>Corrected for 3 gates</summary><div class="body">
        <p class="small quiet">The more gates there are, the more often one of them fails by chance. So \
        each gate is tested at a stricter level (Holm&#39;s method).</p>
        <div class="scroll"><table>
        <thead><tr><th scope="col">gate</th><th scope="col">p</th><th scope="col">would fail alone</th>\
        <th scope="col">at the corrected level</th><th scope="col">corrected p</th>\
        <th scope="col">fails</th></tr></thead>
        <tbody>
        <tr><td><code>no regression in accuracy beyond 5 points</code></td><td>0.017</td><td>yes</td>\
        <td>96.7%: [-15.4, +0.1]</td><td>0.052</td><td>no</td></tr>

        """
      )
    )
  }

  @Test("report.json has the correction of every corrected gate")
  func json() throws {
    let report = try JSONReader.value(JSONReport(try result()).bytes)
    let gate = try #require(report.value(at: "suites.0.columns.0.gates.0"))
    #expect(gate["explanation"] == "fails alone; not when corrected for 3 gates")
    #expect(
      String(decoding: JSONWriter.pretty(try #require(gate["correction"])), as: UTF8.self) == """
        {
          "family": "suite",
          "gates": 3,
          "fails-alone": true,
          "p": 0.017404239405933566,
          "adjusted-p": 0.0522127182178007,
          "factor": 3,
          "level": 0.016666666666666666,
          "interval": [
            -0.1537014129873154,
            0.0007084984612075857
          ],
          "confidence": 0.9666666666666667
        }

        """
    )
    #expect(report.value(at: "suites.0.columns.0.gates.1.correction.fails-alone") == false)
    #expect(try ReportSchema.report.violations(of: report) == [])
  }

  @Test(
    "A confidence has enough decimals to differ from 100%",
    arguments: [(1, "90%"), (2, "95%"), (6, "98.3%"), (26, "99.6%"), (1_000, "99.99%")]
  )
  func confidence(factor: Int, text: String) {
    let correction = Correction(family: .call, gates: factor, factor: factor, p: 1, adjustedP: 1)
    #expect(CorrectionText.confidence(correction.confidence) == text)
  }

  @Test("For cases over a limit, both intervals are intervals of their share, in points")
  func exceedances() {
    let change = PairedChange(
      baseline: 100,
      candidate: 130,
      flips: (9, 2),
      n: 100,
      basis: .exceedances(harmful: 9, beneficial: 2, limit: 120),
      margin: 0.05,
      prefersSmall: true
    )
    #expect(
      ChangeText.difference(change, .time) == "100 ms → 130 ms; over 120 ms: 9 newly, 2 no longer"
    )
    #expect(
      ChangeText.difference(change, .time, beside: ("96.7%", Interval(low: -0.154, high: 0.001)))
        == "100 ms → 130 ms; over 120 ms: 9 newly, 2 no longer, [+1.8, +13.2] points, at 96.7%: [-0.1, +15.4]"
    )
  }
}
