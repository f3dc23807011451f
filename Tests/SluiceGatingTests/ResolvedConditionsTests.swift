@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceSupport
import Testing

@Suite("Resolved conditions")
struct ResolvedConditionsTests {
  private func resolve(
    _ yaml: String,
    scorers: String = "{flags: {path: a}}, {items: {path: b, expected: items, match: c}}"
  ) throws -> (conditions: ResolvedConditions, said: String) {
    let text = """
      suite: a
      prompt: v1.yaml
      dataset: a
      backend: fast
      scorers: [\(scorers)]
      \(yaml)
      """
    let diagnostics = DiagnosticCollector()
    let path = ProjectPath("prompts/a/suite.yaml")
    let files = ProjectFiles(
      InMemoryFileSystem([path.description: text]),
      diagnostics: diagnostics
    )
    let suite = try #require(SuiteReader.read(path, files: files))
    let catalog = MetricCatalog(
      scorers: BoundScorer.bind(suite.scorers, files: files),
      tags: ["long"]
    )
    let conditions = ResolvedConditions(suite, catalog: catalog, diagnostics: diagnostics)
    return (conditions, diagnostics.diagnostics.map(\.description).joined())
  }

  @Test("Gates and goals are bound to the suite's metrics in file order")
  func bound() throws {
    let (conditions, said) = try resolve(
      """
      gates:
        - accuracy[long] >= 85%
        - items.f1 >= 75%
      goals: [p95(latency) < 1 s]
      """
    )
    #expect(said == "")
    #expect(conditions.gates.map(\.condition.text) == ["accuracy[long] >= 85%", "items.f1 >= 75%"])
    #expect(conditions.gates.first?.metric == Metric(.accuracy, tag: "long"))
    #expect(conditions.goals.map(\.metric) == [Metric(.series(.latency, .percentile(95)))])
  }

  @Test("Claims, regressions and live conditions are bound like any other condition")
  func forms() throws {
    let texts = [
      "accuracy >= 85% at 95% confidence", "items.f1 >= 75% at 90% confidence",
      "mean(latency) < 1 s at 95% confidence", "p95(latency) < 1 s at 95% confidence (live)",
      "no regression in accuracy beyond 5 points", "no regression in accuracy beyond 10%",
      "no regression in flags.f1 beyond 5 points", "no regression in mean(cost) beyond 10%",
      "no regression in p95(latency) beyond 20% (live)", "max(latency) < 2 s (live)",
      "min(tokens) > 1", "sum(cost) <= $1",
    ]
    let (conditions, said) = try resolve(
      "gates:\n" + texts.map { "  - \($0)\n" }.joined() + "goals: [accuracy >= 85%]"
    )
    #expect(said == "")
    #expect(conditions.gates.map(\.condition.text) == texts)
    #expect(conditions.gates.map(\.position.line) == Array(7...18))
    #expect(conditions.goals.map(\.position) == [SourcePosition(line: 19, column: 9)])
  }

  @Test(
    "A claim or regression on a maximum, minimum or sum is refused with a fix",
    arguments: [
      ("max(latency) < 1 s", "a maximum"), ("min(tokens) > 1", "a minimum"),
      ("sum(cost) < $1", "a sum"),
    ]
  )
  func misfits(_ comparison: String, _ name: String) throws {
    let claim = try resolve("gates: [\(comparison) at 95% confidence]")
    #expect(
      claim.said.contains(
        "error: \(name) describes only the recorded answers, so a claim cannot use it\n"
      )
    )
    #expect(claim.conditions.gates.isEmpty)
    let metric = comparison.prefix { $0 != " " }
    let regression = try resolve("gates: [no regression in \(metric) beyond 5%]")
    #expect(regression.said.contains("error: \(name) cannot be compared case by case\n"))
    #expect(regression.conditions.gates.isEmpty)
  }

  @Test("A metric that is best at 0 can be compared with a number but has no regression")
  func deviation() throws {
    let scorers = "{number: {path: score, expected: score, tolerance: 5}}"
    let plain = try resolve("gates: [number.bias <= 2]", scorers: scorers)
    #expect(plain.said == "")
    let regression = try resolve(
      "gates: [no regression in number.bias beyond 5%]",
      scorers: scorers
    )
    #expect(
      regression.said.contains(
        """
        error: 'number.bias' is best at 0, so neither a rise nor a fall is a regression

        """
      )
    )
    #expect(regression.conditions.gates.isEmpty)
  }

  @Test("Errors in conditions are reported with positions, and these conditions are left out")
  func faults() throws {
    let (conditions, said) = try resolve(
      """
      gates:
        - accuracy => 85%
        - "accuracy >= 85"
        - false-positive-rat < 5%
        - f1 >= 75%
        - items.f1 >= 75%
      goals:
        - max(latency) < 1 s at 95% confidence
        - no regression in sum(cost) beyond 5%
        - no regression in p95(latency) beyond 5 points
        - >
          accuracy[tag=lang] >= 85%
      """
    )
    #expect(
      said == """
        prompts/a/suite.yaml:7:13: error: not a condition: expected >=, <=, > or <
          7 |   - accuracy => 85%
            |             ^
          fix: write 'accuracy >= 85%'
        prompts/a/suite.yaml:8:18: error: not a condition: a share cannot be more than 100%
          8 |   - "accuracy >= 85"
            |                  ^
          fix: write 'accuracy >= 85%'
        prompts/a/suite.yaml:9:5: error: no scorer of the suite produces the metric 'false-positive-rat'
          9 |   - false-positive-rat < 5%
            |     ^
          fix: did you mean 'false-positive-rate'?
        prompts/a/suite.yaml:10:5: error: the metric 'f1' is ambiguous: 2 scorers produce it
          10 |   - f1 >= 75%
             |     ^
          fix: write flags.f1 or items.f1
        prompts/a/suite.yaml:13:5: error: a maximum describes only the recorded answers, so a claim cannot use it
          13 |   - max(latency) < 1 s at 95% confidence
             |     ^
          fix: use a mean or a percentile, or remove 'at …% confidence'
        prompts/a/suite.yaml:14:5: error: a sum cannot be compared case by case
          14 |   - no regression in sum(cost) beyond 5%
             |     ^
          fix: use a mean or a percentile
        prompts/a/suite.yaml:15:5: error: 'p95(latency)' is not measured in points
          15 |   - no regression in p95(latency) beyond 5 points
             |     ^
          fix: write the margin as a share of the baseline's value, such as 'beyond 10%'
        prompts/a/suite.yaml:16:5: error: no case has the tag 'lang'
          16 |   - >
             |     ^
          fix: did you mean 'long'?

        """
    )
    #expect(conditions.gates.map(\.condition.text) == ["items.f1 >= 75%"])
    #expect(conditions.goals.isEmpty)
  }
}
