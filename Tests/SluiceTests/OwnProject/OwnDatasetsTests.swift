import Foundation
import Sluice
import Testing

@Suite("This project's datasets")
struct OwnDatasetsTests {
  private let project: OwnProject

  init() throws { project = try OwnProject.loaded.get() }

  // MARK: Sizes

  @Test(
    "Each false-positive rate is based on at least 150 clean cases",
    arguments: [("clarity", "flagged", false), ("tone", "flagged", false), ("faq", "answer", nil)]
      as [(String, String, Bool?)]
  )
  func cleanCases(_ suite: String, _ key: String, _ clean: Bool?) throws {
    let value = clean.map(JSONValue.bool) ?? .null
    #expect(try project.cases(suite).count { $0.expected[key] == value } >= 150)
  }

  @Test(
    "Each accuracy is based on at least 150 cases",
    arguments: [
      "clarity", "tone", "action-items", "category", "sentiment", "opportunity", "faq", "analysis",
    ]
  )
  func size(_ suite: String) throws { #expect(try project.cases(suite).count >= 150) }

  @Test(
    "Each class has at least 25 cases",
    arguments: [
      ("category", "category", 5), ("sentiment", "sentiment", 4), ("analysis", "category", 5),
      ("analysis", "sentiment", 4),
    ]
  )
  func classes(_ suite: String, _ key: String, _ count: Int) throws {
    let labels = try project.cases(suite).compactMap { $0.expected[key]?.string }
    let counts = Dictionary(labels.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(counts.count == count)
    #expect(counts.values.allSatisfy { $0 >= 25 }, "\(counts)")
  }

  @Test(
    "There are at least 40 threads of 15 to 60 messages to summarize, each with critical facts"
  )
  func threads() throws {
    let cases = try project.cases("summary")
    #expect(cases.count >= 40)
    for testCase in cases {
      let messages = testCase.input["messages"]?.array?.count ?? 0
      #expect((15...60).contains(messages), "\(testCase.id) has \(messages)")
      #expect((testCase.expected["facts"]?.array?.count ?? 0) >= 3, "\(testCase.id)")
    }
  }

  @Test("Every row of the feature description that describes a case is a case")
  func rows() throws {
    let suites = ["clarity", "tone", "action-items", "summary"]
    let ids = try suites.flatMap { try project.cases($0).map(\.id) }
    let rows = [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12].map { "TEST-2.\($0)" }
    #expect(rows.filter { !ids.contains($0) } == [])
  }

  // MARK: Splits

  @Test("About a third of each dataset without hard cases is held out, and no cluster is split")
  func heldOut() throws {
    for suite in project.features {
      let cases = suite.plan.cases.map(\.testCase)
      let drawn = cases.count { $0.split != "hard" }
      let share = Double(cases.count { $0.split == "held-out" }) / Double(drawn)
      #expect((0.3...0.37).contains(share), "\(suite.plan.name): \(share)")
      let clusters = Dictionary(grouping: cases.filter { $0.cluster != nil }) { $0.cluster }
      for (cluster, cases) in clusters {
        #expect(Set(cases.map(\.split)).count == 1, "\(suite.plan.name): \(cluster ?? "")")
      }
    }
  }

  // MARK: Labels

  @Test("The two readers' kappa is at least 0.8 and equals the number in the dataset's README")
  func agreement() throws {
    for suite in project.features {
      let name = suite.plan.name
      let readings = try readings(name)
      let about = Set(readings.flatMap { SecondReading.labels($0.first).keys })
      #expect(!about.isEmpty, "\(name) has no second reading")
      let readme = try project.text("datasets/\(name)/README.md")
      for key in about {
        let kappa = try #require(
          CohenKappa(
            readings.map { SecondReading.labels($0.first)[key] },
            readings.map { SecondReading.labels($0.second)[key] }
          )
        )
        #expect(kappa.value >= 0.8, "\(name) \(key)")
        let text = String(format: "%.3f", kappa.value)
        #expect(readme.contains("is \(text)"), "\(name) \(key): \(text)")
      }
    }
  }

  @Test("Every case was read twice, and its label is that of one of the readers")
  func settled() throws {
    for suite in project.features {
      let name = suite.plan.name
      let readings = Dictionary(grouping: try readings(name), by: \.caseID)
      let diagnostics = DiagnosticCollector()
      let dataset = try #require(
        DatasetReader.read(
          suite.plan.datasetPath,
          files: ProjectFiles(project.files, diagnostics: diagnostics)
        )
      )
      for index in dataset.cases.indices {
        let spec = dataset.spec(index)
        let testCase = spec.testCase
        guard let read = readings[testCase.id] else {
          Issue.record("\(name): \(testCase.id) was read once")
          continue
        }
        let expected = testCase.expected
        for reading in read {
          let isKept =
            reading.statement.map { statement in
              let isExpected =
                expected.jsonText.contains(JSONValue.string(statement).jsonText)
                || spec.knownOutputs.contains { $0.kind == .good && $0.text == statement }
              return reading.first == .bool(isExpected) || reading.second == .bool(isExpected)
            }
            ?? (SecondReading.fits(reading.first, expected)
              || SecondReading.fits(reading.second, expected))
          #expect(isKept, "\(name): \(testCase.id) \(reading.statement ?? "")")
        }
      }
    }
  }

  private func readings(_ name: String) throws -> [SecondReading] {
    try project.text("datasets/\(name)/second-reading.jsonl").split(separator: "\n").map {
      try #require(SecondReading(try JSONReader.value(Array($0.utf8))))
    }
  }
}
