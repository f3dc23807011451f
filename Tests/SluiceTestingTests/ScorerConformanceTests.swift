import Foundation
import SampleProjects
import Sluice
import SluiceTesting
import Testing

@Suite("Scorer conformance")
struct ScorerConformanceTests {
  private static let same = "the same answer to the same case gets the same score"
  private static let threads = "many concurrent threads all get the same score"
  private static let explained = "every score has an explanation, whatever the answer is"
  private static let oneLine = "an explanation is one line of at most 1000 characters"
  private static let measurements = "measurements are Booleans, finite numbers or labels"
  private static let time = "the time for a large answer is proportional to its length"

  /// A scorer made of a closure.
  private struct ClosureScorer: Scorer {
    let body: @Sendable (Answer) -> Score

    func score(_ answer: Answer, for testCase: TestCase) -> Score { body(answer) }
  }

  private func report(_ body: @escaping @Sendable (Answer) -> Score) -> ConformanceReport {
    let testCase = TestCase(id: "case", input: [:])
    return ScorerConformance(ClosureScorer(body: body), testCase, answers: ["yes"]).report()
  }

  /// Returns the broken rules, each with its finding.
  private func broken(_ body: @escaping @Sendable (Answer) -> Score) -> [String: String] {
    var broken: [String: String] = [:]
    for finding in report(body).findings {
      if case .broken(let how) = finding.outcome { broken[finding.rule] = how }
    }
    return broken
  }

  @Test("A scorer that follows all rules conforms")
  func good() {
    let report = report { answer in
      let count = answer.text.utf8.count
      return Score(
        .passed,
        explanation: "\(count) bytes",
        measurements: ["bytes": .number(Double(count))]
      )
    }
    let rules = [
      Self.same, Self.threads, Self.explained, Self.oneLine, Self.measurements, Self.time,
    ]
    #expect(report.description == rules.map { "kept     \($0)\n" }.joined())
    #expect(report.isConforming)
  }

  @Test("A scorer that remembers earlier answers gives different scores")
  func memory() {
    let calls = Locked(0)
    let broken = broken { _ in
      let call = calls.withLock { count in
        count += 1
        return count
      }
      return Score(call % 2 == 0 ? .passed : .failed, explanation: "call")
    }
    #expect(
      broken[Self.same] == "answer 1 gets passed (call), and then failed (call)"
        || broken[Self.same] == "answer 1 gets failed (call), and then passed (call)"
    )
  }

  @Test("A scorer that other threads disturb is detected")
  func threads() {
    let busy = Locked(0)
    let broken = broken { answer in
      let isAlone = busy.withLock { count in
        count += 1
        return count == 1
      }
      // Long enough for another thread to call the scorer meanwhile.
      Thread.sleep(forTimeInterval: 0.001)
      busy.withLock { $0 -= 1 }
      return Score(isAlone ? .passed : .failed, explanation: "waited")
    }
    #expect(broken[Self.threads]?.hasSuffix("of 16 gets other scores than a single thread") == true)
    #expect(broken.count == 1)
  }

  @Test("A scorer must explain every score")
  func unexplained() {
    let broken = broken { Score(.passed, explanation: $0.flaw == nil ? "fine" : "") }
    #expect(broken == [Self.explained: "the score of no text has no explanation"])
  }

  @Test("A scorer must not repeat the whole answer in its explanation")
  func echo() {
    let broken = broken { Score(.passed, explanation: "got '\($0.text)'") }
    #expect(broken == [Self.oneLine: "the explanation for white space has several lines"])
    let long = self.broken {
      Score(.passed, explanation: "got '\($0.text.filter { !$0.isNewline && !$0.isWhitespace })'")
    }
    #expect(long == [Self.oneLine: "the explanation for deep JSON has 5006 characters"])
  }

  @Test(
    "Measurements must be usable in metrics",
    arguments: [
      (JSONValue.number(.nan), "nan"), (JSONValue.number(.infinity), "inf"),
      (JSONValue.null, "null"), (JSONValue.array([1]), "an array"),
      (JSONValue.object(["a": 1]), "an object"),
    ] as [(JSONValue, String)]
  )
  func measurements(_ value: JSONValue, _ shown: String) {
    let broken = broken { _ in
      Score(.passed, explanation: "fine", measurements: ["share": value])
    }
    #expect(broken[Self.measurements] == "'share' of answer 1 is \(shown)")
  }

  @Test("A scorer that takes quadratic time is detected before it gets a megabyte")
  func quadratic() {
    let longest = Locked(0)
    let broken = broken { answer in
      let units = Array(answer.text.utf8)
      guard answer.text.hasPrefix("Sentence") else { return Score(.passed, explanation: "short") }
      longest.withLock { $0 = max($0, units.count) }
      var same = 0
      for left in units { for right in units where left == right { same &+= 1 } }
      return Score(.passed, explanation: "\(same) pairs")
    }
    #expect(broken.keys.sorted() == [Self.time])
    #expect(broken[Self.time]?.contains(" times as long as ") == true)
    #expect(longest.withLock { $0 } < 20_000)
  }
}
