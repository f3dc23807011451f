package import SluiceCore

/// Calls of several suites' features that belong together, such as those of a user's day.
public struct Mix: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// How often the feature of which suite is called.
  public var calls: [Call]
  /// The conditions on what all calls come to, shown and never blocking.
  public var goals: [Condition]

  /// How many requests all calls are, one each.
  public var requestCount: Int { calls.reduce(0) { $0 + $1.count } }

  /// How often the feature of a suite is called.
  public struct Call: Hashable, Sendable {
    /// The suite's name.
    public var suite: String
    /// How often.
    public var count: Int

    package init(suite: String, count: Int) {
      self.suite = suite
      self.count = count
    }
  }

  /// What the calls of a mix come to.
  public enum Figure: String, Hashable, Sendable, CaseIterable {
    /// The cost in US dollars.
    case cost
    /// The tokens of requests and answers.
    case tokens
    /// The requests, one for each call.
    case requests

    /// In what the figure is counted.
    var quantity: Quantity { self == .cost ? .money : .count }

    /// What it is the sum of; nil where it is known without an answer.
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

  /// Reads the goals of a mix; those that are wrong are reported and left out.
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

  /// Why a condition cannot be a goal of a mix; nil where it can.
  private static func misfit(_ condition: Condition) -> (message: String, fix: String?)? {
    let names = Figure.allCases.map(\.rawValue)
    let reference = condition.reference
    if !names.contains(reference.description) {
      return (
        "'\(reference)' is no figure of a mix",
        NearestName.suggestion(for: reference.name, among: names)
      )
    }
    if case .comparison(_, _, nil) = condition.demand, !condition.isLive { return nil }
    return (
      "a goal of a mix compares a figure with a value, and no more",
      "write such as '\(reference) <= \(reference.name == Figure.cost.rawValue ? "$0.40" : "1000")'"
    )
  }
}
