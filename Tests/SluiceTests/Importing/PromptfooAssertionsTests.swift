@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Assertions of promptfoo")
struct PromptfooAssertionsTests {
  @Test(
    "Assertions with the same meaning are imported",
    arguments: [
      ("- {type: contains, value: a}", #"[{"contains":"a"}]"#),
      ("- {type: contains, value: 42}", #"[{"contains":"42"}]"#),
      ("- {type: not-icontains, value: a}", #"[{"not-icontains":"a"}]"#),
      ("- {type: contains-any, value: 'a, \"b, c\", d'}", #"[{"contains-any":["a","b, c","d"]}]"#),
      ("- {type: contains-all, value: [a, 1]}", #"[{"contains-all":["a","1"]}]"#),
      ("- {type: equals, value: 42}", #"[{"equals":"42"}]"#),
      ("- {type: equals, value: {a: [1]}}", #"[{"equals":{"a":[1]}}]"#),
      ("- {type: equals, value: ''}", #"[{"equals":""}]"#),
      ("- {type: starts-with, value: Dear}", #"[{"starts-with":"Dear"}]"#),
      ("- {type: regex, value: '^\\d+$'}", #"[{"regex":"^[0-9]+\\z"}]"#),
      ("- {type: is-json}", #"["is-json"]"#),
      ("- {type: is-json, value: {type: object}}", #"[{"is-json":{"type":"object"}}]"#),
      ("- {type: is-json, value: 'required: [a]'}", #"[{"is-json":{"required":["a"]}}]"#),
      ("- {type: levenshtein, value: abc}", #"[{"levenshtein":{"value":"abc","threshold":5}}]"#),
      (
        "- {type: levenshtein, value: abc, threshold: 2}",
        #"[{"levenshtein":{"value":"abc","threshold":2}}]"#
      ),
      ("- {type: word-count, value: {min: 2, max: 5}}", #"[{"word-count":{"min":2,"max":5}}]"#),
      ("- {type: latency, threshold: 500}", #"[{"latency":500}]"#),
      ("- {type: cost, threshold: 0.01}", #"[{"cost":0.01}]"#),
      ("- {type: finish-reason, value: stop}", #"[{"finish-reason":"stop"}]"#),
      ("- {type: javascript, value: output.length < 9}", #"[{"expression":"len(text) < 9"}]"#),
      (
        "- {type: not-javascript, value: output.length < 9}",
        #"[{"not-expression":"len(text) < 9"}]"#
      ),
      (
        "- {type: javascript, value: \"JSON.parse(output).a !== 'b'\"}",
        #"["is-json",{"expression":"answer.a != \"b\""}]"#
      ),
      ("- {type: contains, value: '{{q}}!'}", #"[{"contains":"{{q}}!"}]"#),
      ("- {type: regex, value: '^{{q}}'}", #"[{"regex":"^Hi"}]"#),
      ("- {type: contains, value: a, metric: Tone}", #"[{"contains":"a","name":"tone"}]"#),
      (
        "- {type: contains, value: a, transform: output.trim()}",
        #"[{"contains":"a","extract":"trim"}]"#
      ),
      (
        "- {type: equals, value: a, transform: JSON.parse(output).b}",
        #"[{"equals":"a","extract":{"json-path":"$.b"}}]"#
      ),
      (
        "- {type: contains, value: a, weight: 2}\n- {type: contains, value: b}",
        #"[{"assert-set":{"assert":[{"contains":"a","weight":2},{"contains":"b"}]}}]"#
      ),
      (
        "- {type: contains, value: a, weight: 0}\n- {type: contains, value: b}",
        #"[{"assert-set":{"assert":[{"contains":"a","weight":0},{"contains":"b"}]}}]"#
      ),
      (
        "- type: assert-set\n  threshold: 0.5\n  assert: [{type: contains, value: a}, {type: equals, value: b}]",
        #"[{"assert-set":{"assert":[{"contains":"a"},{"equals":"b"}],"threshold":0.5}}]"#
      ),
    ]
  )
  func same(_ assertions: String, _ written: String) throws {
    let fixture = try ImportFixture(assertions: assertions)
    #expect(try JSONValue.array(fixture.assertions) == JSONReader.value(written))
    #expect(fixture.imported.report.isWhole)
    fixture.expectLoads()
  }

  @Test(
    "Assertions with a different meaning, or in code, are left out and reported with a fix",
    arguments: [
      ("- {type: similar, value: a}", "similar: it compares embeddings"),
      (
        "- {type: rouge-n, value: a}",
        "rouge-n: promptfoo counts words with another tokenizer"
      ),
      ("- {type: bleu, value: a}", "bleu: promptfoo uses another smoothing and another tokenizer"),
      ("- {type: contains-json}", "contains-json: promptfoo accepts YAML and JSON5 as JSON"),
      ("- {type: is-refusal}", "is-refusal: promptfoo searches for fixed phrases"),
      ("- {type: 'similar:dot', value: a}", "similar:dot: it compares embeddings"),
      (
        "- {type: min-length, value: 3}",
        "min-length: promptfoo has no assertion of this type, so it always fails there"
      ),
      ("- {type: javascript, value: 'file://a.js'}", "javascript: file://a.js is a program"),
      (
        "- {type: javascript, value: process.exit()}",
        "javascript: '.exit(…)' has no counterpart in expressions"
      ),
      ("- {type: contains, value: ''}", "contains: promptfoo rejects an empty value"),
      ("- {type: contains}", "contains: it has no value, so it always fails in promptfoo"),
      ("- {type: latency}", "latency: it has no threshold, so it always fails in promptfoo"),
      ("- {type: regex, value: '(?i)a'}", "regex: the pattern has '(?i', which JavaScript rejects"),
      (
        "- {type: regex, value: '('}",
        "regex: the pattern cannot be read: missing closing parenthesis"
      ),
      (
        "- {type: contains, value: '{{q | upper}}'}",
        "contains: its value contains {{q | upper}}: a filter"
      ),
      ("- {type: is-json, value: {frobnicate: 1}}", "is-json: unknown keyword 'frobnicate'"),
      (
        "- {type: contains, value: a, transform: f(output)}",
        "contains: it judges an output that 'transform' has changed"
      ),
      (
        "- {type: llm-rubric, value: a, rubricPrompt: b}",
        "llm-rubric: it has a custom prompt for the judge"
      ),
      (
        "- {type: contains, value: a, frob: 1}",
        "contains: the key 'frob' has no counterpart"
      ),
      ("- {value: a}", "an assertion without a type"),
    ]
  )
  func leftOut(_ assertions: String, _ reason: String) throws {
    let fixture = try ImportFixture(assertions: assertions)
    #expect(try fixture.assertions == [])
    #expect(!fixture.imported.report.isWhole)
    let isNamed = fixture.findings.contains {
      $0.hasPrefix("promptfooconfig.yaml:6:") && $0.contains(": left out: \(reason)")
    }
    #expect(isNamed, "\(fixture.findings)")
    #expect(try fixture.cases.contains("# left out: "))
    fixture.expectLoads()
  }

  @Test("Thresholds and weights are imported or reported")
  func thresholds() throws {
    let fixture = try ImportFixture(
      """
      prompts: ["{{q}}"]
      providers: [openai:chat:gpt-4o-mini]
      tests:
        - vars: {q: a}
          threshold: 0.5
          assert: [{type: contains, value: a}, {type: contains, value: b}]
        - vars: {q: b}
          threshold: 0.5
          assert: [{type: contains, value: a}, {type: similar, value: b}]
      """
    )
    #expect(
      try fixture.cases.contains(
        "  - assert-set:\n        assert: [{contains: a}, {contains: b}]\n        threshold: 0.5\n"
      )
    )
    #expect(
      fixture.findings.contains {
        $0.hasPrefix(
          "promptfooconfig.yaml:7:5: left out: the threshold of the test: its mean includes"
        )
      }
    )
    #expect(
      try fixture.cases.contains(
        "# left out, because the test's weights or threshold could not be imported: {contains: a}"
      )
    )
    fixture.expectLoads()
  }

  @Test(
    "Rubrics become an advisory judge of the suite, or of a case if only it has the rubric"
  )
  func rubrics() throws {
    let fixture = try ImportFixture(
      """
      prompts: ["{{q}}"]
      providers: [openai:chat:gpt-4o-mini]
      defaultTest:
        assert: [{type: llm-rubric, value: is polite}]
        options: {provider: "openai:gpt-4.1"}
      tests:
        - vars: {q: a}
          assert: [{type: llm-rubric, value: "answers {{q}}"}]
        - vars: {q: b}
          assert: [{type: llm-rubric, value: is short, threshold: 0.8}]
      """
    )
    #expect(fixture.imported.report.isWhole)
    #expect(
      try fixture.suite == """
        # Imported from promptfooconfig.yaml.
        suite: replies
        prompt: prompt-1.yaml
        dataset: replies
        backend: gpt-4o-mini
        scorers:
          - llm-rubric:
              backend: judge
              prompt: judge.yaml
              scale: [0, 1]
              at-least: 1
              rubric: is polite
            name: rubric
          - llm-rubric:
              backend: judge
              prompt: judge-case-rubric.yaml
              scale: [0, 1]
              at-least: 1
            name: case-rubric
            applies-to: {expected: case-rubric}
          - llm-rubric:
              backend: judge
              prompt: judge-case-rubric-2.yaml
              scale: [0, 1]
              step: 0.01
              at-least: 0.8
            name: case-rubric-2
            applies-to: {expected: case-rubric-2}
        goals:
          - rubric.pass-rate >= 100%
          - case-rubric.pass-rate >= 100%
          - case-rubric-2.pass-rate >= 100%

        """
    )
    #expect(try fixture.cases.contains("expected: {case-rubric: answers a}"))
    #expect(try fixture.cases.contains("expected: {case-rubric-2: is short}"))
    #expect(fixture.backends.contains("judge:\n    type: openai\n    model: gpt-4.1\n"))
    fixture.expectLoads()
  }

  @Test("Shared assertions become the suite's scorers, or each case's if they depend on variables")
  func shared() throws {
    let fixture = try ImportFixture(
      """
      prompts: ["{{q}}"]
      providers: [openai:chat:gpt-4o-mini]
      defaultTest:
        assert:
          - {type: not-contains, value: As an AI}
          - {type: contains, value: "{{q}}"}
          - {type: javascript, value: "output.includes('{{q}}')"}
      tests: [{vars: {q: a}}, {vars: {q: b}}]
      """
    )
    #expect(
      try fixture.suite.contains(
        """
        scorers: [{not-contains: As an AI}, {contains: "{{q}}"}]

        """
      )
    )
    #expect(try fixture.cases.contains("assert: [{expression: \"\\\"a\\\" in text\"}]"))
    #expect(try fixture.cases.contains("assert: [{expression: \"\\\"b\\\" in text\"}]"))
    fixture.expectLoads()
  }
}
