import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Number text")
struct NumberTextTests {
  private static let fixedNumbers: [(value: Double, decimals: Int, text: String)] = [
    (0.0, 0, "0"), (-0.0, 1, "0.0"), (0.05, 1, "0.1"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"),
    (-0.05, 1, "-0.1"), (0.5, 0, "1"), (-0.5, 0, "-1"), (1.25, 1, "1.3"), (-1.25, 1, "-1.3"),
    (9.99, 1, "10.0"), (1234.5678, 2, "1234.57"), (0.000_01, 5, "0.00001"),
    (58.7, 1, "58.7"), (1e14, 1, "100000000000000.0"), (1e21, 1, "1e+21"),
    (.infinity, 1, "null"), (.nan, 1, "null"),
  ]

  @Test(
    "A number has the requested decimals, rounded half away from zero",
    arguments: fixedNumbers
  )
  func fixed(value: Double, decimals: Int, text: String) {
    #expect(NumberText.fixed(value, decimals: decimals) == text)
    var bytes = ByteBuffer()
    NumberText.append(fixed: value, decimals: decimals, to: &bytes)
    let written = String(decoding: bytes.units, as: UTF8.self)
    #expect(written == text)
  }

  private static let quantityTexts: [(quantity: Quantity, value: Double, text: String)] = [
    (Quantity.rate, 0.0, "0.0%"), (.rate, 1, "100.0%"), (.rate, 0.885, "88.5%"),
    (.rate, 0.999_6, "100.0%"), (.rate, 0.0004, "0.0%"), (.time, 0, "0.00 ms"),
    (.time, 0.1234, "0.12 ms"), (.time, 9.994, "9.99 ms"), (.time, 10, "10 ms"),
    (.time, 250.5, "251 ms"), (.time, 999.4, "999 ms"), (.time, 1_000, "1.00 s"),
    (.time, 1_235, "1.24 s"), (.time, 65_000, "65.00 s"), (.money, 0, "$0.00000"),
    (.money, 0.0041, "$0.00410"), (.money, 0.000_02, "$0.00002"),
    (.money, 0.000_004, "$0.000004"), (.money, 0.000_000_12, "$0.00000012"),
    (.money, 0.999_999, "$1.00000"), (.money, 1, "$1.00"), (.money, 12.345, "$12.35"),
    (.count, 0, "0.0"), (.count, 26.84, "26.8"), (.count, 99.94, "99.9"), (.count, 512, "512"),
    (.count, 1_234_567.8, "1234568"),
  ]

  @Test("Each quantity has its unit and a readable number of digits", arguments: quantityTexts)
  func quantities(quantity: Quantity, value: Double, text: String) {
    #expect(NumberText.text(value, quantity) == text)
  }

  private static let nearBounds: [(value: Double, bound: Double, text: String)] = [
    (0.84, 0.85, "84.0%"), (0.85, 0.85, "85.0%"), (0.8499, 0.85, "84.99%"),
    (0.849_99, 0.85, "84.999%"), (0.85001, 0.85, "85.001%"), (0.8496, 0.85, "84.96%"),
    (0.849_999_99, 0.85, "84.999999%"), (0.849_999_999_9, 0.85, "84.99999999%"),
    // Two thirds compared with itself and with a rounded bound.
    (2.0 / 3, 0.667, "66.67%"), (2.0 / 3, 2.0 / 3, "66.66666666666666%"),
    (2.0 / 3, 0.6667, "66.667%"),
    // Bounds that are not binary fractions, met exactly.
    (29.0 / 100, 0.29, "29.0%"), (7.0 / 100, 0.07, "7.0%"), (587.0 / 1_000, 0.587, "58.7%"),
    (57.0 / 100, 0.57, "57.0%"), (1.0 / 8, 0.125, "12.5%"), (0.123_45, 0.123_45, "12.345%"),
    (1, 1, "100.0%"), (0, 0, "0.0%"), (0.000_4, 0, "0.04%"), (0.9996, 1, "99.96%"),
  ]

  @Test(
    "A rate near its bound has enough decimals to show on which side it is",
    arguments: nearBounds
  )
  func nearBound(value: Double, bound: Double, text: String) {
    #expect(NumberText.rate(value, against: bound) == text)
  }

  @Test("Every rate of a hundred cases that equals its bound is shown as the bound")
  func everyPercent() {
    for percent in 0...100 {
      let text = NumberText.rate(Double(percent) / 100, against: Double("\(percent)e-2") ?? -1)
      #expect(text == "\(percent).0%")
    }
  }

  @Test(
    "A distance between rates is in points, and shown as zero only if it is zero",
    arguments: [
      (0.0, "0.0 points"), (0.01, "1 point"), (0.0104, "1 point"), (0.038, "3.8 points"),
      (0.15, "15.0 points"), (0.000_1, "0.01 points"),
      (0.000_5, "0.1 points"), (0.000_000_04, "0.000004 points"),
    ]
  )
  func points(distance: Double, text: String) {
    #expect(NumberText.points(distance) == text)
  }

  @Test(
    "A p value has three decimals, or two digits with a power of ten, down to 1e-16",
    arguments: [
      (1.0, "1.000"), (0.0432, "0.043"), (0.001, "0.001"), (0.000_999_96, "1.0e-3"),
      (0.000_123, "1.2e-4"), (3.96e-12, "4.0e-12"), (1e-16, "1.0e-16"), (9.9e-17, "< 1e-16"),
      (1e-320, "< 1e-16"), (0, "< 1e-16"),
    ]
  )
  func p(value: Double, text: String) {
    #expect(NumberText.p(value) == text)
    #expect(NumberText.shownP(value) >= 1e-16)
  }

  @Test("Both ends of an interval have the unit of their quantity")
  func interval() {
    #expect(NumberText.text(Interval(low: 0.825, high: 0.926), .rate) == "[82.5%, 92.6%]")
    #expect(NumberText.text(Interval(low: 90, high: 1_500), .time) == "[90 ms, 1.50 s]")
  }

  // MARK: Decisions

  private func latency(_ value: Double, bound: Double) -> Decision {
    let metric = Metric(.series(.latency, .percentile(95)))
    return .fixture("", .fail, Estimate(value, n: 60), metric: metric, bound: bound)
  }

  @Test("A decision shows its value and its distance from the bound")
  func decisions() {
    let rate = Decision.fixture("", .fail, Estimate(0.8499, n: 10_000))
    #expect(rate.valueText == "84.99%")
    #expect(rate.distanceText == "0.01 points")
    #expect(latency(1_240, bound: 1_000).valueText == "1.24 s")
    #expect(latency(1_240, bound: 1_000).distanceText == "240 ms")
    #expect(latency(1_000.4, bound: 1_000).distanceText == "0.40 ms")
  }

  @Test("A decision on an unknown value has neither value nor distance")
  func unknownDecision() {
    let decision = Decision.fixture("", .noVerdict, Estimate(unknown: "no usage"))
    #expect(decision.valueText == "unknown")
    #expect(decision.distanceText == nil)
  }

  @Test(
    "Each verdict has a word for people",
    arguments: [
      (Verdict.pass, "pass"), (.fail, "fail"), (.inconclusive, "inconclusive"),
      (.noVerdict, "no verdict"),
    ]
  )
  func verdicts(verdict: Verdict, word: String) {
    #expect(verdict.word == word)
  }

  @Test(
    "The phrase for who answered never presents a stand-in as a model",
    arguments: [
      (Provenance(), "an unnamed model"), (Provenance(model: "m"), "m"),
      (Provenance(host: "https://h", model: "m", date: "2026-11-21"), "m at https://h, 2026-11-21"),
      (Provenance(model: "gpt-4o", standIn: "rules"), "rules, a stand-in (not a model)"),
      (
        Provenance(host: "http://127.0.0.1:1", standIn: "", date: "2026-11-21"),
        ", a stand-in (not a model) at http://127.0.0.1:1, 2026-11-21"
      ),
    ]
  )
  func provenances(provenance: Provenance, phrase: String) {
    #expect(provenance.phrase == phrase)
  }
}
