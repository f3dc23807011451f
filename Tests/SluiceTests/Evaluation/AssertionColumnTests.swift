import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Assertions in the columns of a CSV file")
struct AssertionColumnTests {
  private func load(_ csv: String) -> LoadedProject {
    ProjectLoader.load(
      from: InMemoryFileSystem([
        "sluice.yaml": "backends: {model: {type: openai, model: m-1}}\n",
        "prompts/capitals/v1.yaml": "messages: [{user: \"{{country}}\"}]\n",
        "prompts/capitals/suite.yaml":
          "suite: capitals\nprompt: v1.yaml\ndataset: capitals\nbackend: model\ngates: [accuracy >= 1%]\n",
        "datasets/capitals/cases.csv": csv,
      ])
    )
  }

  /// Returns the outcomes of the first case's assertions.
  private func outcomes(_ cell: String, column: String = "__expected", _ answer: String) -> [String]
  {
    let quoted = "\"\(cell.replacing("\"", with: "\"\""))\""
    let loaded = load("id,input.country,\(column)\nfr,France,\(quoted)\n")
    guard let plan = loaded.suites.first?.plan,
      loaded.diagnostics.allSatisfy({ $0.severity != .error })
    else {
      return [loaded.diagnostics.map(\.message).joined(separator: "; ")]
    }
    let trial = TrialJudge(plan: plan)
      .judged(ModelResponse(text: answer), plan.slot(0), key: "")
    return trial.scores.map { "\($0.name) \($0.score.outcome.rawValue)" }
  }

  @Test(
    "A cell of '__expected' has the same meaning as in promptfoo",
    arguments: [
      ("Paris", "Paris", "assert.equals passed"), ("Paris", "paris", "assert.equals failed"),
      ("contains: Paris", "It is Paris.", "assert.contains passed"),
      ("not-contains:Lyon", "It is Lyon.", "assert.not-contains failed"),
      ("icontains-any: paris, lyon", "LYON", "assert.icontains-any passed"),
      ("contains-all:a,b", "b a", "assert.contains-all passed"),
      ("regex: ^P.*s$", "Paris", "assert.regex passed"),
      ("is-json", "{}", "assert.is-json passed"),
      (#"is-json: {"required": ["a"]}"#, "{}", "assert.is-json failed"),
      ("levenshtein: Paris", "Pariss", "assert.levenshtein failed"),
      ("levenshtein(2): Paris", "Pariss", "assert.levenshtein passed"),
      ("rouge-n(0.5): the cat sat", "the cat", "assert.rouge-n passed"),
      ("word-count: 2", "one two", "assert.word-count passed"),
      ("Note: contains no type", "Note: contains no type", "assert.equals passed"),
      ("contains: {{country}}", "France!", "assert.contains passed"),
      ("48213", "48213", "assert.equals passed"),
    ]
  )
  func promptfoo(_ cell: String, _ answer: String, _ outcome: String) {
    #expect(outcomes(cell, answer) == [outcome])
  }

  @Test(
    "A column can contain values of one type, or whole assertions with Sluice's thresholds",
    arguments: [
      ("assert.contains", "48213", "no. 48213", "assert.contains passed"),
      ("assert.contains.2", "a", "b", "assert.contains failed"),
      ("assert.not-is-json", "true", "no", "assert.not-is-json passed"),
      ("assert.json-path", #"{"path": "a", "equals": 1}"#, #"{"a":1}"#, "assert.json-path passed"),
      ("assert", "levenshtein: Paris", "Pariss", "assert.levenshtein passed"),
      ("assert.2", "Paris", "Paris", "assert.equals passed"),
      ("__expected3", "Paris", "Paris", "assert.equals passed"),
    ]
  )
  func columns(_ column: String, _ cell: String, _ answer: String, _ outcome: String) {
    #expect(outcomes(cell, column: column, answer) == [outcome])
  }

  @Test("Empty cells add no assertion, and promptfoo's other columns are ignored")
  func empty() {
    let loaded = load(
      """
      id,input.country,__description,__metadata:owner,__expected,__expected2,assert.contains
      fr,France,the capital,ana,Paris,,P
      de,Germany,,,,contains: Berlin,

      """
    )
    #expect(loaded.diagnostics.map(\.message) == [])
    #expect(
      loaded.suites[0].plan.cases.indices.map { index in
        loaded.suites[0].plan.cases[index].assertions.map(\.name)
      } == [["assert.equals", "assert.contains"], ["assert.contains"]]
    )
  }

  @Test("An invalid cell is reported with its position")
  func faults() {
    #expect(
      load(
        """
        id,input.country,__expected,assert.contians
        a,A,similar(0.8): Paris,x
        b,B,grade: is polite,
        c,C,contains(0.5): x,
        d,D,javascript: output.length < 5,

        """
      ).diagnostics.filter { $0.severity == .error }.map(\.description).joined()
        .split(separator: "\n").filter { !$0.contains(" | ") }.joined(separator: "\n") == """
          datasets/capitals/cases.csv:2:5: error: unknown assertion 'similar'
            fix: Sluice does not compare embeddings; use 'rouge-l' to compare words, 'levenshtein' to compare characters, or 'llm-rubric' to let a model compare the meaning
          datasets/capitals/cases.csv:2:25: error: unknown scorer 'contians'
            fix: did you mean 'contains'?
          datasets/capitals/cases.csv:3:5: error: unknown assertion 'grade'
            fix: let a model grade the answer: write 'llm-rubric' under 'scorers:' of the suite, and put the question in the judge's prompt file (docs/judges.md)
          datasets/capitals/cases.csv:4:5: error: 'contains' does not accept a threshold
            fix: write 'contains: x'
          datasets/capitals/cases.csv:5:5: error: unknown assertion 'javascript'
            fix: write 'expression: …' for a single line, such as 'len(answer.items) <= 3' (docs/expressions.md), or let a program judge the answer with 'exec' under 'scorers:' of the suite (docs/extending.md)
          """
    )
    #expect(
      load("id,input.a,__expectedd,assert.,__prefix\na,b,,,\n").diagnostics
        .map { "\($0.message); \($0.fix ?? "")" } == [
          "unknown column '__expectedd'; write 'assert', 'assert.2' or 'assert.TYPE'",
          "unknown column 'assert.'; write 'assert', 'assert.2' or 'assert.TYPE'",
          "unknown column '__prefix'; remove it; "
            + "Sluice reads no column that begins with '__', except '__expected'",
        ]
    )
  }
}
