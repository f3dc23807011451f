import SluiceCore

/// The health of a suite: its headroom, the cases on which columns differ, redundant cases, and
/// cases whose label may be wrong.
package struct SuiteHealth: Sendable {
  /// The minimum number of real columns and the minimum number of different models that ``items``
  /// requires.
  ///
  /// A real column has answers of models, not of stand-ins.
  package static let leastForItems = (columns: 20, models: 3)
  /// The correlation above which two cases count as redundant.
  package static let redundancy = 0.95
  /// The minimum number of cases that a tag or class needs to show a change.
  package static let leastCases = 5

  package var suite: String
  package var path: ProjectPath
  /// The name of the suite's own prompt, which its gates test.
  package var prompt: String
  /// The cases outside quarantine.
  package var cases: [Case]
  /// The number of quarantined cases, which are left out.
  package var quarantined: Int
  /// The columns with at least one answer: recorded columns first, then those of live runs.
  package var columns: [Column]
  /// The ratings of the cases by people, one column per file.
  package var ratings: [Column]
  /// The run logs that cannot be compared with the current suite.
  package var skippedLogs: [SkippedLog]
  /// The difficulty, discrimination and redundancy of the cases.
  ///
  /// This is `nil` for the health of a single run, and with fewer columns or models than
  /// ``leastForItems``.
  package let items: Items?

  /// A case with the tags and the class for which coverage is counted.
  package struct Case: Hashable, Sendable {
    package var id: String
    package var tags: [String]
    package var expectedClass: String?

    package init(id: String, tags: [String], expectedClass: String? = nil) {
      self.id = id
      self.tags = tags
      self.expectedClass = expectedClass
    }
  }

  /// A run log that was skipped.
  package struct SkippedLog: Hashable, Sendable {
    package var name: String
    package var reason: String

    package init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }

  /// The figures of classical test theory for each case.
  package struct Items: Hashable, Sendable {
    /// For each case, the share of columns that pass it; `nil` if it has no answer.
    package var difficulty: [Double?]
    /// For each case, its item-rest correlation; `nil` if all columns have the same outcome.
    package var discrimination: [Double?]
    /// The groups of redundant cases, as case indices.
    package var redundant: [[Int]]
  }

  package init(
    suite: String,
    path: ProjectPath,
    prompt: String,
    cases: [Case],
    quarantined: Int = 0,
    columns: [Column],
    ratings: [Column] = [],
    skippedLogs: [SkippedLog] = [],
    analyzesItems: Bool = true
  ) {
    self.suite = suite
    self.path = path
    self.prompt = prompt
    self.cases = cases
    self.quarantined = quarantined
    self.columns = columns
    self.ratings = ratings
    self.skippedLogs = skippedLogs
    let real = columns.filter(\.isReal)
    let (least, models) = (Self.leastForItems, Set(real.flatMap(\.models)))
    guard analyzesItems, real.count >= least.columns, models.count >= least.models else {
      items = nil
      return
    }
    let analysis = ItemAnalysis(
      cases.indices.map { place in real.map { $0.marks[place].map { $0 == .passed } } }
    )
    items = Items(
      difficulty: cases.indices.map { analysis.difficulty($0) },
      discrimination: cases.indices.map { analysis.discrimination($0) },
      redundant: analysis.redundantGroups(above: Self.redundancy, takers: least.columns)
    )
  }

  // MARK: Columns

  /// The columns whose answers come from models, not from stand-ins.
  package var realColumns: [Column] { columns.filter(\.isReal) }

  /// The names of the models that answered.
  package var models: [String] { Set(realColumns.flatMap(\.models)).sorted() }

  /// The newest real column of the suite's own prompt, by the date of its answers.
  ///
  /// A column with answers to fewer than half of the cases usually comes from an interrupted run.
  /// Such a column is used only if no column has answers to at least half of the cases.
  package var newest: Column? {
    let own = realColumns.filter { $0.isOwn && $0.headroom != nil }
    let full = own.filter { 2 * $0.answered >= cases.count }
    return (full.isEmpty ? own : full).max {
      ($0.day ?? "", $0.answered) < ($1.day ?? "", $1.answered)
    }
  }

  /// The headroom of the newest real column of the suite's own prompt; `nil` if there is none.
  package var headroom: Headroom? { newest?.headroom }

  // MARK: Disagreement

  /// A case that some real columns pass and others do not.
  package struct Disagreement: Hashable, Sendable {
    /// The index of the case.
    package var testCase: Int
    /// The indices of the columns that pass the case on all repeats.
    package var passing: [Int]
    /// The indices of the columns that fail the case on at least one repeat.
    package var failing: [Int]
  }

  /// The cases on which real columns differ, the most evenly divided ones first.
  package var disagreements: [Disagreement] {
    cases.indices.compactMap { place -> Disagreement? in
      var found = Disagreement(testCase: place, passing: [], failing: [])
      for (index, column) in columns.enumerated() where column.isReal {
        guard let mark = column.marks[place] else { continue }
        if mark == .passed { found.passing.append(index) } else { found.failing.append(index) }
      }
      return found.passing.isEmpty || found.failing.isEmpty ? nil : found
    }.sorted {
      (-min($0.passing.count, $0.failing.count), $0.testCase)
        < (-min($1.passing.count, $1.failing.count), $1.testCase)
    }
  }

  // MARK: Coverage

  /// A tag or class with its numbers of cases: all cases, answered cases and failing cases.
  package struct Group: Hashable, Sendable {
    package var name: String
    package var cases: Int
    /// The number of cases with an answer in the newest real column.
    package var answered: Int
    /// The number of answered cases that fail on at least one repeat.
    package var failing: Int

    /// True if there are too few cases to show any change.
    package var isSmall: Bool { cases < SuiteHealth.leastCases }
  }

  /// The groups by tag, sorted by name.
  package var tags: [Group] { groups { $0.tags } }

  /// The groups by expected class: a label, `clean` or `to be flagged`.
  package var classes: [Group] { groups { $0.expectedClass.map { [$0] } ?? [] } }

  private func groups(_ names: (Case) -> [String]) -> [Group] {
    let marks = newest?.marks
    var groups: [ExactString: Group] = [:]
    for (place, testCase) in cases.enumerated() {
      for name in names(testCase) {
        var group =
          groups[ExactString(name)] ?? Group(name: name, cases: 0, answered: 0, failing: 0)
        group.cases += 1
        if let mark = marks?[place] {
          group.answered += 1
          if mark != .passed { group.failing += 1 }
        }
        groups[ExactString(name)] = group
      }
    }
    return groups.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  // MARK: Suspects

  /// A case whose label may be wrong, since all models or all raters agree on another answer.
  package struct Suspect: Hashable, Sendable {
    /// The index of the case.
    package var testCase: Int
    /// The models that agree on an answer that is not the label; empty if models do not agree.
    package var models: [String]
    /// True if all people who rated the case agree on an answer that is not the label.
    package var isByPeople: Bool
  }

  /// The cases on which at least two models, or all raters, agree on an answer that is not the
  /// label.
  ///
  /// Only answers to the suite's own prompt count, since a different prompt may ask a different
  /// question.
  package var suspects: [Suspect] {
    let own = realColumns.filter(\.isOwn)
    return cases.indices.compactMap { place -> Suspect? in
      let models = Self.agreeing(own, on: place)
      let isByPeople = !Self.agreeing(ratings, on: place).isEmpty
      guard models.count > 1 || isByPeople else { return nil }
      return Suspect(
        testCase: place,
        models: models.count > 1 ? models : [],
        isByPeople: isByPeople
      )
    }
  }

  /// Returns the models that answered a case, if they all agree on an answer that is not its label.
  ///
  /// An unusable answer agrees with no other answer, so its case is never suspect.
  private static func agreeing(_ columns: [Column], on place: Int) -> [String] {
    let answered = columns.filter { $0.marks[place] != nil }
    let failures = answered.map { $0.failures[place] }
    guard let first = failures.first??.finding, failures.allSatisfy({ $0?.finding == first })
    else { return [] }
    return Set(failures.compactMap { $0?.model }).sorted()
  }
}

extension SuiteHealth {
  /// Creates the health of a suite from a single run.
  package init(_ result: SuiteResult) {
    var places: [ExactString: Int] = [:]
    var cases: [Case] = []
    for trial in result.columns.first?.countedTrials ?? []
    where places[ExactString(trial.caseID)] == nil {
      places[ExactString(trial.caseID)] = cases.count
      cases.append(
        Case(id: trial.caseID, tags: trial.tags, expectedClass: trial.expectedClass)
      )
    }
    self.init(
      suite: result.name,
      path: ProjectPath(result.path),
      prompt: result.columns.last?.prompt ?? "",
      cases: cases,
      quarantined: result.columns.first?.quarantine.count ?? 0,
      columns: result.columns.map { column in
        Column(
          prompt: column.prompt,
          backend: column.backend,
          origin: result.source == .live ? .live : .recorded,
          isOwn: column.isCandidate,
          trials: column.countedTrials,
          places: places,
          headroom: column.headroom
        )
      },
      analyzesItems: false
    )
  }
}
