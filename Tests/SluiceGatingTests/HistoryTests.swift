import SampleProjects
@testable import SluiceGating
import Testing

@Suite("History")
struct HistoryTests {
  private static let changes: [(History.Measurement, [History.Change])] = [
    (SampleHistory.measurement(1, passed: 81), []),
    (SampleHistory.measurement(1, prompt: ("v1", "p2")), [.prompt(from: "v1", to: "v1")]),
    (SampleHistory.measurement(1, prompt: ("v2", "p2")), [.prompt(from: "v1", to: "v2")]),
    (SampleHistory.measurement(1, models: ["m-2"]), [.models(from: ["m-1"], to: ["m-2"])]),
    // If all trials were lost, the answers have no source.
    (SampleHistory.measurement(1, models: []), []),
    (
      SampleHistory.measurement(1, cases: ["a": "2", "c": "1", "d": "1"]),
      [.dataset(added: 2, removed: 1, changed: 1)]
    ),
    (
      SampleHistory.measurement(1, scorers: ["label": "s2", "form": "s1"]),
      [.scorers(["form", "label"])]
    ),
    (SampleHistory.measurement(1, repetitions: 3), [.repetitions(from: 1, to: 3)]),
    (
      SampleHistory.measurement(1, prompt: ("v2", "p2"), scorers: [:]),
      [.prompt(from: "v1", to: "v2"), .scorers(["label"])]
    ),
  ]

  @Test("A model is compared with the last one that answered, skipping points without answers")
  func modelAfterLoss() {
    let line = SampleHistory.line([
      SampleHistory.measurement(0), SampleHistory.measurement(1, models: []),
      SampleHistory.measurement(2, models: ["m-2"]), SampleHistory.measurement(3, models: []),
      SampleHistory.measurement(4, models: ["m-2"], passed: 81),
    ])
    #expect(
      line.points.map(\.changes) == [[], [.models(from: ["m-1"], to: ["m-2"])], []]
    )
  }

  @Test("A point lists what changed since the previous point", arguments: changes)
  func marked(next: History.Measurement, expected: [History.Change]) {
    let line = SampleHistory.line([SampleHistory.measurement(0), next])
    #expect(line.points.last?.changes == expected)
    #expect(line.points.first?.changes == [])
  }

  @Test("Consecutive equal runs are merged into one point, but baselines and changes are not")
  func folded() {
    let line = SampleHistory.line([
      SampleHistory.measurement(0), SampleHistory.measurement(10), SampleHistory.measurement(20),
      SampleHistory.measurement(30, .baseline(commit: "abc")),
      SampleHistory.measurement(35, .baseline(commit: "def")),
      SampleHistory.measurement(40, passed: 81),
      SampleHistory.measurement(50, passed: 81),
      SampleHistory.measurement(60, prompt: ("v2", "p2"), passed: 81),
    ])
    #expect(line.points.map(\.count) == [3, 1, 1, 2, 1])
    #expect(!line.hasOlder)
    #expect(line.points[0].lastDate.seconds - line.points[0].date.seconds == 20)
    #expect(line.points[4].changes == [.prompt(from: "v1", to: "v2")])
  }

  @Test("Points are sorted by time")
  func ordered() {
    let line = SampleHistory.line([
      SampleHistory.measurement(50, passed: 3), SampleHistory.measurement(10, passed: 1),
      SampleHistory.measurement(30, passed: 2),
    ])
    #expect(line.points.map { $0.estimates[0].value } == [0.01, 0.02, 0.03])
  }

  @Test("Only the newest points are kept, and the first one lists the changes since an older point")
  func limited() {
    let line = SampleHistory.line(
      (0..<10).map { SampleHistory.measurement($0, prompt: ("v\($0)", "p\($0)"), passed: $0) },
      limit: 3
    )
    #expect(line.hasOlder)
    #expect(line.points.map(\.prompt.name) == ["v7", "v8", "v9"])
    #expect(line.points[0].changes == [.prompt(from: "v6", to: "v7")])
    #expect(SampleHistory.line([]).points == [])
  }
}
