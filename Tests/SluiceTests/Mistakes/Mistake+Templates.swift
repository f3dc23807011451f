extension Mistake {
  /// Mistakes in templates.
  static let templates: [Mistake] = [
    Mistake(
      "A variable without quotes",
      [.replace(.prompt, "\"{{ticket}}\"", "{{ticket}}")],
      #"""
      prompts/tickets/v1.yaml:3:11: error: a value that begins with '{{' needs quotes
        3 |   - user: {{ticket}}
          |           ^
        fix: write - user: "{{ticket}}"

      """#,
      .line
    ),
    Mistake(
      "Two variables without quotes",
      [.replace(.prompt, "\"{{ticket}}\"", "{{ticket}} and {{customer}}")],
      #"""
      prompts/tickets/v1.yaml:3:11: error: a value that begins with '{{' needs quotes
        3 |   - user: {{ticket}} and {{customer}}
          |           ^
        fix: write - user: "{{ticket}} and {{customer}}"

      """#,
      .line
    ),
    Mistake(
      "A section without quotes",
      [.replace(.prompt, "\"{{ticket}}\"", "{{#ticket}}x{{/ticket}}")],
      #"""
      prompts/tickets/v1.yaml:3:11: error: a value that begins with '{{' needs quotes
        3 |   - user: {{#ticket}}x{{/ticket}}
          |           ^
        fix: write - user: "{{#ticket}}x{{/ticket}}"

      """#,
      .line
    ),
    Mistake(
      "A variable without quotes in a scorer",
      [.replace(.suite, "\"{{customer}}\"", "{{customer}}")],
      #"""
      prompts/tickets/suite.yaml:10:15: error: a value that begins with '{{' needs quotes
        10 |   - contains: {{customer}}
           |               ^
        fix: write - contains: "{{customer}}"

      """#,
      .line
    ),
    Mistake(
      "A variable without quotes in a list in brackets",
      [.replace(.suite, "contains: \"{{customer}}\"", "contains-all: [{{customer}}, Ana]")],
      #"""
      prompts/tickets/suite.yaml:10:20: error: a value that begins with '{{' needs quotes
        10 |   - contains-all: [{{customer}}, Ana]
           |                    ^
        fix: write - contains-all: ["{{customer}}", Ana]

      """#,
      .line
    ),
    Mistake(
      "A variable without quotes as an item of a list",
      [
        .replace(
          .cases,
          "    - equals: {kind: problem}\n",
          "    - contains-all:\n        - {{customer}}\n        - x\n"
        )
      ],
      #"""
      datasets/tickets/cases.yaml:14:11: error: a value that begins with '{{' needs quotes
        14 |         - {{customer}}
           |           ^
        fix: write - "{{customer}}"

      """#,
      .line
    ),
    Mistake(
      "A variable without quotes in a mapping in brackets",
      [
        .replace(
          .suite,
          "  - contains: \"{{customer}}\"",
          "  - {type: contains, value: {{customer}}}"
        )
      ],
      #"""
      prompts/tickets/suite.yaml:10:29: error: a value that begins with '{{' needs quotes
        10 |   - {type: contains, value: {{customer}}}
           |                             ^
        fix: write - {type: contains, value: "{{customer}}"}

      """#,
      .line
    ),
    Mistake(
      "Single braces without quotes",
      [.replace(.prompt, "\"{{ticket}}\"", "{ticket}")],
      #"""
      prompts/tickets/v1.yaml:3:11: error: 'user' must be a text, not a mapping
        3 |   - user: {ticket}
          |           ^
        fix: write 'user: "{{ticket}}"'

      """#,
      .item
    ),
    Mistake(
      "Single braces",
      [.replace(.prompt, "\"{{ticket}}\"", "\"{ticket}\"")],
      #"""
      prompts/tickets/v1.yaml:3:12: warning: '{ticket}' is sent unchanged: only '{{ticket}}' is replaced by the input 'ticket'
        3 |   - user: "{ticket}"
          |            ^
        fix: write {{ticket}}

      """#,
      .word
    ),
    Mistake(
      "A dollar sign",
      [.replace(.prompt, "\"{{ticket}}\"", "$ticket")],
      #"""
      prompts/tickets/v1.yaml:3:11: warning: '$ticket' is sent unchanged: only '{{ticket}}' is replaced by the input 'ticket'
        3 |   - user: $ticket
          |           ^
        fix: write - user: "{{ticket}}"

      """#,
      .line
    ),
    Mistake(
      "Triple braces",
      [.replace(.prompt, "\"{{ticket}}\"", "\"{{{ticket}}}\"")],
      #"""
      prompts/tickets/v1.yaml:3:12: error: '{{{' is not needed, because Sluice does not escape text
        3 |   - user: "{{{ticket}}}"
          |            ^
        fix: write '{{ticket}}'

      """#,
      .tag
    ),
    Mistake(
      "A filter",
      [.replace(.prompt, "\"{{ticket}}\"", "\"{{ticket | upper}}\"")],
      #"""
      prompts/tickets/v1.yaml:3:12: error: 'ticket | upper' is not a name
        3 |   - user: "{{ticket | upper}}"
          |            ^
        fix: write '{{ticket}}'; filters are not supported

      """#,
      .tag
    ),
    Mistake(
      "A variable that is not closed",
      [.replace(.prompt, "\"{{ticket}}\"", "\"{{ticket\"")],
      #"""
      prompts/tickets/v1.yaml:3:12: error: '{{' is never closed
        3 |   - user: "{{ticket"
          |            ^
        fix: write '{{ticket}}'

      """#,
      .edit("\"{{ticket\"", "\"{{ticket}}\"")
    ),
    Mistake(
      "A variable that is closed by one brace",
      [.replace(.prompt, "\"{{ticket}}\"", "\"{{ticket} please\"")],
      #"""
      prompts/tickets/v1.yaml:3:12: error: '{{' is never closed
        3 |   - user: "{{ticket} please"
          |            ^
        fix: write '{{ticket}}'

      """#,
      .edit("{{ticket} please", "{{ticket}} please")
    ),
    Mistake(
      "A capital letter in a name",
      [.replace(.prompt, "\"{{ticket}}\"", "\"{{Ticket}}\"")],
      #"""
      prompts/tickets/v1.yaml:3:12: error: no case of datasets/tickets/cases.yaml has 'Ticket'
        3 |   - user: "{{Ticket}}"
          |            ^
        fix: did you mean 'ticket'?

      """#,
      .name
    ),
    Mistake(
      "The part of the case before the name",
      [.replace(.prompt, "\"{{ticket}}\"", "\"{{input.ticket}}\"")],
      #"""
      prompts/tickets/v1.yaml:3:12: error: no case of datasets/tickets/cases.yaml has 'input.ticket'
        3 |   - user: "{{input.ticket}}"
          |            ^
        fix: did you mean 'ticket'?

      """#,
      .name
    ),
    Mistake(
      "The name that promptfoo has for inputs",
      [.replace(.prompt, "\"{{ticket}}\"", "\"{{vars.ticket}}\"")],
      #"""
      prompts/tickets/v1.yaml:3:12: error: no case of datasets/tickets/cases.yaml has 'vars.ticket'
        3 |   - user: "{{vars.ticket}}"
          |            ^
        fix: did you mean 'ticket'?

      """#,
      .name
    ),
    Mistake(
      "A tag of Jinja",
      [.replace(.prompt, "\"{{ticket}}\"", "\"{% if ticket %}{{ticket}}{% endif %}\"")],
      #"""
      prompts/tickets/v1.yaml:3:12: warning: '{% if ticket %}' is sent unchanged: templates have sections instead of such tags
        3 |   - user: "{% if ticket %}{{ticket}}{% endif %}"
          |            ^
        fix: write {{#name}}…{{/name}} around text that is sent only if 'name' has a value, and {{^name}}…{{/name}} around text that is sent only if it has none

      """#,
      .edit("{% if ticket %}{{ticket}}{% endif %}", "{{#ticket}}{{.}}{{/ticket}}")
    ),
  ]
}
