import SluiceGating

/// A table of texts that stores each text once, so that a page can refer to it by number.
struct HTMLTable {
  private var texts: [String] = []
  private var places: [ExactString: Int] = [:]

  var count: Int { texts.count }

  /// Returns the number of a text, and adds the text if it is new.
  mutating func place(_ text: String) -> Int {
    let key = ExactString(text)
    if let place = places[key] { return place }
    places[key] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  func json() -> JSONValue { .array(texts.map(JSONValue.string)) }
}
