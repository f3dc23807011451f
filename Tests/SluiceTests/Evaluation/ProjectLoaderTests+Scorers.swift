import SampleProjects
import Sluice
import Testing

@Suite("Project loader: scorers")
struct ProjectLoaderScorerTests {
  private let suite = ProjectFixture.suite
  private let dataset = ProjectFixture.dataset
  private let flags = "flags: {path: warning, when: non-empty}"

  /// Returns the report on a project whose suite has a different scorer instead of `flags`.
  private func report(_ scorer: String, expected: String = "{flagged: false, label: calm}") throws
    -> String
  {
    try ProjectFixture()
      .replacing(flags, with: scorer, in: suite)
      .replacing("goals:\n  - false-positive-rate < 5%\n", with: "", in: suite)
      .replacing("{flagged: false, label: calm}", with: expected, in: dataset)
      .report()
  }

  /// Returns the report on a project whose first case has an assertion.
  private func report(assertion: String) throws -> String {
    try ProjectFixture()
      .replacing("label: calm}", with: "label: calm}\n  assert:\n    - \(assertion)", in: dataset)
      .report()
  }

  @Test("An unknown scorer is an error with the nearest known name")
  func unknownScorer() throws {
    #expect(
      try report("flag: {path: warning}") == """
        prompts/tone/suite.yaml:7:5: error: unknown scorer 'flag'
          7 |   - flag: {path: warning}
            |     ^
          fix: did you mean 'flags'?

        """
    )
    #expect(
      try report("not-contians: x") == """
        prompts/tone/suite.yaml:7:5: error: unknown scorer 'not-contians'
          7 |   - not-contians: x
            |     ^
          fix: did you mean 'not-contains'?

        """
    )
  }

  @Test("An unknown scorer without a similar name lists the known ones")
  func farScorer() throws {
    let report = try report("weather: {path: warning}")
    #expect(
      report == """
        prompts/tone/suite.yaml:7:5: error: unknown scorer 'weather'
          7 |   - weather: {path: warning}
            |     ^
          fix: known: best-of, choice, classification, coverage, exec, flags, items,
               json-schema, llm-compare, llm-rubric, measure, mentions, number, stream,
               swift; assertions, which also work with the prefix 'not-': assert-set,
               bleu, character-count, chrf, contains, contains-all, contains-any,
               contains-html, contains-json, contains-xml, cost, ends-with, equals,
               exact, expression, finish-reason, first-text, icontains, icontains-all,
               icontains-any, is-html, is-json, is-refusal, is-xml, json-path, latency,
               levenshtein, occurrences, regex, rouge-1, rouge-2, rouge-l, rouge-n,
               sentence-count, starts-with, tokens, tool-calls, valid-date, valid-url,
               word-count

        """
    )
  }

  @Test(
    "An assertion of another tool is an error that suggests an equivalent",
    arguments: [
      (
        "javascript: output.length", expressionWay
      ),
      (
        "{type: python, value: len(output)}", expressionWay
      ),
      (
        "not-similar: a text",
        """
        Sluice does not compare embeddings; use 'rouge-l' to compare words, 'levenshtein' to compare characters, or 'llm-rubric' to let a model compare the meaning
        """
      ),
      (
        "similar:cosine: a text",
        """
        Sluice does not compare embeddings; use 'rouge-l' to compare words, 'levenshtein' to compare characters, or 'llm-rubric' to let a model compare the meaning
        """
      ),
      ("factuality: a text", rubricWay), ("g-eval: a text", rubricWay),
      ("model-graded-closedqa: a text", rubricWay), ("answer-relevance", rubricWay),
      ("context-recall: {threshold: 0.9}", rubricWay),
      (
        "is-valid-openai-tools-call",
        "write 'tool-calls: [NAME]' to check which functions the answer calls"
      ),
      ("exact_match: a text", "write 'equals'"),
    ]
  )
  func foreignAssertion(_ assertion: String, way: String) throws {
    let told = try report(assertion: assertion)
    let lines = told.split(separator: "\n").map { $0.drop { $0 == " " } }
    let fix = try #require(lines.firstIndex { $0.hasPrefix("fix: ") })
    #expect(lines[0].contains(": error: unknown scorer '"))
    #expect(lines[fix...].joined(separator: " ") == "fix: \(way)")
    #expect(told.hasSuffix("\n") && !lines.dropFirst().contains { $0.contains(": error: ") })
  }

  private static let expressionWay =
    "write 'expression: …' for a single line, such as 'len(answer.items) <= 3' "
    + "(docs/expressions.md), or let a program judge the answer with 'exec' under 'scorers:' of "
    + "the suite (docs/extending.md)"

  private static let rubricWay =
    "let a model grade the answer: write 'llm-rubric' under 'scorers:' of the suite, and put the "
    + "question in the judge's prompt file (docs/judges.md)"

  @Test("An unknown scorer in a case is an error at the case")
  func unknownAssertion() throws {
    #expect(
      try report(assertion: "contain: Done") == """
        datasets/tone/cases.yaml:9:7: error: unknown scorer 'contain'
          9 |     - contain: Done
            |       ^
          fix: did you mean 'contains'?

        """
    )
  }

  @Test("A scorer without required arguments is an error")
  func missingArguments() throws {
    #expect(
      try report("flags") == """
        prompts/tone/suite.yaml:7:5: error: the scorer 'flags' needs arguments
          7 |   - flags
            |     ^
          fix: write 'flags: {…}'

        """
    )
    #expect(
      try report("flags: {when: non-empty}") == """
        prompts/tone/suite.yaml:7:12: error: the scorer 'flags' needs 'path'
          7 |   - flags: {when: non-empty}
            |            ^
          fix: add 'path: …'

        """
    )
    #expect(
      try report("flags: warning") == """
        prompts/tone/suite.yaml:7:12: error: the scorer 'flags' must be a mapping, not a text
          7 |   - flags: warning
            |            ^

        """
    )
  }

  @Test("An unknown argument is an error with the nearest known name")
  func unknownArgument() throws {
    #expect(
      try report("flags: {path: warning, wen: non-empty}") == """
        prompts/tone/suite.yaml:7:28: error: unknown key 'wen' in the scorer 'flags'
          7 |   - flags: {path: warning, wen: non-empty}
            |                            ^
          fix: did you mean 'when'?

        """
    )
    let labels = "classification: {path: a, expected: label, labels: [calm, harsh], minimum: 1}"
    #expect(
      try report(labels, expected: "{label: calm}") == """
        prompts/tone/suite.yaml:7:71: error: unknown key 'minimum' in the scorer 'classification'
          7 | …cted: label, labels: [calm, harsh], minimum: 1}
            |                                      ^
          fix: known: path, expected, labels, abstain

        """
    )
  }

  @Test("An unknown rule for 'when' is an error with the nearest known name")
  func unknownRule() throws {
    #expect(
      try report("flags: {path: warning, when: non-emtpy}") == """
        prompts/tone/suite.yaml:7:34: error: unknown rule 'non-emtpy' for 'when'
          7 |   - flags: {path: warning, when: non-emtpy}
            |                                  ^
          fix: did you mean 'non-empty'?

        """
    )
    #expect(
      try report("flags: {path: warning, when: 3}") == """
        prompts/tone/suite.yaml:7:34: error: 'when' must be a text, not a number
          7 |   - flags: {path: warning, when: 3}
            |                                  ^
          fix: known: non-empty, true

        """
    )
  }

  @Test("An unknown similarity is an error with the nearest known name")
  func unknownSimilarity() throws {
    let items = "items: {path: items, expected: items, match: what, similarity: word}"
    #expect(
      try report(items, expected: "{items: [], label: calm}") == """
        prompts/tone/suite.yaml:7:68: error: unknown similarity 'word'
          7 | …ed: items, match: what, similarity: word}
            |                                      ^
          fix: did you mean 'words'?

        """
    )
  }

  @Test("Labels must contain at least two different texts")
  func labels() throws {
    #expect(
      try report("classification: {path: a, expected: label, labels: [calm]}") == """
        prompts/tone/suite.yaml:7:56: error: 'labels' must contain at least two different texts
          7 |   - classification: {path: a, expected: label, labels: [calm]}
            |                                                        ^

        """
    )
  }

  // MARK: Expectations

  @Test("A missing expectation that a scorer needs is an error at the case")
  func missingExpectation() throws {
    let fixture = try ProjectFixture().replacing("flagged: false, ", with: "", in: dataset)
    #expect(
      fixture.report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'terse' has no 'expected.flagged', which the scorer 'flags' compares with
          1 | - id: terse
            |       ^
          fix: add 'expected: {flagged: …}'

        """
    )
    let misspelt = try ProjectFixture().replacing(
      "flagged: false",
      with: "flaged: false",
      in: dataset
    )
    #expect(
      misspelt.report() == """
        datasets/tone/cases.yaml:1:7: error: the case 'terse' has no 'expected.flagged', which the scorer 'flags' compares with
          1 | - id: terse
            |       ^
          fix: did you mean 'flagged' instead of 'flaged'?

        """
    )
  }

  @Test("An expectation of the wrong type is an error at the value")
  func wrongExpectation() throws {
    let fixture = try ProjectFixture().replacing(
      "flagged: false",
      with: "flagged: 'no'",
      in: dataset
    )
    #expect(
      fixture.report() == """
        datasets/tone/cases.yaml:7:23: error: 'expected.flagged' must be true or false, not a text
          7 |   expected: {flagged: 'no', label: calm}
            |                       ^
          fix: write false

        """
    )
  }

  @Test("A label that is not in the list is an error with the nearest one")
  func unknownLabel() throws {
    let fixture = try ProjectFixture().replacing("label: calm", with: "label: clam", in: dataset)
    #expect(
      fixture.report() == """
        datasets/tone/cases.yaml:7:37: error: 'clam' is not one of the labels of the suite
          7 |   expected: {flagged: false, label: clam}
            |                                     ^
          fix: did you mean 'calm'?

        """
    )
  }

  @Test("The expectations of a case's own scorers are checked, too")
  func assertionExpectation() throws {
    #expect(
      try report(assertion: "classification: {path: a, expected: shade, labels: [pale, dark]}")
        == """
        datasets/tone/cases.yaml:1:7: error: the case 'terse' has no 'expected.shade', which the scorer 'classification' compares with
          1 | - id: terse
            |       ^
          fix: add 'expected: {shade: …}'

        """
    )
  }

  // MARK: Patterns and schemas

  @Test("An invalid pattern is an error at the position in the pattern")
  func pattern() throws {
    #expect(
      try report("regex: 'a(b'") == """
        prompts/tone/suite.yaml:7:16: error: not a valid pattern: missing closing parenthesis
          7 |   - regex: 'a(b'
            |                ^

        """
    )
    #expect(
      try report("regex: \"[z-a]\"") == """
        prompts/tone/suite.yaml:7:16: error: not a valid pattern: range out of order in character class
          7 |   - regex: "[z-a]"
            |                ^

        """
    )
    #expect(
      try report(assertion: "not-regex: ab[c") == """
        datasets/tone/cases.yaml:9:22: error: not a valid pattern: missing terminating ] for character class
          9 |     - not-regex: ab[c
            |                      ^

        """
    )
  }

  @Test("A missing schema is an error")
  func missingSchema() throws {
    #expect(
      try report("json-schema: answers.schema.json") == """
        prompts/tone/suite.yaml:7:18: error: file not found: prompts/tone/answers.schema.json
          7 |   - json-schema: answers.schema.json
            |                  ^
          fix: did you mean 'answer.schema.json'?

        """
    )
    #expect(
      try report("json-schema: {items: [object]}") == """
        prompts/tone/suite.yaml:7:26: error: 'items' must be one schema for all elements, not a list
          7 |   - json-schema: {items: [object]}
            |                          ^
          fix: write 'prefixItems' for one schema per element, or 'anyOf' inside 'items' for alternatives

        """
    )
  }

  @Test("An unsupported or unknown schema keyword is an error")
  func keyword() throws {
    let unsupported = try ProjectFixture()
      .replacing(#""required""#, with: #""contentSchema""#, in: ProjectFixture.schema)
    #expect(
      unsupported.report() == """
        prompts/tone/answer.schema.json:4:3: error: the keyword 'contentSchema' is not supported
          4 |   "contentSchema": ["warning", "label"]
            |   ^
          fix: remove it; Sluice does not parse the contents of strings

        """
    )
    let unknown = try ProjectFixture()
      .replacing(#""required""#, with: #""require""#, in: ProjectFixture.schema)
    #expect(
      unknown.report() == """
        prompts/tone/answer.schema.json:4:3: error: unknown keyword 'require' in a schema
          4 |   "require": ["warning", "label"]
            |   ^
          fix: did you mean 'required'?

        """
    )
  }
}
