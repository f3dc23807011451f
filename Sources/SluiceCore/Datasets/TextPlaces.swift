import SluiceSupport

/// The places of texts in the inputs of a dataset, and which of them tell its cases apart.
///
/// A place is the way to a text, all elements of a list being one: `conversation[].text`. What stands
/// there is told by how it varies, never by its name: names, times and roles are hardly ever sentences,
/// and what many cases share as their context has few different values.
struct TextPlaces {
  private struct Step: Hashable {
    var parent: Int
    /// The name of a member; nil for the elements of a list.
    var name: ExactString?
  }

  private struct Tally {
    var texts = 0
    var sentences = 0
    /// The hashes of the texts.
    var different: Set<Int> = []

    mutating func count(_ text: String) {
      texts += 1
      if TextPlaces.isSentence(text) { sentences += 1 }
      different.insert(text.hashValue)
    }

    var hasSentences: Bool { sentences > 0 && sentences * 10 >= texts }
    /// The share of different texts.
    var variety: Double { Double(different.count) / Double(texts) }
  }

  private var numbers: [Step: Int] = [:]
  private var isContent: [Bool] = []

  /// Tells the places of some inputs apart.
  ///
  /// Content are the places where at least a tenth of the texts is a sentence, all places where there
  /// is no such one; and of these the ones where different texts are at least half as frequent as at
  /// the place where they are most frequent.
  ///
  /// - Parameter inputs: The inputs of the cases.
  init(_ inputs: some Sequence<JSONValue>) {
    var tallies: [Tally] = []
    for input in inputs {
      visit(input, at: 0) { place, text in
        while tallies.count <= place { tallies.append(Tally()) }
        tallies[place].count(text)
      }
    }
    let hasSentences = tallies.contains(where: \.hasSentences)
    let candidates = tallies.map { $0.texts > 0 && ($0.hasSentences || !hasSentences) }
    let most = zip(tallies, candidates).filter(\.1).map(\.0.variety).max() ?? 0
    isContent = zip(tallies, candidates).map { $1 && $0.variety * 2 >= most }
  }

  /// The texts of an input that tell it from others.
  mutating func content(of input: JSONValue) -> [String] {
    var texts: [String] = []
    let isContent = isContent
    visit(input, at: 0) { place, text in
      if isContent.indices.contains(place), isContent[place] { texts.append(text) }
    }
    return texts
  }

  private mutating func visit(
    _ value: JSONValue,
    at place: Int,
    _ body: (_ place: Int, _ text: String) -> Void
  ) {
    switch value {
    case .string(let text): body(place, text)
    case .array(let elements):
      let inner = number(Step(parent: place, name: nil))
      for element in elements { visit(element, at: inner, body) }
    case .object(let object):
      for (name, value) in object.members {
        visit(value, at: number(Step(parent: place, name: ExactString(name))), body)
      }
    case .null, .bool, .number: break
    }
  }

  private mutating func number(_ step: Step) -> Int {
    if let number = numbers[step] { return number }
    numbers[step] = numbers.count + 1
    return numbers.count
  }

  /// Whether a text has three words or more, two letters of a script without spaces being one.
  private static func isSentence(_ text: String) -> Bool {
    var (words, unspaced, isInWord) = (0, 0, false)
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace {
        isInWord = false
      } else if scalar.properties.isAlphabetic {
        if !WordSplitter.isSpaced(scalar) {
          unspaced += 1
        } else if !isInWord {
          (words, isInWord) = (words + 1, true)
        }
        if words + unspaced / 2 >= 3 { return true }
      }
    }
    return false
  }
}
