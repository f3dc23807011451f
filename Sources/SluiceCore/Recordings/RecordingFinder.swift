import SluiceSupport

/// An index of the recordings in a file that may explain why a request has no recording.
package struct RecordingFinder: Sendable {
  /// The exchanges recorded for each case.
  private var slotsByCase: [String: [Recording.Slot]] = [:]
  /// The exchanges by the digest of the case's input.
  ///
  /// Cases with the same request share a recording, which names only one of these cases. The id of
  /// a case may also have changed.
  private var slotsByInput: [String: [Recording.Slot]] = [:]
  /// The exchanges by the digests of their user messages.
  ///
  /// They are used only if no exchange has the same case or the same input.
  private var slotsByQuestion: [String: [Recording.Slot]] = [:]

  /// Adds an exchange, given the contents of its line.
  mutating func add(_ slot: Recording.Slot, line: JSONValue) {
    if let name = line["hints"]?["case"]?.string { slotsByCase[name, default: []].append(slot) }
    if let digest = line["hints"]?["input-digest"]?.string {
      slotsByInput[digest, default: []].append(slot)
    }
    let parts = (line["parts"]?.object?.members ?? []).map { member in
      (name: member.name, digest: member.value.string ?? "")
    }
    slotsByQuestion[RequestIdentity.question(parts), default: []].append(slot)
  }

  /// Returns the exchanges that were recorded for a case or for its input, in sorted order.
  ///
  /// If there are none, returns the exchanges with the same user messages.
  package func slots(
    ofCase name: String,
    input digest: String = "",
    asking question: String
  ) -> [Recording.Slot] {
    let own = Set(slotsByCase[name] ?? []).union(slotsByInput[digest] ?? [])
    if !own.isEmpty { return own.sorted() }
    // Otherwise, all requests without a user message would match each other.
    return question.isEmpty ? [] : (slotsByQuestion[question] ?? []).sorted()
  }
}
