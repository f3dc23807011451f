import SluiceSupport

/// How two requests differ, part by part, for a person to read.
package struct RequestDifference: Hashable, Sendable {
  /// The changed parts, in the order in which they are named.
  package var parts: [Part]

  /// A changed part.
  package struct Part: Hashable, Sendable {
    package var name: String
    /// How it changed, in lines that start with `-`, `+` or a space.
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

  /// The parts that differ, were added, or were removed, which come last.
  package static func changedParts(from old: RequestIdentity, to new: RequestIdentity)
    -> [RequestIdentity.Part]
  {
    let oldDigests = Dictionary(old.parts.map { ($0.place, $0.digest) }) { first, _ in first }
    let newPlaces = Set(new.parts.map(\.place))
    let changed =
      new.parts.filter { oldDigests[$0.place] != $0.digest }
      + old.parts.filter { !newPlaces.contains($0.place) }
    // What has no name of its own: an empty list instead of none.
    if changed.isEmpty, old.key != new.key { return [.wholeBody] }
    // That their order is another one goes without saying where things were added or removed.
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

  /// All lines of a value that stands on one side alone.
  private static func whole(_ value: JSONValue, _ sign: String) -> [String] {
    let text = messageText(value)?.text ?? value.string ?? value.jsonText
    if text.isEmpty { return ["\(sign) (empty)"] }
    return TextDifference.lines(from: "", to: text).map { sign + $0.dropFirst() }
  }

  /// The text of a message that is no more than a role and a text.
  private static func messageText(_ value: JSONValue?) -> (role: JSONValue, text: String)? {
    guard let object = value?.object, object.members.count == 2, let role = object["role"],
      let text = object["content"]?.string
    else { return nil }
    return (role, text)
  }
}
