import SluiceReporting

extension ResolvedSuite {
  /// Keeps only the cases that a filter selects.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - failed: The ids of the cases that failed in the last run, if the filter selects failed
  ///     cases.
  mutating func keep(_ filter: CaseFilter, failed: Set<String> = []) {
    plan = plan.keeping(filter, failed: failed)
    if policy.quarantine.isEmpty { return }
    let ids = Set(plan.cases.map(\.stored.id))
    policy.quarantine = policy.quarantine.filter { ids.contains($0.key) }
  }

  /// Keeps only the cases that are also in another plan of the suite.
  mutating func keep(casesOf other: SuitePlan) {
    guard let filtered = other.filtered else { return }
    let filter = CaseFilter(cases: other.cases.map(\.stored.id))
    let total = plan.cases.count
    keep(filter)
    plan.filtered = FilteredCases(filtered.filter, count: plan.cases.count, of: total)
  }
}

/// A filter on cases, applied to the suites of a project.
package struct CaseFiltering: Sendable {
  /// An error in a filter: an id or tag that no suite has, or filters that select no case.
  package struct Fault: Hashable, Sendable {
    package var message: String
    package var fix: String?

    package init(message: String, fix: String?) {
      self.message = message
      self.fix = fix
    }
  }

  /// The suites that have selected cases, with only these cases.
  package private(set) var suites: [ResolvedSuite] = []
  /// All errors in the filter.
  package private(set) var faults: [Fault] = []
  /// For each suite, a sentence about the run in which its cases failed.
  package private(set) var notes: [String] = []
  /// True if only failed cases are requested but none failed.
  package private(set) var hasNoFailures = false

  /// Filters the cases of suites.
  ///
  /// - Parameters:
  ///   - suites: The suites.
  ///   - filter: The filter.
  ///   - files: The project's files, which have the logs of earlier runs.
  package init(_ suites: [ResolvedSuite], _ filter: CaseFilter, in files: any FileSystem) {
    faults = Self.unknownNames(filter, suites)
    if !faults.isEmpty { return }
    var isAnyFailed = false
    var isAnyRun = false
    for var suite in suites {
      var failed: Set<String> = []
      if filter.isFailed {
        guard let last = LastRun.newest(of: suite.plan, in: files) else {
          notes.append(
            "\(suite.plan.name): not run, because \(RunLog.folder)/ has no finished run of this suite"
          )
          continue
        }
        isAnyRun = true
        failed = last.failed
        isAnyFailed = isAnyFailed || !failed.isEmpty
        notes.append(Self.note(last, suite.plan))
      }
      suite.keep(filter, failed: failed)
      if !suite.plan.cases.isEmpty { self.suites.append(suite) }
    }
    guard self.suites.isEmpty else { return }
    if filter.isFailed, !isAnyRun {
      let names = suites.map { SuiteName.short($0.plan.path) }
      let which = names.count == 1 ? " of \(names[0])" : ""
      faults.append(
        Fault(
          message: "there is no finished run\(which) in \(RunLog.folder)/, so the failed cases "
            + "are unknown",
          fix: "run all cases first: sluice run\(names.count == 1 ? " \(names[0])" : "")"
        )
      )
    } else if filter.isFailed, !isAnyFailed {
      hasNoFailures = true
    } else {
      faults.append(
        Fault(
          message: "no case matches all of these filters: \(filter.phrase)",
          fix: "leave out one of the filters"
        )
      )
    }
  }

  /// Returns faults for the ids and tags that no suite has.
  private static func unknownNames(_ filter: CaseFilter, _ suites: [ResolvedSuite]) -> [Fault] {
    if filter.cases.isEmpty, filter.tags.isEmpty { return [] }
    var ids: Set<String> = []
    var tags: Set<String> = []
    for planned in suites.lazy.flatMap(\.plan.cases) {
      ids.insert(planned.stored.id)
      tags.formUnion(planned.stored.labels.tags)
    }
    return [("case", filter.cases, ids), ("tag", filter.tags, tags)].flatMap { what, names, known in
      names.filter { !known.contains($0) }.map { name in
        Fault(
          message: "no \(what) '\(name)' in the selected suites",
          fix: suggestion(for: name, among: known)
        )
      }
    }
  }

  /// Returns a suggestion for an unknown name: some names that contain it, or else the nearest name.
  private static func suggestion(for name: String, among known: Set<String>) -> String? {
    let most = 5
    // Users may type only a part of a long id.
    let whole = name.utf8.count < 3 ? [] : known.filter { $0.contains(name) }.sorted()
    if whole.count == 1 { return "did you mean '\(whole[0])'?" }
    if (2...most).contains(whole.count) { return "name one of: \(whole.joined(separator: ", "))" }
    if whole.count > most {
      let shown = whole.prefix(most).joined(separator: ", ")
      return "name one of: \(shown) and \(whole.count - most) more"
    }
    return NearestName.of(name, among: known.sorted()).map { "did you mean '\($0)'?" }
  }

  private static func note(_ last: LastRun, _ plan: SuitePlan) -> String {
    let failed = last.failed
    let known = Set(plan.cases.map(\.stored.id))
    let gone = failed.subtracting(known).count
    let count = failed.isEmpty ? "no case" : TerminalLines.count(failed.count, "case")
    var note = "\(plan.name): \(count) failed in the run of \(last.moment)"
    if last.lostCount > 0 { note += "; \(last.lostCount) had no outcome" }
    if gone > 0 { note += "; of the failed cases, \(gone) \(gone == 1 ? "is" : "are") now removed" }
    return note
  }
}
