import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

extension ScoringFixture {
  /// Returns the first scorer's complaints about the expectation of a case.
  func complaints(about expected: String, given input: String = "{}") throws -> String {
    let yaml = "- id: a\n  input: \(input)\n  expected: \(expected)\n"
    let diagnostics = DiagnosticCollector()
    let files = ProjectFiles(InMemoryFileSystem(["cases.yaml": yaml]), diagnostics: diagnostics)
    let dataset = try #require(DatasetReader.read(ProjectPath("cases.yaml"), files: files))
    let scorer = try #require(scorers.first).scorer
    for spec in dataset.cases.indices.map(dataset.spec) {
      scorer.check(Expectation(spec: spec, file: dataset.file, diagnostics: diagnostics))
    }
    return diagnostics.diagnostics.map(\.description).joined()
  }
}
