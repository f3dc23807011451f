import SluiceStatistics
import SluiceSupport
import Testing

@Suite("JSON members")
struct JSONMembersTests {
  /// Returns the found members as texts, after checking that each range is inside the text.
  private func members(_ bytes: [UInt8]) -> [String] {
    // An exact allocation, so that a sanitizer detects reads beyond it.
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: bytes)
    let text = UnsafeRawBufferPointer(copy)
    var found: [String] = []
    JSONMembers.forEach(text) { name, value in
      #expect(value.lowerBound >= 0 && value.upperBound <= text.count && !value.isEmpty)
      found.append(
        "\(String(decoding: name, as: UTF8.self))=\(String(decoding: text[value], as: UTF8.self))"
      )
      return true
    }
    return found
  }

  private func members(_ text: String) -> [String] { members(Array(text.utf8)) }

  @Test(
    "Members are found in order, with the text of their values",
    arguments: [
      ("{}", []), (#"{"a":1}"#, ["a=1"]), (#" {"a":1}"#, []),
      (#"{"a":1,"b":"x","c":null,"d":true}"#, ["a=1", #"b="x""#, "c=null", "d=true"]),
      ("{ \"a\" : [1, {\"b\": 2}] ,\n\t\"c\" : {} }", [#"a=[1, {"b": 2}]"#, "c={}"]),
      (
        #"{"a":"}","b":"\"","c":"\\","d":"\\\"]"}"#,
        [#"a="}""#, #"b="\"""#, #"c="\\""#, #"d="\\\"]""#]
      ),
      (#"{"":1,"\"":2}"#, ["=1", #"\"=2"#]), (#"{"a":{"a":{"a":"{"}}}"#, [#"a={"a":{"a":"{"}}"#]),
      (#"{"a":-1.5e3,"a":2}"#, ["a=-1.5e3", "a=2"]),
    ]
  )
  func found(text: String, expected: [String]) {
    #expect(members(text) == expected)
  }

  @Test("The first member with a name is found, even if the text after it is truncated")
  func value() {
    let text = Array(#"{"b":1,"a":[2],"a":3,"#.utf8)
    let place = text.withUnsafeBytes { JSONMembers.value("a", in: $0) }
    #expect(place.map { Array(text[$0]) } == Array("[2]".utf8))
    #expect(text.withUnsafeBytes { JSONMembers.value("c", in: $0) } == nil)
    #expect([UInt8]().withUnsafeBytes { JSONMembers.value("c", in: $0) } == nil)
  }

  @Test("The iteration stops if the closure says so")
  func stopped() {
    var count = 0
    Array(#"{"a":1,"b":2}"#.utf8).withUnsafeBytes { text in
      JSONMembers.forEach(text) { _, _ in
        count += 1
        return false
      }
    }
    #expect(count == 1)
  }

  @Test("A truncated text gives fewer members, and nothing beyond the end is read")
  func cut() {
    let text = Array(#"{"a":"x\"y","b":[1,{"c":"]"}],"d":{"e":null},"f":12}"#.utf8)
    let whole = members(text)
    #expect(whole.count == 4)
    for end in text.indices {
      let found = members(Array(text[..<end]))
      // A truncated number can look complete.
      #expect(found.dropLast() == whole.prefix(max(0, found.count - 1)))
    }
  }

  @Test("Any bytes are read without a hang and without access beyond the end")
  func hostile() {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array("{}[]\",:\\ a1\u{0}\n".utf8)
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...24, using: &generator)
      let bytes = (0..<count).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      }
      _ = members([UInt8(ascii: "{")] + bytes)
      _ = members(bytes)
    }
    for text in [
      #"{"a":}"#, #"{"a""#, #"{"a"#, #"{"a":"#, #"{"a":"\"#, #"{"a":[}"#, "{,,", #"{"a":1,,"b":2}"#,
      #"{"a" 1}"#, "{\"\\", "{\"a\":[[[[", "{\"a\":\"\\\\\\", #"{a:1}"#,
    ] {
      _ = members(text)
    }
  }
}
