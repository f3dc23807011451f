import SluiceGating

/// Texts of a page that are named by number, so that each stands in it once.
struct HTMLTable {
  private var texts: [String] = []
  private var places: [ExactString: Int] = [:]

  var count: Int { texts.count }

  /// The number of a text.
  mutating func place(_ text: String) -> Int {
    let key = ExactString(text)
    if let place = places[key] { return place }
    places[key] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  func json() -> JSONValue { .array(texts.map(JSONValue.string)) }
}
