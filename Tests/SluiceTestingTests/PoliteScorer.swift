import Sluice

/// A scorer that requires thanks in the answer, if the case asks for them.
struct PoliteScorer: Scorer {
  func score(_ answer: Answer, for testCase: TestCase) -> Score {
    guard testCase.expected["polite"]?.bool == true else {
      return Score(.notApplicable, explanation: "the case asks for no thanks")
    }
    if let flaw = answer.flaw {
      return Score(.failed, isUnusable: true, explanation: flaw)
    }
    let words = answer.text.lowercased().split { !$0.isLetter }
    guard let found = words.first(where: { $0 == "thanks" || $0 == "thank" }) else {
      return Score(
        .failed,
        explanation: "expected thanks, found none in \(words.count) words",
        measurements: ["thanks": false]
      )
    }
    return Score(.passed, explanation: "it says '\(found)'", measurements: ["thanks": true])
  }
}
