import SluiceGating

/// The division of a report's trials into pages.
///
/// All trials of a case are on one page, so that the answers of prompts and models can be compared
/// side by side. Cases with a failed, lost or changed trial come first, and all other cases follow.
/// Both groups are in the order of the suites.
package struct HTMLPaging {
  /// The maximum number of cases per page, chosen so that a page is still fast.
  package static let most = 10_000
  /// The maximum number of trials per page, divided by the maximum number of cases per page.
  ///
  /// With more repeats than this number, a page has fewer cases.
  static let trialsPerCase = 4
  /// The maximum number of pages.
  ///
  /// If a run needs more pages, only pages with failed, lost or changed trials are written.
  static let mostPages = 5

  /// The number of pages, at least one.
  let count: Int
  /// The number of cases on the pages, and the number of all cases.
  let (paged, all): (Int, Int)
  /// The page of each trial, from 0, by suite and column; empty if there is only one page.
  private let pages: [[[UInt16]]]

  /// Divides the trials of suites into pages.
  ///
  /// - Parameters:
  ///   - suites: The suites.
  ///   - most: The maximum number of cases per page. A page also has at most ``trialsPerCase``
  ///     times as many trials, unless a single case has more, since cases are never split.
  init(_ suites: [HTMLSuite], most: Int = Self.most) {
    let cases = suites.map { Cases($0) }
    all = cases.reduce(0) { $0 + $1.sizes.count }
    let trials = cases.reduce(0) { $0 + $1.sizes.reduce(0, +) }
    if all <= most, trials <= most * Self.trialsPerCase {
      (count, paged, pages) = (1, all, [])
      return
    }
    // First add the cases with a failed, lost or changed trial, then all others.
    var (page, filled, lastWanted) = (0, (cases: 0, trials: 0), 0)
    var pageOfCase = cases.map { [UInt16](repeating: 0, count: $0.sizes.count) }
    for isWanted in [true, false] {
      for (suite, cases) in cases.enumerated() {
        for (index, size) in cases.sizes.enumerated() where cases.areWanted[index] == isWanted {
          let isFull =
            filled.cases == most || filled.trials + size > most * Self.trialsPerCase
          if filled.cases > 0, isFull { (page, filled) = (page + 1, (0, 0)) }
          pageOfCase[suite][index] = UInt16(clamping: page)
          filled = (filled.cases + 1, filled.trials + size)
          if isWanted { lastWanted = page }
        }
      }
    }
    let written = page < Self.mostPages ? page + 1 : min(lastWanted + 1, Self.mostPages)
    count = written
    pages = zip(cases, pageOfCase).map { cases, pages in
      cases.ofTrials.map { column in column.map { pages[$0] } }
    }
    paged = pageOfCase.joined().count { $0 < written }
  }

  /// The cases of a suite in the order of their first appearance.
  private struct Cases {
    /// For each case, its number of trials.
    private(set) var sizes: [Int] = []
    /// For each case, true if it has a failed, lost or changed trial.
    private(set) var areWanted: [Bool] = []
    /// For each column, the indices of its trials' cases.
    private(set) var ofTrials: [[Int]] = []

    init(_ suite: HTMLSuite) {
      guard suite.asksRepeatedly else {
        let column = suite.columns.first
        let trials = column?.result.trials ?? []
        sizes = Array(repeating: 1, count: trials.count)
        areWanted = trials.map { $0.outcome != .passed || column?.change($0.caseID) != nil }
        ofTrials = [Array(trials.indices)]
        return
      }
      var places: [ExactString: Int] = [:]
      for column in suite.columns {
        let ofTrials = column.result.trials.map { trial in
          let key = ExactString(trial.caseID)
          let place = places[key] ?? sizes.count
          if place == sizes.count {
            places[key] = place
            sizes.append(0)
            areWanted.append(false)
          }
          sizes[place] += 1
          if trial.outcome != .passed || column.change(trial.caseID) != nil {
            areWanted[place] = true
          }
          return place
        }
        self.ofTrials.append(ofTrials)
      }
    }
  }

  /// Returns true if a trial is on a page.
  func isOn(_ page: Int, suite: Int, column: Int, trial: Int) -> Bool {
    pages.isEmpty || Int(pages[suite][column][trial]) == page
  }

  /// Returns the file name of a page.
  ///
  /// - Parameters:
  ///   - page: The page, from 0.
  ///   - base: The name of the first page, without `.html`.
  /// - Returns: The name, such as `report-2.html`.
  static func fileName(_ page: Int, of base: String) -> String {
    page == 0 ? "\(base).html" : "\(base)-\(page + 1).html"
  }

  /// Returns the names of the files that are further pages of an earlier, larger report.
  static func furtherPages(of base: String, in names: [String]) -> [String] {
    names.filter { name in
      guard name.hasPrefix("\(base)-"), name.hasSuffix(".html") else { return false }
      let number = name.dropFirst(base.utf8.count + 1).dropLast(5)
      return Int(number).map { $0 > 1 && String($0) == number } ?? false
    }
  }
}
