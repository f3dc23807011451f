import Foundation
@testable import SluiceCore
import Testing

/// Real exchanges that other projects recorded, with what the vendors' own clients read out of them.
///
/// `SLUICE_WIRE_DIR` names their folder. Without it a few exchanges of our own are checked, in
/// `Fixtures/wire`.
@Suite("WireTests")
struct WireTests {
  private static let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/wire").path

  /// The set, which all tests share: it is large.
  private static let shared = Result {
    let named = ProcessInfo.processInfo.environment["SLUICE_WIRE_DIR"] ?? ""
    return try WireSet(folder: named.isEmpty ? own : named)
  }

  private func set() throws -> WireSet { try Self.shared.get() }

  private func report(_ check: WireCheck, _ what: String) {
    print("WireTests: \(what): \(check.counts.isEmpty ? "none" : check.summary)")
    for difference in check.differences { Issue.record("\(difference)") }
    #expect(!check.counts.isEmpty, "the folder holds none")
  }

  @Test("Every file of the set is checked, or skipped by name with the reason")
  func files() throws {
    let set = try set()
    for (name, reason) in set.skipped { print("WireTests: skipped \(name): \(reason)") }
    print("WireTests: \(set.exchanges.count) exchanges to check, \(set.skipped.count) skipped")
    for (name, reason) in set.unreadable { Issue.record("\(name) \(reason)") }
    #expect(!set.exchanges.isEmpty, "the folder holds no chat completion")
  }

  private static func check(_ exchanges: [WireSet.Exchange]) -> WireCheck {
    var check = WireCheck()
    check.check(exchanges.filter { $0.status == 200 }, as: kind) { exchange in
      if exchange.expected["error"] != nil {
        do throws(BackendError) {
          _ = try WireCheck.response(exchange.body)
          return ["gave an answer in spite of its error"]
        } catch {
          return WireCheck.differences(error, exchange)
        }
      }
      let reading = WireReading(exchange.body)
      let response = try WireCheck.response(exchange.body)
      return WireCheck.differences(reading, exchange) + WireCheck.differences(response, reading)
        + WireCheck.differences(response, exchange)
    }
    return check
  }

  private static func kind(_ exchange: WireSet.Exchange) -> String {
    if exchange.expected["error"] != nil { return "errors inside of a 200" }
    return exchange.isStream ? "streams" : "whole answers"
  }

  @Test("Real chat completions, whole and streamed, are read as the vendors' clients read them")
  func chatCompletions() throws {
    report(Self.check(try set().exchanges), "chat completions")
  }

  @Test("Real errors are passed on in the servers' words, and their kinds are told apart")
  func chatErrors() throws {
    var check = WireCheck()
    check.check(try set().exchanges.filter { $0.status >= 400 }, as: { "with \($0.status)" }) {
      exchange in
      WireCheck.differences(
        ServerFault.refused(
          status: exchange.status,
          headers: exchange.headers,
          body: exchange.body,
          hiding: nil
        ),
        exchange
      )
    }
    report(check, "refused requests")
  }

  @Test("A stream is read the same wherever it is cut on its way")
  func cutStreams() throws {
    // The shortest ones, since each is read as often as it has bytes.
    let streams = try streams().sorted { $0.body.count < $1.body.count }.prefix(8)
    var check = WireCheck()
    check.check(Array(streams), as: { _ in "streams, cut at every byte" }) { exchange in
      var whole = try WireCheck.response(exchange.body)
      whole.timings = ResponseTimings()
      for cut in 1..<exchange.body.count {
        var read = try WireCheck.response(exchange.body, cutAt: cut)
        read.timings = ResponseTimings()
        if read != whole { return ["is read otherwise when it is cut at \(cut)"] }
      }
      return []
    }
    report(check, "pieces")
  }

  private func streams() throws -> [WireSet.Exchange] {
    try set().exchanges.filter {
      $0.isStream && $0.status == 200 && $0.expected["error"] == nil
    }
  }

