import Foundation
import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Expressions")
struct ExpressionTests {
  private static let order = #"""
    {"total": 10.5, "items": [{"name": "tea", "price": 3.5}, {"name": "cup", "price": 7}],
     "note": "Paid.", "tags": ["a", "b", "a"], "lists": [{"inner": [1, 2]}, {"inner": [3]}], "ok": true, "none": null, "order-number": "48213"}
    """#

  private func value(_ expression: String, _ text: String = Self.order) -> String {
    let testCase = TestCase(
      id: "late",
      tags: ["clean"],
      input: ["limit": 11, "names": ["tea", "cup"]],
      expected: ["total": 10.5, "kind": "order"]
    )
    do throws(ExpressionParser.Problem) {
      var evaluator = ExpressionEvaluator(
        try ExpressionParser.parse(expression),
        Answer(ModelResponse(text: text)),
        testCase
      )
      do throws(ExpressionEvaluator.Fault) {
        return try evaluator.value().jsonText
      } catch {
        if case .value(let reason) = error { return reason }
        return "too expensive"
      }
    } catch {
      return "\(error.offset): \(error.message)" + (error.fix.map { "; \($0)" } ?? "")
    }
  }

  @Test(
    "An expression evaluates to its documented value",
    arguments: [
      ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("7 % 4 - -2", "5"), ("1 / 4", "0.25"),
      ("2 < 3 and not (3 < 2)", "true"), ("false or true and false", "false"),
      ("'a' + \"b\"", #""ab""#), ("[1, 2] + [3]", "[1,2,3]"), ("[1, 2] == [1, 2.0]", "true"),
      ("len(answer.items) <= 3 and answer.total == sum(answer.items[*].price)", "true"),
      ("answer.items[*].price", "[3.5,7]"),
      ("map(keys(answer.items[1]), answer.items[1][item])", #"["cup",7]"#),
      ("answer.items.price", "null"),
      ("answer.items[*].size", "[null,null]"), ("answer.tags[*].name", "[null,null,null]"),
      ("answer.lists[*].inner[*]", "[1,2,3]"), ("answer.lists[*].inner", "[[1,2],[3]]"),
      ("answer.items['price']", "null"), ("answer.total.price", "null"),
      ("answer.note.length_", "null"),
      ("answer.total[0]", "null"), ("answer.none == null", "true"), ("answer.none != 3", "true"),
      ("exists(answer.items.price)", "false"), ("all([], item > 0)", "true"),
      ("answer.items[0].name", #""tea""#), ("answer.items[-1].name", #""cup""#),
      ("answer.items[9].name", "null"), ("answer.nothing.at.all", "null"),
      (#"answer["order-number"]"#, #""48213""#), ("number(answer['order-number']) > 48212", "true"),
      ("input.limit > answer.total", "true"), ("expected.kind == 'order'", "true"),
      ("id + tags[0]", #""lateclean""#), ("'clean' in tags", "true"),
      ("all(answer.items, item.price > 3)", "true"), ("any(answer.items, item.price > 7)", "false"),
      ("count(answer.items, item.name in input.names)", "2"), ("count(answer.tags)", "3"),
      ("filter(answer.tags, item != 'a')", #"["b"]"#),
      ("map(answer.items, item.price * 2)", "[7,14]"),
      ("all(answer.items, any(input.names, item == 'tea'))", "true"),
      ("unique(answer.tags)", #"["a","b"]"#), ("sort([3, 1, 2])", "[1,2,3]"),
      ("sort(answer.tags)", #"["a","a","b"]"#), ("max([1, 5]) - min(2, 3)", "3"),
      ("mean([1, 2, 6])", "3"), ("sum([])", "0"), ("0.1 + 0.2 == 0.3", "true"),
      ("0.1 + 0.2 <= 0.3", "true"), ("0.1 + 0.2 > 0.3", "false"), ("1 == '1'", "false"),
      ("round(2.567, 2)", "2.57"), ("round(-2.5)", "-3"), ("abs(-3)", "3"),
      ("lower('ÄB') + upper('c')", #""äbC""#), ("trim('  a ')", #""a""#),
      ("split('a, b', ', ')", #"["a","b"]"#), ("join(['a', 'b'], '-')", #""a-b""#),
      ("len(words(' one two '))", "2"), ("text(12)", #""12""#), ("text('x')", #""x""#),
      ("starts_with(answer.note, 'Pa') and ends_with(answer.note, '.')", "true"),
      (#"matches(answer.note, "^P\w+\.$")"#, "true"), ("'aid' in answer.note", "true"),
      ("'x' not in answer.note", "true"), ("'note' in answer", "true"),
      ("keys(answer.items[0])", #"["name","price"]"#),
      ("exists(answer.none) or exists(answer.ok)", "true"), ("'2026-01-02' > '2025-12-31'", "true"),
      ("answer.none == null or answer.none > 3", "true"), ("number('about 1,234 pieces')", "1234"),
      ("answer.ok", "true"), ("[answer.total, 'x'][1]", #""x""#),
    ]
  )
  func values(_ expression: String, _ expected: String) {
    #expect(value(expression) == expected)
  }

  @Test(
    "A missing or unsuitable value in the answer gives a reason, not a value",
    arguments: [
      ("answer.none > 3", "answer.none is null, not a number"),
      ("answer.none + 1 > 3", "answer.none is null, not a number"),
      ("not answer.total", "answer.total is 10.5, not true or false"),
      (
        "answer.total / (answer.total - 10.5)",
        "answer.total - 10.5 is 0, so the division is not possible"
      ),
      ("sum(answer.tags) > 1", #"answer.tags is "a", not a list of numbers"#),
      ("len(answer.total) > 1", "answer.total is 10.5, not a text, a list or an object"),
      ("mean(answer.missing[*])", "answer.missing is null, not a list"),
      (
        "all(answer.items[0][*], item > 0)",
        #"answer.items[0] is {"name":"tea","price":3.5}, not a list"#
      ),
      ("answer.items[0][*].a == []", #"answer.items[0] is {"name":"tea","price":3.5}, not a list"#),
      ("all(answer.missing[*].price, item > 0)", "answer.missing is null, not a list"),
      ("all(answer.missing, item > 0)", "answer.missing is null, not a list"),
      ("all(answer.items.price, item > 0)", "answer.items.price is null, not a list"),
      ("not any(answer.items.price, item > 9)", "answer.items.price is null, not a list"),
      ("count(answer.items.bad) == 0", "answer.items.bad is null, not a list"),
      ("len(answer.items.bad) == 0", "answer.items.bad is null, not a text, a list or an object"),
      ("sum(answer.items.bad) == 0", "answer.items.bad is null, not a list"),
      ("filter(answer.items.bad, item) == []", "answer.items.bad is null, not a list"),
      ("unique(answer.items.bad) == []", "answer.items.bad is null, not a list"),
      ("all(answer.items[*].size, item > 0)", "item is null, not a number"),
      ("sum(answer.items[*].size) == 0", "answer.items[*].size is null, not a list of numbers"),
      ("not (answer.none > 0)", "answer.none is null, not a number"),
      ("not answer.none", "answer.none is null, not true or false"),
      ("-answer.none < 0", "answer.none is null, not a number"),
      ("'a' not in answer.none", "answer.none is null, not a list or a text"),
      ("all(answer.tags[*].ok)", "answer.tags[*].ok is null, not a list of true and false"),
      ("answer.tags[*].inner[*] == []", "answer.tags[*].inner is null, not a list of lists"),
      ("number(answer.note)", #"answer.note is "Paid.", not one number"#),
      ("'a' in answer.total", "answer.total is 10.5, not a list or a text"),
    ]
  )
  func faults(_ expression: String, _ reason: String) {
    #expect(value(expression) == reason)
  }

  @Test(
    "A syntax error is reported at its position, with the correct syntax",
    arguments: [
      ("", "0: expected a value"), ("1 +", "3: expected a value"), ("(1", "2: expected ')'"),
      ("1 2", "2: unexpected '2'"),
      ("1 < 2 < 3", "6: comparisons cannot be chained; write, for example, 'a < b and b < c'"),
      ("answer.a && true", "9: unknown operator '&&'; write 'and'"),
      ("answer.a = 1", "9: unknown operator '='; write '=='"),
      ("!answer.a", "0: unknown operator '!'; write 'not'"),
      (
        "output.length < 3",
        "0: unknown name 'output'; write 'answer', or 'text' for the unchanged text"
      ),
      ("answer.items.length < 3", "13: values have no member 'length'; write 'len(answer.items)'"),
      (
        "text.includes('a')",
        "5: values have no methods, but 'includes()' is called as one; write 'PART in TEXT'"
      ),
      ("lenn(text)", "0: unknown function 'lenn'; did you mean 'len'?"),
      ("anwser.a", "0: unknown name 'anwser'; did you mean 'answer'?"),
      ("len()", "0: 'len' takes 1 value, not 0"),
      (
        "item.price",
        "0: 'item' is an element of a list; it exists only inside all, any, count, filter and "
          + "map; write, for example, 'all(answer.items, item.price > 0)'"
      ),
      (
        "matches(text, answer)",
        "14: the pattern of 'matches' must be a quoted text; write, for example, 'matches(text, "
          + "\"^[A-Z]\")'"
      ),
      ("matches(text, '(')", "14: not a valid pattern: missing closing parenthesis"),
      ("'abc", "0: the text has no closing quotation mark '"),
      ("'\\q'", "1: unknown escape '\\q'; write '\\\\' for a backslash"),
      ("{{x}} == 1", "0: unknown operator '{{'; write 'input.NAME' or 'expected.NAME'"),
    ]
  )
  func problems(_ expression: String, _ problem: String) {
    #expect(value(expression) == problem)
  }

  @Test("The explanation shows the values of both sides")
  func explanations() {
    let scorers = ScoringFixture(
      "- expression: len(answer.items) <= 1 and answer.total == sum(answer.items[*].price)"
    )
    #expect(
      scorers.score(Self.order)?.explanation
        == "expected the answer to satisfy len(answer.items) <= 1 and answer.total == "
        + "sum(answer.items[*].price), len(answer.items) is 2"
    )
    #expect(
      ScoringFixture("- expression: all(answer.items, item.price > 4)").score(Self.order)?
        .explanation
        == "expected the answer to satisfy all(answer.items, item.price > 4), "
        + #"answer.items[0] is {"name":"tea","price":3.5}"#
    )
  }

  @Test(
    "An answer without the requested value is unusable, also with 'not-'",
    arguments: ["", "not-"]
  )
  func unusable(_ prefix: String) {
    let score = ScoringFixture("- \(prefix)expression: answer.total > 3").score("no JSON")
    #expect(score?.outcome == .failed)
    #expect(score?.isUnusable == true)
  }

  @Test(
    "No condition on a member of a bare list holds because there is nothing to check",
    arguments: ["", "not-"],
    ["all(answer.items, item > 0)", "not any(answer.items, item > 0)", "count(answer.items) == 0"]
  )
  func bareList(_ prefix: String, _ expression: String) {
    let score = ScoringFixture("- \(prefix)expression: \(expression)").score("[1, 2]")
    #expect(score?.outcome == .failed)
    #expect(score?.isUnusable == true)
  }

  @Test("The documentation shows the same grammar as the parser's comment")
  func grammar() throws {
    var root = URL(filePath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    func text(_ path: String) throws -> String {
      try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
    let source = try text("Sources/SluiceCore/Scoring/Expressions/ExpressionParser.swift")
    let comment = source.components(separatedBy: "/// ```\n")[1]
      .components(separatedBy: "\n").map { $0.replacing("/// ", with: "") }.joined(separator: "\n")
    #expect(try text("docs/expressions.md").contains("```\n\(comment)```\n"))
  }

  @Test("An error in an expression is shown with a caret at its position")
  func caret() {
    #expect(
      ScoringFixture("- expression: len(answer.items) => 3").said == """
        suite.yaml:1:33: error: not a valid expression: unknown operator '=>'
          1 | - expression: len(answer.items) => 3
            |                                 ^
          fix: write only the condition, with 'item' for the element

