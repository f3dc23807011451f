import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

/// Tests of unmeasured times and costs, which decide nothing, and of the reports that explain why.
@Suite("Unmeasured times and costs")
struct UnmeasuredTimesTests {
  /// The way in which a project's answers were obtained.
  struct Way: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The route in the lines of the recordings.
    var route: AnswerRoute?
    var isStandIn = false
    var hasMeaninglessTimes = false
    /// The reason why times are unknown, or `nil` if they are known.
    var times: String?
    var cost: String?
    /// The cost of the first answer, if it is known.
    var firstCost = 0.0003
    var hasBatchPrices = false
  }

  private static let standIn = "the answer comes from a stand-in, not from a model"
  private static let files = "the answers came through files"
  private static let batch = "the answers came through a batch service"
  private static let noBatchPrice = "no batch price for the model"
  private static let meaningless = "times of backend 'server' are meaningless"

  static let ways = [
    Way(testDescription: "asked by Sluice"),
    Way(testDescription: "via: import", route: .import),
    Way(testDescription: "via: files", route: .files, times: files, cost: files),
    Way(testDescription: "via: batch", route: .batch, times: batch, cost: noBatchPrice),
    Way(testDescription: "a stand-in", isStandIn: true, times: standIn, cost: standIn),
    Way(testDescription: "times: meaningless", hasMeaninglessTimes: true, times: meaningless),
    Way(
      testDescription: "via: batch, with batch prices",
      route: .batch,
      times: batch,
      firstCost: 0.00015,
      hasBatchPrices: true
    ),
  ]

  /// Two prompts.
  ///
  /// The second takes three times as long and three times as many tokens.
  private func project(_ way: Way, scorer: String = "") async throws -> RecordingProject {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.suitePath,
      replacing: "prompt: v1.yaml",
      with: "prompts: [v1.yaml, v2.yaml]"
    )
    let suite = try project.text(of: RecordingProject.suitePath)
    let head = try #require(suite.firstRange(of: "gates:"))
    try project.files.write(
      Array(
        (suite[..<head.lowerBound] + scorer + """
          gates:
            - max(latency) < 1 s
            - mean(cost) <= $0.01
            - no regression in mean(latency) beyond 10%
          goals:
            - mean(latency) < 1 s

          """).utf8
      ),
      to: ProjectPath(RecordingProject.suitePath)
    )
    let prompt = try project.text(of: RecordingProject.promptPath)
    try project.files.write(
      Array(prompt.replacing("Say what", with: "Slowly say what").utf8),
      to: ProjectPath("prompts/triage/v2.yaml")
    )
    if way.hasBatchPrices {
      try project.edit(
        "prices.json",
        replacing: "}}",
        with: #", "input_cost_per_token_batches": 1e-6, "output_cost_per_token_batches": 5e-6}}"#
      )
    }
    if way.hasMeaninglessTimes {
      try project.edit(
        "sluice.yaml",
        replacing: "type: openai,",
        with: "type: openai, times: meaningless,"
      )
    }
    _ = try await project.record(
      from: RecordingHTTPClient { request throws(HTTPError) in
        var response = try RecordingProject.answer(to: request)
        if String(decoding: request.body, as: UTF8.self).contains("Slowly") {
          response.timings.total = .milliseconds(750)
          response.body = Array(
            String(decoding: response.body, as: UTF8.self)
              .replacing(#""completion_tokens":10"#, with: #""completion_tokens":900"#)
              .replacing(#""total_tokens":110"#, with: #""total_tokens":1000"#).utf8
          )
        }
        if way.isStandIn { response.headers.append(HTTPHeader("x-sluice-stand-in", "sorter")) }
        return response
      }
    )
    if let route = way.route { try mark(project, route) }
    return project
  }

  /// Sets the route of the answer in each recording.
  private func mark(_ project: RecordingProject, _ route: AnswerRoute) throws {
    let text = String(
      decoding: try project.files.read(RecordingProject.recordingsPath),
      as: UTF8.self
    )
    let lines = try text.split(separator: "\n").map { line -> [UInt8] in
      guard line.hasPrefix(#"{"schema":3,"key""#) else { return Array(line.utf8) }
      let digest = try #require(line.ranges(of: #","digest":""#).last)
      return RecordingLines.sealed(
        Array((line[..<digest.lowerBound] + #","via":"\#(route.rawValue)"}"#).utf8)
      )
    }
    try project.files.write(
      lines.flatMap { $0 + [0x0A] },
      to: RecordingProject.recordingsPath
    )
  }

  private func estimate(_ name: String, _ column: ColumnResult) throws -> Estimate {
    try #require(column.metrics.first { $0.name == name }).estimate
  }

  @Test(
    "Gates on unmeasured values have no verdict, and goals are unknown, with the reason",
    arguments: ways
  )
  func conditions(way: Way) async throws {
    let project = try await project(way)
    let column = try #require(try project.replay().suites.first?.columns.last)
    #expect(column.lost == 0)
    if let times = way.times {
      #expect(column.gates[0].verdict == .noVerdict)
      #expect(column.gates[0].explanation == "unknown: \(times)")
      #expect(column.gates[2].verdict == .noVerdict)
      #expect(column.gates[2].explanation == "unknown: \(times)")
      #expect(column.goals[0].verdict == .noVerdict)
      #expect(column.goals[0].explanation == "unknown: \(times)")
    } else {
      #expect(column.gates[0].verdict == .pass)
      #expect(column.gates[2].reason == .noBaseline)
      #expect(column.goals[0].verdict == .pass)
    }
    if let cost = way.cost {
      #expect(column.gates[1].verdict == .noVerdict)
      #expect(column.gates[1].explanation == "unknown: \(cost)")
    } else {
      #expect(column.gates[1].verdict == .pass)
    }
    for (name, fault) in [
      ("p50(latency)", way.times), ("p95(latency)", way.times), ("mean(cost)", way.cost),
      ("sum(cost)", way.cost), ("mean(tokens)", nil),
    ] {
      let estimate = try estimate(name, column)
      #expect(estimate.unknown == fault)
      #expect((estimate.value == nil) == (fault != nil))
    }
  }

  @Test("A comparison leaves out unmeasured values and gives the reason", arguments: ways)
  func comparison(way: Way) async throws {
    let project = try await project(way)
    let suite = try project.suite()
    let result = try #require(try project.replay().suites.first)
    let comparison = try SuiteComparison.compare(result, of: suite, .init())
    let changes = comparison.pairs[0].changes
    #expect(changes.contains { $0.name == "mean(latency)" } == (way.times == nil))
    #expect(changes.contains { $0.name == "p95(latency)" } == (way.times == nil))
    #expect(changes.contains { $0.name == "mean(cost)" } == (way.cost == nil))
    #expect(changes.contains { $0.name == "mean(tokens)" })
    #expect(comparison.configurations.map(\.isOnFront).contains(nil) == (way.cost != nil))
    #expect(
      comparison.unmeasuredTimes == (way.times.map { ["times of A, B unknown: \($0)"] } ?? [])
    )
    let all = ComparisonResult([comparison])
    let terminal = TerminalComparison(all, style: TerminalStyle(isColored: false)).text
    let markdown = String(decoding: ComparisonMarkdown(all).bytes, as: UTF8.self)
    let page = HTMLPageFixture(all).text
    for (report, text) in [("terminal", terminal), ("page", page)] {
      let isSaid = text.lowercased().contains("times of a, b unknown: ")
      #expect(isSaid == (way.times != nil), "\(report)")
    }
    // The Markdown shows no figures of a suite whose answers are all identical.
    #expect(markdown.contains("1 suite unchanged, with identical answers: triage."))
    #expect(try ReportSchema.compare.violations(of: ComparisonJSON(all).bytes) == [])
  }

  @Test("Reports show no unmeasured time or cost, and give the reason", arguments: ways)
  func reports(way: Way) async throws {
    let result = try await project(way).replay()
    let terminal = TerminalReport(result, style: TerminalStyle(isColored: false)).text
    #expect(terminal.contains("p50 251 ms") == (way.times == nil))
    #expect(terminal.contains("\nLatency") == (way.times != nil))
    #expect(
      (terminal.firstMatch(of: #/\n(Latency and cost|Cost) unknown: /#) != nil) == (way.cost != nil)
    )
    let json = JSONReport(result).bytes
    #expect(try ReportSchema.report.violations(of: json) == [])
    let trial = try JSONReader.value(json)
      .value(at: "suites.0.columns.0.results.0")
    #expect(trial?.value(at: "timings.total-ms") == (way.times == nil ? 250.5 : nil))
    #expect(trial?["cost"]?.number == (way.cost == nil ? way.firstCost : nil))
    let page = HTMLPageFixture(result)
    let row = try #require(try page.trials.first)
    #expect((row[11].array?[5] == 250.5) == (way.times == nil))
    #expect(page.text.contains("the times of all answers are unknown: ") == (way.times != nil))
  }

  @Test("Run logs and baselines store why values are unmeasured", arguments: ways)
  func stored(way: Way) async throws {
    let project = try await project(way)
    let result = try #require(try project.replay().suites.first)
    let log = try #require(result.log)
    let run = try LoggedRun(reading: Array(log.bytes(0..<log.count)), kind: RunLog.kind)
    let plan = try project.plan()
    let column = try #require(plan.candidates.first)
    let trials = run.trials.filter { $0.prompt == column.prompt }
    let baseline = try Baseline(
      reading: FileContents(Baseline.bytes(plan, column: column, trials: trials))
    )
    for trials in [trials, baseline.trials.map(plan.repriced)] {
      let evaluator = MetricEvaluator(trials)
      let times = evaluator.estimate(Metric(.series(.latency, .mean)))
      let costs = evaluator.estimate(Metric(.series(.cost, .mean)))
      #expect(times.value == (way.times == nil ? 750 : nil))
      #expect(times.unknown == way.times)
      #expect((costs.value == nil) == (way.cost != nil))
    }
  }

  @Test(
    "A latency scorer loses trials with unknown times, but judges a stand-in's times",
    arguments: [
      (ways[0], nil), (ways[4], nil),
      (ways[2], "the answer came through files"),
      (ways[5], "the times of its backend are meaningless"),
    ] as [(Way, String?)]
  )
  func scorers(way: Way, fault: String?) async throws {
    let project = try await project(way, scorer: "  - latency: 500 ms\n")
    let columns = try #require(try project.replay().suites.first).columns
    guard let fault else {
      #expect(columns.map(\.lost) == [0, 0])
      return
    }
    #expect(columns.map(\.lost) == [4, 4])
    guard case .lost(let loss) = columns[0].trials[0].outcome else {
      Issue.record("a trial was judged by a time that means nothing")
      return
    }
    #expect(loss.message == "latency: the time of the answer is unknown: \(fault)")
  }

  @Test("The route of answers and the meaning of times do not change request keys")
  func keys() async throws {
    var keys: Set<[String]> = []
    for way in Self.ways {
      let result = try await project(way).replay()
      keys.insert(result.suites[0].columns.flatMap(\.trials).map(\.requestKey))
    }
    #expect(keys.count == 1)
  }
}
