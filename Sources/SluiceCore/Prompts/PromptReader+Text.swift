import SluiceSupport

/// Plain-text prompts: one message, or several messages separated by lines of `---`.
extension PromptReader {
  private static let separator = "---"

  /// The lines of a message, with the number of the first line.
  private struct Section {
    var lines: ArraySlice<Substring>
    /// The number of the first line, from 1.
    var line: Int { lines.startIndex + 1 }

    var text: String { lines.joined(separator: "\n") }
    var isBlank: Bool { lines.allSatisfy(\.isBlank) }

    /// The section without the blank lines at its start.
    var afterBlankLines: Section { Section(lines: lines.drop(while: \.isBlank)) }

    /// The section without its first line.
    var rest: Section { Section(lines: lines.dropFirst()) }
  }

  /// The meaning of the first line of a message.
  private enum Head {
    case role(MessageRole)
    /// A word that is not a role, followed by a colon.
    case unknown(String)
    /// A role with text on the same line.
    case roleWithText(MessageRole)
    case text

    init(_ line: Substring) {
      let words = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2 else {
        self = .text
        return
      }
      let word = String(words[0])
      let role = MessageRole(rawValue: word)
      let isName =
        word.first?.isLetter == true && word.allSatisfy { $0.isLetter || "_-".contains($0) }
      switch (role, words[1].isBlank) {
      case (let role?, true): self = .role(role)
      case (let role?, false): self = words[1].first == " " ? .roleWithText(role) : .text
      case (nil, true): self = isName ? .unknown(word) : .text
      case (nil, false): self = .text
      }
    }
  }

  /// Reads a plain-text prompt; nil, with errors reported, if it is unusable.
  static func readText(_ path: ProjectPath, files: ProjectFiles) -> Prompt? {
    guard let (text, file) = files.readText(path) else { return nil }
    let diagnostics = files.diagnostics
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    warnOfSpacedSeparators(lines, file, diagnostics)
    let sections = sections(lines)
    if sections.count == 1 {
      if sections[0].isBlank {
        diagnostics.report(Diagnostic(path: file.path, message: "the file is empty"))
        return nil
      }
      return prompt(at: path, [single(sections[0], file, diagnostics)].compactMap(\.self))
    }
    let messages = sections.enumerated().map { index, section in
      section.isBlank
        ? refuseEmpty(section, isFirst: index == 0, file, diagnostics)
        : oneOfSeveral(section.afterBlankLines, file, diagnostics)
    }
    return prompt(at: path, messages.compactMap(\.self))
  }

  private static func sections(_ lines: [Substring]) -> [Section] {
    lines.indices.split(omittingEmptySubsequences: false) { lines[$0] == separator }.map {
      Section(lines: lines[$0.startIndex..<$0.endIndex])
    }
  }

  /// Reads the only message of a file.
  ///
  /// Its role is optional.
  private static func single(
    _ section: Section,
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> WrittenPart? {
    let start = SourcePosition(line: 1, column: 1)
    switch Head(section.lines[0]) {
    case .role(let role): return message(role, section, file, diagnostics)
    case .roleWithText(let role):
      diagnostics.warning(
        "'\(role.rawValue):' is part of the text of a user message",
        in: file,
        at: start,
        fix: "write '\(role.rawValue):' on a line by itself, and the text below it"
      )
    case .unknown(let word):
      let roles = MessageRole.allCases.map(\.rawValue)
      if let role = roleNames[word.lowercased()] ?? NearestName.of(word, among: roles, within: 1) {
        diagnostics.warning(
          "'\(word):' is part of the text of a user message",
          in: file,
          at: start,
          fix: "write '\(role):'"
        )
      }
    case .text: break
    }
    return message(.user, section.text, at: section, file, diagnostics)
  }

  /// Reads one of several messages in a file.
  private static func oneOfSeveral(
    _ section: Section,
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> WrittenPart? {
    let line = section.lines.first ?? ""
    func refuse(_ message: String, after text: String = "", fix: String?) -> WrittenPart? {
      let column = text.unicodeScalars.count + 1
      let position = SourcePosition(line: section.line, column: column)
      diagnostics.error(message, in: file, at: position, fix: fix)
      return nil
    }
    switch Head(line) {
    case .role(let role): return message(role, section, file, diagnostics)
    case .unknown(let word): return refuse("unknown role '\(word)'", fix: roleFix(word))
    case .roleWithText(let role):
      return refuse(
        "the text of a message must begin on the line below its role",
        after: "\(role.rawValue): ",
        fix: "write '\(role.rawValue):' on a line by itself, and the text below it"
      )
    case .text:
      return refuse(
        "if there are several messages, each must begin with its role",
        fix: "write 'user:' on the line above the text"
      )
    }
  }

  /// Reads a message that begins with a role.
  private static func message(
    _ role: MessageRole,
    _ section: Section,
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> WrittenPart? {
    let body = section.rest
    if body.isBlank {
      diagnostics.error(
        "the message of '\(role.rawValue):' has no text",
        in: file,
        at: SourcePosition(line: section.line, column: 1),
        fix: "write the text on the lines below, or remove this line"
      )
      return nil
    }
    return message(role, body.text, at: body, file, diagnostics)
  }

  private static func message(
    _ role: MessageRole,
    _ text: String,
    at section: Section,
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> WrittenPart? {
    message(role, text, at: TextPosition(text, fromLine: section.line), in: file, diagnostics)
  }

  /// Reports a separator line without a message before or after it.
  private static func refuseEmpty(
    _ section: Section,
    isFirst: Bool,
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> WrittenPart? {
    let line = isFirst ? section.lines.endIndex + 1 : section.line - 1
    diagnostics.error(
      "there is no message \(isFirst ? "before" : "after") this '\(separator)'",
      in: file,
      at: SourcePosition(line: line, column: 1),
      fix: "remove this line"
    )
    return nil
  }

  /// Warns about lines that look like separators but are not.
  private static func warnOfSpacedSeparators(
    _ lines: [Substring],
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) {
    for (index, line) in lines.enumerated()
    where line != separator && line.hasPrefix(separator)
      && line.dropFirst(separator.count).isBlank
    {
      diagnostics.warning(
        "'\(separator)' is part of the text, because spaces follow it",
        in: file,
        at: SourcePosition(line: index + 1, column: 1),
        fix: "write '\(separator)' without spaces to separate messages"
      )
    }
  }
}

extension Substring {
  /// True if the line is empty or contains only white space.
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
