import TestSupport
import Foundation
import SampleProjects
import Sluice
import Testing

/// Tests of the commands that review, accept and reject sets, and that check for drift.
@Suite("sluice recordings: sets", .serialized)
struct RecordingsCommandTests {
  /// A server that classifies one message differently than usual.
  private static let otherAnswer: TriageProject.Server.Answer = { _, message in
    message == "Thanks!" ? #"{"kind":"request"}"# : TriageProject.Server.usual(message)
  }

  // MARK: Reviewing

  @Test("Without a pending set, review, accept and reject do nothing")
  func nothingPending() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let committed = try project.files.read(TriageProject.recordings)
      let ledger = try project.files.read(TriageProject.ledger)
      for command in ["review", "accept", "reject"] {
        let outcome = try await project.sluice("recordings", command)
        #expect(outcome.exitCode == 0)
        #expect(outcome.error == "")
        #expect(outcome.output == "No recordings are pending.\n")
      }
      #expect(try project.files.read(TriageProject.recordings) == committed)
      #expect(try project.files.read(TriageProject.ledger) == ledger)
    }
  }

  @Test("A set of a backend that no suite names can be reviewed, accepted and rejected")
  func otherBackend() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let text = try project.files.read("sluice.yaml")
      let entry = text.replacing("backends:\n", with: "").replacing(
        "prices: prices.json\n",
        with: ""
      )
      let other = "backends:\n" + entry.replacing("  server:", with: "  other:")
      try project.files.write(text.replacing("backends:\n", with: other), to: "sluice.yaml")
      try await project.must("record", "--backend", "other", "--case", "where", "--case", "send")
      let ours = "datasets/triage/recordings/other.jsonl"
      #expect(
        try await project.must("recordings", "status").timeless == """
          \(ours)
            0 recordings · 0 in use
            2 pending
          \(TriageProject.recordings)
            4 recordings · 4 in use
            recorded DAY · N KiB

          2 files, 4 recordings and 2 pending: every request has a recording
          Next: read the pending answers:
            sluice recordings review

          """
      )
      #expect(
        try await project.must("recordings", "review", "triage") == """
          2 PENDING  triage on other  2 new
            2 of 2 pass

          ✓ send  v1  (new)
            question  Please send it.
            expected  kind: request
              + {"kind":"request"}

          ✓ where  v1  (new)
            question  Where is it?
            expected  kind: question
              + {"kind":"question"}

          PENDING: 2 answers · 2 of 2 pass
          Next: accept or reject the whole set:
            sluice recordings accept triage
            sluice recordings reject triage

          """
      )
      #expect(
        try await project.must("recordings", "accept")
          == "accepted 2 answers: \(ours)\n  commit the file with its ledger\n"
      )
      #expect(try project.exchanges(ours).count == 2)
      try await project.must("record", "--backend", "other", "--case", "where", "--all")
      #expect(
        try await project.must("recordings", "reject")
          == "rejected 1 answer: \(ours)\n  the ledger keeps a line about it\n"
      )
      #expect(try await project.must("recordings", "review") == "No recordings are pending.\n")
    }
  }

  @Test("review shows new answers in full")
  func reviewNew() async throws {
    try await TriageProject.with { project in
      try await project.must("record", "--case", "where", "--case", "send")
      let review = try await project.sluice("recordings", "review", "triage")
      #expect(review.exitCode == 0)
      #expect(review.error == "")
      #expect(
        review.output == """
          2 PENDING  triage on server  2 new
            2 of 2 pass

          ✓ send  v1  (new)
            question  Please send it.
            expected  kind: request
              + {"kind":"request"}

          ✓ where  v1  (new)
            question  Where is it?
            expected  kind: question
              + {"kind":"question"}

          PENDING: 2 answers · 2 of 2 pass
          Next: accept or reject the whole set:
            sluice recordings accept triage
            sluice recordings reject triage

          """
      )
    }
  }

  @Test("After an edit, review shows changed verdicts first, as docs/recordings.md shows")
  func reviewPage() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.edit(TriageProject.prompt, replacing: "it is.", with: "it is, in one word.")
      project.server.answer { _, message in
        switch message {
        case "Thanks!": #"{"kind":"question"}"#
        case "Could you send it?": #"{"kind":"request"}"#
        default: TriageProject.Server.usual(message)
        }
      }
      try await project.must("record")
      let output = try await project.must("recordings", "review").timeless
      let review = output.components(separatedBy: "\nPENDING:")[0]
        .replacing(#/    [a-z ]*tokens .*\n/#, with: "")
      let page = try String(
        contentsOf: ScratchProject.repository.appending(path: "docs/recordings.md"),
        encoding: .utf8
      )
      #expect(page.contains("```\n\(review)```\n"), "\(review)")
    }
  }

  @Test("Answers to the same requests are compared by field, and only different ones are shown")
  func reviewAgain() async throws {
    try await TriageProject.with { project in
      try await project.record()
      project.server.answer(Self.otherAnswer)
      try await project.must("record", "--all")
      let review = try await project.sluice("recordings", "review")
      #expect(review.exitCode == 0)
      #expect(
        review.output.timeless == """
          4 PENDING  triage on server  1 with another answer · 3 with the same answer
            2 of 4 pass · 1 newly failing

          ✓ → ✗ thanks  v1  newly failing
            question  Thanks!
            expected  kind: other
              - kind: "other"
              + kind: "request"
              output tokens 4 → 5
            scores    ✗ classification: expected other, got request

          PENDING: 4 answers · 2 of 4 pass · 1 newly failing
          Next: accept or reject the whole set:
            sluice recordings accept
            sluice recordings reject

          """
      )
    }
  }

  @Test("After an edit, answers are compared with those to the previous prompt, with the change")
  func reviewEdited() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.edit(
        TriageProject.prompt,
        replacing: "Say what kind of message it is.",
        with: "Say what kind of message it is, in one word."
      )
      project.server.answer(Self.otherAnswer)
      try await project.must("record")
      let review = try await project.sluice("recordings", "review", "--limit", "1")
      #expect(review.exitCode == 0)
      #expect(
        review.output.timeless == """
          4 PENDING  triage on server  1 with another answer · 3 with the same answer
            2 of 4 pass · 1 newly failing

          ✓ → ✗ thanks  v1  (changed: system message)  newly failing
            question  Thanks!
            expected  kind: other
              - kind: "other"
              + kind: "request"
              input tokens 10 → 13 · output tokens 4 → 5
            scores    ✗ classification: expected other, got request

          PENDING: 4 answers · 2 of 4 pass · 1 newly failing
          Next: accept or reject the whole set:
            sluice recordings accept
            sluice recordings reject

          """
      )
    }
  }

  @Test("--limit bounds the answers that are shown in full, and 0 shows all")
  func reviewLimit() async throws {
    try await TriageProject.with { project in
      try await project.must("record")
      let one = try await project.sluice("recordings", "review", "--limit", "1")
      #expect(
        one.output.hasPrefix(
          """
          4 PENDING  triage on server  4 new
            3 of 4 pass

          ✗ polite  v1  (new)
            question  Could you send it?
            expected  kind: request
              + {"kind":"question"}
            scores    ✗ classification: expected request, got question

          and 3 more: --limit 0 shows all

          PENDING: 4 answers · 3 of 4 pass
          Next: 
          """
        )
      )
      let all = try await project.sluice("recordings", "review", "--limit", "0")
      #expect(all.output.contains("\n✓ where  v1  (new)\n"))
    }
  }

  @Test("A negative --limit is an invalid command line", arguments: ["review", "diff"])
  func negativeLimit(_ command: String) async throws {
    let project = try ScratchProject()
    let outcome = try await project.sluice("recordings", command, "--limit=-1")
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.hasPrefix("Error: --limit must be 0 or more.\n"))
  }

  @Test("A set with a damaged line is reported and can only be rejected")
  func damagedPending() async throws {
    try await TriageProject.with { project in
      try await project.must("record")
      try project.rewriteLine(of: TriageProject.pending, holding: #""case":"thanks""#) { line in
        line.replacing("stand-in-1", with: "stand-in-2")
      }
      let number = try #require(
        try project.files.read(TriageProject.pending).split(separator: "\n")
          .firstIndex { $0.contains(#""case":"thanks""#) }
      )
      let error = """
        datasets/triage/recordings/pending/server.jsonl:\(number + 1):1: error: the recording was changed after it was recorded: its digest does not match
          fix: restore the line from version control, or delete it and record the answer again
        1 error

        """
      for command in ["review", "accept"] {
        let outcome = try await project.sluice("recordings", command)
        #expect(outcome.exitCode == 64)
        #expect(outcome.error == error)
        #expect(!outcome.output.contains("Next: accept"))
      }
      #expect(!project.exists(TriageProject.recordings))
      let reject = try await project.sluice("recordings", "reject")
      #expect(reject.exitCode == 0)
      #expect(!project.exists(TriageProject.pending))
    }
  }

  // MARK: Accepting and rejecting

  @Test("Accepting merges the set into the committed file and adds a line to the ledger")
  func accept() async throws {
    try await TriageProject.with { project in
      try await project.record()
      project.server.answer(Self.otherAnswer)
      try await project.must("record", "--all", "--tag", "short", "--case", "where")
      try await project.must("record", "--all", "--case", "thanks")
      try await project.must("record", "--all", "--case", "thanks")
      let outcome = try await project.sluice("recordings", "accept", "triage")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(
        outcome.output == """
          accepted 2 answers, 2 replacing older ones: \
          datasets/triage/recordings/server.jsonl
            commit the file with its ledger

          """
      )
      #expect(!project.exists(TriageProject.pending))
      #expect(try project.exchanges(TriageProject.recordings).count == 4)
      #expect(try project.files.read(TriageProject.recordings).contains(#"{\"kind\":\"request\"}"#))
      let sets = try project.sets()
      #expect(sets.map { $0["state"]?.string } == ["accepted", "accepted"])
      #expect(sets.map { $0["exchanges"]?.integer } == [4, 2])
      #expect(sets.map { $0["replaced"]?.integer } == [0, 2])
      #expect(sets.map { $0["asked-again"]?.integer } == [0, 1])
      #expect(sets[1]["suites"] == ["triage"])
      #expect(sets[1]["prompts"] == ["v1"])
      #expect(sets[1].value(at: "answered-by.0.stand-in") == "stand-in-1")
      #expect(sets[1]["closed"]?.string != nil)
      let run = try await project.sluice("run")
      #expect(run.exitCode == 0)
      #expect(run.output.contains("2 recorded sets so far, 1 answer requested more than once"))
    }
  }

  @Test("Rejecting changes nothing but the ledger, and reports count the rejected set")
  func reject() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let committed = try project.files.read(TriageProject.recordings)
      project.server.answer(Self.otherAnswer)
      try await project.must("record", "--all")
      let outcome = try await project.sluice("recordings", "reject")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(
        outcome.output == """
          rejected 4 answers: datasets/triage/recordings/server.jsonl
            the ledger keeps a line about it

          """
      )
      #expect(!project.exists(TriageProject.pending))
      #expect(try project.files.read(TriageProject.recordings) == committed)
      let sets = try project.sets()
      #expect(sets.map { $0["state"]?.string } == ["accepted", "rejected"])
      let run = try await project.sluice("run")
      #expect(run.exitCode == 0)
      #expect(run.output.contains("2 recorded sets so far, 1 rejected"))
    }
  }

  /// The stage at which the program was killed while accepting.
  enum Stop: CaseIterable {
    case afterTheFile, afterTheLedger
  }

  @Test("If accepting was killed, the next accept finishes it", arguments: Stop.allCases)
  func acceptAfterKill(_ stop: Stop) async throws {
    try await TriageProject.with { project in
      try await project.must("record")
      let pending = try project.files.read(TriageProject.pending)
      let ledger = try project.files.read(TriageProject.ledger)
      try await project.must("recordings", "accept")
      let accepted = try project.files.read(TriageProject.recordings)
      try project.files.write(pending, to: TriageProject.pending)
      if stop == .afterTheFile { try project.files.write(ledger, to: TriageProject.ledger) }
      let run = try await project.sluice("run")
      let verify = try await project.sluice("recordings", "verify")
      let isOpen = stop == .afterTheFile
      #expect(verify.exitCode == (isOpen ? 64 : 0))
      #expect(
        run.error
          == (isOpen
            ? """
            \(TriageProject.pending): warning: accepting was interrupted
              fix: finish with: sluice recordings accept

            """ : "")
      )
      #expect(
        verify.error
          == (isOpen
            ? """
            \(TriageProject.recordings): error: accepting was interrupted: the answers of the pending set are already here
              fix: finish with: sluice recordings accept
            1 error

            """ : "")
      )
      // A set that is already accepted can no longer be rejected.
      let reject = try await project.sluice("recordings", "reject")
      #expect(reject.exitCode == 64)
      #expect(reject.output == "")
      #expect(
        reject.error == """
          sluice: error: an earlier command was stopped while it accepted the set; the set's answers are already in datasets/triage/recordings/server.jsonl
            fix: finish with 'sluice recordings accept'; to reject the set, first restore that file from version control

          """
      )
      let accept = try await project.sluice("recordings", "accept")
      #expect(accept.exitCode == 0)
      #expect(accept.output.hasPrefix("accepted 4 answers"))
      #expect(!project.exists(TriageProject.pending))
      #expect(try project.files.read(TriageProject.recordings) == accepted)
      #expect(try project.lines(TriageProject.ledger).map { $0["state"]?.string } == ["accepted"])
    }
  }

  @Test("A pending set that was deleted by hand counts as rejected after the next recording")
  func removedByHand() async throws {
    try await TriageProject.with { project in
      try await project.must("record")
      try FileManager.default.removeItem(
        at: project.files.folder.appending(path: TriageProject.pending)
      )
      try await project.must("record")
      let sets = try project.sets()
      #expect(sets.map { $0["state"]?.string } == ["pending", "rejected"])
      #expect(sets.map { $0["exchanges"]?.integer } == [4, 4])
    }
  }

  // MARK: Drift

  @Test("Identical answers are not drift, with exit code 0, and nothing is written")
  func noDrift() async throws {
    try await TriageProject.with { project in
      try await project.record()
      let before = try project.files.git("hash-object", TriageProject.recordings)
      let outcome = try await project.sluice("recordings", "diff")
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(outcome.output == "4 ASKED AGAIN  triage on server  4 with the same answer\n")
      #expect(try project.files.git("hash-object", TriageProject.recordings) == before)
      #expect(!project.exists(TriageProject.pending))
      #expect(project.server.asked.count == 4)
    }
  }

  @Test("A changed answer is drift, with exit code 1")
  func drift() async throws {
    try await TriageProject.with { project in
      try await project.record()
      project.server.answer(Self.otherAnswer)
      let outcome = try await project.sluice("recordings", "diff", "triage")
      #expect(outcome.exitCode == 1)
      #expect(outcome.error == "")
      #expect(
        outcome.output.timeless == """
          4 ASKED AGAIN  triage on server  1 with another answer · 3 with the same answer

          thanks  v1
              - kind: "other"
              + kind: "request"
              output tokens 4 → 5
          Next: record the answers again:
            sluice record triage --all

          """
      )
      let others = try await project.sluice("recordings", "diff", "--case", "where")
      #expect(others.exitCode == 0)
    }
  }

  @Test("A failed request leaves drift undecided, with exit code 3")
  func driftUnknown() async throws {
    try await TriageProject.with { project in
      try await project.record()
      project.server.answer { _, message in
        if message == "Thanks!" { throw TriageProject.Failure() }
        return TriageProject.Server.usual(message)
      }
      let outcome = try await project.sluice("recordings", "diff")
      #expect(outcome.exitCode == 3)
      #expect(outcome.output == "3 ASKED AGAIN  triage on server  3 with the same answer\n")
      #expect(
        outcome.error == """
            thanks: the server answered 500: The stand-in could not answer.
            fix: try again later

          """
      )
    }
  }

  @Test("Without recordings, nothing is compared, and the exit code is 3")
  func driftOfNothing() async throws {
    try await TriageProject.with { project in
      let outcome = try await project.sluice("recordings", "diff")
      #expect(outcome.exitCode == 3)
      #expect(outcome.output == "Nothing was compared.\n")
      #expect(project.server.asked == [])
    }
  }

  @Test("When --max-cost is used up, the unsent requests are counted, and the exit code is 3")
  func driftBudget() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.edit("sluice.yaml", replacing: "max-in-flight: 2", with: "max-in-flight: 1")
      // The same answers, with spaces that cost tokens.
      project.server.answer { _, message in
        TriageProject.Server.usual(message) + String(repeating: " ", count: 60)
      }
      let outcome = try await project.sluice("recordings", "diff", "--max-cost", "0.07")
      #expect(outcome.exitCode == 3)
      #expect(
        outcome.output.timeless.hasPrefix(
          "3 ASKED AGAIN  triage on server  3 with the same answer\n"
        )
      )
      #expect(outcome.error == "  1 not sent: --max-cost is used up\n")
      #expect(project.server.asked.count == 3)
      let refused = try await project.sluice("recordings", "diff", "--max-cost", "0.01")
      #expect(refused.exitCode == 64)
      #expect(
        refused.error == """
          sluice: error: the answers would cost about $0.06500, more than $0.01000
            fix: raise --max-cost, or record fewer cases: --case ID, --tag TAG

          """
      )
    }
  }

  @Test("In CI, recordings diff needs --network")
  func driftInCI() async throws {
    try await TriageProject.with { project in
      try await project.record()
      var sluice = project.sluice
      sluice.environment = ["CI": "1"]
      let refused = try await sluice("recordings", "diff")
      #expect(refused.exitCode == 64)
      #expect(
        refused.error == """
          sluice: error: the network is disabled in CI (the environment variable CI is set)
            fix: add --network if this job is meant to do that

          """
      )
      #expect(try await sluice("recordings", "diff", "--network").exitCode == 0)
    }
  }

  // MARK: Comparing

  @Test("compare --base counts what was recorded and rejected in this change")
  func recordedInChange() async throws {
    try await TriageProject.with { project in
      try await project.record()
      try project.files.makeRepository()
      let same = try await project.sluice("compare", "--base", "HEAD")
      #expect(!same.output.contains("in this change"))
      try await project.must("record", "--all")
      try await project.must("recordings", "reject")
      try await project.must("record", "--all", "--case", "thanks")
      try await project.must("record", "--all", "--case", "thanks")
      try await project.must("recordings", "accept")
      let compared = try await project.sluice("compare", "--base", "HEAD")
      #expect(compared.exitCode == 0)
      #expect(
        compared.output.contains(
          """
            recorded in this change: 1 of 4 answers, 1 of them again for a request that
            already had a recording
            in this change: 2 recorded sets, 1 rejected, 1 answer requested more than once

          """
        )
      )
      let json = try JSONReader.value(
        Array(try project.files.read("reports/latest/compare.json").utf8)
      )
      #expect(
        json.value(at: "comparisons.0.recorded-in-this-change") == [
          "answers": 4, "added": 0, "again": 1, "cases": ["thanks"],
          "sets": ["accepted": 1, "rejected": 1, "asked-again": 1],
        ]
      )
    }
  }
}
