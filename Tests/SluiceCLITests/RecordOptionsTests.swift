import TestSupport
import Foundation
import SampleProjects
import Sluice
import Testing

/// The requests that `sluice record` sends, rejects and stores.
@Suite("sluice record: what is sent", .serialized)
struct RecordOptionsTests {
  private static let allMessages = [
    "Could you send it?", "Please send it.", "Thanks!", "Where is it?",
  ]

  // MARK: Which

  /// Options of `sluice record` on a completely recorded project, with the requests sent.
  private struct Selection: CustomTestStringConvertible {
    var options: [String]
    var sent: [String]
    var testDescription: String { options.joined(separator: " ") }
  }

  @Test(
    "Of what is recorded, the options say what is asked again",
    arguments: [
      Selection(options: [], sent: []),
      Selection(options: ["--all"], sent: allMessages),
      Selection(options: ["--before", "2020-01-01"], sent: []),
      Selection(options: ["--before", "2999-01-01"], sent: allMessages),
      Selection(options: ["--older-than", "1 day"], sent: []),
      Selection(options: ["--case", "thanks"], sent: []),
      Selection(options: ["--all", "--case", "thanks"], sent: ["Thanks!"]),
      Selection(
        options: ["--all", "--case", "thanks", "--case", "where"],
        sent: ["Thanks!", "Where is it?"]
      ),
      Selection(options: ["--all", "--tag", "short"], sent: ["Where is it?"]),
      Selection(
        options: ["--all", "--tag", "short", "--tag", "action"],
        sent: ["Please send it.", "Where is it?"]
      ),
      Selection(options: ["--all", "--case", "where", "--tag", "short"], sent: ["Where is it?"]),
      Selection(options: ["--all", "--first", "1"], sent: ["Where is it?"]),
      Selection(options: ["--before", "2999-01-01", "--case", "send"], sent: ["Please send it."]),
    ]
  )
  private func selects(_ selection: Selection) async throws {
    try await TriageProject.with { project in
      try await project.record()
      let committed = try project.files.read(TriageProject.recordings)
      let outcome = try await project.sluice.run(["record"] + selection.options)
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(project.server.asked.sorted() == selection.sent)
      #expect(project.exists(TriageProject.pending) == !selection.sent.isEmpty)
      #expect(try project.files.read(TriageProject.recordings) == committed)
    }
  }

