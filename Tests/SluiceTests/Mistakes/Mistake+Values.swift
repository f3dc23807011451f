extension Mistake {
  /// Mistakes in values.
  static let values: [Mistake] = [
    Mistake(
      "A number where a text is expected, in a list",
      [.replace(.cases, "[\"48214\"]", "[48214]")],
      #"""
      datasets/tickets/cases.yaml:11:37: error: a fact must be a text, not a number
        11 |   expected: {kind: problem, order: [48214], flagged: true}
           |                                     ^
        fix: put it in quotes: "48214"

      """#,
      .value
    ),
    Mistake(
      "A number where a list of texts is expected",
      [.replace(.cases, "[\"48213\"]", "48213")],
      #"""
      datasets/tickets/cases.yaml:5:37: error: 'expected.order' must be a list, not a number
        5 |   expected: {kind: question, order: 48213, flagged: false}
          |                                     ^
        fix: write ["48213"]

      """#,
      .value
    ),
    Mistake(
      "A number as a label of a case",
      [.replace(.cases, "kind: question", "kind: 1")],
      #"""
      datasets/tickets/cases.yaml:5:20: error: 'expected.kind' must be a text, not a number
        5 |   expected: {kind: 1, order: ["48213"], flagged: false}
          |                    ^
        fix: put it in quotes: "1"

      """#
    ),
    Mistake(
      "Numbers as labels",
      [
        .replace(.suite, "[question, problem]", "[1, 2]"),
        .replace(.cases, "kind: question", "kind: \"1\""),
        .replace(.cases, "kind: problem, order", "kind: \"2\", order"),
      ],
      #"""
      prompts/tickets/suite.yaml:7:59: error: an entry of 'labels' must be a text, not a number
        7 |   - classification: {path: kind, expected: kind, labels: [1, 2]}
          |                                                           ^
        fix: put them in quotes: ["1", "2"]

      """#,
      .list
    ),
    Mistake(
      "A number in an assertion",
      [.replace(.cases, "    - equals: {kind: problem}\n", "    - contains: 48213\n")],
      #"""
      datasets/tickets/cases.yaml:13:17: error: 'contains' must be a text, not a number
        13 |     - contains: 48213
           |                 ^
        fix: put it in quotes: "48213"

      """#,
      .rest
    ),
    Mistake(
      "Numbers in a list of an assertion",
      [.replace(.cases, "    - equals: {kind: problem}\n", "    - contains-any: [48213, 1]\n")],
      #"""
      datasets/tickets/cases.yaml:13:22: error: 'contains-any' needs nonempty texts, not a number
        13 |     - contains-any: [48213, 1]
           |                      ^
        fix: put them in quotes: ["48213", "1"]

      """#,
      .list
    ),
    Mistake(
      "no in place of false",
      [.replace(.cases, "flagged: false", "flagged: no")],
      #"""
      datasets/tickets/cases.yaml:5:57: error: 'expected.flagged' must be true or false, not a text
        5 |   expected: {kind: question, order: ["48213"], flagged: no}
          |                                                         ^
        fix: write false

      """#,
      .value
    ),
    Mistake(
      "false in quotes",
      [.replace(.cases, "flagged: false", "flagged: \"false\"")],
      #"""
      datasets/tickets/cases.yaml:5:57: error: 'expected.flagged' must be true or false, not a text
        5 |   expected: {kind: question, order: ["48213"], flagged: "false"}
          |                                                         ^
        fix: write false

      """#,
      .value
    ),
    Mistake(
      "1 in place of true",
      [.replace(.cases, "flagged: true", "flagged: 1")],
      #"""
      datasets/tickets/cases.yaml:11:56: error: 'expected.flagged' must be true or false, not a number
        11 |   expected: {kind: problem, order: ["48214"], flagged: 1}
           |                                                        ^
        fix: write true

      """#,
      .value
    ),
    Mistake(
      "A temperature in quotes",
      [.replace(.prompt, "temperature: 0", "temperature: \"0\"")],
      #"""
      prompts/tickets/v1.yaml:4:27: error: 'temperature' must be a number, not a text
        4 | parameters: {temperature: "0", max-tokens: 100}
          |                           ^
        fix: write 0

      """#,
      .value
    ),
    Mistake(
      "A number of tokens in quotes",
      [.replace(.prompt, "max-tokens: 100", "max-tokens: \"100\"")],
      #"""
      prompts/tickets/v1.yaml:4:42: error: 'max-tokens' must be a whole number, not a text
        4 | parameters: {temperature: 0, max-tokens: "100"}
          |                                          ^
        fix: write 100

      """#,
      .value
    ),
    Mistake(
      "A decimal comma in a temperature",
      [.replace(.prompt, "temperature: 0,", "temperature: 0,7,")],
      #"""
      prompts/tickets/v1.yaml:4:29: error: unknown key '7' in 'parameters'
        4 | parameters: {temperature: 0,7, max-tokens: 100}
          |                             ^
        fix: write 'temperature: 0.7'

      """#,
      .edit("temperature: 0,7", "temperature: 0.7")
    ),
    Mistake(
      "A number as an id",
      [.replace(.cases, "- id: where", "- id: 1")],
      #"""
      datasets/tickets/cases.yaml:1:7: error: 'id' must be a text, not a number
        1 | - id: 1
          |       ^
        fix: put it in quotes: "1"

      """#,
      .value
    ),
    Mistake(
      "An id with spaces",
      [.replace(.cases, "- id: where", "- id: where is it")],
      #"""
      datasets/tickets/cases.yaml:1:7: error: the case id 'where is it' must consist of letters, digits, '.', '_' and '-'
        1 | - id: where is it
          |       ^
        fix: write 'where-is-it'

      """#,
      .rest
    ),
    Mistake(
      "Tags as a text",
      [.replace(.cases, "tags: [urgent]", "tags: urgent, other")],
      #"""
      datasets/tickets/cases.yaml:7:9: error: 'tags' must be a list, not a text
        7 |   tags: urgent, other
          |         ^
        fix: write 'tags: [urgent, other]'

      """#,
      .item
    ),
    Mistake(
      "Input as a text",
      [
        .replace(
          .cases,
          "  input:\n    ticket: Where is my order 48213?\n    customer: Ana\n",
          "  input: Where is my order?\n"
        )
      ],
      #"""
      datasets/tickets/cases.yaml:2:10: error: 'input' must be a mapping, not a text
        2 |   input: Where is my order?
          |          ^
        fix: give the text a name: 'input: {message: "Where is my order?"}'

      """#,
      .edit("input: Where is my order?", "input: {ticket: Where is my order?, customer: Ana}")
    ),
    Mistake(
      "Input as a list",
      [
        .replace(
          .cases,
          "  input:\n    ticket: Where is my order 48213?\n    customer: Ana\n",
          "  input:\n    - ticket: Where is my order?\n    - customer: Ana\n"
        )
      ],
      #"""
      datasets/tickets/cases.yaml:3:5: error: 'input' must be a mapping, not a list
        3 |     - ticket: Where is my order?
          |     ^
        fix: remove the '- ' before each name

      """#,
      .edit(
        "    - ticket: Where is my order?\n    - customer: Ana\n",
        "    ticket: Where is my order?\n    customer: Ana\n"
      )
    ),
    Mistake(
      "An expectation as a text",
      [
        .replace(
          .cases,
          "  expected: {kind: question, order: [\"48213\"], flagged: false}\n",
          "  expected: question\n"
        )
      ],
      #"""
      datasets/tickets/cases.yaml:5:13: error: 'expected' must be a mapping, not a text
        5 |   expected: question
          |             ^
        fix: give the text a name: 'expected: {label: "question"}'

      """#
    ),
    Mistake(
      "Curly quotes around a label",
      [.replace(.cases, "kind: question", "kind: “question”")],
      #"""
      datasets/tickets/cases.yaml:5:20: error: '“question”' is not one of the labels of the suite
        5 |   expected: {kind: “question”, order: ["48213"], flagged: false}
          |                    ^
        fix: did you mean 'question'?

      """#,
      .value
    ),
    Mistake(
      "Curly quotes around a model",
      [.replace(.configuration, "model: small-1", "model: “small-1”")],
      #"""
      sluice.yaml:4:12: warning: the quotation marks “ and ” are part of the text
        4 |     model: “small-1”
          |            ^
        fix: use straight quotation marks

      """#,
      .edit("“small-1”", "\"small-1\"")
    ),
    Mistake(
      "A label that the suite does not have",
      [.replace(.cases, "kind: question", "kind: qestion")],
      #"""
      datasets/tickets/cases.yaml:5:20: error: 'qestion' is not one of the labels of the suite
        5 |   expected: {kind: qestion, order: ["48213"], flagged: false}
          |                    ^
        fix: did you mean 'question'?

      """#,
      .value
    ),
    Mistake(
      "A label with a capital letter",
      [.replace(.cases, "kind: question", "kind: Question")],
      #"""
      datasets/tickets/cases.yaml:5:20: error: 'Question' is not one of the labels of the suite
        5 |   expected: {kind: Question, order: ["48213"], flagged: false}
          |                    ^
        fix: did you mean 'question'?

      """#,
      .value
    ),
    Mistake(
      "A label that stands twice",
      [.replace(.suite, "[question, problem]", "[question, problem, problem]")],
      #"""
      prompts/tickets/suite.yaml:7:58: error: 'labels' must contain at least two different texts
        7 |   - classification: {path: kind, expected: kind, labels: [question, prob…
          |                                                          ^
        fix: remove one 'problem'

      """#,
      .edit("[question, problem, problem]", "[question, problem]")
    ),
  ]
}
