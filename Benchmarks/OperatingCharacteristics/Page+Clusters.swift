import Sluice

/// A row of the table on clusters, with the limits for its rates.
struct ClusterRow: Sendable {
  private let cell: ClusteredRuns.Cell
  private static let falsePassBar = 0.075
  private static let falseFailBar = 0.055
  private static let coverageBar = 0.93

  init(_ cell: ClusteredRuns.Cell) { self.cell = cell }

  private var pairs: Double { Double(cell.tally.pairs) }
  private var isDecided: Bool { cell.design.effectiveClusters >= 8 }

  /// The share of pairs that pass the gate whose margin equals the true loss; `nil` if there is no
  /// loss.
  var falsePass: Double? {
    ClusteredRuns.margins.firstIndex(of: -cell.world.points)
      .map { Double(cell.tally.passed[$0]) / pairs }
  }

  /// The share of pairs that fail a gate although nothing changed; `nil` if the true rate changed.
  var falseFail: Double? {
    cell.world.points == 0 ? cell.tally.failed.map { Double($0) / pairs }.max() : nil
  }

  /// The share of intervals that contain the true accuracy.
  var coverage: Double { Double(cell.tally.covered) / pairs }

  /// The limits that were missed by more than two standard errors of the simulation.
  var misses: [String] {
    func error(_ share: Double) -> Double { 2 * (share * (1 - share) / pairs).squareRoot() }
    var misses: [String] = []
    if let falsePass, falsePass > Self.falsePassBar + error(Self.falsePassBar) {
      misses.append("false PASS \(falsePass)")
    }
    if let falseFail, falseFail > Self.falseFailBar + error(Self.falseFailBar) {
      misses.append("false FAIL \(falseFail)")
    }
    if isDecided, coverage < Self.coverageBar - error(Self.coverageBar) {
      misses.append("coverage \(coverage)")
    }
    return misses
  }
}

extension Page {
  var clusters: String {
    let rows = ClusteredRuns.designs.flatMap { design in
      [0, 0.3, 1].map { correlation -> [String] in
        let cells = clustered.filter {
          $0.design.name == design.name && $0.world.correlation == correlation
        }
        let found = cells.map(ClusterRow.init)
        func worst(_ values: [Double?]) -> String {
          values.compactMap(\.self).max().map(percent) ?? ""
        }
        let effective = (design.effectiveClusters * 10).rounded() / 10
        return [
          design.name, "\(effective)", "\(correlation)", worst(found.map(\.falsePass)),
          worst(found.map(\.falseFail)), found.map(\.coverage).min().map(percent) ?? "",
        ]
      }
    }
    return """
      ## Clusters

      Cases of a cluster, such as questions about one document, tend to pass or fail together. Clusters do not change
      estimates. Intervals and gates use an effective number of cases: the number of judged trials divided by the design
      effect. The design effect is the larger of two estimates. One is from the sandwich variance with the correction of Bell
      and McCaffrey (2002); the other is from the intraclass correlation. Either estimate alone misses a bar: the sandwich
      variance if one cluster dominates, and the correlation if the sizes of clusters differ a lot. With fewer than 8
      effective clusters, regression gates are inconclusive.

      In the table, "3 of 5" means 3 clusters of 5 cases. Each row shows the worst of several situations. False PASS: the
      true loss is the margin of 5 or 10 points. False FAIL: nothing changed, and 20% of the cases flip. The last column is
      the share of 95% intervals of accuracy that contain the true accuracy. From 8 effective clusters on, the bars are
      7.5%, 5.5% and 93%.

      \(table(
        [
          "clusters", "effective", "correlation", "false PASS", "false FAIL", "95% interval holds",
        ],
        rows
      ))

      For each figure, the library decided \(thousands(clustered.first?.tally.pairs ?? 0)) pairs of runs, from trials to verdict. One standard error is
      about 1 point near 5%. A case copies the outcome of its cluster with a probability that is the square root of the
      correlation (Lunn and Davies 1998). A rare kind of cluster may fail as a whole, while the other clusters show
      no correlation at all. No method can detect this from a sample without such a cluster.

      """
  }

  var repeats: String {
    let rows = repeated.map { row in
      let pairs = Double(row.tally.pairs)
      func share(_ count: Int) -> String { percent(Double(count) / pairs) }
      return [
        row.suite, "\(row.repeats)", share(row.tally.accuracyPassed), share(row.tally.passed),
        share(row.tally.accuracyFailed), share(row.tally.failed),
      ]
    }
    return """
      ## Repeats

      Both runs ask each of the first \(NoisyRuns.repeatedCases) cases of a suite several times. The noise is 10%, and nothing changed.
      Repeats do not change estimates; they separate the noise of the model from the differences between cases. There are
      two bars for clarity with 3 repeats. The accuracy gate passes at least 80% of the time, and both gates at least 50%.

      \(table(
        [
          "suite", "repeats", "accuracy PASS", "both PASS", "accuracy FAIL", "any FAIL",
        ],
        rows
      ))

      \(thousands(repeated.first?.tally.pairs ?? 0)) pairs in each row.

      """
  }
}
