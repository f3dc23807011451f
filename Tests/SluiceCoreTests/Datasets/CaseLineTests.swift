@testable import SluiceCore
import Testing

@Suite("Case line")
struct CaseLineTests {
  private static let first =
    #"{"id":"a","tags":["x"],"input":{"text":"Hello","who":"you"},"expected":{"kind":"fan"}}"#

  private static func read(_ line: String, _ repeated: inout CaseLine.Repeated) -> CaseLine? {
    Array(line.utf8).withUnsafeBufferPointer { CaseLine($0, &repeated) }
  }

  @Test(
    "A line gives the same case, whatever line precedes it",
    arguments: [
      first, #"{"id":"b","input":{"text":"Bye","who":"me"},"expected":{"kind":"spam"}}"#,
      #"{ "id" : "b" , "tags" : [ "x" ] , "input" : { "text" : "Bye" , "who" : "me" } }"#,
      #"{"id":"b","input":{"who":"me","text":"Bye"},"expected":{"kind":"fan"}}"#,
      #"{"id":"b","input":{"text":"\"\\\n\t\u0041\/é","who":"me"},"expected":{"kind":"fan"} }"#,
      #"{"id":"b","input":{"text":"\"\\\n\t","who":"me"},"expected":{ "kind":"fan"}}"#,
      #"{"id":"b","input":{"text":"","who":"me"}}"#, #"{"id":"b","input":{"text":"Bye"}}"#,
      #"{"id":"b","input":{"text":"Bye","who":"me","more":"x"}}"#,
      #"{"id":"b","input":{"text":1,"who":null}}"#, #"{"id":"b","input":{}}"#,
    ]
  )
  func repeated(line: String) throws {
    var none = CaseLine.Repeated()
    var some = CaseLine.Repeated()
    let alone = try #require(Self.read(line, &none))
    _ = try #require(Self.read(Self.first, &some))
    for _ in 0..<2 {
      let read = try #require(Self.read(line, &some))
      #expect(read.id == alone.id)
      #expect(read.tags == alone.tags)
      #expect(read.expected.value == alone.expected.value)
      #expect(read.digest == alone.digest)
    }
    let input = try #require(alone.input)
    let testCase = TestCase(id: alone.id, input: input, expected: alone.expected.value)
    #expect(alone.digest == testCase.contentDigest)
  }

  @Test(
    "The fast path reads an input if it differs from the previous one only in its texts",
    arguments: [
      (#"{"text":"Bye","who":"me"}"#, true), (#"{"text":"a\nb","who":"me"}"#, true),
      (#"{"text":"","who":"me"}"#, false), (#"{"text":"Bye","who":1}"#, false),
      (#"{"text":"Bye"}"#, false), (#"{"who":"me","text":"Bye"}"#, false),
      (#"{"text":"Bye","who":"me","x":"y"}"#, false), (#"{"text":"\u0041","who":"me"}"#, false),
    ]
  )
  func known(input: String, isKnown: Bool) throws {
    var repeated = CaseLine.Repeated()
    _ = try #require(Self.read(Self.first, &repeated))
    let read = try #require(Self.read(#"{"id":"b","input":\#(input)}"#, &repeated))
    #expect((read.input == nil) == isKnown)
  }

  @Test(
    "A line that needs the slow path is declined each time",
    arguments: [
      #"{"id":"a","input":{"text":"x"},"expected":{"kind":"fan","kind":"fan"}}"#,
      #"{"id":"a","input":{"text":"x","text":"y"}}"#, #"{"id":"a","tags":[1],"input":{}}"#,
      #"{"id":"a","input":{"text":"x"},"input":{"text":"x"}}"#, #"{"id":"a","input":"x"}"#,
      #"{"id":"a","input":{"text":"x"}"#, #"{"id":"a"}"#, #"{"input":{"text":"x"}}"#,
    ]
  )
  func unusual(line: String) {
    var repeated = CaseLine.Repeated()
    for _ in 0..<3 { #expect(Self.read(line, &repeated) == nil) }
    _ = Self.read(Self.first, &repeated)
    for _ in 0..<3 { #expect(Self.read(line, &repeated) == nil) }
  }
}
