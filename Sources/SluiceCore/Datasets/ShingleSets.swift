import SluiceSupport

/// Texts as sets of shingles.
///
/// A shingle is a run of four characters.
///
/// The method is that of Broder (1997, "On the resemblance and containment of documents"), with
/// characters instead of words. Characters work for all scripts, and for short texts. If two of ten
/// words change, about half of the four-character runs remain, but sometimes only two of the eight
/// three-word runs.
struct ShingleSets {
  static let length = 4
  private static let bits = 22
  /// The number of possible shingle numbers.
  ///
  /// Several shingles may share a number, which limits memory.
  static let range = 1 << bits

  /// The shingles of all sets, in text order within each set.
  private(set) var shingles: [UInt32] = []
  /// The index in ``shingles`` at which each set starts, followed by the end of the last set.
  private(set) var starts = [0]
  /// The number of sets that contain each shingle.
  private(set) var frequencies = [UInt32](repeating: 0, count: range)
  /// The distinct shingles of all sets.
  private(set) var different: [UInt32] = []
  /// For each shingle, the last set to which it was added.
  private var lastSets = [UInt32](repeating: 0, count: range)
  private var scalars: [UInt32] = []

  var count: Int { starts.count - 1 }

  /// Adds the set of the shingles in some texts.
  mutating func append(_ texts: [String]) {
    for text in texts {
      spell(text)
      guard !scalars.isEmpty else { continue }
      for start in 0...max(0, scalars.count - Self.length) { insert(shingle(at: start)) }
    }
    starts.append(shingles.count)
  }

  /// Reduces a text to its letters, marks, digits and symbols such as emoji, in lower case.
  ///
  /// Each run of other characters becomes a space, and the result begins and ends with a space.
  ///
  /// If a text contains only other characters, the result is the text without white space.
  private mutating func spell(_ text: String) {
    let space: UInt32 = 0x20
    scalars.removeAll(keepingCapacity: true)
    scalars.append(space)
    for scalar in text.lowercased().unicodeScalars {
      // Some emoji have an invisible variation selector, and others do not.
      if !scalar.isASCII, scalar.properties.isDefaultIgnorableCodePoint { continue }
      if WordSplitter.isWordScalar(scalar) || Self.isSign(scalar) {
        scalars.append(scalar.value)
      } else if scalars.last != space {
        scalars.append(space)
      }
    }
    if scalars.count == 1 {
      scalars.removeAll(keepingCapacity: true)
      for scalar in text.unicodeScalars where !scalar.properties.isWhitespace {
        scalars.append(scalar.value)
      }
    } else if scalars.last != space {
      scalars.append(space)
    }
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: true
    default: false
    }
  }

  private func shingle(at start: Int) -> UInt32 {
    var state: UInt64 = 0
    for scalar in scalars[start..<min(start + Self.length, scalars.count)] {
      state = (state ^ UInt64(scalar)) &* 0x9E37_79B9_7F4A_7C15
      state ^= state >> 32
    }
    return UInt32(truncatingIfNeeded: state & UInt64(Self.range - 1))
  }

  private mutating func insert(_ shingle: UInt32) {
    let number = UInt32(starts.count)
    if lastSets[Int(shingle)] == number { return }
    lastSets[Int(shingle)] = number
    if frequencies[Int(shingle)] == 0 { different.append(shingle) }
    frequencies[Int(shingle)] += 1
    shingles.append(shingle)
  }
}
