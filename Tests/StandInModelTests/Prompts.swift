import Foundation
import Testing

/// The prompts of this repository, as the stand-in gets them.
struct Prompt {
  let feature: String
  private let lines: [String]

  /// The features whose prompt `sluice init` writes.
  private static let templates = ["mailbox"]

  /// Reads the system text out of `prompts/<feature>/v1.yaml`.
  init(_ feature: String) throws {
    self.feature = feature
    var root = URL(filePath: #filePath).appending(path: "../../..").standardized
    if Self.templates.contains(feature) {
      root = root.appending(path: "Sources/CProjectTemplate/Files/project")
    }
    let file = root.appending(path: "prompts/\(feature)/v1.yaml")
    let text = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    let start = try #require(text.firstIndex { $0.hasSuffix("- system: |") })
    let end = try #require(text.firstIndex { $0.hasSuffix("- user: |") })
    lines = text[(start + 1)..<end].map { String($0.drop { $0 == " " }) }
  }

  var system: String { lines.joined(separator: "\n") }

  var bullets: [String] { lines.filter { $0.hasPrefix("- ") } }

  /// The system text without the one bullet that starts like this.
  func system(without start: String) throws -> String {
    let dropped = lines.filter { $0.hasPrefix("- \(start)") }
    try #require(dropped.count == 1, "bullets that start with '\(start)': \(dropped.count)")
    return lines.filter { !$0.hasPrefix("- \(start)") }.joined(separator: "\n")
  }
}

/// A user text in the layout of the prompts of the messenger.
func messenger(
  _ message: String,
  conversation: [String] = [],
  from: String = "ana (engineer)",
  to: String = "ben (designer)",
  sent: String = "2026-11-17T10:12:00+01:00"
) -> String {
  """
  From: \(from)
  To: \(to)
  Sent: \(sent)
  Conversation so far:
  \(conversation.isEmpty ? "(none)" : conversation.joined(separator: "\n"))
  Message:
  \(message)

  """
}

/// A user text in the layout of the prompt of the support mailbox.
func mail(_ message: String, subject: String = "Hello") -> String {
  """
  Subject: \(subject)
  Message:
  \(message)

  """
}

/// A user text in the layout of the prompt of the inbox.
func inbox(_ turns: String...) -> String {
  """
  Creator: mira (paints harbours)
  Received: 2026-11-17T10:12:00+01:00
  Conversation:
  \(turns.joined(separator: "\n"))

  """
}
