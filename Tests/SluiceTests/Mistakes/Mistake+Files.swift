extension Mistake {
  /// Mistakes in files and their names.
  static let files: [Mistake] = [
    Mistake(
      "A misspelt prompt",
      [.replace(.suite, "v1.yaml", "v2.yaml")],
      #"""
      prompts/tickets/suite.yaml:2:9: error: file not found: prompts/tickets/v2.yaml
        2 | prompt: v2.yaml
          |         ^
        fix: did you mean 'v1.yaml'?

      """#,
      .word
    ),
    Mistake(
      "A path from the root",
      [.replace(.suite, "prompt: v1.yaml", "prompt: prompts/tickets/v1.yaml")],
      #"""
      prompts/tickets/suite.yaml:2:9: error: file not found: prompts/tickets/prompts/tickets/v1.yaml
        2 | prompt: prompts/tickets/v1.yaml
          |         ^
        fix: write 'v1.yaml', a path relative to this file

      """#,
      .rest
    ),
    Mistake(
      "A prompt in the suite",
      [.replace(.suite, "prompt: v1.yaml", "prompt: \"Sort {{ticket}}\"")],
      #"""
      prompts/tickets/suite.yaml:2:9: error: file not found: prompts/tickets/Sort {{ticket}}
        2 | prompt: "Sort {{ticket}}"
          |         ^
        fix: write the text to a file, and name that file here

      """#
    ),
    Mistake(
      "A prompt as plain text",
      [.write(.prompt, "Sort the ticket.\n{{ticket}}\n")],
      #"""
      prompts/tickets/v1.yaml:1:1: error: a prompt must be a mapping, not a text
        1 | Sort the ticket.
          | ^
        fix: write 'messages: [{user: "Sort the ticket. {{ticket}}"}]'

      """#,
      .whole
    ),
    Mistake(
      "A misspelt backend",
      [.replace(.suite, "backend: fast", "backend: fats")],
      #"""
      prompts/tickets/suite.yaml:4:10: error: there is no backend 'fats' in sluice.yaml
        4 | backend: fats
          |          ^
        fix: did you mean 'fast'?

      """#,
      .word
    ),
    Mistake(
      "A model in place of a backend",
      [.replace(.suite, "backend: fast", "backend: gpt-4o")],
      #"""
      prompts/tickets/suite.yaml:4:10: error: there is no backend 'gpt-4o' in sluice.yaml
        4 | backend: gpt-4o
          |          ^
        fix: known: fast

      """#,
      .edit("gpt-4o", "fast")
    ),
    Mistake(
      "A missing price file",
      [.replace(.configuration, "prices.json", "price.json")],
      #"""
      sluice.yaml:6:9: error: file not found: price.json
        6 | prices: price.json
          |         ^
        fix: did you mean 'prices.json'?

      """#,
      .word
    ),
    Mistake(
      "A suite with another ending",
      [
        .remove(.suite),
        .write(
          .other("prompts/tickets/suite.yml"),
          "suite: tickets\nprompt: v1.yaml\ndataset: tickets\nbackend: fast\nscorers:\n  - is-json\n  - classification: {path: kind, expected: kind, labels: [question, problem]}\n  - flags: {path: urgent, when: non-empty}\n  - coverage: {expected: order}\n  - contains: \"{{customer}}\"\ngates:\n  - accuracy >= 85%\n  - false-positive-rate <= 5%\ngoals:\n  - p95(latency) < 2 s\n"
        ),
      ],
      #"""
      prompts: error: there are no suites: no file matches prompts/**/suite.yaml
        fix: rename the file: mv prompts/tickets/suite.yml prompts/tickets/suite.yaml

      """#,
      .mv
    ),
    Mistake(
      "A suite in another place",
      [
        .remove(.suite),
        .write(
          .other("tickets/suite.yaml"),
          "suite: tickets\nprompt: v1.yaml\ndataset: tickets\nbackend: fast\nscorers:\n  - is-json\n  - classification: {path: kind, expected: kind, labels: [question, problem]}\n  - flags: {path: urgent, when: non-empty}\n  - coverage: {expected: order}\n  - contains: \"{{customer}}\"\ngates:\n  - accuracy >= 85%\n  - false-positive-rate <= 5%\ngoals:\n  - p95(latency) < 2 s\n"
        ),
      ],
      #"""
      prompts: error: there are no suites: no file matches prompts/**/suite.yaml
        fix: move the file tickets/suite.yaml to prompts/tickets/suite.yaml

      """#
    ),
    Mistake(
      "A suite name with a space",
      [.replace(.suite, "suite: tickets", "suite: my tickets")],
      #"""
      prompts/tickets/suite.yaml:1:8: error: the suite name 'my tickets' must consist of letters, digits, '.', '_' and '-', and must not start with '.'
        1 | suite: my tickets
          |        ^
        fix: write 'suite: my-tickets'

      """#,
      .line
    ),
  ]
}
