package import SluiceCore

/// A suite's policy for its gates: the effect of a credible loss, the quarantine and the waivers.
package struct GatePolicy: Sendable {
  package var rule: RegressionRule
  /// The quarantined cases by id.
  ///
  /// These cases run and are shown, but do not affect the verdict.
  package var quarantine: [String: Exemption]
  /// The waived gates by their text.
  ///
  /// These gates are decided and shown, but cannot make a run fail.
  package var waivers: [String: Exemption]

  package init(
    rule: RegressionRule = RegressionRule(),
    quarantine: [String: Exemption] = [:],
    waivers: [String: Exemption] = [:]
  ) {
    self.rule = rule
    self.quarantine = quarantine
    self.waivers = waivers
  }

  /// Reads the policy of a suite, and reports errors in it.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - cases: The ids of the suite's cases, or `nil` if they could not be read.
  ///   - today: The current date, to find exemptions that have ended.
  ///   - diagnostics: Collects errors and ended exemptions.
  package init(
    _ suite: SuiteSpec,
    cases: [String]?,
    today: Timestamp,
    diagnostics: DiagnosticCollector
  ) {
    self.init()
    if let word = suite.onCredibleRegression {
      if let policy = RegressionRule.CredibleRegressionPolicy(rawValue: word.text) {
        rule = RegressionRule(policy: policy)
      } else {
        diagnostics.error(
          "'on-credible-regression' must be 'fail' or 'warn', not '\(word.text)'",
          in: suite.file,
          at: word.position,
          fix: "remove the line to use 'fail'"
        )
      }
    }
    func exemptions(
      _ specs: [ExemptionSpec],
      _ noun: String,
      among known: [String]?
    ) -> [String: Exemption] {
      var exemptions: [String: Exemption] = [:]
      for spec in specs {
        let (text, position) = (spec.subject.text, spec.subject.position)
        if exemptions[text] != nil {
          diagnostics.error(
            "the \(noun) '\(text)' has two exemptions",
            in: suite.file,
            at: position,
            fix: "remove one of the two lines"
          )
        } else if let known, !known.contains(text) {
          diagnostics.error(
            "the suite has no \(noun) '\(text)'",
            in: suite.file,
            at: position,
            fix: NearestName.suggestion(for: text, among: known)
          )
        } else if spec.exemption.until < today.iso8601.prefix(10) {
          diagnostics.warning(
            "the exemption of the \(noun) '\(text)' expired on \(spec.exemption.until)",
            in: suite.file,
            at: position,
            fix: "remove the line, or extend its date if the reason is still valid"
          )
        } else {
          exemptions[text] = spec.exemption
        }
      }
      return exemptions
    }
    quarantine = exemptions(suite.quarantine, "case", among: cases)
    waivers = exemptions(suite.waivers, "gate", among: suite.gates.map(\.text.trimmed))
  }

  /// Returns the trials of cases outside quarantine, which determine the verdict.
  package func counted(_ trials: [Trial]) -> [Trial] {
    quarantine.isEmpty ? trials : trials.filter { quarantine[$0.caseID] == nil }
  }

  /// Decides gates, and adds the waivers to the decisions.
  package func decisions(on gates: [ResolvedConditions.Bound], by decider: Decider) -> [Decision] {
    gates.map { gate in
      var decision = decider.decide(gate.condition, on: gate.metric)
      decision.waiver = waivers[gate.condition.text]
      return decision
    }
  }
}
