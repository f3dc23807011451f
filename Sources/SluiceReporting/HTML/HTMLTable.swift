import SluiceGating

/// Texts of a page that are named by number, so that each stands in it once.
struct HTMLTable {
  private var texts: [String] = []
  private var uses: [Int] = []
  private var places: [ExactString: Int] = [:]

  var count: Int { texts.count }

  /// The number of a text, which is counted as used once more.
  mutating func place(_ text: String) -> Int {
    let key = ExactString(text)
    if let place = places[key] {
      uses[place] += 1
      return place
    }
    places[key] = texts.count
    texts.append(text)
    uses.append(1)
    return texts.count - 1
  }

  /// Counts a text as used once more.
  mutating func use(_ place: Int) { uses[place] += 1 }

  /// The numbers of the texts that are used more often.
  func used(over least: Int) -> [Int] { uses.indices.filter { uses[$0] > least } }

  func json() -> JSONValue { .array(texts.map(JSONValue.string)) }
}
