public import SluiceCore

/// The figures of a column for each group of its cases, such as those with one tag.
public struct GroupTable: Hashable, Sendable {
  /// The property that cases are grouped by.
  public var grouping: Grouping
  /// The groups, sorted by name.
  ///
  /// A case with several tags is in several groups.
  public var groups: [Group]

  /// The cases that share a value.
  public struct Group: Hashable, Sendable {
    /// The value that the cases share, such as a tag, a class or a split.
    public var name: String
    /// The number of cases.
    public var caseCount: Int
    /// Accuracy and the scorers' metrics.
    ///
    /// Each group has the same metrics.
    public var metrics: [ColumnResult.NamedEstimate]
  }

  /// Groups trials.
  ///
  /// - Parameters:
  ///   - grouping: The property.
  ///   - trials: The trials of one column, without quarantined cases.
  ///   - metrics: The metrics to compute for each group.
  ///   - names: A closure that returns the names of a trial's groups.
  package init(
    _ grouping: Grouping,
    _ trials: [Trial],
    metrics: [SuiteMetrics.Named],
    names: (Trial) -> [String]
  ) {
    self.grouping = grouping
    var places: [ExactString: Int] = [:]
    var groups: [(name: String, trials: [Trial])] = []
    for trial in trials {
      for name in names(trial) {
        if let place = places[ExactString(name)] {
          groups[place].trials.append(trial)
        } else {
          places[ExactString(name)] = groups.count
          groups.append((name, [trial]))
        }
      }
    }
    self.groups = groups.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .map { name, trials in
        Group(
          name: name,
          caseCount: Set(trials.map { ExactString($0.caseID) }).count,
          metrics: ColumnResult.estimates(metrics, by: MetricEvaluator(trials))
        )
      }
  }
}

extension Trial {
  /// The expected class of the case: its expected label if it has one, otherwise `clean` or `to be
  /// flagged`.
  package var expectedClass: String? {
    for named in scores {
      let measurements = named.score.measurements
      if let label = measurements[MetricDefinition.expectedLabel]?.string { return label }
      if measurements["clean"]?.bool == true { return "clean" }
      if measurements["positive"]?.bool == true { return "to be flagged" }
    }
    return nil
  }
}
