import Foundation
import SampleProjects
import Sluice
import Testing
import TestSupport

@Suite("sluice run --affected")
struct AffectedCommandTests {
  private static func project() throws -> ScratchProject {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    return project
  }

  @Test("Only the affected suite runs, and every report lists the skipped suites")
  func one() async throws {
    let project = try Self.project()
    try project.write(try project.read("prices/openai.json"), to: "prices/openai.json")
    try project.dropInstruction()
    let outcome = try await project.sluice("run", "--affected", "main")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.output.contains(
        """
        1 of 4 suites affected since main
          clarity: prompts/clarity/v1.yaml edited
          Skipped: action-items, category, tone

        """
      ),
      "\(outcome.output)"
    )
    let json = try JSONReader.value(try project.read("reports/latest/report.json"))
    #expect(json["suites"]?.array?.compactMap { $0["name"]?.string } == ["clarity"])
    #expect(json.value(at: "affected.skipped")?.array?.count == 3)
    for report in ["report.md", "report.html", "report.csv", "junit.xml"] {
      #expect(try project.read("reports/latest/\(report)").contains("action-items"), "\(report)")
    }
  }

  @Test("If no suite is affected, the exit code is 0 and nothing runs")
  func none() async throws {
    let project = try Self.project()
    try project.write("notes", to: "prompts/tone/notes.md")
    let outcome = try await project.sluice("run", "--affected", "HEAD")
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    #expect(
      outcome.output == """
        0 of 4 suites affected since HEAD
          Skipped: action-items, category, clarity, tone

        PASS: no suite is affected since HEAD; 4 skipped
        Reports: reports/latest/report.html, .md, .json, .csv; junit.xml

        """
    )
    #expect(try project.read("reports/latest/junit.xml").contains("skipped=\"4\""))
    // No run log was written.
    let runs = project.folder.appending(path: "reports/runs").path
    #expect(!FileManager.default.fileExists(atPath: runs))
  }

  @Test("The commit that adds a project in a subfolder runs all its suites")
  func newProject() async throws {
    let demo = try ScratchProject.ofDemo()
    let project = try ScratchProject()
    try project.makeRepository()
    try FileManager.default.copyItem(
      at: demo.folder,
      to: project.folder.appending(path: "evals")
    )
    try project.git("add", "--all")
    var sluice = project.sluice
    sluice.folder = project.folder.appending(path: "evals")
    let outcome = try await sluice("run", "--affected", "main")
    #expect(outcome.exitCode == 0, "\(outcome.error)")
    #expect(outcome.output.contains("4 of 4 suites affected since main\n"), "\(outcome.output)")
    // A comparison with this revision is not possible, and the error names it as the user does.
    let comparison = try await sluice("compare", "--base", "main")
    #expect(comparison.exitCode == 64)
    #expect(
      comparison.error.contains("there is no folder 'evals' in revision 'main'"),
      "\(comparison.error)"
    )
  }

  @Test("An affected suite without recordings has no verdict")
  func missing() async throws {
    let project = try Self.project()
    try FileManager.default.removeItem(
      at: project.folder.appending(path: "datasets/tone/recordings/stand-in.jsonl")
    )
    try project.commit()
    let outcome = try await project.sluice("run", "--affected", "main")
    #expect(outcome.exitCode == 3)
    #expect(outcome.output.contains("tone: 20 recordings are missing"), "\(outcome.output)")
  }

  @Test("An error in any suite's file ends the command with 64, whatever is affected")
  func fault() async throws {
    let project = try Self.project()
    try project.write("suite: [", to: "prompts/tone/suite.yaml")
    try project.commit()
    let outcome = try await project.sluice("run", "clarity", "--affected", "HEAD")
    #expect(outcome.exitCode == 0)
    let all = try await project.sluice("run", "--affected", "HEAD")
    #expect(all.exitCode == 64)
    #expect(all.error.contains("prompts/tone/suite.yaml:1"))
  }

  @Test(
    "An unknown revision ends the command with 64, not 0",
    arguments: [
      ("mian", "the repository has no commit 'mian'", "did you mean 'main'?"),
      ("--output=x", "the repository has no commit '--output=x'", ""),
    ]
  )
  func revision(name: String, message: String, fix: String) async throws {
    let project = try Self.project()
    let outcome = try await project.sluice("run", "--affected=\(name)")
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains(message), "\(outcome.error)")
    if !fix.isEmpty { #expect(outcome.error.contains(fix)) }
    #expect(outcome.output == "")
  }

  @Test("Outside a git repository, the command ends with 64")
  func noRepository() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice("run", "--affected", "main")
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains("is not in a git repository"))
  }

  @Test("In a shallow clone, the error names the command that fetches the history")
  func shallow() async throws {
    let project = try Self.project()
    try project.git("checkout", "--quiet", "-b", "work")
    try project.commit()
    let clone = try ScratchProject()
    try clone.git(
      "clone",
      "--quiet",
      "--depth=1",
      "--no-single-branch",
      "file://\(project.folder.path)",
      "clone"
    )
    var sluice = clone.sluice
    sluice.folder = clone.folder.appending(path: "clone")
    let outcome = try await sluice("run", "--affected", "origin/main")
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains("fix: fetch the whole history: git fetch --unshallow"))
  }

  @Test(
    "--affected refuses options that do not apply to it",
    arguments: [["--watch"], ["--prompt", "prompts/tone/v1.yaml"]]
  )
  func options(_ words: [String]) async throws {
    let project = try Self.project()
    let outcome = try await project.sluice.run(["run", "--affected", "main"] + words)
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains("--affected"))
  }
}

