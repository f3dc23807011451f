import SluiceSupport

/// The check that an expression about the answer and the case is true.
struct ExpressionCheck: AnswerCheck {
  private let expression: Expression
  private var testCase: TestCase?
  let claim: String

  init?(_ arguments: ScorerArguments) {
    guard let expression = Self.read(arguments.spec.arguments, arguments) else { return nil }
    self.expression = expression
    claim = "satisfy \(Excerpt.line(expression.source, to: 200))"
  }

  /// Reads an expression; nil, with errors reported, if it is invalid.
  static func read(_ node: Node, _ arguments: ScorerArguments) -> Expression? {
    guard case .string(let text) = node.value else {
      arguments.diagnostics.error(
        "an expression must be a text, not \(node.kind)",
        in: arguments.spec.file,
        at: node.position,
        fix: "write, for example, 'expression: \"len(answer.items) <= 3\"'"
      )
      return nil
    }
    do throws(ExpressionParser.Problem) {
      return try ExpressionParser.parse(text)
    } catch {
      let position = TextPosition(text, at: node.position, in: arguments.spec.file)
      arguments.diagnostics.error(
        "not a valid expression: \(error.message)",
        in: arguments.spec.file,
        at: position.position(of: error.offset),
        fix: error.fix
      )
      return nil
    }
  }

  var readsJSON: Bool { true }

  var needsCase: Bool { expression.readsCase }

  var reads: CaseReads { expression.reads }

  func bound(to testCase: TestCase) -> any AnswerCheck {
    var bound = self
    bound.testCase = testCase
    return bound
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    var evaluator = ExpressionEvaluator(expression, answer, testCase)
    do throws(ExpressionEvaluator.Fault) {
      let value = try evaluator.value()
      guard case .bool(let holds) = value else {
        return .unusable("its value is \(Excerpt.json(value)), not true or false")
      }
      return Finding(holds)
    } catch {
      switch error {
      case .value(let reason): return .unusable(reason)
      case .tooExpensive:
        throw Undecided(
          reason: "the expression is too expensive: \(Excerpt.line(expression.source, to: 200))"
        )
      }
    }
  }

  func came(_ answer: Answer, isNegated: Bool) -> String {
    var evaluator = ExpressionEvaluator(expression, answer, testCase, isShowing: true)
    _ = try? evaluator.value()
    let shown = evaluator.shown
    return shown.isEmpty ? "got \(Excerpt.quoted(answer.text))" : Excerpt.list(shown, limit: 6)
  }
}
