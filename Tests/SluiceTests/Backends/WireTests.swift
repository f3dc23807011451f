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
    var body: String
    var expected: JSONValue
    var usage: JSONValue?
  }

  /// The plain chat exchanges; nil, said in words, when there is no such folder.
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
    let plain = try lines("INDEX.jsonl").filter { line in
      line["api"] == "chat" && line["stream"] == false
    }
    return try plain.map { line in
      let name = try id(line)
      let body = try #require(exchanges[name]?["response"]?["body"]?.string, "\(name) has no body")
      return Case(
        name: name,
        status: try #require(line["status"]?.integer),
        body: body,
        expected: try #require(line["expected"], "\(name) has no expectation"),
        usage: (try? JSONReader.value(body))?["usage"]
      )
    }
  }

  @Test("Real chat completions are read as the vendors' clients read them")
  func chatCompletions() throws {
    guard let cases = try cases() else { return }
    var answers = 0
    var errors = 0
    for wire in cases where wire.status == 200 {
      let exchange = Exchange(
        request: ModelRequest(backend: "wire", api: "openai-chat", model: "m", body: [:]),
        body: Array(wire.body.utf8),
        host: "https://wire.test",
        date: Timestamp(seconds: 0)
      )
      if let message = wire.expected.value(at: "error.message")?.string {
        let error = #expect(throws: BackendError.self, "\(wire.name)") {
          try ResponseReader.response(in: exchange)
        }
        #expect(error?.message.contains(message) == true, "\(wire.name)")
        errors += 1
      } else {
        check(try ResponseReader.response(in: exchange), wire)
        answers += 1
      }
    }
    print("WireTests: \(answers) answers and \(errors) errors of real servers checked")
    #expect(answers + errors > 0, "the folder holds no plain chat completion")
  }

  @Test("Real errors are passed on in the servers' words")
  func chatErrors() throws {
    guard let cases = try cases() else { return }
    let failed = cases.filter { $0.status >= 400 }
    for wire in failed {
      let error = OpenAIChatResponse.error(
        status: wire.status,
        body: Array(wire.body.utf8),
        hiding: nil
      )
      let said = try #require(wire.expected.value(at: "error.message")?.string, "\(wire.name)")
      #expect(
        error.message.hasPrefix("the server answered \(wire.status): \(said)"),
        "\(wire.name)"
      )
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
