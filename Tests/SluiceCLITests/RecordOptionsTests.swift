import TestSupport
import Foundation
import SampleProjects
import Sluice
import Testing

/// Tests of the requests that `sluice record` sends, rejects and stores.
@Suite("sluice record: what is sent", .serialized)
struct RecordOptionsTests {
  private static let allMessages = [
    "Could you send it?", "Please send it.", "Thanks!", "Where is it?",
  ]

  // MARK: Which

  /// Options of `sluice record` for a completely recorded project, with the messages that are sent.
  private struct Selection: CustomTestStringConvertible {
    var options: [String]
    var sent: [String]
    var testDescription: String { options.joined(separator: " ") }
  }

  @Test(
    "The options select which recorded answers are requested again",
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

  @Test("--older-than selects answers by the time when they were recorded")
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
    "All unknown names are refused at once, with the nearest known names",
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
    "An invalid option is refused with a hint",
    arguments: [
      Mistake(
        options: ["--all", "--before", "2026-11-21"],
        error: "--all, --before and --older-than cannot be combined."
      ),
      Mistake(
        options: ["--before", "21.11.2026"],
        error: "--before must be a day such as 2026-11-21."
      ),
      Mistake(
        options: ["--before", "2026-02-30"],
        error: "--before must be a day such as 2026-11-21."
      ),
      Mistake(
        options: ["--older-than", "a while"],
        error: "--older-than must be a number of days, such as '90 days'."
      ),
      Mistake(
        options: ["--older-than", "0 days"],
        error: "--older-than must be a number of days, such as '90 days'."
      ),
      Mistake(options: ["--max-cost", "-1"], error: "Missing value for '--max-cost <max-cost>'"),
      Mistake(
        options: ["--max-cost=-1"],
        error: "--max-cost must be an amount of US dollars, such as 0.50."
      ),
      Mistake(
        options: ["--max-cost", "nan"],
        error: "--max-cost must be an amount of US dollars, such as 0.50."
      ),
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

  @Test("--dry-run prints requests, backends and cost, and sends and writes nothing")
  func dryRun() async throws {
    try await TriageProject.with { project in
      let unknown = try await project.sluice("record", "--dry-run")
      #expect(unknown.exitCode == 0)
      #expect(
        unknown.output == """
          triage: 4 requests, cost unknown: 'server' has no recordings with a known usage
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

  @Test("record prints what was recorded and the commands to review, judge and accept it")
  func says() async throws {
    try await TriageProject.with { project in
      let outcome = try await project.sluice("record", "triage")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(
        outcome.output == """
          triage: recorded 4 of 4 answers, cost $0.06500
          PENDING: 4 recordings, until you accept or reject the whole set
          Next: read and judge them:
            sluice recordings review triage
            sluice run triage
          Then accept or reject the set:
            sluice recordings accept triage
            sluice recordings reject triage

          """
      )
    }
  }

  @Test("If some answers fail, the others are kept, and the next command repeats all options")
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
          PENDING: 3 recordings, until you accept or reject the whole set
          Next: read and judge them:
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

  @Test("Two suites with the same requests to one dataset send them once")
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

  @Test("--max-cost refuses a higher or unknown cost before anything is sent")
  func maxCost() async throws {
    try await TriageProject.with { project in
      let unknown = try await project.sluice("record", "--max-cost", "1")
      #expect(unknown.exitCode == 64)
      #expect(
        unknown.error == """
          sluice: error: the cost of the answers is unknown, so --max-cost cannot be enforced: 'server' has no recordings with a known usage
            fix: add the model to the price file, or record a single case first: --case ID

          """
      )
      try await project.record()
      let high = try await project.sluice("record", "--all", "--max-cost", "0.05")
      #expect(high.exitCode == 64)
      #expect(
        high.error == """
          sluice: error: the answers would cost about $0.06500, more than $0.05000
            fix: raise --max-cost, or record fewer cases: --case ID, --tag TAG

          """
      )
      try project.files.write("{}\n", to: "prices.json")
      let unpriced = try await project.sluice("record", "--all", "--max-cost", "1")
      #expect(unpriced.exitCode == 64)
      #expect(
        unpriced.error == """
          sluice: error: the cost of the answers is unknown, so --max-cost cannot be enforced: the price file has no price for 'stand-in-1'
            fix: add the model to the price file, or record a single case first: --case ID

          """
      )
      #expect(project.server.asked == [])
      #expect(!project.exists(TriageProject.pending))
    }
  }

  @Test("When --max-cost is used up, recording stops with code 3 and keeps the received answers")
  func moneyUsedUp() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.edit("sluice.yaml", replacing: "max-in-flight: 2", with: "max-in-flight: 1")
      // These answers take more tokens than the answers on which the forecast is based.
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
          PENDING: 3 recordings, until you accept or reject the whole set
          Next: read and judge them:
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

  @Test("--scratch stores answers separately, and only run --scratch uses them")
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

  @Test("Scratch answers that were requested again are not reported as damage")
  func scratchAgain() async throws {
    try await TriageProject.with { project in
      try await project.must("record", "--scratch")
      try await project.must("record", "--scratch", "--all")
      #expect(project.server.asked.count == 8)
      #expect(try await project.sluice("run", "--scratch").exitCode == 0)
      let verify = try await project.sluice("recordings", "verify")
      #expect(verify.exitCode == 0)
      #expect(verify.error == "")
      #expect(verify.output == "4 recordings in 1 file: no secrets, no damage\n")
    }
  }

  // MARK: CI

  @Test(
    "In CI, record needs both --network and --write",
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

  @Test("In CI, --network --write records, and accept and reject need --write")
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
    "A pending set is refused by judging commands in CI, and always by baseline accept",
    arguments: [
      (["run"], true, "CI judges only accepted recordings"),
      (["compare", "--base", "HEAD"], true, "CI judges only accepted recordings"),
      (
        ["compare", "--prompt", "prompts/triage/v1.yaml", "--prompt", "prompts/triage/v2.yaml"],
        true, "CI judges only accepted recordings"
      ),
      (["noise"], true, "CI judges only accepted recordings"),
      (["baseline", "accept"], false, "a baseline may use only accepted recordings"),
      (["recordings", "prune"], false, "pruning must know which recordings are needed"),
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
          datasets/triage/recordings/pending/server.jsonl: error: a set of recordings is pending; \(reason)
            fix: read it with 'sluice recordings review', then accept or reject it

          """
      )
    }
  }

  @Test("Outside CI, run uses pending answers and says so")
  func pendingAnswers() async throws {
    try await TriageProject.with { project in
      try await project.must("record")
      let run = try await project.sluice("run")
      #expect(run.exitCode == 0)
      #expect(run.output.contains("4 answers are pending, not accepted yet"))
    }
  }
}
