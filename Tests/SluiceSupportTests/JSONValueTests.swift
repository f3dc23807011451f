@testable import SluiceSupport
import Testing

@Suite("JSON value")
struct JSONValueTests {
  @Test(
    "Values are equal if they have the same meaning",
    arguments: [
      (["a": 1, "b": [true, nil]], ["b": [true, nil], "a": 1]),
      (.number(0), .number(-0.0)),
      (.number(1), 1.0),
      ([], []),
      ([:], [:]),
      (["a": ["x": 1, "y": 2]], ["a": ["y": 2, "x": 1]]),
    ] as [(JSONValue, JSONValue)]
  )
  func equal(_ left: JSONValue, _ right: JSONValue) {
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
  }

  @Test(
    "Values differ if their types, elements, members or scalars differ",
    arguments: [
      ([1, 2], [2, 1]),
      ([1], [1, 1]),
      (["a": 1], ["a": 2]),
      (["a": 1], ["b": 1]),
      (["a": 1], ["a": 1, "b": 1]),
      (["a": nil], [:]),
      ("\u{E9}", "e\u{301}"),
      (["\u{E9}": 1], ["e\u{301}": 1]),
      ("K", "\u{212A}"),
      ("1", 1),
      (.bool(false), 0),
      (nil, false),
      (nil, ""),
      ([], [:]),
    ] as [(JSONValue, JSONValue)]
  )
  func different(_ left: JSONValue, _ right: JSONValue) {
    #expect(left != right)
  }

  @Test("Large objects are compared, hashed and built quickly", .timeLimit(.minutes(5)))
  func largeObjects() {
    let members = (0..<20_000).map { index in
      (name: "m\(index)", value: JSONValue.number(Double(index)))
    }
    let left = JSONValue.object(JSONObject(members))
    let right = JSONValue.object(JSONObject(members.reversed()))
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    var changed = members
    changed[19_999].value = 0
    #expect(left != .object(JSONObject(changed.reversed())))
    changed[19_999].name = "other"
    #expect(left != .object(JSONObject(changed.reversed())))
    let distinct = Set((0..<20_000).map { JSONValue.object(["id": .number(Double($0))]) })
    #expect(distinct.count == 20_000)
  }

  @Test("Of members with the same name, the last value is kept at the position of the first")
  func repeatedMembers() {
    #expect(JSONObject([("a", 1), ("b", 2), ("a", 3)]).members.map(\.name) == ["a", "b"])
    let many = (0..<40).map { index in
      (name: "m\(index % 30)", value: JSONValue.number(Double(index)))
    }
    let object = JSONObject(many)
    #expect(object.members.map(\.name) == (0..<30).map { "m\($0)" })
    #expect(object["m0"] == 30)
    #expect(object["m10"] == 10)
  }

  @Test("A member can be set, replaced and removed by name")
  func members() {
    var object: JSONObject = ["a": 1, "b": 2]
    object["a"] = 3
    object["c"] = 4
    object["b"] = nil
    object["x"] = nil
    object.set("d", nil)
    object.set("e", true)
    #expect(JSONValue.object(object).jsonText == #"{"a":3,"c":4,"e":true}"#)
  }

  @Test(
    "A path of names and indices leads to a value or to nothing",
    arguments: [
      ("", ["a": [10, ["b": nil]]]),
      ("a", [10, ["b": nil]]),
      ("a.0", 10),
      ("a.1.b", .null),
      ("a.2", Optional<JSONValue>.none),
      ("a.-1", Optional<JSONValue>.none),
      ("a.x", Optional<JSONValue>.none),
      ("b", Optional<JSONValue>.none),
      ("a.0.b", Optional<JSONValue>.none),
    ] as [(String, JSONValue?)]
  )
  func path(_ path: String, _ expected: JSONValue?) {
    let value: JSONValue = ["a": [10, ["b": nil]]]
    #expect(value.value(at: path) == expected)
  }

  @Test("A value can be accessed only as its own type")
  func accessors() {
    #expect(JSONValue.number(3).integer == 3)
    #expect(JSONValue.number(3.5).integer == nil)
    #expect(JSONValue.number(1e300).integer == nil)
    #expect(JSONValue.string("3").number == nil)
    #expect(JSONValue.bool(true).bool == true)
    #expect(JSONValue.null.string == nil)
    #expect(JSONValue.array([1])["a"] == nil)
    #expect(
      [.null, true, 1, "", [], [:]].map { (value: JSONValue) in value.typeName } == [
        "null", "boolean", "number", "string", "array", "object",
      ]
    )
  }
}
