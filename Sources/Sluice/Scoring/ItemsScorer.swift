/// Compares a list of extracted items with the expected ones.
///
/// Items are matched one to one so that the total similarity of the matched field is as large as it
/// can be; pairs below the threshold are never matched. Order never matters. The case passes when
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
    let threshold = reader.optionalNumber("at-least") ?? 0.5
    let thresholdNode = reader.optional("at-least")
    fields = (reader.optionalTexts("fields") ?? []).map(\.text)
    reader.finish()
    if let thresholdNode, !(0...1).contains(threshold) {
      arguments.diagnostics.error(
        "'at-least' must be between 0 and 1",
        in: arguments.spec.file,
        at: thresholdNode.position
      )
      return nil
    }
    guard let similarity = ItemSimilarity(rawValue: similarityName) else {
      arguments.diagnostics.error(
        "unknown similarity '\(similarityName)'",
        in: arguments.spec.file,
        at: similarityNode?.position,
        fix: NearestName.suggestion(
          for: similarityName,
          among: ItemSimilarity.allCases.map(\.rawValue)
        )
      )
      return nil
    }
    guard let path, let expectedKey, let matchField else { return nil }
    self.path = path
    self.expectedKey = expectedKey
    self.matchField = matchField
    self.similarity = similarity
    self.threshold = threshold
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
    let matching = OptimalAssignment.maximum(
      expected.map { wanted in extracted.map { weight(wanted, $0) } }
    )
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
            "\(name): expected \(field) \(Excerpt.cut(value.jsonText)), got \(Excerpt.cut(got.jsonText))"
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
        ? "\(Self.count(expected.count)) as expected" : faults.joined(separator: "; "),
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

  /// The worth of a pair; nil when it is below the threshold.
  private func weight(_ wanted: JSONValue, _ item: JSONValue) -> Double? {
    let similarity = similarity.of(
      wanted[matchField]?.string ?? "",
      item[matchField]?.string ?? ""
    )
    guard similarity >= threshold else { return nil }
    let scored = fields.filter { wanted[$0] != nil }
    let right = scored.filter { wanted[$0] == (item[$0] ?? .null) }
    // Fields only decide between pairs that are equally similar.
    return 1 + similarity + (scored.isEmpty ? 0 : 1e-6 * Double(right.count) / Double(scored.count))
  }
}

/// How alike two short texts are, from 0 to 1.
enum ItemSimilarity: String, CaseIterable, Sendable {
  /// The coefficient of Dice (1945) over the words of both, in lower case, without plural endings
  /// (Harman 1991, "How effective is suffixing?") and without English articles and prepositions.
  case words
  /// 1 for the same scalars, else 0.
  case exact

  func of(_ left: String, _ right: String) -> Double {
    switch self {
    case .exact: return left.isIdentical(to: right) ? 1 : 0
    case .words:
      let (left, right) = (Self.contentWords(left), Self.contentWords(right))
      if left.isEmpty, right.isEmpty { return 1 }
      return 2 * Double(left.intersection(right).count) / Double(left.count + right.count)
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
