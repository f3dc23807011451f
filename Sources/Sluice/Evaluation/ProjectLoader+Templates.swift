import SluiceReporting

/// The checks for placeholders of other template languages, which Sluice would send unchanged.
extension ProjectLoader {
  /// Warns about the first placeholder for an input in another tool's syntax, such as `{ticket}`.
  ///
  /// - Parameters:
  ///   - name: The name of an input that nothing in the suite reads.
  ///   - prompts: The prompts of the suite.
  /// - Returns: True if there is such a placeholder.
  func warnOfForeignTag(of name: String, in prompts: [Prompt]) -> Bool {
    let tags = ["${\(name)}", "{\(name)}", "[[\(name)]]", "<<\(name)>>", "%\(name)%", "$\(name)"]
    for prompt in prompts {
      guard let file = files.read(prompt.path) else { continue }
      for (number, line) in lines(of: file) {
        guard let (tag, range) = firstTag(of: tags, in: line) else { continue }
        let column = line.unicodeScalars.distance(from: line.startIndex, to: range.lowerBound) + 1
        let position = SourcePosition(line: number, column: column)
        let filled = line[..<range.lowerBound] + "{{\(name)}}" + line[range.upperBound...]
        let isText = PromptReader.textExtensions.contains(prompt.path.pathExtension)
        let isStart =
          !isText && line[..<range.lowerBound].last { $0 != " " }.map { ":-".contains($0) } ?? false
        let quoted = isStart ? UnquotedTemplate.quoting(String(filled), at: column) : nil
        diagnostics.warning(
          "'\(tag)' is sent unchanged: only '{{\(name)}}' is replaced by the input '\(name)'",
          in: file,
          at: position,
          fix: "write \(quoted ?? "{{\(name)}}")"
        )
        return true
      }
    }
    return false
  }

  private func firstTag(of tags: [String], in line: String) -> (String, Range<String.Index>)? {
    for tag in tags {
      guard let range = line.firstRange(of: tag) else { continue }
      // Skip a match that is only the prefix of a longer name, such as '$ticket' in '$tickets'.
      if !tag.hasSuffix("}"), range.upperBound < line.endIndex, tag.hasPrefix("$"),
        line[range.upperBound].isLetter || line[range.upperBound].isNumber
      {
        continue
      }
      return (tag, range)
    }
    return nil
  }

  /// Warns about the first Jinja tag in each prompt, such as `{% if ticket %}`.
  func warnOfJinja(in prompts: [Prompt]) {
    for prompt in prompts {
      guard let file = files.read(prompt.path) else { continue }
      // The regular expression is slow, and few prompts contain these two characters at all.
      guard Array("{%".utf8).isPresent(in: file.bytes) else { continue }
      let tag = /\{%-?\s*(?:if|for|elif|else|endif|endfor|set)\b[^%]*%\}/
      for (number, line) in lines(of: file) {
        guard let match = line.firstMatch(of: tag) else { continue }
        let column = line.unicodeScalars.distance(from: line.startIndex, to: match.startIndex) + 1
        diagnostics.warning(
          "'\(match.output)' is sent unchanged: templates have sections instead of such tags",
          in: file,
          at: SourcePosition(line: number, column: column),
          fix: "write {{#name}}…{{/name}} around text that is sent only if 'name' has a value, and "
            + "{{^name}}…{{/name}} around text that is sent only if it has none"
        )
        break
      }
    }
  }

  private func lines(of file: SourceFile) -> [(number: Int, text: String)] {
    var lines: [(number: Int, text: String)] = []
    while let line = file.line(lines.count + 1) { lines.append((lines.count + 1, line)) }
    return lines
  }
}
