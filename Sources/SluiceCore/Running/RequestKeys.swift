package import SluiceSupport

/// The keys of a plan's requests.
///
/// The parts of a request that do not depend on the case are computed once.
package struct RequestKeys: Sendable {
  /// The prepared computations, by prompt and then by backend; nil if the whole request is needed
  /// for a key.
  private let prepared: [[RequestKey?]]

  package init(_ plan: SuitePlan) {
    prepared = plan.prompts.map { prompt in plan.backends.map { RequestKey(prompt, $0) } }
  }

  /// Returns the key of a trial's request.
  ///
  /// - Throws: A problem with the first variable for which the case has no value.
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

  /// Returns the key of a trial's request; nil if the key is not a valid digest.
  ///
  /// - Throws: A problem with the first variable for which the case has no value.
  package func digest(
    of slot: SuitePlan.TrialIndex,
    _ testCase: TestCase,
    in plan: SuitePlan
  ) throws(Template.Problem) -> Digest? {
    guard case .digest(let digest) = try key(of: slot, testCase, in: plan) else { return nil }
    return digest
  }
}