  @Test("Age counts from when an answer was recorded: --older-than asks for the older ones")
  func olderThan() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.rewriteLine(of: TriageProject.recordings, holding: #""case":"thanks""#) { line in
        TriageProject.sealed(
          line.replacing(/"recorded":"[^"]*"/, with: #""recorded":"2020-02-03T04:05:06Z""#)
        )
      }
      let outcome = try await project.sluice("record", "--older-than", "90 days")
      #expect(outcome.exitCode == 0)
      #expect(project.server.asked == ["Thanks!"])
    }
  }

  /// An invalid command line, with its message.
  private struct Mistake: CustomTestStringConvertible {
    var options: [String]
    var error: String
    var testDescription: String { options.joined(separator: " ") }
  }

  @Test(
    "Names that no suite has are all refused at once, with the nearest that there is",
    arguments: [
      Mistake(
        options: ["--case", "thank"],
        error: """
          sluice: error: no case 'thank' in the selected suites
            fix: did you mean 'thanks'?

          """
      ),
      Mistake(
        options: ["--tag", "shrot"],
        error: """
          sluice: error: no tag 'shrot' in the selected suites
            fix: did you mean 'short'?

          """
      ),
      Mistake(
        options: ["--case", "thank", "--tag", "zzzzzzzzzz"],
        error: """
          sluice: error: no case 'thank' in the selected suites
            fix: did you mean 'thanks'?
          sluice: error: no tag 'zzzzzzzzzz' in the selected suites

          """
      ),
    ]
  )
  private func unknownNames(_ mistake: Mistake) async throws {
    try await TriageProject.with { project in
      let outcome = try await project.sluice.run(["record"] + mistake.options)
      #expect(outcome.exitCode == 64)
      #expect(outcome.output == "")
      #expect(outcome.error == mistake.error)
      #expect(project.server.asked == [])
    }
  }

  @Test(
    "A wrong option is refused, and how to write it is said",
    arguments: [
      Mistake(
        options: ["--all", "--before", "2026-11-21"],
        error: "--all, --before and --older-than exclude each other."
      ),
      Mistake(
        options: ["--before", "21.11.2026"],
        error: "--before wants a day such as 2026-11-21."
      ),
      Mistake(
        options: ["--before", "2026-02-30"],
        error: "--before wants a day such as 2026-11-21."
      ),
      Mistake(
        options: ["--older-than", "a while"],
        error: "--older-than wants a number of days, such as '90 days'."
      ),
      Mistake(
        options: ["--older-than", "0 days"],
        error: "--older-than wants a number of days, such as '90 days'."
      ),
      Mistake(options: ["--max-cost", "-1"], error: "Missing value for '--max-cost <max-cost>'"),
      Mistake(options: ["--max-cost=-1"], error: "--max-cost wants US dollars, such as 0.50."),
      Mistake(options: ["--max-cost", "nan"], error: "--max-cost wants US dollars, such as 0.50."),
    ]
  )
  private func wrongOptions(_ mistake: Mistake) async throws {
    let project = try ScratchProject()
    let outcome = try await project.sluice.run(["record"] + mistake.options)
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
    #expect(
      outcome.error.hasPrefix("Error: \(mistake.error)\n"),
      "\(outcome.error)"
    )
  }

  // MARK: Output

  @Test("--dry-run says what would be sent where and at what cost, and sends and writes nothing")
  func dryRun() async throws {
    try await TriageProject.with { project in
      let unknown = try await project.sluice("record", "--dry-run")
      #expect(unknown.exitCode == 0)
      #expect(
        unknown.output == """
          triage: 4 requests, cost unknown: nothing is recorded through 'server' that
          would tell its usage
            to server: where, send, thanks, polite

          """
      )
      #expect(!project.exists("datasets/triage/recordings"))
      try await project.record()
      let again = try await project.sluice("record", "--dry-run", "--all")
      #expect(
        again.output == """
          triage: 4 requests, about $0.06500 at today's prices
            to server: where, send, thanks, polite

          """
      )
      let nothing = try await project.sluice("record", "--dry-run")
      #expect(nothing.output == "triage: nothing to send\n")
      #expect(project.server.asked == [])
      #expect(!project.exists(TriageProject.pending))
    }
  }

  @Test("What was recorded is said, and the commands that read, judge and accept it")
  func says() async throws {
    try await TriageProject.with { project in
      let outcome = try await project.sluice("record", "triage")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(
        outcome.output == """
          triage: recorded 4 of 4 answers, cost $0.06500
          PENDING: 4 recordings, until you accept or reject the set as a whole
          Next: read them, and judge them:
            sluice recordings review triage
            sluice run triage
          Then accept or reject the set:
            sluice recordings accept triage
            sluice recordings reject triage

          """
      )
    }
  }

  @Test("Where some answers do not come, the others are kept, and the command to go on is whole")
  func someFail() async throws {
    try await TriageProject.with { project in
      try await project.record()
      project.server.answer { _, message in
        if message == "Thanks!" { throw TriageProject.Failure() }
        return TriageProject.Server.usual(message)
      }
      let committed = try project.files.read(TriageProject.recordings)
      let outcome = try await project.sluice("record", "--all", "--tag", "short", "--case", "where")
      #expect(outcome.exitCode == 0)
      let failed = try await project.sluice("record", "--all", "--max-cost", "1")
      #expect(failed.exitCode == 3)
      #expect(
        failed.output == """
          triage: recorded 3 of 4 answers, cost $0.05100
          Next: fix the failures, then run:
            sluice record --all --case thanks --max-cost 1.0
          PENDING: 3 recordings, until you accept or reject the set as a whole
          Next: read them, and judge them:
            sluice recordings review
            sluice run
          Then accept or reject the set:
            sluice recordings accept
            sluice recordings reject

          """
      )
      #expect(
        failed.error == """
            thanks: the server answered 500: The stand-in could not answer.
            fix: try again later

          """
      )
      #expect(try project.files.read(TriageProject.recordings) == committed)
    }
  }

  @Test("Two suites that ask the same of one dataset have it asked once")
  func sharedDataset() async throws {
    try await TriageProject.with { project in
      let suite = try project.files.read(TriageProject.suite)
      try project.files.write(
        suite.replacing("suite: triage", with: "suite: urgent"),
        to: "prompts/urgent/suite.yaml"
      )
      try project.files.write(
        try project.files.read(TriageProject.prompt),
        to: "prompts/urgent/v1.yaml"
      )
      let outcome = try await project.sluice("record")
      #expect(outcome.exitCode == 0)
      #expect(project.server.asked.sorted() == Self.allMessages)
      #expect(try project.lines(TriageProject.ledger).first?["asked-again"] == 0)
      #expect(try await project.sluice("run").exitCode == 0)
    }
  }

  // MARK: Money

  @Test("--max-cost refuses what costs more, or nobody knows how much, before anything is sent")
  func maxCost() async throws {
    try await TriageProject.with { project in
      let unknown = try await project.sluice("record", "--max-cost", "1")
      #expect(unknown.exitCode == 64)
      #expect(
        unknown.error == """
          sluice: error: what the answers would cost is unknown, so --max-cost cannot be kept: \
          nothing is recorded through 'server' that would tell its usage
            fix: add the model to the price file, or record a case first: --case ID

          """
      )
      try await project.record()
      let high = try await project.sluice("record", "--all", "--max-cost", "0.05")
      #expect(high.exitCode == 64)
      #expect(
        high.error == """
          sluice: error: the answers would cost about $0.06500, more than $0.05000
            fix: raise --max-cost, or record less: --case ID, --tag TAG

          """
      )
      try project.files.write("{}\n", to: "prices.json")
      let unpriced = try await project.sluice("record", "--all", "--max-cost", "1")
      #expect(unpriced.exitCode == 64)
      #expect(
        unpriced.error == """
          sluice: error: what the answers would cost is unknown, so --max-cost cannot be kept: \
          the price file has no price for 'stand-in-1'
            fix: add the model to the price file, or record a case first: --case ID

          """
      )
      #expect(project.server.asked == [])
      #expect(!project.exists(TriageProject.pending))
    }
  }

  @Test("Money that is used up while recording stops it; what came is kept, and the code is 3")
  func moneyUsedUp() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.edit("sluice.yaml", replacing: "max-in-flight: 2", with: "max-in-flight: 1")
      // Answers that take more tokens than those that the forecast is made of.
      project.server.answer { _, _ in
        #"{"kind":"question","why":"It ends with a question mark, as most questions do."}"#
      }
      let outcome = try await project.sluice("record", "--all", "--max-cost", "0.07")
      #expect(outcome.exitCode == 3)
      #expect(
        outcome.output == """
          triage: recorded 3 of 4 answers, cost $0.09300
          Next: fix the failures, then run:
            sluice record --all --max-cost 0.07
          PENDING: 3 recordings, until you accept or reject the set as a whole
          Next: read them, and judge them:
            sluice recordings review
            sluice run
          Then accept or reject the set:
            sluice recordings accept
            sluice recordings reject

          """
      )
      #expect(outcome.error == "  1 not sent: --max-cost is used up\n")
    }
  }

  // MARK: Scratch

  @Test("--scratch keeps answers apart: nothing is pending, and only --scratch runs on them")
  func scratch() async throws {
    try await TriageProject.with { project in
      let outcome = try await project.sluice("record", "triage", "--scratch")
      #expect(outcome.exitCode == 0)
      #expect(
        outcome.output == """
          triage: recorded 4 of 4 answers, cost $0.06500
          Next: judge the answers, which are in reports/scratch/:
            sluice run triage --scratch

          """
      )
      #expect(!project.exists("datasets/triage/recordings"))
      #expect(try project.exchanges(TriageProject.scratch).count == 4)
      #expect(try await project.sluice("run", "triage").exitCode == 3)
      #expect(try await project.sluice("run", "triage", "--scratch").exitCode == 0)
      let review = try await project.sluice("recordings", "review")
      #expect(review.output == "No recordings are pending.\n")
    }
  }

  @Test("Scratch answers that were asked for again are no damage")
  func scratchAgain() async throws {
    try await TriageProject.with { project in
      try await project.must("record", "--scratch")
      try await project.must("record", "--scratch", "--all")
      #expect(project.server.asked.count == 8)
      #expect(try await project.sluice("run", "--scratch").exitCode == 0)
      let verify = try await project.sluice("recordings", "verify")
      #expect(verify.exitCode == 0)
      #expect(verify.error == "")
      #expect(verify.output == "4 recordings in 1 file: no secrets, nothing damaged\n")
    }
  }

  // MARK: CI

  @Test(
    "In CI recording takes both flags, and one alone is refused",
    arguments: [[], ["--network"], ["--write"], ["--scratch"]]
  )
  func refusedInCI(_ flags: [String]) async throws {
    try await TriageProject.with { project in
      var sluice = project.sluice
      sluice.environment = ["CI": "1"]
      let outcome = try await sluice.run(["record"] + flags)
      #expect(outcome.exitCode == 64)
      #expect(outcome.output == "")
      #expect(
        outcome.error == """
          sluice: error: recording is disabled in CI (the environment variable CI is set)
            fix: add --network --write if this job is meant to do that

          """
      )
      #expect(project.server.asked == [])
      #expect(try await sluice("record", "--dry-run").exitCode == 0)
    }
  }

  @Test("In CI --network --write records, and the set may be accepted with --write")
  func allowedInCI() async throws {
    try await TriageProject.with { project in
      var sluice = project.sluice
      sluice.environment = ["CI": "1"]
      #expect(try await sluice("record", "--network", "--write").exitCode == 0)
      for (command, what) in [("accept", "accepting"), ("reject", "rejecting")] {
        let refused = try await sluice("recordings", command)
        #expect(refused.exitCode == 64)
        #expect(
          refused.error == """
            sluice: error: \(what) recordings is disabled in CI (the environment variable CI is set)
              fix: add --write if this job is meant to do that

            """
        )
      }
      #expect(try await sluice("recordings", "accept", "--write").exitCode == 0)
      #expect(try await sluice("run").exitCode == 0)
    }
  }

  @Test(
    "A pending set is refused in CI by what judges, and everywhere by a baseline",
    arguments: [
      (["run"], true, "CI judges accepted recordings only"),
      (["compare", "--base", "HEAD"], true, "CI judges accepted recordings only"),
      (
        ["compare", "--prompt", "prompts/triage/v1.yaml", "--prompt", "prompts/triage/v2.yaml"],
        true, "CI judges accepted recordings only"
      ),
      (["noise"], true, "CI judges accepted recordings only"),
      (["baseline", "accept"], false, "a baseline is made of accepted recordings"),
      (["recordings", "prune"], false, "it decides what is needed"),
    ]
  )
  func pendingRefused(_ arguments: [String], onlyInCI: Bool, reason: String) async throws {
    try await TriageProject.with { project in
      try project.files.write(
        try project.files.read(TriageProject.prompt),
        to: "prompts/triage/v2.yaml"
      )
      try project.files.makeRepository()
      try await project.must("record")
      var sluice = project.sluice
      if onlyInCI {
        #expect(try await sluice.run(arguments).exitCode != 64)
        sluice.environment = ["CI": "1"]
      }
      let outcome = try await sluice.run(arguments)
      #expect(outcome.exitCode == 64)
      #expect(outcome.output == "")
      #expect(
        outcome.error == """
          datasets/triage/recordings/pending/server.jsonl: error: a pending set of recordings: \(reason)
            fix: read it with 'sluice recordings review', then accept or reject it

          """
      )
    }
  }

  @Test("Answers that nobody accepted answer here, and the run says so")
  func pendingAnswers() async throws {
    try await TriageProject.with { project in
      try await project.must("record")
      let run = try await project.sluice("run")
      #expect(run.exitCode == 0)
      #expect(run.output.contains("4 answers are pending, not accepted yet"))
    }
  }
}
