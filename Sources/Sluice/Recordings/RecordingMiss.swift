/// Why no recording answers a request.
public struct RecordingMiss: Hashable, Sendable {
  /// The kinds of reasons.
  public enum Reason: Hashable, Sendable {
    /// Nothing was ever recorded for the case through this backend.
    case newCase
    /// The request is recorded, but not as often as it is asked.
    case usedUp(recorded: Int)
    /// The nearest recording differs in these parts of the request.
    case changed([String])
    /// A recording is there but cannot be used.
    case unusable(String)
  }

  /// Why no recording answers.
  public var reason: Reason

  /// Creates a miss.
  ///
  /// - Parameter reason: Why no recording answers.
  public init(reason: Reason) { self.reason = reason }

  /// The miss in a phrase, such as "stale recording: the temperature changed".
  public var message: String {
    switch reason {
    case .newCase: "no recording"
    case .usedUp(let recorded):
      "recorded \(recorded) \(recorded == 1 ? "time" : "times"), asked once more"
    case .changed(let parts): "stale recording: \(Self.listed(parts)) changed"
    case .unusable(let message): "unusable recording: \(message)"
    }
  }

  private static func listed(_ parts: [String]) -> String {
    let named = parts.map { "the \($0)" }
    guard let last = named.last, named.count > 1 else { return named.first ?? "the request" }
    return named.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Explains why a file holds no answer.
  package static func explain(
    _ identity: RequestIdentity,
    repetition: Int,
    testCase: String,
    prompt: String,
    in file: RecordingFile
  ) -> RecordingMiss {
    let earlier = (1..<max(repetition, 1)).filter {
      file.contains(key: identity.key, repetition: $0)
    }
    if !earlier.isEmpty { return RecordingMiss(reason: .usedUp(recorded: earlier.count)) }
    let nearest = file.recordings(ofCase: testCase, asking: identity.question)
      .map { recording in
        (
          changed: changedParts(from: recording.identity, to: identity),
          otherPrompt: recording.hints.prompt == prompt ? 0 : 1
        )
      }
      .min { ($0.otherPrompt, $0.changed.count) < ($1.otherPrompt, $1.changed.count) }
    guard let nearest else { return RecordingMiss(reason: .newCase) }
    return RecordingMiss(reason: .changed(nearest.changed))
  }

  /// The names of the parts that differ, were added or were removed.
  private static func changedParts(from old: RequestIdentity, to new: RequestIdentity) -> [String] {
    let oldDigests = Dictionary(old.parts.map { ($0.name, $0.digest) }) { first, _ in first }
    let newNames = Set(new.parts.map(\.name))
    return new.parts.filter { oldDigests[$0.name] != $0.digest }.map(\.name)
      + old.parts.map(\.name).filter { !newNames.contains($0) }
  }
}
