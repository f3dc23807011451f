extension Mistake {
  /// Mistakes in keys.
  static let keys: [Mistake] = [
    Mistake(
      "providers in sluice.yaml",
      [.replace(.configuration, "backends:", "providers:")],
      #"""
      sluice.yaml:1:1: error: unknown key 'providers' in sluice.yaml
        1 | providers:
          | ^
        fix: write 'backends:' as a mapping of names to backends

      """#,
      .key
    ),
    Mistake(
      "providers in a suite",
      [.replace(.suite, "backend: fast", "providers: [fast]")],
      #"""
      prompts/tickets/suite.yaml:4:1: error: unknown key 'providers' in a suite
        4 | providers: [fast]
          | ^
        fix: write 'backends:' with names from 'backends:' of sluice.yaml

      """#,
      .key
    ),
    Mistake(
      "tests in a suite",
      [.replace(.suite, "dataset: tickets", "tests: tickets")],
      #"""
      prompts/tickets/suite.yaml:3:1: error: unknown key 'tests' in a suite
        3 | tests: tickets
          | ^
        fix: write 'dataset:' with the name of the folder in datasets/ that contains the cases

      """#,
      .key
    ),
    Mistake(
      "assert in a suite",
      [.replace(.suite, "scorers:", "assert:")],
      #"""
      prompts/tickets/suite.yaml:5:1: error: unknown key 'assert' in a suite
        5 | assert:
          | ^
        fix: write 'scorers:'

      """#,
      .key
    ),
    Mistake(
      "thresholds in a suite",
      [.replace(.suite, "gates:", "thresholds:")],
      #"""
      prompts/tickets/suite.yaml:11:1: error: unknown key 'thresholds' in a suite
        11 | thresholds:
           | ^
        fix: write 'gates:' with conditions such as '- accuracy >= 85%'

      """#,
      .key
    ),
    Mistake(
      "name in a suite",
      [.replace(.suite, "suite: tickets", "name: tickets")],
      #"""
      prompts/tickets/suite.yaml:1:1: error: unknown key 'name' in a suite
        1 | name: tickets
          | ^
        fix: write 'suite:'

      """#,
      .key
    ),
    Mistake(
      "vars in a case",
      [.replace(.cases, "  input:\n    ticket: Where", "  vars:\n    ticket: Where")],
      #"""
      datasets/tickets/cases.yaml:2:3: error: unknown key 'vars' in a case
        2 |   vars:
          |   ^
        fix: write 'input:'

      """#,
      .key
    ),
    Mistake(
      "output in a case",
      [.replace(.cases, "  expected: {kind: question", "  output: {kind: question")],
      #"""
      datasets/tickets/cases.yaml:5:3: error: unknown key 'output' in a case
        5 |   output: {kind: question, order: ["48213"], flagged: false}
          |   ^
        fix: write 'expected:', a mapping such as '{label: …}'

      """#,
      .key
    ),
    Mistake(
      "description in a case",
      [.replace(.cases, "- id: where", "- id: where\n  description: A question")],
      #"""
      datasets/tickets/cases.yaml:2:3: error: unknown key 'description' in a case
        2 |   description: A question
          |   ^
        fix: write 'notes:'

      """#,
      .key
    ),
    Mistake(
      "name in a case",
      [.replace(.cases, "- id: where", "- name: where")],
      #"""
      datasets/tickets/cases.yaml:1:3: error: unknown key 'name' in a case
        1 | - name: where
          |   ^
        fix: write 'id:'

      """#,
      .key
    ),
    Mistake(
      "Roles beside messages",
      [
        .replace(
          .prompt,
          "messages:\n  - system: Sort the ticket.\n  - user: \"{{ticket}}\"\n",
          "system: Sort the ticket.\nuser: \"{{ticket}}\"\n"
        )
      ],
      #"""
      prompts/tickets/v1.yaml:1:1: error: 'system' must be inside the list 'messages'
        1 | system: Sort the ticket.
          | ^
        fix: add a line 'messages:' above, and put '- ' before 'system:', 'user:'

      """#,
      .edit(
        "system: Sort the ticket.\nuser: \"{{ticket}}\"\n",
        "messages:\n- system: Sort the ticket.\n- user: \"{{ticket}}\"\n"
      )
    ),
    Mistake(
      "role and content in a message",
      [
        .replace(
          .prompt,
          "  - system: Sort the ticket.\n",
          "  - role: system\n    content: Sort the ticket.\n"
        )
      ],
      #"""
      prompts/tickets/v1.yaml:2:5: error: a message must have exactly one key, its role
        2 |   - role: system
          |     ^
        fix: write '- system: "Sort the ticket."'

      """#,
      .edit(
        "  - role: system\n    content: Sort the ticket.\n",
        "  - system: \"Sort the ticket.\"\n"
      )
    ),
    Mistake(
      "Two roles in a message",
      [.replace(.prompt, "  - user:", "    user:")],
      #"""
      prompts/tickets/v1.yaml:3:5: error: a message must have exactly one key, its role
        3 |     user: "{{ticket}}"
          |     ^
        fix: write '- user: …', and begin each role with '- '

      """#,
      .edit("    user:", "  - user:")
    ),
    Mistake(
      "A role of another tool",
      [.replace(.prompt, "  - user:", "  - human:")],
      #"""
      prompts/tickets/v1.yaml:3:5: error: unknown role 'human'
        3 |   - human: "{{ticket}}"
          |     ^
        fix: write 'user:'

      """#,
      .key
    ),
    Mistake(
      "temperature beside parameters",
      [.replace(.prompt, "parameters: {temperature: 0, max-tokens: 100}", "temperature: 0")],
      #"""
      prompts/tickets/v1.yaml:4:1: error: unknown key 'temperature' in a prompt
        4 | temperature: 0
          | ^
        fix: move it under 'parameters:', as 'temperature: …'

      """#,
      .edit("temperature: 0", "parameters:\n  temperature: 0")
    ),
    Mistake(
      "max_tokens with an underscore",
      [.replace(.prompt, "max-tokens", "max_tokens")],
      #"""
      prompts/tickets/v1.yaml:4:30: error: unknown key 'max_tokens' in 'parameters'
        4 | parameters: {temperature: 0, max_tokens: 100}
          |                              ^
        fix: did you mean 'max-tokens'?

      """#,
      .word
    ),
    Mistake(
      "url of a backend",
      [
        .replace(
          .configuration,
          "    model: small-1\n",
          "    model: small-1\n    url: http://localhost:1\n"
        )
      ],
      #"""
      sluice.yaml:5:5: error: unknown key 'url' in the backend 'fast'
        5 |     url: http://localhost:1
          |     ^
        fix: write 'base-url:'

      """#,
      .key
    ),
    Mistake(
      "scorers misspelt",
      [.replace(.suite, "scorers:", "scorrers:")],
      #"""
      prompts/tickets/suite.yaml:5:1: error: unknown key 'scorrers' in a suite
        5 | scorrers:
          | ^
        fix: did you mean 'scorers'?

      """#,
      .word
    ),
    Mistake(
      "gates misspelt",
      [.replace(.suite, "gates:", "gaets:")],
      #"""
      prompts/tickets/suite.yaml:11:1: error: unknown key 'gaets' in a suite
        11 | gaets:
           | ^
        fix: did you mean 'gates'?

      """#,
      .word
    ),
    Mistake(
      "expected misspelt",
      [.replace(.cases, "  expected: {kind: question", "  expcted: {kind: question")],
      #"""
      datasets/tickets/cases.yaml:5:3: error: unknown key 'expcted' in a case
        5 |   expcted: {kind: question, order: ["48213"], flagged: false}
          |   ^
        fix: did you mean 'expected'?

      """#,
      .word
    ),
    Mistake(
      "input misspelt",
      [.replace(.cases, "  input:\n    ticket: Where", "  inptu:\n    ticket: Where")],
      #"""
      datasets/tickets/cases.yaml:2:3: error: unknown key 'inptu' in a case
        2 |   inptu:
          |   ^
        fix: did you mean 'input'?

      """#,
      .word
    ),
    Mistake(
      "A value of a case that is not indented",
      [
        .replace(
          .cases,
          "    ticket: Where is my order 48213?\n    customer: Ana\n",
          "  ticket: Where is my order 48213?\n  customer: Ana\n"
        )
      ],
      #"""
      datasets/tickets/cases.yaml:2:3: error: 'input' is empty, because the lines below it are not indented
        2 |   input:
          |   ^
        fix: indent these keys by two more spaces: 'ticket:', 'customer:'

      """#,
      .edit(
        "  ticket: Where is my order 48213?\n  customer: Ana",
        "    ticket: Where is my order 48213?\n    customer: Ana"
      )
    ),
    Mistake(
      "Messages as a text",
      [
        .replace(
          .prompt,
          "messages:\n  - system: Sort the ticket.\n  - user: \"{{ticket}}\"\n",
          "messages: \"{{ticket}}\"\n"
        )
      ],
      #"""
      prompts/tickets/v1.yaml:1:12: error: no case of datasets/tickets/cases.yaml has a list of messages under 'ticket'
        1 | messages: "{{ticket}}"
          |            ^
        fix: write 'messages: [{user: "{{ticket}}"}]'

      """#,
      .line
    ),
    Mistake(
      "Messages as a text with words",
      [
        .replace(
          .prompt,
          "messages:\n  - system: Sort the ticket.\n  - user: \"{{ticket}}\"\n",
          "messages: \"Sort it: {{ticket}}\"\n"
        )
      ],
      #"""
      prompts/tickets/v1.yaml:1:11: error: 'messages' must be a list, not a text
        1 | messages: "Sort it: {{ticket}}"
          |           ^
        fix: write 'messages: [{user: "Sort it: {{ticket}}"}]'

      """#,
      .line
    ),
    Mistake(
      "Prompts as a text",
      [.replace(.suite, "prompt: v1.yaml", "prompts: v1.yaml")],
      #"""
      prompts/tickets/suite.yaml:2:10: error: 'prompts' must be a list, not a text
        2 | prompts: v1.yaml
          |          ^
        fix: write 'prompt: v1.yaml'

      """#,
      .line
    ),
    Mistake(
      "A backend as an item of a list",
      [.write(.configuration, "backends:\n  - name: fast\n    type: openai\n    model: small-1\n")],
      #"""
      sluice.yaml:2:3: error: 'backends' must be a mapping of names to backends, not a list
        2 |   - name: fast
          |   ^
        fix: write 'fast:' instead of '- name: fast', and indent its keys below it

      """#,
      .edit(
        "  - name: fast\n    type: openai\n    model: small-1\n",
        "  fast:\n    type: openai\n    model: small-1\n"
      )
    ),
  ]
}
