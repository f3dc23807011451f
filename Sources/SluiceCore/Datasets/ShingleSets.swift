import SluiceSupport

/// Texts as sets of shingles, the runs of four characters that they are made of (Broder 1997, "On the
/// resemblance and containment of documents", with characters in place of words).
///
/// Characters serve all scripts alike, and short texts too: two words that change in ten leave half of
/// the runs of four characters and none or two of the runs of three words.
struct ShingleSets {
  static let length = 4
  private static let bits = 22
  /// How many different shingles are told apart; so that memory is bounded, others share a number.
  static let range = 1 << bits

  /// The shingles of all sets, those of a set in the order of its text.
  private(set) var shingles: [UInt32] = []
  /// Where each set starts among them, and where the last one ends.
  private(set) var starts = [0]
  /// In how many sets a shingle is.
  private(set) var frequencies = [UInt32](repeating: 0, count: range)
  /// The shingles that are in any set, each once.
  private(set) var different: [UInt32] = []
  /// The last set that a shingle was put into.
  private var lastSets = [UInt32](repeating: 0, count: range)
  private var scalars: [UInt32] = []

  var count: Int { starts.count - 1 }

  /// Adds the set of some texts.
  mutating func append(_ texts: [String]) {
    for text in texts {
      spell(text)
      guard !scalars.isEmpty else { continue }
      for start in 0...max(0, scalars.count - Self.length) { insert(shingle(at: start)) }
    }
    starts.append(shingles.count)
  }

  /// Leaves of a text its letters, marks, digits and signs such as emoji, in lower case, and a space
  /// for all between them and at both ends; of one that has none of these, all but white space.
  private mutating func spell(_ text: String) {
    let space: UInt32 = 0x20
    scalars.removeAll(keepingCapacity: true)
    scalars.append(space)
    for scalar in text.lowercased().unicodeScalars {
      // What chooses the look of an emoji stands beside some and not beside others.
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
