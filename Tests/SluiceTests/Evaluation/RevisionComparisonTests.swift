import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Two revisions of a suite")
struct RevisionComparisonTests {
  private func only(_ outcome: RevisionComparison.Outcome) throws -> ConfigurationComparison {
    try #require(outcome.comparisons.count == 1)
    return outcome.comparisons[0]
  }

  private func said(_ comparison: ConfigurationComparison) -> [String] {
    comparison.gates.map { "\($0.verdict.rawValue), \($0.reason)" }
  }

  // MARK: The prompt

  @Test("Without a change, both sides are identical, and the gates pass")
  func unchanged() async throws {
    let revisions = try TwoRevisions(cases: 60)
    try await revisions.record()
    let outcome = try revisions.compare()
    let comparison = try only(outcome)
    #expect(comparison.configurations.map(\.name) == ["v1 at main", "v1 here"])
    #expect(comparison.edits == [])
    #expect(comparison.caseCount == 60)
    #expect(comparison.pairs.map(\.comparison.isIdentical) == [true])
    #expect(comparison.disagreements.isEmpty)
    #expect(said(comparison) == ["pass, identical"])
    #expect(comparison.verdict == .pass)
    #expect(outcome.missesHere.isEmpty)
    #expect(outcome.missesThere.isEmpty)
    #expect(outcome.diagnostics == [])
  }

  @Test("A worse prompt fails the base's gates, and its cases are listed")
  func worse() async throws {
    let revisions = try TwoRevisions(cases: 100)
    try revisions.makeWorse()
    try await revisions.record(guessingWrong: 12)
    let comparison = try only(revisions.compare())
    #expect(said(comparison) == ["fail, credible-regression"])
    #expect(comparison.verdict == .fail)
    // The edit of the prompt is compared and is not listed as an edit of the suite.
    #expect(comparison.edits == [])
    #expect(comparison.disagreements.map(\.caseID) == (0..<12).map { "case-\($0)" })
    #expect(comparison.disagreements.first?.outcomes == [.passed, .failed])
    #expect(comparison.pairs[0].comparison.count(.harmful) == 12)
    let accuracy = try #require(comparison.pairs[0].changes.first)
    #expect(accuracy.name == "accuracy")
    #expect(accuracy.standing == .worse)
    #expect(accuracy.change.basis == .flips(harmful: 12, beneficial: 0))
  }

  @Test("A renamed prompt is compared with the prompt that it replaces")
  func renamed() async throws {
    let revisions = try TwoRevisions(cases: 20)
    let prompt = try revisions.here.text(of: RecordingProject.promptPath)
    try revisions.here.files.write(Array(prompt.utf8), to: ProjectPath("prompts/triage/v2.yaml"))
    try revisions.here.edit(RecordingProject.suitePath, replacing: "v1.yaml", with: "v2.yaml")
    try await revisions.record()
    let comparison = try only(revisions.compare())
    #expect(comparison.configurations.map(\.name) == ["v1 at main", "v2 here"])
    #expect(comparison.pairs[0].comparison.isIdentical)
  }

  @Test("Of several prompts, the last one is compared on both sides")
  func lastPrompt() async throws {
    let revisions = try TwoRevisions(cases: 20)
    for project in [revisions.there, revisions.here] {
      let prompt = try project.text(of: RecordingProject.promptPath)
      try project.files.write(
        Array(prompt.replacing("Say", with: "Tell").utf8),
        to: ProjectPath("prompts/triage/v0.yaml")
      )
      try project.edit(
        RecordingProject.suitePath,
        replacing: "prompt: v1.yaml",
        with: "prompts: [v0.yaml, v1.yaml]"
      )
    }
    try await revisions.record()
    let comparison = try only(revisions.compare())
    #expect(comparison.configurations.map(\.name) == ["v1 at main", "v1 here"])
    #expect(comparison.configurations.map(\.column.trials.count) == [20, 20])
  }

  // MARK: The yardstick

