import SluiceSupport

/// The numbers and names in a text, which a summary should not invent.
///
/// A number is a run of digits, with points, commas or colons between digits. Commas between digits
/// are ignored in comparisons. A name is a capitalized word, unless it starts a sentence or a line,
/// or follows a mark such as a colon, a quotation mark or a dash. In a language that capitalizes
/// all nouns, such as German, each noun counts as a name.
struct Claims {
  private var numbers: [String] = []
  private var names: [String] = []

  /// The number of distinct claims.
  var count: Int { numbers.count + names.count }

  init(_ text: String) {
    var seen: Set<ExactString> = []
    var beginsSentence = true
    for token in Self.tokens(text) {
      switch token {
      case .stop: beginsSentence = true
      case .number(let number):
        if seen.insert(ExactString(number)).inserted { numbers.append(number) }
        beginsSentence = false
      case .word(let word):
        let scalars = word.unicodeScalars
        let isCapital = scalars.first?.properties.generalCategory == .uppercaseLetter
        if isCapital, !beginsSentence, scalars.count > 1,
          seen.insert(ExactString(word.lowercased())).inserted
        {
          names.append(word)
        }
        beginsSentence = false
      }
    }
  }

  /// Returns the numbers and names that do not occur in any of the given texts.
  ///
  /// For names, upper and lower case count as equal.
  func missing(in texts: [String]) -> [String] {
    if count == 0 { return [] }
    var known: Set<ExactString> = []
    for text in texts {
      for token in Self.tokens(text) {
        switch token {
        case .number(let number): known.insert(ExactString(number))
        case .word(let word): known.insert(ExactString(word.lowercased()))
        case .stop: break
        }
      }
    }
    return numbers.filter { !known.contains(ExactString($0)) }
      + names.filter { !known.contains(ExactString($0.lowercased())) }
  }

  private enum Token {
    case number(String)
    case word(String)
    /// A position after which a capital letter does not indicate a name.
    case stop
  }

  private static func tokens(_ text: String) -> [Token] {
    let scalars = Array(text.unicodeScalars)
    var tokens: [Token] = []
    var place = 0
    func isDigit(_ place: Int) -> Bool {
      place < scalars.count && ("0"..."9").contains(scalars[place])
    }
    while place < scalars.count {
      let scalar = scalars[place]
      if isDigit(place) {
        var number = String.UnicodeScalarView()
        while isDigit(place) {
          number.append(scalars[place])
          place += 1
          guard place < scalars.count, isDigit(place + 1) else { continue }
          switch scalars[place] {
          case ",": place += 1
          case ".", ":":
            number.append(scalars[place])
            place += 1
          default: break
          }
        }
        tokens.append(.number(String(number)))
      } else if WordSplitter.isWordScalar(scalar) {
        var word = String.UnicodeScalarView()
        while place < scalars.count, WordSplitter.isWordScalar(scalars[place]) {
          word.append(scalars[place])
          place += 1
        }
        tokens.append(.word(String(word)))
      } else {
        switch scalar {
        case ".", "!", "?", ":", ";", "\n", "\r", "•", "*", "\"", "“", "„", "(", "…", "—", "–":
          tokens.append(.stop)
        default: break
        }
        place += 1
      }
    }
    return tokens
  }
}
