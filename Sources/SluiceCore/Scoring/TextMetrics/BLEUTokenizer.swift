import SluiceSupport

/// The tokenizer of mteval-v13a, which sacreBLEU calls `13a`.
///
/// Each step processes the whole text, since it must see the spaces that earlier steps inserted.
enum BLEUTokenizer {
  static func words(_ text: String) -> [ArraySlice<UInt32>] {
    var line = text.scalarValues
    while line.last?.isSplittingSpace == true { line.removeLast() }
    line = replace("<skipped>", in: line, with: "")
    line = replace("-\n", in: line, with: "")
    line = replace("\n", in: line, with: " ")
    if line.contains(ampersand) {
      line = replace("&quot;", in: line, with: "\"")
      line = replace("&amp;", in: line, with: "&")
      line = replace("&lt;", in: line, with: "<")
      line = replace("&gt;", in: line, with: ">")
    }
    line = [space] + line + [space]
    line = spacePunctuation(line)
    line = spaceAfterNonDigits(line)
    line = spaceBeforeNonDigits(line)
    line = spaceDashesAfterDigits(line)
    return line.split(whereSeparator: \.isSplittingSpace)
  }

  private static let space: UInt32 = 0x20
  private static let ampersand: UInt32 = 0x26

  /// Returns a text in which each occurrence of a part is replaced, from left to right.
  private static func replace(_ part: String, in line: [UInt32], with replacement: String)
    -> [UInt32]
  {
    let (part, replacement) = (part.scalarValues, replacement.scalarValues)
    guard let first = part.first, line.contains(first) else { return line }
    return pass(line) { line, place in
      guard line[place] == first, line[place...].starts(with: part) else { return nil }
      return (replacement, part.count)
    }
  }

  /// Returns a text in which some positions are replaced, from left to right.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - replacement: Returns the replacement at a position, and the number of scalars that it
  ///     replaces. Nil to keep the scalar.
  /// - Returns: The text with the replacements.
  private static func pass(
    _ line: [UInt32],
    _ replacement: ([UInt32], Int) -> (scalars: [UInt32], count: Int)?
  ) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(line.count)
    var place = 0
    while place < line.count {
      if let (scalars, count) = replacement(line, place) {
        result += scalars
        place += count
      } else {
        result.append(line[place])
        place += 1
      }
    }
    return result
  }

  /// Puts spaces around ASCII punctuation, except for the apostrophe, comma, dash and full stop.
  private static func spacePunctuation(_ line: [UInt32]) -> [UInt32] {
    pass(line) { line, place in
      switch line[place] {
      case 0x20...0x26, 0x28...0x2B, 0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E:
        ([space, line[place], space], 1)
      default: nil
      }
    }
  }

  /// Puts spaces around full stops and commas if the character before is not a digit.
  private static func spaceAfterNonDigits(_ line: [UInt32]) -> [UInt32] {
    pass(line) { line, place in
      guard place + 1 < line.count, !isDigit(line[place]), isStop(line[place + 1]) else {
        return nil
      }
      return ([line[place], space, line[place + 1], space], 2)
    }
  }

  /// Puts spaces around full stops and commas if the character after is not a digit.
  private static func spaceBeforeNonDigits(_ line: [UInt32]) -> [UInt32] {
    pass(line) { line, place in
      guard place + 1 < line.count, isStop(line[place]), !isDigit(line[place + 1]) else {
        return nil
      }
      return ([space, line[place], space, line[place + 1]], 2)
    }
  }

  /// Puts spaces around dashes that follow a digit.
  private static func spaceDashesAfterDigits(_ line: [UInt32]) -> [UInt32] {
    pass(line) { line, place in
      guard place + 1 < line.count, isDigit(line[place]), line[place + 1] == 0x2D else {
        return nil
      }
      return ([line[place], space, 0x2D, space], 2)
    }
  }

  private static func isDigit(_ scalar: UInt32) -> Bool { (0x30...0x39).contains(scalar) }
  private static func isStop(_ scalar: UInt32) -> Bool { scalar == 0x2E || scalar == 0x2C }
}

extension UInt32 {
  /// True if Python's `str.split`, which sacreBLEU uses, treats the scalar as white space.
  ///
  /// These are Unicode's White_Space and the four information separators.
  var isSplittingSpace: Bool {
    switch self {
    case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F,
      0x205F, 0x3000:
      true
    default: false
    }
  }
}
