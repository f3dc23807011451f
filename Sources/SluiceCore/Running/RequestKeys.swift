package import SluiceSupport

/// The keys of a plan's requests, of which all that cases do not decide is made once.
package struct RequestKeys: Sendable {
  /// By prompt, then by backend; nil where keys take the whole request.
  private let prepared: [[RequestKey?]]

  package init(_ plan: SuitePlan) {
    prepared = plan.prompts.map { prompt in plan.backends.map { RequestKey(prompt, $0) } }
  }

  /// The key of a trial's request.
  ///
  /// - Throws: The first name that the case does not supply.
  func key(
    of slot: SuitePlan.TrialIndex,
    _ testCase: TestCase,
    in plan: SuitePlan
  ) throws(Template.Problem) -> DigestText {
    guard let prepared = prepared[slot.prompt][slot.backend] else {
      return DigestText(RequestIdentity.key(of: try plan.request(slot, testCase)))
    }
    return DigestText(try prepared.key(testCase.input))
  }

  /// The key of a trial's request; nil where it is none that this program makes.
  ///
  /// - Throws: The first name that the case does not supply.
  package func digest(
    of slot: SuitePlan.TrialIndex,
    _ testCase: TestCase,
    in plan: SuitePlan
  ) throws(Template.Problem) -> Digest? {
    guard case .digest(let digest) = try key(of: slot, testCase, in: plan) else { return nil }
    return digest
  }
}
