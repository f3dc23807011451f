import SluiceSupport
import Testing

@Suite("Differences between JSON values")
struct JSONDifferenceTests {
  @Test(
    "Leaves that differ are shown with their paths",
    arguments: [
      ("1", "1.0", []), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, []), ("1", "2", ["- 1", "+ 2"]),
      ("null", "false", ["- null", "+ false"]), (#""1""#, "1", [#"- "1""#, "+ 1"]),
      (#"{"a":1}"#, #"{"a":2}"#, ["- a: 1", "+ a: 2"]),
      (#"{"a":1}"#, "{}", ["- a: 1"]), ("{}", #"{"a":null}"#, ["+ a: null"]),
      (
        #"{"a":{"b":[1,{"c":true}]}}"#, #"{"a":{"b":[1,{"c":false}]}}"#,
        ["- a.b.1.c: true", "+ a.b.1.c: false"]
      ),
      (#"{"a":[1,2]}"#, #"{"a":[1]}"#, ["- a: [1,2]", "+ a: [1]"]),
      (#"{"a":{}}"#, #"{"a":[]}"#, ["- a: {}", "+ a: []"]),
      (#"[{"a":1}]"#, #"[{"a":2}]"#, ["- 0.a: 1", "+ 0.a: 2"]),
      (#"{"a":"x\ny"}"#, #"{"a":"x"}"#, [#"- a: "x\ny""#, #"+ a: "x""#]),
      (#"{"a":1,"b":1}"#, #"{"b":2,"c":1}"#, ["- a: 1", "- b: 1", "+ b: 2", "+ c: 1"]),
    ]
  )
  func lines(old: String, new: String, lines: [String]) throws {
    #expect(
      JSONDifference.lines(from: try JSONReader.value(old), to: try JSONReader.value(new)) == lines
    )
  }
}
