import SluiceGating

/// A table of a page's texts, which are referred to by number so that each is stored once.
struct HTMLTable {
  private var texts: [String] = []
  private var places: [ExactString: Int] = [:]

  var count: Int { texts.count }

  /// Returns the number of a text.
  mutating func place(_ text: String) -> Int {
    let key = ExactString(text)
    if let place = places[key] { return place }
    places[key] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  func json() -> JSONValue { .array(texts.map(JSONValue.string)) }
}
