import Foundation
import Sluice
import Testing
import TestSupport

// The tests run one after the other, so that 100 answers are recorded only once.
@Suite("sluice recordings diff --sample", .serialized)
struct SampledDriftTests {
  /// Runs a test on a project whose recorded answers are all right.
  private static func with(
    _ caseCount: Int = 100,
    _ body: (TriageProject) async throws -> Void
  ) async throws {
    try await TriageProject.with { project in
      try project.write(caseCount: caseCount)
      try await project.record()
      try await body(project)
    }
  }

  /// A server's answers, some of which classify a question as a request.
  private static let changed: TriageProject.Server.Answer = { _, message in
    message.contains("7") ? #"{"kind":"request"}"# : TriageProject.Server.usual(message)
  }

  /// The same answers with different whitespace.
  private static let reworded: TriageProject.Server.Answer = { _, message in
    TriageProject.Server.usual(message) + " "
  }

  @Test("Identical answers exit with 0, and nothing is written")
  func same() async throws {
    try await Self.with { project in
      let before = try project.files.git("hash-object", TriageProject.recordings)
      let outcome = try await project.sluice("recordings", "diff", "--sample", "20")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(
        outcome.output == """
          triage  v1 on server · 20 of 100 requests sent again                   UNCHANGED
            accuracy 100.0% → 100.0%, 0.0 points [-16.1, +16.1]: every answer is identical
            to its recording; for the 80 requests not sent, a move of up to 16.1 points is
            not ruled out
            0 worse, 0 better of 20 · 20 identical

          95% intervals, two-sided p
          Verdict: no score moved

          """
      )
      #expect(project.server.asked.count == 20)
      #expect(try project.files.git("hash-object", TriageProject.recordings) == before)
      #expect(!project.exists(TriageProject.pending))
      #expect(!project.exists("reports/runs"))
    }
  }

  @Test("Scores that moved exit with 1, as docs/drift.md shows")
  func moved() async throws {
    try await Self.with { project in
      project.server.answer(Self.changed)
      let outcome = try await project.sluice(
        "recordings",
        "diff",
        "triage",
        "--sample",
        "60",
        "--seed",
        "20261124",
        "--limit",
        "2"
      )
      #expect(outcome.exitCode == 1)
      #expect(outcome.error == "")
      let page = try String(
        contentsOf: ScratchProject.repository.appending(path: "docs/drift.md"),
        encoding: .utf8
      )
      #expect(page.contains("```\n\(outcome.output.timeless)```\n"), "\(outcome.output)")
      let json = try await project.sluice(
        "recordings",
        "diff",
        "--sample",
        "60",
        "--seed",
        "20261124",
        "--output",
        "json"
      )
      #expect(json.exitCode == 1)
      let report = try JSONReader.value(Array(json.output.utf8))
      #expect(report["verdict"]?.string == "fail")
      #expect(report["seed"]?.string == "20261124")
      let suite = try #require(report["suites"]?.array?.first)
      #expect(suite["standing"]?.string == "moved")
      #expect(suite["asked"]?.integer == 60)
      #expect((suite["moved"]?.array?.count ?? 0) > 5)
    }
  }

