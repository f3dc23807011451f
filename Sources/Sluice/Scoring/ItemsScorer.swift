/// Compares a list of extracted items with the expected ones.
///
/// Items are matched one to one so that the total similarity of the matched field is as large as it
/// can be; pairs below the threshold are never matched. Of equal totals the one with more pairs wins,
/// then the one with more right fields. Order never matters. The case passes when
/// every item is matched and every scored field is right; a field that an expected item leaves out
/// is not scored, null means that it must not be given.
package struct ItemsScorer: SuiteScorer {
  private let path: String
  private let expectedKey: String
  private let matchField: String
  private let similarity: ItemSimilarity
  private let threshold: Double
  private let fields: [String]

  package init?(_ arguments: ScorerArguments) {
    guard let reader = arguments.fields() else { return nil }
    let path = reader.requiredText("path")
    let expectedKey = reader.requiredText("expected")
    let matchField = reader.requiredText("match")
    let similarityNode = reader.optional("similarity")
    let similarityName = reader.text(similarityNode, "similarity") ?? ItemSimilarity.words.rawValue
    let threshold = Self.threshold(reader)
    fields = (reader.optionalTexts("fields") ?? []).map(\.text)
    reader.finish()
    let similarity = ItemSimilarity(rawValue: similarityName)
    if similarity == nil {
      arguments.diagnostics.error(
        "unknown similarity '\(similarityName)'",
        in: arguments.spec.file,
        at: similarityNode?.position,
        fix: NearestName.suggestion(
          for: similarityName,
          among: ItemSimilarity.allCases.map(\.rawValue)
        )
      )
    }
    guard let path, let expectedKey, let matchField, let similarity, let threshold else {
      return nil
    }
    self.path = path
    self.expectedKey = expectedKey
    self.matchField = matchField
    self.similarity = similarity
    self.threshold = threshold
  }

  /// The similarity that a pair needs; nil, with an error reported, when it is none.
  private static func threshold(_ reader: FieldReader) -> Double? {
    guard let node = reader.optional("at-least") else { return 0.5 }
    guard case .number(let threshold) = node.value else {
      reader.wrongType("at-least", "a number", node)
      return nil
    }
    if (0...1).contains(threshold) { return threshold }
    reader.diagnostics.error(
      "'at-least' must be between 0 and 1",
      in: reader.file,
      at: node.position
    )
    return nil
  }

  package var expectedKeys: [String] { [expectedKey] }

  package var metrics: [MetricDefinition] {
    [
      MetricDefinition("precision", .ratio(of: [.init("matched")], to: [.init("extracted")])),
      MetricDefinition("recall", .ratio(of: [.init("matched")], to: [.init("expected")])),
      MetricDefinition(
        "f1",
        .ratio(of: [.init("matched", times: 2)], to: [.init("extracted"), .init("expected")])
      ),
      MetricDefinition("field-accuracy", .ratio(of: [.init("right")], to: [.init("scored")])),
    ]
  }

  package func check(_ expectation: Expectation) {
    guard let node = expectation.required(expectedKey, by: "items") else { return }
    guard case .sequence(let items) = node.value else {
      expectation.error("'expected.\(expectedKey)' must be a list, not \(node.kind)", at: node)
      return
    }
    for item in items {
      guard let members = item.members else {
        expectation.error("an expected item must be a mapping, not \(item.kind)", at: item)
        continue
      }
      if case .string = item[matchField]?.value {
      } else {
        expectation.error("an expected item needs '\(matchField)' as a text", at: item)
      }
      for member in members where member.key != matchField && !fields.contains(member.key) {
        expectation.diagnostics.error(
          "unknown field '\(member.key)' of an item",
          in: expectation.file,
          at: member.keyPosition,
          fix: NearestName.suggestion(for: member.key, among: [matchField] + fields)
        )
      }
    }
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    let expected = testCase.expected[expectedKey]?.array ?? []
    let extracted: [JSONValue]
    switch answer.value(at: path) {
    case .success(.array(let elements)): extracted = elements
    case .success(.null): extracted = []
    case .success(let value):
      return unusable("expected \(path) to be a list, got \(value.typeName)", expected.count)
    case .failure(let unusable): return self.unusable(unusable.reason, expected.count)
    }
    let matching = matching(expected, extracted)
    var faults: [String] = []
    var (matched, right, scored) = (0, 0, 0)
    for (wanted, index) in zip(expected, matching) {
      let name = Excerpt.quoted(wanted[matchField]?.string ?? "")
      guard let index else {
        faults.append("missing \(name)")
        continue
      }
      matched += 1
      for field in fields {
        guard let value = wanted[field] else { continue }
        scored += 1
        let got = extracted[index][field] ?? .null
        if value == got {
          right += 1
        } else {
          faults.append(
            "\(name): expected \(field) \(Excerpt.json(value)), got \(Excerpt.json(got))"
          )
        }
      }
    }
    let used = Set(matching.compactMap(\.self))
    for (index, item) in extracted.enumerated() where !used.contains(index) {
      faults.append("not expected: \(Excerpt.quoted(item[matchField]?.string ?? item.jsonText))")
    }
    return Score(
      faults.isEmpty ? .passed : .failed,
      explanation: faults.isEmpty
        ? "\(Self.count(expected.count)) as expected"
        : Excerpt.list(faults, limit: 10, separator: "; "),
      measurements: measurements(expected.count, extracted.count, matched, right, scored)
    )
  }

  private func unusable(_ reason: String, _ expected: Int) -> Score {
    .unusable(reason, measurements: measurements(expected, 0, 0, 0, 0))
  }

  private func measurements(
    _ expected: Int,
    _ extracted: Int,
    _ matched: Int,
    _ right: Int,
    _ scored: Int
  ) -> JSONObject {
    [
      "expected": .number(Double(expected)), "extracted": .number(Double(extracted)),
      "matched": .number(Double(matched)), "right": .number(Double(right)),
      "scored": .number(Double(scored)),
    ]
  }

  private static func count(_ number: Int) -> String {
    switch number {
    case 0: "no items"
    case 1: "one item"
    default: "\(number) items"
    }
  }

  /// The index of the extracted item that each expected one is matched with.
  private func matching(_ expected: [JSONValue], _ extracted: [JSONValue]) -> [Int?] {
    // Which of several best matchings is taken depends on what the items hold, not on their order.
    let rows = Self.canonicalOrder(expected)
    let columns = Self.canonicalOrder(extracted)
    let texts = columns.map { similarity.content(extracted[$0][matchField]?.string ?? "") }
    let weights = rows.map { row in
      let wanted = similarity.content(expected[row][matchField]?.string ?? "")
      return zip(columns, texts).map { column, text in
        weight(expected[row], extracted[column], similarity.of(wanted, text))
      }
    }
    var matching = [Int?](repeating: nil, count: expected.count)
    for (row, column) in zip(rows, OptimalAssignment.maximum(weights)) {
      matching[row] = column.map { columns[$0] }
    }
    return matching
  }

  private static func canonicalOrder(_ items: [JSONValue]) -> [Int] {
    let keys = items.map(JSONWriter.canonical)
    return items.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
  }

  /// The worth of a pair; nil when it is below the threshold.
  private func weight(_ wanted: JSONValue, _ item: JSONValue, _ similarity: Double) -> Double? {
    guard similarity >= threshold else { return nil }
    let scored = fields.filter { wanted[$0] != nil }
    let right = scored.filter { wanted[$0] == (item[$0] ?? .null) }
    // The number of pairs only decides between totals that are equally similar, and fields only
    // between those with as many pairs.
    return similarity + 1e-6
      + (scored.isEmpty ? 0 : 1e-9 * Double(right.count) / Double(scored.count))
  }
}

