import Foundation
import Sluice

/// The labels of two readers for a case or for a statement about it, from a line of
/// `second-reading.jsonl`.
struct SecondReading {
  let caseID: String
  /// The labeled statement, or `nil` for the whole case.
  let statement: String?
  let first: JSONValue
  let second: JSONValue

  init?(_ line: JSONValue) {
    guard let caseID = line["case"]?.string, let first = line["first"], let second = line["second"]
    else { return nil }
    self.caseID = caseID
    statement = line["statement"]?.string
    self.first = first
    self.second = second
  }

  /// Returns the labels for kappa, by subject.
  ///
  /// Numbers are grouped in bands of 20 points up to 100, lists by their length, and objects by
  /// member.
  static func labels(_ value: JSONValue) -> [String: String] {
    guard let object = value.object else { return ["": label(value)] }
    return Dictionary(uniqueKeysWithValues: object.members.map { ($0.name, label($0.value)) })
  }

  private static func label(_ value: JSONValue) -> String {
    if let number = value.number { return "band \(min(Int(number) / 20, 4))" }
    if let list = value.array { return "\(list.count) items" }
    return value.jsonText
  }

  /// Returns true if a label matches the expectation of a case.
  static func fits(_ label: JSONValue, _ expected: JSONValue) -> Bool {
    let values = expected.object?.members.map(\.value) ?? []
    if let members = label.object?.members {
      return members.allSatisfy { expected[$0.name] == $0.value }
    }
    guard let items = label.array else { return values.contains(label) }
    return values.contains { value in
      guard let others = value.array, others.count == items.count else { return false }
      return zip(items, others).allSatisfy { item, other in
        (item.object?.members ?? []).allSatisfy { other[$0.name] == $0.value }
      }
    }
  }
}
