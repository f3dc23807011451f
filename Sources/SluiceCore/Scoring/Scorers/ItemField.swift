import SluiceSupport

/// A field of items, with the rule for comparing its values.
struct ItemField: Sendable {
  enum Comparison: String, CaseIterable, Sendable {
    /// The values are compared as JSON.
    case exact
    /// The value names a participant of the case: by name, by id, or by the input that contains the
    /// participant, such as `sender`.
    case participant
    /// The value names a day in words, such as `next Friday`. The days are compared, not the words.
    case date
  }

  var name: String
  var comparison: Comparison

  /// Reads a list of field names, or a mapping of names to comparisons; nil, with errors reported,
  /// for anything else.
  static func read(_ node: Node?, _ reader: FieldReader) -> [ItemField]? {
    guard let node else { return [] }
    switch node.value {
    case .sequence(let nodes):
      let names = nodes.compactMap { reader.text($0, "an entry of 'fields'") }
      return names.map { ItemField(name: $0, comparison: .exact) }
    case .mapping(let members):
      let fields = members.compactMap { member -> ItemField? in
        guard let word = reader.text(member.value, member.key) else { return nil }
        if let comparison = Comparison(rawValue: word) {
          return ItemField(name: member.key, comparison: comparison)
        }
        reader.diagnostics.error(
          "unknown comparison '\(word)' of the field '\(member.key)'",
          in: reader.file,
          at: member.value.position,
          fix: NearestName.suggestion(for: word, among: Comparison.allCases.map(\.rawValue))
        )
        return nil
      }
      return fields.count == members.count ? fields : nil
    default:
      reader.wrongType("fields", "a list of names, or a mapping of names to comparisons", node)
      return nil
    }
  }

  /// Returns true if `participants` and `sentAt` are given when a comparison needs them, and only
  /// then.
  ///
  /// Otherwise reports errors.
  static func areComparable(
    _ fields: [ItemField],
    _ node: Node?,
    _ participants: [String],
    _ sentAt: String?,
    _ reader: FieldReader
  ) -> Bool {
    var isFine = true
    let needs: [(comparison: Comparison, key: String, isGiven: Bool, example: String)] = [
      (.participant, "participants", !participants.isEmpty, "[sender, recipient]"),
      (.date, "sent-at", sentAt != nil, "sent"),
    ]
    for need in needs {
      let isUsed = fields.contains { $0.comparison == need.comparison }
      if isUsed == need.isGiven { continue }
      isFine = false
      reader.diagnostics.error(
        isUsed
          ? "a field is compared as \(need.comparison.rawValue), which requires '\(need.key)'"
          : "no field is compared as \(need.comparison.rawValue), so '\(need.key)' has no effect",
        in: reader.file,
        at: isUsed ? node?.position : reader.node[need.key]?.position,
        fix: isUsed
          ? "add '\(need.key): \(need.example)' with the names of your inputs"
          : "write 'fields: {NAME: \(need.comparison.rawValue)}', or remove it"
      )
    }
    return isFine
  }
}

/// The participants of a case, and the day on which its text was sent.
///
/// The values of fields are interpreted with this information.
struct ItemContext {
  /// The ids of participants, by the lower-case words that name them; nil for an ambiguous word.
  private var ids: [String: String?] = [:]
  private let sentOn: CivilDay?

  init(_ input: JSONValue, participants: [String], sentAt: String?) {
    sentOn = sentAt.flatMap { input[$0]?.string }.flatMap(CivilDay.init(iso8601:))
    for key in participants {
      guard let participant = input[key],
        let id = participant.string ?? participant["id"]?.string ?? participant["name"]?.string
      else { continue }
      let words = [key, id] + (participant["name"]?.string.map { [$0] } ?? [])
      for word in Set(words.map(Self.plain)) {
        // A word that two participants share is ambiguous.
        if let known = ids[word], known?.isIdentical(to: id) != true {
          ids[word] = .some(nil)
        } else {
          ids[word] = id
        }
      }
    }
  }

  private static func plain(_ text: String) -> String { text.trimmed.lowercased() }

  /// Returns a value in the form in which it is compared.
  func comparable(_ value: JSONValue, _ field: ItemField) -> JSONValue {
    guard let text = value.string else { return value }
    switch field.comparison {
    case .exact: return value
    case .participant:
      let word = Self.plain(text)
      return .string((ids[word] ?? nil).map(Self.plain) ?? word)
    case .date:
      let day = sentOn.flatMap { SpokenDay.day(text, saidOn: $0) }
      return .string(day?.iso8601 ?? Self.plain(text))
    }
  }

  /// Reports inputs that lack the information that comparisons need.
  static func check(_ expectation: Expectation, participants: [String], sentAt: String?) {
    for key in participants {
      guard let node = expectation.requiredInput(key, by: "items") else { continue }
      func isText(_ node: Node?) -> Bool { if case .string = node?.value { true } else { false } }
      if isText(node) || isText(node["id"]) || isText(node["name"]) { continue }
      expectation.error(
        "a participant must be a text, or a mapping with an 'id' or a 'name'",
        at: node
      )
    }
    guard let sentAt, let node = expectation.requiredInput(sentAt, by: "items") else { return }
    if case .string(let text) = node.value, CivilDay(iso8601: text) != nil { return }
    expectation.error(
      "'input.\(sentAt)' must be a date or a time such as \"2026-11-17T10:12:00+01:00\"",
      at: node
    )
  }
}
