import Foundation
@testable import Sluice
import Testing

/// Reads reference vectors from the file that `SLUICE_VECTORS_FILE` names, else from the committed
/// one.
@Suite("VectorTests")
struct VectorTests {
  /// A computation as vectors ask for it; nil where it is not made for such arguments.
  private typealias Function = @Sendable (_ arguments: JSONValue) -> JSONValue?

  private static let functions: [String: Function] = [
    "wilson_interval": { arguments in
      guard arguments["alpha"] == 0.05, let k = arguments["k"]?.integer,
        let n = arguments["n"]?.integer
      else { return nil }
      let interval = Wilson.interval(successes: k, of: n)
      return [.number(interval.low), .number(interval.high)]
    },
    "percentile_type7": { arguments in
      guard let values = arguments["values"]?.array?.compactMap(\.number),
        let percents = arguments["q"]?.array?.compactMap(\.number)
      else { return nil }
      return .array(percents.map { value(Percentile.of($0, in: values)) })
    },
    "precision_recall_per_class": { arguments in
      guard let (counts, _) = labelCounts(arguments) else { return nil }
      func each(_ statistic: MetricDefinition.ClassStatistic) -> JSONValue {
        .array(counts.labels.map { value(counts.estimate(statistic, of: $0).value) })
      }
      let confusion = counts.labels.map { expected in
        counts.labels.map { Double(counts.count(expected: expected, predicted: $0)) }
      }
      return [
        "labels": .array(counts.labels.map(JSONValue.string)),
        "precision": each(.precision), "recall": each(.recall), "f1": each(.f1),
        "support": .array(confusion.map { .number($0.reduce(0, +)) }),
        "confusion_rows_gold": .array(confusion.map { .array($0.map(JSONValue.number)) }),
      ]
    },
    "f1_averages": { arguments in
      guard let (counts, n) = labelCounts(arguments) else { return nil }
      let hits = counts.labels.map { Double(counts.count(expected: $0, predicted: $0)) }
      let weighted = counts.labels.map { label in
        let support = counts.labels.reduce(0) { $0 + counts.count(expected: label, predicted: $1) }
        return Double(support) * (counts.estimate(.f1, of: label).value ?? 0)
      }
      return [
        "macro": value(counts.estimate(.f1, of: nil).value),
        "micro": .number(hits.reduce(0, +) / Double(n)),
        "weighted": .number(weighted.reduce(0, +) / Double(n)),
      ]
    },
    "f_beta": { arguments in
      guard arguments["beta"] == 1, let positive = arguments["positive"]?.string,
        let (counts, _) = labelCounts(arguments)
      else { return nil }
      // The vectors have 0 for what we call unknown.
      return .number(counts.estimate(.f1, of: positive).value ?? 0)
    },
  ]

  private static func value(_ number: Double?) -> JSONValue { number.map(JSONValue.number) ?? nil }

  private static func labelCounts(_ arguments: JSONValue) -> (LabelCounts, n: Int)? {
    guard let gold = arguments["gold"]?.array, let predicted = arguments["predicted"]?.array,
      gold.count == predicted.count
    else { return nil }
    let scores = zip(gold, predicted).map { gold, predicted in
      Score(.passed, explanation: "", measurements: ["expected": gold, "predicted": predicted])
    }
    return (LabelCounts(scores), scores.count)
  }

  /// Whether two values are the same, number by number within the tolerance.
  private static func agree(_ found: JSONValue, _ expected: JSONValue, _ tolerance: Double) -> Bool
  {
    switch (found, expected) {
    case (.number(let found), .number(let expected)): abs(found - expected) <= tolerance
    case (.array(let found), .array(let expected)):
      found.count == expected.count
        && zip(found, expected).allSatisfy { agree($0, $1, tolerance) }
    case (.object(let found), .object(let expected)):
      found.members.count == expected.members.count
        && expected.members.allSatisfy { member in
          found[member.name].map { agree($0, member.value, tolerance) } ?? false
        }
    default: found == expected
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
      let tolerance = try #require(vector["tol"]?.number, "\(id)")
      guard let found = Self.functions[name]?(vector["args"] ?? [:]) else {
        unknown.insert(name)
        continue
      }
      checked += 1
      if found == .null, vector["or_undefined"] == true { continue }
      #expect(
        Self.agree(found, expected, tolerance),
        "\(id): \(found.jsonText), expected \(expected.jsonText)"
      )
    }
    print("VectorTests: \(checked) vectors checked, \(unknown.count) functions not known yet")
    #expect(checked > 0, "none of the vectors in \(path) was checked")
  }
}
