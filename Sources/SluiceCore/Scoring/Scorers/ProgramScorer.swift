import SluiceSupport

/// The scorer `exec`, which lets a program score each answer.
///
/// For each answer, the program reads one JSON object and writes one.
///
/// By default, Sluice starts a new process for each answer. So a program can read its input to the
/// end, write its result and exit, and no answer can affect the next one.
package struct ProgramScorer: AskingScorer {
  package let program: ScoringProgram
  private let measures: [String]
  /// The version of the format in which the program receives the answer and its case.
  private static let schema = 1
  private static let members = ["outcome", "explanation", "measurements"]
  /// The outcomes that a program may return.
  ///
  /// `notApplicable` is missing, because the suite decides to which cases the scorer applies.
  private static let outcomes: [Score.Outcome] = [.passed, .failed, .unscored]

  package init?(_ arguments: ScorerArguments) {
    guard let asking = arguments.whatItAsks(), let fields = arguments.fields() else { return nil }
    let command = BackendReader.readCommand(fields, files: arguments.files)
    let fingerprint = Fingerprint.read(
      fields,
      of: "the scorer '\(arguments.spec.type)'",
      because: "without 'fingerprint', Sluice would not notice a change of the program",
      with: ["command": .array((command?.words ?? []).map(JSONValue.string))],
      files: arguments.files,
      environment: asking.environment
    )
    let keepsRunning = fields.optionalBool(BackendReader.keepRunning) ?? false
    let timeout = BackendReader.readSeconds("timeout", fields)
    let maximum = fields.optionalInteger("max-in-flight", in: 1...256)
    let measures = Self.measures(fields)
    fields.finish()
    guard let command, let fingerprint, let measures else { return nil }
    if let variable = fingerprint.missingVariable {
      arguments.error(
        "the scorer '\(arguments.spec.type)' reads its version from the environment variable "
          + "\(variable), which is not set",
        fix: "set \(variable) to the version of the program"
      )
      return nil
    }
    program = ScoringProgram(
      endpoint: ProgramEndpoint(
        command: command.words,
        variables: command.variables,
        keepsRunning: keepsRunning,
        fingerprint: fingerprint
      ),
      folder: ProjectPath(arguments.spec.file.path).folder,
      timeout: timeout ?? .seconds(10),
      maximumInFlight: maximum ?? 4
    )
    self.measures = measures
  }

  /// Reads the names of the measurements that become metrics; nil, with errors reported, if a name
  /// is invalid.
  private static func measures(_ fields: FieldReader) -> [String]? {
    guard let texts = fields.optionalTexts("measures") else { return [] }
    var names: [String] = []
    var isWrong = false
    func refuse(_ message: String, _ node: Node, fix: String) {
      isWrong = true
      fields.diagnostics.error(message, in: fields.file, at: node.position, fix: fix)
    }
    for (name, node) in texts {
      if !MetricDefinition.isName(name) {
        refuse(
          "'\(name)' is not a valid name of a metric",
          node,
          fix: "use lowercase letters, digits and hyphens, beginning with a letter"
        )
      } else if name == MetricDefinition.passRate {
        refuse("every scorer already has '\(name)'", node, fix: "choose another name")
      } else if names.contains(name) {
        refuse("'\(name)' appears twice", node, fix: "remove one of the two")
      } else {
        names.append(name)
      }
    }
    return isWrong ? nil : names
  }

  /// The traits of a scorer that receives the whole response, including tool calls and refusals.
  package var traits: ScorerTraits {
    ScorerTraits(
      metrics: measures.map { MetricDefinition($0, .mean(of: $0, in: .number)) },
      content: .string(program.endpoint.fingerprint.digest),
      readsWholeCase: true,
      judgesTextAlone: false,
      needsText: false
    )
  }

  // MARK: Asking

  package func questions(about answer: Answer, for testCase: TestCase) -> [Question] {
    var object: JSONObject = ["text": answer.response.text.map(JSONValue.string) ?? .null]
    if let json = try? answer.json.get() { object["json"] = json }
    let response = answer.response
    object.set("refusal", response.refusal.map(JSONValue.string))
    object["finish-reason"] = response.finishReason.map(JSONValue.string) ?? .null
    object["tool-calls"] = .array(
      response.toolCalls.map { call in
        ["name": .string(call.name), "arguments": .string(call.arguments)]
      }
    )
    object["usage"] = response.usage.map { .object($0.json) } ?? .null
    object["timings"] = .object(response.timings.json)
    let question: JSONValue = [
      "schema": .number(Double(Self.schema)),
      "case": [
        "id": .string(testCase.id), "input": testCase.input, "expected": testCase.expected,
        "tags": .array(testCase.tags.map(JSONValue.string)),
      ],
      "answer": .object(object),
    ]
    return [
      .program(ProgramQuestion(program: program, input: JSONWriter.line(question) + [0x0A]))
    ]
  }

  package func score(_ answer: Answer, for testCase: TestCase, inquiry replies: [Reply]) -> Score {
    switch replies.first {
    case .output(let output)?: score(output)
    case .missing(let missing)?: Score(.unscored, explanation: missing.reason)
    case .answer?, nil: Score(.unscored, explanation: "the program was not asked")
    }
  }

  /// Returns the score that the program's output contains.
  private func score(_ output: [UInt8]) -> Score {
    let place = program.endpoint.place
    func unscored(_ reason: String) -> Score {
      Score(.unscored, explanation: "the reply of \(place) \(reason)")
    }
    let node: Node
    do throws(JSONSyntaxError) {
      node = try JSONReader.node(output)
    } catch {
      return unscored("is not one JSON object: \(error.message)")
    }
    if let fault = node.memberFault(allowing: Self.members) { return unscored(fault) }
    let json = node.json
    guard let word = json["outcome"]?.string,
      let outcome = Self.outcomes.first(where: { $0.rawValue == word })
    else {
      let words = Self.outcomes.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      let got = json["outcome"].map { ", not \(Excerpt.json($0))" } ?? ""
      return unscored("needs an 'outcome' that is one of \(words)\(got)")
    }
    let explanation = json["explanation"] ?? ""
    guard let text = explanation.string else {
      return unscored("has an 'explanation' that is not a text: \(Excerpt.json(explanation))")
    }
    let measured = json["measurements"] ?? .object([:])
    guard let measurements = measured.object else {
      return unscored("has 'measurements' that are not an object: \(Excerpt.json(measured))")
    }
    for (name, value) in measurements.members {
      switch value {
      case .number, .exact, .bool: break
      case .string, .null, .array, .object:
        return unscored(
          "has a measurement \(Excerpt.quoted(name)) that is not a number: \(Excerpt.json(value))"
        )
      }
    }
    if outcome != .unscored {
      for name in measures where measurements[name] == nil {
        return unscored("has no measurement '\(name)'")
      }
    }
    return Score(
      outcome,
      explanation: Excerpt.line(text.isEmpty ? "\(place) gave no explanation" : text, to: 500),
      measurements: JSONObject(measurements.members.filter { measures.contains($0.name) })
    )
  }
}

extension Node {
  /// Returns a clause about the first fault of the value, such as `has the unknown member "grade"`.
  ///
  /// Nil if the value is an object whose members are all allowed and distinct.
  func memberFault(allowing names: [String]) -> String? {
    guard let members else { return "is not one JSON object but \(kind)" }
    var seen: [String] = []
    for member in members {
      if seen.contains(where: member.key.isIdentical) {
        return "repeats the member \(Excerpt.quoted(member.key))"
      }
      seen.append(member.key)
      if !names.contains(where: member.key.isIdentical) {
        return "has the unknown member \(Excerpt.quoted(member.key))"
      }
    }
    return nil
  }
}
