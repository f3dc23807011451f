import Foundation
import Testing

@Suite("Public API")
struct PublicAPITests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("The list of public declarations is up to date")
  func list() throws {
    let file = Self.root.appending(path: "docs/api.txt")
    let api = try PublicAPI(sources: Self.root.appending(path: "Sources"))
    if ProcessInfo.processInfo.environment["SLUICE_UPDATE_API"] == "1" {
      try api.text.write(to: file, atomically: true, encoding: .utf8)
    }
    let listed = try String(contentsOf: file, encoding: .utf8)
    let new = Set(api.text.split(separator: "\n"))
    let old = Set(listed.split(separator: "\n"))
    let added = new.subtracting(old).sorted().map { "+ \($0)" }
    let removed = old.subtracting(new).sorted().map { "- \($0)" }
    #expect(
      api.text == listed,
      """
      The public API differs from docs/api.txt. If that is intended, run: make api-list
      \((removed + added).joined(separator: "\n"))
      """
    )
  }

  @Test(
    "Public declarations are found with their enclosing types",
    arguments: [
      (
        "public struct Score {\n  public var value: Double\n  var own = 1\n}",
        [
          "struct Score", "Score / var value: Double",
        ]
      ),
      (
        "public enum Side {\n  case left, right\n  package static let all = 2\n}",
        [
          "enum Side", "Side / case left, right",
        ]
      ),
      (
        "enum Hidden {\n  case left\n  public var name: String { \"\" }\n}",
        [
          "Hidden / var name: String"
        ]
      ),
      (
        "public protocol Scorer: Sendable {\n  func score() -> Score\n}",
        [
          "protocol Scorer: Sendable", "Scorer / func score() -> Score",
        ]
      ),
      (
        "extension Score {\n  public init(\n    value: Double\n  ) {\n    case1()\n  }\n}",
        [
          "Score / init( value: Double )"
        ]
      ),
      (
        "public struct Outer {\n  public enum Inner: String {\n    case one\n  }\n}",
        [
          "struct Outer", "Outer / enum Inner: String", "Outer / Inner / case one",
        ]
      ),
      ("package struct Own {\n  func f() {\n    switch x {\n    case .a: break\n    }\n  }\n}", []),
    ]
  )
  func declarations(text: String, expected: [String]) {
    #expect(PublicAPI.declarations(in: text) == expected)
  }

  @Test("Code in the articles is compiled in tests or shown on a tested page")
  func articles() throws {
    let folder = Self.root.appending(path: "Sources/Sluice/Documentation.docc/Articles")
    let tests = Self.root.appending(path: "Tests/SluiceTestingTests")
    let compiled = try ["PoliteScorer", "PoliteScorerTests", "ReplyBackend", "ReplyBackendTests"]
      .map {
        try String(contentsOf: tests.appending(path: "\($0).swift"), encoding: .utf8)
      }
    let page = try String(contentsOf: Self.root.appending(path: "docs/swift.md"), encoding: .utf8)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["ConnectingABackend.md", "ReadingAResult.md", "WritingAScorer.md"])
    for name in names {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      for block in text.components(separatedBy: "```swift\n").dropFirst() {
        let code = block.components(separatedBy: "```")[0]
        // A single call is part of a test on the page.
        let isCall = code.split(separator: "\n").count == 1
        let isShown = page.contains(code) || compiled.contains(code)
        #expect(isShown || isCall, "\(name):\n\(code)")
      }
    }
  }
}
