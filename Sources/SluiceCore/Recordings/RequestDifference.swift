import SluiceSupport

/// The difference between two requests, part by part, in readable form.
package struct RequestDifference: Hashable, Sendable {
  /// The changed parts, in display order.
  package var parts: [Part]

  /// A changed part.
  package struct Part: Hashable, Sendable {
    package var name: String
    /// The change as lines.
    ///
    /// Each starts with `-`, `+` or a space.
    package var lines: [String]

    package init(name: String, lines: [String]) {
      self.name = name
      self.lines = lines
    }
  }

  package init(parts: [Part]) { self.parts = parts }

  /// Compares two requests.
  package init(from old: ModelRequest, to new: ModelRequest) {
    let (before, after) = (RequestIdentity(old), RequestIdentity(new))
    func value(_ part: RequestIdentity.Part, _ identity: RequestIdentity) -> JSONValue? {
      identity.parts.first { $0.place == part.place }?.value
    }
    parts = Self.changedParts(from: before, to: after).map { part in
      let lines =
        part.place == RequestIdentity.Part.wholeBody.place
        ? JSONDifference.lines(from: old.body, to: new.body)
        : Self.lines(from: value(part, before), to: value(part, after))
      return Part(name: part.name, lines: lines)
    }
  }

  /// Returns the parts that were changed or added, followed by the parts that were removed.
  package static func changedParts(from old: RequestIdentity, to new: RequestIdentity)
    -> [RequestIdentity.Part]
  {
    let oldDigests = Dictionary(old.parts.map { ($0.place, $0.digest) }) { first, _ in first }
    let newPlaces = Set(new.parts.map(\.place))
    let changed =
      new.parts.filter { oldDigests[$0.place] != $0.digest }
      + old.parts.filter { !newPlaces.contains($0.place) }
    // Covers differences that no named part shows, such as an empty list instead of a missing one.
    if changed.isEmpty, old.key != new.key { return [.wholeBody] }
    // If parts were added or removed, there is no need to report that their order changed.
    let orders = changed.filter { $0.name.hasPrefix("order of the ") }
    let others = changed.filter { !$0.name.hasPrefix("order of the ") }
    return others
      + orders.filter { order in
        !others.contains { part in
          part.kind == order.kind
            && (oldDigests[part.place] == nil || !newPlaces.contains(part.place))
        }
      }
  }

  private static func lines(from old: JSONValue?, to new: JSONValue?) -> [String] {
    if let old = messageText(old), let new = messageText(new), old.role == new.role {
      return TextDifference.lines(from: old.text, to: new.text)
    }
    switch (old, new) {
    case (nil, let new?): return whole(new, "+")
    case (let old?, nil): return whole(old, "-")
    case (let old?, let new?): return JSONDifference.lines(from: old, to: new)
    case (nil, nil): return []
    }
  }

  /// Returns all lines of a value that exists only on one side.
  private static func whole(_ value: JSONValue, _ sign: String) -> [String] {
    let text = messageText(value)?.text ?? value.string ?? value.jsonText
    if text.isEmpty { return ["\(sign) (empty)"] }
    return TextDifference.lines(from: "", to: text).map { sign + $0.dropFirst() }
  }

  /// Returns the role and the text of a message; nil if the message contains anything else.
  private static func messageText(_ value: JSONValue?) -> (role: JSONValue, text: String)? {
    guard let object = value?.object, object.members.count == 2, let role = object["role"],
      let text = object["content"]?.string
    else { return nil }
    return (role, text)
  }
}
