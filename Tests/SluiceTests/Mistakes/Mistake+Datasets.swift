extension Mistake {
  /// Mistakes in datasets.
  static let datasets: [Mistake] = [
    Mistake(
      "Semicolons between columns",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.csv"),
          "id;tags;input.ticket;input.customer;expected.kind;expected.flagged;expected.order\nwhere;;Where is it?;Ana;question;false;\"[\"\"48213\"\"]\"\nbroken;urgent;It arrived broken.;Ben;problem;true;\"[\"\"48214\"\"]\"\n"
        ),
      ],
      #"""
      datasets/tickets/cases.csv:1:3: error: columns are separated by ';' instead of ','
        1 | id;tags;input.ticket;input.customer;expected.kind;expected.flagged;expec…
          |   ^
        fix: export the file with ',' between columns, and put cells that contain a ',' in double quotes

      """#,
      .all(";", ",")
    ),
    Mistake(
      "Tabs between columns",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.csv"),
          "id\ttags\tinput.ticket\tinput.customer\texpected.kind\texpected.flagged\texpected.order\nwhere\t\tWhere is it?\tAna\tquestion\tfalse\t\"[\"\"48213\"\"]\"\nbroken\turgent\tIt arrived broken.\tBen\tproblem\ttrue\t\"[\"\"48214\"\"]\"\n"
        ),
      ],
      #"""
      datasets/tickets/cases.csv:1:3: error: columns are separated by tabs instead of ','
        1 | id\ttags\tinput.ticket\tinput.customer\texpected.kind\texpected.flagged\texpec…
          |   ^
        fix: export the file with ',' between columns, and put cells that contain a ',' in double quotes

      """#,
      .all("\t", ",")
    ),
    Mistake(
      "A comma in a cell without quotes",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.csv"),
          "id,tags,input.ticket,input.customer,expected.kind,expected.flagged,expected.order\nwhere,,Where is it?,Ana,question,false,\"[\"\"48213\"\"]\"\nbroken,urgent,Hello, it arrived broken.,Ben,problem,true,\"[\"\"48214\"\"]\"\n"
        ),
      ],
      #"""
      datasets/tickets/cases.csv:3:15: error: not valid CSV: the row has 8 cells, but the header has 7 columns
        3 | broken,urgent,Hello, it arrived broken.,Ben,problem,true,"[""48214""]"
          |               ^
        fix: put the cell in quotes: "Hello, it arrived broken."

      """#,
      .edit("Hello, it arrived broken.", "\"Hello, it arrived broken.\"")
    ),
    Mistake(
      "A cell too few",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.csv"),
          "id,tags,input.ticket,input.customer,expected.kind,expected.flagged,expected.order\nwhere,,Where is it?,Ana,question,false,\"[\"\"48213\"\"]\"\nbroken,It arrived broken.,Ben,problem,true,\"[\"\"48214\"\"]\"\n"
        ),
      ],
      #"""
      datasets/tickets/cases.csv:3:1: error: not valid CSV: the row has 6 cells, but the header has 7 columns
        3 | broken,It arrived broken.,Ben,problem,true,"[""48214""]"
          | ^
        fix: add the missing cells; an empty cell also needs its ','

      """#,
      .edit("broken,It", "broken,,It")
    ),
    Mistake(
      "Quotes inside of a cell",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.csv"),
          "id,tags,input.ticket,input.customer,expected.kind,expected.flagged,expected.order\nwhere,,Where is it?,Ana,question,false,\"[\"\"48213\"\"]\"\nbroken,urgent,It \"arrived\" broken.,Ben,problem,true,\"[\"\"48214\"\"]\"\n"
        ),
      ],
      #"""
      datasets/tickets/cases.csv:3:18: error: not valid CSV: a quotation mark inside an unquoted cell
        3 | broken,urgent,It "arrived" broken.,Ben,problem,true,"[""48214""]"
          |                  ^
        fix: put the whole cell in quotes, and write each quote inside it twice

      """#,
      .edit("It \"arrived\" broken.", "\"It \"\"arrived\"\" broken.\"")
    ),
    Mistake(
      "Quotes after a backslash",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.csv"),
          "id,tags,input.ticket,input.customer,expected.kind,expected.flagged,expected.order\nwhere,,Where is it?,Ana,question,false,\"[\"\"48213\"\"]\"\nbroken,urgent,\"It \\\"arrived\\\", broken.\",Ben,problem,true,\"[\"\"48214\"\"]\"\n"
        ),
      ],
      #"""
      datasets/tickets/cases.csv:3:21: error: not valid CSV: text after the closing quote
        3 | broken,urgent,"It \"arrived\", broken.",Ben,problem,true,"[""48214""]"
          |                     ^
        fix: put the whole cell in quotes, and write each quote inside it twice

      """#,
      .edit("\"It \\\"arrived\\\", broken.\"", "\"It \"\"arrived\"\", broken.\"")
    ),
    Mistake(
      "A quote that is not closed",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.csv"),
          "id,tags,input.ticket,input.customer,expected.kind,expected.flagged,expected.order\nwhere,,Where is it?,Ana,question,false,\"[\"\"48213\"\"]\"\nbroken,urgent,\"It arrived broken.,Ben,problem,true,\"[\"\"48214\"\"]\"\n"
        ),
      ],
      #"""
      datasets/tickets/cases.csv:3:53: error: not valid CSV: text after the closing quote
        3 | broken,urgent,"It arrived broken.,Ben,problem,true,"[""48214""]"
          |                                                     ^
        fix: put the whole cell in quotes, and write each quote inside it twice

      """#,
      .edit("\"It arrived broken.,Ben", "\"It arrived broken.\",Ben")
    ),
    Mistake(
      "An empty line",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.csv"),
          "id,tags,input.ticket,input.customer,expected.kind,expected.flagged,expected.order\nwhere,,Where is it?,Ana,question,false,\"[\"\"48213\"\"]\"\n\nbroken,urgent,It arrived broken.,Ben,problem,true,\"[\"\"48214\"\"]\"\n"
        ),
      ],
      #"""
      datasets/tickets/cases.csv:3:1: error: not valid CSV: the line is empty
        3 | 
          | ^
        fix: remove it

      """#,
      .edit("\n\nbroken", "\nbroken")
    ),
    Mistake(
      "A column without its part",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.csv"),
          "id,tags,ticket,input.customer,expected.kind,expected.flagged,expected.order\nwhere,,Where is it?,Ana,question,false,\"[\"\"48213\"\"]\"\nbroken,urgent,It arrived broken.,Ben,problem,true,\"[\"\"48214\"\"]\"\n"
        ),
      ],
      #"""
      datasets/tickets/cases.csv:1:9: error: unknown column 'ticket'
        1 | id,tags,ticket,input.customer,expected.kind,expected.flagged,expected.or…
          |         ^
        fix: name it 'input.ticket' or 'expected.ticket'

      """#,
      .word
    ),
    Mistake(
      "No header",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.csv"),
          "where,,Where is it?,Ana,question,false,\"[\"\"48213\"\"]\"\nbroken,urgent,It arrived broken.,Ben,problem,true,\"[\"\"48214\"\"]\"\n"
        ),
      ],
      #"""
      datasets/tickets/cases.csv:1:1: error: the first row must name the columns
        1 | where,,Where is it?,Ana,question,false,"[""48213""]"
          | ^
        fix: begin the file with a header row such as 'id,input.message,expected.label'

      """#
    ),
    Mistake(
      "Spaces after commas",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.csv"),
          "id, tags, input.ticket, input.customer, expected.kind, expected.flagged, expected.order\nwhere, , Where is it?, Ana, question, false, \"[\"\"48213\"\"]\"\nbroken, urgent, It arrived broken., Ben, problem, true, \"[\"\"48214\"\"]\"\n"
        ),
      ],
      #"""
      datasets/tickets/cases.csv:1:4: error: there are spaces around the ',' between columns
        1 | id, tags, input.ticket, input.customer, expected.kind, expected.flagged,…
          |    ^
        fix: remove the spaces in all rows; the first row becomes: id,tags,input.ticket,input.customer,expected.kind,expected.flagged,expected.order

      """#,
      .all(", ", ",")
    ),
    Mistake(
      "A comma at the end of each line",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.csv"),
          "id,tags,input.ticket,input.customer,expected.kind,expected.flagged,expected.order,\nwhere,,Where is it?,Ana,question,false,\"[\"\"48213\"\"]\",\nbroken,urgent,It arrived broken.,Ben,problem,true,\"[\"\"48214\"\"]\",\n"
        ),
      ],
      #"""
      datasets/tickets/cases.csv:1:83: error: column 8 has no name
        1 | …ind,expected.flagged,expected.order,
          |                                      ^
        fix: remove the ',' at the end of each line, or name the column

      """#,
      .all(",\n", "\n")
    ),
    Mistake(
      "No id",
      [.replace(.cases, "- id: where\n  input", "- input")],
      #"""
      datasets/tickets/cases.yaml:1:3: error: a case needs 'id'
        1 | - input:
          |   ^
        fix: add 'id: …'

      """#,
      .edit("- input", "- id: where\n  input")
    ),
    Mistake(
      "An id that stands twice",
      [.replace(.cases, "- id: broken", "- id: where")],
      #"""
      datasets/tickets/cases.yaml:6:7: error: duplicate case id 'where', first on line 1
        6 | - id: where
          |       ^
        fix: rename one of the two

      """#,
      .edit("- id: where\n  tags", "- id: broken\n  tags")
    ),
    Mistake(
      "A name with a dot",
      [.replace(.suite, "dataset: tickets", "dataset: agree.ChatGPT")],
      #"""
      prompts/tickets/suite.yaml:3:10: error: there is no dataset 'agree.ChatGPT': neither the folder datasets/agree.ChatGPT nor the file prompts/tickets/agree.ChatGPT exists
        3 | dataset: agree.ChatGPT
          |          ^

      """#
    ),
    Mistake(
      "A path from the root",
      [.replace(.suite, "dataset: tickets", "dataset: datasets/tickets/cases.yaml")],
      #"""
      prompts/tickets/suite.yaml:3:10: error: file not found: prompts/tickets/datasets/tickets/cases.yaml
        3 | dataset: datasets/tickets/cases.yaml
          |          ^
        fix: write 'dataset: tickets', which is short for datasets/tickets/cases.*

      """#,
      .line
    ),
    Mistake(
      "The folder of a dataset",
      [.replace(.suite, "dataset: tickets", "dataset: ../../datasets/tickets")],
      #"""
      prompts/tickets/suite.yaml:3:10: error: '../../datasets/tickets' is a folder, not a file
        3 | dataset: ../../datasets/tickets
          |          ^
        fix: write 'dataset: tickets', which is short for datasets/tickets/cases.*

      """#,
      .line
    ),
    Mistake(
      "A misspelt dataset",
      [.replace(.suite, "dataset: tickets", "dataset: tikets")],
      #"""
      prompts/tickets/suite.yaml:3:10: error: there is no dataset 'tikets': no datasets/tikets/cases.* in YAML, JSONL or CSV
        3 | dataset: tikets
          |          ^
        fix: did you mean 'tickets'?

      """#,
      .word
    ),
    Mistake(
      "A file of JSON",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.json"),
          "[{\"id\":\"where\",\"tags\":[\"urgent\"],\"input\":{\"ticket\":\"Where?\",\"customer\":\"Ana\"},\"expected\":{\"kind\":\"question\",\"order\":[\"48213\"],\"flagged\":false}},\n{\"id\":\"broken\",\"input\":{\"ticket\":\"Broken.\",\"customer\":\"Ben\"},\"expected\":{\"kind\":\"problem\",\"order\":[\"48214\"],\"flagged\":true}}]\n"
        ),
      ],
      #"""
      prompts/tickets/suite.yaml:3:10: error: there is no dataset 'tickets': no datasets/tickets/cases.* in YAML, JSONL or CSV
        3 | dataset: tickets
          |          ^
        fix: rename the file: mv datasets/tickets/cases.json datasets/tickets/cases.yaml

      """#,
      .mv
    ),
    Mistake(
      "A file beside the folder",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets.yaml"),
          "- id: where\n  input:\n    ticket: Where is my order 48213?\n    customer: Ana\n  expected: {kind: question, order: [\"48213\"], flagged: false}\n- id: broken\n  tags: [urgent]\n  input:\n    ticket: It arrived broken.\n    customer: Ben\n  expected: {kind: problem, order: [\"48214\"], flagged: true}\n  assert:\n    - equals: {kind: problem}\n"
        ),
      ],
      #"""
      prompts/tickets/suite.yaml:3:10: error: there is no dataset 'tickets': no datasets/tickets/cases.* in YAML, JSONL or CSV
        3 | dataset: tickets
          |          ^
        fix: write 'dataset: ../../datasets/tickets.yaml'

      """#,
      .line
    ),
    Mistake(
      "A file with another name",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/case.yaml"),
          "- id: where\n  input:\n    ticket: Where is my order 48213?\n    customer: Ana\n  expected: {kind: question, order: [\"48213\"], flagged: false}\n- id: broken\n  tags: [urgent]\n  input:\n    ticket: It arrived broken.\n    customer: Ben\n  expected: {kind: problem, order: [\"48214\"], flagged: true}\n  assert:\n    - equals: {kind: problem}\n"
        ),
      ],
      #"""
      prompts/tickets/suite.yaml:3:10: error: there is no dataset 'tickets': no datasets/tickets/cases.* in YAML, JSONL or CSV
        3 | dataset: tickets
          |          ^
        fix: rename the file: mv datasets/tickets/case.yaml datasets/tickets/cases.yaml

      """#,
      .mv
    ),
    Mistake(
      "A list in a file of lines",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.jsonl"),
          "[\n{\"id\":\"where\",\"tags\":[\"urgent\"],\"input\":{\"ticket\":\"Where?\",\"customer\":\"Ana\"},\"expected\":{\"kind\":\"question\",\"order\":[\"48213\"],\"flagged\":false}},\n{\"id\":\"broken\",\"input\":{\"ticket\":\"Broken.\",\"customer\":\"Ben\"},\"expected\":{\"kind\":\"problem\",\"order\":[\"48214\"],\"flagged\":true}}\n]\n"
        ),
      ],
      #"""
      datasets/tickets/cases.jsonl:1:1: error: a JSONL file must have one case per line, not a list
        1 | [
          | ^
        fix: YAML accepts JSON lists, so rename the file: mv datasets/tickets/cases.jsonl datasets/tickets/cases.yaml

      """#,
      .mv
    ),
    Mistake(
      "A case over several lines",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.jsonl"),
          "{\n  \"id\": \"where\",\n  \"input\": {\"ticket\": \"x\", \"customer\": \"Ana\"}\n}\n"
        ),
      ],
      #"""
      datasets/tickets/cases.jsonl:1:1: error: a JSONL file must have one case per line, but the first case spans several lines
        1 | {
          | ^
        fix: put each case on one line, for example with 'jq -c .'

      """#
    ),
    Mistake(
      "A comma at the end of a line",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.jsonl"),
          "{\"id\":\"where\",\"tags\":[\"urgent\"],\"input\":{\"ticket\":\"Where?\",\"customer\":\"Ana\"},\"expected\":{\"kind\":\"question\",\"order\":[\"48213\"],\"flagged\":false}},\n{\"id\":\"broken\",\"input\":{\"ticket\":\"Broken.\",\"customer\":\"Ben\"},\"expected\":{\"kind\":\"problem\",\"order\":[\"48214\"],\"flagged\":true}}\n"
        ),
      ],
      #"""
      datasets/tickets/cases.jsonl:1:143: error: not valid JSON: text after the end of the JSON value
        1 | …,"order":["48213"],"flagged":false}},
          |                                      ^
        fix: remove the ',' at the end of the line

      """#,
      .edit("}},\n", "}}\n")
    ),
    Mistake(
      "Single quotes",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.jsonl"),
          "{\"id\":\"where\",\"tags\":[\"urgent\"],\"input\":{\"ticket\":\"Where?\",\"customer\":\"Ana\"},\"expected\":{\"kind\":\"question\",\"order\":[\"48213\"],\"flagged\":false}}\n{\"id\":\"broken\",\"input\":{\"ticket\":\"Broken.\",\"customer\":\"Ben\"},\"expected\":{\"kind\":\"problem\",\"order\":[\"48214\"],\"flagged\":True}}\n"
        ),
      ],
      #"""
      datasets/tickets/cases.jsonl:2:119: error: not valid JSON: expected a JSON value
        2 | …roblem","order":["48214"],"flagged":True}}
          |                                      ^
        fix: write true

      """#,
      .value
    ),
    Mistake(
      "A comment",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.jsonl"),
          "# cases\n{\"id\":\"where\",\"tags\":[\"urgent\"],\"input\":{\"ticket\":\"Where?\",\"customer\":\"Ana\"},\"expected\":{\"kind\":\"question\",\"order\":[\"48213\"],\"flagged\":false}}\n{\"id\":\"broken\",\"input\":{\"ticket\":\"Broken.\",\"customer\":\"Ben\"},\"expected\":{\"kind\":\"problem\",\"order\":[\"48214\"],\"flagged\":true}}\n"
        ),
      ],
      #"""
      datasets/tickets/cases.jsonl:1:1: error: not valid JSON: expected a JSON value
        1 | # cases
          | ^
        fix: remove the comment; JSON does not allow comments

      """#,
      .edit("# cases\n", "")
    ),
    Mistake(
      "A trailing comma",
      [
        .remove(.cases),
        .write(
          .other("datasets/tickets/cases.jsonl"),
          "{\"id\":\"where\",\"tags\":[\"urgent\"],\"input\":{\"ticket\":\"Where?\",\"customer\":\"Ana\"},\"expected\":{\"kind\":\"question\",\"order\":[\"48213\"],\"flagged\":false}}\n{\"id\":\"broken\",\"input\":{\"ticket\":\"Broken.\",\"customer\":\"Ben\"},\"expected\":{\"kind\":\"problem\",\"order\":[\"48214\"],\"flagged\":true},}\n"
        ),
      ],
      #"""
      datasets/tickets/cases.jsonl:2:125: error: not valid JSON: expected a member name in double quotes
        2 | …","order":["48214"],"flagged":true},}
          |                                      ^
        fix: remove the ',' before '}'

      """#,
      .edit("},}", "}}")
    ),
    Mistake(
      "Cases below a key",
      [
        .write(
          .cases,
          "tests:\n  - id: where\n    input:\n      ticket: Where is my order 48213?\n      customer: Ana\n    expected: {kind: question, order: [\"48213\"], flagged: false}\n  - id: broken\n    tags: [urgent]\n    input:\n      ticket: It arrived broken.\n      customer: Ben\n    expected: {kind: problem, order: [\"48214\"], flagged: true}\n    assert:\n      - equals: {kind: problem}\n"
        )
      ],
      #"""
      datasets/tickets/cases.yaml:1:1: error: a dataset must be a list of cases, not a mapping
        1 | tests:
          | ^
        fix: remove 'tests:'

      """#,
      .edit("tests:\n", "")
    ),
    Mistake(
      "A mapping of cases",
      [
        .write(
          .cases,
          "where:\n  tags: [urgent]\n  input: {ticket: a, customer: b}\n  expected: {kind: question, order: [\"1\"], flagged: false}\n"
        )
      ],
      #"""
      datasets/tickets/cases.yaml:1:1: error: a dataset must be a list of cases, not a mapping
        1 | where:
          | ^
        fix: write '- id: where' instead of 'where:'

      """#,
      .line
    ),
    Mistake(
      "An empty file",
      [.write(.cases, "")],
      #"""
      datasets/tickets/cases.yaml: error: the file is empty

      """#
    ),
  ]
}
