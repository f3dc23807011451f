import SluiceReporting

extension OpenAIEvalsSuiteBuilder {
  // MARK: Graders

  mutating func leaveOut(_ grader: JSONValue, _ reason: String, nearest: String? = nil) {
    graderCount.notAtAll += 1
    let label = grader["name"]?.string ?? grader["type"]?.string ?? "grader"
    let type = grader["type"]?.string ?? "no type"
    report(
      .leftOut,
      .assertion,
      eval,
      "the grader '\(label)' (\(type)): \(reason)",
      nearest: nearest
    )
    scorers.append((.null, ["left out: the grader '\(label)' (\(type)): \(reason)"]))
  }

  mutating func readGrader(_ grader: JSONValue) {
    switch grader["type"]?.string {
    case "string_check": readStringCheck(grader)
    case "text_similarity": readSimilarity(grader)
    case "score_model": readJudge(grader)
    case "label_model":
      leaveOut(
        grader,
        "judges give grades in Sluice, not labels",
        nearest: "'llm-rubric' with a grade for each label"
      )
    case "python":
      let file = "graders/\(Identifier.made(of: grader["name"]?.string ?? "grader") ?? "grader").py"
      if let source = grader["source"]?.string {
        extraFiles.append(.init(ProjectPath("prompts/\(name)/\(file)"), source))
      }
      leaveOut(
        grader,
        "it is a program; its source is in \(file)",
        nearest:
          "- exec: {command: [./check], fingerprint: [\(file)]}, where ./check is a program of "
          + "yours that calls it (docs/extending.md)"
      )
    case "multi":
      leaveOut(grader, "it combines graders in a formula", nearest: "'assert-set' with weights")
    default: leaveOut(grader, "its type is unknown")
    }
  }

  /// Converts a grader's reference to a text with `{{expected.…}}`, or returns `nil` if the
  /// reference is unsupported.
  mutating func reference(_ text: String?) -> String? {
    guard let text, let template = OpenAIEvalsTemplate(text), !template.readsOutput else {
      return nil
    }
    for path in template.fields { expectedFields.insert(path[0]) }
    // The hosted grader compares numbers as texts, not by value.
    if template.parts.count == 1, let path = template.fields.first, path.count == 1 {
      let isText = cases.allSatisfy { entry in
        switch entry.item[path[0]] {
        case .string?: return true
        case .number(let number)?: return number == number.rounded()
        default: return false
        }
      }
      guard isText else { return nil }
      textFields.insert(path[0])
    } else {
      for path in template.fields where path.count == 1 {
        guard cases.allSatisfy({ $0.item[path[0]]?.string != nil }) else { return nil }
      }
    }
    return template.text { _ in "expected." }
  }

  func scorerName(_ grader: JSONValue) -> JSONValue? {
    guard let label = grader["name"]?.string else { return nil }
    var made = ""
    for character in label.lowercased() {
      if character.isASCII, character.isLetter || character.isNumber {
        made.append(character)
      } else if !made.isEmpty, !made.hasSuffix("-") {
        made.append("-")
      }
    }
    while made.hasSuffix("-") { made.removeLast() }
    guard made.first?.isLetter == true else { return nil }
    let taken = Set(scorers.compactMap { $0.json["name"]?.string })
    var number = 1
    func next() -> String { number == 1 ? made : "\(made)-\(number)" }
    while taken.contains(next()) { number += 1 }
    return .string(next())
  }

  mutating func addScorer(_ type: String, _ arguments: JSONValue, _ grader: JSONValue) {
    var object: JSONObject = [:]
    object[type] = arguments
    object.set("name", scorerName(grader))
    scorers.append((.object(object), []))
  }

  mutating func readStringCheck(_ grader: JSONValue) {
    let types = ["eq": "equals", "ne": "not-equals", "like": "contains", "ilike": "icontains"]
    let operation = grader["operation"]?.string ?? ""
    guard let type = types[operation] else {
      return leaveOut(grader, "the operation '\(operation)' is not supported")
    }
    var (input, other) = (grader["input"]?.string, grader["reference"]?.string)
    let isSwapped = OpenAIEvalsTemplate(other ?? "")?.isOutput == true
    if isSwapped, operation == "eq" || operation == "ne" { (input, other) = (other, input) }
    guard OpenAIEvalsTemplate(input ?? "")?.isOutput == true else {
      return leaveOut(
        grader,
        "it checks something other than {{sample.output_text}}",
        nearest: "'json-path' for a value of the answer's JSON"
      )
    }
    guard let reference = reference(other) else {
      return leaveOut(grader, "its reference uses something other than text fields of the item")
    }
    if operation == "like" || operation == "ilike" {
      report(
        .note,
        .assertion,
        eval,
        "'\(operation)' was imported as a check that the answer contains the reference"
      )
    }
    graderCount.whole += 1
    addScorer(type, .string(reference), grader)
  }

