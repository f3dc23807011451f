import Foundation
@testable import Sluice
import Testing

/// Real exchanges that other projects recorded, with what the vendors' own clients read out of them.
///
/// The files are not part of this project: `SLUICE_WIRE_DIR` says where they are.
@Suite("WireTests")
struct WireTests {
  private static let variable = "SLUICE_WIRE_DIR"

  private struct Case {
    var name: String
    var status: Int
    var isStream: Bool
    var body: [UInt8]
    var expected: JSONValue
    var usage: JSONValue?
  }

  /// The chat exchanges; nil, said in words, when there is no such folder.
  private func cases() throws -> [Case]? {
    guard let folder = ProcessInfo.processInfo.environment[Self.variable], !folder.isEmpty else {
      print("WireTests: skipped, because \(Self.variable) is not set")
      return nil
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
    else {
      print("WireTests: skipped, because \(Self.variable) names no folder: \(folder)")
      return nil
    }
    func lines(_ name: String) throws -> [JSONValue] {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder).appending(path: name))
      return try data.split(separator: 0x0A).map { try JSONReader.value($0) }
    }
    func id(_ line: JSONValue) throws -> String {
      "\(try #require(line["file"]?.string)) \(try #require(line["interaction"]?.integer))"
    }
    var exchanges: [String: JSONValue] = [:]
    for line in try lines("exchanges.jsonl") { exchanges[try id(line)] = line }
    return try lines("INDEX.jsonl").filter { $0["api"] == "chat" }.map { line in
      let name = try id(line)
      let response = exchanges[name]?["response"]
      let body =
        response?["body"]?.string.map { Array($0.utf8) }
        ?? response?["body_base64"]?.string.flatMap(Base64.decode)
      return Case(
        name: name,
        status: try #require(line["status"]?.integer),
        isStream: line["stream"] == true,
        body: try #require(body, "\(name) has no body"),
        expected: try #require(line["expected"], "\(name) has no expectation"),
        usage: body.flatMap(usage)
      )
    }
  }

  /// The last usage that a body tells.
  private func usage(_ body: [UInt8]) -> JSONValue? {
    if let json = try? JSONReader.value(body) { return json["usage"] }
    var stream = EventStream()
    let events = stream.take(body) + [stream.finish()].compactMap(\.self)
    return events.compactMap { try? JSONReader.value($0.data) }.compactMap { $0["usage"] }
      .last { $0.object != nil }
  }

  private func exchange(_ body: [UInt8], cutAt cut: Int? = nil) -> Exchange {
    var exchange = Exchange(
      request: ModelRequest(backend: "wire", api: "openai-chat", model: "m", body: [:]),
      body: body,
      host: "https://wire.test",
      date: Timestamp(seconds: 0)
    )
    exchange.response.arrivals = [cut, body.count].compactMap(\.self).map {
      RawResponse.Arrival(milliseconds: Double($0), end: $0)
    }
    return exchange
  }

  @Test("Real chat completions, whole and streamed, are read as the vendors' clients read them")
  func chatCompletions() throws {
    guard let cases = try cases() else { return }
    var (answers, streams, errors) = (0, 0, 0)
    for wire in cases where wire.status == 200 {
      let exchange = exchange(wire.body)
      if let message = wire.expected.value(at: "error.message")?.string {
        let error = #expect(throws: BackendError.self, "\(wire.name)") {
          try ResponseReader.response(in: exchange)
        }
        #expect(error?.message.contains(message) == true, "\(wire.name)")
        errors += 1
      } else {
        check(try ResponseReader.response(in: exchange), wire)
        if wire.isStream { streams += 1 } else { answers += 1 }
      }
    }
    print(
      "WireTests: \(answers) answers, \(streams) streams and \(errors) errors of real servers checked"
    )
    #expect(answers + streams + errors > 0, "the folder holds no chat completion")
  }

  @Test("A real stream is read the same wherever it is cut")
  func cutStreams() throws {
    guard let cases = try cases() else { return }
    // The shortest ones, since each is read as often as it has bytes.
    let streams = cases.filter { $0.isStream && $0.status == 200 }
      .sorted { $0.body.count < $1.body.count }.prefix(8)
    var cuts = 0
    for wire in streams {
      var whole = try ResponseReader.response(in: exchange(wire.body))
      whole.timings = ResponseTimings()
      for cut in 1..<wire.body.count {
        var read = try ResponseReader.response(in: exchange(wire.body, cutAt: cut))
        read.timings = ResponseTimings()
        guard read == whole else {
          Issue.record("\(wire.name) is read otherwise when it is cut at \(cut)")
          break
        }
        cuts += 1
      }
    }
    print("WireTests: \(streams.count) streams of real servers cut at \(cuts) places")
  }

  @Test("Of a real stream that ends early there is an answer only where its end was told")
  func brokenStreams() throws {
    guard let cases = try cases() else { return }
    var broken = 0
    for wire in cases where wire.isStream && wire.status == 200 {
      let whole = try ResponseReader.response(in: exchange(wire.body))
      for share in 1...9 {
        let exchange = exchange(Array(wire.body.prefix(wire.body.count * share / 10)))
        if let read = try? ResponseReader.response(in: exchange) {
          #expect(read.text == whole.text, "\(wire.name)")
          #expect(read.toolCalls == whole.toolCalls, "\(wire.name)")
        } else {
          broken += 1
        }
      }
    }
    print("WireTests: \(broken) broken streams of real servers gave no answer")
  }

  @Test("Real errors are passed on in the servers' words, and their kinds are told apart")
  func chatErrors() throws {
    guard let cases = try cases() else { return }
    let failed = cases.filter { $0.status >= 400 }
    let kinds: [Int: BackendError.Kind] = [
      401: .badCredentials, 403: .permissionDenied, 404: .notFound, 429: .rateLimited,
      500: .serverError,
    ]
    for wire in failed {
      let error = ServerFault.refused(status: wire.status, body: wire.body, hiding: nil)
      let said = try #require(wire.expected.value(at: "error.message")?.string, "\(wire.name)")
      #expect(
        error.message.hasPrefix("the server answered \(wire.status): \(said)"),
        "\(wire.name)"
      )
      if let kind = kinds[wire.status] { #expect(error.kind == kind, "\(wire.name)") }
    }
    print("WireTests: \(failed.count) refused requests of real servers checked")
    #expect(failed.count > 0, "the folder holds no refused chat request")
  }

  private func check(_ response: ModelResponse, _ wire: Case) {
    let expected = wire.expected
    // The clients give "" for no text.
    let text = String(String.UnicodeScalarView((response.text ?? "").unicodeScalars.prefix(80)))
    #expect(text == expected["text"]?.string ?? "", "\(wire.name)")
    // The reader takes an empty reason for none.
    #expect(response.finishReason ?? "" == expected["finish_reason"]?.string ?? "", "\(wire.name)")
    if let calls = expected["tool_calls"]?.integer {
      let legacy = expected["function_call"]?.string?.isEmpty == false ? 1 : 0
      #expect(response.toolCalls.count == calls + legacy, "\(wire.name)")
      for call in response.toolCalls {
        #expect(!call.name.isEmpty, "\(wire.name)")
        let arguments = try? JSONReader.value(Array(call.arguments.utf8))
        #expect(call.arguments.isEmpty || arguments?.object != nil, "\(wire.name)")
      }
    }
    if let count = expected["n_choices"]?.integer {
      #expect(response.others.count + 1 == count, "\(wire.name)")
    }
    if let count = expected["logprob_tokens"]?.integer {
      #expect(response.logprobs.count == count, "\(wire.name)")
    }
    #expect(response.refusal == expected["refusal"]?.string, "\(wire.name)")
    #expect(response.usage?.input == expected["prompt_tokens"]?.integer, "\(wire.name)")
    #expect(response.usage?.reasoning == expected["reasoning_tokens"]?.integer, "\(wire.name)")
    // Words for cached tokens that OpenAI's client does not know.
    let cached =
      expected["cached_tokens"]?.integer ?? wire.usage?["prompt_cache_hit_tokens"]?.integer
      ?? wire.usage?["cached_tokens"]?.integer ?? wire.usage?["num_cached_tokens"]?.integer
    #expect(response.usage?.cachedInput == cached, "\(wire.name)")
    // Reasoning that the server counts beside the completion is output all the same.
    var output = expected["completion_tokens"]?.integer
    if let counted = output, let reasoning = expected["reasoning_tokens"]?.integer,
      let input = expected["prompt_tokens"]?.integer,
      wire.usage?["total_tokens"]?.integer == input + counted + reasoning
    {
      output = counted + reasoning
    }
    #expect(response.usage?.output == output, "\(wire.name)")
  }
}
