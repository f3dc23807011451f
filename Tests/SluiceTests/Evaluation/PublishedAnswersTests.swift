import Foundation
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

private let publishedData = ProcessInfo.processInfo.environment["SLUICE_DATA_DIR"]
  .map { URL(filePath: $0) }

/// Raw answers of other projects, scored by suites and compared with the published counts.
///
/// They are in the folder that `SLUICE_DATA_DIR` names, and are not part of this project.
@Suite(
  "Published answers",
  .enabled(
    if: publishedData != nil,
    "SLUICE_DATA_DIR names no folder with the data of other projects"
  )
)
struct PublishedAnswersTests {
  private static func lines(_ path: String) throws -> [JSONValue] {
    let url = try #require(publishedData).appending(path: path)
    return try Data(contentsOf: url).split(separator: 0x0A).map { try JSONReader.value(Array($0)) }
  }

  /// Returns the outcomes of answers, by case.
  private func judge(
    _ scorers: String,
    _ cases: [(id: String, expected: JSONValue)],
    _ answers: [String]
  )
    throws -> [Trial.Outcome]
  {
    let dataset = cases.map { testCase in
      JSONValue.object([
        "id": .string(testCase.id), "input": ["text": .string(testCase.id)],
        "expected": testCase.expected,
      ]).jsonText
    }
    let loaded = ProjectLoader.load(
      from: InMemoryFileSystem([
        "sluice.yaml": "backends: {model: {type: openai, model: m-1}}\n",
        "prompts/published/v1.txt": "{{text}}\n",
        "prompts/published/suite.yaml":
          "suite: published\nprompt: v1.txt\ndataset: published\nbackend: model\n"
          + "gates: [accuracy >= 1%]\nscorers:\n\(scorers)\n",
        "datasets/published/cases.jsonl": dataset.joined(separator: "\n") + "\n",
      ])
    )
    #expect(loaded.diagnostics.map(\.description) == [])
    let plan = try #require(loaded.suites.first).plan
    let judge = TrialJudge(plan: plan)
    return answers.enumerated().map { index, text in
      judge.judged(ModelResponse(text: text), plan.slot(index), key: "").outcome
    }
  }

