import SampleProjects
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("The schema of history.json")
struct HistorySchemaTests {
  /// A history whose first point has everything that the point of a run can have.
  static let history = History(lines: [
    SampleHistory.line(
      [
        SampleHistory.measurement(0),
        SampleHistory.measurement(60, prompt: ("v2", "p2")),
        SampleHistory.measurement(120, prompt: ("v2", "p2")),
        SampleHistory.measurement(180, .baseline(commit: "4f2a91c07be34d5a"), passed: 70),
      ],
      limit: 3
    )
  ])

  private static let changed: [History.Measurement] = [
    SampleHistory.measurement(60, prompt: ("v1", "p2")),
    SampleHistory.measurement(60, models: ["m-2", "m-3"]),
    SampleHistory.measurement(60, cases: ["a": "2", "c": "1"]),
    SampleHistory.measurement(60, scorers: [:]),
    SampleHistory.measurement(60, repetitions: 3),
    SampleHistory.measurement(60, .run(log: ProjectPath("reports/runs/b.jsonl"), isLive: true)),
    SampleHistory.measurement(60, .baseline(commit: "4f2a91c07be34d5a")),
    SampleHistory.measurement(60, prompt: ("v2", "p2"), models: [], scorers: [:], repetitions: 2),
  ]

  @Test("A history conforms, with any change and any source of its points", arguments: changed)
  func fits(next: History.Measurement) throws {
    let line = SampleHistory.line([SampleHistory.measurement(0), next])
    let bytes = HistoryJSON(History(lines: [line])).bytes
    #expect(try ReportSchema.history.violations(of: bytes) == [])
  }

  @Test("An empty history and a line without points conform")
  func empty() throws {
    for lines in [[], [SampleHistory.line([])]] {
      let bytes = HistoryJSON(History(lines: lines)).bytes
      #expect(try ReportSchema.history.violations(of: bytes) == [])
    }
  }

  @Test("A history conforms with any text", arguments: HostileText.all)
  func hostile(text: String) throws {
    let line = SampleHistory.everywhere(text)
    let bytes = HistoryJSON(History(lines: [line])).bytes
    #expect(try ReportSchema.history.violations(of: bytes) == [])
  }

  @Test(
    "An invalid point is refused, for example a run without a log",
    arguments: [
      ("\"schema\": 1", "\"schema\": 2"),
      ("T11:07:40Z\"", "\""),
      ("\"answers\": \"recorded\"", "\"answers\": \"stored\""),
      ("\"answers\": \"recorded\",", ""),
      ("\"log\": \"reports/runs/a.jsonl\",", ""),
      ("\"log\": ", "\"commit\": \"abc\", \"log\": "),
      ("\"commit\": \"4f2a91c07be34d5a\",", ""),
      ("\"count\": 2,", ""),
      ("\"count\": 2,", "\"count\": 1,"),
      ("\"unit\": \"share\"", "\"unit\": \"percent\""),
      ("\"kind\": \"prompt\"", "\"kind\": \"models\""),
      ("\"kind\": \"prompt\"", "\"kind\": \"weather\""),
      ("\"lost\": 0", "\"lost\": -1"),
      ("\"value\": null", "\"value\": 1"),
      ("\"value\": 0.8,", "\"value\": null,"),
    ]
  )
  func refused(right: String, wrong: String) throws {
    let text = String(decoding: HistoryJSON(Self.history).bytes, as: UTF8.self)
    let range = try #require(text.firstRange(of: right), "\(right)")
    let bytes = Array((text[..<range.lowerBound] + wrong + text[range.upperBound...]).utf8)
    #expect(try ReportSchema.history.violations(of: bytes) != [])
  }

  @Test("Only the optional members can be left out")
  func required() throws {
    let content = try ReportSchema.history.content()
    for (place, optional) in [
      ("line", []), ("measured", []), ("prompt", []),
      ("point", ["answers", "commit", "count", "last-date", "log"]),
      ("estimate", ["clusters", "interval", "missed", "standard-error", "unknown"]),
    ] {
      let properties = content.value(at: "$defs.\(place).properties")?.object?.members.map(\.name)
      let required = content.value(at: "$defs.\(place).required")?.array?.compactMap(\.string)
      #expect(Set(properties ?? []).subtracting(required ?? []).sorted() == optional, "\(place)")
    }
  }
}
