package import SluiceStatistics
package import SluiceSupport

/// The arguments of a reference vector.
package struct VectorArguments {
  /// An argument that is missing or invalid.
  package struct Problem: Error {
    package var name: String

    package init(name: String) { self.name = name }
  }

  package let values: JSONValue

  package init(values: JSONValue) { self.values = values }

  private func need<Value>(_ name: String, _ value: Value?) throws -> Value {
    guard let value else { throw Problem(name: name) }
    return value
  }

  package func number(_ name: String) throws -> Double { try need(name, values[name]?.number) }

  package func count(_ name: String) throws -> Int { try need(name, values[name]?.integer) }

  package func text(_ name: String) throws -> String { try need(name, values[name]?.string) }

  package func list(_ name: String) throws -> [JSONValue] { try need(name, values[name]?.array) }

  package func numbers(_ name: String) throws -> [Double] {
    try list(name).map { try need(name, $0.number) }
  }

  package func counts(_ name: String) throws -> [Int] {
    try list(name).map { try need(name, $0.integer) }
  }

  /// Returns outcomes that are written as Booleans or as 0 and 1.
  package func outcomes(_ name: String) throws -> [Bool] {
    try list(name).map { try need(name, $0.bool ?? $0.number.map { $0 != 0 }) }
  }

  package func texts(_ name: String) throws -> [String] {
    try list(name).map { try need(name, $0.string) }
  }

  /// Returns labels as texts.
  package func labels(_ name: String) throws -> [String] {
    try list(name).map { $0.string ?? $0.jsonText }
  }

  /// Returns the rows of a table.
  package func rows(_ name: String) throws -> [[Int]] {
    try list(name).map { row in
      try need(name, row.array).map { try need(name, $0.integer) }
    }
  }

  package var alpha: Double { values["alpha"]?.number ?? 0.05 }
  package var confidence: Double { 1 - alpha }
  package var goal: Power.Goal { .init(level: alpha, power: values["power"]?.number ?? 0.8) }
}

extension JSONValue {
  /// Creates a number, or null for a number that is unknown or not finite.
  package init(_ number: Double?) {
    self = number.flatMap { $0.isFinite ? .number($0) : nil } ?? .null
  }

  /// Creates an array of both ends, or null if there is no interval.
  package init(_ interval: Interval?) {
    self = interval.map { [JSONValue($0.low), JSONValue($0.high)] } ?? .null
  }
}
