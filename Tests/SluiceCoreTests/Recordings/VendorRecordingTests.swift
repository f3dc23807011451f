import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Recordings of every API, written and read back.
@Suite("Recordings of vendors' APIs")
struct VendorRecordingTests {
  private static let question = String(repeating: "Where is the parcel? ", count: 20)

  private func recording(
    _ server: VendorServer,
    isStreamed: Bool,
    repetition: Int = 1
  ) throws -> Recording {
    let request = try server.endpoint("https://models.test/v1", isStreamed: isStreamed).request(
      for: RenderedPrompt(
        messages: [
          ChatMessage(role: .system, text: String(repeating: "Be brief. ", count: 20)),
          ChatMessage(role: .user, text: Self.question),
        ],
        parameters: ["temperature": 0]
      ),
      backend: "server"
    )
    let text = "It is “here”. 🙂"
    let body =
      isStreamed ? Array(server.stream(text).utf8) : JSONWriter.line(server.whole(text))
    var recording = Recording.fixture(body: body, repetition: repetition)
    recording.exchange.request = request
    recording.key = RequestIdentity.key(of: request)
    if isStreamed {
      // A piece may end within a character.
      recording.exchange.response.arrivals = stride(from: 7, to: body.count + 7, by: 7).map {
        RawResponse.Arrival(milliseconds: Double($0) / 4, end: min($0, body.count))
      }
    }
    return recording
  }

  @Test(
    "A recording of each API is read back with the same key, request and answer",
    arguments: VendorServer.all,
    [false, true]
  )
  func roundTrip(_ server: VendorServer, isStreamed: Bool) throws {
    let recording = try recording(server, isStreamed: isStreamed)
    let (line, parts) = RecordingLines.line(of: recording)
    let read = try line.withUnsafeBytes { line in
      try RecordingLines.recording(line) { digest in
        parts[digest].flatMap { try? JSONReader.value($0) }
      }
    }
    #expect(read == recording)
    #expect(RequestIdentity.key(of: read.exchange.request) == recording.key)
    let answer = try ResponseReader.response(in: read.exchange)
    #expect(answer == (try ResponseReader.response(in: recording.exchange)))
    #expect(answer.text == "It is “here”. 🙂")
    #expect(answer.ending == .done)
    #expect(answer.usage?.input == (server.api == .chatCompletions && isStreamed ? nil : 100))
    #expect((answer.timings.firstText != nil) == isStreamed)
  }

  @Test("Requests for the same messages share their part lines", arguments: VendorServer.all)
  func sharedParts(_ server: VendorServer) throws {
    let whole = RecordingLines.line(of: try recording(server, isStreamed: false)).parts
    let again = RecordingLines.line(of: try recording(server, isStreamed: false, repetition: 2))
    let streamed = RecordingLines.line(of: try recording(server, isStreamed: true)).parts
    #expect(Set(again.parts.keys) == Set(whole.keys))
    // The long texts of messages are stored once; the streaming setting belongs to another frame.
    func messages(_ parts: [String: [UInt8]]) -> [String: [UInt8]] {
      parts.filter { _, value in
        let text = String(decoding: value, as: UTF8.self)
        return text.contains("Where is the parcel?") && !text.contains("\"api\"")
      }
    }
    #expect(messages(whole).count == 1)
    #expect(messages(streamed) == messages(whole))
    #expect(
      !whole.values.contains { value in
        let text = String(decoding: value, as: UTF8.self)
        return text.contains("Where is the parcel?") && text.contains("\"api\"")
      }
    )
  }

  @Test("Keys differ between APIs, and between streamed and whole requests")
  func keys() throws {
    let keys = try VendorServer.all.flatMap { server in
      try [false, true].map { try recording(server, isStreamed: $0).key }
    }
    #expect(Set(keys).count == 10)
  }
}