/// How alike two short texts are, from 0 to 1.
enum ItemSimilarity: String, CaseIterable, Sendable {
  /// The coefficient of Dice (1945) over the words of both, in lower case, without plural endings
  /// (Harman 1991, "How effective is suffixing?") and without English articles and prepositions.
  case words
  /// 1 for the same scalars, else 0.
  case exact

  /// What of a text is compared.
  enum Content {
    case words(Set<String>)
    case text(String)
  }

  func content(_ text: String) -> Content {
    switch self {
    case .exact: .text(text)
    case .words: .words(Self.contentWords(text))
    }
  }

  func of(_ left: String, _ right: String) -> Double { of(content(left), content(right)) }

  func of(_ left: Content, _ right: Content) -> Double {
    switch (left, right) {
    case (.text(let left), .text(let right)): return left.isIdentical(to: right) ? 1 : 0
    case (.words(let left), .words(let right)):
      if left.isEmpty, right.isEmpty { return 1 }
      return 2 * Double(left.intersection(right).count) / Double(left.count + right.count)
    // One similarity makes contents of one kind.
    default: return 0
    }
  }

  private static let functionWords: Set<String> = [
    "a", "an", "the", "to", "of", "for", "in", "on", "at", "by", "with", "and", "from", "into",
    "about", "up", "out", "over", "is", "be", "it", "this", "that", "my", "your", "our", "their",
    "his", "her", "its", "some", "any",
  ]

  private static func contentWords(_ text: String) -> Set<String> {
    let words = WordSplitter.words(text)
    let content = words.filter { !functionWords.contains($0) }
    return Set((content.isEmpty ? words : content).map(withoutPlural))
  }

  private static func withoutPlural(_ word: String) -> String {
    if word.count > 3, word.hasSuffix("ies"), !word.hasSuffix("eies"), !word.hasSuffix("aies") {
      return word.dropLast(3) + "y"
    }
    if word.count > 3, word.hasSuffix("es"), !["aes", "ees", "oes"].contains(where: word.hasSuffix)
    {
      return String(word.dropLast())
    }
    if word.count > 2, word.hasSuffix("s"), !word.hasSuffix("us"), !word.hasSuffix("ss") {
      return String(word.dropLast())
    }
    return word
  }
}
