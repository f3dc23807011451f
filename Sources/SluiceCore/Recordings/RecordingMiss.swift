import SluiceSupport

/// The reason why a request has no usable recording.
public struct RecordingMiss: Hashable, Sendable {
  /// The reason for a miss, as far as the existing recordings show it.
  public enum Reason: Hashable, Sendable {
    /// There is no recording of the case, nor of any case with the same input or user messages.
    case newCase
    /// The request was recorded, but not often enough for all repeats.
    ///
    /// The value is the number of recorded repeats.
    case usedUp(recorded: Int)
    /// The case was recorded with another request.
    case changed(Change)
    /// The recording is older than the project allows.
    ///
    /// The value is the day of recording, such as `2026-11-21`.
    case expired(String)
    /// The recording exists but cannot be used.
    ///
    /// The value is the reason, as a phrase.
    case unusable(String)
    /// The recording refers to a part that is missing from the file or damaged.
    ///
    /// A part is a line for a value that several recordings share. The associated value is the
    /// reason, as a phrase.
    case lostPart(String)
    /// The line of the recording is damaged.
    ///
    /// The values are the path of the file and the line number, from 1.
    case damaged(path: String, line: Int)
    /// The recordings file existed earlier but is missing.
    ///
    /// The value is the path of the file.
    case fileMissing(String)
    /// The backend's answers come from a file that contains no row for the trial.
    case noRow(NoRow)
  }

  /// A row that is missing from an outputs file.
  public struct NoRow: Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The prompt of the trial, if the case has rows only for other prompts; otherwise nil.
    public var prompt: String?
    /// The repeat of the trial, from 1, if the case has rows only for other repeats; otherwise nil.
    public var repetition: Int?
  }

  /// The differences between a request and the nearest recording.
  public struct Change: Hashable, Sendable {
    /// The kinds of the changed parts, in display order.
    public var kinds: [Kind]
    /// The names of the parts that were changed, added or removed, such as `system message`.
    public var parts: [String]

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of the changed parts.
    ///   - parts: The names of the parts.
    public init(kinds: [Kind], parts: [String]) {
      self.kinds = kinds
      self.parts = parts
    }

    /// The kind of a changed part.
    public enum Kind: String, Sendable, CaseIterable {
      /// The messages as they are written in the prompt's file.
      case prompt
      /// The values filled into the messages.
      case testCase = "case"
      /// The sampling parameters, and all parts of the body that have no other kind.
      case parameters
      /// The name of the model.
      case model
      /// The format that the request demands for the response, such as a JSON Schema.
      case schema = "response schema"
      /// The tools that the model may call, or their order.
      case tools
      /// The fingerprint of a prompt that is outside of the project.
      case fingerprint
      /// The name or the protocol of the backend.
      case backend
    }
  }

  /// The reason.
  public var reason: Reason

  /// Creates a miss with a reason.
  ///
  /// - Parameter reason: The reason.
  public init(reason: Reason) { self.reason = reason }

  /// Creates the miss for a recording that exists but cannot be used.
  init(_ problem: RecordingLines.Problem) {
    self.init(
      reason: problem.isLostPart ? .lostPart(problem.message) : .unusable(problem.message)
    )
  }

  /// True if the request was recorded, but the recording or its file is damaged, unusable or
  /// missing.
  package var isFault: Bool {
    switch reason {
    case .unusable, .lostPart, .damaged, .fileMissing: true
    case .newCase, .usedUp, .changed, .expired, .noRow: false
    }
  }

  /// The miss as a phrase, such as "no recording: parameters changed (temperature)".
  public var message: String {
    switch reason {
    case .newCase: "no recording: new case"
    case .usedUp(let recorded):
      "no recording: too few repeats (\(recorded) recorded, another one needed)"
    case .changed(let change): "no recording: \(change.message)"
    case .expired(let day): "expired recording: recorded \(day)"
    case .unusable(let message), .lostPart(let message): "unusable recording: \(message)"
    case .damaged(let path, let line): "damaged recording: \(path):\(line)"
    case .fileMissing(let path): "no recording: \(path) is missing"
    case .noRow(let row): "no row in \(row.path)\(row.detail)"
    }
  }
}

extension RecordingMiss.NoRow {
  /// The part of the message that says which trials have no row, if the case has rows for other
  /// trials.
  fileprivate var detail: String {
    if let prompt { return " for the prompt '\(prompt)'" }
    return repetition.map { " for repeat \($0)" } ?? ""
  }
}

extension RecordingMiss.Change {
  /// The change as a phrase, such as "prompt and parameters changed (system message, seed)".
  public var message: String {
    let named = kinds.map(\.rawValue)
    guard let last = named.last else { return "the request changed" }
    let what =
      named.count == 1 ? last : named.dropLast().joined(separator: ", ") + " and " + last
    return "\(what) changed (\(parts.joined(separator: ", ")))"
  }
}