@Suite("--output json")
struct JSONOutputTests {
  /// The demo, in which a gate of one suite fails.
  private static func project() throws -> ScratchProject {
    let project = try ScratchProject.ofDemo()
    try project.edit(
      "prompts/category/suite.yaml",
      replacing: "accuracy >= 80%",
      with: "accuracy >= 99%"
    )
    return project
  }

  @Test("run prints the bytes of report.json")
  func run() async throws {
    let project = try Self.project()
    let outcome = try await project.sluice("run", "--output", "json")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output == (try project.read("reports/latest/report.json")))
  }

  @Test("compare prints the bytes of compare.json")
  func compare() async throws {
    let project = try ScratchProject.ofDemoWithDroppedInstruction()
    let outcome = try await project.sluice(
      "compare",
      "clarity",
      "--base",
      "HEAD~1",
      "--output",
      "json"
    )
    #expect(outcome.exitCode == 1)
    #expect(outcome.output == (try project.read("reports/latest/compare.json")))
  }

  @Test("validate prints suites and warnings, or the errors if there are any")
  func validate() async throws {
    let project = try Self.project()
    let outcome = try await project.sluice("validate", "--output", "json")
    #expect(outcome.exitCode == 0)
    #expect(try AnswerSchema.validate.violations(of: outcome.output) == [])
    let value = try JSONReader.value(outcome.output)
    #expect(value["suites"]?.array?.count == 4)
    try project.edit("prompts/tone/suite.yaml", replacing: "scorers:", with: "scorer:")
    let wrong = try await project.sluice("validate", "--output", "json")
    #expect(wrong.exitCode == 64)
    #expect(try AnswerSchema.fault.violations(of: wrong.output) == [])
    let fault = try JSONReader.value(wrong.output)
    #expect(fault["exit-code"] == 64)
    let first = try #require(fault["diagnostics"]?.array?.first)
    #expect(first["path"] == "prompts/tone/suite.yaml")
    #expect(first["line"] == 5)
    #expect(first["fix"]?.string?.contains("scorers") == true)
    #expect(wrong.error.contains("prompts/tone/suite.yaml:5"))
  }

  @Test(
    "A wrong command line prints a fault, whose messages are those on standard error",
    arguments: [
      ["run", "--bogus", "--output", "json"], ["run", "--output=json", "--bogus"],
      ["explain", "--output=json", "--bogus"], ["validate", "--bogus", "--output", "json"],
      ["try", "--dry-run", "--output", "json"], ["show", "--output", "json"],
      ["compare", "--head", "main", "--output", "json"],
      ["run", "--repeat", "0", "--output", "json"],
    ]
  )
  func commandLine(words: [String]) async throws {
    let outcome = try await ScratchProject().sluice.run(words)
    #expect(outcome.exitCode == 64)
    #expect(try AnswerSchema.fault.violations(of: outcome.output) == [], "\(outcome.output)")
    let fault = try JSONReader.value(outcome.output)
    #expect(fault["exit-code"] == 64)
    let messages = fault["messages"]?.array?.compactMap(\.string)
    #expect(messages == outcome.error.split(separator: "\n").map(String.init))
    #expect(messages?.isEmpty == false)
  }

  @Test(
    "Help and text output print no fault",
    arguments: [
      (["run", "--help", "--output", "json"], 0), (["run", "--bogus"], 64),
      (["run", "--bogus", "--output", "text"], 64),
      (["run", "--bogus", "--", "--output=json"], 64), (["plan", "--output", "json"], 64),
    ]
  )
  func noFault(words: [String], code: Int) async throws {
    let outcome = try await ScratchProject().sluice.run(words)
    #expect(Int(outcome.exitCode) == code)
    #expect(!outcome.output.contains("exit-code"))
    #expect(outcome.output.isEmpty == (code != 0))
  }

  @Test("try prints what was missing and the comparison; with --offline it sends nothing")
  func tryChange() async throws {
    let project = try ScratchProject.ofDemoWithDroppedInstruction()
    let outcome = try await project.sluice(
      "try",
      "clarity",
      "--base",
      "HEAD~1",
      "--offline",
      "--output",
      "json"
    )
    #expect(outcome.exitCode == 1)
    #expect(try AnswerSchema.tryChange.violations(of: outcome.output) == [])
    let value = try JSONReader.value(outcome.output)
    #expect(value["verdict"] == "fail")
    #expect(value.value(at: "missing.requests") == 0)
    #expect(value.value(at: "comparison.comparisons.0.suite") == "clarity")
    try project.edit(ScratchProject.clarityPrompt, replacing: "You ", with: "Now you ")
    let missing = try await project.sluice("try", "clarity", "--offline", "--output", "json")
    #expect(missing.exitCode == 3)
    #expect(try AnswerSchema.tryChange.violations(of: missing.output) == [])
    let count = try JSONReader.value(missing.output).value(at: "missing.requests")?.integer
    #expect((count ?? 0) > 0)
    #expect(
      missing.error
        == "NO VERDICT: answers are not recorded; run without --offline to record them.\n"
    )
  }

  @Test("show prints JSON that conforms to its schema")
  func show() async throws {
    let project = try Self.project()
    let outcome = try await project.sluice("show", "TEST-2.4", "--output", "json")
    #expect(outcome.exitCode == 0, "\(outcome.error)")
    #expect(try AnswerSchema.show.violations(of: outcome.output) == [])
    let unknown = try await project.sluice("show", "nobody", "--output", "json")
    #expect(unknown.exitCode == 64)
    #expect(try AnswerSchema.fault.violations(of: unknown.output) == [])
  }

  @Test("explain says why each gate fails, which cases failed, and what to do next")
  func explain() async throws {
    let project = try Self.project()
    let outcome = try await project.sluice("explain", "category")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.output.hasPrefix("FAIL  category  v1 on stand-in\n\nGates\n"),
      "\(outcome.output)"
    )
    #expect(outcome.output.contains("\n  ✗ accuracy >= 99%"))
    #expect(outcome.output.contains("\nFailed, "))
    #expect(outcome.output.contains("\n    classification  expected "))
    #expect(outcome.output.contains("\nFAIL: 1 of 3 gates fails (category)\nNext: "))
    let json = try await project.sluice("explain", "category", "--output", "json")
    #expect(json.exitCode == 1)
    #expect(try AnswerSchema.explain.violations(of: json.output) == [])
    let value = try JSONReader.value(json.output)
    #expect(value.value(at: "suites.0.gates.0.verdict") == "fail")
    #expect(value.value(at: "next.command")?.string?.hasPrefix("sluice show ") == true)
    // No report was written.
    let reports = project.folder.appending(path: "reports/latest").path
    #expect(!FileManager.default.fileExists(atPath: reports))
  }

  @Test("If answers are missing, explain prints their number and the command that records them")
  func explainMissing() async throws {
    let project = try Self.project()
    try FileManager.default.removeItem(
      at: project.folder.appending(path: "datasets/tone/recordings/stand-in.jsonl")
    )
    let outcome = try await project.sluice("explain", "tone", "--output", "json")
    #expect(outcome.exitCode == 3)
    #expect(try AnswerSchema.explain.violations(of: outcome.output) == [])
    let value = try JSONReader.value(outcome.output)
    #expect(value.value(at: "suites.0.missing")?.string?.isEmpty == false)
    #expect(value.value(at: "next.command")?.string?.contains("tone") == true)
  }

  @Test(
    "The schema of every answer is closed and describes each member",
    arguments: AnswerSchema.allCases
  )
  func described(schema: AnswerSchema) throws {
    let content = try schema.content()
    var faults: [String] = []
    func look(_ value: JSONValue, _ place: String) {
      if let properties = value["properties"]?.object, value["type"] == "object" {
        if value["additionalProperties"] != false { faults.append("\(place) is open") }
        for member in properties.members
        where member.value["description"] == nil && member.value["$ref"] == nil {
          faults.append("\(place).\(member.name)")
        }
      }
      for member in value.object?.members ?? [] { look(member.value, "\(place).\(member.name)") }
      for element in value.array ?? [] { look(element, "\(place)[]") }
    }
    look(content, "")
    #expect(faults == [])
  }
}
