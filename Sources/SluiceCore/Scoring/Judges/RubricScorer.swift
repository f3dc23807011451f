import SluiceSupport

/// The scorer `llm-rubric`, which asks a judge to grade each answer on a scale.
package struct RubricScorer: JudgeScorer {
  package let judge: Judge
  private let scale: ClosedRange<Double>
  /// The step between two grades; nil if every number on the scale is a valid grade.
  private let step: Double?
  private let threshold: Double
  /// The names of the dimensions that are graded separately; empty if there is a single grade.
  private let dimensions: [String]

  private static let answerName = "answer"
  private static let score = "score"
  private static let unscored = "unscored"
  private static let meanScore = "mean-score"
  private static let unscoredRate = "unscored-rate"

  package init?(_ arguments: ScorerArguments) {
    guard let asking = arguments.whatItAsks() else { return nil }
    if case .string(let rubric) = arguments.spec.arguments.value {
      let backend = asking.backends?.keys.sorted().first ?? "NAME"
      arguments.error(
        "the scorer 'llm-rubric' must be a mapping, not a text",
        fix:
          "write 'llm-rubric: {backend: \(backend), prompt: judge.yaml, scale: [1, 5], at-least: "
          + "4, rubric: \(ValueSource.doubleQuoted(rubric))}', where judge.yaml is a prompt "
          + "with {{answer}} and {{rubric}}"
      )
      return nil
    }
    guard let fields = arguments.fields() else { return nil }
    let judge = Judge.read(fields, judging: [Self.answerName], arguments, asking)
    let scale = fields.required("scale").flatMap { fields.range($0, "scale", example: "[1, 5]") }
    let step = fields.optionalNumber("step")
    let threshold = fields.required("at-least")
    let dimensions = Self.dimensions(fields)
    fields.finish()
    guard let judge, let scale, let dimensions, let threshold else { return nil }
    func refuse(_ key: String, _ message: String, fix: String) {
      let position = fields.optional(key)?.position
      fields.diagnostics.error(message, in: fields.file, at: position, fix: fix)
    }
    let ends = "\(JSONWriter.number(scale.lowerBound)) to \(JSONWriter.number(scale.upperBound))"
    guard case .number(let least) = threshold.value else {
      fields.wrongType("at-least", "a number", threshold)
      return nil
    }
    // With a threshold at the lowest grade, every answer would pass.
    guard scale.contains(least), least > scale.lowerBound else {
      refuse(
        "at-least",
        "'at-least' must be on the scale of \(ends), and above its lower end",
        fix: "write the lowest grade that passes"
      )
      return nil
    }
    if let step {
      let steps = (scale.upperBound - scale.lowerBound) / step
      guard step > 0, Self.isWhole(steps) else {
        refuse(
          "step",
          "'step' must divide the scale of \(ends) evenly",
          fix: "write the distance between two neighboring grades, such as 1 for 1, 2, 3"
        )
        return nil
      }
    }
    let isWhole = Self.isWhole(scale.lowerBound) && Self.isWhole(scale.upperBound)
    self.judge = judge
    self.scale = scale
    self.step = step ?? (isWhole ? 1 : nil)
    self.threshold = least
    self.dimensions = dimensions
  }

  private static func dimensions(_ fields: FieldReader) -> [String]? {
    guard let texts = fields.optionalTexts("dimensions") else { return [] }
    let taken = [score, unscored, meanScore, unscoredRate, MetricDefinition.passRate]
    var names: [String] = []
    var isWrong = texts.isEmpty
    if texts.isEmpty {
      fields.diagnostics.error(
        "'dimensions' is empty",
        in: fields.file,
        at: fields.optional("dimensions")?.position,
        fix: "name what is graded, or remove 'dimensions' for one overall grade"
      )
    }
    for (name, node) in texts {
      let fault: String? =
        if !MetricDefinition.isName(name) {
          "'\(name)' is not a valid name of a metric: use lowercase letters, digits and hyphens, "
            + "beginning with a letter"
        } else if taken.contains(name) {
          "'\(name)' is already used by the scorer"
        } else if names.contains(name) {
          "'\(name)' appears twice"
        } else {
          nil
        }
      names.append(name)
      guard let fault else { continue }
      isWrong = true
      fields.diagnostics.error(fault, in: fields.file, at: node.position)
    }
    return isWrong ? nil : names
  }

  private static func isWhole(_ value: Double) -> Bool {
    (value - value.rounded()).magnitude < 1e-9 * max(1, value.magnitude)
  }

  // MARK: The scorer

  private var metrics: [MetricDefinition] {
    [MetricDefinition(Self.meanScore, .mean(of: Self.score, in: .number, within: scale))]
      + dimensions.map { MetricDefinition($0, .mean(of: $0, in: .number, within: scale)) }
      + [
        MetricDefinition(
          Self.unscoredRate,
          .share(of: MetricDefinition.Part(Self.unscored)),
          prefersSmall: true
        )
      ]
  }

  package var traits: ScorerTraits {
    judge.traits(metrics: metrics, expectedKeys: judge.expectedKeys)
  }

  package var requestsPerAnswer: Int { 1 }

  package func check(_ expectation: Expectation) {
    for key in judge.expectedKeys { _ = expectation.required(key, by: "llm-rubric") }
  }

  package func questions(about answer: Answer, for testCase: TestCase) -> [Question] {
    // An unusable answer fails without a judge.
    if answer.flaw != nil { return [] }
    let text = (name: Self.answerName, text: answer.text)
    return judge.question(about: [text], for: testCase).map { [$0] } ?? []
  }

  package func score(_ answer: Answer, for testCase: TestCase, inquiry replies: [Reply]) -> Score {
    if let flaw = answer.flaw { return .unusable(flaw) }
    do throws(JudgeReply.Unreadable) {
      return try graded(replies.first)
    } catch {
      return Score(
        .unscored,
        explanation: error.reason,
        measurements: [Self.unscored: true]
      )
    }
  }

  package func fault(of reply: Reply) -> String? {
    do throws(JudgeReply.Unreadable) {
      _ = try graded(reply)
      return nil
    } catch {
      return error.fault
    }
  }

  private func graded(_ reply: Reply?) throws(JudgeReply.Unreadable) -> Score {
    let verdict: JudgeReply
    var grades: [(name: String, grade: Double)] = []
    if dimensions.isEmpty {
      verdict = try JudgeReply(reply, needing: Self.score)
      grades.append((Self.score, try grade(verdict[Self.score], Self.score)))
    } else {
      verdict = try JudgeReply(reply, needing: "scores")
      let scores = verdict["scores"]
      if let fault = scores?.memberFault(allowing: dimensions) {
        throw JudgeReply.unreadable("has unreadable 'scores': the value \(fault)")
      }
      for name in dimensions {
        guard let node = scores?[name] else {
          throw JudgeReply.unreadable("has no grade for '\(name)'")
        }
        grades.append((name, try grade(node, name)))
      }
    }
    let mean = grades.reduce(0) { $0 + $1.grade } / Double(grades.count)
    var measurements: JSONObject = [Self.score: .number(mean), Self.unscored: false]
    for (name, grade) in grades { measurements[name] = .number(grade) }
    let isGood = grades.allSatisfy { $0.grade >= threshold }
    return Score(
      isGood ? .passed : .failed,
      explanation: explanation(grades, verdict.reason),
      measurements: measurements
    )
  }

  private func grade(_ node: Node?, _ name: String) throws(JudgeReply.Unreadable) -> Double {
    guard case .number(let grade)? = node?.value else {
      let got = node.map { Excerpt.json($0.json) } ?? "nothing"
      throw JudgeReply.unreadable("has a grade for '\(name)' that is not a number: \(got)")
    }
    guard scale.contains(grade) else {
      throw JudgeReply.unreadable(
        "has a grade for '\(name)' outside the scale \(scaleText): \(JSONWriter.number(grade))"
      )
    }
    if let step, !Self.isWhole((grade - scale.lowerBound) / step) {
      throw JudgeReply.unreadable(
        "has a grade for '\(name)' that is not on the scale \(scaleText) in steps of "
          + "\(JSONWriter.number(step)): \(JSONWriter.number(grade))"
      )
    }
    return grade
  }

  private var scaleText: String {
    "\(JSONWriter.number(scale.lowerBound)) to \(JSONWriter.number(scale.upperBound))"
  }

  private func explanation(_ grades: [(name: String, grade: Double)], _ reason: String) -> String {
    let texts = grades.map { name, grade in
      dimensions.isEmpty ? JSONWriter.number(grade) : "\(name) \(JSONWriter.number(grade))"
    }
    return "expected at least \(JSONWriter.number(threshold)) on the scale \(scaleText), got "
      + texts.joined(separator: ", ") + (reason.isEmpty ? "" : ": \(reason)")
  }
}
