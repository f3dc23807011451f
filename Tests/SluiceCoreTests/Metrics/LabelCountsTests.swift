@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Label counts")
struct LabelCountsTests {
  /// Pairs of the correct and the given label; nil for an invalid label.
  private func counts(_ pairs: [(String, String?)]) -> LabelCounts {
    LabelCounts(
      pairs.map { expected, predicted in
        Score(
          .passed,
          explanation: "",
          measurements: [
            "expected": .string(expected), "predicted": predicted.map(JSONValue.string) ?? .null,
          ]
        )
      }
    )
  }

  private var mixed: LabelCounts {
    counts([
      ("fan", "fan"), ("fan", "fan"), ("fan", "spam"), ("fan", nil), ("spam", "spam"),
      ("spam", "fan"), ("urgent", "spam"),
    ])
  }

  @Test("Expected and predicted labels are counted, and invalid labels are counted separately")
  func table() {
    #expect(mixed.labels == ["fan", "spam", "urgent"])
    #expect(mixed.count(expected: "fan", predicted: "fan") == 2)
    #expect(mixed.count(expected: "fan", predicted: "spam") == 1)
    #expect(mixed.count(expected: "fan", predicted: nil) == 1)
    #expect(mixed.count(expected: "urgent", predicted: "spam") == 1)
    #expect(mixed.count(expected: "urgent", predicted: "urgent") == 0)
    #expect(mixed.count(expected: "other", predicted: nil) == 0)
  }

  @Test("An invalid label counts as a miss for recall and is ignored by precision")
  func invalid() {
    #expect(mixed.estimate(.recall, of: "fan") == Estimate(rate: 2, of: 4))
    #expect(mixed.estimate(.precision, of: "fan") == Estimate(rate: 2, of: 3))
    // 2 · 2 / (4 expected + 3 given), from the five cases in which either label is fan.
    #expect(mixed.estimate(.f1, of: "fan") == Estimate(4.0 / 7, n: 5))
  }

  @Test("A class never predicted has no precision, and a class never expected has no recall")
  func undefined() {
    let nothing = Estimate(unknown: "there is nothing to count")
    #expect(mixed.estimate(.precision, of: "urgent") == nothing)
    #expect(mixed.estimate(.recall, of: "urgent") == Estimate(rate: 0, of: 1))
    #expect(mixed.estimate(.f1, of: "urgent") == Estimate(0, n: 1))
    let given = counts([("fan", "spam")])
    #expect(given.estimate(.recall, of: "spam") == nothing)
    #expect(given.estimate(.f1, of: "spam") == Estimate(0, n: 1))
    #expect(mixed.estimate(.f1, of: "business") == nothing)
  }

  @Test("The macro average weighs each class equally and counts an undefined value as 0")
  func macro() throws {
    let precision = mixed.estimate(.precision, of: nil)
    // 2/3 for fan, 1/3 for spam, nothing for urgent.
    #expect(abs(try #require(precision.value) - 1.0 / 3) < 1e-12)
    #expect(precision.n == 7)
    #expect(precision.interval == nil)
    let recall = mixed.estimate(.recall, of: nil)
    // 2/4 for fan, 1/2 for spam, 0 for urgent.
    #expect(abs(try #require(recall.value) - 1.0 / 3) < 1e-12)
    #expect(recall.n == 7)
  }

  @Test("F-beta weighs recall according to beta")
  func fBeta() {
    // Precision 2/3 and recall 2/4.
    #expect(isClose(mixed.fBeta(1, of: "fan"), 4.0 / 7))
    #expect(isClose(mixed.fBeta(2, of: "fan"), 5 * (2.0 / 3) * 0.5 / (4 * (2.0 / 3) + 0.5)))
    #expect(isClose(mixed.fBeta(0, of: "fan"), 2.0 / 3))
    #expect(mixed.fBeta(0, of: "urgent") == nil)
    #expect(mixed.fBeta(2, of: "urgent") == 0)
    #expect(mixed.fBeta(1, of: "business") == nil)
  }

  @Test("F1 is averaged over classes, over cases, or over all counts")
  func averages() {
    // F1 is 4/7 for fan, 2/5 for spam and 0 for urgent; 3 hits of 7 expected and 6 given.
    #expect(isClose(mixed.f1(.macro), (4.0 / 7 + 0.4) / 3))
    #expect(isClose(mixed.f1(.weighted), (4 * 4.0 / 7 + 2 * 0.4) / 7))
    #expect(isClose(mixed.f1(.micro), 6.0 / 13))
    #expect(isClose(mixed.f1(.macro), mixed.estimate(.f1, of: nil).value ?? -1))
  }

  @Test("Balanced accuracy is the mean recall of the expected classes")
  func balanced() {
    #expect(isClose(mixed.balancedAccuracy, 1.0 / 3))
    #expect(isClose(counts([("a", "a"), ("a", "b"), ("a", "b")]).balancedAccuracy, 1.0 / 3))
  }

  @Test("The Matthews correlation of 12 pictures of cats and dogs matches the known value")
  func matthews() {
    let pictures = counts(
      Array(repeating: ("cat", "cat"), count: 6) + Array(repeating: ("cat", "dog"), count: 2)
        + Array(repeating: ("dog", "cat"), count: 1) + Array(repeating: ("dog", "dog"), count: 3)
    )
    #expect(isClose(pictures.matthewsCorrelation, 16 / (7 * 8 * 4 * 5 as Double).squareRoot()))
    #expect(counts([("a", "a"), ("b", "b"), ("c", "c")]).matthewsCorrelation == 1)
    #expect(counts([("a", "a"), ("b", "a")]).matthewsCorrelation == nil)
    #expect(counts([("a", "a"), ("a", "b")]).matthewsCorrelation == nil)
    let invalid = counts([("a", "a"), ("b", "b"), ("b", nil)])
    #expect(isClose(invalid.matthewsCorrelation, 3 / (4 * 6 as Double).squareRoot()))
  }

  @Test("Labels are compared and sorted by their code points")
  func codePoints() {
    let accents = counts([("e\u{301}", "\u{e9}"), ("\u{e9}", "\u{e9}"), ("z", "e\u{301}")])
    #expect(accents.labels.map { $0.unicodeScalars.count } == [2, 1, 1])
    #expect(accents.count(expected: "\u{e9}", predicted: "\u{e9}") == 1)
    #expect(accents.estimate(.recall, of: "e\u{301}").value == 0)
  }

  @Test("Without counts, every statistic is unknown")
  func empty() {
    let nothing = Estimate(unknown: "there is nothing to count")
    #expect(counts([]).estimate(.f1, of: nil) == nothing)
    #expect(counts([]).estimate(.recall, of: "fan") == nothing)
    #expect(counts([]).f1(.micro) == nil)
    #expect(counts([]).balancedAccuracy == nil)
    #expect(counts([]).matthewsCorrelation == nil)
    #expect(LabelCounts([Score(.passed, explanation: "")]).labels == [])
  }
}
