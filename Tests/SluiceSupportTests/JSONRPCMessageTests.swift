@testable import SluiceSupport
import Testing

@Suite("JSON-RPC messages")
struct JSONRPCMessageTests {
  @Test("Requests, notifications and responses are distinguished")
  func kinds() {
    let request = #"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"run"}}"#
    guard case .request("a", "tools/call", let parameters) = JSONRPCMessage(request.utf8) else {
      Issue.record("not a request")
      return
    }
    #expect(parameters == ["name": "run"])
    let notification = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
    guard case .notification("notifications/initialized", [:]) = JSONRPCMessage(notification.utf8)
    else {
      Issue.record("not a notification")
      return
    }
    guard case .response = JSONRPCMessage(#"{"jsonrpc":"2.0","id":1,"result":{}}"#.utf8) else {
      Issue.record("not a response")
      return
    }
  }

  private static let deep =
    #"{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"#
    + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}}"

  private static let wrongID =
    "'id' must be a whole number between -2^53 and 2^53, or a string of up to 200 bytes"

  static let faulty: [(line: String, fault: JSONRPCMessage.Fault)] = [
    ("", .init(-32_700, "not JSON: the text ends where a value is expected")),
    ("{", .init(-32_700, "not JSON: ")),
    ("nonsense", .init(-32_700, "not JSON: ")),
    (String(repeating: "[", count: 500), .init(-32_700, "not JSON: nested more than 128")),
    ("[]", .init(-32_600, "a message must be an object; batches are not supported")),
    ("1", .init(-32_600, "a message must be an object; batches are not supported")),
    (#"{"id":1,"method":"x"}"#, .init(id: 1, -32_600, "'jsonrpc' must be \"2.0\"")),
    (
      #"{"jsonrpc":"2.0","id":null,"method":"x"}"#,
      .init(-32_600, wrongID)
    ),
    (
      #"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#,
      .init(-32_600, wrongID)
    ),
    (
      #"{"jsonrpc":"2.0","id":{},"method":"x"}"#,
      .init(-32_600, wrongID)
    ),
    (#"{"jsonrpc":"2.0","id":9007199254740992,"method":"x"}"#, .init(-32_600, wrongID)),
    (#"{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}"#, .init(-32_600, wrongID)),
    (#"{"jsonrpc":"2.0","id":-9007199254740993,"method":"x"}"#, .init(-32_600, wrongID)),
    (#"{"jsonrpc":"2.0","id":99999999999999999999999,"method":"x"}"#, .init(-32_600, wrongID)),
    (#"{"jsonrpc":"2.0","id":1}"#, .init(id: 1, -32_600, "'method' is missing")),
    (
      #"{"jsonrpc":"2.0","id":1,"method":2}"#,
      .init(id: 1, -32_600, "'method' must be a string of up to 200 bytes")
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}"#,
      .init(id: 1, -32_600, "'params' must be an object")
    ),
    (deep, .init(id: 1, -32_600, "'params' is nested more than 32 levels deep")),
    (
      "{\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}",
      .init(-32_600, "the message is longer than 1048576 bytes")
    ),
  ]

  @Test("An invalid message has a fault with the reason", arguments: faulty)
  func invalid(line: String, fault: JSONRPCMessage.Fault) {
    guard case .invalid(let found) = JSONRPCMessage(line.utf8) else {
      Issue.record("it is valid")
      return
    }
    #expect(found.id == fault.id)
    #expect(found.code == fault.code)
    #expect(found.message.hasPrefix(String(fault.message.prefix(11))), "\(found.message)")
    if fault.code != -32_700 { #expect(found.message == fault.message) }
  }

  @Test(
    "A reply has the id of its request, digit for digit",
    arguments: [
      "0", "-1", "1764201600000", "9007199254740991", "-9007199254740991", "\"\"", "\"ü\"",
      "\"99999999999999999999999\"",
    ]
  )
  func ids(id: String) {
    let message = JSONRPCMessage(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#.utf8)
    guard case .request(let value, "ping", [:]) = message else {
      Issue.record("not a request")
      return
    }
    #expect(
      String(decoding: JSONRPCMessage.result([:], id: value), as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#
    )
  }

  @Test("Each reply is a single line")
  func answers() {
    #expect(
      String(decoding: JSONRPCMessage.result(["text": "a\nb"], id: 7), as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":7,"result":{"text":"a\nb"}}"#
    )
    #expect(
      String(
        decoding: JSONRPCMessage.refusal(.init(id: "x", -32_601, "no \"method\"")),
        as: UTF8.self
      ) == #"{"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"no \"method\""}}"#
    )
  }
}

@Suite("Bounded lines")
struct BoundedLineSplitterTests {
  @Test("Lines are the same, however the bytes are split", arguments: 1...9)
  func pieces(size: Int) {
    var splitter = BoundedLineSplitter(limit: 4)
    let bytes = Array("ab\r\n\nabcd\nabcde\nx".utf8)
    var lines: [BoundedLineSplitter.Line] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      lines += splitter.take(bytes[start..<min(bytes.count, start + size)])
    }
    if let last = splitter.finish() { lines.append(last) }
    #expect(
      lines == [
        .whole(Array("ab".utf8)), .whole([]), .whole(Array("abcd".utf8)), .tooLong,
        .whole(Array("x".utf8)),
      ]
    )
    #expect(splitter.finish() == nil)
  }

  @Test("A line without an end is also limited")
  func endless() {
    var splitter = BoundedLineSplitter(limit: 10)
    for _ in 0..<100 { #expect(splitter.take([UInt8](repeating: 0x78, count: 1_000)) == []) }
    #expect(splitter.finish() == .tooLong)
  }
}
