import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing
import TestSupport

/// Tests of runs against a server that fails in every known way.
///
/// Each trial is answered correctly, or lost for the correct reason.
@Suite("Live run on a faulty server", .serialized, .timeLimit(.minutes(5)))
struct FaultyServerTests {
  private static let caseCount = 250
  private static let kinds = ["question", "request", "other"]
  private static let ends = ["?", ".", "!"]

  /// The failure of a case's requests.
  private struct Fate: Sendable {
    var trouble: ServerTrouble
    /// The number of affected requests.
    var count: Int
  }

  /// Returns failures for a fifth of the cases, drawn from a seed.
  ///
  /// Some failures are temporary, others permanent.
  private static func fates(_ troubles: [ServerTrouble], seed: UInt64) -> [Int: Fate] {
    var chance = SeededGenerator(seed: seed)
    var fates: [Int: Fate] = [:]
    while fates.count < caseCount / 5 {
      let trouble = troubles[fates.count % troubles.count]
      fates[chance.uniform(below: caseCount)] = Fate(
        trouble: trouble,
        count: chance.uniform() < 0.5 ? 1 : .max
      )
    }
    return fates
  }

  /// Returns a project with a different answer for each case.
  private static func project(_ origin: String, _ sending: String) throws -> RecordingProject {
    let project = RecordingProject()
    let cases = (0..<caseCount).map { number in
      "- {id: case-\(number), input: {message: \"Number \(number)\(ends[number % 3])\"}, "
        + "expected: {kind: \(kinds[number % 3])}}\n"
    }
    try project.files.write(Array(cases.joined().utf8), to: ProjectPath(RecordingProject.casesPath))
    try project.edit(
      "sluice.yaml",
      replacing: "base-url: \"https://models.test/v1\", model: sorter-1",
      with: "base-url: \"\(origin)/v1\", model: sorter-1, max-in-flight: 32, \(sending)"
    )
    return project
  }

  /// Returns the case of a request, and true if it asks for a stream.
  private static func number(_ request: LoopbackServer.Request) -> (case: Int, isStreamed: Bool)? {
    guard let body = try? JSONReader.value(request.body),
      let message = body["messages"]?.array?.last?["content"]?.string,
      let number = Int(message.dropFirst("Number ".count).dropLast())
    else { return nil }
    return (number, body["stream"]?.bool == true)
  }

  private static func answer(_ number: Int) -> String { "{\"kind\":\"\(kinds[number % 3])\"}" }

  /// Returns the live backends with retries and limits, but with delays only from the server.
  private func backends(_ project: RecordingProject, _ meter: Meter) throws -> [String: any Backend]
  {
    let client = CurlHTTPClient()
    var backends: [String: any Backend] = [:]
    for definition in try project.plan().backends {
      backends[definition.name] = try definition.connect(
        client,
        surroundings: project.surroundings,
        meter: meter,
        clock: .instant()
      )
    }
    return backends
  }

  private func run(
    _ project: RecordingProject,
    _ meter: Meter = Meter(),
    goingOnWith previous: ProjectPath? = nil
  ) async throws -> [Trial] {
    let outcome = await Evaluation(try project.suite(), surroundings: project.surroundings)
      .live(try backends(project, meter), run: "r", goingOnWith: previous)
    #expect(outcome.fileError == nil)
    return try #require(outcome.result.columns.first).trials
  }

  /// Checks every trial against its expected failure.
  private func check(_ trials: [Trial], _ fates: [Int: Fate]) {
    #expect(trials.map(\.caseID) == (0..<Self.caseCount).map { "case-\($0)" })
    for (number, trial) in trials.enumerated() {
      let fate = fates[number]
      let name = fate?.trouble.name ?? "nothing"
      let isPassing = fate?.count == 1 && fate?.trouble.kind?.mayPass == true
      guard let kind = fate?.trouble.kind, !isPassing else {
        #expect(trial.outcome == .passed, "case \(number), which met \(name)")
        continue
      }
      guard case .lost(.noAnswer(let error)) = trial.outcome else {
        Issue.record("case \(number), which met \(name), is \(trial.outcome)")
        continue
      }
      #expect(error.kind == kind, "case \(number), which met \(name): \(error.message)")
      #expect(trial.output == nil)
    }
  }

