import SampleProjects
@testable import SluiceCore
import Testing

@Suite("Redaction of streams")
struct RedactedStreamTests {
  typealias Arrival = RawResponse.Arrival

  private static let secret = "correct-horse-battery"

  private func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
  }

  /// Returns the pieces of a body after redaction.
  private func redacted(_ pieces: [String], known: [String] = [secret]) -> [String] {
    var recording = Recording.fixture(body: Array(pieces.joined().utf8))
    var end = 0
    recording.exchange.response.arrivals = pieces.enumerated().map { index, piece in
      end += piece.utf8.count
      return Arrival(milliseconds: Double(index), end: end)
    }
    let response = Redaction(known: known.map { Secret($0) }).redacted(recording.exchange).exchange
      .response
    #expect(response.arrivals.map(\.milliseconds) == pieces.indices.map(Double.init))
    #expect(response.arrivals.last?.end == response.body.count)
    var start = 0
    return response.arrivals.map { arrival in
      defer { start = max(start, arrival.end) }
      return start <= arrival.end && arrival.end <= response.body.count
        ? text(response.body[start..<arrival.end]) : "out of order"
    }
  }

  /// Returns an event of a stream with a text that is not part of the answer.
  private func event(_ note: String) -> String { "data: {\"note\":\"\(note)\"}\n\n" }

  private var placeholder: String {
    let redacted = redacted([event(Self.secret)])
    return redacted[0].replacing("data: {\"note\":\"", with: "").replacing("\"}\n\n", with: "")
  }

  @Test("A stream without a secret keeps its pieces byte for byte")
  func harmless() {
    let pieces = [event("a"), "data: {\"no", "te\":\"b\"}\n", "\n", "data: [DONE]\n\n"]
    #expect(redacted(pieces) == pieces)
  }

  @Test("A secret inside an event changes only that event, whether it becomes longer or shorter")
  func within() {
    #expect(placeholder.hasPrefix("<redacted:"))
    for secret in [Self.secret, String(repeating: "longer-", count: 12), "short-one"] {
      let pieces = [event("a"), event("so \(secret)!"), event("b"), event("c")]
      let result = redacted(pieces, known: [secret])
      #expect(result.count == 4)
      #expect([result[0], result[2], result[3]] == [pieces[0], pieces[2], pieces[3]])
      #expect(result[1].hasPrefix("data: {\"note\":\"so <redacted:"))
      #expect(result[1].hasSuffix(">!\"}\n\n"))
    }
  }

  @Test(
    "A secret split between two pieces is removed from both, and other pieces are unchanged",
    arguments: 1..<21
  )
  func across(place: Int) {
    let whole = event(Self.secret)
    let cut = "data: {\"note\":\"".utf8.count + place
    let pieces = [
      event("a"), text(whole.utf8.prefix(cut)), text(whole.utf8.dropFirst(cut)), event("b"),
    ]
    let result = redacted(pieces)
    #expect(result.joined() == [event("a"), event(placeholder), event("b")].joined())
    #expect(result[0] == pieces[0])
    #expect(result[3] == pieces[3])
  }

  @Test("A body that is replaced as a whole keeps the number of its pieces")
  func whole() {
    let result = redacted(["a \(Self.secret)", " b\nc", "\nd \(Self.secret)"])
    #expect(result.joined() == "a \(placeholder) b\nc\nd \(placeholder)")
    #expect(result.count == 3)
  }

  @Test("A redacted stream is recorded and read back with the same pieces")
  func recorded() throws {
    var recording = Recording.fixture(body: Array((event("a") + event(Self.secret)).utf8))
    recording.exchange.response.arrivals = [
      Arrival(milliseconds: 1, end: 20), Arrival(milliseconds: 2, end: 40),
      Arrival(milliseconds: 3, end: recording.exchange.response.body.count),
    ]
    recording.exchange =
      Redaction(known: [Secret(Self.secret)]).redacted(recording.exchange).exchange
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    file.add(recording)
    #expect(try file.answer(recording.slot)?.response == recording.exchange.response)
    #expect(!text(file.bytes).contains(Self.secret))
  }
}
