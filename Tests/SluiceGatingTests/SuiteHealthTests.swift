import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
import Testing
import TestSupport

@Suite("Health of a suite")
struct SuiteHealthTests {
  /// A column of answers, one letter per case: passed, failed, lost, or `.` for no trial.
  private func column(
    _ letters: String,
    prompt: String = "v2",
    backend: String = "fast",
    model: String = "m-1",
    standIn: String? = nil,
    day: String? = "2026-11-20",
    isOwn: Bool = true
  ) -> SuiteHealth.Column {
    let trials = letters.enumerated().flatMap { index, letter -> [Trial] in
      guard letter != "." else { return [] }
      return StatisticsTrials.trials("c\(index)", String(letter)).map { trial in
        var trial = trial
        let provenance = Provenance(
          model: model,
          standIn: standIn,
          date: day.map { "\($0)T10:00:00Z" }
        )
        trial.output = Trial.Output(
          ModelResponse(text: "other", provenance: provenance),
          cost: nil
        )
        return trial
      }
    }
    return SuiteHealth.Column(
      prompt: prompt,
      backend: backend,
      origin: .recorded,
      isOwn: isOwn,
      trials: trials,
      places: places(letters.count)
    )
  }

  private func places(_ count: Int) -> [ExactString: Int] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { (ExactString("c\($0)"), $0) })
  }

  private func health(
    _ columns: [SuiteHealth.Column],
    ratings: [SuiteHealth.Column] = []
  ) -> SuiteHealth {
    SuiteHealth(
      suite: "triage",
      path: ProjectPath("prompts/triage/suite.yaml"),
      prompt: "v2",
      cases: (0..<(columns.first?.marks.count ?? 0)).map { place -> SuiteHealth.Case in
        SuiteHealth.Case(
          id: "c\(place)",
          tags: (place.isMultiple(of: 2) ? ["even"] : []) + ["all"],
          expectedClass: place < 3 ? "clean" : nil
        )
      },
      columns: columns,
      ratings: ratings
    )
  }

  @Test(
    "A suite is saturated if no case fails, and nearly saturated above 98%",
    arguments: [
      (100, 0, Headroom.Level.saturated), (100, 1, .nearlySaturated), (100, 2, .open),
      (51, 1, .nearlySaturated), (50, 1, .open), (1, 0, .saturated), (1, 1, .open),
    ]
  )
  func levels(_ count: Int, _ failing: Int, _ level: Headroom.Level) {
    let letters =
      String(repeating: "f", count: failing)
      + String(repeating: "p", count: count - failing)
    #expect(health([column(letters)]).headroom?.level == level)
  }

  @Test("A suite whose cases all pass can show only a loss; one whose cases all fail, only a gain")
  func visible() throws {
    let ceiling = try #require(health([column(String(repeating: "p", count: 162))]).headroom)
    #expect(isClose(ceiling.visibleLoss, 0.0376741784918806, 1e-9))
    #expect(ceiling.visibleGain == nil)
    let floor = try #require(health([column(String(repeating: "f", count: 162))]).headroom)
    #expect(floor.visibleLoss == nil)
    #expect(isClose(floor.visibleGain, 0.0376741784918806, 1e-9))
    #expect(floor.floor.value == 1)
    #expect(floor.ceiling.interval?.low == 0)
  }

  @Test("Bounds allow for clusters, and with fewer than 8 clusters no change can be shown")
  func clusters() throws {
    func headroom(clusters: Int) throws -> Headroom {
      let trials = (0..<200).flatMap { index in
        StatisticsTrials.trials("c\(index)", index % clusters == 0 ? "f" : "p").map { trial in
          var trial = trial
          trial.cluster = "k\(index % clusters)"
          return trial
        }
      }
      return try #require(Headroom(MetricEvaluator(trials)))
    }
    let few = try headroom(clusters: 5)
    #expect(few.ceiling.value == 0.8)
    #expect(try #require(few.ceiling.interval).low < 0.3)
    #expect(few.visibleLoss == nil)
    #expect(few.visibleGain == nil)
    let enough = try headroom(clusters: 20)
    #expect(enough.ceiling.value == 0.95)
    #expect(try #require(enough.ceiling.interval).low < 0.8)
    #expect(enough.visibleLoss != nil)
  }

  @Test("A case with repeats passes if all of them pass, and fails if all of them fail")
  func repeats() throws {
    let trials =
      StatisticsTrials.trials("c0", "ppp") + StatisticsTrials.trials("c1", "pfp")
      + StatisticsTrials.trials("c2", "fff") + StatisticsTrials.trials("c3", "lpl")
      + StatisticsTrials.trials("c4", "lll")
    let column = SuiteHealth.Column(
      prompt: "v2",
      backend: "fast",
      origin: .recorded,
      isOwn: true,
      trials: trials,
      places: places(5)
    )
    #expect(column.marks == [.passed, .mixed, .failed, .passed, nil])
    let headroom = try #require(column.headroom)
    #expect((headroom.cases, headroom.passing, headroom.failing) == (4, 2, 1))
    // Repeats are not additional cases, so four cases count as four at most.
    #expect(headroom.visibleLoss.map { $0 > 0.7 } ?? true)
  }

  @Test("The newest real column of the suite's own prompt decides, never a stand-in's")
  func newest() {
    let own = column("pppp", day: "2026-11-20")
    let later = column("pppf", backend: "slow", day: "2026-11-21")
    let standIn = column("ffff", standIn: "stand-in-1", day: "2026-11-25")
    let other = column("ffff", prompt: "v1", day: "2026-11-25", isOwn: false)
    #expect(health([own, later, standIn, other]).newest?.backend == "slow")
    #expect(health([own, standIn, other]).newest?.backend == "fast")
    #expect(health([standIn, other]).newest == nil)
    #expect(health([standIn]).models == [])
    // A truncated run carries little information, so it counts only if there is no other.
    let cut = column("p...", backend: "cut", day: "2026-11-26")
    #expect(health([own, later, cut]).newest?.backend == "slow")
    #expect(health([cut]).newest?.backend == "cut")
    #expect(health([cut]).headroom?.cases == 1)
  }

  @Test("Cases on which real columns differ are sorted from the most divided, with who passes")
  func disagreements() {
    let columns = [
      column("pppl"), column("ppfp", backend: "b"), column("pffp", backend: "c"),
      column("pfpp", backend: "d"), column("ffff", standIn: "stand-in-1"),
    ]
    #expect(
      health(columns).disagreements == [
        SuiteHealth.Disagreement(testCase: 1, passing: [0, 1], failing: [2, 3]),
        SuiteHealth.Disagreement(testCase: 2, passing: [0, 3], failing: [1, 2]),
      ]
    )
  }

  @Test("Coverage counts cases, answers and failures by tag and class, and marks small groups")
  func coverage() {
    let health = health([column("pfpfp.")])
    #expect(
      health.tags == [
        SuiteHealth.Group(name: "all", cases: 6, answered: 5, failing: 2),
        SuiteHealth.Group(name: "even", cases: 3, answered: 3, failing: 0),
      ]
    )
    #expect(health.tags.map(\.isSmall) == [false, true])
    #expect(
      health.classes == [SuiteHealth.Group(name: "clean", cases: 3, answered: 3, failing: 1)]
    )
  }

  @Test(
    "Single cases are analyzed only with at least 20 real columns of three models",
    arguments: [(20, 3, true), (19, 3, false), (20, 2, false), (25, 4, true)]
  )
  func items(_ count: Int, _ models: Int, _ isKnown: Bool) throws {
    let columns = (0..<count).map { index in
      column(index % 2 == 0 ? "pppf" : "pffp", backend: "b\(index)", model: "m-\(index % models)")
    }
    // Stand-ins are not models, so their columns do not count.
    let standIns = (0..<30).map { column("pppp", backend: "s\($0)", standIn: "s-\($0)") }
    let health = health(columns + standIns)
    #expect((health.items != nil) == isKnown)
    guard isKnown else { return }
    let items = try #require(health.items)
    #expect(items.difficulty[0] == 1)
    #expect(items.discrimination[0] == nil)
    #expect(isClose(items.difficulty[1], Double((count + 1) / 2) / Double(count)))
    #expect(items.redundant == [[1, 2]])
  }

  @Test("A label is doubtful if two models give the same answer against it")
  func suspects() {
    let one = column("pfff", model: "m-1")
    let same = column("pffp", backend: "b", model: "m-1")
    let other = column("pffl", backend: "c", model: "m-2")
    // Two columns of one model count as one model.
    #expect(health([one, same]).suspects == [])
    #expect(
      health([one, other]).suspects.map { [$0.testCase] } == [[1], [2]]
    )
    #expect(health([one, other]).suspects.first?.models == ["m-1", "m-2"])
    // If two models answered a column, each case counts for the model that answered it.
    let trials = [("c0", "m-1"), ("c1", "m-2")].flatMap { testCase, model in
      StatisticsTrials.trials(testCase, "f").map { trial in
        var trial = trial
        let response = ModelResponse(text: "other", provenance: Provenance(model: model))
        trial.output = Trial.Output(response, cost: nil)
        return trial
      }
    }
    let both = SuiteHealth.Column(
      prompt: "v2",
      backend: "fast",
      origin: .recorded,
      isOwn: true,
      trials: trials,
      places: places(2)
    )
    #expect(both.models == ["m-1", "m-2"])
    #expect(health([both]).suspects == [])
    // A model that passes speaks for the label.
    let third = column("ppff", backend: "d", model: "m-3")
    #expect(health([one, other, third]).suspects.map(\.testCase) == [2, 3])
    // Another prompt may ask for something else, and a stand-in is not a model.
    let elsewhere = column("pfff", prompt: "v1", model: "m-2", isOwn: false)
    let standIn = column("pfff", model: "m-2", standIn: "stand-in-1")
    #expect(health([one, elsewhere, standIn]).suspects == [])
  }

  @Test("Different wrong answers do not agree, and neither do unusable ones")
  func disunity() {
    func answer(_ text: String, _ model: String, isUnusable: Bool = false) -> SuiteHealth.Column {
      let score = Score(.failed, isUnusable: isUnusable, explanation: "")
      let response = ModelResponse(text: text, provenance: Provenance(model: model))
      return SuiteHealth.Column(
        prompt: "v2",
        backend: model,
        origin: .recorded,
        isOwn: true,
        trials: [
          StatisticsTrials.trial(
            "c0",
            .failed,
            scores: [.init(name: "exact", score: score)],
            output: Trial.Output(response, cost: nil)
          )
        ],
        places: places(1)
      )
    }
    #expect(health([answer("a", "m-1"), answer("a", "m-2")]).suspects.count == 1)
    #expect(health([answer("a", "m-1"), answer("b", "m-2")]).suspects == [])
    let broken = [
      answer("a", "m-1", isUnusable: true), answer("a", "m-2", isUnusable: true),
    ]
    #expect(health(broken).suspects == [])
  }

  @Test("A label is also doubtful if people agree with each other against it")
  func people() {
    let people = [
      column("fpf", backend: "ana.csv", isOwn: true), column("ffp", backend: "ben.csv"),
    ]
    let health = health([column("ppp")], ratings: people)
    #expect(
      health.suspects == [SuiteHealth.Suspect(testCase: 0, models: [], isByPeople: true)]
    )
    // Ratings are not answers of models.
    #expect(health.realColumns.count == 1)
  }
}
