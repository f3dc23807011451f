/// A syntax error from libyaml, reworded with a fix and moved to the position to edit.
///
/// libyaml reports where it could not continue. For a name without a colon, that is one line too
/// late. For an unclosed quotation mark, that is the end of the file. In these cases, the start of
/// the unfinished construct is a better position. libyaml calls this start the context.
struct YAMLSyntaxFault {
  /// The problem in libyaml's words.
  var problem: String
  /// The position at which libyaml stopped.
  var position: SourcePosition
  /// The start of the construct that libyaml was reading; nil if libyaml does not report it.
  var start: SourcePosition?
  /// The start of the innermost open list or mapping in brackets; nil outside of brackets.
  var bracket: (sign: Character, position: SourcePosition)?
  /// The text of the line at ``position``.
  var line: String
  /// The text of the line at ``start``.
  var startLine = ""
  /// True if ``line`` is the last line of the file.
  var isLastLine: Bool

  private var sign: Character? {
    let place = line.unicodeScalars.dropFirst(position.column - 1).first
    return place.map(Character.init)
  }

  /// The error as reported to the user.
  var reported: YAMLReader.Problem {
    func fault(
      _ message: String,
      _ fix: String?,
      at place: SourcePosition? = nil,
      copied: String? = nil
    ) -> YAMLReader.Problem {
      YAMLReader.Problem(
        position: place ?? position,
        message: "not valid YAML: \(message)",
        fix: copied.map { "write \($0)" } ?? fix,
        fixWithoutLine: fix
      )
    }
    if let bracket, isLeftOpen {
      let end: Character = bracket.sign == "[" ? "]" : "}"
      return fault("the '\(bracket.sign)' is not closed", "add '\(end)'", at: bracket.position)
    }
    switch problem {
    case "could not find expected ':'":
      return fault(
        "the ':' after the name is missing",
        "write 'name: value', or indent the line to continue the text above",
        at: start,
        copied: QuotedLine.withColon(startLine)
      )
    case "found unexpected end of stream", "found unexpected document indicator":
      return fault(
        "the quotation mark is not closed",
        "end the text with the same quotation mark",
        at: start
      )
    case "mapping values are not allowed in this context":
      guard let copied = QuotedLine.quoted(line, before: position.column) else {
        return fault("a ':' is not allowed here", "indent all keys of the mapping equally")
      }
      return fault(
        "a ':' is not allowed here",
        "put a text that contains ': ' in quotation marks",
        copied: copied
      )
    case "block sequence entries are not allowed in this context":
      return fault(
        "a list cannot begin here",
        "begin the list on a separate line, below its key",
        copied: QuotedLine.quoted(line, before: position.column + 1)
      )
    case "did not find expected '-' indicator":
      return fault(
        "the line does not belong to the list\(begun)",
        "indent all items of the list equally, and begin each with '- '"
      )
    case "did not find expected key":
      guard isFirstInLine else {
        return fault(
          "text is not allowed here",
          "put the whole value in quotation marks",
          copied: bracket == nil ? QuotedLine.quoted(line, before: position.column) : nil
        )
      }
      return fault(
        "the line does not belong to the mapping\(begun)",
        "indent all keys of the mapping equally"
      )
    case "did not find expected comment or line break":
      return fault(
        "text after '|' or '>' must begin on the next line",
        "move the text to the next line, or put the whole value in quotation marks",
        copied: QuotedLine.quoted(line, before: position.column)
      )
    case "did not find expected alphabetic or numeric character",
      "mapping keys are not allowed in this context":
      return fault(
        "an unquoted text cannot begin with '*', '&' or '?'",
        "put the text in quotation marks",
        copied: QuotedLine.quoted(line, before: position.column + 1)
      )
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      let end = problem.hasSuffix("']'") ? "]" : "}"
      return fault("a ',' or '\(end)' is missing here", "separate the values with ','")
    case "did not find expected node content":
      return fault("a value is missing here", "write a value, or remove the character before it")
    case "found unknown escape character":
      return fault(
        "unknown escape",
        "write '\\\\' for a backslash, or put the text in single quotation marks"
      )
    case "control characters are not allowed":
      return fault(problem, "remove the character, or write it as an escape in double quotes")
    case "found character that cannot start any token",
      "found a tab character that violates indentation":
      if sign == "\t" || problem.hasPrefix("found a tab") {
        return fault("tabs are not allowed as indentation", "indent with spaces")
      }
      guard let sign else { return fault(problem, nil) }
      return fault(
        "an unquoted text cannot begin with '\(sign)'",
        "put the text in quotation marks",
        copied: bracket == nil ? QuotedLine.quoted(line, before: position.column + 1) : nil
      )
    default: return fault(problem, nil)
    }
  }

  /// True if libyaml read past the line of a bracket, or to the end of the file, because the
  /// closing bracket is missing.
  private var isLeftOpen: Bool {
    guard let bracket else { return false }
    let isOfBrackets =
      problem.hasPrefix("did not find expected ',' or ") || problem == "could not find expected ':'"
      || problem == "did not find expected node content"
    let isAtEnd = isLastLine && position.column > line.unicodeScalars.count
    return isOfBrackets && (isAtEnd || position.line > bracket.position.line)
  }

  private var isFirstInLine: Bool {
    line.unicodeScalars.prefix(position.column - 1).allSatisfy { $0 == " " }
  }

  private var begun: String {
    start.map { $0.line < position.line ? " that begins on line \($0.line)" : "" } ?? ""
  }
}
