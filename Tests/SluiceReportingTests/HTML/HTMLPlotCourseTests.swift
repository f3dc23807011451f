import Foundation
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("Line charts of values over time")
struct HTMLPlotCourseTests {
  private static func course(
    _ values: [Double?],
    _ quantity: Quantity = .rate,
    bounds: [HTMLPlot.Course.Bound] = [],
    events: [HTMLPlot.Course.Event] = []
  ) -> String {
    let points = values.enumerated().map { index, value in
      HTMLPlot.Course.Point(
        value: value,
        interval: value.map { Interval(low: $0 - 0.05, high: $0 + 0.05) },
        shape: [.disc, .ring, .square][index % 3],
        name: "point \(index)",
        labels: ["label \(index)"]
      )
    }
    return HTMLPlot.course(
      HTMLPlot.Course(points: points, quantity: quantity, bounds: bounds, events: events),
      name: "x"
    )
  }

  private func count(_ part: String, _ text: String) -> Int {
    text.components(separatedBy: part).count - 1
  }

  @Test("Only neighboring known values are joined, and an unknown value is a question mark")
  func gaps() {
    let plot = Self.course([0.5, 0.6, nil, 0.7, 0.8, 0.9])
    #expect(count("class=\"joined\"", plot) == 3)
    #expect(count("class=\"interval\"", plot) == 5)
    #expect(count(">?</text>", plot) == 1)
  }

  @Test("Each source has a different shape")
  func shapes() {
    let plot = Self.course([0.5, 0.6, 0.7])
    #expect(count("<circle class=\"front\"", plot) == 1)
    #expect(count("<circle class=\"behind\"", plot) == 1)
    #expect(count("<rect class=\"front\"", plot) == 1)
  }

  @Test("Only the first and the last point are labeled")
  func ends() {
    for (count, labels) in [(1, [0]), (2, [0, 1]), (50, [0, 49])] {
      let plot = Self.course(Array(repeating: 0.5, count: count))
      let found = (0..<count).filter { plot.contains(">label \($0)</text>") }
      #expect(found == labels)
    }
  }

  @Test("A bound far from the values is named, not drawn")
  func farBounds() {
    let plot = Self.course(
      [100, 110],
      .time,
      bounds: [
        .init(value: 105, label: "near"), .init(value: 60_000, label: "far"),
        .init(value: 0, label: "low"),
      ]
    )
    #expect(count("class=\"bound\"", plot) == 1)
    #expect(plot.contains(">near</text>"))
    #expect(plot.contains(">above: far</text>"))
    #expect(plot.contains(">below: low</text>"))
  }

  @Test("Signs that would touch on a phone can be hidden, and those that touch anyway are left out")
  func signs() {
    func signs(_ places: [Int], of count: Int) -> (plain: Int, tight: Int, lines: Int) {
      let event = HTMLPlot.Course.Event(name: "prompt", sign: "P", places: places)
      let plot = Self.course(Array(repeating: 0.5, count: count), events: [event])
      return (
        self.count("class=\"letter\"", plot), self.count("class=\"letter tight\"", plot),
        self.count("class=\"event\"", plot)
      )
    }
    #expect(signs([1, 2, 3], of: 12) == (3, 0, 3))
    #expect(signs([1, 2, 3, 9], of: 30) == (3, 1, 4))
    #expect(signs(Array(10..<40), of: 1_000) == (1, 1, 30))
  }

  @Test("Without a known value, nothing is drawn")
  func nothing() {
    #expect(Self.course([]) == "")
    #expect(Self.course([nil, nil]) == "")
    #expect(Self.course([.nan, .infinity]) == "")
  }

  @Test(
    "Every number in the chart is finite, however far apart or close the values are",
    arguments: Quantity.all
  )
  func finite(quantity: Quantity) {
    for values in [
      [0], [1], [0, 0, 0], [1e-9, 1e9], [-5, 5], [1e300, -1e300], [.infinity, 1], [1e15, 1e15],
    ] {
      let plot = Self.course(values, quantity, bounds: [.init(value: 1, label: "one")])
      #expect(!plot.contains("nan") && !plot.contains("inf"), "\(values)")
      #expect(plot.contains("class=\"axis\""), "\(values)")
    }
  }

  @Test("Labels of the scale differ from each other")
  func scale() {
    for (values, quantity, labels) in [
      ([0.8, 0.9], .rate, ["75%", "80%", "85%", "90%", "95%"]),
      ([1_200, 1_800], .time, ["1.20 s", "1.40 s", "1.60 s", "1.80 s"]),
      ([0, 4], .count, ["0", "1", "2", "3", "4"]),
    ] as [([Double], Quantity, [String])] {
      let plot = Self.course(values, quantity)
      for label in labels { #expect(plot.contains(">\(label)</text>"), "\(label)") }
    }
  }
}

extension Quantity {
  fileprivate static let all: [Quantity] = [.rate, .time, .money, .count, .number]
}
