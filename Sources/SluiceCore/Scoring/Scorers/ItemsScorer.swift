import SluiceSupport

/// The scorer `items`, which compares a list of extracted items with the expected items.
///
/// Each expected item is matched with at most one extracted item. The matching maximizes the total
/// similarity of one field. Pairs whose similarity is below the threshold are never matched. If
/// several matchings are equally good, the number of pairs decides, then the share of correct
/// fields. The order of items does not matter.
///
/// The case passes if every item is matched and every scored field is correct. If an expected item
/// omits a field, that field is not scored. If the expected value is null, the extracted item must
/// omit the field or have null. The pass rate is the share of cases that are correct in every item
/// and field.
package struct ItemsScorer: SuiteScorer {
  private let path: String
  private let expectedKey: String
  private let matchField: String
  private let similarity: ItemSimilarity
  private let threshold: Double
  private let fields: [ItemField]
  /// The inputs that describe the participants.
  private let participants: [String]
  /// The input that contains the time at which the text was sent.
  private let sentAt: String?

  package init?(_ arguments: ScorerArguments) {
    guard let reader = arguments.fields() else { return nil }
    let path = arguments.path(reader)
    let expectedKey = reader.requiredText("expected")
    let matchField = reader.requiredText("match")
    let similarityNode = reader.optional("similarity")
    let similarityName = reader.text(similarityNode, "similarity") ?? ItemSimilarity.words.rawValue
    let threshold = Self.threshold(reader)
    let fieldsNode = reader.optional("fields")
    let fields = ItemField.read(fieldsNode, reader)
    participants = (reader.optionalTexts("participants") ?? []).map(\.text)
    sentAt = reader.optionalText("sent-at")
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
    guard let path, let expectedKey, let matchField, let similarity, let threshold, let fields,
      ItemField.areComparable(fields, fieldsNode, participants, sentAt, reader)
    else { return nil }
    self.fields = fields
    self.path = path
    self.expectedKey = expectedKey
    self.matchField = matchField
    self.similarity = similarity
    self.threshold = threshold
  }

  /// Reads the minimum similarity of a pair; nil, with an error reported, if it is invalid.
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

  package var traits: ScorerTraits {
    ScorerTraits(
      metrics: metrics,
      expectedKeys: [expectedKey],
      inputKeys: participants + (sentAt.map { [$0] } ?? [])
    )
  }

  private var metrics: [MetricDefinition] {
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
    ItemContext.check(expectation, participants: participants, sentAt: sentAt)
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
        expectation.error("an expected item needs a text under '\(matchField)'", at: item)
      }
      let names = [matchField] + fields.map(\.name)
      for member in members where !names.contains(where: member.key.isIdentical) {
        expectation.diagnostics.error(
          "unknown field '\(member.key)' of an item",
          in: expectation.file,
          at: member.keyPosition,
          fix: NearestName.suggestion(for: member.key, among: names)
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
      return unusable(
        "expected \(Excerpt.subject(path)) to be a list, got \(value.typeName)",
        expected.count
      )
    case .failure(let unusable): return self.unusable(unusable.reason, expected.count)
    }
    let context = ItemContext(testCase.input, participants: participants, sentAt: sentAt)
    let wantedItems = expected.map { prepared($0, context) }
    let foundItems = extracted.map { prepared($0, context) }
    let matching: [Int?]
    do throws(TextTooLong) {
      matching = try self.matching((expected, wantedItems), (extracted, foundItems))
    } catch {
      return Score(.unscored, explanation: "\(error)")
    }
    var faults: [String] = []
    var (matched, right, scored) = (0, 0, 0)
    for (row, index) in matching.enumerated() {
      let name = Excerpt.quoted(wantedItems[row].text)
      guard let index else {
        faults.append("missing \(name)")
        continue
      }
      matched += 1
      for (place, field) in fields.enumerated() {
        guard let value = wantedItems[row].fields[place] else { continue }
        scored += 1
        if value == foundItems[index].fields[place] ?? .null {
          right += 1
        } else {
          let got = extracted[index][field.name] ?? .null
          faults.append(
            "\(name): expected \(field.name) \(Excerpt.json(expected[row][field.name] ?? .null)), "
              + "got \(Excerpt.json(got))"
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

  /// An item, with the content that is compared.
  private struct Prepared {
    var text: String
    var content: ItemSimilarity.Content
    /// The values of the fields in the form in which they are compared; nil for a field that the
    /// item omits.
    var fields: [JSONValue?]
  }

  private func prepared(_ item: JSONValue, _ context: ItemContext) -> Prepared {
    let text = item[matchField]?.string ?? ""
    return Prepared(
      text: text,
      content: similarity.content(text),
      fields: fields.map { field in item[field.name].map { context.comparable($0, field) } }
    )
  }

  /// Returns, for each expected item, the index of the matched extracted item; nil if there is
  /// none.
  private func matching(
    _ expected: (items: [JSONValue], prepared: [Prepared]),
    _ extracted: (items: [JSONValue], prepared: [Prepared])
  ) throws(TextTooLong) -> [Int?] {
    // If several matchings are equally good, the contents of the items decide, not the order of the
    // items.
    let rows = Self.canonicalOrder(expected.items)
    let columns = Self.canonicalOrder(extracted.items)
    var weights: [[Double?]] = []
    for row in rows {
      var line: [Double?] = []
      for column in columns {
        line.append(try weight(expected.prepared[row], extracted.prepared[column]))
      }
      weights.append(line)
    }
    var matching = [Int?](repeating: nil, count: rows.count)
    for (row, column) in zip(rows, OptimalAssignment.maximum(weights)) {
      matching[row] = column.map { columns[$0] }
    }
    return matching
  }

  private static func canonicalOrder(_ items: [JSONValue]) -> [Int] {
    let keys = items.map { JSONWriter.canonical($0, isExact: true) }
    return items.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
  }

  /// Returns the weight of a pair; nil if its similarity is below the threshold.
  private func weight(_ wanted: Prepared, _ item: Prepared) throws(TextTooLong) -> Double? {
    let similarity = try similarity.of(wanted.content, item.content)
    guard similarity >= threshold else { return nil }
    let scored = wanted.fields.count { $0 != nil }
    let right = zip(wanted.fields, item.fields).count { $0 != nil && $0 == $1 ?? .null }
    // The number of pairs decides only if the similarities are equal. The fields decide only if the
    // numbers of pairs are also equal.
    return similarity + 1e-6 + (scored == 0 ? 0 : 1e-9 * Double(right) / Double(scored))
  }
}
