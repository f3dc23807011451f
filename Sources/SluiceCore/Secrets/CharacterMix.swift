import SluiceSupport
import SluiceSystem

/// What characters a value is made of, and whether they look drawn at random.
struct CharacterMix {
  private(set) var count = 0
  private(set) var digits = 0
  private(set) var lower = 0
  private(set) var upper = 0
  /// Letters beyond `f`, which no hexadecimal number has.
  private var beyondHexadecimal = 0
  private var others = 0
  /// How often a letter or digit is followed at once by one of another class.
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

  /// Hexadecimal digits of one case and nothing else.
  var isHexadecimal: Bool {
    others == 0 && beyondHexadecimal == 0 && (lower == 0 || upper == 0) && count > 0
  }

  /// Shannon's entropy in bits a character (Shannon 1948), of the characters at hand.
  var entropy: Double {
    var sum = 0.0
    for count in counts where count > 0 {
      let share = Double(count) / Double(self.count)
      sum -= share * log2(share)
    }
    return sum
  }

  /// Whether the value looks like one drawn at random: at least 16 characters, letters mixed with
  /// digits or with letters of the other case, and few repeated.
  ///
  /// The entropy of `n` characters cannot exceed log2(n). Random ones from 64 come within some
  /// percent of it up to n = 20 and have 90% of it at n = 40; hexadecimal ones have close to 4 bits.
  /// Words stay behind in the changes from one class of characters to another: a random text has
  /// them at half of its places, a name such as `gpt-4o-mini-2024-07-18` at few.
  var looksRandom: Bool {
    guard count >= 16, letters >= 2 else { return false }
    if isHexadecimal {
      return digits >= 2 && changes * 6 >= count && entropy >= 2.6
    }
    let isMixed = digits > 0 ? changes * 5 >= count : lower > 2 && upper > 2 && changes * 4 >= count
    return isMixed && entropy >= min(3.9, 0.76 * log2(Double(count)))
  }

  /// Whether the value may well stand behind the prefix of a key: no row of one character such as
  /// `xxxxxxxx`, and no words.
  ///
  /// Asks for less than ``looksRandom``: the prefix has said most.
  var looksIssued: Bool {
    guard entropy >= 2.5 else { return false }
    // Upper case alone has few digits to change to: AWS uses 32 characters.
    if lower == 0, others == 0 { return true }
    return changes * 8 >= count || digits >= count / 2
  }
}