  /// An edit of the suite in the same change as a worse prompt.
  struct Edit: CustomTestStringConvertible, Sendable {
    var path = RecordingProject.suitePath
    var old: String
    var new: String
    var kind: YardstickEdit.Kind
    var texts: [String]

    var testDescription: String { texts.joined(separator: "; ") }
  }

  private static let gatesToEdit = """
    gates:
      - accuracy >= 95%
      - no regression in accuracy beyond 5 points
    goals:
      - accuracy >= 99%
    repeat: 1

    """

  static let edits: [Edit] = [
    Edit(
      old: "  - accuracy >= 95%\n",
      new: "  - accuracy >= 50%\n",
      kind: .gate,
      texts: ["gate removed: accuracy >= 95%", "gate added: accuracy >= 50%"]
    ),
    Edit(
      old: "beyond 5 points",
      new: "beyond 50 points",
      kind: .gate,
      texts: [
        "gate removed: no regression in accuracy beyond 5 points",
        "gate added: no regression in accuracy beyond 50 points",
      ]
    ),
    Edit(
      old: "  - accuracy >= 95%\n  - no regression in accuracy beyond 5 points\n",
      new: "  - unusable-rate <= 100%\n",
      kind: .gate,
      texts: [
        "gate removed: accuracy >= 95%",
        "gate removed: no regression in accuracy beyond 5 points",
        "gate added: unusable-rate <= 100%",
      ]
    ),
    Edit(
      old: "  - accuracy >= 99%\n",
      new: "  - accuracy >= 10%\n",
      kind: .goal,
      texts: ["goal removed: accuracy >= 99%", "goal added: accuracy >= 10%"]
    ),
    Edit(
      old: "repeat: 1\n",
      new: "on-credible-regression: warn\n",
      kind: .policy,
      texts: ["on-credible-regression: was fail, now warn"]
    ),
    Edit(
      old: "repeat: 1\n",
      new: """
        waivers:
          - {gate: accuracy >= 95%, reason: it is fine, until: 2026-12-31}
          - {gate: no regression in accuracy beyond 5 points, reason: trust me, until: 2026-12-30}

        """,
      kind: .policy,
      texts: [
        "waiver added: accuracy >= 95% until 2026-12-31: it is fine",
        "waiver added: no regression in accuracy beyond 5 points until 2026-12-30: trust me",
      ]
    ),
    Edit(
      old: "repeat: 1\n",
      new: "quarantine:\n"
        + (0..<12).map { "  - {case: case-\($0), reason: hard, until: 2026-12-31}\n" }.joined(),
      kind: .policy,
      texts: (0..<12).map { "case-\($0)" }.sorted().map {
        "quarantine added: \($0) until 2026-12-31: hard"
      }
    ),
    Edit(
      path: RecordingProject.casesPath,
      old: "{message: \"Number 0?\"}, expected: {kind: question}",
      new: "{message: \"Number 0?\"}, expected: {kind: other}",
      kind: .label,
      texts: ["1 case with another label; judged by the old label: case-0"]
    ),
    Edit(
      path: RecordingProject.casesPath,
      old: "{id: case-1,",
      new: "{id: case-1, tags: [hard], cluster: one, split: held-out,",
      kind: .slices,
      texts: ["1 case with other tags, cluster or split: case-1"]
    ),
    Edit(
      old: "classification: {path: kind, expected: kind, labels: [question, request, other]}",
      new: "json-schema: kind.schema.json",
      kind: .scorer,
      texts: [
        "scorer removed; it still judges both sides: classification",
        "scorer added: json-schema",
      ]
    ),
    Edit(
      path: "prices.json",
      old: "0.000002",
      new: "0.000001",
      kind: .prices,
      texts: ["prices changed; both sides use today's prices"]
    ),
  ]

