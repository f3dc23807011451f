import Foundation

/// The comparison of a program's output with the output that a page shows.
///
/// A line `…` of the page matches any lines, and a `…` within a line matches any text.
enum ShownOutput {
  /// Returns true if the shown output matches the printed output.
  static func covers(_ printed: String, by shown: String) -> Bool {
    matches(lines(shown), lines(printed))
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Returns true if the printed lines match the shown lines, where a line `…` matches any lines.
  private static func matches(_ shown: [String], _ printed: [String]) -> Bool {
    covers(
      shown.split(
        omittingEmptySubsequences: false,
        whereSeparator: { $0.trimmingCharacters(in: .whitespaces) == "…" }
      ).map(Array.init),
      printed
    ) { shown, printed in
      shown == printed
        || covers(
          shown.split(separator: "…", omittingEmptySubsequences: false).map(Array.init),
          Array(printed),
          by: ==
        )
    }
  }

  /// Returns true if the pieces occur in order, the first at the start and the last at the end.
  private static func covers<Element>(
    _ pieces: [[Element]],
    _ whole: [Element],
    by equal: (Element, Element) -> Bool
  ) -> Bool {
    guard let first = pieces.first, let last = pieces.last else { return whole.isEmpty }
    guard pieces.count > 1 else { return first.elementsEqual(whole, by: equal) }
    guard whole.count >= first.count + last.count,
      first.elementsEqual(whole.prefix(first.count), by: equal),
      last.elementsEqual(whole.suffix(last.count), by: equal)
    else { return false }
    var rest = whole[first.count..<(whole.count - last.count)]
    for piece in pieces[1..<(pieces.count - 1)] {
      let starts = rest.startIndex...max(rest.startIndex, rest.endIndex - piece.count)
      guard
        let start = starts.first(where: { start in
          piece.elementsEqual(rest[start...].prefix(piece.count), by: equal)
        })
      else { return false }
      rest = rest[(start + piece.count)...]
    }
    return true
  }
}
