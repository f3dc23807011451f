import Foundation
@testable import Sluice
import Testing

/// Reads reference vectors from the file that `SLUICE_VECTORS_FILE` names, else from the committed
/// one.
@Suite("VectorTests")
struct VectorTests {
  /// Compares what was found with what the vectors expect, number by number.
  private struct Comparison {
    var tolerance: Double
    /// Whether a vector accepts nothing where it has a value.
    var acceptsUndefined: Bool
    /// Whether the library behind the vectors has 0 where we have nothing.
    var undefinedIsZero: Bool

    func agree(_ found: JSONValue, _ expected: JSONValue) -> Bool {
      switch (found, expected) {
      case (.number(let found), .number(let expected)): abs(found - expected) <= tolerance
      case (.array(let found), .array(let expected)):
        found.count == expected.count && zip(found, expected).allSatisfy(agree)
      case (.object(let found), .object(let expected)):
        found.members.count == expected.members.count
          && expected.members.allSatisfy { member in
            found[member.name].map { agree($0, member.value) } ?? false
          }
      case (.null, .number(let expected)): acceptsUndefined || undefinedIsZero && expected == 0
      case (.null, _): acceptsUndefined || isUndefined(expected)
      case (_, .null): isUndefined(found)
      default: found == expected
      }
    }

    private func isUndefined(_ value: JSONValue) -> Bool {
      switch value {
      case .null: true
      case .array(let elements): !elements.isEmpty && elements.allSatisfy(isUndefined)
      case .object(let object):
        !object.members.isEmpty && object.members.allSatisfy { isUndefined($0.value) }
      default: false
      }
    }
  }

  @Test("Statistics agree with the reference vectors")
  func vectors() throws {
    let committed = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/stats.jsonl").path
    let path = ProcessInfo.processInfo.environment["SLUICE_VECTORS_FILE"] ?? committed
    let bytes = try #require(FileManager.default.contents(atPath: path), "cannot read \(path)")
    var checked = 0
    var unknown: Set<String> = []
    for line in bytes.split(separator: 0x0A) {
      let vector = try JSONReader.value(line)
      if vector["header"] == true { continue }
      let id = vector["id"]?.string ?? "?"
      let name = try #require(vector["fn"]?.string, "\(id)")
      let expected = try #require(vector["expect"], "\(id)")
      guard let function = VectorFunctions.all[name] else {
        unknown.insert(name)
        continue
      }
      let comparison = Comparison(
        tolerance: try #require(vector["tol"]?.number, "\(id)"),
        acceptsUndefined: vector["or_undefined"] == true,
        undefinedIsZero: VectorFunctions.havingZeroForUndefined.contains(name)
      )
      checked += 1
      do {
        let found = try function(VectorArguments(values: vector["args"] ?? [:]))
        #expect(
          comparison.agree(found, expected),
          "\(id): \(found.jsonText), expected \(expected.jsonText)"
        )
      } catch let problem as VectorArguments.Problem {
        Issue.record("\(id): '\(problem.name)' is missing, or not what it should be")
      }
    }
    print("VectorTests: \(checked) vectors checked")
    #expect(unknown.isEmpty, "functions that are not known")
    #expect(checked > 0, "none of the vectors in \(path) was checked")
  }
}
