import SluiceSupport

/// A comparison of two values.
///
/// By default, it is exact. It can ignore case, white space around texts, small differences between
/// numbers, and the order of lists.
struct ValueComparison: Sendable {
  /// True to ignore case.
  var ignoresCase = false
  /// True to ignore white space around texts.
  var trims = false
  /// The maximum difference between two numbers that count as equal; nil for an exact comparison.
  var tolerance: ExactNumber?
  /// True to ignore the order of list elements.
  var isUnordered = false

  /// The maximum number of elements in lists that are compared without regard to order.
  static let unorderedLimit = 2_000

  /// Creates a comparison from arguments, and reports errors in them.
  ///
  /// - Parameter fields: The arguments.
  init(_ fields: FieldReader) {
    ignoresCase = fields.optionalBool("ignore-case") ?? false
    trims = fields.optionalBool("trim") ?? false
    isUnordered = fields.optionalBool("unordered") ?? false
    let node = fields.node["tolerance"]
    let number = fields.optionalNumber("tolerance") ?? 0
    tolerance = number > 0 ? node?.json.decimal : nil
    if number < 0 {
      fields.diagnostics.error(
        "'tolerance' must not be negative",
        in: fields.file,
        at: node?.position ?? fields.node.position
      )
    }
  }

  /// The names of the arguments.
  static let keys = ["ignore-case", "trim", "tolerance", "unordered"]

  /// Returns true if a value equals the expected one.
  ///
  /// - Throws: ``Undecided`` if lists that are compared without regard to order are too long.
  func isEqual(_ value: JSONValue, _ expected: JSONValue) throws(Undecided) -> Bool {
    switch (value, expected) {
    case (.string(let text), .string(let wanted)):
      return plain(text).isIdentical(to: plain(wanted))
    case (.number, .number), (.number, .exact), (.exact, .number), (.exact, .exact):
      guard value != expected, let tolerance else { return value == expected }
      guard let number = value.decimal, let wanted = expected.decimal else { return false }
      return number.isNear(wanted, within: tolerance)
    case (.object(let object), .object(let wanted)):
      guard object.members.count == wanted.members.count else { return false }
      for member in wanted.members {
        guard let found = object[member.name], try isEqual(found, member.value) else {
          return false
        }
      }
      return true
    case (.array(let elements), .array(let wanted)):
      guard elements.count == wanted.count else { return false }
      if isUnordered { return try isEqualInAnyOrder(elements, wanted) }
      for (element, wanted) in zip(elements, wanted) where try !isEqual(element, wanted) {
        return false
      }
      return true
    default: return value == expected
    }
  }

  private func plain(_ text: String) -> String {
    let text = trims ? text.trimmed : text
    return ignoresCase ? text.lowercased() : text
  }

  /// Returns true if the elements can be paired so that both elements of each pair are equal.
  ///
  /// With a tolerance, an element may be equal to several elements that are not equal to each
  /// other. So the pairing is searched for by augmenting paths (Kuhn 1955).
  private func isEqualInAnyOrder(_ elements: [JSONValue], _ wanted: [JSONValue])
    throws(Undecided) -> Bool
  {
    if elements.count > Self.unorderedLimit {
      throw Undecided(
        reason: "the lists have too many elements (\(elements.count)) to compare them "
          + "regardless of order"
      )
    }
    var partners: [[Int]] = []
    for wanted in wanted {
      var places: [Int] = []
      for (place, element) in elements.enumerated() where try isEqual(element, wanted) {
        places.append(place)
      }
      if places.isEmpty { return false }
      partners.append(places)
    }
    var owner = [Int?](repeating: nil, count: elements.count)
    for start in partners.indices {
      // The search is breadth-first, so that long chains do not need the call stack.
      var (queue, next, cameFrom) = ([start], 0, [Int: Int]())
      var free: Int?
      search: while next < queue.count {
        let row = queue[next]
        next += 1
        for place in partners[row] where cameFrom[place] == nil {
          cameFrom[place] = row
          guard let other = owner[place] else {
            free = place
            break search
          }
          queue.append(other)
        }
      }
      guard var place = free else { return false }
      while let row = cameFrom[place] {
        let before = owner.firstIndex(of: row)
        owner[place] = row
        guard row != start, let before else { break }
        place = before
      }
    }
    return true
  }
}
