/// The bullet, number or checkbox at the start of a list item.
enum ListMarker {
  case none, bullet, ticked

  static func split(_ line: Substring) -> (ListMarker, Substring) {
    var rest = line.drop(while: \.isWhitespace)
    var marker = ListMarker.none
    if let first = rest.first, "-*•–".contains(first), rest.dropFirst().first == " " {
      rest = rest.dropFirst(2)
      marker = .bullet
    }
    for (box, kind) in [("[x] ", ListMarker.ticked), ("[X] ", .ticked), ("[ ] ", .bullet)]
    where rest.hasPrefix(box) {
      return (kind, rest.dropFirst(box.count))
    }
    let head = rest.prefix { $0.isNumber || $0.isLetter }
    if head.count <= 2, head.allSatisfy(\.isNumber) || head.count == 1 {
      let tail = rest.dropFirst(head.count)
      if !head.isEmpty,
        tail.hasPrefix(") ") || (tail.hasPrefix(". ") && head.first?.isNumber == true)
      {
        return (.bullet, tail.dropFirst(2))
      }
    }
    if let first = rest.first, first.isEmoji, rest.dropFirst().first == " " {
      return (.bullet, rest.dropFirst(2))
    }
    return (marker, rest)
  }
}
