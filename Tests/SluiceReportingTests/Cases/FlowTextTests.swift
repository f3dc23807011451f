@testable import SluiceReporting
import SluiceSupport
import Testing

@Suite("Values in YAML's flow style")
struct FlowTextTests {
  @Test(
    "Words have quotation marks only if they would mean something else without them",
    arguments: [
      (#"[{"any-of":["it","the old one"]}]"#, "[{any-of: [it, the old one]}]"),
      (#"{"a":true,"b":null,"c":1.5}"#, "{a: true, b: null, c: 1.5}"),
      (#"["true","no","12","a: b","","x,y"]"#, #"["true", "no", "12", "a: b", "", "x,y"]"#),
      (#""a text: by itself""#, "a text: by itself"),
      (#"["a\nb"]"#, #"["a\nb"]"#),
    ]
  )
  func flow(_ json: String, _ text: String) throws {
    #expect(FlowText.text(try JSONReader.value(json)) == text)
  }
}
