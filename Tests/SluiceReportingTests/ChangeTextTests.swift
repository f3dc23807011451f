import SampleProjects
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("Change text")
struct ChangeTextTests {
  /// Returns the position of each sign in the drawing of a change.
  private func places(_ change: PairedChange) throws -> [Character: Int] {
    let text = ChangeText.drawing(change)
    #expect(text.hasPrefix("worse ") && text.hasSuffix(" better"))
    let track = Array(text.dropFirst(6).dropLast(7))
    #expect(track.count == 46)
    var places: [Character: Int] = [:]
    for (index, sign) in track.enumerated() where sign != "·" && sign != "─" {
      #expect(places[sign] == nil, "\(sign) stands twice")
      places[sign] = index
    }
    return places
  }

  @Test("The signs are ordered by their numbers, with worse on the left")
  func order() throws {
    for n in [20, 60, 100, 400] {
      for harmful in stride(from: 0, through: n / 2, by: 7) {
        for beneficial in stride(from: 0, through: n / 2, by: 11) {
          for margin in [0.01, 0.05, 0.3] {
            let change = PairedChange.fixture(harmful, beneficial, n, margin: margin)
            let places = try places(change)
            let numbers: [(Character, Double)] = [
              ("├", change.interval.low), ("┤", change.interval.high), ("●", change.difference),
              ("┊", -margin), ("│", 0),
            ]
            for (sign, number) in numbers {
              for (other, larger) in numbers where number < larger {
                guard let left = places[sign], let right = places[other] else { continue }
                #expect(left < right || left == right)
              }
            }
            // The difference is always drawn, and so is the margin unless the difference hides it.
            #expect(places["●"] != nil)
          }
        }
      }
    }
  }

  @Test("A margin that the interval barely clears is not drawn inside the interval")
  func closeCall() throws {
    let pass = try places(PairedChange.fixture(0, 0, 55))
    #expect(try #require(pass["┊"]) <= pass["├"] ?? 46)
    let open = try places(PairedChange.fixture(1, 0, 30))
    #expect(try #require(open["├"]) < #require(open["┊"]))
  }

  @Test("No number breaks the drawing")
  func extremes() {
    func change(_ low: Double, _ high: Double, _ margin: Double) -> PairedChange {
      var change = PairedChange.fixture(0, 0, 1, margin: margin)
      change.interval = Interval(low: low, high: high)
      change.difference = (low + high) / 2
      return change
    }
    for (low, high, margin) in [
      (0, 0, 0), (-1e300, 1e300, 1e300), (-.infinity, .infinity, 1), (.nan, .nan, .nan),
      (-1e-300, 1e-300, 1e-300), (1, 1, .infinity), (5, 5, 0), (-1.7e308, 1.7e308, 1.7e308),
    ] as [(Double, Double, Double)] {
      let text = ChangeText.drawing(change(low, high, margin))
      #expect(text.hasPrefix("worse ") && text.hasSuffix(" better"))
    }
  }

  @Test(
    "Rates are compared in points, with an interval",
    arguments: [
      (9, 2, 100, "9.0% → 2.0%, -7.0 points [-13.2, -1.8]", "9 worse, 2 better of 100"),
      (0, 0, 55, "0.0% → 0.0%, 0.0 points [-4.7, +4.7]", "0 worse, 0 better of 55"),
      (1, 9, 100, "1.0% → 9.0%, +8.0 points [+3.3, +14.0]", "1 worse, 9 better of 100"),
    ]
  )
  func points(_ harmful: Int, _ beneficial: Int, _ n: Int, _ text: String, _ flips: String) {
    let change = PairedChange.fixture(harmful, beneficial, n)
    #expect(ChangeText.difference(change, .rate) == text)
    #expect(ChangeText.flips(change) == flips)
  }

  @Test("A percentile is compared by the cases over its limit")
  func exceedances() {
    var change = PairedChange.fixture(11, 3, 200)
    change.basis = .exceedances(harmful: 11, beneficial: 3, limit: 1_200)
    (change.baseline, change.candidate) = (1_000, 1_500)
    #expect(
      ChangeText.difference(change, .time) == "1.00 s → 1.50 s; over 1.20 s: 11 newly, 3 no longer"
    )
    #expect(ChangeText.flips(change) == "11 worse, 3 better of 200")
  }

  @Test("Sums have no flips")
  func contributions() {
    var change = PairedChange.fixture(0, 0, 10)
    change.basis = .contributions
    #expect(ChangeText.flips(change) == nil)
  }
}
