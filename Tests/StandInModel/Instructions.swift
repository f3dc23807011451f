/// What one line of a system text may ask for; a case of such a type is known by its key words.
protocol Instruction: CaseIterable, Hashable, Sendable {
  /// Groups of phrases: a line gives this instruction when it has a phrase of every group.
  var keyWords: [PhraseList] { get }
}

extension Instruction {
  /// The instructions that a system text gives.
  ///
  /// Words that stand on different lines do not add up to an instruction, so that a deleted bullet
  /// is a lost instruction even where other lines share some of its words.
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

/// A system text as somebody reads it who overlooks the second bullet and every fifth after it.
///
/// - Parameter system: The system text.
/// - Returns: The other lines, each paragraph and each bullet in one line.
func overlookingSomeBullets(of system: String) -> String {
  var bullets = 0
  return logicalLines(of: system).filter { line in
    guard isBullet(line[...]) else { return true }
    bullets += 1
    return bullets % 5 != 2
  }.joined(separator: "\n")
}
