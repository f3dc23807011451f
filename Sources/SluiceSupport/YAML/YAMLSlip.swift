/// Problems with lines that are not YAML at all, which libyaml would report one line too late.
enum YAMLSlip {
  /// Returns the problem with a line at or just before a position; `nil` if these lines look like
  /// YAML.
  static func problem(near position: SourcePosition, _ line: (Int) -> String?)
    -> YAMLReader.Problem?
  {
    for number in [position.line, position.line - 1] {
      guard let text = line(number), let found = problem(text, number) else { continue }
      return found
    }
    return nil
  }

  private static func problem(_ text: String, _ number: Int) -> YAMLReader.Problem? {
    let scalars = text.unicodeScalars
    func problem(_ message: String, _ fix: String, at offset: Int = 0, without: String? = nil)
      -> YAMLReader.Problem
    {
      YAMLReader.Problem(
        position: SourcePosition(line: number, column: offset + 1),
        message: "not valid YAML: \(message)",
        fix: fix,
        fixWithoutLine: without
      )
    }
    let indent = scalars.prefix { $0 == " " }.count
    let content = String(String.UnicodeScalarView(scalars.dropFirst(indent)))
    if content.hasPrefix("//") {
      let comment = String(content.dropFirst(2)).trimmed
      return problem(
        "comments begin with '#'",
        "write '# \(comment)'",
        at: indent,
        without: "write '#' instead of '//'"
      )
    }
    if ["<<<<<<< ", ">>>>>>> "].contains(where: text.hasPrefix) || text == "=======" {
      return problem(
        "the file contains an unresolved merge conflict",
        "keep one of the two sides, and remove the lines of '<', '=' and '>'"
      )
    }
    if let offset = scalars.enumerated().first(where: { $0.element == "\u{A0}" })?.offset {
      return problem("there is a no-break space here", "replace it with a space", at: offset)
    }
    return nil
  }
}
