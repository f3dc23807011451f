@testable import Sluice
import TestSupport
import Testing

@Suite("Resolved conditions")
struct ResolvedConditionsTests {
  private func resolve(_ yaml: String) throws -> (conditions: ResolvedConditions, said: String) {
    let text = """
      suite: a
      prompt: v1.yaml
      dataset: a
      backend: fast
      scorers: [{flags: {path: a}}, {items: {path: b, expected: items, match: c}}]
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

  @Test("Gates and goals are bound to the metrics of the suite, in the order of the file")
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

  @Test("Everything that is wrong with conditions is reported where it stands, and left out")
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
        - accuracy >= 85% at 95% confidence
        - no regression in accuracy beyond 5 points
        - p95(latency) < 1 s (live)
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
          fix: write a percentage such as 85%, or a share such as 0.85
        prompts/a/suite.yaml:9:5: error: no scorer of the suite emits 'false-positive-rat'
          9 |   - false-positive-rat < 5%
            |     ^
          fix: did you mean 'false-positive-rate'?
        prompts/a/suite.yaml:10:5: error: 'f1' is emitted by 2 scorers
          10 |   - f1 >= 75%
             |     ^
          fix: write flags.f1 or items.f1
        prompts/a/suite.yaml:13:5: error: claims ('at …% confidence') cannot be decided by this version
          13 |   - accuracy >= 85% at 95% confidence
             |     ^
          fix: compare an estimate, such as 'accuracy >= 85%'
        prompts/a/suite.yaml:14:5: error: conditions on regressions ('no regression in …') cannot be decided by this version
          14 |   - no regression in accuracy beyond 5 points
             |     ^
          fix: compare an estimate, such as 'accuracy >= 85%'
        prompts/a/suite.yaml:15:5: error: conditions on live answers ('(live)') cannot be decided by this version
          15 |   - p95(latency) < 1 s (live)
             |     ^
          fix: compare an estimate, such as 'accuracy >= 85%'
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
