@testable import Sluice

/// The arguments of a reference vector.
struct VectorArguments {
  /// An argument that is missing, or not what it should be.
  struct Problem: Error {
    var name: String
  }

  let values: JSONValue

  private func need<Value>(_ name: String, _ value: Value?) throws -> Value {
    guard let value else { throw Problem(name: name) }
    return value
  }

  func number(_ name: String) throws -> Double { try need(name, values[name]?.number) }

  func count(_ name: String) throws -> Int { try need(name, values[name]?.integer) }

  func text(_ name: String) throws -> String { try need(name, values[name]?.string) }

  func list(_ name: String) throws -> [JSONValue] { try need(name, values[name]?.array) }

  func numbers(_ name: String) throws -> [Double] {
    try list(name).map { try need(name, $0.number) }
  }

  func counts(_ name: String) throws -> [Int] {
    try list(name).map { try need(name, $0.integer) }
  }

  /// Outcomes, written as truth values or as 0 and 1.
  func outcomes(_ name: String) throws -> [Bool] {
    try list(name).map { try need(name, $0.bool ?? $0.number.map { $0 != 0 }) }
  }

  func texts(_ name: String) throws -> [String] {
    try list(name).map { try need(name, $0.string) }
  }

  /// Labels, as texts.
  func labels(_ name: String) throws -> [String] {
    try list(name).map { $0.string ?? $0.jsonText }
  }

  /// Rows of a table.
  func rows(_ name: String) throws -> [[Int]] {
    try list(name).map { row in
      try need(name, row.array).map { try need(name, $0.integer) }
    }
  }

  var alpha: Double { values["alpha"]?.number ?? 0.05 }
  var confidence: Double { 1 - alpha }
  var goal: Power.Goal { .init(level: alpha, power: values["power"]?.number ?? 0.8) }
}

extension JSONValue {
  /// A number, or null for one that is not known or not finite.
  init(_ number: Double?) {
    self = number.flatMap { $0.isFinite ? .number($0) : nil } ?? .null
  }

  /// Both ends, or null for no interval.
  init(_ interval: Interval?) {
    self = interval.map { [JSONValue($0.low), JSONValue($0.high)] } ?? .null
  }
}
