/// A single assertion about the text of an answer, in the vocabulary that promptfoo users know.
///
/// Negation is made here, once for all types. Texts are compared scalar by scalar; the `i` forms
/// compare what Unicode's full lower-case mapping makes of both sides.
package struct Assertion: SuiteScorer {
  package static let types = [
    "contains", "contains-all", "contains-any", "equals", "icontains", "is-json", "regex",
    "starts-with",
  ]

  enum Test: Sendable {
    case contains(String)
    case icontains(String)
    case containsAny([String])
    case containsAll([String])
    case startsWith(String)
    case equalsText(String)
    case equalsValue(JSONValue)
    case isJSON
    case regex(BoundedRegex, pattern: String)
  }

  let test: Test
  let isNegated: Bool
  /// What is expected, as explanations say it.
  private let expected: String
  /// The score of every answer that passes.
  let passed: Score

  package init?(_ arguments: ScorerArguments) {
    self.init(type: arguments.spec.type, isNegated: false, arguments)
  }

  package init?(type: String, isNegated: Bool, _ arguments: ScorerArguments) {
    guard let test = Self.test(type, arguments) else { return nil }
    self.test = test
    self.isNegated = isNegated
    let claim = Self.claim(of: test)
    expected =
      isNegated ? "expected the answer not to \(claim)" : "expected the answer to \(claim)"
    passed = Score(.passed, explanation: "\(expected): it \(isNegated ? "does not" : "does")")
  }

  // MARK: Reading

  private static func test(_ type: String, _ arguments: ScorerArguments) -> Test? {
    let node = arguments.spec.arguments
    switch type {
    case "contains": return text(arguments).map(Test.contains)
    case "icontains": return text(arguments).map(Test.icontains)
    case "starts-with": return text(arguments).map(Test.startsWith)
    case "contains-any": return texts(arguments).map(Test.containsAny)
    case "contains-all": return texts(arguments).map(Test.containsAll)
    case "equals":
      switch node.value {
      case .string(let text): return .equalsText(text)
      case .null:
        let type = arguments.spec.type
        arguments.error("'\(type)' needs the value to compare with", fix: "write '\(type): …'")
        return nil
      default: return .equalsValue(node.json)
      }
    case "is-json":
      if case .null = node.value { return .isJSON }
      arguments.error(
        "'\(arguments.spec.type)' takes no arguments",
        fix: "use 'json-schema' to check the form"
      )
      return nil
    case "regex":
      guard let pattern = text(arguments) else { return nil }
      do throws(BoundedRegex.PatternError) {
        return .regex(try BoundedRegex(pattern), pattern: pattern)
      } catch {
        let position = TextPosition(pattern, at: node.position, in: arguments.spec.file)
        arguments.diagnostics.error(
          "not a valid pattern: \(error.message)",
          in: arguments.spec.file,
          at: position.position(of: error.offset)
        )
        return nil
      }
    default: return nil
    }
  }

  private static func text(_ arguments: ScorerArguments) -> String? {
    guard case .string(let text) = arguments.spec.arguments.value, !text.isEmpty else {
      arguments.error("'\(arguments.spec.type)' needs a text that is not empty")
      return nil
    }
    return text
  }

  private static func texts(_ arguments: ScorerArguments) -> [String]? {
    let type = arguments.spec.type
    guard case .sequence(let nodes) = arguments.spec.arguments.value, !nodes.isEmpty else {
      arguments.error("'\(type)' needs a list of texts", fix: "write '\(type): [first, second]'")
      return nil
    }
    let texts = nodes.compactMap { node -> String? in
      if case .string(let text) = node.value, !text.isEmpty { return text }
      var message = "'\(type)' needs texts that are not empty"
      if case .string = node.value {} else { message += ", not \(node.kind)" }
      arguments.diagnostics.error(message, in: arguments.spec.file, at: node.position)
      return nil
    }
    return texts.count == nodes.count ? texts : nil
  }

  // MARK: Scoring

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    if let flaw = answer.flaw { return .unusable(flaw) }
    let holds: Bool
    do throws(BoundedRegex.TooExpensive) {
      holds = try self.holds(answer)
    } catch {
      return Score(
        .unscored,
        explanation: "pattern too expensive: \(Self.claim(of: test))"
      )
    }
    if holds != isNegated { return passed }
    return Score(.failed, explanation: "\(expected), got \(Excerpt.quoted(answer.text))")
  }

  private func holds(_ answer: Answer) throws(BoundedRegex.TooExpensive) -> Bool {
    let text = answer.text
    switch test {
    case .contains(let part): return TextSearch.contains(part, in: text)
    case .icontains(let part): return TextSearch.contains(part.lowercased(), in: text.lowercased())
    case .containsAny(let parts): return parts.contains { TextSearch.contains($0, in: text) }
    case .containsAll(let parts): return parts.allSatisfy { TextSearch.contains($0, in: text) }
    case .startsWith(let part): return text.utf8.starts(with: part.utf8)
    case .equalsText(let expected): return text.isIdentical(to: expected)
    case .equalsValue(let expected): return (try? answer.json.get()) == expected
    case .isJSON: return (try? answer.json.get()) != nil
    case .regex(let regex, _): return try regex.matches(text)
    }
  }

  /// Whether it holds for the text of an answer; nil for what its bytes alone do not tell, or a
  /// regular expression does.
  func holds(for text: UnsafeBufferPointer<UInt8>) -> Bool? {
    switch test {
    case .contains(let part): TextSearch.contains(part, in: text)
    case .containsAny(let parts): parts.contains { TextSearch.contains($0, in: text) }
    case .containsAll(let parts): parts.allSatisfy { TextSearch.contains($0, in: text) }
    case .startsWith(let part): text.starts(with: part.utf8)
    case .equalsText(let expected): text.elementsEqual(expected.utf8)
    case .regex, .icontains, .equalsValue, .isJSON: nil
    }
  }

  /// What the assertion says of an answer, to stand after "the answer to".
  private static func claim(of test: Test) -> String {
    switch test {
    case .contains(let part): "contain \(Excerpt.quoted(part))"
    case .icontains(let part): "contain \(Excerpt.quoted(part)) in any case"
    case .containsAny(let parts): "contain one of \(list(parts))"
    case .containsAll(let parts): "contain all of \(list(parts))"
    case .startsWith(let part): "start with \(Excerpt.quoted(part))"
    case .equalsText(let expected): "equal \(Excerpt.quoted(expected))"
    case .equalsValue(let expected): "equal \(Excerpt.json(expected))"
    case .isJSON: "be valid JSON"
    case .regex(_, let pattern): "match /\(Excerpt.cut(pattern))/"
    }
  }

  private static func list(_ parts: [String]) -> String {
    parts.map(Excerpt.quoted).joined(separator: ", ")
  }
}

