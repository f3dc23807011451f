import SluiceSupport

/// The paths of texts in the inputs of a dataset.
///
/// The texts at some of these paths, the content paths, distinguish the cases.
///
/// All elements of a list share a path, such as `conversation[].text`. The texts decide which paths
/// are content paths; the names of the members do not matter. Paths of times, roles and names of
/// people are excluded, because they have hardly any sentences. Paths of context that many cases
/// share are excluded, because they have few distinct texts.
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
    /// The number of distinct texts divided by the number of texts.
    var variety: Double { Double(different.count) / Double(texts) }
  }

  private var numbers: [Step: Int] = [:]
  private var isContent: [Bool] = []

  /// Decides which paths of some inputs are content paths.
  ///
  /// First, the candidates are chosen: the paths where at least a tenth of the texts are sentences.
  /// If no path has so many sentences, all paths are candidates. A candidate is a content path if
  /// its share of distinct texts is at least half of the highest share among the candidates.
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

  /// Returns the texts at the content paths of an input.
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
    case .null, .bool, .number, .exact: break
    }
  }

  private mutating func number(_ step: Step) -> Int {
    if let number = numbers[step] { return number }
    numbers[step] = numbers.count + 1
    return numbers.count
  }

  /// Returns true if a text has three or more words.
  ///
  /// In a script without spaces, two letters count as a word.
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
