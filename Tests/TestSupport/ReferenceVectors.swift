import Foundation
import SluiceSupport

/// The reference vectors, which are results of other libraries, one per line.
package struct ReferenceVectors {
  /// The result of checking functions.
  package struct Outcome {
    package var checked = 0
    /// The number of vectors of each function that was not given.
    package var unknown: [String: Int] = [:]
    package var failures: [String] = []
  }

  /// The path of the committed vectors.
  package static let committed = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/stats.jsonl").path

  private let lines: [JSONValue]

  /// Reads vectors.
  ///
  /// - Parameter path: The path of their file.
  /// - Throws: An error if the file cannot be read or a line is not JSON.
  package init(path: String) throws {
    lines = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A)
      .map { try JSONReader.value($0) }
  }

  /// Compares functions with their vectors.
  ///
  /// - Parameters:
  ///   - functions: The functions, by name.
  ///   - zeroForUndefined: The functions whose vectors have 0 for undefined results.
  /// - Returns: The number of checked vectors, and the mismatches.
  /// - Throws: An error of a function, unless the error is about the function's arguments; that
  ///   counts as a mismatch.
  package func check(
    _ functions: [String: VectorFunctions.Function],
    zeroForUndefined: Set<String> = []
  ) throws -> Outcome {
    var outcome = Outcome()
    for vector in lines where vector["header"] != true {
      let id = vector["id"]?.string ?? "?"
      guard let name = vector["fn"]?.string, let expected = vector["expect"],
        let tolerance = vector["tol"]?.number
      else {
        outcome.failures.append("\(id): 'fn', 'expect' or 'tol' is missing")
        continue
      }
      guard let function = functions[name] else {
        outcome.unknown[name, default: 0] += 1
        continue
      }
      let comparison = VectorComparison(
        tolerance: tolerance,
        acceptsUndefined: vector["or_undefined"] == true,
        undefinedIsZero: zeroForUndefined.contains(name)
      )
      outcome.checked += 1
      do {
        let found = try function(VectorArguments(values: vector["args"] ?? [:]))
        if !comparison.agree(found, expected) {
          outcome.failures.append("\(id): \(found.jsonText), expected \(expected.jsonText)")
        }
      } catch let problem as VectorArguments.Problem {
        outcome.failures.append("\(id): '\(problem.name)' is missing or has the wrong type")
      }
    }
    return outcome
  }
}

/// A comparison of results with expected results, number by number.
struct VectorComparison {
  var tolerance: Double
  /// True if an undefined result is accepted even though the vector has a value.
  var acceptsUndefined: Bool
  /// True if the library behind the vectors returns 0 for a result that is undefined here.
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
