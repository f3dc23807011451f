@testable import Sluice
import Testing

@Suite("Label counts")
struct LabelCountsTests {
  /// Pairs of the right and the given label; nil for an invalid one.
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

  @Test("Labels that were expected or given are counted, invalid ones apart")
  func table() {
    #expect(mixed.labels == ["fan", "spam", "urgent"])
    #expect(mixed.count(expected: "fan", predicted: "fan") == 2)
    #expect(mixed.count(expected: "fan", predicted: "spam") == 1)
    #expect(mixed.count(expected: "fan", predicted: nil) == 1)
    #expect(mixed.count(expected: "urgent", predicted: "spam") == 1)
    #expect(mixed.count(expected: "urgent", predicted: "urgent") == 0)
    #expect(mixed.count(expected: "other", predicted: nil) == 0)
  }

  @Test("Recall counts an invalid label as a miss, precision does not know it")
  func invalid() {
    #expect(mixed.estimate(.recall, of: "fan") == Estimate(rate: 2, of: 4))
    #expect(mixed.estimate(.precision, of: "fan") == Estimate(rate: 2, of: 3))
    // 2 · 2 / (4 expected + 3 given), over the five cases where either was so.
    #expect(mixed.estimate(.f1, of: "fan") == Estimate(4.0 / 7, n: 5))
  }

  @Test("A class that was never given has no precision, one that was never expected no recall")
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

  @Test("The mean over classes weighs each the same and takes what is undefined for 0")
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

  @Test("Nothing counted is unknown")
  func empty() {
    let nothing = Estimate(unknown: "there is nothing to count")
    #expect(counts([]).estimate(.f1, of: nil) == nothing)
    #expect(counts([]).estimate(.recall, of: "fan") == nothing)
    #expect(LabelCounts([Score(.passed, explanation: "")]).labels == [])
  }
}
