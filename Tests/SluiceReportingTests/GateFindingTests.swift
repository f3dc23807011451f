import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Gate findings for CI services")
struct GateFindingTests {
  /// A run with one gate that fails, one inconclusive, one that passes and two without a verdict.
  private var result: RunResult {
    var result = RunResult.everywhere("tone")
    result.suites[0].columns[0].gates = [
      .fixture("accuracy >= 90%", .fail, Estimate(rate: 1, of: 2), bound: 0.9),
      .fixture("f1 >= 85%", .inconclusive, Estimate(rate: 1, of: 2)),
      .fixture("recall >= 10%", .pass, Estimate(rate: 1, of: 2)),
      .fixture("p95 < 1 s", .noVerdict, Estimate(unknown: "why")),
      .fixture("cost < $1", .noVerdict, Estimate(unknown: "why")),
    ]
    return result
  }

  @Test("On GitHub, failed and undecidable gates are errors, and inconclusive gates are warnings")
  func annotations() {
    #expect(
      WorkflowAnnotations(result, folder: ProjectPath("evals")).text == """
        ::error file=evals/prompts/tone.yaml,line=1,title=Sluice%3A tone::\
        tone on tone: accuracy >= 90%25: 50.0%25, 40.0 points short
        ::error file=evals/prompts/tone.yaml,line=1,title=Sluice%3A tone::\
        tone on tone: 2 gates without a verdict: p95 < 1 s: unknown: why
        ::warning file=evals/prompts/tone.yaml,line=1,title=Sluice%3A tone::\
        tone on tone: f1 >= 85%25: 50.0%25, f1 >= 85%25

        """
    )
  }

  @Test("Passed, waived and non-candidate gates give no findings")
  func nothing() {
    var result = result
    #expect(WorkflowAnnotations(RunResult(suites: []), folder: ProjectPath(".")).text == "")
    result.suites[0].columns[0].isCandidate = false
    #expect(WorkflowAnnotations(result).text == "")
    result.suites[0].columns[0].isCandidate = true
    result.suites[0].columns[0].gates.removeLast(2)
    for index in 0..<3 {
      result.suites[0].columns[0].gates[index].waiver = Exemption(reason: "x", until: "2026-12-31")
    }
    #expect(WorkflowAnnotations(result).text == "")
    #expect(String(decoding: CodeQualityReport(result).bytes, as: UTF8.self) == "[]\n")
  }

  @Test(
    "Names cannot end a workflow command, its properties or its line",
    arguments: HostileText.all
  )
  func hostile(text: String) {
    let lines = WorkflowAnnotations(.everywhere(text)).text.split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines {
      let parts = line.split(separator: "::", maxSplits: 1)
      #expect(parts.count == 2)
      let properties = parts[0].split(separator: ",").map { $0.prefix { $0 != "=" } }
      #expect(properties == ["error file", "line", "title"], "\(line)")
      for scalar in line.unicodeScalars {
        #expect(scalar.properties.generalCategory != .control, "\(line)")
      }
      // Every percent sign starts an escape sequence.
      for rest in line.split(separator: "%").dropFirst() {
        #expect(["25", "0D", "0A", "3A", "2C"].contains(rest.prefix(2)), "\(line)")
      }
    }
  }

  @Test("On GitLab, findings have fingerprints that do not depend on the figures")
  func codeQuality() throws {
    let report = try JSONReader.value(CodeQualityReport(result, folder: ProjectPath("evals")).bytes)
    let findings = try #require(report.array)
    #expect(findings.map { $0["severity"] } == ["major", "major", "minor"])
    #expect(findings.map { $0["check_name"] } == ["sluice-gate", "sluice-gate", "sluice-gate"])
    #expect(
      findings[0]["description"]
        == "tone on tone: accuracy >= 90%: 50.0%, 40.0 points short"
    )
    #expect(findings[0]["location"] == ["path": "evals/prompts/tone.yaml", "lines": ["begin": 1]])
    let fingerprints = findings.map { $0["fingerprint"]?.string }
    #expect(Set(fingerprints).count == 3)
    #expect(fingerprints.allSatisfy { $0?.count == 64 })
    var other = result
    other.suites[0].columns[0].gates[0].estimate = Estimate(rate: 0, of: 2)
    let others = try JSONReader.value(
      CodeQualityReport(other, folder: ProjectPath("evals")).bytes
    )
    #expect(others.array?.map { $0["fingerprint"]?.string } == fingerprints)
  }
}
