package import SluiceCore

/// The change in a column's requests since a reference, with the request of one case as an example.
package struct RequestChange: Hashable, Sendable {
  /// The number of cases whose requests differ, among the cases that both sides have.
  package var count: Int
  package var total: Int
  /// The case whose request is the example.
  package var caseID: String
  package var difference: RequestDifference

  /// The maximum number of cases to search for requests that are available on both sides.
  private static let patience = 50
  /// The maximum number of differences to choose the example from.
  private static let choices = 8
  /// The maximum number of changed lines that a reader can grasp at a glance.
  private static let glance = 8

  /// Compares the requests of a column with its baseline's requests.
  ///
  /// Returns `nil` if the requests are identical. It also returns `nil` if none of the first 50
  /// changed cases has a request that is available on both sides.
  ///
  /// - Parameters:
  ///   - trials: The trials of the column.
  ///   - evidence: The requests, and the baseline's answers.
  package init?(sinceBaselineOf trials: [Trial], _ evidence: Evidence) {
    self.init(trials, evidence) { trial in
      evidence.earlier(trial).map { ($0, 0) }
    } request: { earlier, _ in
      evidence.request(ofEarlier: earlier)
    }
  }

  /// Compares the requests of two columns of one suite, or returns `nil` if they are identical.
  ///
  /// - Parameters:
  ///   - reference: The reference column.
  ///   - column: The column to compare with it.
  package init?(from reference: ColumnResult, to column: ColumnResult) {
    guard let before = reference.evidence, let after = column.evidence else { return nil }
    // All repeats of a case have the same request, so its first trial is enough.
    let places = Dictionary(
      reference.trials.indices.map { (ExactString(reference.trials[$0].caseID), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    self.init(column.trials, after) { trial in
      guard let place = places[ExactString(trial.caseID)],
        reference.trials[place].caseVersion == trial.caseVersion
      else { return nil }
      return (reference.trials[place], place)
    } request: { earlier, place in
      before.request(of: earlier, at: place)
    }
  }

  init(count: Int, total: Int, caseID: String, difference: RequestDifference) {
    (self.count, self.total, self.caseID) = (count, total, caseID)
    self.difference = difference
  }

  /// Compares the requests of a column with earlier ones.
  ///
  /// - Parameters:
  ///   - trials: The trials of the column.
  ///   - evidence: The source of the column's requests.
  ///   - earlier: A closure that returns the trial of the same case on the other side, with the
  ///     index of that trial.
  ///   - request: A closure that returns the request of a trial on the other side.
  private init?(
    _ trials: [Trial],
    _ evidence: Evidence,
    earlier: (Trial) -> (trial: Trial, place: Int)?,
    request: (Trial, Int) -> ModelRequest?
  ) {
    var (changed, total): ([(index: Int, earlier: (trial: Trial, place: Int))], Int) = ([], 0)
    for (index, trial) in trials.enumerated() where trial.repetition == 1 {
      guard let earlier = earlier(trial) else { continue }
      total += 1
      if earlier.trial.request != trial.request { changed.append((index, earlier)) }
    }
    // Prefer a case that did not pass, since readers look at those first.
    let failed = changed.filter { trials[$0.index].outcome != .passed }
    for candidates in [failed, changed] {
      var found: [(caseID: String, difference: RequestDifference)] = []
      for (index, earlier) in candidates.prefix(Self.patience) where found.count < Self.choices {
        guard let old = request(earlier.trial, earlier.place),
          let new = evidence.request(of: trials[index], at: index)
        else { continue }
        let difference = RequestDifference(from: old, to: new)
        if !difference.parts.isEmpty { found.append((trials[index].caseID, difference)) }
      }
      guard let shown = Self.mostTelling(found) else { continue }
      (count, self.total) = (changed.count, total)
      (caseID, difference) = shown
      return
    }
    return nil
  }

  /// Returns the longest difference that does not exceed ``glance``, or the shortest difference if
  /// all exceed it.
  private static func mostTelling(_ found: [(caseID: String, difference: RequestDifference)])
    -> (caseID: String, difference: RequestDifference)?
  {
    let sizes = found.map { found in
      found.difference.parts.flatMap(\.lines).count { !$0.hasPrefix(" ") }
    }
    let fitting = found.indices.filter { sizes[$0] <= glance }
    // Break ties by the index, so that the same answers give the same report.
    let best =
      fitting.min { (-sizes[$0], $0) < (-sizes[$1], $1) }
      ?? found.indices.min { (sizes[$0], $0) < (sizes[$1], $1) }
    return best.map { found[$0] }
  }
}
