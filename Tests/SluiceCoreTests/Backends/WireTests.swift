import Foundation
@testable import SluiceCore
import Testing

/// Real exchanges recorded by other projects, with the readings of the vendors' own clients.
///
/// `SLUICE_WIRE_DIR` names their folder. Without it, a few exchanges in `Fixtures/wire` are
/// checked.
@Suite("Real exchanges of other projects")
struct WireTests {
  private func set() throws -> WireSet { try WireSet.shared.get() }

  private func report(_ check: WireCheck, _ what: String) {
    print("WireTests: \(what): \(check.counts.isEmpty ? "none" : check.summary)")
    for difference in check.differences { Issue.record("\(difference)") }
    #expect(!check.counts.isEmpty, "the folder holds none")
  }

  @Test("Every file of the set is checked, or skipped with a reason")
  func files() throws {
    let set = try set()
    for (name, reason) in set.skipped { print("WireTests: skipped \(name): \(reason)") }
    print("WireTests: \(set.exchanges.count) exchanges to check, \(set.skipped.count) skipped")
    for (name, reason) in set.unreadable { Issue.record("\(name) \(reason)") }
    #expect(!set.exchanges.isEmpty, "the folder holds no exchange")
  }

  private static func check(_ exchanges: [WireSet.Exchange]) -> WireCheck {
    var check = WireCheck()
    check.check(exchanges.filter { $0.status == 200 }, as: kind) { exchange in
      let reading = WireReading(exchange.body, exchange.api)
      // A refusal is an answer, even if the vendor calls it an error.
      if (exchange.isError || reading.unfinished != nil) && !reading.isFiltered {
        do throws(BackendError) {
          _ = try WireCheck.response(exchange.body, exchange.api)
          return ["gave an answer in spite of its error"]
        } catch {
          return reading.unfinished.map { word in
            error.canRetry && error.message.hasSuffix("its status is '\(word)'")
              ? [] : [error.message]
          } ?? WireCheck.differences(error, exchange)
        }
      }
      let response = try WireCheck.response(exchange.body, exchange.api)
      return WireCheck.differences(response, reading, exchange.api)
        + (exchange.isError ? [] : WireCheck.differences(reading, exchange))
        + WireCheck.differences(response, exchange)
    }
    return check
  }

  private static func kind(_ exchange: WireSet.Exchange) -> String {
    if exchange.isError { return "errors inside of a 200" }
    return exchange.isStream ? "streams" : "whole answers"
  }

  @Test(
    "Real answers, whole and streamed, are read as the vendors' clients read them",
    arguments: WireAPI.allCases
  )
  func answers(_ api: WireAPI) throws {
    report(Self.check(try set().exchanges.filter { $0.api == api }), api.rawValue)
  }

