import SampleProjects
import Sluice
import Testing

@Suite("Project loader: conditions")
struct ProjectLoaderConditionTests {
  private let suite = ProjectFixture.suite

  /// Returns the report on a project with a different gate.
  private func report(_ gate: String) throws -> String {
    try ProjectFixture().replacing("accuracy >= 85%", with: gate, in: suite).report()
  }

  @Test(
    "Every metric of the suite's scorers can be used in a condition",
    arguments: [
      "accuracy[tag=clean] > 0.5", "accuracy[clean] >= 1%", "flags.recall >= 85%",
      "recall[class=harsh] >= 85%", "classification.recall[harsh] >= 85%",
      "json-schema.pass-rate >= 100%", "mean(latency) < 800 ms", "mean(cost) <= $0.004",
      "max(tokens) < 1000", "invalid-label-rate <= 0%", "unusable-rate[tag=harsh] < 1%",
    ]
  )
  func valid(_ gate: String) throws {
    // Two scorers emit `recall`, so it needs a prefix.
    let said = try report(gate.hasPrefix("recall") ? "classification.\(gate)" : gate)
    #expect(said == "")
  }

  @Test("A condition that does not parse is an error at the position where it becomes invalid")
  func syntax() throws {
    #expect(
      try report("accuracy => 85%") == """
        prompts/tone/suite.yaml:10:13: error: not a condition: expected >=, <=, > or <
          10 |   - accuracy => 85%
             |             ^
          fix: write 'accuracy >= 85%'

        """
    )
    #expect(
      try report("accuracy >= 85% of all") == """
        prompts/tone/suite.yaml:10:21: error: not a condition: unexpected 'of all'
          10 |   - accuracy >= 85% of all
             |                     ^
          fix: remove the text after the condition's value

        """
    )
    #expect(
      try report("accuracy >= high") == """
        prompts/tone/suite.yaml:10:17: error: not a condition: expected a number
          10 |   - accuracy >= high
             |                 ^

        """
    )
    #expect(
      try report("'accuracy[tag=clean >= 85%'") == """
        prompts/tone/suite.yaml:10:25: error: not a condition: expected ']'
          10 |   - 'accuracy[tag=clean >= 85%'
             |                         ^

        """
    )
    #expect(
      try report("accuracy >= 120%") == """
        prompts/tone/suite.yaml:10:17: error: not a condition: a share cannot be more than 100%
          10 |   - accuracy >= 120%
             |                 ^
          fix: write a percentage such as 85%, or a share such as 0.85

        """
    )
    #expect(
      try report("median(latency) < 1 s") == """
        prompts/tone/suite.yaml:10:5: error: not a condition: unknown function 'median'
          10 |   - median(latency) < 1 s
             |     ^
          fix: write 'p50(latency) < 1 s'

        """
    )
    #expect(
      try report("p95(latency) < 1") == """
        prompts/tone/suite.yaml:10:20: error: not a condition: a number without a unit cannot be used with 'latency'
          10 |   - p95(latency) < 1
             |                    ^
          fix: write 'p95(latency) < 1 s'

        """
    )
    #expect(
      try report("''") == """
        prompts/tone/suite.yaml:10:6: error: not a condition: expected the name of a metric
          10 |   - ''
             |      ^

        """
    )
  }

  @Test("A metric that no scorer emits is an error with the nearest name")
  func unknownMetric() throws {
    #expect(
      try report("acuracy >= 85%") == """
        prompts/tone/suite.yaml:10:5: error: no scorer of the suite produces the metric 'acuracy'
          10 |   - acuracy >= 85%
             |     ^
          fix: did you mean 'accuracy'?

        """
    )
    #expect(
      try report("flags.false-positives < 5%") == """
        prompts/tone/suite.yaml:10:5: error: the scorer 'flags' does not produce the metric 'false-positives'
          10 |   - flags.false-positives < 5%
             |     ^
          fix: did you mean 'false-positive-rate'?

        """
    )
    #expect(
      try report("flag.recall >= 85%") == """
        prompts/tone/suite.yaml:10:5: error: the suite has no scorer 'flag'
          10 |   - flag.recall >= 85%
             |     ^
          fix: did you mean 'flags'?

        """
    )
  }

  @Test("A metric that two scorers emit is an error with both names")
  func ambiguous() throws {
    #expect(
      try report("recall >= 85%") == """
        prompts/tone/suite.yaml:10:5: error: the metric 'recall' is ambiguous: 2 scorers produce it
          10 |   - recall >= 85%
             |     ^
          fix: write flags.recall or classification.recall

        """
    )
  }

  @Test("A tag that no case has is an error with the nearest name")
  func unknownTag() throws {
    #expect(
      try report("accuracy[tag=claen] >= 85%") == """
        prompts/tone/suite.yaml:10:5: error: no case has the tag 'claen'
          10 |   - accuracy[tag=claen] >= 85%
             |     ^
          fix: did you mean 'clean'?

        """
    )
  }

  @Test("An unknown class is an error with the nearest name")
  func unknownClass() throws {
    #expect(
      try report("classification.recall[class=clam] >= 85%") == """
        prompts/tone/suite.yaml:10:5: error: the scorer has no class 'clam'
          10 |   - classification.recall[class=clam] >= 85%
             |     ^
          fix: did you mean 'calm'?

        """
    )
    #expect(
      try report("accuracy[class=calm] >= 85%") == """
        prompts/tone/suite.yaml:10:5: error: the metric has no classes
          10 |   - accuracy[class=calm] >= 85%
             |     ^
          fix: use precision, recall or f1 of a classification scorer

        """
    )
  }

  @Test("A series needs a function, and a rate takes none")
  func functions() throws {
    #expect(
      try report("latency < 1 s") == """
        prompts/tone/suite.yaml:10:5: error: 'latency' is one measurement per answer, not a single number
          10 |   - latency < 1 s
             |     ^
          fix: write mean(latency), p95(latency) or max(latency)

        """
    )
    #expect(
      try report("mean(accuracy) >= 85%") == """
        prompts/tone/suite.yaml:10:5: error: 'accuracy' is already a single number
          10 |   - mean(accuracy) >= 85%
             |     ^
          fix: remove the function around it

        """
    )
  }

  @Test("A claim that the cases cannot support is a warning")
  func unattainableClaim() throws {
    #expect(
      try report("accuracy >= 85% at 95% confidence") == """
        prompts/tone/suite.yaml:10:5: warning: 2 cases cannot prove this claim, whatever the answers are
          10 |   - accuracy >= 85% at 95% confidence
             |     ^
          fix: add cases: 19 are needed if all of them support the claim

        """
    )
    #expect(
      try report("false-positive-rate < 5% at 95% confidence") == """
        prompts/tone/suite.yaml:10:5: warning: 1 case cannot prove this claim, whatever the answers are
          10 |   - false-positive-rate < 5% at 95% confidence
             |     ^
          fix: add cases: 59 are needed if all of them support the claim

        """
    )
    #expect(
      try report("accuracy >= 100% at 95% confidence") == """
        prompts/tone/suite.yaml:10:5: warning: 2 cases cannot prove this claim, whatever the answers are
          10 |   - accuracy >= 100% at 95% confidence
             |     ^
          fix: no number of cases can prove it; change the value, or remove 'at …% confidence'

        """
    )
    #expect(try report("accuracy >= 20% at 95% confidence") == "")
  }

  @Test("A condition on a metric for which no case counts is a warning")
  func countlessMetric() throws {
    let project = try ProjectFixture().replacing(
      "{flagged: false, label: calm}",
      with: "{flagged: true, label: harsh}",
      in: ProjectFixture.dataset
    )
    let text = """
      prompts/tone/suite.yaml:10:5: warning: 'false-positive-rate' applies to none of the suite's cases, so the condition cannot be decided
        10 |   - false-positive-rate < 5%
           |     ^
        fix: add cases that it applies to, or remove the condition

      """
    #expect(
      try project
        .replacing("  - accuracy >= 85%", with: "  - false-positive-rate < 5%", in: suite)
        .replacing("goals:\n  - false-positive-rate < 5%\n", with: "", in: suite)
        .report() == text
    )
    #expect(
      try project.replacing(
        "false-positive-rate < 5%",
        with: "classification.recall[calm] >= 80%",
        in: suite
      )
      .report() == """
        prompts/tone/suite.yaml:12:5: warning: 'classification.recall[calm]' applies to none of the suite's cases, so the condition cannot be decided
          12 |   - classification.recall[calm] >= 80%
             |     ^
          fix: add cases that it applies to, or remove the condition

        """
    )
    #expect(
      try project.replacing(
        "false-positive-rate < 5%",
        with: "classification.recall[harsh] >= 80%",
        in: suite
      )
      .report() == ""
    )
  }

  @Test(
    "A margin that the cases cannot pass, even without a change, is a warning",
    arguments: [("2 points", 133), ("3 points", 88), ("5 points", 52), ("10 points", 25)]
  )
  func unattainableMargin(_ margin: String, _ needed: Int) throws {
    #expect(
      try report("no regression in accuracy beyond \(margin)") == """
        prompts/tone/suite.yaml:10:5: warning: 2 cases can pass this margin only if every answer stays the same
          10 |   - no regression in accuracy beyond \(margin)
             |     ^
          fix: add cases (\(needed) are needed), or use a wider margin

        """
    )
  }

  @Test("A margin of zero can never pass, and one as wide as the scale always can")
  func extremeMargins() throws {
    #expect(
      try report("no regression in accuracy beyond 0 points").contains(
        "fix: use a margin above 0\n"
      )
    )
    #expect(try report("no regression in accuracy beyond 100 points") == "")
    let zeros = String(repeating: "0", count: 40)
    #expect(
      try report("no regression in accuracy beyond 0.\(zeros)1 points").contains(
        "warning: 2 cases can pass this margin only if every answer stays the same\n"
      )
    )
  }

  @Test("A percentile with too few cases is a warning for a gate, but not for a goal")
  func percentiles() throws {
    #expect(
      try report("p95(latency) < 1 s") == """
        prompts/tone/suite.yaml:10:5: warning: 2 cases cannot give an interval for this percentile, whatever the answers are
          10 |   - p95(latency) < 1 s
             |     ^
          fix: add cases: 59 are needed

        """
    )
    #expect(
      try ProjectFixture().replacing(
        "- false-positive-rate < 5%",
        with: "- p95(latency) < 1 s",
        in: suite
      ).report() == ""
    )
  }

  @Test("A margin in percent is never wider than the same number of points")
  func relativeMargins() throws {
    #expect(
      try report("no regression in accuracy beyond 1%").contains(
        "warning: 2 cases can pass this margin only if every answer stays the same\n"
      )
    )
  }

  @Test("Live conditions and relative margins of series give no warning")
  func laterForms() throws {
    #expect(try report("mean(latency) < 1 s (live)") == "")
    #expect(try report("no regression in mean(latency) beyond 10%") == "")
    #expect(try report("no regression in p95(latency) beyond 10%") == "")
  }

  @Test("An unknown metric is not reported if an invalid scorer might emit it")
  func brokenScorer() throws {
    let fixture = try ProjectFixture()
      .replacing("- flags:", with: "- flag:", in: suite)
      .replacing("- accuracy >= 85%", with: "- acuracy >= 85%", in: suite)
    #expect(
      fixture.report() == """
        prompts/tone/suite.yaml:7:5: error: unknown scorer 'flag'
          7 |   - flag: {path: warning, when: non-empty}
            |     ^
          fix: did you mean 'flags'?
        prompts/tone/suite.yaml:10:5: error: no scorer of the suite produces the metric 'acuracy'
          10 |   - acuracy >= 85%
             |     ^
          fix: did you mean 'accuracy'?

        """
    )
    let none = try ProjectFixture().replacing("scorers:", with: "scorer:", in: suite)
    #expect(
      none.report() == """
        prompts/tone/suite.yaml:5:1: error: unknown key 'scorer' in a suite
          5 | scorer:
            | ^
          fix: did you mean 'scorers'?

        """
    )
  }

  @Test("A misspelled series is one error, whatever its unit")
  func misspeltSeries() throws {
    let fixture = try ProjectFixture()
      .replacing("- accuracy >= 85%", with: "- p95(latncy) < 1 s", in: suite)
    #expect(
      fixture.report() == """
        prompts/tone/suite.yaml:10:5: error: no scorer of the suite produces the metric 'latncy'
          10 |   - p95(latncy) < 1 s
             |     ^
          fix: did you mean 'latency'?

        """
    )
  }

  @Test("Tags are not checked if the cases could not be read")
  func unreadCases() throws {
    let fixture = try ProjectFixture()
      .replacing("accuracy >= 85%", with: "accuracy[tag=clean] >= 85%", in: suite)
      .replacing("- id: rude", with: " - id: rude", in: ProjectFixture.dataset)
    #expect(
      fixture.report() == """
        datasets/tone/cases.yaml:8:2: error: not valid YAML: the line does not belong to the list that begins on line 1
          8 |  - id: rude
            |  ^
          fix: indent all items of the list equally, and begin each with '- '

        """
    )
  }

  @Test("A goal is checked as strictly as a gate")
  func goal() throws {
    let fixture = try ProjectFixture()
      .replacing("false-positive-rate < 5%", with: "false-positives < 5%", in: suite)
    #expect(
      fixture.report() == """
        prompts/tone/suite.yaml:12:5: error: no scorer of the suite produces the metric 'false-positives'
          12 |   - false-positives < 5%
             |     ^
          fix: did you mean 'false-positive-rate'?

        """
    )
  }
}
