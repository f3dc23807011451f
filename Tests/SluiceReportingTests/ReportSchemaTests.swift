import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Schemas of reports")
struct ReportSchemaTests {
  // MARK: Reports that fit

  @Test("report.json conforms with any text", arguments: HostileText.all)
  func hostile(text: String) throws {
    #expect(try ReportSchema.report.violations(of: JSONReport(.everywhere(text)).bytes) == [])
  }

  @Test("report.json conforms with every part, with all kinds of gates, and empty")
  func reports() throws {
    for result in [.complete, try GateReportTests.result(), RunResult(suites: [])] {
      #expect(try ReportSchema.report.violations(of: JSONReport(result).bytes) == [])
    }
  }

  @Test("report.json with judges conforms, with and without recorded verdicts")
  func judged() async throws {
    let judged = try JudgedProject()
    _ = try await judged.project.record()
    #expect(try ReportSchema.report.violations(of: JSONReport(judged.project.replay()).bytes) == [])
    try await judged.record { _ in JudgedProject.grade(5) }
    let bytes = JSONReport(try judged.project.replay()).bytes
    #expect(try ReportSchema.report.violations(of: bytes) == [])
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"judging\":[{"))
  }

  @Test("report.json of a live run conforms with every kind of backend error")
  func live() throws {
    let suite = try GatedSuite(cases: BackendError.Kind.allCases.count)
    var result = suite.result(source: .live) { testCase, _ in
      testCase.isMultiple(of: 2) ? nil : .right
    }
    for (index, kind) in BackendError.Kind.allCases.enumerated() where index.isMultiple(of: 2) {
      let error = BackendError(kind, "it \(kind.rawValue)")
      result.suites[0].columns[0].trials[index].outcome = .lost(.noAnswer(error))
    }
    #expect(try ReportSchema.report.violations(of: JSONReport(result).bytes) == [])
  }

  @Test("compare.json conforms for revisions, for configurations, and empty")
  func comparisons() async throws {
    let both: [ConfigurationComparison] = [
      try await .worseRevision(), try await .fourConfigurations(),
    ]
    for comparisons in both.map({ [$0] }) + [[]] {
      let result = ComparisonResult(comparisons, notes: ["a note"])
      #expect(try ReportSchema.compare.violations(of: ComparisonJSON(result).bytes) == [])
    }
  }

  @Test("compare.json conforms with any text", arguments: HostileText.all)
  func hostileComparison(text: String) throws {
    let result = ComparisonResult([.everywhere(text)], notes: [text])
    #expect(try ReportSchema.compare.violations(of: ComparisonJSON(result).bytes) == [])
  }

  // MARK: Reports that do not

  /// A report for each schema, whose objects can all be changed.
  private static func value(_ schema: ReportSchema) async throws -> JSONValue {
    switch schema {
    case .report: try JSONReader.value(JSONReport(.complete).bytes)
    case .compare:
      try JSONReader.value(ComparisonJSON(ComparisonResult([try await .worseRevision()])).bytes)
    case .history: try JSONReader.value(HistoryJSON(HistorySchemaTests.history).bytes)
    }
  }

  /// A changed report, with the path of the change without list indices.
  private struct Changed {
    var place: String
    var value: JSONValue
  }

  /// Returns the value with one object changed, for each of its objects.
  ///
  /// Only the first element of a list counts.
  private static func changed(
    _ value: JSONValue,
    at place: String = "",
    _ change: (JSONObject) -> [(name: String, object: JSONObject)]
  ) -> [Changed] {
    switch value {
    case .array(let elements):
      guard let first = elements.first else { return [] }
      return changed(first, at: place + "[]", change).map { part in
        Changed(place: part.place, value: .array([part.value] + elements.dropFirst()))
      }
    case .object(let object):
      let own = change(object).map { changed in
        Changed(place: "\(place).\(changed.name)", value: .object(changed.object))
      }
      return own
        + object.members.flatMap { member in
          changed(member.value, at: "\(place).\(member.name)", change).map { part in
            var object = object
            object[member.name] = part.value
            return Changed(place: part.place, value: .object(object))
          }
        }
    default: return []
    }
  }

  @Test(
    "An unknown member is refused in every object",
    arguments: ReportSchema.allCases
  )
  func unknownMember(schema: ReportSchema) async throws {
    let all = Self.changed(try await Self.value(schema)) { object in
      var object = object
      object["unheard-of"] = 1
      return [("unheard-of", object)]
    }
    #expect(all.count >= (schema == .history ? 7 : 11))
    let open = try all.filter { try schema.violations(of: $0.value).isEmpty }.map(\.place)
    // Each scorer has its own measurements.
    #expect(
      open
        == (schema == .report
          ? [".suites[].columns[].results[].scores[].measurements.unheard-of"] : [])
    )
  }

  @Test("A member of the wrong type is refused in every object", arguments: ReportSchema.allCases)
  func wrongType(schema: ReportSchema) async throws {
    let all = Self.changed(try await Self.value(schema)) { object in
      object.members.map { member in
        var object = object
        object[member.name] = [[[]]]
        return (member.name, object)
      }
    }
    #expect(all.count > (schema == .history ? 30 : 100))
    let open = try all.filter { try schema.violations(of: $0.value).isEmpty }.map(\.place)
    #expect(open.allSatisfy { $0.contains(".measurements.") }, "\(open)")
  }

  @Test("Only optional members can be left out of report.json")
  func missingMembers() async throws {
    let all = Self.changed(try await Self.value(.report)) { object in
      object.members.map { member in
        var object = object
        object[member.name] = nil
        return (member.name, object)
      }
    }
    let open = try all.filter { try ReportSchema.report.violations(of: $0.value).isEmpty }
    let places = Set(open.map(\.place))
    for place in [
      ".mixes", ".suites[].prices", ".suites[].judges", ".suites[].recordings.old",
      ".suites[].columns[].splits", ".suites[].columns[].gates[].waiver",
      ".suites[].columns[].gates[].cases-needed", ".suites[].columns[].results[].split",
      ".suites[].columns[].results[].usage", ".suites[].columns[].results[].timings.user-ms",
    ] {
      #expect(places.contains(place), "\(place)")
    }
    for place in [
      ".schema", ".generator", ".verdict", ".suites", ".suites[].name", ".suites[].answers",
      ".suites[].columns", ".suites[].columns[].candidate", ".suites[].columns[].results",
      ".suites[].columns[].gates[].reason", ".suites[].columns[].gates[].value",
      ".suites[].columns[].metrics[].n", ".suites[].columns[].results[].scores",
      ".suites[].columns[].results[].outcome", ".suites[].columns[].results[].cost",
      ".suites[].columns[].results[].cost-basis", ".suites[].columns[].results[].text",
      ".suites[].columns[].gates[].change.p-worse", ".suites[].columns[].comparison.flips",
      ".suites[].recordings.sets.rejected", ".mixes[].calls[].calls",
    ] {
      #expect(!places.contains(place) && all.contains { $0.place == place }, "\(place)")
    }
  }

  @Test(
    "Unknown codes, rates above 1 and fractional counts are refused",
    arguments: [
      ("\"verdict\": \"fail\"", "\"verdict\": \"maybe\""),
      ("\"schema\": 1", "\"schema\": 2"),
      ("\"unit\": \"share\"", "\"unit\": \"percent\""),
      ("\"reason\": \"met\"", "\"reason\": \"because\""),
      ("\"confidence\": 0.9,", "\"confidence\": 1.9,"),
      ("\"cases\": 3,", "\"cases\": 3.5,"),
      ("\"outcome\":\"lost\"", "\"outcome\":\"passed\""),
      ("\"outcome\":\"passed\"", "\"outcome\":\"lost\""),
      ("\"value\": null", "\"value\": 1"),
    ]
  )
  func wrongValue(right: String, wrong: String) throws {
    let text = String(decoding: JSONReport(.complete).bytes, as: UTF8.self)
    let range = try #require(text.firstRange(of: right))
    let bytes = Array((text[..<range.lowerBound] + wrong + text[range.upperBound...]).utf8)
    #expect(try ReportSchema.report.violations(of: bytes) != [])
  }

  // MARK: The schemas themselves

  @Test("The schema's codes are those of the program")
  func codes() throws {
    let schema = try ReportSchema.report.content()
    func codes(_ place: String) -> [String]? {
      schema.value(at: "$defs.\(place).enum")?.array?.compactMap(\.string)
    }
    #expect(codes("condition.properties.reason") == Reason.allCases.map(\.rawValue))
    #expect(
      codes("trial.properties.fallback.properties.reason")
        == BackendError.Kind.allCases.map(\.rawValue)
    )
  }

  @Test(
    "Definitions that two schemas share are equal",
    arguments: [ReportSchema.compare, .history]
  )
  func shared(schema: ReportSchema) throws {
    let report = try #require(try ReportSchema.report.content()["$defs"]?.object)
    let other = try #require(try schema.content()["$defs"]?.object)
    let shared = other.members.filter { report[$0.name] != nil }
    #expect(shared.count >= (schema == .history ? 3 : 11))
    for member in shared { #expect(report[member.name] == member.value, "\(member.name)") }
  }

  @Test("Every object is closed and every member described", arguments: ReportSchema.allCases)
  func described(schema: ReportSchema) throws {
    let content = try schema.content()
    var undescribed: [String] = []
    func look(_ value: JSONValue, _ place: String) {
      if let properties = value["properties"]?.object, value["type"] == "object" {
        if value["additionalProperties"] != false { undescribed.append("\(place) is open") }
        for member in properties.members {
          let target = member.value["$ref"]?.string.flatMap {
            content.value(at: String($0.dropFirst(2)).replacing("/", with: "."))
          }
          if member.value["description"] == nil, target?["description"] == nil {
            undescribed.append("\(place).\(member.name)")
          }
        }
      }
      for member in value.object?.members ?? [] { look(member.value, "\(place).\(member.name)") }
      for element in value.array ?? [] { look(element, "\(place)[]") }
    }
    look(content, "")
    #expect(undescribed == [])
  }
}