        """
    )
  }

  @Test("An expression can read the case's expectation, also inside an assert-set")
  func cases() {
    let yaml = "- assert-set: {assert: [expression: answer.total == expected.total]}"
    #expect(ScoringFixture(yaml).score(Self.order, expecting: ["total": 10.5])?.outcome == .passed)
    #expect(ScoringFixture(yaml).score(Self.order, expecting: ["total": 9])?.outcome == .failed)
    #expect(ScoringFixture(yaml).scorers.first?.traits.expectedKeys == ["total"])
  }

  @Test(
    "An evaluation that takes too long is stopped, and the answer is unscored",
    arguments: [
      "all(answer, all(answer, len(answer) > 0))", "len(map(answer, text(answer))) > 0",
      "all(answer, answer == answer)", "any(answer, matches(text, 'b'))",
    ]
  )
  func bounds(_ expression: String) {
    let text = "[" + Array(repeating: "1", count: 20_000).joined(separator: ",") + "]"
    #expect(ScoringFixture("- expression: \(expression)").score(text)?.outcome == .unscored)
  }

  /// The number of programs to try, which a longer run can raise.
  private static let programs =
    ProcessInfo.processInfo.environment["SLUICE_FUZZ"].flatMap { Int($0) } ?? 20_000

  @Test("Random and mutated expressions cause neither a crash nor a hang")
  func fuzz() {
    var random = SeededGenerator(seed: 23)
    let pieces = [
      "answer", "text", "input", "expected", "item", "tags", "id", ".items", ".price", "[*]", "[0]",
      "[", "]", "(", ")", ",", " and ", " or ", "not ", " in ", " not in ", "==", "!=", "<", "<=",
      ">",
      ">=", "+", "-", "*", "/", "%", "1", "0", "2.5", "1e9", "'a'", "\"b\"", "'", "\\", "null",
      "true",
      "len(", "sum(", "all(", "any(", "count(", "filter(", "map(", "max(", "mean(", "split(",
      "join(",
      "matches(", "sort(", "unique(", "round(", "number(", "words(", "keys(", "é", "🙂", "{{", "&&",
      " ",
    ]
    let seeds = [
      "len(answer.items) <= 3 and answer.total == sum(answer.items[*].price)",
      "all(answer.items, item.price > 0) or any(map(answer.tags, lower(item)), item in ['a', 'b'])",
      "round(mean(answer.items[*].price), 2) >= max(1, input.limit - 3) % 2",
      "matches(trim(answer.note), \"^[A-Z]\\w+\") and 'x' not in split(text, ',')",
    ]
    let answers = [
      Answer(ModelResponse(text: Self.order)), Answer(ModelResponse(text: "plain, text 12")),
    ]
    let testCase = TestCase(id: "a", input: ["limit": 3], expected: ["items": [1, 2]])
    /// Returns a valid program of this depth.
    func written(_ depth: Int) -> String {
      let leaves = [
        "answer", "text", "1", "0", "2.5", "'a'", "true", "null", "answer.items", "answer.total",
        "answer.items[*].price", "answer.tags", "item", "item.price", "[1, 2]", "input.limit",
        "expected.items", "tags", "id", "answer.note", "[]",
      ]
      if depth == 0 { return leaves[Int.random(in: 0..<leaves.count, using: &random)] }
      func inner() -> String { written(depth - 1) }
      switch Int.random(in: 0..<9, using: &random) {
      case 0:
        let signs = ["+", "-", "*", "/", "%"]
        return "(\(inner()) \(signs[Int.random(in: 0..<5, using: &random)]) \(inner()))"
      case 1, 2:
        let signs = ["==", "!=", "<", "<=", ">", ">=", "in", "not in"]
        return "(\(inner()) \(signs[Int.random(in: 0..<8, using: &random)]) \(inner()))"
      case 3: return "(\(inner()) \(Bool.random(using: &random) ? "and" : "or") \(inner()))"
      case 4: return "not \(inner())"
      case 5: return "-\(inner())[\(inner())]"
      case 6:
        let names = ["all", "any", "count", "filter", "map"]
        return "\(names[Int.random(in: 0..<5, using: &random)])(\(inner()), \(inner()))"
      case 7:
        let names = [
          "len", "sum", "abs", "exists", "keys", "lower", "upper", "trim", "words", "text",
          "number",
          "mean", "max", "min", "sort", "unique", "round",
        ]
        return "\(names[Int.random(in: 0..<names.count, using: &random)])(\(inner()))"
      default:
        let names = ["starts_with", "ends_with", "split", "join", "round", "max"]
        return "\(names[Int.random(in: 0..<6, using: &random)])(\(inner()), \(inner()))"
      }
    }
    var evaluated = 0
    for number in 0..<Self.programs {
      var program = ""
      if number % 3 == 0 {
        program = "all([1], \(written(Int.random(in: 0...4, using: &random))) == 1)"
      } else if number % 3 == 1 {
        for _ in 0..<Int.random(in: 1...24, using: &random) {
          program += pieces[Int.random(in: 0..<pieces.count, using: &random)]
        }
      } else {
        var scalars = Array(seeds[number / 3 % seeds.count].unicodeScalars)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0...scalars.count, using: &random)
          let end = min(scalars.count, place + Int.random(in: 0...6, using: &random))
          let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
          scalars.replaceSubrange(place..<end, with: Array(piece.unicodeScalars))
        }
        program = String(String.UnicodeScalarView(scalars))
      }
      guard let expression = try? ExpressionParser.parse(program) else { continue }
      for answer in answers {
        var evaluator = ExpressionEvaluator(expression, answer, testCase, isShowing: true)
        _ = try? evaluator.value()
        evaluated += 1
      }
    }
    #expect(evaluated > Self.programs / 2)
  }
}
