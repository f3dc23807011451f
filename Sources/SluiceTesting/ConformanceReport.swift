/// The rules that something of yours was tried on, and what was found.
public struct ConformanceReport: Hashable, Sendable, CustomStringConvertible {
  /// The rules in the order in which they were tried.
  public var findings: [Finding]

  /// Whether no rule was broken, and one at least was tried.
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

  /// A rule, and whether it was kept.
  public struct Finding: Hashable, Sendable {
    /// The rule, in a sentence.
    public var rule: String
    /// Whether it was kept.
    public var outcome: Outcome

    /// Whether a rule was kept.
    public enum Outcome: Hashable, Sendable {
      /// It was.
      case kept
      /// It was not; how, in a phrase.
      case broken(String)
      /// It was not tried; why, in a phrase.
      case skipped(String)

      var isBroken: Bool { if case .broken = self { true } else { false } }
    }
  }
}