  mutating func readSimilarity(_ grader: JSONValue) {
    let metric = grader["evaluation_metric"]?.string ?? ""
    guard metric == "rouge_l" else {
      return leaveOut(
        grader,
        metric.isEmpty
          ? "it names no metric"
          : "Sluice does not have the metric '\(metric)', and its own metrics give other numbers",
        nearest: "'rouge-l', 'chrf' or 'levenshtein' with a new threshold"
      )
    }
    guard OpenAIEvalsTemplate(grader["input"]?.string ?? "")?.isOutput == true else {
      return leaveOut(grader, "it compares something other than {{sample.output_text}}")
    }
    guard let reference = reference(grader["reference"]?.string) else {
      return leaveOut(grader, "its reference uses something other than text fields of the item")
    }
    guard let threshold = grader["pass_threshold"]?.number else {
      return leaveOut(
        grader,
        "it has no 'pass_threshold'",
        nearest: "'rouge-l' with a threshold"
      )
    }
    graderCount.inPart += 1
    report(
      .changed,
      .assertion,
      eval,
      "the grader '\(grader["name"]?.string ?? metric)': 'rouge-l' splits words differently from "
        + "the vendor's metric",
      nearest: "check the figures of 'rouge-l' before a gate uses them"
    )
    addScorer("rouge-l", ["value": .string(reference), "threshold": .number(threshold)], grader)
  }

  mutating func readJudge(_ grader: JSONValue) {
    let range = grader["range"]?.array?.compactMap(\.number) ?? [0, 1]
    guard range.count == 2, range[0] < range[1], let threshold = grader["pass_threshold"]?.number,
      threshold > range[0], threshold <= range[1], let model = grader["model"]?.string
    else {
      return leaveOut(
        grader,
        "its range or threshold is not supported",
        nearest: "'llm-rubric' with a scale"
      )
    }
    var messages: [YAMLWriter.Item] = []
    var readsOutput = false
    for entry in grader["input"]?.array ?? [] {
      guard let message = OpenAIEvalsMessage(entry) else {
        return leaveOut(
          grader,
          "one of its messages contains more than text",
          nearest: "'llm-rubric' with a prompt file"
        )
      }
      readsOutput = readsOutput || message.template.readsOutput
      for path in message.template.fields where !promptFields.contains(path[0]) {
        expectedFields.insert(path[0])
      }
      let inputs = promptFields
      let text = message.template.text { inputs.contains($0) ? "" : "expected." }
      messages.append(.init(.mapping([.init(message.role, .string(text))])))
    }
    guard readsOutput else { return leaveOut(grader, "its messages do not contain the answer") }
    let ends = "\(JSONWriter.number(range[0])) to \(JSONWriter.number(range[1]))"
    messages.append(
      .init(
        .mapping([
          .init(
            "system",
            .string(
              "Reply with one JSON object and nothing else: {\"score\": a number from \(ends), "
                + "\"reason\": \"one sentence\"}"
            )
          )
        ])
      )
    )
    let label = scorerName(grader)?.string ?? "judge"
    var parameters: JSONObject = [:]
    for member in grader["sampling_params"]?.object?.members ?? [] {
      if case .null = member.value { continue }
      if let name = Self.parameterNames[member.name] { parameters[name] = member.value }
    }
    var members: [YAMLWriter.Member] = [.init("messages", .list(messages))]
    if !parameters.members.isEmpty { members.append(.init("parameters", .object(parameters))) }
    let file = "judge-\(label).yaml"
    extraFiles.append(
      .init(ProjectPath("prompts/\(name)/\(file)"), YAMLWriter.text(.mapping(members)))
    )
    let entry: JSONObject = [
      "type": "openai", "model": .string(model), "key": ["env": "OPENAI_API_KEY"],
    ]
    let backend = "judge-\(Identifier.made(of: model) ?? "model")"
    if !judges.contains(where: { $0.name == backend }) {
      judges.append(ImportedBackend(name: backend, entry: entry))
    }
    var arguments: JSONObject = [
      "backend": .string(backend), "prompt": .string(file),
      "scale": .array(range.map(JSONValue.number)), "at-least": .number(threshold),
    ]
    // With integer limits, Sluice would accept only integer grades, so set a smaller step.
    if range.allSatisfy({ $0 == $0.rounded() }) { arguments["step"] = 0.01 }
    graderCount.whole += 1
    goals.append("\(label).pass-rate >= 100%")
    scorers.append((.object(["llm-rubric": .object(arguments), "name": .string(label)]), []))
    report(
      .note,
      .assertion,
      eval,
      "the grader '\(label)' is advisory in Sluice, and the import added a request for a JSON "
        + "object to its prompt"
    )
  }
}