/// Short forms of long texts, for explanations.
enum Excerpt {
  private static let limit = 80

  static func cut(_ text: String, to limit: Int = Self.limit) -> String {
    // No text has more scalars than bytes.
    if text.utf8.count <= limit { return text }
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end != scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
  }

  /// The beginning of a text in quotation marks, in one line.
  static func quoted(_ text: String) -> String {
    text.isEmpty ? "nothing" : "\"\(oneLine(cut(text)))\""
  }

  /// The beginning of a value's JSON, in one line.
  static func json(_ value: JSONValue) -> String { oneLine(cut(value.jsonText)) }

  /// The first of some parts, with the number of those left out: an answer decides how many there
  /// are, and every trial keeps its explanations.
  static func list(
    _ parts: [String],
    limit: Int,
    separator: String,
    shown: (String) -> String = { $0 }
  ) -> String {
    let more = parts.count - limit
    let list = parts.prefix(limit).map(shown).joined(separator: separator)
    return more > 0 ? "\(list)\(separator)and \(more) more" : list
  }

  /// The beginning of a text in one line.
  static func line(_ text: String, to limit: Int) -> String { oneLine(cut(text, to: limit)) }

  private static func oneLine(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": line.append(contentsOf: "\\n".unicodeScalars)
      case "\r": line.append(contentsOf: "\\r".unicodeScalars)
      case "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}":
        line.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default: line.append(scalar)
      }
    }
    return String(line)
  }
}
