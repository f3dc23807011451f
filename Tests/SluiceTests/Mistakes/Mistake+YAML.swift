extension Mistake {
  /// Mistakes in YAML.
  static let yaml: [Mistake] = [
    Mistake(
      "A tab",
      [.replace(.cases, "    ticket: Where", "\tticket: Where")],
      #"""
      datasets/tickets/cases.yaml:3:1: error: not valid YAML: tabs are not allowed as indentation
        3 | \tticket: Where is my order 48213?
          | ^
        fix: indent with spaces

      """#,
      .edit("\tticket", "    ticket")
    ),
    Mistake(
      "Too much indentation",
      [.replace(.cases, "    customer: Ana\n", "     customer: Ana\n")],
      #"""
      datasets/tickets/cases.yaml:4:14: error: not valid YAML: a ':' is not allowed here
        4 |      customer: Ana
          |              ^
        fix: indent all keys of the mapping equally

      """#,
      .edit("     customer", "    customer")
    ),
    Mistake(
      "Too little indentation",
      [.replace(.cases, "    customer: Ana\n", "   customer: Ana\n")],
      #"""
      datasets/tickets/cases.yaml:4:4: error: not valid YAML: the line does not belong to the mapping that begins on line 1
        4 |    customer: Ana
          |    ^
        fix: indent all keys of the mapping equally

      """#,
      .edit("   customer", "    customer")
    ),
    Mistake(
      "A colon in a text",
      [.replace(.cases, "Where is my order 48213?", "Order: where is it?")],
      #"""
      datasets/tickets/cases.yaml:3:18: error: not valid YAML: a ':' is not allowed here
        3 |     ticket: Order: where is it?
          |                  ^
        fix: write ticket: "Order: where is it?"

      """#,
      .line
    ),
    Mistake(
      "A text that begins with a number sign",
      [.replace(.cases, "Where is my order 48213?", "#48213 where is it?")],
      #"""
      datasets/tickets/cases.yaml:3:5: error: 'ticket' has no value: text that begins with '#' is a comment
        3 |     ticket: #48213 where is it?
          |     ^
        fix: write ticket: "#48213 where is it?"

      """#,
      .line
    ),
    Mistake(
      "Text after a quotation",
      [.replace(.cases, "Where is my order 48213?", "\"Where\" is my order?")],
      #"""
      datasets/tickets/cases.yaml:3:21: error: not valid YAML: text is not allowed here
        3 |     ticket: "Where" is my order?
          |                     ^
        fix: write ticket: '"Where" is my order?'

      """#,
      .line
    ),
    Mistake(
      "An apostrophe in single quotes",
      [.replace(.cases, "Where is my order 48213?", "'Where's my order?'")],
      #"""
      datasets/tickets/cases.yaml:3:20: error: not valid YAML: text is not allowed here
        3 |     ticket: 'Where's my order?'
          |                    ^
        fix: write ticket: "Where's my order?"

      """#,
      .line
    ),
    Mistake(
      "A text that begins with an at sign",
      [.replace(.cases, "Where is my order 48213?", "@support where?")],
      #"""
      datasets/tickets/cases.yaml:3:13: error: not valid YAML: an unquoted text cannot begin with '@'
        3 |     ticket: @support where?
          |             ^
        fix: write ticket: "@support where?"

      """#,
      .line
    ),
    Mistake(
      "A text that begins with an asterisk",
      [.replace(.cases, "Where is my order 48213?", "*where* is it?")],
      #"""
      datasets/tickets/cases.yaml:3:19: error: not valid YAML: an unquoted text cannot begin with '*', '&' or '?'
        3 |     ticket: *where* is it?
          |                   ^
        fix: write ticket: "*where* is it?"

      """#,
      .line
    ),
    Mistake(
      "A text that begins with a hyphen",
      [.replace(.cases, "Where is my order 48213?", "- where is it?")],
      #"""
      datasets/tickets/cases.yaml:3:13: error: not valid YAML: a list cannot begin here
        3 |     ticket: - where is it?
          |             ^
        fix: write ticket: "- where is it?"

      """#,
      .line
    ),
    Mistake(
      "A text that begins with a bracket",
      [.replace(.cases, "Where is my order 48213?", "[urgent] where is it?")],
      #"""
      datasets/tickets/cases.yaml:3:22: error: not valid YAML: text is not allowed here
        3 |     ticket: [urgent] where is it?
          |                      ^
        fix: write ticket: "[urgent] where is it?"

      """#,
      .line
    ),
    Mistake(
      "No space after a colon",
      [.replace(.suite, "backend: fast", "backend:fast")],
      #"""
      prompts/tickets/suite.yaml:4:1: error: not valid YAML: the ':' after the name is missing
        4 | backend:fast
          | ^
        fix: write backend: fast

      """#,
      .line
    ),
    Mistake(
      "No space after a hyphen",
      [.replace(.suite, "- accuracy", "-accuracy")],
      #"""
      prompts/tickets/suite.yaml:12:3: error: 'gates' must be a list, not a text
        12 |   -accuracy >= 85%
           |   ^
        fix: write '- accuracy >= 85%', with a space after the '-'

      """#,
      .edit("  -accuracy >= 85%\n  - false", "  - accuracy >= 85%\n  - false")
    ),
    Mistake(
      "An equals sign in place of a colon",
      [.replace(.suite, "backend: fast", "backend = fast")],
      #"""
      prompts/tickets/suite.yaml:4:1: error: not valid YAML: the ':' after the name is missing
        4 | backend = fast
          | ^
        fix: write backend: fast

      """#,
      .line
    ),
    Mistake(
      "A comment with slashes",
      [.replace(.suite, "suite: tickets\n", "// The suite.\nsuite: tickets\n")],
      #"""
      prompts/tickets/suite.yaml:1:1: error: not valid YAML: comments begin with '#'
        1 | // The suite.
          | ^
        fix: write '# The suite.'

      """#,
      .line
    ),
    Mistake(
      "A comment with slashes after a value",
      [.replace(.suite, "backend: fast\n", "backend: fast // the fast one\n")],
      #"""
      prompts/tickets/suite.yaml:4:10: error: there is no backend 'fast // the fast one' in sluice.yaml
        4 | backend: fast // the fast one
          |          ^
        fix: comments begin with '#': write fast # the fast one

      """#,
      .rest
    ),
    Mistake(
      "A no-break space",
      [.replace(.suite, "backend: fast", "backend:\u{A0}fast")],
      #"""
      prompts/tickets/suite.yaml:4:9: error: not valid YAML: there is a no-break space here
        4 | backend: fast
          |         ^
        fix: replace it with a space

      """#,
      .edit("backend:\u{A0}fast", "backend: fast")
    ),
    Mistake(
      "A merge conflict",
      [
        .replace(
          .suite,
          "backend: fast",
          "<<<<<<< HEAD\nbackend: fast\n=======\nbackend: slow\n>>>>>>> x"
        )
      ],
      #"""
      prompts/tickets/suite.yaml:4:1: error: not valid YAML: the file contains an unresolved merge conflict
        4 | <<<<<<< HEAD
          | ^
        fix: keep one of the two sides, and remove the lines of '<', '=' and '>'

      """#,
      .edit("<<<<<<< HEAD\nbackend: fast\n=======\nbackend: slow\n>>>>>>> x", "backend: fast")
    ),
    Mistake(
      "A key that stands twice",
      [.replace(.suite, "backend: fast", "backend: fast\nbackend: slow")],
      #"""
      prompts/tickets/suite.yaml:5:1: error: duplicate key 'backend', first on line 4
        5 | backend: slow
          | ^
        fix: remove one of the two

      """#,
      .edit("backend: fast\nbackend: slow", "backend: fast")
    ),
  ]
}
