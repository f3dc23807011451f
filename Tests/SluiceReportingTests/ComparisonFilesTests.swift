import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("compare.md and compare.json")
struct ComparisonFilesTests {
  private func markdown(_ result: ComparisonResult) -> String {
    String(decoding: ComparisonMarkdown(result).bytes, as: UTF8.self)
  }

  @Test("For a revision, compare.md lists the edits, gates and flipped cases")
  func revision() async throws {
    let text = markdown(ComparisonResult([try await .worseRevision()]))
    let expected = try Snapshot.text("compare.revision.md")
    #expect(text == expected)
  }

  @Test("For configurations, compare.md has a row for each and the next step")
  func configurations() async throws {
    let text = markdown(
      ComparisonResult(
        [try await .fourConfigurations()],
        notes: ["tone: no backend is the same on both sides."],
        isIncomplete: true,
        next: .init(advice: "record what is missing", command: "sluice record triage")
      )
    )
    let expected = try Snapshot.text("compare.configurations.md")
    #expect(text == expected)
  }

  @Test("compare.json contains verdicts, edits, configurations, pairs and disagreements")
  func json() async throws {
    let result = ComparisonResult([try await .worseRevision()], notes: ["a note"])
    let value = try JSONReader.value(ComparisonJSON(result).bytes)
    #expect(
      value.object?.members.map(\.name) == [
        "schema", "generator", "verdict", "false-alarms", "notes", "comparisons",
      ]
    )
    #expect(value["verdict"] == "fail")
    #expect(value["notes"] == ["a note"])
    let comparison = try #require(value.value(at: "comparisons.0")?.object)
    // Other tests cover the figures of single metrics and gates.
    var shown = JSONObject(
      comparison.members.filter { !["configurations", "pairs", "gates"].contains($0.name) }
    )
    shown["disagreements"] = .array(Array((comparison["disagreements"]?.array ?? []).prefix(1)))
    shown["configuration"] = .object(
      JSONObject(
        (value.value(at: "comparisons.0.configurations.1")?.object?.members ?? [])
          .filter { $0.name != "metrics" }
      )
    )
    shown["change"] = value.value(at: "comparisons.0.pairs.0.changes.0")
    shown["gate"] = value.value(at: "comparisons.0.gates.1")
    let text = String(decoding: JSONWriter.pretty(.object(shown)), as: UTF8.self)
    let expected = try Snapshot.text("compare.revision.json")
    #expect(text == expected)
  }

  @Test("Unknown numbers are null, and a lost outcome differs from a missing one")
  func unknown() async throws {
    let value = try JSONReader.value(
      ComparisonJSON(ComparisonResult([try await .fourConfigurations()])).bytes
    )
    #expect(value["verdict"] == .null)
    #expect(value.value(at: "comparisons.0.verdict") == .null)
    #expect(value.value(at: "comparisons.0.configurations.1.on-front") == .null)
    #expect(value.value(at: "comparisons.0.configurations.1.trials.lost") == 40)
    #expect(
      value.value(at: "comparisons.0.disagreements.0.outcomes") == [
        "passed", "lost", "failed", "lost",
      ]
    )
  }

  @Test("Names cannot break either file, and cannot mention anyone", arguments: HostileText.all)
  func hostile(text: String) throws {
    let result = ComparisonResult([.everywhere(text)], notes: [text])
    let markdown = markdown(result)
    let prose = Self.withoutCode(markdown)
    for part in ["<script", "<img", "<b>", "![x]", "@team", "](javascript", "#1"] {
      #expect(!prose.contains(part), "\(part)")
    }
    #expect(markdown.components(of: "\n<details>") == 1)
    #expect(markdown.components(of: "\n</details>\n") == 1)
    #expect(markdown.components(of: ComparisonMarkdown.marker) == 1)
    for scalar in markdown.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control)
    }
    // Every row of a table has as many cells as its header.
    for table in Self.tables(markdown) {
      #expect(Set(table.map(Self.cells)).count == 1, "\(table)")
    }
    let json = try JSONReader.value(ComparisonJSON(result).bytes)
    #expect(json.value(at: "comparisons.0.suite") == .string(text))
    #expect(json.value(at: "comparisons.0.edits.0.text") == .string(text))
    #expect(json.value(at: "comparisons.0.configurations.0.name") == .string(text))
    #expect(json.value(at: "notes.0") == .string(text))
  }

  /// Returns the text without escaped characters and code spans, where nothing has a special
  /// meaning.
  private static func withoutCode(_ markdown: String) -> String {
    var result = ""
    var rest = markdown[...]
    while let next = rest.first {
      if next == "\\" {
        rest = rest.dropFirst(2)
      } else if next == "`" {
        let fence = rest.prefix { $0 == "`" }
        rest = rest.dropFirst(fence.count)
        while !rest.isEmpty {
          let run = rest.prefix { $0 == "`" }
          rest = rest.dropFirst(max(1, run.count))
          if run.count == fence.count { break }
        }
      } else {
        result.append(next)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static func tables(_ markdown: String) -> [[Substring]] {
    markdown.split(separator: "\n", omittingEmptySubsequences: false)
      .split { !$0.hasPrefix("|") }.map(Array.init)
  }

  /// Returns the number of cells in a row, from its unescaped bars.
  private static func cells(_ row: Substring) -> Int {
    row.replacing("\\\\", with: "").replacing("\\|", with: "").count { $0 == "|" }
  }

  @Test("A report of many suites still fits into a comment, with fewer cases of each")
  func comment() throws {
    let long = String(repeating: "a-long-name-of-a-case, ", count: 20)
    var comparison = manyDisagreements()
    comparison.edits = [YardstickEdit(.label, String(repeating: long, count: 20))]
    let result = ComparisonResult(Array(repeating: comparison, count: 30))
    let text = markdown(result)
    #expect(text.utf16.count <= 65_536)
    #expect(text.contains(" and 130 more, in compare.json |\n"))
    #expect(text.contains("<details><summary>150 cases with different outcomes</summary>"))
  }

  @Test("Cases that do not fit into a comment are counted, and compare.json lists all")
  func long() throws {
    let result = ComparisonResult([manyDisagreements()])
    let text = markdown(result)
    #expect(text.contains("<details><summary>150 cases with different outcomes</summary>"))
    #expect(text.contains(" and 50 more, in compare.json |\n"))
    let json = try JSONReader.value(ComparisonJSON(result).bytes)
    #expect(json.value(at: "comparisons.0.disagreements")?.array?.count == 150)
  }

  /// Two configurations that disagree on each of 150 cases.
  private func manyDisagreements() -> ConfigurationComparison {
    func side(_ outcome: Trial.Outcome) -> ConfigurationComparer.Side {
      let trials = (0..<150).map { StatisticsTrials.trial("case-\($0)", outcome) }
      return ConfigurationComparer.Side(
        name: "v1 on fast",
        column: ColumnResult(
          prompt: "v1",
          promptPath: "",
          backend: "fast",
          isCandidate: true,
          trials: trials,
          metrics: [],
          gates: [],
          goals: []
        ),
        counted: Pairing.Side(trials: trials, scorers: [:])
      )
    }
    return SuiteComparison.compare(
      [side(.passed), side(.failed)],
      suite: "triage",
      source: .recorded,
      repetitions: 1,
      metrics: SuiteMetrics([]),
      margin: 0.05
    )
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
