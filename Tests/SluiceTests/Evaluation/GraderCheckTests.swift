import SampleProjects
import Sluice
import Testing

@Suite("Grader check")
struct GraderCheckTests {
  private static let right = #"{"warning":"","label":"calm"}"#

  /// The project with known outputs for its first case.
  private func project(_ outputs: String) throws -> ProjectFixture {
    try ProjectFixture().replacing(
      "  expected: {flagged: false, label: calm}\n",
      with: "  expected: {flagged: false, label: calm}\n\(outputs)",
      in: ProjectFixture.dataset
    )
  }

  @Test("Known outputs that scorers judge as stated are counted without a message")
  func fine() throws {
    let fixture = try project(
      """
        good:
          - '{"warning": "", "label": "calm"}'
          - {label: calm, warning: ""}
        bad:
          - '{"warning": "No!", "label": "calm"}'
          - {warning: "", label: harsh}
          - {warning: ""}
          - Calm.
          - ""
          - 1
          - []

      """
    )
    #expect(fixture.report() == "")
    #expect(fixture.load().suites.map(\.knownOutputs) == [9])
    #expect(ProjectFixture().load().suites.map(\.knownOutputs) == [0])
  }

  @Test("A good output that fails gives an error for each scorer that fails it")
  func refused() throws {
    let fixture = try project("  good: ['{\"warning\": \"No!\", \"label\": \"harsh\"}']\n")
    #expect(fixture.load().suites.isEmpty)
    #expect(
      fixture.report() == """
        datasets/tone/cases.yaml:8:10: error: the good output of the case 'terse' is rejected by 'flags': expected nothing to be flagged, but warning is "No!"
          8 |   good: ['{"warning": "No!", "label": "harsh"}']
            |          ^
          fix: correct the output, the case's expected values, or the scorer
        datasets/tone/cases.yaml:8:10: error: the good output of the case 'terse' is rejected by 'classification': expected calm, got harsh
          8 |   good: ['{"warning": "No!", "label": "harsh"}']
            |          ^
          fix: correct the output, the case's expected values, or the scorer

        """
    )
  }

  @Test("A bad output that no scorer fails is an error")
  func accepted() throws {
    #expect(
      try project("  bad:\n    - {warning: '', label: calm}\n").report() == """
        datasets/tone/cases.yaml:9:7: error: the bad output of the case 'terse' is not rejected by any scorer
          9 |     - {warning: '', label: calm}
            |       ^
          fix: correct the output, or add a check that rejects it

        """
    )
  }

  @Test("A case's assertions also judge known outputs, and an unscored output is an error")
  func assertions() throws {
    let long = String(repeating: "a", count: 5_000)
    func report(_ kind: String, _ label: String) throws -> [String] {
      try project(
        "  assert: [not-contains: harsh, not-regex: '\"(a|a)*[}]']\n"
          + "  \(kind): ['{\"warning\":\"\",\"label\":\"\(label)\",\"x\":\"\(long)\"}']\n"
      ).load().diagnostics.map(\.message)
    }
    let unscored =
      "cannot be scored by 'assert.not-regex': it is too expensive to match /\"(a|a)*[}]/"
    #expect(try report("good", "calm") == ["the good output of the case 'terse' \(unscored)"])
    #expect(try report("bad", "calm") == ["the bad output of the case 'terse' \(unscored)"])
    #expect(try report("bad", "harsh") == [])
  }

  @Test(
    "An output that no text scorer judges is an error"
  )
  func others() throws {
    let fixture = try ProjectFixture().replacing(
      """
        - json-schema: answer.schema.json
        - flags: {path: warning, when: non-empty}
        - classification: {path: label, expected: label, labels: [calm, harsh]}
      """,
      with: "  - stream: {total: 1 s}",
      in: ProjectFixture.suite
    ).replacing("  - false-positive-rate < 5%", with: "  - accuracy > 1%", in: ProjectFixture.suite)
    let dataset = try #require(fixture.files[ProjectFixture.dataset])
      .replacing("  expected: {flagged: false, label: calm}\n", with: "  bad: [x]\n")
      .replacing("  expected: {flagged: true, label: harsh}\n", with: "  good: [x]\n")
    let said = fixture.adding([ProjectFixture.dataset: dataset]).report()
    #expect(
      said == """
        datasets/tone/cases.yaml:7:9: error: the bad output of the case 'terse' is not checked by any scorer
          7 |   bad: [x]
            |         ^
          fix: remove the output, or add a scorer that checks it
        datasets/tone/cases.yaml:15:10: error: the good output of the case 'rude' is not checked by any scorer
          15 |   good: [x]
             |          ^
          fix: remove the output, or add a scorer that checks it

        """
    )
  }

  @Test("Errors in a case, assertion or scorer hide errors about known outputs")
  func wrongOtherwise() throws {
    let bad = "  bad:\n    - {warning: '', label: calm}\n"
    let noLabel = try project(bad).replacing(
      ", label: calm}\n  bad",
      with: "}\n  bad",
      in: ProjectFixture.dataset
    )
    #expect(
      noLabel.load().diagnostics.map(\.message) == [
        "the case 'terse' has no 'expected.label', which the scorer 'classification' compares with"
      ]
    )
    #expect(
      try project("  assert: [contains: '']\n" + bad).load().diagnostics.map(\.message) == [
        "'contains' needs a text that is not empty"
      ]
    )
    let noScorer = try project(bad)
      .replacing("when: non-empty", with: "when: never", in: ProjectFixture.suite)
    #expect(noScorer.load().diagnostics.count == 1)
  }

  @Test(
    "Known outputs are a list of texts or values",
    arguments: [
      ("  good: x\n", "'good' must be a list, not a text"),
      ("  bad: {a: 1}\n", "'bad' must be a list, not a mapping"),
      ("  good: [null]\n", "an entry of 'good' must be an answer, not nothing"),
      ("  goood: [x]\n", "unknown key 'goood' in a case"),
    ]
  )
  func form(_ outputs: String, _ message: String) throws {
    #expect(try project(outputs).load().diagnostics.map(\.message) == [message])
  }

  @Test("JSONL and CSV datasets can also contain known outputs")
  func formats() throws {
    let input = #""input":{"message":"x","sender":{"role":"y"},"conversation":[]}"#
    let lines = #"""
      {"id":"a",\#(input),"expected":{"flagged":false,"label":"calm"}}
      {"id":"b",\#(input),"good":[{"label":"calm","warning":""}],"expected":{"flagged":false,"label":"calm"},"bad":["{\"label\":\"calm\",\"warning\":\"\"}"]}

      """#
    let jsonl = ProjectFixture().adding([
      ProjectFixture.dataset: nil, "datasets/tone/cases.jsonl": lines,
    ])
    let messages = jsonl.load().diagnostics.map {
      "\($0.path):\($0.position?.line ?? 0): \($0.message)"
    }
    #expect(
      messages == [
        "datasets/tone/cases.jsonl:2: the bad output of the case 'b' is not rejected by any scorer"
      ]
    )
    let csv = ProjectFixture().adding([
      ProjectFixture.prompt: "messages: [{user: '{{message}}'}]", ProjectFixture.dataset: nil,
      "datasets/tone/cases.csv": #"""
      id,input.message,expected.flagged,expected.label,good,bad
      a,x,false,calm,"{""warning"":"""",""label"":""calm""}",Calm.
      b,x,true,harsh,,"{""warning"":""No!"",""label"":""harsh""}"
      c,x,true,harsh,,

      """#,
    ])
    #expect(
      csv.report() == #"""
        datasets/tone/cases.csv:3:17: error: the bad output of the case 'b' is not rejected by any scorer
          3 | b,x,true,harsh,,"{""warning"":""No!"",""label"":""harsh""}"
            |                 ^
          fix: correct the output, or add a check that rejects it

        """#
    )
  }

  @Test("Known outputs do not change a case or its digest")
  func digest() throws {
    let plain = try #require(ProjectFixture().load().suites.first)
    let known = try #require(
      try project("  good: [{warning: '', label: calm}]\n").load().suites.first
    )
    #expect(plain.plan.cases.map(\.testCase) == known.plan.cases.map(\.testCase))
    #expect(plain.plan.cases.map(\.testCase.digest) == known.plan.cases.map(\.testCase.digest))
  }

  @Test("Each suite checks a dataset's known outputs with its own scorers")
  func twoSuites() throws {
    let fixture = try project("  bad: [{warning: '', label: harsh}]\n")
    let lenient = try #require(fixture.files[ProjectFixture.suite])
      .replacing("suite: tone", with: "suite: lenient")
      .replacing(": v1.yaml", with: ": ../tone/v1.yaml")
      .replacing("  - json-schema: answer.schema.json\n", with: "")
      .replacing(
        "  - classification: {path: label, expected: label, labels: [calm, harsh]}\n",
        with: ""
      )
    let said = fixture.adding(["prompts/lenient/suite.yaml": lenient]).load().diagnostics
      .filter { $0.severity == .error }
    #expect(
      said.map(\.message) == [
        "the bad output of the case 'terse' is not rejected by any scorer"
      ]
    )
  }
}
