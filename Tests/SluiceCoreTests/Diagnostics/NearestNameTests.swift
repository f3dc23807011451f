@testable import SluiceCore
import Testing

@Suite("Nearest name")
struct NearestNameTests {
  private static let keys = ["suite", "prompt", "dataset", "backend", "repeat", "scorers", "gates"]

  @Test(
    "The nearest name is suggested if it is near enough",
    arguments: [
      ("scorer", "scorers"),
      ("socrers", "scorers"),
      ("Suite", "suite"),
      ("PROMPTS", "prompt"),
      ("data-set", "dataset"),
      ("gate", "gates"),
      ("backends", "backend"),
      ("reapet", "repeat"),
      ("goals", nil),
      ("model", nil),
      ("", nil),
    ] as [(String, String?)]
  )
  func nearest(_ name: String, _ expected: String?) {
    #expect(NearestName.of(name, among: Self.keys) == expected)
  }

  @Test("Of two equally near names, the first is suggested")
  func ties() {
    #expect(NearestName.of("cat", among: ["car", "bat"]) == "car")
    #expect(NearestName.of("bat", among: ["bar", "bat"]) == "bat")
  }

  @Test("Two swapped letters count as one mistake")
  func swap() {
    #expect(NearestName.of("ab", among: ["ba"]) == "ba")
    #expect(NearestName.of("ab", among: ["cd"]) == nil)
  }

  @Test("A suggestion is the nearest name, or else all known names, or else nothing")
  func suggestion() {
    #expect(NearestName.suggestion(for: "gatse", among: Self.keys) == "did you mean 'gates'?")
    #expect(NearestName.suggestion(for: "xyz", among: ["id", "input"]) == "known: id, input")
    #expect(NearestName.suggestion(for: "xyz", among: []) == nil)
  }

  @Test("A very long name is compared quickly", .timeLimit(.minutes(5)))
  func long() {
    let name = String(repeating: "x", count: 1_000_000)
    #expect(NearestName.of(name, among: Self.keys) == nil)
  }
}
