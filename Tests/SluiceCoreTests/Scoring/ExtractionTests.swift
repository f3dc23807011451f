import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Extraction before scoring")
struct ExtractionTests {
  /// Returns the JSON of the extracted value, or the reason why there is none.
  private func extracted(_ steps: String, _ text: String) -> String {
    let file = SourceFile(path: "suite.yaml", bytes: Array(steps.utf8))
    guard let root = YAMLReader.read(file.bytes).root,
      let extraction = Extraction(root, in: file, DiagnosticCollector())
    else { return "no steps" }
    let answer = extraction.answer(from: Answer(ModelResponse(text: text)))
    if let flaw = answer.flaw { return flaw }
    return (try? answer.value(at: "").get())?.jsonText ?? "nothing"
  }

  @Test(
    "Each step extracts a part of the previous step's result",
    arguments: [
      (#"regex: "\\(([A-D])\\)""#, "I think (A), no: the answer is (B).", #""A""#),
      (#"regex: {pattern: "\\(([A-D])\\)", last: true}"#, "(A), no: (B).", #""B""#),
      (#"regex: "[0-9]+ (€|EUR)""#, "12 EUR", #""EUR""#),
      (#"regex: {pattern: "[0-9]+ (€|EUR)", group: 0}"#, "12 EUR", #""12 EUR""#),
      (#"regex: {pattern: "x*", last: true}"#, "axxé", #""""#),
      ("after: 'A:'", "Q: 1 A: 1,234", #"" 1,234""#),
      ("after: {text: 'A:', last: true}", "A: 1 A: 2", #"" 2""#),
      ("after: {text: aa, last: true}", "aaa", #""""#), ("after: é", "e\u{301}é!", #""!""#),
      ("after: \"\\n\"", "one\r\ntwo", #""two""#),
      (#"regex: {pattern: "(a)|b", last: true}"#, "ab", "'extract': /(a)|b/ does not match \"ab\""),
      ("[{after: 'A:'}, number]", "Q: 1 A: 1,234.", "1234"),
      ("[{after: '####'}, number]", "10 - 3 = 7\n#### -7", "-7"),
      ("json-path: a.b", #"{"a":{"b":[1,2]}}"#, "[1,2]"),
      ("json-path: '$.a[*].n'", #"{"a":[{"n":1},{"n":2}]}"#, "[1,2]"),
      ("[{json-path: text}, {json-path: n}]", #"{"text":"{\"n\":3}"}"#, "3"),
      ("code-fence", "Here:\n```json\n{\"a\":1}\n```\nDone.", #""{\"a\":1}""#),
      ("code-fence", "{\"a\":1}", #""{\"a\":1}""#),
      ("code-fence: last", "```\none\n```\n```\ntwo\n```", #""two""#),
      ("[code-fence, {json-path: a}]", "```json\n{\"a\": \"x\"}\n```", #""x""#),
      ("trim", " \n B\u{A0}", #""B""#), ("lower", "BuG", #""bug""#),
      ("line: last", "one\n\ntwo  \n \n", #""two""#), ("line: 1", "\none\ntwo", #""one""#),
      ("line: -2", "one\ntwo\nthree", #""two""#), ("line", "one", "no steps"),
      ("number", "It costs $1,234.50.", "1234.5"), ("number: first", "3 of 5", "3"),
      ("number: last", "3 of 5", "5"), ("[{json-path: n}, number]", #"{"n":"48213 "}"#, "48213"),
      ("[{json-path: n}, number]", #"{"n":5}"#, "5"),
    ]
  )
  func steps(_ steps: String, _ text: String, _ left: String) {
    #expect(extracted(steps, text) == left)
  }

  @Test(
    "If nothing can be extracted, the answer is unusable, with the reason",
    arguments: [
      (#"regex: "[A-D]$""#, "none", #"'extract': /[A-D]$/ does not match "none""#),
      ("after: 'A:'", "B", #"'extract': "A:" is not in "B""#),
      ("[trim, {json-path: a}]", "{}", "step 2 of 'extract': there is no value at 'a'"),
      ("json-path: a", "no", "'extract': not valid JSON: expected a JSON value"),
      ("number", "none", #"'extract': there is no number in "none""#),
      (
        "number", "48213 or 99999",
        "'extract': there are 2 numbers; write 'number: first' or 'number: last' to choose one in "
          + "\"48213 or 99999\""
      ),
      ("line: 3", "one", "'extract': the text has only 1 nonblank line"),
      (
        #"regex: '^(a|aa)+\1$'"#, String(repeating: "a", count: 40) + "!",
        "'extract': the pattern is too expensive: /^(a|aa)+\\1$/"
      ),
    ]
  )
  func failures(_ steps: String, _ text: String, _ reason: String) {
    #expect(extracted(steps, text) == reason)
    let list = steps.hasPrefix("[") ? steps : "\n    - \(steps)"
    for type in ["contains", "not-contains"] {
      let score = ScoringFixture("- \(type): x\n  extract: \(list)").score(text)
      // A step that gives up says nothing about the answer.
      let isUndecided = reason.contains("too expensive")
      #expect(score?.outcome == (isUndecided ? .unscored : .failed))
      #expect(score?.isUnusable == !isUndecided)
    }
  }

  @Test(
    "Numbers are read in the forms that people write",
    arguments: [
      ("1,234", [1234]), ("-1,234.50", [-1234.5]), ("\u{2212}3", [-3]), ("+3", [3]), ("12%", [12]),
      (".5", [0.5]), ("1e3", [1000]), ("1.5E-2", [0.015]), ("$5", [5]), ("-$5", [-5]),
      ("1'000'000", [1_000_000]), ("1\u{202F}000", [1000]), ("1,23", [1, 23]), ("3-5", [3, 5]),
      ("1,2345", [1, 2345]), ("A4", []), ("10:30", [10, 30]), ("5kg", [5]), ("", []), ("-", []),
      ("1.", [1]), ("1.2.3", [1.2]), ("(7)", [7]), ("x=-2", [-2]), ("1234,567", [1234, 567]),
    ] as [(String, [JSONValue])]
  )
  func numbers(_ text: String, _ numbers: [JSONValue]) {
    #expect(WrittenNumber.all(in: text) == numbers)
  }

  @Test("Scorers for JSON can score plain text after an extraction, with or without a path")
  func plainText() {
    let label = ScoringFixture(
      """
      - classification: {expected: answer, labels: [A, B]}
        extract: [{after: {text: answer is, last: true}}, {regex: "[A-D]"}]
      """
    )
    #expect(label.said == "")
    #expect(label.score("So the answer is (B).", expecting: ["answer": "B"])?.outcome == .passed)
    #expect(label.score("So the answer is (A).", expecting: ["answer": "B"])?.outcome == .failed)
    #expect(label.score("No idea.", expecting: ["answer": "B"])?.isUnusable == true)
    let number = ScoringFixture(
      "- {number: {expected: total, tolerance: 0}, extract: [{after: 'A:'}, number]}"
    )
    #expect(number.score("A: 1,234", expecting: ["total": 1234])?.outcome == .passed)
    let flag = ScoringFixture("- {type: flags, when: non-empty, extract: {json-path: warning}}")
    #expect(
      flag.score(#"{"warning":"rude"}"#, expecting: ["flagged": false])?.explanation
        == #"expected nothing to be flagged, but the extracted part is "rude""#
    )
    let nested = ScoringFixture("- {type: flags, path: w, when: non-empty, extract: code-fence}")
    #expect(
      nested.score("```json\n{\"w\":\"rude\"}\n```", expecting: ["flagged": true])?.outcome
        == .passed
    )
    let exact = ScoringFixture("- {exact: order, extract: [{json-path: n}, number]}")
    #expect(exact.score(#"{"n":"48213 "}"#, expecting: ["order": 48213])?.outcome == .passed)
  }

  @Test("The digest of a scorer includes its extraction, and is unchanged without one")
  func digest() {
    let digests = [
      "- contains: x", "- {contains: x, extract: trim}", "- {contains: x, extract: lower}",
    ]
    .map { ScoringFixture($0).scorers.first?.digest }
    #expect(Set(digests).count == 3)
    #expect(
      digests[0]
        == BoundScorer(
          name: "contains",
          type: "contains",
          scorer: ScoringFixture("- contains: x").scorers[0].scorer,
          arguments: "x"
        ).digest
    )
  }

  @Test("All invalid steps are reported at once, at their positions and with fixes")
  func faults() {
    #expect(
      ScoringFixture(
        """
        - contains: x
          extract: [trimm, {number: 2}, {regex: "("}, {line: 0}, {after: 3}]
        - {contains: x, extract: []}
        - {contains: x, extract: {regex: {pattern: a, group: 1}}}
        - {contains: x, extract: {trim: true}}
        - assert-set: {assert: [{contains: x, extract: trim}]}
        - flags: {path: a, when: non-empty, extract: trim}
        """
      ).saidWithoutLines == """
        suite.yaml:2:13: error: unknown step 'trimm' of 'extract'
          fix: did you mean 'trim'?
        suite.yaml:2:29: error: the argument of the step 'number' must be one of these words: only, first, last
          fix: write 'number', 'number: first' or 'number: last'
        suite.yaml:2:41: error: not a regular expression: missing closing parenthesis
          fix: correct it near character 2
        suite.yaml:2:54: error: the step 'line' takes 'first', 'last' or a number
          fix: write 'line: last', 'line: 2', or 'line: -2' to count from the end
        suite.yaml:2:66: error: the step 'after' needs a text
          fix: write 'after: …'
        suite.yaml:3:26: error: 'extract' needs at least one step
          fix: write, for example, 'extract: [code-fence, {json-path: answer}]'
        suite.yaml:4:34: error: the pattern has no group 1
          fix: put the part that you want in parentheses
        suite.yaml:5:33: error: the step 'trim' takes no argument
          fix: write '- trim'
        suite.yaml:6:48: error: 'extract' must be next to 'assert-set', because it applies to the whole set
          fix: move it there
        suite.yaml:7:37: error: 'extract' must be next to 'flags', not among its arguments
          fix: move it to a separate line below '- flags: …'

        """
    )
  }

  @Test("On hostile texts, no step hangs or crashes", arguments: 0..<40)
  func hostile(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let pieces = [
      "```", "\n", "-", "1", ",", ".", "e", "(", "A", "\u{0}", "🙂", "{", "\"", "é", " ",
    ]
    let text = (0..<400).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
      .joined()
    for steps in [
      "code-fence: last", "number: last", "regex: {pattern: '(\\w*)', last: true}", "line: -3",
      "[lower, {after: {text: a, last: true}}, trim, {json-path: '$[*]'}]",
    ] {
      #expect(!extracted(steps, text).isEmpty)
    }
  }
}
