/// The differences between two texts, line by line.
package enum TextDifference {
  /// The number of unchanged lines shown before and after a change.
  private static let context = 1
  /// The maximum number of lines for a full comparison, which takes quadratic time.
  ///
  /// For longer texts, only the first difference is shown.
  private static let longest = 2_000

  /// Returns the differing lines with a little context.
  ///
  /// - Parameters:
  ///   - old: The text before.
  ///   - new: The text after.
  /// - Returns: Lines that start with `- ` (only before), `+ ` (only after) or two spaces (both). A
  ///   line `  …` represents unchanged lines that are left out. If lines differ only in white
  ///   space, marks make the white space visible. Empty if the texts are equal.
  package static func lines(from old: String, to new: String) -> [String] {
    let (before, after) = (split(old), split(new))
    let isLong = max(before.count, after.count) > longest
    let lines = isLong ? long(from: before, to: after) : folded(merged(before, after))
    return WhiteSpaceMarks.marked(lines) + lastBreak(old, new)
  }

  /// Describes a line break that only one of the texts has at its end, since no line would show it.
  private static func lastBreak(_ old: String, _ new: String) -> [String] {
    if old.isEmpty || new.isEmpty { return [] }
    switch (old.utf8.last == 0x0A, new.utf8.last == 0x0A) {
    case (true, false): return ["- (a line break at the end)"]
    case (false, true): return ["+ (a line break at the end)"]
    default: return []
    }
  }

  private enum Line {
    case same(String), removed(String), added(String)

    var isChange: Bool { if case .same = self { false } else { true } }

    var text: String {
      switch self {
      case .same(let text): "  " + text
      case .removed(let text): "- " + text
      case .added(let text): "+ " + text
      }
    }
  }

  private static func split(_ text: String) -> [String] {
    if text.isEmpty { return [] }
    // Splits by bytes, because a `String` treats a carriage return and the line feed after it as
    // one character.
    var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    // A final line break ends the last line and does not start another.
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private static func merged(_ before: [String], _ after: [String]) -> [Line] {
    let difference = after.difference(from: before) { $0.isIdentical(to: $1) }
    var (removed, added): (Set<Int>, Set<Int>) = ([], [])
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [Line] = []
    var (old, new) = (0, 0)
    while old < before.count || new < after.count {
      if old < before.count, removed.contains(old) {
        lines.append(.removed(before[old]))
        old += 1
      } else if new < after.count, added.contains(new) {
        lines.append(.added(after[new]))
        new += 1
      } else {
        lines.append(.same(before[old]))
        old += 1
        new += 1
      }
    }
    return lines
  }

  /// Returns the changes with their context, and a mark in place of omitted lines.
  private static func folded(_ lines: [Line]) -> [String] {
    let changes = lines.indices.filter { lines[$0].isChange }
    var shown: Set<Int> = []
    for change in changes {
      shown.formUnion(max(0, change - context)...min(lines.count - 1, change + context))
    }
    var result: [String] = []
    var last = -1
    for index in shown.sorted() {
      if index > last + 1 { result.append("  …") }
      result.append(lines[index].text)
      last = index
    }
    if !shown.isEmpty, last < lines.count - 1 { result.append("  …") }
    return result
  }

  private static func long(from before: [String], to after: [String]) -> [String] {
    let first = zip(before, after).enumerated().first { !$1.0.isIdentical(to: $1.1) }?.offset
    let index = first ?? min(before.count, after.count)
    var lines = index == 0 ? [] : ["  …"]
    if index < before.count { lines.append("- " + before[index]) }
    if index < after.count { lines.append("+ " + after[index]) }
    return before.count == after.count && first == nil ? [] : lines + ["  …"]
  }
}