  @Test(
    "An edit of gates, cases or scorers is listed and does not help the candidate",
    arguments: edits
  )
  func yardstick(edit: Edit) async throws {
    let revisions = try TwoRevisions(cases: 100, suite: Self.gatesToEdit)
    try revisions.makeWorse()
    try revisions.here.edit(edit.path, replacing: edit.old, with: edit.new)
    try await revisions.record(guessingWrong: 12)
    let comparison = try only(revisions.compare())
    #expect(comparison.edits == edit.texts.map { YardstickEdit(edit.kind, $0) })
    #expect(
      comparison.gates.map(\.condition.text) == [
        "accuracy >= 95%", "no regression in accuracy beyond 5 points",
      ]
    )
    #expect(said(comparison) == ["fail, not-met", "fail, credible-regression"])
    #expect(comparison.verdict == .fail)
    #expect(comparison.configurations[1].column.passed == 88)
  }

  @Test("A backend that only one side has is reported and not compared")
  func backendsOfOneSide() async throws {
    let revisions = try TwoRevisions(cases: 20)
    let other = """
      backends:
        other: {type: openai, base-url: "https://models.test/v1", model: sorter-2}
      """
    for (project, expected) in [
      (revisions.there, (added: [String](), removed: ["other"])),
      (revisions.here, (added: [String](), removed: [String]())),
    ] {
      try project.edit("sluice.yaml", replacing: "backends:", with: other)
      try project.edit(
        RecordingProject.suitePath,
        replacing: "backend: server",
        with: "backends: [server, other]"
      )
      try await revisions.record()
      let outcome = try revisions.compare()
      #expect(outcome.addedBackends == expected.added)
      #expect(outcome.removedBackends == expected.removed)
      #expect(outcome.comparisons.count == 2 - expected.removed.count)
    }
  }

  @Test("The base's waivers and quarantine apply and are not edits")
  func policyThere() async throws {
    let suite = """
      gates:
        - accuracy >= 95%
        - no regression in accuracy beyond 5 points
      waivers:
        - {gate: accuracy >= 95%, reason: soon, until: 2026-12-31}
      quarantine:
        - {case: case-0, reason: disputed, until: 2026-12-31}
      """
    let revisions = try TwoRevisions(cases: 20, suite: suite)
    try revisions.makeWorse()
    try await revisions.record(guessingWrong: 2)
    let comparison = try only(revisions.compare())
    #expect(comparison.edits == [])
    #expect(comparison.gates.map(\.verdict) == [.fail, .inconclusive])
    #expect(comparison.gates.map(\.effect) == [.pass, .inconclusive])
    #expect(comparison.pairs[0].comparison.flips.map(\.caseID) == ["case-1"])
    #expect(comparison.configurations[1].column.trials.count == 20)
  }

  @Test("A changed number of repeats is an edit, and the majority decides a case")
  func repeats() async throws {
    let revisions = try TwoRevisions(cases: 20)
    try revisions.here.edit(
      RecordingProject.suitePath,
      replacing: "backend: server",
      with: "backend: server\nrepeat: 3"
    )
    try await revisions.record()
    let comparison = try only(revisions.compare())
    #expect(comparison.edits.map(\.text) == ["repeat: was 1, now 3"])
    #expect(comparison.repetitions == 3)
    #expect(comparison.configurations.map(\.column.trials.count) == [20, 60])
    #expect(comparison.pairs[0].changes[0].change.n == 20)
    #expect(comparison.pairs[0].changes[0].change.isNothing)
  }

  @Test("A changed scorer is listed, and its current version judges both sides")
  func scorers() async throws {
    let revisions = try TwoRevisions(cases: 100)
    try revisions.makeWorse()
    try revisions.here.edit(
      RecordingProject.suitePath,
      replacing: "scorers:",
      with: "scorers:\n  - json-schema: strict.schema.json"
    )
    try revisions.here.files.write(
      Array(#"{"type": "object", "required": ["why"]}"#.utf8),
      to: ProjectPath("prompts/triage/strict.schema.json")
    )
    try revisions.here.edit(
      RecordingProject.suitePath,
      replacing: "[question, request, other]",
      with: "[question, request]"
    )
    try await revisions.record(guessingWrong: 12)
    let comparison = try only(revisions.compare())
    #expect(
      comparison.edits == [
        YardstickEdit(.scorer, "scorer changed; the new version judges both sides: classification"),
        YardstickEdit(.scorer, "scorer added: json-schema"),
      ]
    )
    // With the current schema, no answer passes on either side.
    #expect(comparison.configurations.map(\.column.passed) == [0, 0])
    #expect(comparison.pairs[0].comparison.changedScorers == [])
    let names = comparison.pairs[0].changes.map(\.name)
    #expect(names.contains("classification.invalid-label-rate"))
  }

  /// A server that gives the kind under `kind`, or as `sort` if it is asked to guess.
  private static var otherForm: RecordingHTTPClient {
    RecordingHTTPClient { request throws(HTTPError) in
      let isGuess = String(decoding: request.body, as: UTF8.self).contains("Guess what")
      return RecordingProject.completion(text: #"{"\#(isGuess ? "sort" : "kind")":"question"}"#)
    }
  }

  @Test("Where the scorers follow another form of the answers, the change cannot pass as better")
  func otherForm() async throws {
    let revisions = try TwoRevisions(cases: 60)
    try revisions.makeWorse()
    try revisions.here.edit(
      RecordingProject.suitePath,
      replacing: "{path: kind,",
      with: "{path: sort,"
    )
    for project in [revisions.there, revisions.here] {
      _ = try await project.record(from: Self.otherForm)
    }
    let comparison = try only(revisions.compare())
    #expect(comparison.configurations.map(\.column.passed) == [0, 60])
    #expect(said(comparison) == ["pass, improved"])
    #expect(comparison.rescored == RescoredBase(cases: 60, accuracy: 1))
    #expect(comparison.verdict == .inconclusive)
    let result = ComparisonResult([comparison])
    #expect(
      ComparisonHeadline(result).text == """
        The change edits the scorers and the answers (triage). With the old scorers, v1 at main \
        has accuracy 100.0%; with the new ones, 0.0% (60 cases differ). With the new scorers: \
        Prompt v1 here is better than v1 at main by 100.0 points (95% interval [88.0, 100.0]) and \
        costs the same per call.
        """
    )
  }

  @Test("Scorers that end no case otherwise, or judge identical answers, leave the verdict")
  func harmlessScorers() async throws {
    let revisions = try TwoRevisions(cases: 60)
    try revisions.here.edit(
      RecordingProject.suitePath,
      replacing: "[question, request, other]",
      with: "[question, request, other, none]"
    )
    try revisions.here.edit(
      RecordingProject.promptPath,
      replacing: "Say what",
      with: "Tell what"
    )
    try await revisions.record()
    let same = try only(revisions.compare())
    #expect(same.edits.map(\.kind) == [.scorer])
    #expect(same.rescored == nil)
    #expect(same.verdict == .pass)

    let strict = try TwoRevisions(cases: 60)
    try strict.here.edit(
      RecordingProject.suitePath,
      replacing: "{path: kind,",
      with: "{path: sort,"
    )
    try await strict.record()
    let identical = try only(strict.compare())
    #expect(identical.rescored == RescoredBase(cases: 60, accuracy: 1))
    #expect(!identical.changesScorersAndAnswers)
    #expect(identical.verdict == .pass)
  }

  @Test("A removed scorer still judges both sides")
  func scorerTakenOut() async throws {
    let suite = """
      gates:
        - accuracy >= 95%
        - invalid-label-rate <= 5%
        - no regression in invalid-label-rate beyond 5 points
      """
    let revisions = try TwoRevisions(cases: 60, suite: suite)
    try revisions.here.edit(
      RecordingProject.suitePath,
      replacing: "classification: {path: kind, expected: kind, labels: [question, request, other]}",
      with: "json-schema: kind.schema.json"
    )
    for gate in [
      "  - invalid-label-rate <= 5%\n", "  - no regression in invalid-label-rate beyond 5 points",
    ] {
      try revisions.here.edit(RecordingProject.suitePath, replacing: gate, with: "")
    }
    try await revisions.record()
    let comparison = try only(revisions.compare())
    #expect(
      comparison.edits.map(\.text) == [
        "gate removed: invalid-label-rate <= 5%",
        "gate removed: no regression in invalid-label-rate beyond 5 points",
        "scorer removed; it still judges both sides: classification",
        "scorer added: json-schema",
      ]
    )
    #expect(comparison.gates.map(\.verdict) == [.pass, .pass, .pass])
    #expect(comparison.verdict == .pass)
  }

  @Test("The metrics of a removed scorer are still measured")
  func metricsOfScorerTakenOut() async throws {
    let revisions = try TwoRevisions(cases: 60)
    try revisions.here.edit(
      RecordingProject.suitePath,
      replacing: "classification: {path: kind, expected: kind, labels: [question, request, other]}",
      with: "json-schema: kind.schema.json"
    )
    try await revisions.record()
    let comparison = try only(revisions.compare())
    #expect(
      comparison.configurations[1].column.metrics.contains {
        $0.name == "classification.invalid-label-rate"
      }
    )
  }

  @Test("If a changed scorer needs new labels, cases with changed labels are not compared")
  func labelForChangedScorer() async throws {
    let revisions = try TwoRevisions(cases: 60)
    try revisions.here.edit(
      RecordingProject.suitePath,
      replacing: "expected: kind",
      with: "expected: sort"
    )
    let cases = try revisions.here.text(of: RecordingProject.casesPath)
    try revisions.here.files.write(
      Array(cases.replacing("expected: {kind: question}", with: "expected: {sort: question}").utf8),
      to: ProjectPath(RecordingProject.casesPath)
    )
    try await revisions.record()
    let comparison = try only(revisions.compare())
    #expect(comparison.configurations[1].column.passed == 60)
    #expect(comparison.pairs[0].comparison.changedCases.count == 60)
    #expect(comparison.gates.map(\.reason) == [.mismatch])
    #expect(comparison.verdict == .noVerdict)
    #expect(comparison.disagreements.isEmpty)
  }

  @Test(
    "An added, changed or removed baseline file is listed",
    arguments: [
      (nil, "new", "added"), ("old", "new", "changed"), ("old", nil, "removed"),
    ] as [(String?, String?, String)]
  )
  func baselines(before: String?, now: String?, what: String) async throws {
    let revisions = try TwoRevisions(cases: 5)
    let path = Baseline.path(suite: "triage", backend: "server")
    for (project, text) in [(revisions.there, before), (revisions.here, now)] {
      if let text { try project.files.write(Array(text.utf8), to: path) }
    }
    try await revisions.record()
    #expect(
      try only(revisions.compare()).edits == [
        YardstickEdit(.baseline, "baseline \(what): reports/baselines/triage.server.jsonl")
      ]
    )
  }

  @Test("Both sides are priced with the current prices")
  func prices() async throws {
    let revisions = try TwoRevisions(
      cases: 10,
      suite: "gates: [no regression in mean(cost) beyond 10%]"
    )
    try revisions.here.edit("prices.json", replacing: "0.000002", with: "0.000012")
    try await revisions.record()
    let comparison = try only(revisions.compare())
    let costs = comparison.configurations.map { comparison.estimate("mean(cost)", of: $0)?.value }
    // 100 tokens in and 10 out.
    #expect(costs.map { NumberText.text($0 ?? 0, .money) } == ["$0.00130", "$0.00130"])
    #expect(said(comparison) == ["pass, identical"])
  }

  // MARK: Cases

  @Test("Changed, removed and added cases are listed and not compared")
  func cases() async throws {
    let revisions = try TwoRevisions(cases: 100)
    let path = RecordingProject.casesPath
    try revisions.here.edit(path, replacing: "Number 7?", with: "Number 777?")
    try revisions.here.edit(
      path,
      replacing: "- {id: case-9, input: {message: \"Number 9?\"}, expected: {kind: question}}\n",
      with: "- {id: fresh, input: {message: \"Number 900?\"}, expected: {kind: question}}\n"
    )
    try await revisions.record()
    let comparison = try only(revisions.compare())
    #expect(
      comparison.edits == [
        YardstickEdit(.input, "1 case with another input; not compared: case-7"),
        YardstickEdit(.cases, "1 case removed; not compared: case-9"),
        YardstickEdit(.cases, "1 case added; not compared: fresh"),
      ]
    )
    let pair = comparison.pairs[0].comparison
    #expect(pair.changedCases == ["case-7"])
    #expect(pair.removedCases == ["case-9"])
    #expect(pair.addedCases == ["fresh"])
    #expect(!pair.isIdentical)
    #expect(comparison.pairs[0].changes[0].change.n == 98)
    #expect(comparison.caseCount == 101)
  }

  @Test("If removed cases could change the outcome, there is no verdict")
  func removedCases() async throws {
    let revisions = try TwoRevisions(cases: 60)
    for number in 0..<3 {
      try revisions.here.edit(
        RecordingProject.casesPath,
        replacing: "- {id: case-\(number), input: {message: \"Number \(number)?\"}, "
          + "expected: {kind: question}}\n",
        with: ""
      )
    }
    try await revisions.record()
    let comparison = try only(revisions.compare())
    #expect(
      comparison.edits.map(\.text) == ["3 cases removed; not compared: case-0, case-1, case-2"]
    )
    #expect(said(comparison) == ["no-verdict, mismatch"])
    #expect(
      comparison.gates[0].explanation
        == "3 cases that changed or were removed could change the outcome"
    )
    #expect(comparison.verdict == .noVerdict)
  }

  @Test("A case that differs between the sides is not a disagreement")
  func changedDisagreement() async throws {
    let revisions = try TwoRevisions(cases: 20)
    try revisions.makeWorse()
    try revisions.here.edit(
      RecordingProject.casesPath,
      replacing: "\"Number 0?\"",
      with: "\"Number 00?\""
    )
    try await revisions.record(guessingWrong: 2)
    let comparison = try only(revisions.compare())
    #expect(comparison.configurations[1].column.trials[0].outcome == .failed)
    #expect(comparison.disagreements.map(\.caseID) == ["case-1"])
  }

  @Test("The order of cases is not an edit")
  func order() async throws {
    let revisions = try TwoRevisions(cases: 3)
    let lines = try revisions.here.text(of: RecordingProject.casesPath)
      .split(separator: "\n").reversed().joined(separator: "\n")
    try revisions.here.files.write(
      Array((lines + "\n").utf8),
      to: ProjectPath(RecordingProject.casesPath)
    )
    try await revisions.record()
    let comparison = try only(revisions.compare())
    #expect(comparison.edits == [])
    #expect(comparison.pairs[0].comparison.isIdentical)
  }

  // MARK: Recordings

  @Test("Missing answers on either side leave no verdict", arguments: [true, false])
  func missing(isHere: Bool) async throws {
    let revisions = try TwoRevisions(cases: 100)
    try await revisions.record()
    let project = isHere ? revisions.here : revisions.there
    let lines = try project.text(of: RecordingProject.recordingsPath.description)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains(#""case":"case-5""#) }
    try project.files.write(
      Array(lines.joined(separator: "\n").utf8),
      to: RecordingProject.recordingsPath
    )
    let outcome = try revisions.compare()
    #expect(outcome.missesHere.map(\.caseID) == (isHere ? ["case-5"] : []))
    #expect(outcome.missesThere.map(\.caseID) == (isHere ? [] : ["case-5"]))
    #expect(try only(outcome).verdict == .noVerdict)
  }

  @Test("Without recordings, there is no verdict and no figure")
  func nothingRecorded() throws {
    let revisions = try TwoRevisions(cases: 3)
    let outcome = try revisions.compare()
    let comparison = try only(outcome)
    #expect(outcome.missesHere.count == 3)
    #expect(outcome.missesThere.count == 3)
    #expect(said(comparison) == ["no-verdict, lost-trials"])
    #expect(comparison.verdict == .noVerdict)
    #expect(comparison.pairs[0].changes == [])
    #expect(comparison.configurations.map(\.isOnFront) == [nil, nil])
    #expect(comparison.configurations.map(\.costPerRightAnswer.value) == [nil, nil])
  }

  @Test("Damaged recordings are reported for the current side; on the base they count as missing")
  func damaged() async throws {
    let revisions = try TwoRevisions(cases: 3)
    try await revisions.record()
    for project in [revisions.there, revisions.here] {
      try project.files.append(Array("<<<<<<< HEAD\n".utf8), to: RecordingProject.recordingsPath)
    }
    #expect(try revisions.compare().diagnostics.count == 1)
  }

  // MARK: Backends

  @Test("If each side has a single backend, these are compared whatever their names")
  func backendRenamed() async throws {
    let revisions = try TwoRevisions(cases: 20)
    try revisions.here.edit("sluice.yaml", replacing: "server:", with: "machine:")
    try revisions.here.edit(
      RecordingProject.suitePath,
      replacing: "backend: server",
      with: "backend: machine"
    )
    try await revisions.record()
    let comparison = try only(revisions.compare())
    #expect(comparison.configurations.map(\.column.backend) == ["server", "machine"])
    #expect(
      comparison.edits.map(\.text) == ["backend removed: server", "backend added: machine"]
    )
    #expect(comparison.verdict == .pass)
  }

  @Test("Of several backends, those that both sides have are compared")
  func severalBackends() async throws {
    let revisions = try TwoRevisions(cases: 20)
    for (project, names) in [
      (revisions.there, ["server", "second"]), (revisions.here, ["second", "third"]),
    ] {
      try project.edit(
        "sluice.yaml",
        replacing: "backends:",
        with: "backends:\n"
          + ["second", "third"].map {
            "  \($0): {type: openai, base-url: \"https://models.test/v1\", model: sorter-1}"
          }.joined(separator: "\n")
      )
      try project.edit(
        RecordingProject.suitePath,
        replacing: "backend: server",
        with: "backends: [\(names.joined(separator: ", "))]"
      )
    }
    try await revisions.record()
    let comparison = try only(revisions.compare())
    #expect(comparison.configurations.map(\.column.backend) == ["second", "second"])
    #expect(comparison.edits.map(\.text) == ["backend removed: server", "backend added: third"])
    // Without a backend that both sides have, nothing is compared.
    try revisions.there.edit(
      RecordingProject.suitePath,
      replacing: "[server, second]",
      with: "[server]"
    )
    #expect(try revisions.compare().comparisons.isEmpty)
  }

  // MARK: Edges

  @Test("A suite without gates has no verdict", arguments: [1, 5])
  func noGates(cases: Int) async throws {
    let revisions = try TwoRevisions(cases: cases, suite: "goals: [accuracy >= 90%]")
    try await revisions.record()
    let comparison = try only(revisions.compare())
    #expect(comparison.gates == [])
    #expect(comparison.verdict == .noVerdict)
  }

  @Test(
    "Rates use the margin of the base's gate, or the given margin",
    arguments: [(nil, 0.05), (0.2, 0.2), (0.99, 0.99)] as [(Double?, Double)]
  )
  func margins(margin: Double?, used: Double) async throws {
    let revisions = try TwoRevisions(cases: 5)
    try revisions.here.edit(RecordingProject.suitePath, replacing: "5 points", with: "9 points")
    try await revisions.record()
    let comparison = try only(revisions.compare(margin: margin))
    #expect(comparison.margin == used)
    #expect(comparison.pairs[0].changes[0].change.margin == used)
    // The gate keeps its own margin.
    #expect(comparison.gates[0].change?.margin == 0.05)
  }
}
