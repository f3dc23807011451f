extension Mistake {
  /// Mistakes in scorers and assertions.
  static let scorers: [Mistake] = [
    Mistake(
      "A misspelt key of a scorer",
      [.replace(.suite, "labels", "lables")],
      #"""
      prompts/tickets/suite.yaml:7:50: error: unknown key 'lables' in the scorer 'classification'
        7 |   - classification: {path: kind, expected: kind, lables: [question, prob…
          |                                                  ^
        fix: did you mean 'labels'?

      """#,
      .word
    ),
    Mistake(
      "A misspelt scorer",
      [.replace(.suite, "classification", "classifcation")],
      #"""
      prompts/tickets/suite.yaml:7:5: error: unknown scorer 'classifcation'
        7 |   - classifcation: {path: kind, expected: kind, labels: [question, probl…
          |     ^
        fix: did you mean 'classification'?

      """#,
      .word
    ),
    Mistake(
      "A capital letter",
      [.replace(.cases, "    - equals: {kind: problem}\n", "    - Contains: abc\n")],
      #"""
      datasets/tickets/cases.yaml:13:7: error: unknown scorer 'Contains'
        13 |     - Contains: abc
           |       ^
        fix: did you mean 'contains'?

      """#,
      .word
    ),
    Mistake(
      "An underscore",
      [.replace(.cases, "    - equals: {kind: problem}\n", "    - is_json\n")],
      #"""
      datasets/tickets/cases.yaml:13:7: error: unknown scorer 'is_json'
        13 |     - is_json
           |       ^
        fix: did you mean 'is-json'?

      """#,
      .word
    ),
    Mistake(
      "No space after the colon",
      [.replace(.cases, "    - equals: {kind: problem}\n", "    - contains:abc\n")],
      #"""
      datasets/tickets/cases.yaml:13:7: error: unknown scorer 'contains:abc'
        13 |     - contains:abc
           |       ^
        fix: write 'contains: "abc"'

      """#,
      .item
    ),
    Mistake(
      "A misspelt key of an assertion",
      [
        .replace(
          .cases,
          "    - equals: {kind: problem}\n",
          "    - json-path: {pth: kind, equals: b}\n"
        )
      ],
      #"""
      datasets/tickets/cases.yaml:13:19: error: unknown key 'pth' in the scorer 'json-path'
        13 |     - json-path: {pth: kind, equals: b}
           |                   ^
        fix: did you mean 'path'?

      """#,
      .word
    ),
    Mistake(
      "A misspelt value in the long form",
      [.replace(.cases, "    - equals: {kind: problem}\n", "    - {type: equals, valu: abc}\n")],
      #"""
      datasets/tickets/cases.yaml:13:22: error: unknown key 'valu' in 'equals'
        13 |     - {type: equals, valu: abc}
           |                      ^
        fix: did you mean 'value'?

      """#,
      .word
    ),
    Mistake(
      "Members of another type in equals",
      [.replace(.cases, "    - equals: {kind: problem}\n", "    - equals: {pth: a, value: b}\n")],
      #"""
      datasets/tickets/cases.yaml:13:16: warning: 'equals' compares the whole answer with this mapping, including its keys 'pth' and 'value'
        13 |     - equals: {pth: a, value: b}
           |                ^
        fix: write 'json-path: {path: "a", equals: "b"}'

      """#,
      .item
    ),
    Mistake(
      "A text in a mapping",
      [.replace(.cases, "    - equals: {kind: problem}\n", "    - contains: {text: abc}\n")],
      #"""
      datasets/tickets/cases.yaml:13:17: error: 'contains' must be a text, not a mapping
        13 |     - contains: {text: abc}
           |                 ^
        fix: write 'contains: "abc"'

      """#,
      .item
    ),
    Mistake(
      "A path without its mapping",
      [.replace(.cases, "    - equals: {kind: problem}\n", "    - json-path: kind\n")],
      #"""
      datasets/tickets/cases.yaml:13:18: error: the scorer 'json-path' must be a mapping, not a text
        13 |     - json-path: kind
           |                  ^
        fix: write 'json-path: {path: "kind"}'

      """#,
      .item
    ),
    Mistake(
      "Assertions as a mapping",
      [.replace(.cases, "    - equals: {kind: problem}\n", "    contains: abc\n")],
      #"""
      datasets/tickets/cases.yaml:13:5: error: 'assert' must be a list, not a mapping
        13 |     contains: abc
           |     ^
        fix: begin each entry with '- ', as in '- contains: …'

      """#,
      .edit("    contains: abc", "    - contains: abc")
    ),
    Mistake(
      "An assertion as a text",
      [.replace(.cases, "  assert:\n    - equals: {kind: problem}\n", "  assert: contains abc\n")],
      #"""
      datasets/tickets/cases.yaml:12:11: error: 'assert' must be a list, not a text
        12 |   assert: contains abc
           |           ^
        fix: write 'assert: [{contains: "abc"}]'

      """#,
      .line
    ),
    Mistake(
      "Scorers as a mapping",
      [
        .replace(
          .suite,
          "scorers:\n  - is-json\n  - classification: {path: kind, expected: kind, labels: [question, problem]}\n  - flags: {path: urgent, when: non-empty}\n  - coverage: {expected: order}\n  - contains: \"{{customer}}\"\n",
          "scorers:\n  flags: {path: urgent, when: non-empty}\n"
        )
      ],
      #"""
      prompts/tickets/suite.yaml:6:3: error: 'scorers' must be a list, not a mapping
        6 |   flags: {path: urgent, when: non-empty}
          |   ^
        fix: begin each entry with '- ', as in '- flags: …'

      """#,
      .edit("  flags: {", "  - flags: {")
    ),
    Mistake(
      "A rubric as a text",
      [.replace(.suite, "  - is-json\n", "  - llm-rubric: is polite\n")],
      #"""
      prompts/tickets/suite.yaml:6:17: error: the scorer 'llm-rubric' must be a mapping, not a text
        6 |   - llm-rubric: is polite
          |                 ^
        fix: write 'llm-rubric: {backend: fast, prompt: judge.yaml, scale: [1, 5], at-least: 4, rubric: "is polite"}', where judge.yaml is a prompt with {{answer}} and {{rubric}}

      """#,
      .judge
    ),
    Mistake(
      "A rubric in a case",
      [.replace(.cases, "    - equals: {kind: problem}\n", "    - llm-rubric: is polite\n")],
      #"""
      datasets/tickets/cases.yaml:13:7: error: 'llm-rubric' sends requests, so it can only be used under 'scorers:' of a suite
        13 |     - llm-rubric: is polite
           |       ^
        fix: move it there; it then judges every case

      """#
    ),
  ]
}
