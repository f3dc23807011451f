import SluiceSupport

/// Finds the recordings in a file that may explain why a request has no recording.
package struct RecordingFinder: Sendable {
  /// The exchanges recorded for each case.
  private var slotsByCase: [String: [Recording.Slot]] = [:]
  /// The exchanges by the digests of their user messages.
  ///
  /// Cases with the same question share a recording, which names only one of these cases.
  private var slotsByQuestion: [String: [Recording.Slot]] = [:]

  /// Adds an exchange, given the contents of its line.
  mutating func add(_ slot: Recording.Slot, line: JSONValue) {
    if let name = line["hints"]?["case"]?.string { slotsByCase[name, default: []].append(slot) }
    let parts = (line["parts"]?.object?.members ?? []).map { member in
      (name: member.name, digest: member.value.string ?? "")
    }
    slotsByQuestion[RequestIdentity.question(parts), default: []].append(slot)
  }

  /// Returns the exchanges that were recorded for a case, or for another case with the same
  /// question, sorted.
  package func slots(ofCase name: String, asking question: String) -> [Recording.Slot] {
    // Requests without a user message have no question, so none of them is the same.
    let same = question.isEmpty ? [] : slotsByQuestion[question] ?? []
    return (slotsByCase[name] ?? same).sorted()
  }
}
