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
    let (old, new) = (RequestIdentity(old), RequestIdentity(new))
    func value(_ name: String, _ identity: RequestIdentity) -> JSONValue? {
      identity.parts.first { $0.name == name }?.value
    }
    parts = Self.changedParts(from: old, to: new).map { part in
      Part(
        name: part.name,
        lines: Self.lines(from: value(part.name, old), to: value(part.name, new))
      )
    }
  }

  /// The parts that differ, were added, or were removed, which come last.
  static func changedParts(from old: RequestIdentity, to new: RequestIdentity)
    -> [RequestIdentity.Part]
  {
    let oldDigests = Dictionary(old.parts.map { ($0.name, $0.digest) }) { first, _ in first }
    let newNames = Set(new.parts.map(\.name))
    let changed =
      new.parts.filter { oldDigests[$0.name] != $0.digest }
      + old.parts.filter { !newNames.contains($0.name) }
    // That their order is another one goes without saying where things were added or removed.
    let orders = changed.filter { $0.name.hasPrefix("order of the ") }
    let others = changed.filter { !$0.name.hasPrefix("order of the ") }
    return others
      + orders.filter { order in
        !others.contains { part in
          part.kind == order.kind
            && (oldDigests[part.name] == nil || !newNames.contains(part.name))
        }
      }
  }

  private static func lines(from old: JSONValue?, to new: JSONValue?) -> [String] {
    if let old = messageText(old), let new = messageText(new) {
      return TextDifference.lines(from: old, to: new)
    }
    switch (old, new) {
    case (nil, let new?): return TextDifference.lines(from: "", to: messageText(new) ?? text(new))
    case (let old?, nil): return TextDifference.lines(from: messageText(old) ?? text(old), to: "")
    case (let old?, let new?): return JSONDifference.lines(from: old, to: new)
    case (nil, nil): return []
    }
  }

  /// The text of a message that is no more than a role and a text.
  private static func messageText(_ value: JSONValue?) -> String? {
    guard let object = value?.object, object.members.count == 2, object["role"] != nil else {
      return nil
    }
    return object["content"]?.string
  }

  private static func text(_ value: JSONValue) -> String { value.string ?? value.jsonText }
}
