import Foundation
import Testing

@testable import SluiceCore
@testable import SluiceSupport

extension AssertionTests {
  /// The results for the lines of a file.
  private struct Tally {
    var checked = 0
    var unknown: [String: Int] = [:]
    var refused: [String] = []
  }

  /// Lines of JSON with `type`, `value`, `threshold`, `output`, `expect_pass` and `expect_score`,
  /// from the file that `SLUICE_ASSERTIONS_FILE` names, or else from the committed file.
  @Test("Assertions match the expected results of the reference file")
  func vectors() throws {
    let committed = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/assertions.jsonl").path
    let named = ProcessInfo.processInfo.environment["SLUICE_ASSERTIONS_FILE"]
    let path = named ?? committed
    let bytes = try #require(FileManager.default.contents(atPath: path), "cannot read \(path)")
    var tally = Tally()
    for (index, line) in bytes.split(separator: 0x0A).enumerated() {
      let vector = try JSONReader.value(line)
      guard vector["type"] != nil else { continue }
      try check(vector, "\(path):\(index + 1)", &tally)
    }
    let unknown = tally.unknown.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    print(
      "AssertionTests: \(tally.checked) cases checked, \(tally.refused.count) refused as wrongly "
        + "written, \(tally.unknown.values.reduce(0, +)) of unknown types: \(unknown.joined(separator: ", "))"
    )
    for line in tally.refused { print("refused: \(line)") }
    #expect(tally.checked > 0, "none of the cases in \(path) was checked")
    if named == nil { #expect(tally.unknown.isEmpty && tally.refused.isEmpty) }
  }

  private func check(_ vector: JSONValue, _ place: String, _ tally: inout Tally) throws {
    let type = try #require(vector["type"]?.string, "\(place)")
    let plain = type.hasPrefix("not-") ? String(type.dropFirst(4)) : type
    guard AssertionCatalog.types.contains(plain) else {
      tally.unknown[type, default: 0] += 1
      return
    }
    var members: [(name: String, value: JSONValue)] = [("type", .string(type))]
    for name in ["value", "threshold", "assert"] {
      if let value = vector[name], value != .null { members.append((name, value)) }
    }
    let text = JSONValue.object(JSONObject(members)).jsonText
    let file = SourceFile(path: place, bytes: Array(text.utf8))
    let diagnostics = DiagnosticCollector()
    let node = try JSONReader.node(file.bytes, line: 1)
    let spec = ScorerSpec.read(node, file: file, diagnostics: diagnostics)
    let files = ProjectFiles(InMemoryFileSystem(), diagnostics: diagnostics)
    let scorer = spec.flatMap { ScorerCatalog.make(ScorerArguments(spec: $0, files: files)) }
    guard let assertion = scorer as? Assertion else {
      tally.refused.append("\(text): \(diagnostics.diagnostics.map(\.message))")
      return
    }
    let output = try #require(vector["output"], "\(place)")
    let answer = Answer(ModelResponse(text: output.string ?? output.jsonText))
    let (score, grade) = assertion.graded(answer)
    tally.checked += 1
    if let passes = vector["expect_pass"]?.bool {
      #expect(score.outcome == (passes ? .passed : .failed), "\(place): \(score.explanation)")
    }
    if let expected = vector["expect_score"]?.number {
      let tolerance = vector["tol"]?.number ?? 1e-6
      #expect(abs(grade - expected) <= tolerance, "\(place): \(grade) instead of \(expected)")
    }
  }
}
