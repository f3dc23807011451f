/// How two texts differ, line by line.
package enum TextDifference {
  /// How many lines that are the same are shown before and after a change.
  private static let context = 1
  /// Beyond this many lines only the first difference is shown: the search takes the square of it.
  private static let longest = 2_000

  /// The differing lines with a little of what stands around them.
  ///
  /// - Parameters:
  ///   - old: The text before.
  ///   - new: The text after.
  /// - Returns: Lines that start with `- ` (only before), `+ ` (only after) or two spaces (both); a
  ///   line of `  …` stands for lines that are the same. Empty when the texts are the same.
  package static func lines(from old: String, to new: String) -> [String] {
    let (before, after) = (split(old), split(new))
    let isLong = max(before.count, after.count) > longest
    let lines = isLong ? long(from: before, to: after) : folded(merged(before, after))
    return lines + lastBreak(old, new)
  }

  /// Whether the last line has an end, which no line shows.
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
    // By bytes: to a String a carriage return and the line break after it are one character.
    var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    // A break at the end ends the last line, and starts no other.
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

  /// The changes with their context, and a mark for what is left out.
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
