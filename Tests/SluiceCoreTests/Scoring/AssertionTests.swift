import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Assertions")
struct AssertionTests {
  /// An assertion in YAML, an answer, and the expected result.
  struct Row: Sendable, CustomStringConvertible {
    var assertion: String
    var text: String
    var holds: Bool

    var description: String { "\(assertion) of \(text.debugDescription)" }

    init(_ assertion: String, _ text: String, _ holds: Bool) {
      (self.assertion, self.text, self.holds) = (assertion, text, holds)
    }
  }

  private static let table = [
    Row("equals: Yes.", "Yes.", true), Row("equals: Yes.", "yes.", false),
    Row("equals: Yes.", "Yes.\n", false), Row("equals: ''", "", true),
    Row("equals: ''", " ", false), Row("equals: 'true'", "true", true),
    Row(#"equals: "caf\u00e9""#, "caf\u{e9}", true),
    Row(#"equals: "caf\u00e9""#, "cafe\u{301}", false),
    Row("equals: true", "true", true), Row("equals: true", " true\n", true),
    Row("equals: true", "\"true\"", false), Row("equals: 42", "42.0", true),
    Row("equals: 42", "42 ", true), Row("equals: 42", "forty-two", false),
    Row("equals: {a: [1], b: c}", #"{"b":"c", "a":[1.0]}"#, true),
    Row("equals: {a: [1], b: c}", #"{"a":[1]}"#, false), Row("equals: [1, 2]", "[2,1]", false),
    Row("equals: [1]", "```json\n[1]\n```", false), Row("equals: {}", "", false),

    Row("contains: bug", "Which bug?", true), Row("contains: bug", "Which Bug?", false),
    Row("contains: bug", "debugging", true), Row("contains: bug", "", false),
    Row("contains: bug", "b\u{200B}ug", false), Row("contains: \"\\n\"", "a\nb", true),
    Row(#"contains: "\u00e9""#, "e\u{301}", false), Row("contains: e", "e\u{301}", true),

    Row("icontains: BUG", "Which bug?", true), Row("icontains: bug", "WHICH BUG?", true),
    Row("icontains: Ärger", "ÄRGER!", true), Row("icontains: ǅ", "ǆ", true),
    Row("icontains: straße", "STRASSE", false), Row("icontains: bug", "bag", false),
    Row("icontains: İ", "i\u{307}", true), Row("icontains: bug", "", false),

    Row("contains-any: [bug, build]", "the build", true),
    Row("contains-any: [bug, build]", "the tests", false),
    Row("contains-any: [bug]", "", false), Row("contains-any: [bug, bug]", "bug", true),

    Row("contains-all: [bug, build]", "a bug in the build", true),
    Row("contains-all: [bug, build]", "a bug", false), Row("contains-all: [bug]", "", false),
    Row("contains-all: [ab, ba]", "aba", true),

    Row("starts-with: Sure", "Sure, I can.", true), Row("starts-with: Sure", "sure", false),
    Row("starts-with: Sure", " Sure", false), Row("starts-with: Sure", "Sur", false),
    Row("starts-with: Sure", "", false), Row("starts-with: e", "e\u{301}", true),

    Row(#"regex: '^\d{4}-\d\d$'"#, "2026-11", true), Row(#"regex: '^\d{4}-\d\d$'"#, "26-11", false),
    Row("regex: '(?i)BUG'", "a bug", true), Row("regex: bug", "a Bug", false),
    Row("regex: '^$'", "", true), Row("regex: '.'", "", false), Row("regex: '^.$'", "🙂", true),

    Row("ends-with: can.", "Sure, I can.", true), Row("ends-with: can.", "can", false),
    Row("ends-with: can.", "can.\n", false), Row("ends-with: can.", "", false),
    Row(#"ends-with: "\u0301""#, "e\u{301}", true),

    Row("icontains-any: [BUG, build]", "the Build", true),
    Row("icontains-any: [bug]", "bag", false),
    Row("icontains-all: [BUG, build]", "a bug in the BUILD", true),
    Row("icontains-all: [bug, build]", "a bug", false),
    Row("contains-any: bug, build", "the build", true),
    Row("contains-all: bug, build", "the build", false),

    Row("is-json: {type: object, required: [a]}", #"{"a":1}"#, true),
    Row("is-json: {type: object, required: [a]}", "{}", false),
    Row("is-json: {type: object}", "text", false), Row("is-json: false", "{}", false),

    Row("contains-json", "so: {\"a\": [1]}.", true), Row("contains-json", "[1]", true),
    Row("contains-json", "```json\n{}\n```", true), Row("contains-json", "{a}", false),
    Row("contains-json", "7", false), Row("contains-json", "", false),
    Row("contains-json", "{[1]", true), Row("contains-json", "[[[", false),
    Row("contains-json: {required: [a]}", "{} and {\"a\":1}", true),
    Row("contains-json: {required: [a]}", "{} and {\"b\":1}", false),
    Row("contains-json: {required: [a]}", "{\"b\":{\"a\":1}}", false),

    Row("word-count: 3", "one two  three\n", true), Row("word-count: 3", "one", false),
    Row("word-count: 0", "", true), Row("word-count: {max: 2}", "one-two three", true),
    Row("word-count: {min: 2}", "one\u{3000}two", true),
    Row("word-count: {min: 2, max: 3}", "a b c d", false),

    Row("json-path: {path: $.a.b}", #"{"a":{"b":null}}"#, true),
    Row("json-path: {path: a.b}", #"{"a":{}}"#, false),
    Row("json-path: {path: a.b, exists: false}", #"{"a":{}}"#, true),
    Row("json-path: {path: a.0, equals: x}", #"{"a":["x"]}"#, true),
    Row("json-path: {path: 'a[0]', equals: x}", #"{"a":["y"]}"#, false),
    Row("json-path: {path: 'a[-1]', equals: 2}", #"{"a":[1,2.0]}"#, true),
    Row("json-path: {path: a, equals: null}", #"{"a":null}"#, true),
    Row("json-path: {path: a, equals: null}", "{}", false),
    Row("json-path: {path: a, equals: {b: [1]}}", #"{"a":{"b":[1]}}"#, true),
    Row("json-path: {path: a, count: 2}", #"{"a":[1,2]}"#, true),
    Row("json-path: {path: a, count: {min: 1}}", #"{"a":[]}"#, false),
    Row("json-path: {path: a, count: 0}", "{}", true),
    Row("json-path: {path: '$[*].n', count: 2}", #"[{"n":1},{},{"n":2}]"#, true),
    Row("json-path: {path: \"$['a b'][0]\"}", #"{"a b":[false]}"#, true),
    Row("json-path: {path: $}", "{}", true), Row("json-path: {path: a}", "text", false),

    Row("is-refusal", "I'm sorry, but I can't help with that.", true),
    Row("is-refusal", "I\u{2019}m unable to provide this.", true),
    Row("is-refusal", "As an AI language model, I cannot do that.", true),
    Row("is-refusal", "Sure, here it is.", false), Row("is-refusal", "", false),
    Row("is-refusal", "I can't wait to help with that!", false),
    Row("is-refusal", String(repeating: "fine ", count: 50) + "I can't help.", false),

    Row("finish-reason: stop", "any", true), Row("finish-reason: length", "any", false),
    Row("finish-reason: [length, stop]", "any", true),
    Row("tool-calls: []", "any", true), Row("tool-calls: [search]", "any", false),

    Row("character-count: 3", "abc", true), Row("character-count: 3", "e\u{301}🙂👨‍👩‍👧", true),
    Row("character-count: {max: 2}", "a\r\nb", false), Row("character-count: 0", "", true),
    Row("character-count: {min: 1}", "", false),

    Row("sentence-count: 2", "One here. Two there!", true),
    Row("sentence-count: 1", "Dr. Smith paid $3.50 to J. Doe at 5 p.m. today.", true),
    Row("sentence-count: 2", "He said \"Stop.\" Then he left.", true),
    Row("sentence-count: 3", "Items:\n- one\n- two", true),
    Row("sentence-count: 2", "1. First step\n2. Second step", true),
    Row("sentence-count: 2", "No end\n\nNew paragraph", true),
    Row("sentence-count: 1", "Wrapped in\ntwo lines.", true),
    Row("sentence-count: 2", "これは本です。そうですか？", true),
    Row("sentence-count: 1", "Wait... what?", true),
    Row("sentence-count: 2", "So am I. Good.", true),
    Row("sentence-count: 0", "", true), Row("sentence-count: 0", "…", true),
    Row("sentence-count: {max: 1}", "a. B. C", false),

    Row("occurrences: {text: ab, exactly: 2}", "abxab", true),
    Row("occurrences: {text: aa, exactly: 2}", "aaaaa", true),
    Row("occurrences: {text: a.b, at-least: 1}", "axb", false),
    Row("occurrences: {text: AB, ignore-case: true, at-least: 1, at-most: 1}", "xab", true),
    Row("occurrences: {text: ab, at-most: 1}", "", true),
    Row("occurrences: {text: ab, at-most: 1}", "ab ab", false),
    Row("occurrences: {pattern: '(?m)^- ', at-least: 2}", "- a\n- b", true),
    Row("occurrences: {pattern: '(?m)^- ', at-least: 2}", "a - b\n- b", false),

    Row("is-xml", "<a><b c='1'/>x &amp; y</a>", true), Row("is-xml", "<a>", false),
    Row("is-xml", "<?xml version=\"1.0\"?>\n<!-- c --><a/>\n", true), Row("is-xml", "", false),
    Row("is-xml", "<a></b>", false), Row("is-xml", "<a/><b/>", false), Row("is-xml", "x", false),
    Row("is-xml", "<a>&nbsp;</a>", false), Row("is-xml", "<a>&#38;&#x26;</a>", true),
    Row("is-xml", "<a>&#0;</a>", false), Row("is-xml", "<a x='1' x='2'/>", false),
    Row("is-xml", "<a x=1/>", false), Row("is-xml", "<a>a < b</a>", false),
    Row("is-xml", "<a><![CDATA[a < b]]></a>", true), Row("is-xml", "<a>]]></a>", false),
    Row("is-xml", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", true),
    Row("is-xml", "<größe>1</größe>", true), Row("is-xml", "<1a/>", false),
    Row("is-xml", "```xml\n<a/>\n```", false), Row("is-xml", "<a><!-- -- --></a>", false),
    Row("is-xml", "<a><?b c?></a>", true), Row("is-xml", "<a><!b></a>", false),
    Row("is-xml", "<a>]x]<!-- a-b --></a>", true), Row("is-xml", "<a><", false),
    Row("is-xml: [order.number, order.item]", "<order><number/><item/></order>", true),
    Row("is-xml: [order.number]", "<order><item><number/></item></order>", false),
    Row("is-xml: order.number, order.item", "<order><number/></order>", false),

    Row("contains-xml", "so: <a>b</a>.", true), Row("contains-xml", "a < b and c > d", false),
    Row("contains-xml", "<br> and <i>x</i>", true), Row("contains-xml", "", false),
    Row("contains-xml: [a.b]", "<a/> and <a><b/></a>", true),
    Row("contains-xml: [a.b]", "<a><c/></a>", false),
    Row("contains-xml", "List<String> x", false),

    Row("is-html", "<p>Hi <b>you</b></p>", true), Row("is-html", "<!doctype html><p>a<p>b", true),
    Row("is-html", "<p>a</p> and text", false), Row("is-html", "Hi", false),
    Row("is-html", "", false), Row("is-html", "<div><p>a</div>", true),
    Row("is-html", "<div>a", false), Row("is-html", "<b><i>a</b></i>", false),
    Row("is-html", "<order>1</order>", false), Row("is-html", "<br/>", true),
    Row("is-html", "<a title='x > y' href=/z>k</a>", true),
    Row("is-html", "<script>if (a < b) { c = \"</p>\"; }</script>", true),
    Row("is-html", "<div><my-box>a</my-box></div>", true),
    Row("is-html", "```html\n<p>a</p>\n```", false),

    Row("contains-html", "Read <b>this</b>.", true), Row("contains-html", "a < b > c", false),
    Row("contains-html", "one<br>two", true), Row("contains-html", "Vec<T> and List<a>", false),
    Row("contains-html", "<order>1</order>", false), Row("contains-html", "", false),

    Row("valid-url", "https://example.org/a?b=c#d", true), Row("valid-url", "example.org", false),
    Row("valid-url", " https://example.org/ä\n", true), Row("valid-url", "ftp://x.y", false),
    Row("valid-url", "https://", false), Row("valid-url", "https:///a", false),
    Row("valid-url", "see https://x.y", false), Row("valid-url", "", false),
    Row("valid-url", "http://[::1]:8080/", true), Row("valid-url", "javascript:alert(1)", false),
    Row("valid-url: [mailto]", "mailto:ana@example.org", true),
    Row("valid-url: [https]", "http://x.y", false),

    Row("valid-date", "2026-11-24", true), Row("valid-date", "2026-02-29", false),
    Row("valid-date", "2024-02-29T09:30:00Z", true), Row("valid-date", "24.11.2026", false),
    Row("valid-date", "", false), Row("valid-date", " 2026-11-24\n", true),
    Row("valid-date: DD.MM.YYYY", "24.11.2026", true),
    Row("valid-date: DD.MM.YYYY", "4.11.2026", false),
    Row("valid-date: D.M.YYYY", "4.1.2026", true),
    Row("valid-date: D.M.YYYY", "04.1.2026", false),
    Row("valid-date: D.M.YYYY", "31.4.2026", false),
    Row("valid-date: ['MMMM D, YYYY', 'D MMM YYYY']", "November 24, 2026", true),
    Row("valid-date: ['MMMM D, YYYY', 'D MMM YYYY']", "24 Nov 2026", true),
    Row("valid-date: ['MMMM D, YYYY', 'D MMM YYYY']", "24 November 2026", false),
    Row("valid-date: 'YYYY-MM-DDTHH:mm'", "2026-11-24T09:30", true),
    Row("valid-date: 'YYYY-MM-DDTHH:mm'", "2026-11-24T24:30", false),

    Row("expression: len(answer) == 2", "[1, 2]", true),
    Row("expression: len(text) <= 3", "e\u{301}🙂", true),
    Row("expression: answer.a in [1, 2]", "{\"a\": 3}", false),
    Row("expression: answer == null", "null", true), Row("expression: text == ''", "", true),

    Row("is-json", "{}", true), Row("is-json", " null ", true), Row("is-json", "\"a\"", true),
    Row("is-json", "", false), Row("is-json", "{'a': 1}", false), Row("is-json", "[1,]", false),
    Row("is-json", "```json\n{}\n```", false), Row("is-json", "{} {}", false),
    Row("is-json", "NaN", false),
  ]

  private func score(_ assertion: String, _ text: String) -> Score? {
    ScoringFixture("- \(assertion)").score(text)
  }

  @Test("An assertion holds if the text meets it", arguments: table)
  func holds(_ row: Row) {
    let score = score(row.assertion, row.text)
    #expect(score?.outcome == (row.holds ? .passed : .failed))
    // A wrong text is a wrong answer, not an unusable one.
    #expect(score?.isUnusable == false)
    #expect(score?.measurements == [:])
  }

  @Test("'not-' negates an assertion for every usable answer", arguments: table)
  func negation(_ row: Row) {
    #expect(score("not-" + row.assertion, row.text)?.outcome == (row.holds ? .failed : .passed))
  }

  @Test("On random texts, an assertion and its negation never agree", arguments: 0..<20)
  func randomNegation(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let alphabet = ["a", "B", "b", "é", "e\u{301}", " ", "\n", "1", "{", "}", "[", "]", "\"", "🙂"]
    func text(_ length: Int) -> String {
      (0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
        .joined()
    }
    // Parsing assertions takes longer than evaluating them, so four answers share each parse.
    for _ in 0..<5 {
      let part = JSONValue.string(text(Int.random(in: 1...2, using: &random))).jsonText
      let other = JSONValue.string(text(1)).jsonText
      let arguments = [
        "assert-set": "{threshold: 0.5, assert: [contains: \(part), equals: \(other)]}",
        "bleu": part, "character-count": "1", "chrf": "{value: \(part), threshold: 0.2}",
        "contains": part,
        "contains-all": "[\(part), \(other)]", "contains-any": "[\(part), \(other)]",
        "contains-html": "", "contains-json": "", "contains-xml": "", "cost": "1",
        "ends-with": part, "equals": part, "exact": "x",
        "expression": "'len(text) < 3'", "finish-reason": "stop", "first-text": "1",
        "icontains": part,
        "icontains-all": "[\(part), \(other)]", "icontains-any": "[\(part), \(other)]",
        "is-html": "", "is-json": "", "is-refusal": "", "is-xml": "", "json-path": "{path: a}",
        "latency": "1",
        "levenshtein": "{value: \(part), threshold: 2}",
        "occurrences": "{text: \(part), at-least: 1}", "regex": "'[ab]\\s?1'",
        "rouge-1": part, "rouge-2": part, "rouge-l": part, "rouge-n": part,
        "sentence-count": "1", "starts-with": part, "tokens": "5", "tool-calls": "[]",
        "valid-date": "", "valid-url": "", "word-count": "1",
      ]
      #expect(arguments.keys.sorted() == AssertionCatalog.types)
      let assertions = arguments.map { $1.isEmpty ? $0 : "\($0): \($1)" }
      let lines = assertions.map { "- \($0)\n- not-\($0)\n" }
      let scorers = ScoringFixture(lines.joined()).scorers
      #expect(scorers.count == 2 * assertions.count)
      for _ in 0..<4 {
        let answer = text(Int.random(in: 0...6, using: &random))
        for (number, assertion) in assertions.enumerated() {
          var response = ModelResponse(
            text: answer,
            usage: TokenUsage(input: 2, output: Int.random(in: 1...6, using: &random)),
            timings: ResponseTimings(firstText: 0.5, total: 2)
          )
          response.toolCalls = []
          let wanted = JSONValue.string(text(1))
          let outcomes = scorers.dropFirst(2 * number).prefix(2).map { bound in
            bound.scorer.score(
              Answer(response, cost: 0.5),
              for: TestCase(id: "case", input: [:], expected: ["x": wanted])
            ).outcome
          }
          #expect(
            outcomes == [.passed, .failed] || outcomes == [.failed, .passed],
            "\(assertion) of \(answer.debugDescription): \(outcomes)"
          )
        }
      }
    }
  }

  @Test(
    "An unusable answer fails every assertion, and also its negation",
    arguments: ScoringUnusableAnswer.always
  )
  func unusable(_ unusable: ScoringUnusableAnswer) {
    for assertion in ["contains: it", "not-contains: xyz", "is-json", "not-is-json", "regex: '.'"] {
      #expect(
        ScoringFixture("- \(assertion)").score(unusable.response)
          == Score(.failed, isUnusable: true, explanation: unusable.reason)
      )
    }
  }

  @Test(
    "The explanation states the expectation and the answer",
    arguments: [
      ("equals: Yes.", "No.", #"expected the answer to equal "Yes.", got "No.""#),
      ("equals: ''", "No.", #"expected the answer to equal nothing, got "No.""#),
      ("equals: {a: [1]}", "[]", #"expected the answer to equal {"a":[1]}, got "[]""#),
      ("contains: bug", "", #"expected the answer to contain "bug", got nothing"#),
      ("contains: bug", "a bug", #"expected the answer to contain "bug": it does"#),
      (
        "not-contains: bug", "a bug",
        #"expected the answer not to contain "bug", found at character 3: "a bug""#
      ),
      (
        #"not-regex: '\d+'"#, "It costs 42 dollars and some more on top.",
        #"expected the answer not to match /\d+/, found at character 10: "It costs 42 dollars and some mo…""#
      ),
      ("not-contains: bug", "fine", #"expected the answer not to contain "bug": it does not"#),
      ("icontains: bug", "-", #"expected the answer to contain "bug" in any letter case, got "-""#),
      ("contains-any: [a, b]", "-", #"expected the answer to contain one of "a", "b", got "-""#),
      ("contains-all: [a, b]", "-", #"expected the answer to contain all of "a", "b", got "-""#),
      ("starts-with: Sure", "-", #"expected the answer to start with "Sure", got "-""#),
      (#"regex: '^\d$'"#, "-", #"expected the answer to match /^\d$/, got "-""#),
      ("is-json", "-", #"expected the answer to be valid JSON, got "-""#),
      ("not-is-json", "{}", #"expected the answer not to be valid JSON, got "{}""#),
      (
        "contains: bug", "one\r\ntwo\u{2028}three",
        #"expected the answer to contain "bug", got "one\r\ntwo\u{2028}three""#
      ),
      (
        "ends-with: bug", "-" + String(repeating: "a", count: 81),
        "expected the answer to end with \"bug\", got \"…\(String(repeating: "a", count: 80))\""
      ),
      (
        "contains-all: [a, b, c]", "b-",
        #"expected the answer to contain all of "a", "b", "c", got "b-" without "a", "c""#
      ),
      (
        "equals: caf\u{e9}", "cafe\u{301}",
        "expected the answer to equal \"caf\u{e9}\", got \"cafe\u{301}\", which differs at "
          + "character 4: expected U+00E9 (latin small letter e with acute), got U+0065 (latin small "
          + "letter e)"
      ),
      (
        "equals: ab", "a\u{200B}b",
        "expected the answer to equal \"ab\", got \"a\u{200B}b\", which differs at character 2: "
          + "expected U+0062 (latin small letter b), got U+200B (zero width space)"
      ),
      (
        "equals: 3-5 kg", "3\u{2011}5 kg",
        "expected the answer to equal \"3-5 kg\", got \"3\u{2011}5 kg\", which differs at character 2: "
          + "expected U+002D (hyphen-minus), got U+2011 (non-breaking hyphen)"
      ),
      (
        "equals: cop", "c\u{43E}p",
        "expected the answer to equal \"cop\", got \"c\u{43E}p\", which differs at character 2: "
          + "expected U+006F (latin small letter o), got U+043E (cyrillic small letter o)"
      ),
      (
        "contains: 12 March", "On 12\u{A0}March.",
        "expected the answer to contain \"12 March\", got \"On 12\u{A0}March.\", with a look-alike at "
          + "character 4, which differs at character 3: expected U+0020 (space), got U+00A0 "
          + "(no-break space)"
      ),
      (
        "icontains: CAF\u{E9}", "Cafe\u{301}",
        "expected the answer to contain \"CAF\u{E9}\" in any letter case, got \"Cafe\u{301}\", with a "
          + "look-alike at character 1, which differs at character 4: expected U+00E9 (latin small "
          + "letter e with acute), got U+0065 (latin small letter e)"
      ),
      (
        "starts-with: ab", "\u{FEFF}ab",
        "expected the answer to start with \"ab\", got \"\u{FEFF}ab\", which differs at character 1: "
          + "expected U+0061 (latin small letter a), got U+FEFF (zero width no-break space)"
      ),
      (
        "ends-with: a-b", "x a\u{2011}b",
        "expected the answer to end with \"a-b\", got \"x a\u{2011}b\", with a look-alike at character "
          + "3, which differs at character 2: expected U+002D (hyphen-minus), got U+2011 "
          + "(non-breaking hyphen)"
      ),
      (
        "equals: {a: don't}", "{\"a\":\"don\u{2019}t\"}",
        "expected the answer to equal {\"a\":\"don't\"}, got \"{\"a\":\"don\u{2019}t\"}\", which differs at "
          + "a: expected \"don't\", got \"don\u{2019}t\", which differs at character 4: expected U+0027 "
          + "(apostrophe), got U+2019 (right single quotation mark)"
      ),
      (
        "equals: {a: [1, {b: 2}]}", #"{"a":[1,{"b":3}]}"#,
        #"expected the answer to equal {"a":[1,{"b":2}]}, got "{"a":[1,{"b":3}]}", "#
          + "which differs at a[1].b: expected 2, got 3"
      ),
      (
        "equals: [1]", "[1,2]",
        #"expected the answer to equal [1], got "[1,2]""#
      ),
      (
        "is-json: {required: [a]}", "{}",
        "expected the answer to be valid JSON that matches the schema: $: missing member 'a'"
      ),
      (
        "contains-json: {required: [a]}", "so {}",
        "expected the answer to contain JSON that matches the schema: the only JSON value in the "
          + "answer violates it at $: missing member 'a'"
      ),
      ("word-count: 3", "a b", "expected the answer to have 3 words: it has 2"),
      ("word-count: {max: 1}", "a b", "expected the answer to have at most 1 word: it has 2"),
      (
        "not-word-count: {min: 2}", "a b",
        "expected the answer not to have at least 2 words: it has 2"
      ),
      (
        "json-path: {path: a, equals: 1}", #"{"a":"1"}"#,
        #"expected the answer to have 1 at 'a': there is "1""#
      ),
      (
        "json-path: {path: a}", "{}",
        "expected the answer to have something at 'a': there is nothing"
      ),
      (
        "json-path: {path: a, count: 2}", #"{"a":[1]}"#,
        "expected the answer to have 2 values at 'a': there is 1"
      ),
      ("is-refusal", "Sure.", #"expected the answer to be a refusal, got "Sure.""#),
      ("not-is-refusal", "Sure.", "expected the answer not to be a refusal: it does not"),
      (
        "finish-reason: length", "-",
        "expected the answer to end with 'length': it ended with 'stop'"
      ),
      (
        "tool-calls: [search]", "-",
        "expected the answer to call only search: it called no function"
      ),
      ("tool-calls: []", "-", "expected the answer to call no function: it called no function"),
    ]
  )
  func explanation(_ assertion: String, _ text: String, _ explanation: String) {
    #expect(score(assertion, text)?.explanation == explanation)
  }

  @Test("The explanation shows only the beginning of a long answer or expectation")
  func longTexts() {
    let long = String(repeating: "🙂", count: 81)
    let cut = String(repeating: "🙂", count: 80) + "…"
    #expect(
      score("contains: \(long)", long.replacing("🙂", with: "☹"))?.explanation
        == "expected the answer to contain \"\(cut)\", "
        + "got \"\(cut.replacing("🙂", with: "☹"))\""
    )
    let whole = String(repeating: "a", count: 80)
    #expect(
      score("not-contains: a", whole)?.explanation
        == "expected the answer not to contain \"a\", found at character 1: "
        + "\"\(String(repeating: "a", count: 21))…\""
    )
  }

  @Test("A pattern that is too expensive leaves the answer unscored, also with 'not-'")
  func tooExpensive() {
    let text = String(repeating: "a", count: 40) + "!"
    for assertion in [#"regex: '^(a|aa)+\1$'"#, #"not-regex: '^(a|aa)+\1$'"#] {
      #expect(
        score(assertion, text)
          == Score(.unscored, explanation: #"it is too expensive to match /^(a|aa)+\1$/"#)
      )
    }
  }

  @Test("A long answer is checked to its end")
  func longAnswer() {
    let text = String(repeating: "aab ", count: 1 << 15)
    let rows = [
      ("contains: aac", "aac"), ("icontains: AAC", "aac"), ("contains-any: [aac, aad]", "aad"),
      ("contains-all: [aac, aad]", "aac aad"), ("regex: 'a{2}c$'", "aac"),
      ("regex: '(a|b)c$'", "ac"),
    ]
    for (assertion, end) in rows {
      let outcomes = [text, text + end].map { score(assertion, $0)?.outcome }
      #expect(outcomes == [.failed, .passed], "\(assertion)")
    }
    #expect(score("equals: \"\(text)\"", text)?.outcome == .passed)
    #expect(score("is-json", "[\"\(text)\"]")?.outcome == .passed)
  }

  // MARK: Arguments

  @Test(
    "An assertion needs a text that is not empty",
    arguments: ["contains", "icontains", "starts-with", "regex", "not-contains", "not-regex"]
  )
  func needsText(_ type: String) {
    let arguments = [
      ("''", "needs a text that is not empty", nil), ("[a]", "must be a text, not a list", nil),
      ("1", "must be a text, not a number", "put it in quotes: \"1\""),
      ("{a: b}", "must be a text, not a mapping", "write '\(type): \"b\"'"),
      ("true", "must be a text, not true or false", "put it in quotes: \"true\""),
    ]
    for (argument, fault, fix) in arguments {
      let caret = String(repeating: " ", count: type.count + 4) + "^"
      #expect(
        ScoringFixture("- \(type): \(argument)").said == """
          suite.yaml:1:\(type.count + 5): error: '\(type)' \(fault)
            1 | - \(type): \(argument)
              | \(caret)
          \(fix.map { "  fix: \($0)\n" } ?? "")
          """
      )
    }
    #expect(
      ScoringFixture("- \(type)").said == """
        suite.yaml:1:3: error: '\(type)' needs a text that is not empty
          1 | - \(type)
            |   ^

        """
    )
  }

  @Test("A list of texts must contain nonempty texts")
  func needsTexts() {
    #expect(
      ScoringFixture("- contains-any: ', '\n- not-contains-all: []").said == """
        suite.yaml:1:17: error: 'contains-any' needs a list of texts
          1 | - contains-any: ', '
            |                 ^
          fix: write 'contains-any: [first, second]'
        suite.yaml:2:21: error: 'not-contains-all' needs a list of texts
          2 | - not-contains-all: []
            |                     ^
          fix: write 'not-contains-all: [first, second]'

        """
    )
    #expect(
      ScoringFixture("- contains-all: [a, '', 1]").said == """
        suite.yaml:1:21: error: 'contains-all' needs nonempty texts
          1 | - contains-all: [a, '', 1]
            |                     ^
        suite.yaml:1:25: error: 'contains-all' needs nonempty texts, not a number
          1 | - contains-all: [a, '', 1]
            |                         ^
          fix: put it in quotes: "1"

        """
    )
  }

  @Test("'equals' needs a value, 'is-json' takes a schema or nothing, and 'is-refusal' nothing")
  func values() {
    #expect(
      ScoringFixture("- equals\n- not-equals: ~\n- is-json: 7\n- is-refusal: true").said == """
        suite.yaml:1:3: error: 'equals' needs the value to compare with
          1 | - equals
            |   ^
          fix: write 'equals: …'
        suite.yaml:2:15: error: 'not-equals' needs the value to compare with
          2 | - not-equals: ~
            |               ^
          fix: write 'not-equals: …'
        suite.yaml:3:12: error: a schema must be a mapping, true or false, not a number
          3 | - is-json: 7
            |            ^
        suite.yaml:4:15: error: 'is-refusal' accepts no arguments
          4 | - is-refusal: true
            |               ^

        """
    )
  }

  @Test("An invalid pattern is an error at the invalid character")
  func pattern() {
    #expect(
      ScoringFixture("- regex: 'é(a'\n- regex: \"[z-a]\"\n- not-regex: '\\C'").said == """
        suite.yaml:1:14: error: not a valid pattern: missing closing parenthesis
          1 | - regex: 'é(a'
            |              ^
        suite.yaml:2:14: error: not a valid pattern: range out of order in character class
          2 | - regex: "[z-a]"
            |              ^
        suite.yaml:3:17: error: not a valid pattern: using \\C is disabled by the application
          3 | - not-regex: '\\C'
            |                 ^

        """
    )
  }
}
