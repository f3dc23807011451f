package import SluiceCore

/// The agreement between columns of answers to the same cases.
///
/// The right answers need not be known. A column has the answers of one prompt on one backend, or
/// of one rater.
package struct ColumnAgreement: Sendable {
  /// The kind of values that are compared: labels, ordered labels or numbers.
  package enum Scale: Hashable, Sendable {
    case nominal
    /// Labels in ascending order; if the list is empty, the values are numbers.
    case ordinal([String])
    case interval

    package var name: String {
      switch self {
      case .nominal: "nominal"
      case .ordinal: "ordinal"
      case .interval: "interval"
      }
    }

    fileprivate var level: KrippendorffAlpha.Level {
      switch self {
      case .nominal: .nominal
      case .ordinal: .ordinal
      case .interval: .interval
      }
    }

    /// Returns the reason why the scale does not contain a value, or `nil` if it does.
    fileprivate func fault(of value: String) -> String? {
      switch self {
      case .nominal: nil
      case .ordinal(let labels) where !labels.isEmpty:
        labels.contains(value) ? nil : "'\(value)' is not one of \(labels.joined(separator: ", "))"
      case .ordinal, .interval:
        Double(value).map(\.isFinite) == true ? nil : "'\(value)' is not a number"
      }
    }
  }

  /// The value of an answer, or the reason why there is no value.
  package enum Value: Hashable, Sendable {
    case value(String)
    /// There is no answer.
    case missing(String)
    /// The answer has no value on the scale.
    case unusable(String)
  }

  /// An answer in a column: its case and its value.
  package struct Entry: Hashable, Sendable {
    package var caseID: String
    package var repetition: Int
    package var cluster: String?
    package var value: Value

    package init(caseID: String, repetition: Int, cluster: String?, value: Value) {
      self.caseID = caseID
      self.repetition = repetition
      self.cluster = cluster
      self.value = value
    }
  }

  /// A column with its answers.
  package struct Column: Sendable {
    package var name: String
    package var outputs: OutputsSource?
    package var backend: String
    package var entries: [Entry]

    package init(name: String, backend: String, outputs: OutputsSource?, entries: [Entry]) {
      self.name = name
      self.backend = backend
      self.outputs = outputs
      self.entries = entries
    }
  }

  /// A reason why a column lacks values, with the affected cases.
  package struct Lack: Hashable, Sendable {
    package var reason: String
    package var isMissing: Bool
    package var cases: [String]
  }

  /// Two columns with the figures of their agreement.
  package struct Pair: Sendable {
    package var first: Int
    package var second: Int
    package var figures: [ColumnResult.NamedEstimate]
  }

  /// A case on which columns differ, with each column's value; `nil` for a column without a value.
  package struct Disagreement: Hashable, Sendable {
    package var caseID: String
    package var repetition: Int
    package var values: [String?]
  }

  package let suite: String
  package let part: String
  package let scale: Scale
  package let columns: [Column]
  /// For each column, the reasons for missing values.
  package private(set) var lacks: [[Lack]]
  /// The number of cases that occur in at least one column; each repeat of a case counts
  /// separately.
  package let units: Int
  package let hasRepeats: Bool
  package private(set) var pairs: [Pair] = []
  /// The figures for the agreement of all columns together.
  package private(set) var figures: [ColumnResult.NamedEstimate] = []
  package private(set) var disagreements: [Disagreement] = []

  private struct Unit: Hashable {
    var caseID: String
    var repetition: Int
  }

  /// Compares columns.
  ///
  /// - Parameters:
  ///   - suite: The suite's name.
  ///   - part: A description of the part of each answer that is compared.
  ///   - scale: The kind of the values.
  ///   - columns: The columns, at least two.
  package init(suite: String, part: String, scale: Scale, columns: [Column]) {
    self.suite = suite
    self.part = part
    self.scale = scale
    self.columns = columns
    var units: [Unit] = []
    var places: [Unit: Int] = [:]
    var clusters: [String] = []
    for entry in columns.lazy.flatMap(\.entries) {
      let unit = Unit(caseID: entry.caseID, repetition: entry.repetition)
      if places[unit] != nil { continue }
      places[unit] = units.count
      units.append(unit)
      // Repeats of a case are correlated, so without a cluster the case is its own cluster.
      clusters.append(entry.cluster.map { "cluster \($0)" } ?? "case \(entry.caseID)")
    }
    self.units = units.count
    hasRepeats = units.contains { $0.repetition > 1 }
    var values = columns.map { _ in [String?](repeating: nil, count: units.count) }
    lacks = columns.map { _ in [] }
    for (index, column) in columns.enumerated() {
      var lack = Lacks()
      for entry in column.entries {
        let unit = Unit(caseID: entry.caseID, repetition: entry.repetition)
        guard let place = places[unit] else { continue }
        switch entry.value {
        case .value(let value):
          if let fault = scale.fault(of: value) {
            lack.add(entry, fault, isMissing: false)
          } else {
            values[index][place] = value
          }
        case .missing(let reason): lack.add(entry, reason, isMissing: true)
        case .unusable(let reason): lack.add(entry, reason, isMissing: false)
        }
      }
      lacks[index] = lack.all
    }
    let agreement = RaterAgreement(
      Self.numbered(values, scale),
      clusters: Self.numbered(clusters)
    )
    for first in columns.indices {
      for second in columns.indices.dropFirst(first + 1) {
        pairs.append(
          Pair(first: first, second: second, figures: Self.figures(agreement, first, second, scale))
        )
      }
    }
    figures = Self.figures(agreement, of: columns.count, scale)
    for (place, unit) in units.enumerated() {
      let own = values.map { $0[place] }
      if Set(own.compactMap(\.self)).count > 1 {
        disagreements.append(
          Disagreement(caseID: unit.caseID, repetition: unit.repetition, values: own)
        )
      }
    }
  }

  /// True if two columns have a value for the same case.
  package var hasAny: Bool {
    pairs.contains { pair in pair.figures.contains { $0.estimate.n > 0 } }
  }

  /// The reasons for missing values in a column, in order of first appearance.
  private struct Lacks {
    var all: [Lack] = []
    private var places: [String: Int] = [:]

    mutating func add(_ entry: Entry, _ reason: String, isMissing: Bool) {
      let name = entry.repetition == 1 ? entry.caseID : "\(entry.caseID) (\(entry.repetition))"
      let key = (isMissing ? "m" : "u") + reason
      if let place = places[key] {
        all[place].cases.append(name)
      } else {
        places[key] = all.count
        all.append(Lack(reason: reason, isMissing: isMissing, cases: [name]))
      }
    }
  }

  // MARK: Numbers

  /// Returns the values as numbers on the scale.
  private static func numbered(_ values: [[String?]], _ scale: Scale) -> [[Double?]] {
    switch scale {
    case .interval: return values.map { $0.map { $0.flatMap(Double.init) } }
    case .ordinal(let labels) where !labels.isEmpty:
      return values.map { $0.map { $0.flatMap(labels.firstIndex).map(Double.init) } }
    case .ordinal:
      let numbers = values.map { $0.map { $0.flatMap(Double.init) } }
      let sorted = Set(numbers.joined().compactMap(\.self)).sorted()
      let places = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, Double($0)) })
      return numbers.map { $0.map { $0.flatMap { places[$0] } } }
    case .nominal:
      var places: [String: Double] = [:]
      return values.map { column in
        column.map { value in
          guard let value else { return nil }
          if let place = places[value] { return place }
          places[value] = Double(places.count)
          return Double(places.count - 1)
        }
      }
    }
  }

  private static func numbered(_ names: [String]) -> [Int] {
    var places: [String: Int] = [:]
    return names.map { name in
      if let place = places[name] { return place }
      places[name] = places.count
      return places.count - 1
    }
  }

  private static func figure(
    _ name: String,
    _ quantity: Quantity,
    _ agreement: RaterAgreement,
    _ measure: RaterAgreement.Measure
  ) -> ColumnResult.NamedEstimate {
    ColumnResult.NamedEstimate(
      name: name,
      quantity: quantity,
      estimate: agreement.estimate(measure)
    )
  }

  private static func figures(
    _ agreement: RaterAgreement,
    _ first: Int,
    _ second: Int,
    _ scale: Scale
  ) -> [ColumnResult.NamedEstimate] {
    var figures = [
      figure("agreement", .rate, agreement, .rate(first, second)),
      figure("Cohen's kappa", .number, agreement, .kappa(first, second)),
    ]
    if scale != .nominal {
      figures += [
        figure(
          "kappa, linear weights",
          .number,
          agreement,
          .weightedKappa(first, second, .linear)
        ),
        figure(
          "kappa, quadratic weights",
          .number,
          agreement,
          .weightedKappa(first, second, .quadratic)
        ),
      ]
    }
    return figures
  }

  private static func figures(
    _ agreement: RaterAgreement,
    of count: Int,
    _ scale: Scale
  ) -> [ColumnResult.NamedEstimate] {
    var figures: [ColumnResult.NamedEstimate] = []
    // With two columns, this figure would repeat the agreement of the pair.
    if count > 2 { figures.append(figure("agreement of all", .rate, agreement, .unanimity)) }
    return figures + [
      figure("Fleiss' kappa", .number, agreement, .fleiss),
      figure("Krippendorff's alpha", .number, agreement, .alpha(scale.level)),
    ]
  }
}
