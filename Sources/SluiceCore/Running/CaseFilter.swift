import SluiceSupport

/// A filter that selects some cases of a suite.
package struct CaseFilter: Hashable, Sendable {
  /// The ids of the cases; empty if cases are not selected by id.
  package var cases: [String]
  /// The tags, of which a case must have at least one; empty if cases are not selected by tag.
  package var tags: [String]
  /// True to select only the cases that failed in the last run.
  package var isFailed: Bool
  /// The maximum number of selected cases, taken from the start of the dataset; nil for no maximum.
  package var first: Int?

  package init(
    cases: [String] = [],
    tags: [String] = [],
    isFailed: Bool = false,
    first: Int? = nil
  ) {
    self.cases = cases
    self.tags = tags
    self.isFailed = isFailed
    self.first = first
  }

  /// True if every case is selected.
  package var isEmpty: Bool { cases.isEmpty && tags.isEmpty && !isFailed && first == nil }

  /// The filter as command-line arguments, unquoted.
  package var words: [String] {
    cases.flatMap { ["--case", $0] } + tags.flatMap { ["--tag", $0] }
      + (isFailed ? ["--failed"] : []) + (first.map { ["--first", String($0)] } ?? [])
  }

  /// The filter as a phrase, such as `--case a --tag b`.
  ///
  /// Long filters are shortened.
  package var phrase: String {
    let pairs = cases.map { "--case \($0)" } + tags.map { "--tag \($0)" }
    let most = 4
    // Showing a fifth item takes no more space than "and 1 more".
    let shown = pairs.count > most + 1 ? most : pairs.count
    var parts = Array(pairs.prefix(shown))
    if pairs.count > shown { parts.append("and \(pairs.count - shown) more") }
    if isFailed { parts.append("--failed") }
    if let first { parts.append("--first \(first)") }
    return parts.joined(separator: " ")
  }
}

/// The part of a dataset that a filter selects.
package struct FilteredCases: Hashable, Sendable {
  package var filter: CaseFilter
  /// The number of selected cases.
  package var count: Int
  /// The number of cases in the dataset.
  package var total: Int

  package init(_ filter: CaseFilter, count: Int, of total: Int) {
    self.filter = filter
    self.count = count
    self.total = total
  }

  /// Parses the format of ``json``, which run logs contain; nil for anything else.
  init?(json: JSONValue) {
    guard let count = json["cases"]?.integer, let total = json["of"]?.integer else { return nil }
    var filter = CaseFilter()
    var words = (json["options"]?.array ?? []).compactMap(\.string)[...]
    while let word = words.popFirst() {
      switch word {
      case "--failed": filter.isFailed = true
      case "--case": filter.cases += words.popFirst().map { [$0] } ?? []
      case "--tag": filter.tags += words.popFirst().map { [$0] } ?? []
      case "--first": filter.first = words.popFirst().flatMap { Int($0) }
      default: return nil
      }
    }
    self.init(filter, count: count, of: total)
  }

  /// The number of cases as a phrase, such as `3 of 259 cases were run (--tag clean)`.
  package var phrase: String { "\(shortPhrase) (\(filter.phrase))" }

  /// The number of cases as a phrase without the filter, such as `3 of 259 cases were run`.
  package var shortPhrase: String {
    "\(count) of \(total) case\(total == 1 ? "" : "s") \(count == 1 ? "was" : "were") run"
  }

  /// Returns the total number of cases in several suites as a phrase; nil if there are no suites.
  package static func phrase(of parts: [FilteredCases]) -> String? {
    guard let first = parts.first else { return nil }
    return FilteredCases(
      first.filter,
      count: parts.reduce(0) { $0 + $1.count },
      of: parts.reduce(0) { $0 + $1.total }
    ).phrase
  }

  /// The value that run logs and reports contain.
  package var json: JSONValue {
    var object: JSONObject = [
      "cases": .number(Double(count)), "of": .number(Double(total)),
      "options": .array(filter.words.map(JSONValue.string)),
    ]
    if filter.isFailed { object["failed"] = true }
    return .object(object)
  }
}

extension SuitePlan.Cases {
  /// Returns the indices of the cases that a filter selects, in dataset order.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - failed: The ids of the cases that failed in the last run, if the filter needs them.
  /// - Returns: The indices.
  package func indices(of filter: CaseFilter, failed: Set<String> = []) -> [Int] {
    let ids = Set(filter.cases)
    let tags = Set(filter.tags)
    var found: [Int] = []
    for index in indices {
      if let first = filter.first, found.count >= first { break }
      let stored = stored(index)
      let isMeant =
        (ids.isEmpty || ids.contains(stored.id))
        && (tags.isEmpty || !tags.isDisjoint(with: stored.labels.tags))
        && (!filter.isFailed || failed.contains(stored.id))
      if isMeant { found.append(index) }
    }
    return found
  }

  /// Returns the cases at some indices, in the given order, with their assertions.
  package func subset(_ indices: [Int]) -> SuitePlan.Cases {
    SuitePlan.Cases(indices.map { self[$0] })
  }
}

extension SuitePlan {
  /// Returns the plan with only the cases that a filter selects.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - failed: The ids of the cases that failed in the last run, if the filter needs them.
  /// - Returns: The plan. Its property `filtered` describes the selected part of the dataset.
  package func keeping(_ filter: CaseFilter, failed: Set<String> = []) -> SuitePlan {
    if filter.isEmpty { return self }
    var plan = self
    plan.cases = cases.subset(cases.indices(of: filter, failed: failed))
    plan.filtered = FilteredCases(filter, count: plan.cases.count, of: cases.count)
    return plan
  }
}
