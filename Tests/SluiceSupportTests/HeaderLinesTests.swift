import Testing

@testable import SluiceSupport

@Suite("Header lines")
struct HeaderLinesTests {
  /// The lines of a response, as curl delivers them.
  private func lines(_ texts: [String]) -> HeaderLines {
    var lines = HeaderLines()
    for text in texts {
      let isTaken = Array(text.utf8).withUnsafeBufferPointer { lines.take($0) }
      #expect(isTaken)
    }
    return lines
  }

  @Test(
    "Headers keep their order, with lower-case names and trimmed values",
    arguments: [
      (["HTTP/1.1 200 OK\r\n", "X-B: 1\r\n", "x-A:\t2 \r\n", "\r\n"], ["x-b=1", "x-a=2"]),
      (["HTTP/1.1 200\r\n", "Empty:\r\n", "Colons: a: b\r\n", "\r\n"], ["empty=", "colons=a: b"]),
      (["HTTP/1.1 200 OK\n", "Bare: line\n", "\n"], ["bare=line"]),
      (["HTTP/1.1 200 OK\r\n", "Folded: a\r\n", "  b\r\n", "\r\n"], ["folded=a b"]),
      (["HTTP/1.1 200 OK\r\n", "no colon\r\n", "A: ü\r\n", "\r\n"], ["a=ü"]),
      (["HTTP/1.1 200 OK\r\n", "\r\n"], []),
      ([], []),
    ]
  )
  func fields(texts: [String], fields: [String]) {
    #expect(lines(texts).fields.map { "\($0.name)=\($0.value)" } == fields)
  }

  @Test("Of several responses, the last one is used")
  func lastResponse() {
    let lines = lines([
      "HTTP/1.1 100 Continue\r\n", "A: 1\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "B: 2\r\n", "\r\n",
    ])
    #expect(lines.fields == [HTTPHeader("b", "2")])
  }

  @Test("A trailer after the body is not a header")
  func trailers() {
    let lines = lines(["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n", "Trailer: 2\r\n"])
    #expect(lines.fields == [HTTPHeader("a", "1")])
  }

  @Test("Bytes that are not UTF-8 are replaced")
  func invalid() {
    var lines = HeaderLines()
    let bytes = Array("A: ".utf8) + [0xFF, 0x0D, 0x0A]
    #expect(bytes.withUnsafeBufferPointer { lines.take($0) })
    #expect(lines.fields == [HTTPHeader("a", "\u{FFFD}")])
  }

  @Test("The headers of all responses together are limited to 256 KiB")
  func limit() {
    var lines = HeaderLines()
    let line = [UInt8](repeating: 65, count: HeaderLines.limit / 2)
    let taken = (0..<3).map { _ in line.withUnsafeBufferPointer { lines.take($0) } }
    #expect(taken == [true, true, false])
  }
}
