/// The result of testing whether a backend or a scorer follows Sluice's rules.
public struct ConformanceReport: Hashable, Sendable, CustomStringConvertible {
  /// The rules in the order in which they were tested.
  public var findings: [Finding]

  /// True if no rule was broken and at least one rule was kept.
  public var isConforming: Bool {
    findings.contains { $0.outcome == .kept } && !findings.contains { $0.outcome.isBroken }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String {
    findings.map { finding in
      switch finding.outcome {
      case .kept: "kept     \(finding.rule)\n"
      case .broken(let how): "BROKEN   \(finding.rule): \(how)\n"
      case .skipped(let why): "skipped  \(finding.rule): \(why)\n"
      }
    }
    .joined()
  }

  /// A rule with its outcome.
  public struct Finding: Hashable, Sendable {
    /// The rule, in a sentence.
    public var rule: String
    /// The outcome of testing the rule.
    public var outcome: Outcome

    /// The outcome of testing a rule.
    public enum Outcome: Hashable, Sendable {
      /// The rule was kept.
      case kept
      /// The rule was broken.
      ///
      /// The phrase describes the violation.
      case broken(String)
      /// The rule was not tested.
      ///
      /// The phrase gives the reason.
      case skipped(String)

      var isBroken: Bool { if case .broken = self { true } else { false } }
    }
  }
}
