import SluiceSupport
import SluiceSystem

/// The numbers of characters of each class in a value, used to detect random values.
struct CharacterMix {
  private(set) var count = 0
  private(set) var digits = 0
  private(set) var lower = 0
  private(set) var upper = 0
  /// The number of letters from `g` to `z`, which hexadecimal numbers cannot contain.
  private var beyondHexadecimal = 0
  private var others = 0
  /// The number of positions at which two adjacent letters or digits have different classes.
  private var changes = 0
  private var counts: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    counts = [UInt8](repeating: 0, count: 128)
    var last: UInt8 = 0
    for byte in bytes {
      count += 1
      counts[Int(byte & 127)] = min(counts[Int(byte & 127)], 254) + 1
      let kind: UInt8
      switch byte {
      case 0x30...0x39: (kind, digits) = (1, digits + 1)
      case 0x61...0x7A: (kind, lower) = (2, lower + 1)
      case 0x41...0x5A: (kind, upper) = (3, upper + 1)
      default:
        others += 1
        last = 0
        continue
      }
      if kind > 1, byte & 0x1F > 6 { beyondHexadecimal += 1 }
      if last != 0, kind != last { changes += 1 }
      last = kind
    }
  }

  var letters: Int { lower + upper }

  /// True if the value consists of hexadecimal digits, and all letters are of the same case.
  var isHexadecimal: Bool {
    others == 0 && beyondHexadecimal == 0 && (lower == 0 || upper == 0) && count > 0
  }

  /// The Shannon entropy of the characters, in bits per character (Shannon 1948).
  var entropy: Double {
    var sum = 0.0
    for count in counts where count > 0 {
      let share = Double(count) / Double(self.count)
      sum -= share * log2(share)
    }
    return sum
  }

  /// True if the value looks random: at least 16 characters, with mixed classes and few
  /// repetitions.
  ///
  /// The entropy of `n` characters is at most log2(n). Random characters from an alphabet of 64
  /// have 93% of this limit at n = 20, and 90% at n = 40. Random hexadecimal digits have at most 4
  /// bits. A random text changes class at about half of its positions. Names such as
  /// `gpt-4o-mini-2024-07-18` change class at few positions.
  var looksRandom: Bool {
    guard count >= 16, letters >= 2 else { return false }
    if isHexadecimal {
      return digits >= 2 && changes * 6 >= count && entropy >= 2.6
    }
    let isMixed = digits > 0 ? changes * 5 >= count : lower > 2 && upper > 2 && changes * 4 >= count
    return isMixed && entropy >= min(3.9, 0.76 * log2(Double(count)))
  }

  /// True if a value of fewer than 16 characters looks random: letters of both cases and digits
  /// that alternate at half of the positions, and nothing else.
  var looksRandomThoughShort: Bool {
    others == 0 && lower > 0 && upper > 0 && digits > 0 && changes * 2 >= count
  }

  /// True if the value may follow the prefix of a key, because it consists neither of words nor of
  /// a repeated character, as in `xxxxxxxx`.
  ///
  /// This test is weaker than ``looksRandom``, because the prefix is already strong evidence.
  var looksIssued: Bool {
    guard entropy >= 2.5 else { return false }
    // AWS keys consist of capital letters and few digits, so they rarely change class.
    if lower == 0, others == 0 { return true }
    return changes * 8 >= count || digits >= count / 2
  }
}
