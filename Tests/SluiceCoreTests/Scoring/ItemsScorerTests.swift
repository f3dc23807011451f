import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Items scorer")
struct ItemsScorerTests {
  /// The configuration of the action items suite.
  private let items = ScoringFixture(
    """
    - items:
        path: found
        expected: items
        match: description
        fields: [assignedTo, dueDate]
    """
  )

  private func measured(
    expected: Int,
    extracted: Int,
    matched: Int,
    right: Int = 0,
    scored: Int = 0
  ) -> JSONObject {
    [
      "expected": .number(Double(expected)), "extracted": .number(Double(extracted)),
      "matched": .number(Double(matched)), "right": .number(Double(right)),
      "scored": .number(Double(scored)),
    ]
  }

  private func answer(_ items: [JSONValue]) -> String {
    JSONValue.object(["found": .array(items)]).jsonText
  }

  private func described(_ texts: String...) -> [JSONValue] {
    texts.map { ["description": .string($0)] }
  }

  // MARK: The cases of the product

  @Test("TEST-2.7: one item of the sender, due on Friday")
  func test27() {
    let expected: JSONValue = [
      "items": [
        ["description": "Review design", "assignedTo": "ana", "dueDate": "2026-11-20"]
      ]
    ]
    #expect(
      items.score(
        answer([
          ["description": "Review the design", "assignedTo": "ana", "dueDate": "2026-11-20"]
        ]),
        expecting: expected
      )
        == Score(
          .passed,
          explanation: "one item as expected",
          measurements: measured(expected: 1, extracted: 1, matched: 1, right: 2, scored: 2)
        )
    )
    #expect(
      items.score(
        answer([["description": "Review design", "assignedTo": "ben", "dueDate": nil]]),
        expecting: expected
      )
        == Score(
          .failed,
          explanation: #""Review design": expected assignedTo "ana", got "ben"; "#
            + #""Review design": expected dueDate "2026-11-20", got null"#,
          measurements: measured(expected: 1, extracted: 1, matched: 1, right: 0, scored: 2)
        )
    )
  }

  @Test("TEST-2.8: one item of the recipient, due today")
  func test28() {
    #expect(
      items.score(
        answer([
          [
            "description": "Test the staging environment", "assignedTo": "ben",
            "dueDate": "2026-11-18",
          ]
        ]),
        expecting: [
          "items": [
            [
              "description": "Test staging environment", "assignedTo": "ben",
              "dueDate": "2026-11-18",
            ]
          ]
        ]
      )
        == Score(
          .passed,
          explanation: "one item as expected",
          measurements: measured(expected: 1, extracted: 1, matched: 1, right: 2, scored: 2)
        )
    )
  }

  @Test(
    "TEST-2.9: two items with the correct assignees; the first item's due date is not scored",
    arguments: [nil, "2026-11-19", "2026-12-24"] as [JSONValue]
  )
  func test29(_ dueDate: JSONValue) {
    let expected: JSONValue = [
      "items": [
        ["description": "Update docs", "assignedTo": "ana"],
        ["description": "Review docs", "assignedTo": "ben", "dueDate": "2026-11-19"],
      ]
    ]
    let update: JSONValue = [
      "description": "Update the docs", "assignedTo": "ana", "dueDate": dueDate,
    ]
    let review: JSONValue = ["description": "Review", "assignedTo": "ben", "dueDate": "2026-11-19"]
    for order in [[update, review], [review, update]] {
      #expect(
        items.score(answer(order), expecting: expected)
          == Score(
            .passed,
            explanation: "2 items as expected",
            measurements: measured(expected: 2, extracted: 2, matched: 2, right: 3, scored: 3)
          )
      )
    }
    #expect(
      items.score(answer([update]), expecting: expected)
        == Score(
          .failed,
          explanation: #"missing "Review docs""#,
          measurements: measured(expected: 2, extracted: 1, matched: 1, right: 1, scored: 1)
        )
    )
  }

  // MARK: Judging

  @Test("If nothing is expected, an empty list or null passes and any item fails")
  func none() {
    for found in ["[]", "null"] {
      #expect(
        items.score("{\"found\":\(found)}", expecting: ["items": []])
          == Score(
            .passed,
            explanation: "no items as expected",
            measurements: measured(expected: 0, extracted: 0, matched: 0)
          )
      )
    }
    #expect(
      items.score(answer(described("Call Bob")), expecting: ["items": []])
        == Score(
          .failed,
          explanation: #"not expected: "Call Bob""#,
          measurements: measured(expected: 0, extracted: 1, matched: 0)
        )
    )
  }

  @Test("Missing, wrong and unexpected items are all named, in the order of the case")
  func faults() {
    #expect(
      items.score(
        answer([
          ["description": "Send invoice", "assignedTo": "ana", "dueDate": "2026-11-20"], "Call Bob",
          ["task": "x"],
        ]),
        expecting: [
          "items": [
            ["description": "Fix build", "assignedTo": nil],
            ["description": "Send invoices", "assignedTo": "ben", "dueDate": nil],
          ]
        ]
      )
        == Score(
          .failed,
          explanation: #"missing "Fix build"; "#
            + #""Send invoices": expected assignedTo "ben", got "ana"; "#
            + #""Send invoices": expected dueDate null, got "2026-11-20"; "#
            + #"not expected: ""Call Bob""; not expected: "{"task":"x"}""#,
          measurements: measured(expected: 2, extracted: 3, matched: 1, right: 0, scored: 2)
        )
    )
  }

  @Test(
    "An unusable answer contains no items",
    arguments: ScoringUnusableAnswer.withoutFound
  )
  func unusable(_ unusable: ScoringUnusableAnswer) {
    for count in [0, 2] {
      let expected = JSONValue.array(Array(described("a1", "b1").prefix(count)))
      #expect(
        items.score(unusable.response, expecting: ["items": expected])
          == Score(
            .failed,
            isUnusable: true,
            explanation: unusable.reason,
            measurements: measured(expected: count, extracted: 0, matched: 0)
          )
      )
    }
  }

  @Test(
    "A value that is not a list is unusable",
    arguments: [
      (#"{"description":"a1"}"#, "object"), (#""a1""#, "string"), ("true", "boolean"),
      ("0", "number"),
    ]
  )
  func noList(_ value: String, _ type: String) {
    #expect(
      items.score("{\"found\":\(value)}", expecting: ["items": .array(described("a1"))])
        == Score(
          .failed,
          isUnusable: true,
          explanation: "expected found to be a list, got \(type)",
          measurements: measured(expected: 1, extracted: 0, matched: 0)
        )
    )
  }

  @Test("A field that the case omits is not scored, and a null field must be absent")
  func fields() {
    func score(_ wanted: JSONObject, _ got: JSONObject) -> String? {
      var (wanted, got) = (wanted, got)
      wanted["description"] = "a1"
      got["description"] = "a1"
      return items.score(answer([.object(got)]), expecting: ["items": [.object(wanted)]])
        .map { "\($0.outcome) \($0.measurements["right"] ?? 0) \($0.measurements["scored"] ?? 0)" }
    }
    func said(_ outcome: Score.Outcome, _ right: JSONValue, _ scored: JSONValue) -> String {
      "\(outcome) \(right) \(scored)"
    }
    #expect(score([:], ["dueDate": "x"]) == said(.passed, 0, 0))
    #expect(score(["dueDate": nil], [:]) == said(.passed, 1, 1))
    #expect(score(["dueDate": nil], ["dueDate": nil]) == said(.passed, 1, 1))
    #expect(score(["dueDate": nil], ["dueDate": ""]) == said(.failed, 0, 1))
    #expect(score(["dueDate": "x"], ["dueDate": "x"]) == said(.passed, 1, 1))
    #expect(score(["dueDate": "x"], [:]) == said(.failed, 0, 1))
    #expect(score(["dueDate": "x"], ["dueDate": "X"]) == said(.failed, 0, 1))
    #expect(score(["dueDate": "\u{e9}"], ["dueDate": "e\u{301}"]) == said(.failed, 0, 1))
    #expect(
      score(["dueDate": [1, ["a": 1, "b": 2]]], ["dueDate": [1, ["b": 2, "a": 1]]])
        == said(.passed, 1, 1)
    )
    #expect(score(["dueDate": "x", "assignedTo": nil], ["assignedTo": "y"]) == said(.failed, 0, 2))
  }

  // MARK: Matching

  @Test(
    "The threshold is inclusive",
    arguments: [
      ("at-least: 0.5", "a1 b1", "a1 c1", true), ("at-least: 0.51", "a1 b1", "a1 c1", false),
      ("at-least: 1", "a1 b1", "b1 a1", true), ("at-least: 1", "a1 b1", "a1", false),
      ("at-least: 0", "a1", "b1", true), ("similarity: words", "a1 b1", "a1 c1", true),
      ("similarity: words", "a1 b1 c1", "a1 d1 e1", false),
      ("similarity: exact", "a1", "a1", true), ("similarity: exact", "a1", "A1", false),
      ("similarity: exact, at-least: 0", "a1", "b1", true),
    ]
  )
  func threshold(_ arguments: String, _ wanted: String, _ got: String, _ isMatched: Bool) {
    let fixture = ScoringFixture(
      "- items: {path: found, expected: items, match: description, \(arguments)}"
    )
    let score = fixture.score(
      answer(described(got)),
      expecting: ["items": .array(described(wanted))]
    )
    #expect(score?.measurements["matched"] == .number(isMatched ? 1 : 0))
    #expect(score?.outcome == (isMatched ? .passed : .failed))
  }

  @Test("The matching is not greedy: a best pair is split if more items match overall")
  func notGreedy() {
    // Both expected items match the first extracted item best (1 and 2/3). But only the first
    // expected item also matches the second extracted item (4/7), so it must take that one.
    #expect(
      items.score(
        answer(described("a1 b1 c1", "a1 b1 x1 y1")),
        expecting: ["items": .array(described("a1 b1 c1", "b1 c1 z1"))]
      )
        == Score(
          .passed,
          explanation: "2 items as expected",
          measurements: measured(expected: 2, extracted: 2, matched: 2)
        )
    )
  }

  @Test("The total similarity decides: two perfect pairs win over three half-similar ones")
  func similarityBeforePairs() {
    #expect(
      items.score(
        answer(described("z1 a1", "a1 b1", "b1 c1")),
        expecting: ["items": .array(described("a1 b1", "b1 c1", "c1 d1"))]
      )
        == Score(
          .failed,
          explanation: #"missing "c1 d1"; not expected: "z1 a1""#,
          measurements: measured(expected: 3, extracted: 3, matched: 2)
        )
    )
  }

  @Test("Of matchings with equal totals, the one with more pairs is used")
  func pairsBreakTies() {
    #expect(
      items.score(
        answer(described("z1 a1", "a1 b1")),
        expecting: ["items": .array(described("a1 b1", "b1 c1"))]
      )?.measurements == measured(expected: 2, extracted: 2, matched: 2)
    )
  }

  @Test("Between equally similar items, the fields decide")
  func fieldsBreakTies() {
    let expected: JSONValue = [
      "items": [
        ["description": "a1", "assignedTo": "ana"], ["description": "a1", "assignedTo": "ben"],
      ]
    ]
    let ana: JSONValue = ["description": "a1", "assignedTo": "ana"]
    let ben: JSONValue = ["description": "a1", "assignedTo": "ben"]
    for order in [[ana, ben], [ben, ana]] {
      #expect(
        items.score(answer(order), expecting: expected)?.measurements
          == measured(expected: 2, extracted: 2, matched: 2, right: 2, scored: 2)
      )
    }
  }

  @Test("Fields never outweigh similarity")
  func similarityBeforeFields() {
    #expect(
      items.score(
        answer([
          ["description": "a1 b1 c1", "assignedTo": "ben"],
          ["description": "a1 b1", "assignedTo": "ana"],
        ]),
        expecting: ["items": [["description": "a1 b1 c1", "assignedTo": "ana"]]]
      )?.explanation
        == #""a1 b1 c1": expected assignedTo "ana", got "ben"; not expected: "a1 b1""#
    )
  }

  // MARK: Properties

  private struct Lists {
    var expected: [JSONValue]
    var extracted: [JSONValue]
  }

  /// Returns lists of items that share many words and values, which causes many ties.
  private func lists(_ random: inout SeededGenerator, withFields: Bool = true) -> Lists {
    func list(_ random: inout SeededGenerator, leavesOut: Bool) -> [JSONValue] {
      (0..<Int.random(in: 0...5, using: &random)).map { _ in
        let words = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          ["a1", "b1", "c1", "d1", "e1"][Int.random(in: 0..<5, using: &random)]
        }
        var item: JSONObject = ["description": .string(words.joined(separator: " "))]
        for field in withFields ? ["assignedTo", "dueDate"] : [] {
          if leavesOut, Bool.random(using: &random) { continue }
          item[field] = [nil, "x", "y"][Int.random(in: 0..<3, using: &random)]
        }
        return .object(item)
      }
    }
    return Lists(
      expected: list(&random, leavesOut: true),
      extracted: list(&random, leavesOut: false)
    )
  }

  @Test("The order of items does not affect the score", arguments: 0..<200)
  func order(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let lists = lists(&random)
    let first = items.score(answer(lists.extracted), expecting: ["items": .array(lists.expected)])
    for _ in 0..<5 {
      let expected = lists.expected.shuffled(using: &random)
      let extracted = lists.extracted.shuffled(using: &random)
      let score = items.score(answer(extracted), expecting: ["items": .array(expected)])
      #expect(score?.outcome == first?.outcome)
      #expect(
        score?.measurements == first?.measurements,
        "\(lists.expected.map(\.jsonText)) \(lists.extracted.map(\.jsonText))"
      )
    }
  }

  @Test(
    "If expected and extracted items are swapped, precision and recall swap",
    arguments: 0..<200
  )
  func swap(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let lists = lists(&random, withFields: false)
    let there = items.score(answer(lists.extracted), expecting: ["items": .array(lists.expected)])
    let back = items.score(answer(lists.expected), expecting: ["items": .array(lists.extracted)])
    let (matched, expected, extracted) = ("matched", "expected", "extracted")
    #expect(there?.measurements[matched] == back?.measurements[matched])
    #expect(there?.measurements[expected] == back?.measurements[extracted])
    #expect(there?.measurements[extracted] == back?.measurements[expected])
    #expect(there?.outcome == back?.outcome)
  }

  @Test("The matching has the largest possible total similarity", arguments: 0..<100)
  func optimal(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let lists = lists(&random, withFields: false)
    func text(_ item: JSONValue) -> String { item["description"]?.string ?? "" }
    // Returns the best total over all ways to match the remaining expected items.
    func most(_ row: Int, _ used: Set<Int>) throws -> (total: Double, pairs: Int) {
      guard row < lists.expected.count else { return (0, 0) }
      var best = try most(row + 1, used)
      for column in lists.extracted.indices where !used.contains(column) {
        let similarity = try ItemSimilarity.words.of(
          text(lists.expected[row]),
          text(lists.extracted[column])
        )
        guard similarity >= 0.5 else { continue }
        let rest = try most(row + 1, used.union([column]))
        let (total, pairs) = (rest.total + similarity, rest.pairs + 1)
        let isTie = abs(total - best.total) < 1e-9
        if isTie ? pairs > best.pairs : total > best.total { best = (total, pairs) }
      }
      return best
    }
    let score = items.score(answer(lists.extracted), expecting: ["items": .array(lists.expected)])
    #expect(score?.measurements["matched"] == .number(Double(try most(0, []).pairs)))
  }

  // MARK: Limits

  @Test("The explanation for very many items is short and on one line")
  func short() {
    let texts = (1...1_000).map { JSONValue.object(["description": .string("line\n\($0)")]) }
    #expect(
      items.score(answer(texts), expecting: ["items": []])?.explanation
        == (1...10).map { #"not expected: "line\n\#($0)""# }.joined(separator: "; ")
        + "; and 990 more"
    )
  }

  @Test("A long answer is scored to its end")
  func longAnswer() {
    let one = String(repeating: "word ", count: 50_000)
    #expect(
      items.score(answer(described(one)), expecting: ["items": .array(described("word"))])?.outcome
        == .passed
    )
    let many = (0..<10_000).map {
      JSONValue.object([
        "description": .string("item \($0) of so many that hold not much of a text")
      ])
    }
    let score = items.score(
      answer(many),
      expecting: ["items": .array(described("item 9999 so many that hold not much text"))]
    )
    #expect(score?.measurements == measured(expected: 1, extracted: 10_000, matched: 1))
  }

  // MARK: Arguments

  @Test("Metrics cover the items of all cases")
  func metrics() throws {
    let scorer = try #require(items.scorers.first).scorer
    #expect(scorer.traits.expectedKeys == ["items"])
    #expect(
      scorer.traits.metrics == [
        MetricDefinition("precision", .ratio(of: [.init("matched")], to: [.init("extracted")])),
        MetricDefinition("recall", .ratio(of: [.init("matched")], to: [.init("expected")])),
        MetricDefinition(
          "f1",
          .ratio(of: [.init("matched", times: 2)], to: [.init("extracted"), .init("expected")])
        ),
        MetricDefinition("field-accuracy", .ratio(of: [.init("right")], to: [.init("scored")])),
      ]
    )
  }

  @Test("Every error in the arguments is reported")
  func arguments() {
    #expect(
      ScoringFixture("- items: {path: a, at-least: half, fields: b, mach: c}").said == """
        suite.yaml:1:10: error: the scorer 'items' needs 'expected'
          1 | - items: {path: a, at-least: half, fields: b, mach: c}
            |          ^
          fix: add 'expected: …'
        suite.yaml:1:30: error: 'at-least' must be a number, not a text
          1 | - items: {path: a, at-least: half, fields: b, mach: c}
            |                              ^
        suite.yaml:1:44: error: 'fields' must be a list of names, or a mapping of names to comparisons, not a text
          1 | - items: {path: a, at-least: half, fields: b, mach: c}
            |                                            ^
        suite.yaml:1:47: error: unknown key 'mach' in the scorer 'items'
          1 | - items: {path: a, at-least: half, fields: b, mach: c}
            |                                               ^
          fix: did you mean 'match'?

        """
    )
    let yaml = """
      - items: {path: a, expected: b, match: c,
          similarity: word, at-least: 1.5, threshold: 1}
      """
    #expect(
      ScoringFixture(yaml).said == """
        suite.yaml:2:17: error: unknown similarity 'word'
          2 |     similarity: word, at-least: 1.5, threshold: 1}
            |                 ^
          fix: did you mean 'words'?
        suite.yaml:2:33: error: 'at-least' must be between 0 and 1
          2 |     similarity: word, at-least: 1.5, threshold: 1}
            |                                 ^
        suite.yaml:2:38: error: unknown key 'threshold' in the scorer 'items'
          2 |     similarity: word, at-least: 1.5, threshold: 1}
            |                                      ^
          fix: known: path, expected, match, similarity, at-least, fields, participants,
               sent-at

        """
    )
  }

  @Test("A case must expect a list of items with the suite's fields")
  func expectation() throws {
    #expect(try items.complaints(about: "{items: []}") == "")
    #expect(try items.complaints(about: "{items: [{description: a, dueDate: null}]}") == "")
    #expect(
      try items.complaints(
        about: "{items: [a, {descripton: a}, {description: 1, duedate: x}]}"
      ) == """
        cases.yaml:3:22: error: an expected item must be a mapping, not a text
          3 |   expected: {items: [a, {descripton: a}, {description: 1, duedate: x}]}
            |                      ^
        cases.yaml:3:25: error: an expected item needs a text under 'description'
          3 |   expected: {items: [a, {descripton: a}, {description: 1, duedate: x}]}
            |                         ^
        cases.yaml:3:26: error: unknown field 'descripton' of an item
          3 |   expected: {items: [a, {descripton: a}, {description: 1, duedate: x}]}
            |                          ^
          fix: did you mean 'description'?
        cases.yaml:3:42: error: an expected item needs a text under 'description'
          3 |   expected: {items: [a, {descripton: a}, {description: 1, duedate: x}]}
            |                                          ^
        cases.yaml:3:59: error: unknown field 'duedate' of an item
          3 |   expected: {items: [a, {descripton: a}, {description: 1, duedate: x}]}
            |                                                           ^
          fix: did you mean 'dueDate'?

        """
    )
    #expect(
      try items.complaints(about: "{items: {description: a}}") == """
        cases.yaml:3:21: error: 'expected.items' must be a list, not a mapping
          3 |   expected: {items: {description: a}}
            |                     ^

        """
    )
    #expect(
      try items.complaints(about: "{itmes: []}") == """
        cases.yaml:1:7: error: the case 'a' has no 'expected.items', which the scorer 'items' compares with
          1 | - id: a
            |       ^
          fix: did you mean 'items' instead of 'itmes'?

        """
    )
  }
}
