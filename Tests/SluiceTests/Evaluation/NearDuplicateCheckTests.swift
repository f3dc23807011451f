import SampleProjects
@testable import Sluice
import Testing

@Suite("Near-duplicate check")
struct NearDuplicateCheckTests {
  private func load(_ cases: String, as name: String = "cases.yaml") -> LoadedProject {
    var selection = ProjectLoader.Selection()
    selection.findsNearDuplicates = true
    return ProjectFixture().adding([
      ProjectFixture.dataset: nil,
      ProjectFixture.suite: """
      suite: tone
      prompt: v1.yaml
      dataset: tone
      backend: fast
      scorers: [{contains: a}]
      gates: [accuracy >= 1%]

      """,
      ProjectFixture.prompt: #"messages: [{user: "{{message}}"}]"#,
    ]).adding(["datasets/tone/\(name)": cases]).load(selection)
  }

  private func report(_ cases: String, as name: String = "cases.yaml") -> String {
    load(cases, as: name).diagnostics.map(\.description).joined()
  }

  @Test("In each format, a near-duplicate gives a warning at the later case")
  func formats() {
    #expect(
      report(
        """
        - {id: one, input: {message: "The bug is still there"}}
        - {id: two, input: {message: "Lunch is on me today"}}
        - {id: three, input: {message: "the bug is still there!"}}

        """
      ) == """
        datasets/tone/cases.yaml:3:8: warning: the input of 'three' is nearly the same as the input of 'one' on line 1 (similarity 1.00)
          3 | - {id: three, input: {message: "the bug is still there!"}}
            |        ^
          fix: give both cases the same 'cluster: NAME', so that intervals account for their similarity, or remove one of the two

        """
    )
    #expect(
      report(
        """
        {"id": "one", "input": {"message": "The bug is still there"}}

        {"id": "two", "input": {"message": "Lunch is on me today"}}
        {"id": "three", "input": {"message": "the bug's still there"}}

        """,
        as: "cases.jsonl"
      ) == """
        datasets/tone/cases.jsonl:4:8: warning: the input of 'three' is nearly the same as the input of 'one' on line 1 (similarity 0.61)
          4 | {"id": "three", "input": {"message": "the bug's still there"}}
            |        ^
          fix: give both cases the same 'cluster: NAME', so that intervals account for their similarity, or remove one of the two

        """
    )
    #expect(
      report(
        """
        id,cluster,input.message
        one,bug,The bug is still there
        two,,Lunch is on me today
        three,,"the bug, is still there"

        """,
        as: "cases.csv"
      ) == """
        datasets/tone/cases.csv:4:1: warning: the input of 'three' is nearly the same as the input of 'one' on line 2 (similarity 1.00)
          4 | three,,"the bug, is still there"
            | ^
          fix: add 'cluster: bug' to 'three', so that intervals account for their similarity, or remove one of the two

        """
    )
  }

  @Test(
    "The fix depends on the clusters of both cases",
    arguments: [
      ("", ", cluster: b", "add 'cluster: b' to 'one'"),
      (", cluster: a", ", cluster: b", "give both cases the same cluster"),
    ]
  )
  func fixes(_ first: String, _ second: String, _ fix: String) {
    let text = report(
      """
      - {id: one\(first), input: {message: "The bug is still there"}}
      - {id: two\(second), input: {message: "the bug is still there"}}

      """
    )
    #expect(
      text.hasSuffix(
        "  fix: \(fix), so that intervals account for their similarity, or remove one of the two\n"
      )
    )
  }

  @Test("At most twenty near-duplicates are listed, then their number")
  func many() {
    let cases = (1...25).map { "- {id: c\($0), input: {message: \"The bug is still there\"}}\n" }
    let project = load(cases.joined())
    #expect(project.diagnostics.count == 21)
    #expect(
      project.diagnostics.last?.description == """
        datasets/tone/cases.yaml:22:8: warning: 4 more cases, from this one on, are nearly the same as an earlier case
          22 | - {id: c22, input: {message: "The bug is still there"}}
             |        ^
          fix: give the same cluster to cases that vary one situation, or remove the duplicates

        """
    )
    #expect(project.nearDuplicates.map(\.path) == [ProjectFixture.dataset])
    #expect(project.nearDuplicates.first?.found?.caseCount == 25)
  }

  @Test("Near-duplicates are searched only on request, and not if there are errors")
  func unasked() throws {
    #expect(ProjectFixture().load().nearDuplicates.isEmpty)
    #expect(load("- {id: one, inputs: {}}\n").nearDuplicates.isEmpty)
  }
}
