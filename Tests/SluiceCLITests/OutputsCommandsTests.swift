import Foundation
import SampleProjects
import Sluice
import Testing
import TestSupport

@Suite("Outputs by case on the command line")
struct OutputsCommandsTests {
  private func project() throws -> ScratchProject {
    let project = try ScratchProject()
    for (path, text) in OutputsProject.texts { try project.write(text, to: path) }
    return project
  }

  @Test("run judges outputs from a file, also in CI, and baseline accept stores them")
  func run() async throws {
    let project = try project()
    var sluice = project.sluice
    let first = try await sluice("run")
    #expect(first.exitCode == 0)
    #expect(first.error == "")
    #expect(first.output.hasPrefix("answers from a file; request unknown\n"))
    sluice.environment["CI"] = "true"
    #expect(try await sluice("run").exitCode == 0)
    sluice.environment = [:]
    let accepted = try await sluice("baseline", "accept")
    #expect(accepted.exitCode == 0)
    #expect(
      accepted.output == """
        triage: v1 on given, 4 cases, accuracy 75.0%
          wrote reports/baselines/triage.given.jsonl; commit it

        """
    )
    #expect(try await sluice("run").output.contains("identical to the baseline"))
  }

  @Test("record, plan and try say that answers come from a file and send nothing")
  func sending() async throws {
    let project = try project()
    let record = try await project.sluice("record")
    #expect(record.exitCode == 0)
    #expect(
      record.output
        == "triage: answers of given come from outputs.jsonl, so there is nothing to record\n"
    )
    #expect(
      try await project.sluice("record", "--dry-run").output
        == "triage: answers of given come from outputs.jsonl; nothing is sent for them\n"
    )
    for command in [["run", "--live"], ["compare", "--live", "--backend", "sheet"]] {
      let outcome = try await project.sluice.run(command)
      #expect(outcome.exitCode == 64)
      #expect(
        outcome.error == """
          sluice: error: the backend 'given' answers from the file outputs.jsonl, so it cannot run live
            fix: run without --live, or choose a backend that sends requests: --backend NAME

          """
      )
    }
    let plan = try await project.sluice("plan")
    #expect(plan.exitCode == 0)
    #expect(
      plan.output.hasPrefix(
        """
        Nothing is sent, because all answers come from files

        triage  4 cases × 1 prompt × 1 backend × 1 repetition = 4 answers
          v1 on given: 4 answers in outputs.jsonl, 0 missing; nothing is sent

        """
      )
    )
    let attempt = try await project.sluice("try")
    #expect(
      attempt.output.hasPrefix("triage: answers of given come from outputs.jsonl; nothing is sent")
    )
  }

  @Test("recordings status and backends check count the rows of the file")
  func standing() async throws {
    let project = try project()
    #expect(
      try await project.sluice("recordings", "status").output == """
        outputs.jsonl
          triage on given: 4 rows of answers by case, no recordings

        """
    )
    let check = try await project.sluice("backends", "check", "given")
    #expect(check.exitCode == 0)
    #expect(check.output.hasPrefix("given  answers\n  file    outputs.jsonl\n"))
    #expect(
      check.output.hasSuffix("  rows    4\n  suite   triage: 4 answers needed, none missing\n")
    )
    try project.removeLines(of: "outputs.jsonl", holding: "\"send\"")
    let lacking = try await project.sluice("backends", "check", "given")
    #expect(lacking.exitCode == 3)
    #expect(lacking.output.contains("triage: 4 answers needed, 1 missing"))
    #expect(
      try await project.sluice("recordings", "status").output.contains(
        "triage on given: 3 rows of answers by case, no recordings · 1 answer missing"
      )
    )
    let run = try await project.sluice("run")
    #expect(run.exitCode == 3)
    #expect(
      run.output.hasSuffix(
        """
        Next: add the missing rows to outputs.jsonl, then run again:
          sluice run triage

        """
      )
    )
    let baseline = try await project.sluice("baseline", "accept")
    #expect(baseline.exitCode == 3)
    #expect(
      baseline.error == """
        sluice: error: triage: no baseline was written: v1 on given: 1 trial was lost (of 4); outputs.jsonl does not have all answers

        """
    )
  }

  @Test("import outputs writes the rows and prints the next steps")
  func importing() async throws {
    let project = try project()
    try project.write(
      """
      case_id,completion,ms
      where,question,12
      send,request,13
      thanks,"=1+1",14
      polite,request,15

      """,
      to: "elsewhere/log.csv"
    )
    let map = "text=completion,id=case_id,timings.total-ms=ms"
    let outcome = try await project.sluice(
      "import",
      "outputs",
      "elsewhere/log.csv",
      "--map",
      map,
      "--set",
      "model=m-9",
      "--suite",
      "triage"
    )
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    #expect(
      outcome.output == """
        wrote outputs/log.jsonl: 4 rows
        Add to sluice.yaml, under 'backends':
          log: {type: file, path: outputs/log.jsonl}
        Next: judge the outputs:
          sluice run triage --backend log

        """
    )
    #expect(
      try project.read("outputs/log.jsonl").split(separator: "\n")[2]
        == #"{"id":"thanks","text":"=1+1","model":"m-9","timings":{"total-ms":14}}"#
    )
    try project.edit(
      "sluice.yaml",
      replacing: "backends:\n",
      with: "backends:\n  log: {type: file, path: outputs/log.jsonl}\n"
    )
    let run = try await project.sluice("run", "triage", "--backend", "log")
    #expect(run.exitCode == 0)
    #expect(run.output.contains("latency                           p50"))
    // An existing file is replaced only with --force.
    let again = try await project.sluice(
      "import",
      "outputs",
      "elsewhere/log.csv",
      "--map",
      map
    )
    #expect(again.exitCode == 64)
    #expect(
      again.error == """
        sluice: error: 'outputs/log.jsonl' already exists
          fix: name another file with --to, or replace it with --force

        """
    )
    let forced = try await project.sluice(
      "import",
      "outputs",
      "elsewhere/log.csv",
      "--map",
      map,
      "--force"
    )
    #expect(
      forced.output == """
        wrote outputs/log.jsonl: 4 rows
        Next: judge the outputs:
          sluice run SUITE --backend log

        """
    )
  }

  @Test("Sluice's own files give the same results when their answers are imported")
  func roundTrip() async throws {
    let project = try project()
    try project.edit(
      "prompts/triage/suite.yaml",
      replacing: "  - exact: kind\n",
      with: "  - exact: kind\n  - latency: 100 ms\n  - cost: 0.3\n  - stream: {first-text: 30}\n"
    )
    try project.write(
      """
      {"id": "where", "text": "question", "model": "m-1", "finish-reason": "stop", "cost": 0.25, \
      "usage": {"input": 12, "cached-input": 4, "output": 3}, \
      "timings": {"first-text-ms": 20, "total-ms": 80}, "prompt": "v1"}
      {"id": "send", "text": "request", "finish-reason": "length", "cost": 0.5, \
      "timings": {"total-ms": 120, "first-text-ms": 2}}
      {"id": "thanks", "text": "", "error": {"message": "slow down", "kind": "rate-limited"}}
      {"id": "polite", "text": "question", "repeat": 1}

      """,
      to: "outputs.jsonl"
    )
    func results(_ backend: String) async throws -> [[String: String]] {
      _ = try await project.sluice("run", "triage", "--backend", backend)
      let report = try JSONReader.value(Array(try project.read("reports/latest/report.json").utf8))
      let results = report.value(at: "suites.0.columns.0.results")?.array ?? []
      return results.map { result in
        var members: [String: String] = [:]
        for name in [
          "case", "repeat", "outcome", "unusable", "scores", "text", "finish-reason", "usage",
          "timings", "cost",
        ] {
          members[name] = result[name]?.jsonText
        }
        return members
      }
    }
    let expected = try await results("given")
    #expect(
      expected.map { $0["outcome"] } == [#""passed""#, #""failed""#, #""lost""#, #""lost""#]
    )
    #expect(expected[0]["cost"] == "0.25")
    let logs = try FileManager.default.contentsOfDirectory(
      atPath: project.folder.appending(path: "reports/runs").path
    )
    let sources = [
      "reports/runs/\(try #require(logs.first))", "reports/latest/report.json",
      "reports/latest/report.csv", "outputs.jsonl",
    ]
    // A later run replaces the reports.
    let files = try sources.map { (path: $0, text: try project.read($0)) }
    for (number, file) in files.enumerated() {
      let name = "copy\(number).\(file.path.split(separator: ".").last ?? "")"
      try project.write(file.text, to: name)
      let outcome = try await project.sluice("import", "outputs", name, "--suite", "triage")
      #expect(outcome.exitCode == 0, "\(file.path): \(outcome.error)")
      #expect(outcome.error == "", "\(file.path)")
      try project.edit(
        "sluice.yaml",
        replacing: "backends:\n",
        with: "backends:\n  again\(number): {type: file, path: outputs/copy\(number).jsonl}\n"
      )
      #expect(try await results("again\(number)") == expected, "\(file.path)")
    }
  }

  @Test("The pages show what the commands print")
  func pages() async throws {
    func page(_ name: String) throws -> String {
      let url = ScratchProject.repository.appending(path: "docs/\(name)")
      return try String(contentsOf: url, encoding: .utf8)
    }
    let project = try project()
    let outputs = try page("outputs.md")
    #expect(outputs.contains("```jsonl\n\(try project.read("outputs.jsonl"))```"))
    let run = try await project.sluice("run", "triage", "--backend", "given").output
    let shown = run.split(separator: "\n", omittingEmptySubsequences: false).prefix(5)
    #expect(
      outputs.contains("$ sluice run triage --backend given\n\(shown.joined(separator: "\n"))\n")
    )
    let agree = try await project.sluice("agree", "triage", "--backend", "sheet").output
    #expect(try page("agree.md").contains("$ sluice agree triage --backend sheet\n\(agree)```"))
  }

  @Test("If a row is invalid, nothing is written")
  func wrongRows() async throws {
    let project = try project()
    try project.write("id,text\nwhere,x\nnowhere,y\n", to: "log.csv")
    let outcome = try await project.sluice("import", "outputs", "log.csv", "--suite", "triage")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        log.csv:3:1: error: there is no case 'nowhere' in datasets/triage/cases.yaml
          3 | nowhere,y
            | ^
          fix: did you mean 'where'?
        1 error

        """
    )
    #expect(!FileManager.default.fileExists(atPath: project.folder.appending(path: "outputs").path))
  }

  @Test(
    "import outputs writes only JSONL files inside the project",
    arguments: [
      ("../out.jsonl", "'../out.jsonl' is outside the project"),
      ("/etc/out.jsonl", "'/etc/out.jsonl' is outside the project"),
      ("out/x.jsonl", "'out' is a link that leads outside the project"),
      ("sluice.yaml", "the name 'sluice.yaml' does not end in .jsonl"),
      (
        "outputs/log.txt",
        """
        the name 'outputs/log.txt' does not end in .jsonl
          fix: end the name in .jsonl: --to outputs/log.jsonl
        """
      ),
      ("sluice.yaml/x.jsonl", "'sluice.yaml' is a file, not a folder"),
    ]
  )
  func targets(path: String, fault: String) async throws {
    let project = try project()
    try FileManager.default.createSymbolicLink(
      atPath: project.folder.appending(path: "out").path,
      withDestinationPath: FileManager.default.temporaryDirectory.path
    )
    let outcome = try await project.sluice(
      "import",
      "outputs",
      "outputs.jsonl",
      "--to",
      path
    )
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.hasPrefix("sluice: error: \(fault)\n"))
  }

  @Test("agree compares columns and reports an error if there is nothing to compare")
  func agree() async throws {
    let project = try project()
    let outcome = try await project.sluice("agree", "triage", "--backend", "sheet")
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    #expect(
      outcome.output.contains(
        "  agreement                           75.0%  [30.1%, 95.4%]    n 4\n"
      )
    )
    for line in outcome.output.split(separator: "\n") { #expect(line.count <= 80) }
    let json = try await project.sluice("agree", "triage", "--backend", "sheet", "--output", "json")
    #expect(json.output.hasPrefix("{\n  \"notice\": \"answers from a file; request unknown\",\n"))
    let nothing = try await project.sluice("agree", "triage", "--backend", "sheet", "--by", "label")
    #expect(nothing.exitCode == 3)
    #expect(
      nothing.error == """
        sluice: error: no case has values in two columns, so there is nothing to compare
          fix: choose the part to compare with --by, or use another --scale

        """
    )
    _ = try await project.sluice("run")
    _ = try await project.sluice("run", "--backend", "sheet")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: project.folder.appending(path: "reports/runs").path
    ).sorted().map { "reports/runs/\($0)" }
    let logs = try await project.sluice.run(["agree"] + names)
    #expect(logs.exitCode == 0)
    #expect(logs.output.contains("  agreement                           75.0%"))
  }

  @Test(
    "Invalid input of agree exits with 64",
    arguments: [
      ["agree"], ["agree", "triage"], ["agree", "triage", "--order", "a,b"],
      ["agree", "triage", "--backend", "sheet", "--scale", "ordinal", "--order", "a"],
      ["agree", "triage", "--backend", "sheet", "--by", "[nonsense]"],
      ["agree", "triage", "--backend", "sheet", "--scale", "ratio"],
      ["agree", "nothing.jsonl"], ["agree", "outputs.jsonl"], ["agree", "triage", "x.jsonl"],
    ]
  )
  func wrongAgree(arguments: [String]) async throws {
    let outcome = try await project().sluice.run(arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.error != "")
  }
}
