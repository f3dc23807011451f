import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing
import TestSupport

/// Requests to servers of every API that fail in every known way.
///
/// Each request is answered correctly, or lost for the correct reason.
@Suite("Faulty servers of each API", .serialized, .timeLimit(.minutes(5)))
struct FaultyVendorTests {
  private static let caseCount = 60

  /// The way in which answers are requested.
  enum Mode: CaseIterable, Sendable {
    case whole, streamed, streamedWithFallback
  }

  /// The failure of a case's requests.
  private struct Fate: Sendable {
    var trouble: VendorTrouble
    /// The number of affected requests.
    var count: Int
  }

  /// Returns failures for a fifth of the cases, some temporary and others permanent.
  ///
  /// Every second seed uses the failures that the previous seed did not use.
  private static func fates(_ troubles: [VendorTrouble], seed: UInt64) -> [Int: Fate] {
    var chance = SeededGenerator(seed: seed)
    var fates: [Int: Fate] = [:]
    let count = caseCount / 5
    while fates.count < count {
      let trouble = troubles[(fates.count + Int(seed) * count) % troubles.count]
      fates[chance.uniform(below: caseCount)] = Fate(
        trouble: trouble,
        count: chance.uniform() < 0.5 ? 1 : .max
      )
    }
    return fates
  }

  private static func answer(_ number: Int) -> String { "It is number \(number)." }

  private func results(
    _ server: VendorServer,
    _ mode: Mode,
    _ fates: [Int: Fate],
    _ meter: Meter
  ) async throws -> [Result<ModelResponse, BackendError>] {
    let met = Locked<[Int: Int]>([:])
    let loopback = try LoopbackServer { request in
      guard let body = try? JSONReader.value(request.body),
        let number = server.message(in: body).flatMap({ Int($0) })
      else { return .response("400 Bad Request") }
      let isStreamed =
        body["stream"]?.bool == true || request.path.contains("streamGenerateContent")
      // After a failed stream, the complete answer is available.
      let isFallback = mode == .streamedWithFallback && !isStreamed
      let count = met.withLock { met in
        if !isFallback { met[number, default: 0] += 1 }
        return met[number] ?? 0
      }
      if let fate = fates[number], count <= fate.count, !isFallback {
        return fate.trouble.reply(Self.answer(number))
      }
      return isStreamed
        ? VendorTrouble.stream(server, Self.answer(number))
        : VendorTrouble.usual(server, Self.answer(number))
    }
    let definition = BackendDefinition(
      name: "server",
      kind: .model(server.endpoint(loopback.origin, isStreamed: mode != .whole)),
      sending: SendingPolicy(
        timeout: .seconds(20),
        streamTimeout: .seconds(20),
        fallsBack: mode == .streamedWithFallback,
        retries: 2
      )
    )
    let backend = try definition.connect(
      CurlHTTPClient(),
      surroundings: Surroundings(files: InMemoryFileSystem()),
      meter: meter,
      clock: .instant()
    )
    let requests = try (0..<Self.caseCount).map { number in
      try definition.request(
        for: RenderedPrompt(messages: [ChatMessage(role: .user, text: "\(number)")])
      )
    }
    return await withTaskGroup(of: (Int, Result<ModelResponse, BackendError>).self) { group in
      for (number, request) in requests.enumerated() {
        group.addTask {
          do throws(BackendError) {
            let exchange = try await backend.send(request)
            return (number, .success(try ResponseReader.response(in: exchange)))
          } catch {
            return (number, .failure(error))
          }
        }
      }
      var all: [Int: Result<ModelResponse, BackendError>] = [:]
      for await (number, result) in group { all[number] = result }
      return requests.indices.map { all[$0] ?? .failure(BackendError(.cancelled, "lost")) }
    }
  }

  @Test(
    "With faults in a fifth of 60 requests, each is answered or lost for the correct reason",
    arguments: VendorServer.all,
    Mode.allCases
  )
  func faults(_ server: VendorServer, _ mode: Mode) async throws {
    let troubles =
      switch mode {
      case .whole: VendorTrouble.whole(server)
      case .streamed: VendorTrouble.any(server) + VendorTrouble.streams(server)
      case .streamedWithFallback: VendorTrouble.streams(server)
      }
    for seed in [0, 1] as [UInt64] {
      let fates = Self.fates(troubles, seed: seed)
      let meter = Meter()
      let results = try await results(server, mode, fates, meter)
      var lost = 0
      for (number, result) in results.enumerated() {
        let fate = fates[number]
        let name = "case \(number), which met \(fate?.trouble.name ?? "nothing")"
        let isPassing =
          fate?.trouble.kind == nil || mode == .streamedWithFallback
          || fate?.count == 1 && fate?.trouble.kind?.mayPass == true
        switch result {
        case .success(let answer):
          #expect(isPassing, "\(name)")
          #expect(answer.text == Self.answer(number), "\(name)")
          #expect(answer.ending == .done, "\(name)")
          #expect(answer.refusal == nil && answer.toolCalls.isEmpty, "\(name)")
        case .failure(let error):
          lost += 1
          #expect(!isPassing, "\(name): \(error.message)")
          #expect(error.kind == fate?.trouble.kind, "\(name): \(error.message)")
        }
      }
      #expect((lost > 0) == (mode != .streamedWithFallback))
      #expect(meter.count.requests > Self.caseCount)
    }
  }
}
