import SluiceSupport

/// Finds the recordings of a file that may explain why a request has none.
package struct RecordingFinder: Sendable {
  /// The exchanges that a case was recorded with.
  private var slotsByCase: [String: [Recording.Slot]] = [:]
  /// The exchanges by what the user says in them: cases that ask the same share a recording, which
  /// names only one of them.
  private var slotsByQuestion: [String: [Recording.Slot]] = [:]

  /// Adds an exchange by what its line says.
  mutating func add(_ slot: Recording.Slot, line: JSONValue) {
    if let name = line["hints"]?["case"]?.string { slotsByCase[name, default: []].append(slot) }
    let parts = (line["parts"]?.object?.members ?? []).map { member in
      (name: member.name, digest: member.value.string ?? "")
    }
    slotsByQuestion[RequestIdentity.question(parts), default: []].append(slot)
  }

  /// The exchanges that were recorded for a case, or for another that asks the same, sorted.
  package func slots(ofCase name: String, asking question: String) -> [Recording.Slot] {
    // Requests without a word of the user all ask the same nothing.
    let same = question.isEmpty ? [] : slotsByQuestion[question] ?? []
    return (slotsByCase[name] ?? same).sorted()
  }
}
