package import SluiceSupport

/// The steps that extract a part of an answer before it is scored.
///
/// Each step works on the result of the previous one.
package struct Extraction: Sendable {
  /// A step of an extraction.
  private enum Step: Sendable {
    case regex(BoundedRegex, group: Int, isLast: Bool)
    case after(String, isLast: Bool)
    case jsonPath(JSONPath)
    case codeFence(isLast: Bool)
    case number(WrittenNumber.Choice)
    case trim
    case lower
    /// The line at an index, from 0.
    ///
    /// A negative index counts from the end.
    case line(Int)
  }

  /// The reason why nothing can be extracted.
  private struct Failure: Error {
    var reason: String
    /// True if the result of the extraction is unknown.
    ///
    /// The failure then says nothing about the answer.
    var isUndecided = false
  }

  private let steps: [Step]
  /// The steps as they are written.
  ///
  /// The digest of a scorer includes these steps.
  package let json: JSONValue

  /// Returns the answer, reduced to the extracted part.
  ///
  /// If nothing can be extracted, scorers of text treat the answer as unusable and give the reason.
  func answer(from answer: Answer) -> Answer {
    if answer.flaw != nil || answer.substitute != nil { return answer }
    var value = JSONValue.string(answer.text)
    for (index, step) in steps.enumerated() {
      do throws(Failure) {
        value = try Self.checked(Self.apply(step, to: value), of: step, from: value)
      } catch {
        let place = steps.count == 1 ? "" : "step \(index + 1) of "
        let reason = "\(place)'extract': \(error.reason)"
        return answer.extracted(
          .failure(UnusableAnswer(reason: reason)),
          isUndecided: error.isUndecided
        )
      }
    }
    return answer.extracted(.success(value))
  }

  /// Returns the result of a step.
  ///
  /// - Throws: ``Failure`` if a step leaves no text of a text. A value of JSON may be an empty text.
  private static func checked(_ result: JSONValue, of step: Step, from value: JSONValue)
    throws(Failure) -> JSONValue
  {
    if case .jsonPath = step { return result }
    let text = value.string ?? value.jsonText
    guard let left = result.string, BlankText.isBlank(left), !BlankText.isBlank(text) else {
      return result
    }
    throw Failure(reason: "nothing is left of \(Excerpt.quoted(text))")
  }

  private static func apply(_ step: Step, to value: JSONValue) throws(Failure) -> JSONValue {
    let text = value.string ?? value.jsonText
    func got() -> String { text.isEmpty ? "the empty text" : Excerpt.quoted(text) }
    switch step {
    case .regex(let regex, let group, let isLast):
      do throws(BoundedRegex.TooExpensive) {
        if let found = try regex.capture(group, in: text, isLast: isLast) { return .string(found) }
      } catch {
        throw Failure(
          reason: "the pattern is too expensive: /\(Excerpt.cut(regex.pattern))/",
          isUndecided: true
        )
      }
      throw Failure(reason: "/\(Excerpt.cut(regex.pattern))/ does not match \(got())")
    case .after(let mark, let isLast):
      guard let place = TextSearch.place(of: mark, in: text, isLast: isLast) else {
        throw Failure(reason: "\(Excerpt.quoted(mark)) is not in \(got())")
      }
      return .string(String(text[place.upperBound...]))
    case .jsonPath(let path):
      var json = value
      if case .string = value {
        do throws(JSONSyntaxError) {
          json = try JSONReader.value(text)
        } catch {
          throw Failure(reason: CodeFence.reason(text) ?? "not valid JSON: \(error.message)")
        }
      }
      let found = path.values(in: json)
      // The result is an empty list only if the answer contains an empty list.
      guard let first = found.first else {
        if path.hasWildcard, !path.isMissing(in: json) { return [] }
        throw Failure(reason: "there is no value at '\(Excerpt.cut(path.text))'")
      }
      return path.hasWildcard ? .array(found) : first
    case .codeFence(let isLast):
      let blocks = CodeFence.blocks(in: text)
      // If an answer contains no fence, the whole answer counts as the contents of a block.
      return .string((isLast ? blocks.last : blocks.first) ?? text)
    case .number(let choice):
      if value.number != nil { return value }
      switch WrittenNumber.number(in: text, choice) {
      case .success(let number): return number
      case .failure(let problem): throw Failure(reason: "\(problem.reason) in \(got())")
      }
    case .trim: return .string(text.trimmed)
    case .lower: return .string(text.lowercased())
    case .line(let number):
      let lines = text.split(whereSeparator: \.isNewline).filter { !BlankText.isBlank(String($0)) }
      let place = number < 0 ? lines.count + number : number
      guard lines.indices.contains(place) else {
        let count = lines.count == 1 ? "1 nonblank line" : "\(lines.count) nonblank lines"
        throw Failure(reason: "the text has only \(count)")
      }
      return .string(String(lines[place]).trimmed)
    }
  }
}

extension Extraction {
  private static let names = [
    "after", "code-fence", "json-path", "line", "lower", "number", "regex", "trim",
  ]

  /// Reads a list of steps, or a single step; nil, with errors reported, if a step is invalid.
  package init?(_ node: Node, in file: SourceFile, _ diagnostics: DiagnosticCollector) {
    var nodes = [node]
    if case .sequence(let elements) = node.value { nodes = elements }
    if nodes.isEmpty {
      diagnostics.error(
        "'extract' needs at least one step",
        in: file,
        at: node.position,
        fix: "write, for example, 'extract: [code-fence, {json-path: answer}]'"
      )
      return nil
    }
    let steps = nodes.map { Self.step($0, file, diagnostics) }
    guard steps.allSatisfy({ $0 != nil }) else { return nil }
    self.steps = steps.compactMap(\.self)
    json = .array(nodes.map(\.json))
  }

