import SluiceGating

/// The pages of a report: which trials stand on which.
///
/// The trials of a case stand together, so that what prompts and models answered can be seen side by side.
/// Cases of which a trial failed, was lost or changed come first, then the others, both in the order of the
/// suites.
package struct HTMLPaging {
  /// The number of cases that a page has; it stays quick with these.
  package static let most = 10_000
  /// The number of trials that a page has for each case that it may have: many repeats make fewer cases.
  static let trialsPerCase = 4
  /// How many pages there are at most.
  ///
  /// Of a run that does not fit on them only those are written on which something failed, was lost or
  /// changed: nobody leafs through what went well in the rest.
  static let mostPages = 5

  /// How many pages there are, at least one.
  let count: Int
  /// The number of cases on the pages, and of all cases.
  let (paged, all): (Int, Int)
  /// By suite and column the page of each trial, from 0; empty where one page has all.
  private let pages: [[[UInt16]]]

  /// Divides the trials of suites.
  ///
  /// - Parameters:
  ///   - suites: The suites.
  ///   - most: The number of cases that a page has, each with ``trialsPerCase`` trials; a case with more
  ///     trials than a page has is not parted.
  init(_ suites: [HTMLSuite], most: Int = Self.most) {
    let cases = suites.map { Cases($0) }
    all = cases.reduce(0) { $0 + $1.sizes.count }
    let trials = cases.reduce(0) { $0 + $1.sizes.reduce(0, +) }
    if all <= most, trials <= most * Self.trialsPerCase {
      (count, paged, pages) = (1, all, [])
      return
    }
    // Filled first with what a reader looks for, then with the rest.
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
    /// How many trials each has.
    private(set) var sizes: [Int] = []
    /// Whether a reader looks for it: a trial of it failed, was lost or changed.
    private(set) var areWanted: [Bool] = []
    /// By column the case of each trial.
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

  /// Whether a trial stands on a page.
  func isOn(_ page: Int, suite: Int, column: Int, trial: Int) -> Bool {
    pages.isEmpty || Int(pages[suite][column][trial]) == page
  }

  /// The name of the file of a page.
  ///
  /// - Parameters:
  ///   - page: The page, from 0.
  ///   - base: The name of the first one, without `.html`.
  /// - Returns: The name, such as `report-2.html`.
  static func fileName(_ page: Int, of base: String) -> String {
    page == 0 ? "\(base).html" : "\(base)-\(page + 1).html"
  }

  /// The files of further pages among names: those that an earlier, larger report may have left.
  static func furtherPages(of base: String, in names: [String]) -> [String] {
    names.filter { name in
      guard name.hasPrefix("\(base)-"), name.hasSuffix(".html") else { return false }
      let number = name.dropFirst(base.utf8.count + 1).dropLast(5)
      return Int(number).map { $0 > 1 && String($0) == number } ?? false
    }
  }
}
