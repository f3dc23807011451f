import SluiceSupport

/// The check that the answer equals a JSON value or a text.
///
/// Texts are compared by their Unicode scalars, without normalization.
enum EqualsCheck {
  /// Reads the expected value; nil, with an error reported, if there is none.
  @Sendable
  static func make(_ arguments: ScorerArguments) -> (any AnswerCheck)? {
    let spec = arguments.spec
    if !arguments.hasValueAlone() { return nil }
    switch spec.arguments.value {
    case .string(let text): return Text(expected: text)
    case .null:
      arguments.error(
        "'\(spec.type)' needs the value to compare with",
        fix: "write '\(spec.type): …'"
      )
      return nil
    default:
      warnOfArguments(arguments)
      return Value(expected: spec.arguments.json)
    }
  }

  /// Warns about an object that looks like the arguments of another assertion type.
  private static func warnOfArguments(_ arguments: ScorerArguments) {
    let spec = arguments.spec
    guard let members = spec.arguments.members, members.count == 2,
      let value = members.first(where: { $0.key == "value" }),
      let other = members.first(where: { $0.key != "value" }),
      let meant = NearestName.of(other.key, among: ["path", "ignore-case", "threshold"])
    else { return }
    let text = String(
      decoding: JSONWriter.canonical(value.value.json, isExact: true),
      as: UTF8.self
    )
    var fix = "write '\(spec.type): \(text)'"
    if meant == "path", case .string(let path) = other.value.value {
      fix = "write 'json-path: {path: \(ValueSource.doubleQuoted(path)), equals: \(text)}'"
    }
    arguments.diagnostics.warning(
      "'\(spec.type)' compares the whole answer with this mapping, including its keys "
        + "'\(other.key)' and 'value'",
      in: spec.file,
      at: other.keyPosition,
      fix: fix
    )
  }

  private struct Text: AnswerCheck {
    var expected: String
    var claim: String { "equal \(Excerpt.quoted(expected))" }
    var wantedParts: Set<AnswerPart> { expected.isEmpty ? [.emptyText] : [] }

    func finding(_ answer: Answer) -> Finding { Finding(answer.text.isIdentical(to: expected)) }

    func came(_ answer: Answer, isNegated: Bool) -> String {
      let got = "got \(Excerpt.quoted(answer.text))"
      return isNegated ? got : got + Excerpt.difference(answer.text, from: expected)
    }
  }

  private struct Value: AnswerCheck {
    var expected: JSONValue
    var claim: String { "equal \(Excerpt.json(expected))" }
    var readsJSON: Bool { true }

    func finding(_ answer: Answer) -> Finding { Finding((try? answer.json.get()) == expected) }

    func came(_ answer: Answer, isNegated: Bool) -> String {
      if !isNegated, let fence = CodeFence.reason(answer.text) { return "got \(fence)" }
      let got = "got \(Excerpt.quoted(answer.text))"
      guard !isNegated, let value = try? answer.json.get(),
        let difference = ValueMismatch.first(value, from: expected), difference.path != "$"
      else { return got }
      return "\(got), which differs at \(difference.path): \(difference.message)"
    }
  }
}

/// The first difference between two JSON values.
enum ValueMismatch {
  /// Returns the first difference between a value and the expected one; nil if they are equal.
  ///
  /// - Parameters:
  ///   - value: The actual value.
  ///   - expected: The expected value.
  /// - Returns: The path of the difference, which is `$` for the whole value, and a message.
  static func first(_ value: JSONValue, from expected: JSONValue) -> (
    path: String, message: String
  )? {
    var path = ValuePath()
    return first(value, expected, &path).map { (path.description, $0) }
  }

  private static func first(_ value: JSONValue, _ expected: JSONValue, _ path: inout ValuePath)
    -> String?
  {
    if value == expected { return nil }
    switch (value, expected) {
    case (.object(let object), .object(let wanted)):
      for member in wanted.members {
        guard let found = object[member.name] else {
          return "missing member '\(Excerpt.cut(member.name))'"
        }
        path.steps.append(.member(member.name))
        if let message = first(found, member.value, &path) { return message }
        path.steps.removeLast()
      }
      let extra = object.members.first { wanted[$0.name] == nil }
      return extra.map { "unexpected member '\(Excerpt.cut($0.name))'" }
    case (.array(let elements), .array(let wanted)):
      for (index, (found, expected)) in zip(elements, wanted).enumerated() {
        path.steps.append(.element(index))
        if let message = first(found, expected, &path) { return message }
        path.steps.removeLast()
      }
      return "expected \(wanted.count) elements, got \(elements.count)"
    case (.string(let text), .string(let wanted)):
      return "expected \(Excerpt.json(expected)), got \(Excerpt.json(value))"
        + Excerpt.difference(text, from: wanted, isOnlyAlike: true)
    default: return "expected \(Excerpt.json(expected)), got \(Excerpt.json(value))"
    }
  }
}
