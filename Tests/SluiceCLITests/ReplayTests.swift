import TestSupport
import Foundation
import SampleProjects
import Testing

@Suite("sluice run on recordings")
struct ReplayTests {
  private static let reports = ["report.json", "report.csv", "junit.xml", "report.md"]

  @Test("All suites of this project pass, and the output names what answered")
  func passes() async throws {
    let project = try ScratchProject.ofOwnProject()
    let outcome = try await project.program("run")
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    #expect(outcome.output.contains("Recorded answers of unnamed-lm (through files), "))
    #expect(outcome.output.contains("Recorded answers of stand-in-1, a stand-in (not a model) at"))
    #expect(
      outcome.output.contains(
        "\nPASS: no regression, all 57 gates pass; 41 of 74 goals reached, 33 undecided\n"
      )
    )
    for name in Self.reports { #expect(try project.read("reports/latest/\(name)") != "") }
    let report = Array(try project.read("reports/latest/report.json").utf8)
    #expect(try ReportSchema.report.violations(of: report) == [])
    // A comment on GitHub may have at most 65,536 characters.
    let comment = try project.read("reports/latest/report.md")
    #expect(comment.utf16.count < 65_536)
    #expect(
      comment.hasPrefix("<!-- sluice-report -->\n## ✅ Sluice: pass\n\n**No regression, all ")
    )
    // The comment is short if a pull request changes nothing.
    #expect(comment.split(separator: "\n", omittingEmptySubsequences: false).count < 20)
  }

  @Test("Reports are identical from run to run, at any concurrency")
  func sameBytes() async throws {
    let project = try ScratchProject.ofDemo()
    var seen: [[String]] = []
    for concurrency in ["1", "2", "7"] {
      let outcome = try await project.program("run", "--concurrency", concurrency)
      #expect(outcome.exitCode == 0)
      seen.append(
        try [outcome.output] + Self.reports.map { try project.read("reports/latest/\($0)") }
      )
    }
    #expect(Set(seen).count == 1)
  }

  @Test("Only the requested reports are written and named")
  func wantedReports() async throws {
    let project = try ScratchProject.ofDemo()
    _ = try await project.program("run")
    let outcome = try await project.program("run", "--report", "junit", "--report", "json")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("\nReports: reports/latest/report.md, .json; junit.xml\n"))
    let folder = project.folder.appending(path: "reports/latest")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ["junit.xml", "report.json", "report.md"])
    let wrong = try await project.program("run", "--report", "pdf")
    #expect(wrong.exitCode == 64)
    #expect(wrong.error.contains("'pdf' is invalid for '--report <report>'"))
  }

  @Test("Reports contain no path of this machine")
  func nothingOfTheMachine() async throws {
    let project = try ScratchProject.ofDemo()
    _ = try await project.program("run")
    for name in Self.reports {
      let text = try project.read("reports/latest/\(name)")
      #expect(!text.contains(project.folder.path))
    }
  }

  @Test("A run works without a network")
  func unplugged() async throws {
    let project = try ScratchProject.ofDemo()
    var sluice = project.program
    sluice.launcher = ["unshare", "--net", "--map-root-user"]
    guard
      (try? await CommandLineRunner(folder: project.folder, launcher: sluice.launcher)("--version"))?
        .exitCode == 0
    else {
      print("skipped: this machine does not allow a network namespace")
      return
    }
    #expect(try await sluice("run").exitCode == 0)
  }

  @Test("The README shows the actual output of a passing and a failing run")
  func readme() async throws {
    let project = try ScratchProject.ofOwnProject()
    let blocks = try DocumentPage("README.md").blocks.map(\.text)
    func expectShown(_ printed: String, with words: String) throws {
      let shown = try #require(blocks.first { $0.hasPrefix(words) }, "no block with '\(words)'")
      #expect(
        ShownOutput.covers(printed, by: shown),
        "README.md shows other words than\n\(printed)"
      )
    }
    let passing = try await project.program("run", "clarity")
    #expect(passing.exitCode == 0)
    try expectShown(passing.output, with: "PASS  clarity")
    let failing = try await project.program(
      "run",
      "clarity",
      "--prompt",
      "prompts/clarity/no-history.yaml"
    )
    #expect(failing.exitCode == 1)
    try expectShown(failing.output, with: "FAIL  clarity")
  }

  @Test("If reports cannot be written, the verdict is still printed, and the code is 70")
  func unwritableReports() async throws {
    let project = try ScratchProject.ofDemo()
    // A file takes the place of the folder for reports. The run log has a separate folder.
    try project.write("", to: "reports/latest")
    let outcome = try await project.program("run", "category")
    #expect(outcome.exitCode == 70)
    #expect(
      outcome.output.hasSuffix(
        "\nPASS: no regression, all 3 gates pass; 3 of 4 goals reached, 1 undecided\n"
      )
    )
    #expect(outcome.error.hasPrefix("sluice: reports/latest/report.json: "))
  }

  @Test("A deleted recording ends the run with 3, the case and the command that records it")
  func deletedRecording() async throws {
    let project = try ScratchProject.ofDemo()
    try project.removeLines(
      of: "datasets/tone/recordings/stand-in.jsonl",
      holding: #""case":"TEST-2.10""#
    )
    let outcome = try await project.program("run", "tone")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.output.contains(
        """
        No recorded answers for 1 of 20 cases
          no recording: new case
            TEST-2.10

        """
      )
    )
    #expect(
      outcome.output.hasSuffix(
        """
        Next: record the missing answers (this sends requests):
          sluice record tone

        """
      )
    )
  }

  @Test(
    "An edited request ends the run with 3 and the part that changed",
    arguments: [
      (
        "prompts/tone/v1.yaml", "Be gentle", "Be kind", "prompt changed (system message)",
        "TEST-2.10"
      ),
      (
        "prompts/tone/v1.yaml", "temperature: 0", "temperature: 0.2",
        "parameters changed (temperature)", "TEST-2.10"
      ),
      (
        "prompts/tone/v1.yaml", "max-tokens: 300", "max-tokens: 301",
        "parameters changed (max-tokens)", "TEST-2.10"
      ),
      (
        "prompts/tone/suggestions.schema.json", "\"string\", \"null\"", "\"null\", \"string\"",
        "response schema changed (response schema)", "TEST-2.10"
      ),
      (
        "datasets/tone/cases.yaml", "message: \"No.\"", "message: \"No!\"",
        "case changed (user message)", "TEST-2.10"
      ),
      (
        "sluice.yaml", "model: stand-in-1", "model: stand-in-2", "model changed (model)",
        "TEST-2.10"
      ),
    ]
  )
  func staleRecording(path: String, old: String, new: String, part: String, testCase: String)
    async throws
  {
    let project = try ScratchProject.ofDemo()
    try project.edit(path, replacing: old, with: new)
    let outcome = try await project.program("run", "tone")
    #expect(outcome.exitCode == 3)
    #expect(outcome.output.contains("\n  no recording: \(part)\n    \(testCase)"))
    #expect(outcome.output.hasSuffix("  sluice record tone\n"))
  }

  @Test("A recording that was edited by hand is reported by line and answers nothing")
  func editedRecording() async throws {
    let project = try ScratchProject.ofDemo()
    let path = "datasets/tone/recordings/stand-in.jsonl"
    let lines = try project.read(path).split(separator: "\n")
    let number = try #require(lines.firstIndex { $0.contains(#""case":"TEST-2.10""#) }) + 1
    try project.edit(
      path,
      replacing: String(lines[number - 1]),
      with: String(lines[number - 1]).replacing("\"status\":200", with: "\"status\":201")
    )
    let outcome = try await project.program("run", "tone")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.error == """
        \(path):\(number):1: error: the recording was changed after it was recorded: its digest does not match
          fix: restore the line from version control, or delete it and record the answer again
        1 error

        """
    )
  }

  @Test("A failed gate wins over another suite's missing recordings, and every suite still runs")
  func severalSuites() async throws {
    let project = try ScratchProject.ofDemo()
    try project.edit(
      "prompts/category/suite.yaml",
      replacing: "accuracy >= 80%",
      with: "accuracy >= 99%"
    )
    try project.edit("prompts/tone/v1.yaml", replacing: "Be gentle", with: "Be kind")
    let outcome = try await project.program("run")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.hasPrefix("FAIL  4 suites: 1 fails, 1 no verdict, 2 pass · "))
  }

  @Test("A percentile with too few cases is inconclusive, and --inconclusive sets the exit code")
  func inconclusive() async throws {
    let project = try ScratchProject.ofDemo()
    try project.edit(
      "prompts/category/suite.yaml",
      replacing: "accuracy >= 80%",
      with: "p99(tokens) < 100000"
    )
    let outcome = try await project.program("run", "category")
    #expect(outcome.exitCode == 2)
    #expect(
      outcome.output.contains("20 measurements cannot give an")
    )
    #expect(try await project.program("run", "category", "--inconclusive", "pass").exitCode == 0)
    #expect(try await project.program("run", "category", "--inconclusive", "fail").exitCode == 1)
  }

  @Test("A gate on an unknown cost has no verdict")
  func unknownCost() async throws {
    let project = try ScratchProject.ofDemo()
    try project.edit(
      "prompts/category/suite.yaml",
      replacing: "accuracy >= 80%",
      with: "mean(cost) < $1"
    )
    let outcome = try await project.program("run", "category")
    #expect(outcome.exitCode == 3)
    #expect(outcome.output.contains("unknown: no price for the model"))
  }
}
