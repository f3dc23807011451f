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
      ("after: 'A:'", "Q: 1 A: 1,234", #"" 1,234""#),
      ("after: {text: 'A:', last: true}", "A: 1 A: 2", #"" 2""#),
      ("after: é", "e\u{301}é!", #""!""#),
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
      ("code-fence", "Here: ```json\n{\"a\":1}\n```", #""{\"a\":1}""#),
      ("code-fence", "```json\n{\"a\":1}```", #""{\"a\":1}""#),
      ("code-fence", "```json {\"a\":1} ```", #""{\"a\":1}""#),
      ("code-fence", "```{\"a\":1}```", #""{\"a\":1}""#),
      ("code-fence", "```json{\"a\":1}```", #""{\"a\":1}""#),
      ("code-fence", "The label is ```spam ham```, I think.", #""spam ham""#),
      ("code-fence", "```json {\"a\":1,\n\"b\":2}\n```", #""{\"a\":1,\n\"b\":2}""#),
      ("code-fence", "```{\n\"a\":1\n}\n```", #""{\n\"a\":1\n}""#),
      ("code-fence", "```{r}\nx\n```", #""x""#), ("code-fence", "``` {.json #a}\nx\n```", #""x""#),
      ("code-fence", "```json title=\"a\"\nx\n```", #""x""#),
      ("code-fence", "- ```json\n  {\n    \"a\":1}\n  ```\n- b", #""{\n  \"a\":1}""#),
      ("code-fence", "1. ```\n   x\n   ```", #""x""#),
      ("code-fence", "> ```json\n> {\n>   1}\n> ```\nDone.", #""{\n  1}""#),
      ("code-fence", "> > ```\n> > x\n> > ```", #""x""#),
      ("code-fence", "   ```\n   x\n```", #""x""#),
      ("code-fence", "~~~json\nx\n~~~", #""x""#),
      ("code-fence", "````\n```\nx\n```\n````", #""```\nx\n```""#),
      ("code-fence", "~~~\n```\nx\n```\n~~~", #""```\nx\n```""#),
      ("code-fence", "```\nx\n`````", #""x""#),
      ("code-fence", "\u{FEFF}```json\n{\"a\":1}\n```", #""{\"a\":1}""#),
      ("code-fence", "```json\r\n{\r\n}\r\n```\r\n", #""{\n}""#),
      ("code-fence", "```json\n{\"a\":1", #""{\"a\":1""#), ("code-fence", "See ```", #""See ```""#),
      ("code-fence", "okay~~~\n{}", #""okay~~~\n{}""#),
      ("code-fence", "Use ``` to open\none.", #""Use ``` to open\none.""#),
      ("code-fence", "```md\nuse ```x```\n```y``` too\n```", #""use ```x```\n```y``` too""#),
      ("code-fence", "```\n{\"a\": \"b ``` c\"}\n```", #""{\"a\": \"b ``` c\"}""#),
      ("code-fence", "```json\n{}\n``` Done.", #""{}""#),
      ("code-fence", "```a\u{2028}b```", "\"a\u{2028}b\""),
      ("code-fence: last", "A ```x``` and ```y```", #""y""#),
      ("code-fence", "```md\n```json\n{}\n```\n```", #""```json\n{}""#),
      // The fences inside a block are a part of it.
      (
        "code-fence", "```js\n/**\n * ```\n * foo()\n * ```\n */\neval(x)\n```",
        #""/**\n * ```\n * foo()\n * ```\n */\neval(x)""#
      ),
      (
        "code-fence", "```rust\n/// ```\n/// x\n/// ```\nfn f() {}\n```",
        #""/// ```\n/// x\n/// ```\nfn f() {}""#
      ),
      ("code-fence", "```sql\n-- ```\nselect 1\n```", #""-- ```\nselect 1""#),
      ("code-fence", "```sh\ncat <<E\nUse ```\nE\nrm x\n```", #""cat <<E\nUse ```\nE\nrm x""#),
      ("code-fence", "```diff\n- ```\n+ xyz\n```", #""- ```\n+ xyz""#),
      ("code-fence", "```email\n> ```\n> x\n> ```\ny\n```", #""> ```\n> x\n> ```\ny""#),
      ("code-fence", "```text\n1. ```\nxyz\n```", #""1. ```\nxyz""#),
      (
        "code-fence", "```py\ndef f():\n    ```\n    x\n    ```\n```",
        #""def f():\n    ```\n    x\n    ```""#
      ),
      ("code-fence", "```js\n// ```\nx }```", #""// ```\nx }""#),
      ("code-fence", "```json\n{\"a\":1}```\nand\n```json\n{\"b\":2}\n```", #""{\"a\":1}""#),
      ("code-fence: last", "```json\n{\"a\":1}```\nand\n```json\n{\"b\":2}```", #""{\"b\":2}""#),
      ("code-fence", "```json\n{}\n``` Done.\n```\nx\n```", #""{}""#),
      // A block counts more than a fence in a sentence, and JSON has no fences.
      ("code-fence", "I open with ``` and close with ```:\n```json\n{}\n```", #""{}""#),
      ("code-fence", "I write it in ```\n```json\n{}\n```", #""{}""#),
      ("code-fence", "The field ```a``` is set.\n```json\n{}\n```", #""{}""#),
      ("code-fence: last", "```json\n{}\n```\nThe field ```a``` is set.", #""{}""#),
      ("code-fence", "~~~old~~~ new xyz", #""~~~old~~~ new xyz""#),
      ("code-fence", "~~~x~~~", #""x""#),
      ("[code-fence, {json-path: a}]", #"{"md": "```js\nx\n```", "a": 1}"#, "1"),
      ("[code-fence, {json-path: a}]", "{\n  \"md\": \"```js\\nx\\n```\",\n  \"a\": 1\n}", "1"),
      ("[{code-fence: last}, {json-path: a}]", #"{"a":1,"md":"see ```js x``` ok"}"#, "1"),
      ("json-path: '$.a[*]'", #"{"a":[]}"#, "[]"),
      ("json-path: '$.a[*].b[*]'", #"{"a":[{"b":[]}]}"#, "[]"),
      ("json-path: a", #"{"a":""}"#, #""""#), ("[{json-path: a}, trim]", #"{"a":""}"#, #""""#),
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
      ("code-fence", "```json\n```", "'extract': nothing is left of \"```json\\n```\""),
      ("code-fence", "``` ```", "'extract': nothing is left of \"``` ```\""),
      ("code-fence", "```\n \n\t\n```", "'extract': nothing is left of \"```\\n \\n\t\\n```\""),
      ("code-fence", "```json", "'extract': nothing is left of \"```json\""),
      (#"regex: {pattern: "y*", last: true}"#, "axé", "'extract': nothing is left of \"axé\""),
      ("after: {text: aa, last: true}", "aaa", "'extract': nothing is left of \"aaa\""),
      ("after: 'A:'", "A: \u{200B}", "'extract': nothing is left of \"A: \u{200B}\""),
      ("json-path: '$.a[*].b'", #"{"a":[{}]}"#, "'extract': there is no value at '$.a[*].b'"),
      ("json-path: '$.a[*]'", "{}", "'extract': there is no value at '$.a[*]'"),
      ("json-path: '$.a[*]'", #"{"a":5}"#, "'extract': there is no value at '$.a[*]'"),
      (
        "number: first", "1,5 or 3",
        "'extract': \"1,5\" could be read in two ways, not as one plain number in \"1,5 or 3\""
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

  @Test("Thousands of blocks without proper ends take no quadratic time", .timeLimit(.minutes(1)))
  func manyBlocks() {
    let blocks = CodeFence.blocks(in: String(repeating: "```a\nb}```\n", count: 5_000))
    #expect(blocks.count == 5_000)
    #expect(Set(blocks) == ["b}"])
  }

  @Test(
    "Numbers are read whole, in the forms that people write; ? marks an unclear one",
    arguments: [
      ("1,234", "1234"), ("-1,234.50", "-1234.50"), ("\u{2212}3", "-3"), ("+3", "3"), ("12%", "12"),
      (".5", "0.5"), ("1e3", "1e3"), ("1.5E-2", "1.5e-2"), ("$5", "5"), ("-$5", "-5"),
      ("$-5", "-5"),
      ("1'000'000", "1000000"), ("1\u{202F}000", "1000"), ("3-5", "3 5"), ("3–5", "3 5"),
      ("A4", ""),
      ("5kg", "5"), ("", ""), ("-", ""), ("1.", "1"), ("(7)", "7"), ("x=-2", "-2"), ("007", "7"),
      ("9007199254740993", "9007199254740993"), ("3 of 5", "3 5"), ("x-5", "5"),
      ("- 5 apples", "5"),
      // Other signs, marks and scripts.
      ("–42", "-42"), ("‒42", "-42"), ("\u{2011}42", "-42"), ("is –42.", "-42"),
      ("9{,}500", "9500"),
      (#"1\,234"#, "1234"), (#"\boxed{42}"#, "42"), ("1.234.567", "1234567"),
      ("1.234,56", "1234.56"),
      ("1\u{A0}234,50", "1234.50"), ("1’234.5", "1234.5"), ("1_000", "1000"),
      ("1_000_000", "1000000"),
      ("3½", "3.5"), ("3 ½", "3.5"), ("½", "0.5"), ("-2¼", "-2.25"), ("٤٢", "42"), ("４２", "42"),
      ("１，２３４", "1234"), ("答案是42元", "42"), ("3月5日", "3 5"), ("٣٫٥", "3.5"),
      ("$1.2M", "1.2e6"), ("€12k", "12e3"), ("3 million", "3e6"), ("2.5 thousand", "2.5e3"),
      ("5m", "5"),
      ("2 T-shirts", "2"), ("1..5", "1 5"), ("... 5", "5"), ("...5", "5"), ("a cost ($5)", "5"),
      ("1st", "1"),
      ("50 %", "50"), ("5, 6", "5 6"), ("v1.2.3", ""), ("foo.5", ""), ("10-20%", "10 20"),
      ("±", ""),
      // Never a part of a number.
      ("1,23", "?"), ("1,5", "?"), ("1,2345", "?"), ("1234,567", "?"), ("0,500", "?"),
      ("1,23,456", "?"),
      ("1.2.3", "?"), ("192.168.100.200", "?"), ("1_00", "?"), ("3{,}14", "?"), ("1 234", "?"),
      ("12 500 euros", "?"), ("1 234 567", "?"), ("1~234", "?"), ("5~10", "5 10"), ("10:30", "?"),
      ("10:30:15", "?"), ("2/3", "?"),
      ("11/29/2026", "?"), ("2026-11-29", "?"), ("555–123–4567", "?"), ("29.11.2026", "?"),
      ("0x2A", "?"), ("0xFF", "?"), ("0b101", "?"), ("12k", "?"), ("5M", "?"), ("7B", "?"),
      ("$3 M", "?"),
      ("3 billion", "?"), ("5 Mio", "?"), ("12万", "?"), ("3 1/2", "?"), ("⅓", "?"), ("3⅓", "?"),
      ("5²", "?"), ("10^6", "?"), ("10^{6}", "?"), ("10⁶", "?"), ("1.5×10^3", "?"),
      ("1.5 × 10³", "?"),
      (#"1.5 \times 10^{3}"#, "?"), ("x^2", "?"), ("x^{12}", "?"), (#"\frac{1}{2}"#, "? ?"),
      ("√2", "?"),
      (#"\sqrt{2}"#, "?"), ("±5", "?"), ("—42", "?"), ("−\u{20}5", "?"), ("($5)", "?"),
      (" ($1,234.50) ", "?"),
      ("12h30", "?"), ("5'11", "?"), ("5e3.2", "?"), ("3D2", "?"),
      // Marks of units, and other forms of scales and signs.
      (#"90^\circ"#, "90"), (#"90^{\circ}"#, "90"), (#"$\boxed{45^\circ}$"#, "45"), ("42^*", "42"),
      ("3\u{A0}million", "3e6"), ("1e\u{2212}5", "1e-5"), ("5%-10%", "5 10"),
      ("$5M-$6M", "5e6 6e6"),
      ("5 mm", "5"), ("5 m", "5"), ("2 K-pop songs", "2"), ("> - 5 apples", "5"),
      ("$5M/year", "5e6"),
      ("½ million", "?"), ("1½ million", "?"), ("½5", "?"), ("3⁄4", "?"), ("10 ^ 6", "?"),
      ("10 ** 6", "?"),
      ("10**6", "?"), ("**10** 6", "10 6"), ("10<sup>6</sup>", "?"), ("5-1/2", "?"), ("3-½", "?"),
      ("3-million", "?"),
      ("3\nmillion", "?"), ("**3** million", "?"), ("3 **million**", "?"), ("3&nbsp;million", "?"),
      ("3 (million)", "?"), ("3-5 million", "? 5e6"), ("$3 to $5 million", "? 5e6"), ("3 MM", "?"),
      ("$3MM", "?"),
      ("3 K", "?"), ("5 M", "?"), ("5 B", "?"), ("3 crores", "?"), ("3 lakhs", "?"),
      ("3 quadrillion", "?"),
      ("3 тысячи", "?"), ("3 миллиона", "?"), ("1\u{200B}5", "?"), ("1\u{2060}5", "?"),
      ("1\u{AD}234", "?"),
      ("1·5", "?"), (#"2\sqrt{3}"#, "?"), (#"1\frac{1}{2}"#, "?"), (#"3\pi"#, "?"),
      (#"3\pi = 9.42"#, "? 9.42"),
      ("3π", "?"), ("3+4i", "?"), ("x = - 5", "?"), (#"-\boxed{5}"#, "?"), ("-**5**", "?"),
    ]
  )
  func numbers(_ text: String, _ numbers: String) {
    #expect(WrittenNumber.all(in: text).map { $0.json ?? "?" }.joined(separator: " ") == numbers)
  }

  @Test(
    "A blank or null part is unusable for checks of texts, also with 'not-'",
    arguments: [
      "contains: x", "equals: x", "regex: x", "word-count: 3", "levenshtein: x",
    ]
  )
  func emptyParts(_ check: String) {
    for (answer, reason) in [
      (#"{"a": ""}"#, "is empty"), (#"{"a": " \u200b"}"#, "is empty"), (#"{"a": null}"#, "is null"),
    ] {
      for negation in ["", "not-"] {
        let score = ScoringFixture("- \(negation)\(check)\n  extract: {json-path: a}").score(answer)
        #expect(score?.isUnusable == true)
        #expect(score?.explanation == "the extracted part \(reason)")
      }
    }
  }

  @Test("An empty or null part is usable where it is the expected value")
  func expectedEmptyParts() {
    let empty = ScoringFixture("- {equals: \"\", extract: {json-path: a}}")
    #expect(empty.score(#"{"a": ""}"#)?.outcome == .passed)
    let null = ScoringFixture("- {exact: a, extract: {json-path: a}}")
    #expect(null.score(#"{"a": null}"#, expecting: ["a": nil])?.outcome == .passed)
    let flags = ScoringFixture("- {type: flags, when: non-empty, extract: {json-path: a}}")
    #expect(flags.score(#"{"a": ""}"#, expecting: ["flagged": false])?.outcome == .passed)
  }

  @Test(
    "A missing value is unusable for a negated check of JSON, and for a negated set",
    arguments: [
      "not-json-path: {path: a, equals: 1}", "not-json-path: {path: a, expected: a}",
      "not-assert-set: {assert: [expression: answer.a > 1]}",
    ]
  )
  func missing(_ check: String) {
    for answer in ["{}", "no JSON", "[1]"] {
      let score = ScoringFixture("- \(check)").score(answer, expecting: ["a": 1])
      #expect(score?.outcome == .failed)
      #expect(score?.isUnusable == true)
    }
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
