import SampleProjects
import Sluice
import Testing

@Suite("Project loader")
struct ProjectLoaderTests {
  private let suite = ProjectFixture.suite
  private let prompt = ProjectFixture.prompt
  private let dataset = ProjectFixture.dataset

  /// The project with a second suite like the first.
  private func twoSuites(_ changes: (String) -> String = { $0 }) throws -> ProjectFixture {
    let fixture = ProjectFixture()
    let other = try #require(fixture.files[suite])
      .replacing("suite: tone", with: "suite: other")
      .replacing(": v1.yaml", with: ": ../../tone/v1.yaml")
      .replacing(": answer", with: ": ../../tone/answer")
    return fixture.adding(["prompts/a/other/suite.yaml": changes(other)])
  }

  // MARK: Resolving

  @Test("A loaded suite contains everything that a run needs")
  func resolved() throws {
    let loaded = ProjectFixture().load()
    let suite = try #require(loaded.suites.first)
    #expect(suite.plan.path.description == "prompts/tone/suite.yaml")
    #expect(suite.plan.datasetPath.description == "datasets/tone/cases.yaml")
    #expect(suite.plan.cases.map(\.testCase.id) == ["terse", "rude"])
    #expect(suite.plan.scorers.map(\.name) == ["json-schema", "flags", "classification"])
    #expect(suite.plan.columns.map(\.backend) == ["fast"])
    #expect(suite.plan.prices.prices.keys.sorted() == ["small-1"])
    #expect(suite.conditions.gates.map(\.condition.text) == ["accuracy >= 85%"])
    #expect(suite.conditions.goals.map(\.condition.text) == ["false-positive-rate < 5%"])
  }

  @Test("With an error, no suite is loaded; with a warning, all are")
  func nothingRuns() throws {
    let wrong = try twoSuites().replacing("- accuracy", with: "- acuracy", in: suite)
    #expect(wrong.load().hasErrors)
    #expect(wrong.load().suites.isEmpty)
    let doubtful = try ProjectFixture().replacing(
      "gates:\n  - accuracy >= 85%\n",
      with: "",
      in: suite
    )
    #expect(!doubtful.load().hasErrors)
    #expect(doubtful.load().suites.count == 1)
  }

  // MARK: Selection

  @Test(
    "Suites are selected by name, folder or file, each once, in the given order",
    arguments: [
      ([], ["other", "tone"]), (["tone"], ["tone"]), (["a/other"], ["other"]),
      (["tone", "a/other", "tone"], ["tone", "other"]), (["prompts/tone"], ["tone"]),
      (["prompts/tone/suite.yaml", "tone"], ["tone"]), (["prompts/a/../tone/"], ["tone"]),
    ] as [([String], [String])]
  )
  func selection(_ names: [String], _ suites: [String]) throws {
    let loaded = try twoSuites().load(ProjectLoader.Selection(suites: names))
    #expect(loaded.diagnostics == [])
    #expect(loaded.suites.map(\.plan.name) == suites)
  }

  @Test("A suite that is not selected is not read")
  func notChosen() throws {
    let fixture = try twoSuites { _ in "broken: [" }
    #expect(fixture.report(ProjectLoader.Selection(suites: ["tone"])) == "")
  }

  @Test("A suite is also found by the name in its file")
  func suiteByItsName() throws {
    let fixture = try ProjectFixture()
      .replacing("suite: tone", with: "suite: wording", in: ProjectFixture.suite)
    let loaded = fixture.load(ProjectLoader.Selection(suites: ["wording"]))
    #expect(loaded.diagnostics == [])
    #expect(loaded.suites.map(\.plan.name) == ["wording"])
  }

