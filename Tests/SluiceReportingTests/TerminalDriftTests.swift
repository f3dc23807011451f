import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Drift in a terminal")
struct TerminalDriftTests {
  /// A column with a number of cases, some of which flipped.
  private func column(
    _ suite: String,
    _ harmful: Int,
    _ beneficial: Int,
    of count: Int,
    available: Int = 400,
    isIdentical: Bool = false,
    lost: Int = 0
  ) -> DriftResult.Column {
    var column = DriftResult.Column(
      suite: suite,
      prompt: "v1",
      backend: "fast",
      available: available,
      asked: count + lost
    )
    func change(_ harmful: Int, _ beneficial: Int, of count: Int) -> PairedChange {
      PairedChange(
        baseline: 0.9,
        candidate: 0.9 + Double(beneficial - harmful) / Double(count),
        flips: (harmful, beneficial),
        n: count,
        basis: .flips(harmful: harmful, beneficial: beneficial),
        margin: 0.05,
        prefersSmall: false,
        confidence: DriftRule.confidence
      )
    }
    column.lost = lost
    column.identical = isIdentical ? count : 0
    column.reworded = isIdentical ? 0 : count - harmful - beneficial
    column.test = DriftRule.Test(
      change(harmful, beneficial, of: count),
      fills: lost == 0
        ? []
        : [
          change(harmful + lost, beneficial, of: count + lost),
          change(harmful, beneficial + lost, of: count + lost),
        ],
      isIdentical: isIdentical
    )
    return column
  }

  private func text(_ columns: [DriftResult.Column]) -> String {
    TerminalDrift(
      DriftResult(sample: 100, seed: 1, margin: 0.05, columns: columns),
      TerminalDrift.Call(options: " --max-cost 1"),
      style: TerminalStyle(isColored: false)
    ).text
  }

  @Test("For several suites, each result is shown, then the next step")
  func several() throws {
    var moved = column("clarity", 12, 1, of: 100)
    moved.identities = [
      try #require(DriftResult.IdentityChange(.model, recorded: ["m-1"], now: ["m-2"])),
      try #require(DriftResult.IdentityChange(.systemFingerprint, recorded: [], now: ["fp_2"])),
    ]
    #expect(
      text([
        moved, column("tone", 0, 0, of: 100, isIdentical: true), column("mailbox", 2, 2, of: 100),
      ]) == """
        clarity  v1 on fast · 100 of 400 requests sent again                       MOVED
          accuracy 90.0% → 79.0%, -11.0 points [-19.0, -4.8]: the move is credible
          12 worse, 1 better of 100 · p 0.007 · 87 different with the same outcome
          model: m-1 → m-2
          system_fingerprint: none → fp_2

        tone  v1 on fast · 100 of 400 requests sent again                      UNCHANGED
          accuracy 90.0% → 90.0%, 0.0 points [-3.7, +3.7]: every answer is identical to
          its recording
          0 worse, 0 better of 100 · 100 identical

        mailbox  v1 on fast · 100 of 400 requests sent again                   UNDECIDED
          accuracy 90.0% → 90.0%, 0.0 points [-5.3, +5.3]: a move of up to 5.3 points is
          not ruled out; about 6 more cases needed
          2 worse, 2 better of 100 · p 1.000 · 96 different with the same outcome

        95% intervals, two-sided p, corrected for 3 tests (Holm's method)
        Verdict: scores moved
        Next: read the answers that moved; if today's are right, record them again:
          sluice record clarity --all

        """
    )
  }

  @Test("In 120 columns, the same result takes fewer lines")
  func wide() throws {
    let text = TerminalLines.$width.withValue(120) {
      self.text([
        column("clarity", 12, 1, of: 100), column("tone", 0, 0, of: 100, isIdentical: true),
        column("mailbox", 2, 2, of: 100),
      ])
    }
    let expected = try Snapshot.text("drift.120.txt")
    #expect(text == expected)
  }

  @Test("No line is wider than the terminal, and each next step is a command")
  func undecided() {
    let few = text([column("mailbox", 2, 2, of: 100, available: 101)])
    #expect(
      few.hasSuffix(
        """
        Verdict: undecided
        Next: add cases and record them, or use a wider margin:
          sluice recordings diff --sample 100 --margin 6 --max-cost 1

        """
      )
    )
    let lost = text([column("mailbox", 0, 0, of: 96, lost: 8)])
    #expect(lost.contains("8 lost answers"))
    #expect(
      lost.hasSuffix(
        "Next: send the requests again:\n  sluice recordings diff --sample 100 --max-cost 1\n"
      )
    )
    for line in (few + lost).split(separator: "\n") {
      #expect(TerminalText.width(of: String(line)) <= 80, "\(line)")
    }
  }

  @Test("The JSON agrees, with the seed as a string")
  func json() throws {
    let result = DriftResult(
      sample: 100,
      seed: .max,
      margin: 0.05,
      columns: [column("mailbox", 2, 2, of: 100)]
    )
    let json = try JSONReader.value(DriftJSON(result).bytes)
    #expect(json["verdict"]?.string == "inconclusive")
    #expect(json["seed"]?.string == "18446744073709551615")
    let suite = json["suites"]?.array?.first
    #expect(suite?["reason"]?.string == "too-few")
    #expect(suite?["cases-needed"]?.integer == 106)
    #expect(suite?["accuracy"]?["harmful"]?.integer == 2)
    #expect(suite?["figures"]?.array?.isEmpty == true)
  }
}
