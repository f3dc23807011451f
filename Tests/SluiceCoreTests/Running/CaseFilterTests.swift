import SampleProjects
import SluiceCore
import SluiceSupport
import Testing

@Suite("Case filters")
struct CaseFilterTests {
  private static func cases() -> SuitePlan.Cases {
    SuitePlan.Cases(
      [
        ("a", ["short"]), ("b", ["long", "clean"]), ("c", []), ("d", ["clean"]), ("e", ["short"]),
      ].map { id, tags in
        SuitePlan.PlannedCase(StoredCase(TestCase(id: id, tags: tags, input: [:])))
      }
    )
  }

  /// A filter with the remaining cases.
  struct Row: CustomTestStringConvertible {
    var filter: CaseFilter
    var failed: Set<String> = []
    var left: [Int]
    var testDescription: String { filter.phrase }
  }

  @Test(
    "A filter keeps the cases that match all of its parts, in the order of the dataset",
    arguments: [
      Row(filter: CaseFilter(), left: [0, 1, 2, 3, 4]),
      Row(filter: CaseFilter(cases: ["d", "a"]), left: [0, 3]),
      Row(filter: CaseFilter(tags: ["clean"]), left: [1, 3]),
      Row(filter: CaseFilter(tags: ["clean", "short"]), left: [0, 1, 3, 4]),
      Row(filter: CaseFilter(cases: ["a", "b"], tags: ["clean"]), left: [1]),
      Row(filter: CaseFilter(cases: ["c"], tags: ["clean"]), left: []),
      Row(filter: CaseFilter(first: 2), left: [0, 1]),
      Row(filter: CaseFilter(first: 9), left: [0, 1, 2, 3, 4]),
      Row(filter: CaseFilter(tags: ["short"], first: 1), left: [0]),
      Row(filter: CaseFilter(isFailed: true), failed: ["b", "e"], left: [1, 4]),
      Row(filter: CaseFilter(isFailed: true), left: []),
      Row(filter: CaseFilter(tags: ["short"], isFailed: true), failed: ["b", "e"], left: [4]),
      Row(filter: CaseFilter(isFailed: true, first: 1), failed: ["b", "e"], left: [1]),
    ]
  )
  func leaves(_ row: Row) {
    #expect(Self.cases().indices(of: row.filter, failed: row.failed) == row.left)
  }

  @Test(
    "A filter is described by its options, with long lists of names shortened",
    arguments: [
      (CaseFilter(cases: ["a"]), "--case a"),
      (
        CaseFilter(cases: ["a"], tags: ["x y"], isFailed: true, first: 3),
        "--case a --tag x y --failed --first 3"
      ),
      (
        CaseFilter(cases: ["a", "b", "c", "d", "e"]),
        "--case a --case b --case c --case d --case e"
      ),
      (
        CaseFilter(cases: ["a", "b", "c", "d", "e", "f"], first: 2),
        "--case a --case b --case c --case d and 2 more --first 2"
      ),
    ]
  )
  func phrase(_ filter: CaseFilter, _ phrase: String) { #expect(filter.phrase == phrase) }

  @Test("A filtered run states the number of cases, for one suite or several")
  func parts() {
    let filter = CaseFilter(tags: ["clean"])
    let some = FilteredCases(filter, count: 3, of: 259)
    #expect(some.phrase == "3 of 259 cases were run (--tag clean)")
    #expect(FilteredCases(filter, count: 1, of: 1).phrase == "1 of 1 case was run (--tag clean)")
    let parts = [some, FilteredCases(filter, count: 2, of: 41)]
    #expect(FilteredCases.phrase(of: parts) == "5 of 300 cases were run (--tag clean)")
    #expect(FilteredCases.phrase(of: []) == nil)
  }

  @Test("A filtered plan states its filter, and an unfiltered plan is the complete suite")
  func plan() throws {
    let plan = try RecordingProject().plan()
    #expect(plan.keeping(CaseFilter()).filtered == nil)
    let part = plan.keeping(CaseFilter(cases: ["send"]))
    #expect(part.cases.map(\.stored.id) == ["send"])
    #expect(part.filtered == FilteredCases(CaseFilter(cases: ["send"]), count: 1, of: 4))
    #expect(part.trialCount == 1)
  }
}
