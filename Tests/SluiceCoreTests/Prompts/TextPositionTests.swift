import Sluice
import Testing

@Suite("Text position")
struct TextPositionTests {
  /// The position, in a YAML text, of the first `!` in the value of the key `k`.
  private func place(_ yaml: String) throws -> String {
    let file = SourceFile(path: "a.yaml", bytes: Array(yaml.utf8))
    let node = try #require(YAMLReader.read(file.bytes).root?["k"])
    guard case .string(let text) = node.value else { return "no text" }
    let offset = try #require(Array(text.unicodeScalars).firstIndex(of: "!"))
    let place = TextPosition(text, at: node.position, in: file).position(of: offset)
    return "\(place.line):\(place.column)"
  }

  @Test(
    "A character in a single-line scalar has its exact position",
    arguments: [
      ("k: ab!", "1:6"), ("k: 'ab!'", "1:7"), ("k: \"ab!\"", "1:7"), ("k:   é日!", "1:8"),
      ("x: 1\nk: ab!", "2:6"), ("{x: 1, k: ab!}", "1:13"),
    ]
  )
  func oneLine(_ yaml: String, _ expected: String) throws {
    #expect(try place(yaml) == expected)
  }

  @Test(
    "A character in a literal block has its exact position",
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
    "After folding or escapes, the position is the start of the scalar",
    arguments: [
      ("k: >\n  ab\n  c!\n", "1:4"), ("k: >-\n  ab!\n", "1:4"), ("k: ab\n  c!", "1:4"),
      ("k: \"a\\tb!\"", "1:4"), ("k: 'it''s!'", "1:4"), ("k: \"ab\n  c!\"", "1:4"),
    ]
  )
  func uncertain(_ yaml: String, _ expected: String) throws {
    #expect(try place(yaml) == expected)
  }

  @Test("Before the first escape, the position is exact")
  func beforeEscape() throws {
    #expect(try place(#"k: "ab!\t""#) == "1:7")
  }

  @Test("A position outside of the file is the position of the scalar")
  func outside() {
    let file = SourceFile(path: "a", bytes: Array("x".utf8))
    let position = SourcePosition(line: 7, column: 3)
    #expect(TextPosition("abc", at: position, in: file).position(of: 2) == position)
  }
}