  @Test("Scores of four systems on school problems equal the published counts")
  func schoolProblems() throws {
    let items = try Self.lines("gsm8k/items.jsonl")
    let cases = try items.map { item in
      let reference = try #require(item["reference"]?.string)
      let figure = try #require(reference.split(separator: "A: ").last)
      let number = try #require(Double(String(figure).trimmed.replacing(",", with: "")))
      return ("q\(item["id"]?.integer ?? -1)", JSONValue.object(["answer": .number(number)]))
    }
    let published = try JSONReader.value(
      Array(Data(contentsOf: try #require(publishedData).appending(path: "gsm8k/published.json")))
    )
    for (system, count) in try #require(published["recorded_correct"]?.object).members {
      let answers = try Self.lines("gsm8k/outputs-\(system).jsonl").map {
        $0["output"]?.string ?? ""
      }
      let outcomes = try judge(
        "  - exact: answer\n    extract: [{after: {text: 'A:', last: true}}, number]",
        cases,
        answers
      )
      #expect(outcomes.count { $0 == .passed } == count.integer, "\(system)")
    }
  }

  @Test("Imported outputs of four systems get the published counts")
  func importedOutputs() throws {
    let folder = try #require(publishedData).appending(path: "gsm8k")
    let items = try Self.lines("gsm8k/items.jsonl")
    let cases = try items.map { item in
      let reference = try #require(item["reference"]?.string)
      let figure = try #require(reference.split(separator: "A: ").last)
      let number = try #require(Double(String(figure).trimmed.replacing(",", with: "")))
      return JSONValue.object([
        "id": .string("\(item["id"]?.integer ?? -1)"),
        "input": ["question": item["question"] ?? ""], "expected": ["answer": .number(number)],
      ]).jsonText
    }
    let published = try JSONReader.value(
      Array(Data(contentsOf: folder.appending(path: "published.json")))
    )
    let systems = try #require(published["recorded_correct"]?.object).members
    let files = InMemoryFileSystem([
      "sluice.yaml": "backends:\n"
        + systems.map { "  \($0.name): {type: file, path: outputs/\($0.name).jsonl}\n" }.joined(),
      "prompts/school/v1.txt": "{{question}}\n",
      "prompts/school/suite.yaml": """
      suite: school
      prompt: v1.txt
      dataset: school
      backends: [\(systems.map(\.name).joined(separator: ", "))]
      gates: [accuracy >= 1%]
      scorers:
        - exact: answer
          extract: [{after: {text: 'A:', last: true}}, number]

      """,
      "datasets/school/cases.jsonl": cases.joined(separator: "\n") + "\n",
    ])
    for (system, _) in systems {
      let name = "outputs-\(system).jsonl"
      let diagnostics = DiagnosticCollector()
      let work = OutputsImport(
        SourceFile(
          path: name,
          bytes: Array(try Data(contentsOf: folder.appending(path: name)))
        ),
        [.init("id", from: .column("id")), .init("text", from: .column("output"))],
        for: nil,
        diagnostics
      )
      let unused = "\(name): warning: one column is not used: recorded_correct"
      #expect(
        diagnostics.diagnostics.map { $0.description.components(separatedBy: "\n")[0] } == [unused]
      )
      let path = ProjectPath("outputs/\(system).jsonl")
      #expect(try #require(work).write(to: path, in: files).rows == items.count)
    }
    let loaded = ProjectLoader.load(from: files)
    #expect(loaded.diagnostics.map(\.description) == [])
    let result = Evaluation(
      try #require(loaded.suites.first),
      surroundings: Surroundings(files: files),
      keepsLog: false
    ).replay(concurrency: 2).result
    #expect(result.columns.map(\.backend) == systems.map(\.name))
    for (column, system) in zip(result.columns, systems) {
      #expect(column.passed == system.value.integer, "\(system.name)")
      #expect(column.lost == 0)
    }
  }

  @Test("Eight judges prefer the better output as often as published")
  func preferences() throws {
    let items = try Self.lines("llmbar/items.jsonl")
    let gold = Dictionary(
      uniqueKeysWithValues: items.map { ($0["id"]?.string ?? "", $0["gold"]?.integer ?? 0) }
    )
    let judgments = try Self.lines("llmbar/judgments.jsonl")
    let published = try JSONReader.value(
      Array(Data(contentsOf: try #require(publishedData).appending(path: "llmbar/published.json")))
    )
    var compared = 0
    for (name, table) in try #require(published["tables"]?.object).members
    where !name.hasSuffix("Rating") {
      // The reasoning names both outputs before its verdict.
      let pattern = name.hasSuffix("CoT") ? #"Output \(([ab])\) is better"# : #"Output \(([ab])\)"#
      for order in ["12", "21"] {
        let rows = judgments.filter {
          $0["order"]?.string == order
            && "\($0["judge"]?.string ?? "")/\($0["prompt"]?.string ?? "")" == name
        }
        let cases = rows.map { row in
          let id = row["id"]?.string ?? ""
          let winner = (gold[id] == 1) == (order == "12") ? "a" : "b"
          return (id.replacing("/", with: "-"), JSONValue.object(["winner": .string(winner)]))
        }
        let outcomes = try judge(
          "  - classification: {expected: winner, labels: [a, b]}\n"
            + "    extract: {regex: {pattern: '\(pattern)', last: true}}",
          cases,
          rows.map { $0["output"]?.string ?? "" }
        )
        for (part, figures) in table.object?.members ?? [] {
          let places = rows.indices.filter { rows[$0]["id"]?.string?.hasPrefix(part + "/") == true }
          let right = places.count { outcomes[$0] == .passed }
          let percent = try #require(figures["order\(order)_accuracy_percent"]?.number)
          let share = 100 * Double(right) / Double(places.count)
          #expect(abs(share - percent) < 1e-6, "\(name) \(part) \(order)")
          compared += 1
        }
      }
    }
    #expect(compared == 80)
  }
}