  @Test("An unknown suite is an error with the nearest name, or all names")
  func unknownSuite() throws {
    let fixture = try twoSuites()
    #expect(
      fixture.report(ProjectLoader.Selection(suites: ["ton"])) == """
        command line: error: there is no suite 'ton'
          fix: did you mean 'tone'?

        """
    )
    #expect(
      fixture.report(ProjectLoader.Selection(suites: ["clarity", "tone"])) == """
        command line: error: there is no suite 'clarity'
          fix: known: a/other, tone

        """
    )
  }

  @Test("A project without suites is an error")
  func noSuites() {
    #expect(
      ProjectFixture().adding([suite: nil]).report() == """
        prompts: error: there are no suites: no file matches prompts/**/suite.yaml
          fix: write a suite; README.md shows how

        """
    )
  }

  @Test("Two suites with the same name are an error at the second")
  func duplicateNames() throws {
    let fixture = try twoSuites { $0.replacing("suite: other", with: "suite: tone") }
    #expect(
      fixture.report() == """
        prompts/tone/suite.yaml:1:8: error: the suite name 'tone' is already used by prompts/a/other/suite.yaml
          1 | suite: tone
            |        ^
          fix: rename one of the two

        """
    )
  }

  @Test("Two prompts with the same name are an error at the second")
  func duplicatePrompts() throws {
    let fixture = try ProjectFixture()
      .replacing("prompt: v1.yaml", with: "prompts: [v1.yaml, old/v1.yaml, v2.yaml]", in: suite)
      .adding([
        "prompts/tone/old/v1.yaml": "messages: [{user: '{{message}}'}]",
        "prompts/tone/v2.yaml": "messages: [{user: '{{message}}'}]",
      ])
    #expect(
      fixture.report() == """
        prompts/tone/suite.yaml:2:20: error: two prompts of the suite are named 'v1'
          2 | prompts: [v1.yaml, old/v1.yaml, v2.yaml]
            |                    ^
          fix: rename one of the files

        """
    )
  }

  @Test("--prompt replaces the suite's own prompt")
  func promptOnTheSide() throws {
    let fixture = ProjectFixture().adding([
      "prompts/tone/v2.yaml": "messages: [{user: '{{sender.role}}: {{message}} {{conversation}}'}]"
    ])
    let loaded = fixture.load(ProjectLoader.Selection(prompt: ProjectPath("prompts/tone/v2.yaml")))
    #expect(loaded.diagnostics == [])
    #expect(loaded.suites.first?.plan.prompts.map(\.name) == ["v2"])
  }

  @Test("A missing --prompt file is an error with the nearest file")
  func missingPrompt() throws {
    func report(_ path: String) -> String {
      ProjectFixture().report(ProjectLoader.Selection(prompt: ProjectPath(path)))
    }
    #expect(
      report("prompts/tone/v2.yaml") == """
        command line: error: file not found: prompts/tone/v2.yaml
          fix: did you mean 'prompts/tone/v1.yaml'?

        """
    )
    #expect(
      report("prompts/tone") == """
        command line: error: 'prompts/tone' is a folder, not a file

        """
    )
    #expect(
      report("v1.yaml") == """
        command line: error: file not found: v1.yaml

        """
    )
  }

  @Test("--prompt needs a single suite, and the other suites are checked with their own prompts")
  func promptForSeveral() throws {
    let fixture = try twoSuites().adding(["v2.yaml": "messages: [{user: '{{nothing}}'}]"])
    #expect(
      fixture.report(ProjectLoader.Selection(prompt: ProjectPath("v2.yaml"))) == """
        command line: error: --prompt applies to one suite, but 2 are selected
          fix: name the suite: sluice run a/other --prompt …

        """
    )
  }

  @Test("Selected backends replace the suite's own, each once")
  func backends() throws {
    let loaded = ProjectFixture()
      .load(ProjectLoader.Selection(backends: ["strong", "fast", "strong"]))
    #expect(loaded.diagnostics == [])
    #expect(loaded.suites.first?.plan.backends.map(\.name) == ["strong", "fast"])
  }

  @Test("An unknown backend is an error with the nearest name, or all names")
  func unknownBackend() throws {
    let fixture = try ProjectFixture().replacing("backend: fast", with: "backend: fsat", in: suite)
    #expect(
      fixture.report() == """
        prompts/tone/suite.yaml:4:10: error: there is no backend 'fsat' in sluice.yaml
          4 | backend: fsat
            |          ^
          fix: did you mean 'fast'?

        """
    )
    let other = try ProjectFixture().replacing("backend: fast", with: "backend: gpt", in: suite)
    #expect(
      other.report() == """
        prompts/tone/suite.yaml:4:10: error: there is no backend 'gpt' in sluice.yaml
          4 | backend: gpt
            |          ^
          fix: known: fast, strong

        """
    )
    #expect(
      try twoSuites().report(ProjectLoader.Selection(backends: ["stong"])) == """
        command line: error: there is no backend 'stong' in sluice.yaml
          fix: did you mean 'strong'?

        """
    )
  }

  @Test("Without backends, none is suggested")
  func noBackends() throws {
    #expect(
      ProjectFixture().adding(["sluice.yaml": "backends: {}"]).report() == """
        prompts/tone/suite.yaml:4:10: error: there is no backend 'fast' in sluice.yaml
          4 | backend: fast
            |          ^

        """
    )
  }

  // MARK: Variables

  @Test("A variable that a case lacks is an error at the case, with the position in the prompt")
  func missingVariable() throws {
    let fixture = try ProjectFixture().replacing("    message: Done.\n", with: "", in: dataset)
    #expect(
      fixture.report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'terse' has no 'message', which is used at prompts/tone/v1.yaml:7:36
          1 | - id: terse
            |       ^
          fix: give it a value under 'input', or remove it from the prompt

        """
    )
  }

  @Test("A misspelled input is an error with the correct name")
  func misspeltInput() throws {
    let fixture = try ProjectFixture().replacing(
      "message: Done.",
      with: "mesage: Done.",
      in: dataset
    )
    #expect(
      fixture.report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'terse' has no 'message', which is used at prompts/tone/v1.yaml:7:36
          1 | - id: terse
            |       ^
          fix: did you mean 'message' instead of 'mesage'?

        """
    )
  }

  @Test("A dotted variable is resolved inside the case's values")
  func dottedVariable() throws {
    let misspelt = try ProjectFixture()
      .replacing("{role: engineer}", with: "{rolle: engineer}", in: dataset)
    #expect(
      misspelt.report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'terse' has no 'sender.role', which is used at prompts/tone/v1.yaml:7:12
          1 | - id: terse
            |       ^
          fix: did you mean 'sender.role' instead of 'sender.rolle'?

        """
    )
    let missing = try ProjectFixture().replacing("{role: engineer}", with: "{id: ana}", in: dataset)
    #expect(
      missing.report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'terse' has no 'sender.role', which is used at prompts/tone/v1.yaml:7:12
          1 | - id: terse
            |       ^
          fix: give it a value under 'input', or remove it from the prompt

        """
    )
    let flat = try ProjectFixture().replacing("{role: engineer}", with: "engineer", in: dataset)
    #expect(
      flat.report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'terse' has no 'sender.role', which is used at prompts/tone/v1.yaml:7:12
          1 | - id: terse
            |       ^
          fix: give it a value under 'input', or remove it from the prompt

        """
    )
  }

  @Test("A variable in a section is resolved in its elements, and the section itself must exist")
  func sectionVariable() throws {
    let element = try ProjectFixture().replacing("from: ana, ", with: "form: ana, ", in: dataset)
    #expect(
      element.report() == """
        datasets/tone/cases.yaml:8:7: error: the case 'rude' has no 'from', which is used at prompts/tone/v1.yaml:5:7
          8 | - id: rude
            |       ^
          fix: did you mean 'from' instead of 'form'?

        """
    )
    let section = try ProjectFixture().replacing("    conversation: []\n", with: "", in: dataset)
    #expect(
      section.report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'terse' has no 'conversation', which is used at prompts/tone/v1.yaml:4:7
          1 | - id: terse
            |       ^
          fix: give it a value under 'input', or remove it from the prompt

        """
    )
  }

  @Test("A null value counts as missing for a variable, but not for a section")
  func nullVariable() throws {
    let variable = try ProjectFixture().replacing(
      "message: Done.",
      with: "message: null",
      in: dataset
    )
    #expect(
      variable.report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'terse' has no 'message', which is used at prompts/tone/v1.yaml:7:36
          1 | - id: terse
            |       ^
          fix: give it a value under 'input', or remove it from the prompt

        """
    )
    let section = try ProjectFixture()
      .replacing("conversation: []", with: "conversation: null", in: dataset)
    #expect(section.report() == "")
  }

  @Test("A variable that every case lacks is one error, in the prompt")
  func variableOfNoCase() throws {
    let misspelt = try ProjectFixture().replacing("{{message}}", with: "{{mesage}}", in: prompt)
    #expect(
      misspelt.report() == """
        prompts/tone/v1.yaml:7:36: error: no case of datasets/tone/cases.yaml has 'mesage'
          7 |   - user: "{{sender.role}} writes: {{mesage}}"
            |                                    ^
          fix: did you mean 'message'?

        """
    )
    let far = try ProjectFixture().replacing("the tone", with: "the {{aspect}}", in: prompt)
    #expect(
      far.report() == """
        prompts/tone/v1.yaml:3:21: error: no case of datasets/tone/cases.yaml has 'aspect'
          3 |       You check the {{aspect}} of a message.
            |                     ^
          fix: give it a value under 'input' of the cases, or remove it from the prompt

        """
    )
  }

  // MARK: Unused values

  @Test("Unused inputs and expectations each give one warning, and the suite still runs")
  func unread() throws {
    let fixture = try ProjectFixture()
      .replacing(
        "message: Done.",
        with: "message: Done.\n    messages: []\n    sent: today",
        in: dataset
      )
      .replacing("message: Do it now!", with: "message: Do it now!\n    sent: today", in: dataset)
      .replacing("label: calm}", with: "label: calm, labels: [calm]}", in: dataset)
    #expect(
      fixture.report() == """
        datasets/tone/cases.yaml:5:5: warning: no prompt of the suite uses the input 'messages'
          5 |     messages: []
            |     ^
          fix: use it in a prompt as {{messages}}, or remove it
        datasets/tone/cases.yaml:6:5: warning: no prompt of the suite uses the input 'sent'
          6 |     sent: today
            |     ^
          fix: use it in a prompt as {{sent}}, or remove it
        datasets/tone/cases.yaml:9:43: warning: no scorer of the suite uses 'expected.labels'
          9 |   expected: {flagged: false, label: calm, labels: [calm]}
            |                                           ^
          fix: name it in a scorer's arguments, or remove it

        """
    )
    #expect(fixture.load().suites.count == 1)
  }

  @Test("A value that a case's own assertion reads counts as used")
  func readByAssertion() throws {
    let assertion = """
      label: calm, shade: pale}
        assert:
          - classification: {path: shade, expected: shade, labels: [pale, dark]}

      """
    let fixture = try ProjectFixture().replacing("label: calm}\n", with: assertion, in: dataset)
    #expect(fixture.report() == "")
  }

  @Test("If there is an error, unused values are not reported")
  func unreadBesideError() throws {
    let fixture = try ProjectFixture()
      .replacing("- user:", with: "- usre:", in: prompt)
    #expect(
      fixture.report() == """
        prompts/tone/v1.yaml:7:5: error: unknown role 'usre'
          7 |   - usre: "{{sender.role}} writes: {{message}}"
            |     ^
          fix: did you mean 'user'?

        """
    )
  }

  // MARK: All in one go

  @Test("A suite with five errors reports five, in file order")
  func fiveInSuite() throws {
    let fixture = try ProjectFixture()
      .replacing("prompt: v1.yaml", with: "prompt: v2.yaml", in: suite)
      .replacing("backend: fast", with: "backend: fsat\nrepeat: often", in: suite)
      .replacing("when: non-empty", with: "when: nonempty", in: suite)
      .replacing("goals:\n  - false-positive-rate < 5%", with: "goal: []", in: suite)
    #expect(
      fixture.report() == """
        prompts/tone/suite.yaml:2:9: error: file not found: prompts/tone/v2.yaml
          2 | prompt: v2.yaml
            |         ^
          fix: did you mean 'v1.yaml'?
        prompts/tone/suite.yaml:4:10: error: there is no backend 'fsat' in sluice.yaml
          4 | backend: fsat
            |          ^
          fix: did you mean 'fast'?
        prompts/tone/suite.yaml:5:9: error: 'repeat' must be a whole number, not a text
          5 | repeat: often
            |         ^
        prompts/tone/suite.yaml:8:34: error: unknown rule 'nonempty' for 'when'
          8 |   - flags: {path: warning, when: nonempty}
            |                                  ^
          fix: did you mean 'non-empty'?
        prompts/tone/suite.yaml:12:1: error: unknown key 'goal' in a suite
          12 | goal: []
             | ^
          fix: did you mean 'goals'?

        """
    )
  }

  @Test("A dataset with five errors reports five, in file order")
  func fiveInDataset() {
    let text = """
      - id: terse
        tag: [clean]
        input:
          message: Done.
          sender: {rolle: engineer}
          conversation: []
        expected: {flagged: 0, label: calm}
      - id: terse
        input:
          message: Do it now!
          sender: {role: manager}
          conversation: []
        expected: {flagged: true, label: rude}

      """
    #expect(
      ProjectFixture().adding([dataset: text]).report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'terse' has no 'sender.role', which is used at prompts/tone/v1.yaml:7:12
          1 | - id: terse
            |       ^
          fix: did you mean 'sender.role' instead of 'sender.rolle'?
        datasets/tone/cases.yaml:2:3: error: unknown key 'tag' in a case
          2 |   tag: [clean]
            |   ^
          fix: did you mean 'tags'?
        datasets/tone/cases.yaml:7:23: error: 'expected.flagged' must be true or false, not a number
          7 |   expected: {flagged: 0, label: calm}
            |                       ^
          fix: write false
        datasets/tone/cases.yaml:8:7: error: duplicate case id 'terse', first on line 1
          8 | - id: terse
            |       ^
          fix: rename one of the two
        datasets/tone/cases.yaml:13:36: error: 'rude' is not one of the labels of the suite
          13 |   expected: {flagged: true, label: rude}
             |                                    ^
          fix: known: calm, harsh

        """
    )
  }

  @Test("Errors in several files are reported together, file by file")
  func severalFiles() throws {
    let fixture = try ProjectFixture()
      .replacing("prices:", with: "price:", in: "sluice.yaml")
      .replacing("suite: tone\n", with: "", in: suite)
      .replacing("85%", with: "85 percent", in: suite)
      .replacing("{{from}}", with: "{{from", in: prompt)
      .replacing(#""type": "object""#, with: #""type": "mapping""#, in: ProjectFixture.schema)
      .replacing("- id: rude", with: "- id: terse", in: dataset)
    #expect(
      fixture.report() == """
        sluice.yaml:6:1: error: unknown key 'price' in sluice.yaml
          6 | price: prices.json
            | ^
          fix: did you mean 'prices'?
        prompts/tone/suite.yaml:1:1: error: a suite needs 'suite'
          1 | prompt: v1.yaml
            | ^
          fix: add 'suite: …'
        prompts/tone/suite.yaml:9:17: error: not a condition: a share cannot be more than 100%
          9 |   - accuracy >= 85 percent
            |                 ^
          fix: write 'accuracy >= 85%'
        prompts/tone/v1.yaml:5:7: error: '{{' is never closed
          5 |       {{from: {{text}}
            |       ^
          fix: write '{{from}}'
        datasets/tone/cases.yaml:8:7: error: duplicate case id 'terse', first on line 1
          8 | - id: terse
            |       ^
          fix: rename one of the two
        prompts/tone/answer.schema.json:2:11: error: unknown type 'mapping'
          2 |   "type": "mapping",
            |           ^
          fix: known: null, boolean, object, array, number, string, integer

        """
    )
  }
}
