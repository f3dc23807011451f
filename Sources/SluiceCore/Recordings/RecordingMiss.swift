import SluiceSupport

/// Why a request has no recording that answers it.
public struct RecordingMiss: Hashable, Sendable {
  /// The reason, in so far as the recordings at hand tell it.
  public enum Reason: Hashable, Sendable {
    /// No recording was made for the case, nor for another that asks the same.
    case newCase
    /// Recordings of the request are there, but for fewer repetitions.
    case usedUp(recorded: Int)
    /// The case was recorded with another request.
    case changed(Change)
    /// A recording is there, but older than the project allows: the day it was recorded.
    case expired(String)
    /// A recording is there but cannot be used.
    case unusable(String)
    /// A recording is there, but its file lacks a part of it, or has that part damaged.
    case lostPart(String)
    /// The line of the recording is damaged: its file, and its number from 1.
    case damaged(path: String, line: Int)
    /// The file of the recordings, which there once was, is missing: its path.
    case fileMissing(String)
    /// The backend answers from a file that has no row for the trial.
    case noRow(NoRow)
  }

  /// A row that a file of outputs lacks.
  public struct NoRow: Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The prompt, where the rows of the case are all of other prompts.
    public var prompt: String?
    /// The repeat, where the case has rows for others.
    public var repetition: Int?
  }

  /// What changed since the nearest recording was made.
  public struct Change: Hashable, Sendable {
    /// What the changed parts belong to, in the order in which it is told.
    public var kinds: [Kind]
    /// The names of the parts that differ, were added or were removed.
    public var parts: [String]

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - kinds: What the changed parts belong to.
    ///   - parts: The names of the parts.
    public init(kinds: [Kind], parts: [String]) {
      self.kinds = kinds
      self.parts = parts
    }

    /// What a changed part belongs to.
    public enum Kind: String, Sendable, CaseIterable {
      /// The messages, as the prompt's file says them.
      case prompt
      /// What the messages are filled with.
      case testCase = "case"
      /// The sampling parameters, and all of the body that is nothing else.
      case parameters
      case model
      case schema = "response schema"
      case tools
      /// What stands for a prompt that lives outside of the project.
      case fingerprint
      /// The backend's name or protocol.
      case backend
    }
  }

  /// Why no recording answers.
  public var reason: Reason

  /// Creates a miss.
  ///
  /// - Parameter reason: Why no recording answers.
  public init(reason: Reason) { self.reason = reason }

  /// The miss of a recording that is there and cannot be used.
  init(_ problem: RecordingLines.Problem) {
    self.init(
      reason: problem.isLostPart ? .lostPart(problem.message) : .unusable(problem.message)
    )
  }

  /// True when a recording that would answer, or its file, is damaged or missing.
  package var isFault: Bool {
    switch reason {
    case .unusable, .lostPart, .damaged, .fileMissing: true
    case .newCase, .usedUp, .changed, .expired, .noRow: false
    }
  }

  /// The miss in a phrase, such as "no recording: parameters changed (temperature)".
  public var message: String {
    switch reason {
    case .newCase: "no recording: new case"
    case .usedUp(let recorded):
      "no recording: used up (recorded \(recorded) \(recorded == 1 ? "time" : "times"), "
        + "asked once more)"
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
  /// The trials that rows are lacking for, where the case has others.
  fileprivate var detail: String {
    if let prompt { return " for the prompt '\(prompt)'" }
    return repetition.map { " for repeat \($0)" } ?? ""
  }
}

extension RecordingMiss.Change {
  /// The change in a phrase, such as "prompt and parameters changed (system message, seed)".
  public var message: String {
    let named = kinds.map(\.rawValue)
    guard let last = named.last else { return "the request changed" }
    let what =
      named.count == 1 ? last : named.dropLast().joined(separator: ", ") + " and " + last
    return "\(what) changed (\(parts.joined(separator: ", ")))"
  }
}
