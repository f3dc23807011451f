import Sluice
import Testing

@Suite("Text position")
struct TextPositionTests {
  /// The place in a YAML text of the first `!` of the value under the key `k`.
  private func place(_ yaml: String) throws -> String {
    let file = SourceFile(path: "a.yaml", bytes: Array(yaml.utf8))
    let node = try #require(YAMLReader.read(file.bytes).root?["k"])
    guard case .string(let text) = node.value else { return "no text" }
    let offset = try #require(Array(text.unicodeScalars).firstIndex(of: "!"))
    let place = TextPosition(text, at: node.position, in: file).position(of: offset)
    return "\(place.line):\(place.column)"
  }

  @Test(
    "A character of a scalar of one line stands where it is written",
    arguments: [
      ("k: ab!", "1:6"), ("k: 'ab!'", "1:7"), ("k: \"ab!\"", "1:7"), ("k:   é日!", "1:8"),
      ("x: 1\nk: ab!", "2:6"), ("{x: 1, k: ab!}", "1:13"),
    ]
  )
  func oneLine(_ yaml: String, _ expected: String) throws {
    #expect(try place(yaml) == expected)
  }

  @Test(
    "A character of a literal block stands where it is written",
    arguments: [
      ("k: |\n  ab!\n", "2:5"), ("k: |\n  ab\n  c!\n", "3:4"), ("k: |\n\n  ab!\n", "3:5"),
      ("k: |\n  ab\n\n    !\n", "4:5"), ("k: |-\n  ab\n  !", "3:3"), ("k: |2\n    ab!\n", "2:7"),
      ("k: |2\n\n    a\n  !\n", "4:3"), ("k: |\r\n  ab\r\n  c!\r\n", "3:4"),
      ("k: |+\n      ab\n      !\n\n\n", "3:7"), ("k: |\n  日本語!\n", "2:6"),
    ]
  )
  func literalBlock(_ yaml: String, _ expected: String) throws {
    #expect(try place(yaml) == expected)
  }

  @Test(
    "Where folding or escapes move characters, it is the start of the scalar",
    arguments: [
      ("k: >\n  ab\n  c!\n", "1:4"), ("k: >-\n  ab!\n", "1:4"), ("k: ab\n  c!", "1:4"),
      ("k: \"a\\tb!\"", "1:4"), ("k: 'it''s!'", "1:4"), ("k: \"ab\n  c!\"", "1:4"),
    ]
  )
  func uncertain(_ yaml: String, _ expected: String) throws {
    #expect(try place(yaml) == expected)
  }

  @Test("Before the first escape the place is certain")
  func beforeEscape() throws {
    #expect(try place(#"k: "ab!\t""#) == "1:7")
  }

  @Test("A place outside of the file is the place of the scalar")
  func outside() {
    let file = SourceFile(path: "a", bytes: Array("x".utf8))
    let position = SourcePosition(line: 7, column: 3)
    #expect(TextPosition("abc", at: position, in: file).position(of: 2) == position)
  }
}
