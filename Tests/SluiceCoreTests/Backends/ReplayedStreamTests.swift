import Foundation
import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing
import TestSupport

/// Streams that a loopback server sends in random pieces, in every form of framing.
@Suite("Streams over a network", .serialized, .timeLimit(.minutes(5)))
struct ReplayedStreamTests {
  /// A stream as a server sends it, with the expected answer.
  private struct Replay: Sendable {
    var exchange: WireSet.Exchange
    var whole: ModelResponse
    var reply: LoopbackServer.Reply
  }

  // MARK: Forms

  /// Returns the same events with other line endings, and with every kind of ignorable content
  /// between.
  static func varied(
    _ body: [UInt8],
    _ api: WireAPI,
    _ chance: inout SeededGenerator
  ) -> [UInt8] {
    let text = String(decoding: body, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    // Line endings in a JSON list are white space.
    guard let first = text.first(where: { !$0.isWhitespace }), first != "[" else { return body }
    let mark = chance.uniform() < 0.3 ? "\u{FEFF}" : ""
    let isEndKept = chance.uniform() < 0.7
    var parts: [String] = []
    if first == "{" {
      let end = ["\n", "\r\n"][chance.uniform(below: 2)]
      for line in text.components(separatedBy: "\n") where !line.isEmpty {
        if chance.uniform() < 0.1 { parts.append([end, " \(end)"][chance.uniform(below: 2)]) }
        parts.append(line + end)
      }
      let varied = mark + parts.joined()
      return Array((isEndKept ? varied : String(varied.dropLast())).utf8)
    }
    let end = ["\n", "\r\n", "\r"][chance.uniform(below: 3)]
    var between = [
      ": keepalive\n\n", ":\n", "\n", "id: 7\n", "retry: 10\n", "event: ping\n\n", "data:\n\n",
    ]
    if api == .messages { between.append("event: ping\ndata: {\"type\": \"ping\"}\n\n") }
    for block in text.components(separatedBy: "\n\n") where !block.isEmpty {
      if chance.uniform() < 0.2 { parts.append(between[chance.uniform(below: between.count)]) }
      parts.append(block.trimmingCharacters(in: .newlines) + "\n\n")
    }
    var varied = parts.joined()
    if !isEndKept { varied = varied.trimmingCharacters(in: .newlines) }
    return Array((mark + varied.replacingOccurrences(of: "\n", with: end)).utf8)
  }

  /// The bytes in pieces of random lengths, some of a single byte.
  private static func pieces(_ bytes: [UInt8], _ chance: inout SeededGenerator) -> [[UInt8]] {
    let longest = [2, 16, 64, 2_000][chance.uniform(below: 4)]
    var pieces: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      // Many small pieces would take too long.
      let limit = pieces.count < 300 ? longest : 4_000
      let end = min(bytes.count, start + 1 + chance.uniform(below: limit))
      pieces.append(Array(bytes[start..<end]))
      start = end
    }
    return pieces
  }