  private static func step(
    _ node: Node,
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> Step? {
    var name: (text: String, position: SourcePosition)
    var argument = Node(position: node.position, value: .null)
    switch node.value {
    case .string(let text): name = (text, node.position)
    case .mapping(let members) where members.count == 1:
      name = (members[0].key, members[0].keyPosition)
      argument = members[0].value
    default:
      diagnostics.error(
        "a step of 'extract' must be a name, or a name with its argument",
        in: file,
        at: node.position,
        fix: "write, for example, '- trim' or '- regex: \"[A-D]\"'"
      )
      return nil
    }
    let reading = StepReading(name: name.text, argument: argument, file, diagnostics)
    switch name.text {
    case "trim" where reading.isBare(): return .trim
    case "lower" where reading.isBare(): return .lower
    case "trim", "lower": return nil
    case "code-fence":
      return reading.choice(["first", "last"]).map { .codeFence(isLast: $0 == "last") }
    case "number":
      return reading.choice(["only", "first", "last"]).map { .number(.init(rawValue: $0) ?? .only) }
    case "line": return reading.line().map { .line($0) }
    case "after": return reading.textAndPlace("text").map { .after($0.text, isLast: $0.isLast) }
    case "json-path": return reading.path().map { .jsonPath($0) }
    case "regex":
      return reading.regex().map { .regex($0.regex, group: $0.group, isLast: $0.isLast) }
    default:
      diagnostics.error(
        "unknown step '\(name.text)' of 'extract'",
        in: file,
        at: name.position,
        fix: NearestName.suggestion(for: name.text, among: names)
          ?? "known: \(names.joined(separator: ", "))"
      )
      return nil
    }
  }

  /// A step whose argument is being read.
  private struct StepReading {
    let name: String
    let argument: Node
    let file: SourceFile
    let diagnostics: DiagnosticCollector

    init(
      name: String,
      argument: Node,
      _ file: SourceFile,
      _ diagnostics: DiagnosticCollector
    ) {
      (self.name, self.argument) = (name, argument)
      (self.file, self.diagnostics) = (file, diagnostics)
    }

    private func refuse(_ message: String, fix: String) {
      diagnostics.error(message, in: file, at: argument.position, fix: fix)
    }

    func isBare() -> Bool {
      if case .null = argument.value { return true }
      refuse("the step '\(name)' takes no argument", fix: "write '- \(name)'")
      return false
    }

    /// Reads an argument that is one of several words.
    ///
    /// The first word is the default.
    func choice(_ words: [String]) -> String? {
      switch argument.value {
      case .null: return words[0]
      case .string(let word) where words.contains(word): return word
      default:
        let last = words.dropFirst().map { "'\(name): \($0)'" }.joined(separator: " or ")
        refuse(
          "the argument of the step '\(name)' must be one of these words: \(words.joined(separator: ", "))",
          fix: "write '\(name)', \(last)"
        )
        return nil
      }
    }

    func line() -> Int? {
      switch argument.value {
      case .string("first"): return 0
      case .string("last"): return -1
      case .number:
        if let line = argument.json.integer, line != 0 { return line > 0 ? line - 1 : line }
      default: break
      }
      refuse(
        "the step 'line' takes 'first', 'last' or a number",
        fix: "write 'line: last', 'line: 2', or 'line: -2' to count from the end"
      )
      return nil
    }

    /// Reads an argument that is a text, or a mapping that contains the text and `last:`.
    func textAndPlace(_ key: String) -> (text: String, isLast: Bool, fields: FieldReader?)? {
      if case .string(let text) = argument.value, !text.isEmpty { return (text, false, nil) }
      guard case .mapping = argument.value else {
        refuse("the step '\(name)' needs a text", fix: "write '\(name): …'")
        return nil
      }
      guard
        let fields = FieldReader(
          argument,
          subject: "the step '\(name)'",
          file: file,
          diagnostics: diagnostics
        )
      else { return nil }
      let text = fields.requiredText(key)
      let isLast = fields.optionalBool("last") ?? false
      if name != "regex" { fields.finish() }
      guard let text, !text.isEmpty else { return nil }
      return (text, isLast, fields)
    }

    func path() -> JSONPath? {
      guard case .string(let text) = argument.value else {
        refuse("the step 'json-path' needs a path", fix: "write 'json-path: items[0].name'")
        return nil
      }
      do throws(JSONPath.Problem) {
        return try JSONPath(text)
      } catch {
        refuse(error.message, fix: "write, for example, '$.items[0].name' or '$.items[*].name'")
        return nil
      }
    }

    func regex() -> (regex: BoundedRegex, group: Int, isLast: Bool)? {
      let before = diagnostics.count
      guard let (text, isLast, fields) = textAndPlace("pattern") else { return nil }
      let group = fields?.optionalInteger("group", in: 0...99)
      fields?.finish()
      guard diagnostics.count == before else { return nil }
      let regex: BoundedRegex
      do throws(BoundedRegex.PatternError) {
        regex = try BoundedRegex(text)
      } catch {
        refuse(
          "not a regular expression: \(error.message)",
          fix: "correct it near character \(error.offset + 1)"
        )
        return nil
      }
      // If a pattern contains a group, the contents of the group are extracted.
      let wanted = group ?? min(1, regex.groupCount)
      if wanted <= regex.groupCount { return (regex, wanted, isLast) }
      refuse(
        "the pattern has no group \(wanted)",
        fix: regex.groupCount == 0
          ? "put the part that you want in parentheses"
          : "use a group from 1 to \(regex.groupCount)"
      )
      return nil
    }
  }
}
