package import SluiceCore

/// A mix of calls to the features of several suites, such as all calls of a user in one day.
package struct Mix: Hashable, Sendable {
  /// The mix's name.
  package var name: String
  /// The calls to each suite's feature.
  package var calls: [Call]
  /// The conditions on the totals, which are only shown and never change the verdict.
  package var goals: [Condition]

  /// The total number of requests, one per call.
  package var requestCount: Int { calls.reduce(0) { $0 + $1.count } }

  /// The number of calls to a suite's feature.
  package struct Call: Hashable, Sendable {
    /// The suite's name.
    package var suite: String
    /// The number of calls.
    package var count: Int

    package init(suite: String, count: Int) {
      self.suite = suite
      self.count = count
    }
  }

  /// A figure that is summed over the calls of a mix.
  package enum Figure: String, Hashable, Sendable, CaseIterable {
    /// The cost in US dollars.
    case cost
    /// The tokens of requests and answers.
    case tokens
    /// The requests, one for each call.
    case requests

    /// The figure's unit.
    var quantity: Quantity { self == .cost ? .money : .count }

    /// The series of measurements that the figure sums; `nil` for the requests, which are known
    /// without answers.
    var series: Series? {
      switch self {
      case .cost: .cost
      case .tokens: .tokens
      case .requests: nil
      }
    }
  }

  package init(name: String, calls: [Call], goals: [Condition] = []) {
    self.name = name
    self.calls = calls
    self.goals = goals
  }

  /// Creates a mix from the project's file; invalid goals are reported and left out.
  package init(_ spec: MixSpec, file: SourceFile, diagnostics: DiagnosticCollector) {
    name = spec.name
    calls = spec.calls.compactMap { call in
      call.count.map { Call(suite: call.suite.text, count: $0) }
    }
    goals = spec.goals.compactMap { goal in
      let condition = ResolvedConditions.parse(goal, in: file, diagnostics: diagnostics) {
        Figure(rawValue: $0.name)?.quantity
      }
      guard let condition else { return nil }
      if let misfit = Self.misfit(condition) {
        diagnostics.error(misfit.message, in: file, at: goal.position, fix: misfit.fix)
        return nil
      }
      return condition
    }
  }

  /// Returns an error if a condition cannot be a goal of a mix, or `nil` if it can.
  private static func misfit(_ condition: Condition) -> (message: String, fix: String?)? {
    let names = Figure.allCases.map(\.rawValue)
    let reference = condition.reference
    if !names.contains(reference.description) {
      return (
        "a mix has no figure '\(reference)'",
        NearestName.suggestion(for: reference.name, among: names)
      )
    }
    if case .comparison(_, _, nil) = condition.demand, !condition.isLive { return nil }
    return (
      "a goal of a mix may only compare a figure with a value",
      "write, for example, '\(reference) <= "
        + "\(reference.name == Figure.cost.rawValue ? "$0.40" : "1000")'"
    )
  }
}