  /// A body as a server may send it, with an option to truncate it.
  private static func reply(
    _ body: [UInt8],
    cutAt cut: Int? = nil,
    _ chance: inout SeededGenerator
  ) -> LoopbackServer.Reply {
    // Content types are sometimes wrong.
    let type = [
      "text/event-stream", "application/json", "application/x-ndjson", "text/plain",
      "application/octet-stream",
    ][chance.uniform(below: 5)]
    let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n"
    let sent = Array(body.prefix(cut ?? body.count))
    var pieces: [[UInt8]]
    switch chance.uniform(below: 3) {
    case 0:
      pieces = [Array("\(head)\r\n".utf8)] + Self.pieces(sent, &chance)
    case 1:
      pieces = [Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8)]
      pieces += Self.pieces(sent, &chance)
    default:
      let chunks = Self.pieces(sent, &chance).map { piece in
        Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
      }
      pieces = [Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8)] + chunks
      if cut == nil { pieces.append(Array("0\r\n\r\n".utf8)) }
    }
    return .pieces(pieces, pause: 10, reset: cut != nil && chance.uniform() < 0.3)
  }

  // MARK: The network

  private static func replays(
    _ make: (WireSet.Exchange) -> LoopbackServer.Reply
  ) throws -> [Replay] {
    try WireAPI.allCases.flatMap { try WireSet.streams($0) }.map { exchange in
      Replay(
        exchange: exchange,
        whole: try WireCheck.response(exchange.body, exchange.api),
        reply: make(exchange)
      )
    }
  }

  /// The answers of a server, in the order of the streams.
  private static func answers(_ replays: [Replay]) async throws
    -> [Result<ModelResponse, BackendError>]
  {
    let server = try LoopbackServer { request in
      let body = String(decoding: request.body, as: UTF8.self)
      guard let number = body.firstMatch(of: /Stream (\d+)/).flatMap({ Int($0.1) }) else {
        return .response("400 Bad Request")
      }
      return replays[number].reply
    }
    let client = CurlHTTPClient()
    return await withTaskGroup(of: (Int, Result<ModelResponse, BackendError>).self) { group in
      for (number, replay) in replays.enumerated() {
        group.addTask {
          do throws(BackendError) {
            let definition = BackendDefinition(
              name: "server",
              kind: .model(
                VendorServer(replay.exchange.api.model).endpoint(server.origin, isStreamed: true)
              )
            )
            let backend = try definition.connectPlainly(
              client,
              surroundings: Surroundings(files: InMemoryFileSystem())
            )
            let prompt = RenderedPrompt(
              messages: [ChatMessage(role: .user, text: "Stream \(number)")]
            )
            guard let request = try? definition.request(for: prompt) else {
              throw BackendError(.invalidRequest, "no request can be made from the prompt")
            }
            let exchange = try await backend.send(request)
            return (number, .success(try ResponseReader.response(in: exchange)))
          } catch {
            return (number, .failure(error))
          }
        }
      }
      var answers: [Int: Result<ModelResponse, BackendError>] = [:]
      for await (number, answer) in group { answers[number] = answer }
      return replays.indices.map {
        answers[$0] ?? .failure(BackendError(.cancelled, "nothing came"))
      }
    }
  }

  /// Returns the answer without the parts that are specific to this exchange.
  private static func content(_ answer: ModelResponse) -> ModelResponse {
    var answer = answer
    answer.timings = ResponseTimings()
    answer.provenance = Provenance(model: answer.provenance.model)
    return answer
  }

  @Test(
    "A stream in random pieces and any form of framing gives the complete answer",
    arguments: [1, 2, 3] as [UInt64]
  )
  func pieces(seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    let replays = try Self.replays {
      Self.reply(Self.varied($0.body, $0.api, &chance), &chance)
    }
    for (replay, answer) in zip(replays, try await Self.answers(replays)) {
      switch answer {
      case .success(let answer):
        #expect(Self.content(answer) == Self.content(replay.whole), "\(replay.exchange.name)")
        // A list of events is read only when it is complete.
        let hasTimes = replay.exchange.body.first != UInt8(ascii: "[")
        if hasTimes, replay.whole.text?.isEmpty == false {
          #expect(answer.timings.firstText != nil, "\(replay.exchange.name)")
        }
      case .failure(let error):
        Issue.record("\(replay.exchange.name): \(error.kind): \(error.message)")
      }
    }
    print("ReplayedStreamTests: \(replays.count) streams in pieces, seed \(seed)")
  }

  @Test(
    "A stream whose connection is cut is lost, unless its end was received",
    arguments: [4, 5, 6] as [UInt64]
  )
  func cuts(seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    let replays = try Self.replays { exchange in
      let body = Self.varied(exchange.body, exchange.api, &chance)
      // Half of them near the end, where detection is hardest.
      let last = chance.uniform() < 0.5 ? body.count : min(body.count, 40)
      let cut = body.count - 1 - chance.uniform(below: last)
      return Self.reply(body, cutAt: cut, &chance)
    }
    var lost = 0
    for (replay, answer) in zip(replays, try await Self.answers(replays)) {
      switch answer {
      case .success(let answer):
        #expect(answer.text == replay.whole.text, "\(replay.exchange.name)")
        #expect(answer.toolCalls == replay.whole.toolCalls, "\(replay.exchange.name)")
        #expect(answer.finishReason == replay.whole.finishReason, "\(replay.exchange.name)")
      case .failure(let error):
        lost += 1
        #expect(error.canRetry, "\(replay.exchange.name): \(error.message)")
      }
    }
    print("ReplayedStreamTests: \(lost) of \(replays.count) cut streams lost, seed \(seed)")
    #expect(lost > replays.count / 2)
  }
}
