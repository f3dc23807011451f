import SampleProjects
@testable import Sluice
@testable import SluiceGating
import Testing

extension ProjectLoaderTests {
  private func load(mixes: String) throws -> LoadedProject {
    try ProjectFixture()
      .replacing("prices: prices.json\n", with: mixes, in: ProjectFixture.configuration).load()
  }

  private func report(mixes: String) throws -> String {
    try load(mixes: mixes).diagnostics.map(\.description).joined()
  }

  @Test("A mix contains suites with numbers of calls, and goals on the sum")
  func mixes() throws {
    let loaded = try load(
      mixes:
        "mixes: {day: {calls: {tone: 40}, goals: [cost <= $0.40, tokens < 9000]}, b: {calls: {tone: 1}}}"
    )
    #expect(loaded.diagnostics == [])
    #expect(loaded.mixes.map(\.name) == ["day", "b"])
    #expect(loaded.mixes.first?.calls == [Mix.Call(suite: "tone", count: 40)])
    #expect(loaded.mixes.first?.goals.map(\.text) == ["cost <= $0.40", "tokens < 9000"])
    #expect(
      loaded.mixes.first?.goals.map(\.demand) == [
        .comparison(.atMost, 0.4, confidence: nil), .comparison(.below, 9_000, confidence: nil),
      ]
    )
  }

  @Test("All errors in mixes are reported with their positions")
  func wrongMixes() throws {
    #expect(
      try report(
        mixes: """
          mixes:
            user day:
              calls: {tome: 40, tone: 0, other: 2.5}
              goal: [cost <= $0.40]
            none: {goals: [accuracy >= 85%, mean(cost) < $1, cost < 5]}
            some:
              calls: {}
              goals: [cost <= $1 at 95% confidence, no regression in tokens beyond 5%, requests < 5 (live)]
            list: [tone]
            empty: {calls: {tone: }}

          """
      ) == """
        sluice.yaml:7:3: error: the name of the mix 'user day' must consist of letters, digits, '.', '_' and '-'
          7 |   user day:
            |   ^
        sluice.yaml:8:13: error: there is no suite 'tome'
          8 |     calls: {tome: 40, tone: 0, other: 2.5}
            |             ^
          fix: did you mean 'tone'?
        sluice.yaml:8:29: error: 'tone' must be between 1 and 1000000, not 0
          8 |     calls: {tome: 40, tone: 0, other: 2.5}
            |                             ^
        sluice.yaml:8:32: error: there is no suite 'other'
          8 |     calls: {tome: 40, tone: 0, other: 2.5}
            |                                ^
          fix: known: tone
        sluice.yaml:8:39: error: 'other' must be a whole number, not 2.5
          8 |     calls: {tome: 40, tone: 0, other: 2.5}
            |                                       ^
        sluice.yaml:9:5: error: unknown key 'goal' in the mix 'user day'
          9 |     goal: [cost <= $0.40]
            |     ^
          fix: did you mean 'goals'?
        sluice.yaml:10:9: error: the mix 'none' needs 'calls'
          10 |   none: {goals: [accuracy >= 85%, mean(cost) < $1, cost < 5]}
             |         ^
          fix: add 'calls: …'
        sluice.yaml:10:18: error: a mix has no figure 'accuracy'
          10 |   none: {goals: [accuracy >= 85%, mean(cost) < $1, cost < 5]}
             |                  ^
          fix: known: cost, tokens, requests
        sluice.yaml:10:35: error: a mix has no figure 'mean(cost)'
          10 |   none: {goals: [accuracy >= 85%, mean(cost) < $1, cost < 5]}
             |                                   ^
          fix: did you mean 'cost'?
        sluice.yaml:10:59: error: not a condition: a number without a unit cannot be used with 'cost'
          10 |   none: {goals: [accuracy >= 85%, mean(cost) < $1, cost < 5]}
             |                                                           ^
          fix: write an amount such as $0.004
        sluice.yaml:12:12: error: 'calls' of the mix 'some' is empty
          12 |     calls: {}
             |            ^
          fix: name a suite and the number of calls to its feature, such as '{inbox: 40}'
        sluice.yaml:13:13: error: a goal of a mix may only compare a figure with a value
          13 |     goals: [cost <= $1 at 95% confidence, no regression in tokens beyond…
             |             ^
          fix: write, for example, 'cost <= $0.40'
        sluice.yaml:13:43: error: a goal of a mix may only compare a figure with a value
          13 |     goals: [cost <= $1 at 95% confidence, no regression in tokens beyond…
             |                                           ^
          fix: write, for example, 'tokens <= 1000'
        sluice.yaml:13:78: error: a goal of a mix may only compare a figure with a value
          13 | … no regression in tokens beyond 5%, requests < 5 (live)]
             |                                      ^
          fix: write, for example, 'requests <= 1000'
        sluice.yaml:14:9: error: the mix 'list' must be a mapping, not a list
          14 |   list: [tone]
             |         ^
        sluice.yaml:15:25: error: 'tone' must be a whole number, not nothing
          15 |   empty: {calls: {tone: }}
             |                         ^

        """
    )
  }

  @Test(
    "Mixes and their calls must be mappings",
    arguments: [
      ("mixes: [day]", "sluice.yaml:6:8: error: 'mixes' must be a mapping, not a list\n"),
      (
        "mixes: {day: {calls: 40}}",
        "sluice.yaml:6:22: error: 'calls' of the mix 'day' must be a mapping, not a number\n"
      ),
    ]
  )
  func noMapping(_ mixes: String, _ message: String) throws {
    #expect(try report(mixes: mixes).hasPrefix(message))
  }
}
