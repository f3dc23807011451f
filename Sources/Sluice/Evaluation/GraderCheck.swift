import SluiceReporting

/// The test of a suite's scorers on the known good and bad outputs of cases (`good:` and `bad:`).
///
/// The tests run before any request is sent, since a wrong scorer makes all figures wrong.
struct GraderCheck {
  /// The number of known outputs that were tested.
  private(set) var count = 0
  private let scorers: [BoundScorer]
  private let takesEmptyAnswers: Bool
  private let diagnostics: DiagnosticCollector

  init(scorers: [BoundScorer], takesEmptyAnswers: Bool, diagnostics: DiagnosticCollector) {
    self.scorers = scorers
    self.takesEmptyAnswers = takesEmptyAnswers
    self.diagnostics = diagnostics
  }

  /// Reports good outputs of a case that a scorer fails, and bad outputs that no scorer fails.
  mutating func check(_ spec: CaseSpec, assertions: [BoundScorer], in file: SourceFile) {
    let all = (scorers + assertions).map { $0.bound(to: spec.testCase) }
    let able = all.filter(\.traits.judgesTextAlone)
    let wanted = AnswerPart.wanted(
      by: all.filter { $0.applies(to: spec.testCase) }.map(\.scorer),
      takesEmptyAnswers: takesEmptyAnswers
    )
    for output in spec.knownOutputs {
      count += 1
      let answer = Answer(ModelResponse(text: output.text), wanting: wanted)
      let scores = able.map { ($0.name, $0.score(answer, for: spec.testCase)) }
        .filter { $0.1.outcome != .notApplicable }
      let subject = "the \(output.kind.rawValue) output of the case '\(spec.testCase.id)'"
      func report(_ message: String, fix: String) {
        diagnostics.error("\(subject) \(message)", in: file, at: output.position, fix: fix)
      }
      if scores.isEmpty {
        report(
          "is not checked by any scorer",
          fix: "remove the output, or add a scorer that checks it"
        )
        continue
      }
      let unscored = scores.filter { $0.1.outcome == .unscored }
        .map { "cannot be scored by '\($0.0)': \($0.1.explanation)" }
      switch output.kind {
      case .good:
        // Some scorers check more than the text and may pass an unusable output.
        if let flaw = answer.flaw, !scores.contains(where: { $0.1.isUnusable }) {
          report(
            "is not a usable answer: \(flaw)",
            fix: "correct the output, or write 'empty-answer: usable' in the suite"
          )
        }
        let failed = scores.filter { $0.1.outcome == .failed }
          .map { "is rejected by '\($0.0)': \($0.1.explanation)" }
        for message in failed + unscored {
          report(message, fix: "correct the output, the case's expected values, or the scorer")
        }
      case .bad:
        if answer.flaw != nil || scores.contains(where: { $0.1.outcome == .failed }) { continue }
        report(
          unscored.first ?? "is not rejected by any scorer",
          fix: "correct the output, or add a check that rejects it"
        )
      }
    }
  }
}
