/// A possible instruction on a line of a system text, recognized by its keywords.
protocol Instruction: CaseIterable, Hashable, Sendable {
  /// Groups of phrases. A line gives this instruction if it contains a phrase of every group.
  var keyWords: [PhraseList] { get }
}

extension Instruction {
  /// Returns the instructions in a system text.
  ///
  /// Words on different lines do not form an instruction. So the instruction of a deleted bullet is
  /// lost, even if other lines contain some of its words.
  static func all(in system: String) -> Set<Self> {
    let lines = logicalLines(of: system).map { Text($0) }
    return Set(
      allCases.filter { instruction in
        let keyWords = instruction.keyWords
        return lines.contains { line in keyWords.allSatisfy { $0.occurs(in: line) } }
      }
    )
  }
}

/// The bullets and paragraphs of a system text, each with its continuation lines.
private func logicalLines(of system: String) -> [String] {
  var lines: [String] = []
  for line in system.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
    let trimmed = line.drop(while: \.isWhitespace)
    if lines.isEmpty || trimmed.isEmpty || isBullet(trimmed) {
      lines.append(String(trimmed))
    } else {
      lines[lines.count - 1] += " " + trimmed
    }
  }
  return lines
}

private func isBullet(_ line: Substring) -> Bool {
  line.hasPrefix("- ") || line.hasPrefix("* ") || line.hasPrefix("• ")
    || [". ", ") "].contains(where: line.drop(while: \.isNumber).hasPrefix)
}

/// Returns a system text without its second bullet and every fifth one after it.
///
/// - Parameter system: The system text.
/// - Returns: The other lines, with each paragraph and each bullet on one line.
func overlookingSomeBullets(of system: String) -> String {
  var bullets = 0
  return logicalLines(of: system).filter { line in
    guard isBullet(line[...]) else { return true }
    bullets += 1
    return bullets % 5 != 2
  }.joined(separator: "\n")
}