  @Test(
    "With faults in a fifth of 250 cases, each is answered or lost for the correct reason",
    arguments: [1, 2]
  )
  func whole(seed: UInt64) async throws {
    let fates = Self.fates(ServerTrouble.whole, seed: seed)
    let isHealthy = Locked(false)
    let met = Locked<[Int: Int]>([:])
    let server = try LoopbackServer { request in
      guard let number = Self.number(request)?.case else { return .response("400 Bad Request") }
      let count = met.withLock { met in
        met[number, default: 0] += 1
        return met[number] ?? 0
      }
      if let fate = fates[number], count <= fate.count, !isHealthy.withLock({ $0 }) {
        return fate.trouble.reply(Self.answer(number))
      }
      return ServerTrouble.usual(Self.answer(number))
    }
    let project = try Self.project(server.origin, "timeout: 0.5, retries: 2")
    let trials = try await run(project)
    check(trials, fates)
    let lost = trials.indices.filter { trials[$0].isLost }
    #expect(!lost.isEmpty)

    // After the server has recovered, only lost trials are requested again.
    isHealthy.withLock { $0 = true }
    met.withLock { $0 = [:] }
    let log = try #require(UnfinishedRun.newest(of: ["triage"], in: project.files)?.logs["triage"])
    let meter = Meter()
    let resumed = try await run(project, meter, goingOnWith: log)
    #expect(resumed.allSatisfy { $0.outcome == .passed })
    #expect(met.withLock { $0.keys.sorted() } == lost)
    #expect(meter.count.requests == lost.count)
    #expect(UnfinishedRun.newest(of: ["triage"], in: project.files) == nil)
  }

  @Test("A failed stream falls back to a complete answer, and the fallback is counted")
  func streams() async throws {
    let fates = Self.fates(ServerTrouble.streams, seed: 3)
    let server = try LoopbackServer { request in
      guard let (number, isStreamed) = Self.number(request) else {
        return .response("400 Bad Request")
      }
      guard isStreamed else { return ServerTrouble.usual(Self.answer(number)) }
      if let fate = fates[number] { return fate.trouble.reply(Self.answer(number)) }
      return .bytesThenClose(ServerTrouble.stream(Self.answer(number)))
    }
    let project = try Self.project(
      server.origin,
      "timeout: 10, retries: 0, stream: {timeout: 1}"
    )
    let meter = Meter()
    let trials = try await run(project, meter)
    #expect(trials.map(\.outcome) == Array(repeating: .passed, count: Self.caseCount))
    #expect(meter.count.fallbacks >= fates.count)
    #expect(meter.count.requests == Self.caseCount + meter.count.fallbacks)
  }

  @Test("Without a fallback, a broken stream loses its trial, and its partial text is not used")
  func noFallback() async throws {
    // Failures that are permanent and identifiable by kind.
    let fates = Self.fates(ServerTrouble.streams, seed: 4).mapValues {
      Fate(trouble: $0.trouble, count: .max)
    }
    let server = try LoopbackServer { request in
      guard let number = Self.number(request)?.case else { return .response("400 Bad Request") }
      if let fate = fates[number] { return fate.trouble.reply(Self.answer(number)) }
      return .bytesThenClose(ServerTrouble.stream(Self.answer(number)))
    }
    let project = try Self.project(
      server.origin,
      "retries: 0, stream: {timeout: 2, fallback: false}"
    )
    check(try await run(project), fates)
  }

  @Test("If no server answers, all trials are lost quickly, without scores")
  func nobody() async throws {
    let project = try Self.project(try LoopbackServer.refusingOrigin(), "timeout: 5, retries: 3")
    let meter = Meter()
    let trials = try await run(project, meter)
    for trial in trials {
      guard case .lost(.noAnswer(let error)) = trial.outcome else {
        Issue.record("\(trial.caseID) is \(trial.outcome)")
        continue
      }
      #expect([.noConnection, .endpointDown].contains(error.kind), "\(error.message)")
    }
    // The circuit breaker skips most requests.
    #expect(meter.count.requests < Self.caseCount)
  }
}