  @Test("Too few cases exit with 2 and suggest a sufficient sample")
  func undecided() async throws {
    try await Self.with { project in
      project.server.answer(Self.reworded)
      let outcome = try await project.sluice(
        "recordings",
        "diff",
        "triage",
        "--sample",
        "20",
        "--max-cost",
        "5",
        "--seed",
        "4"
      )
      #expect(outcome.exitCode == 2)
      #expect(outcome.output.contains("UNDECIDED"))
      #expect(outcome.output.contains("about 53 more cases needed"))
      #expect(
        outcome.output.hasSuffix(
          """
          Verdict: undecided
          Next: request more answers:
            sluice recordings diff triage --sample 73 --max-cost 5.0 --seed 4

          """
        )
      )
      let next = try await project.sluice(
        "recordings",
        "diff",
        "triage",
        "--sample",
        "73",
        "--max-cost",
        "5.0",
        "--seed",
        "4"
      )
      #expect(next.exitCode == 0)
    }
  }

  @Test("If all recorded answers are too few, the output suggests a wider margin, which decides")
  func margin() async throws {
    try await Self.with(30) { project in
      project.server.answer(Self.reworded)
      let outcome = try await project.sluice("recordings", "diff", "--sample", "50")
      #expect(outcome.exitCode == 2)
      #expect(
        outcome.output.hasSuffix(
          """
          Next: add cases and record them, or use a wider margin:
            sluice recordings diff --sample 50 --margin 12

          """
        )
      )
      let wider = try await project.sluice(
        "recordings",
        "diff",
        "--sample",
        "50",
        "--margin",
        "12"
      )
      #expect(wider.exitCode == 0)
      #expect(wider.output.contains("a move beyond 12.0 points\n  is ruled out"))
    }
  }

  @Test("Failed requests are reported with their reason, and exit with 3 if no answer arrived")
  func lost() async throws {
    try await Self.with(40) { project in
      project.server.answer { _, message in
        if message.contains("7") { throw TriageProject.Failure() }
        return TriageProject.Server.usual(message)
      }
      let some = try await project.sluice("recordings", "diff", "--sample", "40")
      #expect(some.exitCode == 2)
      #expect(some.output.contains("4 lost answers could change\n  the outcome"))
      #expect(some.error.contains("4 of 40 requests: the server answered 500"))
      #expect(some.error.contains("case-7, case-17, case-27, case-37"))
      project.server.answer { _, _ in throw TriageProject.Failure() }
      let all = try await project.sluice("recordings", "diff", "--sample", "3")
      #expect(all.exitCode == 3)
      #expect(all.output.contains("none of 3 answers arrived"))
      #expect(
        all.output.hasSuffix(
          "Next: send the requests again later:\n  sluice recordings diff --sample 3\n"
        )
      )
    }
  }

  @Test("Without recordings, the exit code is 3 and nothing is sent")
  func notRecorded() async throws {
    try await TriageProject.with { project in
      let outcome = try await project.sluice("recordings", "diff", "--sample", "5")
      #expect(outcome.exitCode == 3)
      #expect(
        outcome.output == """
          triage  v1 on server · 0 of 0 requests sent again                     NO VERDICT
            there are no recordings whose requests could be sent again

          Verdict: no verdict
          Next: record answers to compare with:
            sluice record triage

          """
      )
      #expect(project.server.asked == [])
    }
  }

  @Test("Without a key, the exit code is 3 and its variable is named")
  func noKey() async throws {
    try await Self.with(5) { project in
      try project.files.edit(
        "sluice.yaml",
        replacing: "model: stand-in-1",
        with: "model: stand-in-1\n    key: {env: NO_SUCH_KEY}"
      )
      let outcome = try await project.sluice("recordings", "diff", "--sample", "5")
      #expect(outcome.exitCode == 3)
      #expect(outcome.error.contains("NO_SUCH_KEY"))
      #expect(project.server.asked == [])
    }
  }

  @Test("In CI, --sample needs --network, and --max-cost is enforced")
  func bounds() async throws {
    try await Self.with(20) { project in
      var sluice = project.sluice
      sluice.environment = ["CI": "1"]
      #expect(try await sluice("recordings", "diff", "--sample", "5").exitCode == 64)
      #expect(
        try await sluice("recordings", "diff", "--sample", "5", "--network").exitCode == 0
      )
      let refused = try await project.sluice(
        "recordings",
        "diff",
        "--sample",
        "20",
        "--max-cost",
        "0.01"
      )
      #expect(refused.exitCode == 64)
      #expect(refused.error.contains("fix: raise --max-cost, or send fewer requests: --sample N"))
      #expect(project.server.asked.count == 5)
    }
  }

  @Test("A damaged recording is an error before anything is sent")
  func damaged() async throws {
    try await Self.with(5) { project in
      try project.rewriteLine(of: TriageProject.recordings, holding: "case-3") {
        $0.replacing("question", with: "request")
      }
      let outcome = try await project.sluice("recordings", "diff", "--sample", "5")
      #expect(outcome.exitCode == 64)
      #expect(project.server.asked == [])
    }
  }

  @Test(
    "Invalid arguments are an invalid command line",
    arguments: [
      ["--sample", "0"], ["--sample", "-1"], ["--sample", "x"], ["--seed", "3"], ["--margin", "5"],
      ["--output", "json"], ["--sample", "5", "--margin", "0"],
      ["--sample", "5", "--margin", "101"], ["--sample", "5", "--margin", "nan"],
      ["--sample", "5", "--output", "xml"], ["--sample", "5", "--seed", "-1"],
      ["--sample", "5", "--repeat", "2"], ["--sample", "5", "--case", "no-such-case"],
    ]
  )
  func wrongArguments(arguments: [String]) async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice.run(["recordings", "diff"] + arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
  }

  @Test("Ctrl-C exits with 130 and leaves no files")
  func interrupted() async throws {
    try await Self.with(10) { project in
      project.server.answer { _, _ in
        try await Task.sleep(for: .seconds(600))
        throw TriageProject.Failure()
      }
      let command = try project.sluice.start(["recordings", "diff", "--sample", "10"])
      try await wait("a request") { !project.server.asked.isEmpty }
      command.interrupt()
      let outcome = try await command.outcome()
      #expect(outcome.exitCode == 130)
      #expect(outcome.error == "sluice: interrupted\n")
      #expect(!project.exists(TriageProject.pending))
    }
  }
}