  /// The ends of a stream's events.
  ///
  /// Of a long body the first and the last ones and some between: each is read from its start again.
  private func boundaries(_ body: [UInt8]) -> [Int] {
    let feed = UInt8(ascii: "\n")
    let all = (1...body.count).filter { end in
      guard end > 1, body[end - 1] == feed else { return false }
      return body[end - 2] == feed
        || body[..<end].suffix(4).elementsEqual("\r\n\r\n".utf8)
    }
    return all.enumerated().filter { index, _ in
      index < 6 || index >= all.count - 6 || index % max(1, all.count / 8) == 0
    }.map(\.element)
  }

  @Test(
    "A stream that breaks off is no answer unless its ending came, closed with [DONE] or not",
    arguments: ["", "data: [DONE]\n\n", "data: [DONE] \r\n\r\n", "data: [DONE]"]
  )
  func brokenStreams(close: String) throws {
    var check = WireCheck()
    var (kept, broken) = (0, 0)
    check.check(try streams(), as: { _ in "streams, cut after events" }) { exchange in
      var differences: [String] = []
      for end in [0] + boundaries(exchange.body) {
        let body = exchange.body.prefix(end) + close.utf8
        let reading = WireReading(Array(body))
        do throws(BackendError) {
          let response = try WireCheck.response(Array(body))
          kept += 1
          if reading.ending.isEmpty {
            differences.append("cut at \(end): gave an answer whose ending never came")
          }
          differences += WireCheck.differences(response, reading).map { "cut at \(end): \($0)" }
        } catch {
          broken += 1
          if !reading.ending.isEmpty { differences.append("cut at \(end): \(error.message)") }
          if !error.canRetry { differences.append("cut at \(end): would not be asked again") }
        }
      }
      return differences
    }
    report(check, "broken streams: \(broken) without an answer, \(kept) with one")
  }

  // MARK: The check itself

  @Test("The check goes on after a difference and after an error, and names each")
  func goesOn() throws {
    var exchanges = try WireSet(folder: Self.own).exchanges.filter {
      $0.status == 200 && $0.expected["error"] == nil
    }
    #expect(Self.check(exchanges).differences == [])
    let count = exchanges.count
    try #require(count > 3)
    exchanges[0].body = Array("nothing".utf8)
    var expected = exchanges[1].expected.object ?? [:]
    expected["prompt_tokens"] = 1_000_000
    exchanges[1].expected = .object(expected)
    let check = Self.check(exchanges)
    #expect(check.counts.map(\.count).reduce(0, +) == count)
    #expect(
      Set(check.differences.map { $0.prefix { $0 != "#" } }) == [
        exchanges[0].name.prefix { $0 != "#" }, exchanges[1].name.prefix { $0 != "#" },
      ]
    )
    #expect(check.differences.contains { $0.contains("threw") })
    #expect(check.differences.contains { $0.contains("prompt tokens: found") })
  }

  @Test("Whole texts are compared, and every count, call and word")
  func whole() throws {
    let text = String(repeating: "a", count: 90)
    let body = """
      {"choices":[{"message":{"content":"\(text)b","tool_calls":[{"id":"1","function":\
      {"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}],\
      "usage":{"prompt_tokens":1,"completion_tokens":2}}
      """
    let reading = WireReading(Array(body.utf8))
    let response = try WireCheck.response(Array(body.utf8))
    #expect(WireCheck.differences(response, reading) == [])
    func differences(_ edit: (inout ModelResponse) -> Void) -> [String] {
      var edited = response
      edit(&edited)
      return WireCheck.differences(edited, reading)
    }
    #expect(
      differences { $0.text = text + "c" } == ["text: found \(text)c, expected \(text)b"]
    )
    #expect(differences { $0.toolCalls[0].arguments = "[]" }.count == 1)
    #expect(differences { $0.toolCalls[0].name = "g" }.count == 1)
    #expect(differences { $0.refusal = "no" }.count == 1)
    #expect(differences { $0.finishReason = "length" }.count == 2)
    #expect(differences { $0.usage = nil }.count == 2)
    #expect(differences { $0.usage?.cacheWrite = 0 }.count == 1)
  }
}