  @Test("Real errors keep the server's message and are classified correctly")
  func errors() throws {
    var check = WireCheck()
    let refused = try set().exchanges.filter { $0.status >= 400 }
    check.check(refused, as: { "of \($0.api.rawValue) with \($0.status)" }) { exchange in
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

  @Test("A Responses stream numbers its events without gaps, and its deltas add up to its text")
  func numbers() throws {
    var check = WireCheck()
    check.check(try WireSet.streams(.responses), as: { _ in "streams" }) { exchange in
      var reader = ResponsesReading()
      for event in WireReading.events(exchange.body) where reader.take(event, isWhole: false) {
        break
      }
      var differences: [String] = []
      if reader.numbers != Array(reader.numbers.indices) {
        differences.append("the numbers are \(reader.numbers)")
      }
      if reader.deltas != reader.reading.text {
        differences.append("the pieces make \(reader.deltas)")
      }
      return differences
    }
    report(check, "numbers of events")
  }

  @Test("A stream gives the same answer wherever it is split", arguments: WireAPI.allCases)
  func cutStreams(_ api: WireAPI) throws {
    // The shortest streams, since each is read once per byte.
    let streams = try WireSet.streams(api).sorted { $0.body.count < $1.body.count }
      .prefix(api == .chat ? 8 : 3)
    var check = WireCheck()
    check.check(Array(streams), as: { _ in "streams, cut at every byte" }) { exchange in
      var whole = try WireCheck.response(exchange.body, api)
      whole.timings = ResponseTimings()
      // For a long body, 1,000 positions are enough.
      for cut in stride(from: 1, to: exchange.body.count, by: 1 + exchange.body.count / 1_000) {
        var read = try WireCheck.response(exchange.body, api, cutAt: cut)
        read.timings = ResponseTimings()
        if read != whole { return ["is read otherwise when it is cut at \(cut)"] }
      }
      return []
    }
    report(check, "\(api.rawValue) in pieces")
  }

  /// The ends of a stream's events, for any framing.
  ///
  /// For a long body, only the first, the last and some in between, since each is read from the
  /// start.
  private func boundaries(_ body: [UInt8]) -> [Int] {
    let feed = UInt8(ascii: "\n")
    let hasBlankLines = !"{[".utf8.contains(body.first { $0 > 0x20 } ?? 0)
    let all = (1...body.count).filter { end in
      guard end > 1, body[end - 1] == feed else { return false }
      return !hasBlankLines || body[end - 2] == feed
        || body[..<end].suffix(4).elementsEqual("\r\n\r\n".utf8)
    }
    return all.enumerated().filter { index, _ in
      index < 6 || index >= all.count - 6 || index % max(1, all.count / 8) == 0
    }.map(\.element)
  }

  @Test(
    "A stream that breaks off is an error unless its ending was received, even after [DONE]",
    arguments: WireAPI.allCases
  )
  func brokenStreams(_ api: WireAPI) throws {
    var check = WireCheck()
    var (kept, broken) = (0, 0)
    check.check(try WireSet.streams(api), as: { _ in "streams, cut after events" }) { exchange in
      var differences: [String] = []
      let isJSON = "{[".utf8.contains(exchange.body.first { $0 > 0x20 } ?? 0)
      for end in [0] + boundaries(exchange.body) {
        let start = Array(exchange.body.prefix(end))
        let startReading = WireReading(start, api)
        for close in ["", "data: [DONE]\n\n", "data: [DONE] \r\n\r\n", "data: [DONE]"] {
          let body = start + close.utf8
          // After whole events, a closing one changes nothing; after JSON, it changes the text.
          let reading = isJSON && !close.isEmpty ? WireReading(body, api) : startReading
          let place = "cut at \(end), closed with '\(close)'"
          do throws(BackendError) {
            let response = try WireCheck.response(body, api)
            kept += 1
            if !reading.hasEnded {
              differences.append("\(place): gave an answer whose ending never came")
            }
            differences += WireCheck.differences(response, reading, api).map { "\(place): \($0)" }
          } catch {
            broken += 1
            if reading.hasEnded { differences.append("\(place): \(error.message)") }
            if !error.canRetry { differences.append("\(place): would not be asked again") }
          }
        }
      }
      return differences
    }
    report(check, "\(api.rawValue), broken: \(broken) without an answer, \(kept) with one")
  }

  // MARK: The check itself

  @Test("The check continues after a difference or an error, and names each")
  func goesOn() throws {
    var exchanges = try WireSet(folder: WireSet.own).exchanges.filter { !$0.isError }
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

  @Test("Texts, counts, calls and endings are all compared")
  func whole() throws {
    let text = String(repeating: "a", count: 90)
    let body = """
      {"choices":[{"message":{"content":"\(text)b","tool_calls":[{"id":"1","function":\
      {"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}],\
      "usage":{"prompt_tokens":1,"completion_tokens":2}}
      """
    let reading = WireReading(Array(body.utf8), .chat)
    let response = try WireCheck.response(Array(body.utf8), .chat)
    #expect(WireCheck.differences(response, reading, .chat) == [])
    func differences(_ edit: (inout ModelResponse) -> Void) -> [String] {
      var edited = response
      edit(&edited)
      return WireCheck.differences(edited, reading, .chat)
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

  @Test("Every part of an answer is compared, for each API", arguments: WireAPI.allCases)
  func parts(_ api: WireAPI) throws {
    let exchanges = try WireSet(folder: WireSet.own).exchanges.filter {
      $0.api == api && !$0.isError && WireReading($0.body, api).unfinished == nil
    }
    try #require(exchanges.count > 2)
    for exchange in exchanges {
      let reading = WireReading(exchange.body, api)
      let response = try WireCheck.response(exchange.body, api)
      func differences(_ edit: (inout ModelResponse) -> Void) -> Int {
        var edited = response
        edit(&edited)
        return WireCheck.differences(edited, reading, api).count
      }
      #expect(differences { _ in } == 0, "\(exchange.name)")
      #expect(differences { $0.text = ($0.text ?? "") + "c" } == 1, "\(exchange.name)")
      #expect(differences { $0.refusal = ($0.refusal ?? "") + "c" } == 1, "\(exchange.name)")
      #expect(differences { $0.finishReason = "other" } >= 1, "\(exchange.name)")
      #expect(differences { $0.ownEnding = .paused } == 1, "\(exchange.name)")
      let call = ToolCall(id: "1", name: "f", arguments: "{}")
      #expect(differences { $0.toolCalls.append(call) } == 1, "\(exchange.name)")
      let usage = response.usage ?? TokenUsage()
      for count in [
        \TokenUsage.input, \.cachedInput, \.cacheWrite, \.output, \.reasoning,
      ] as [WritableKeyPath<TokenUsage, Int?>] {
        var other = usage
        other[keyPath: count] = (usage[keyPath: count] ?? 0) + 1
        #expect(differences { $0.usage = other } == 1, "\(exchange.name)")
      }
    }
  }
}
