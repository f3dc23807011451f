import Foundation
import Testing

/// The prompts of this repository, as sent to the stand-in.
struct Prompt {
  let feature: String
  private let lines: [String]

  /// The features whose prompts `sluice init` writes.
  private static let templates = ["mailbox"]

  /// Reads the system text of `prompts/<feature>/<version>.yaml`, with each bullet as one line.
  init(_ feature: String, version: String = "v1") throws {
    self.feature = feature
    var root = URL(filePath: #filePath).appending(path: "../../..").standardized
    if Self.templates.contains(feature) {
      root = root.appending(path: "Sources/CProjectTemplate/Files/project")
    }
    let file = root.appending(path: "prompts/\(feature)/\(version).yaml")
    let text = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    let start = try #require(text.firstIndex { $0.hasSuffix("- system: |") })
    let end = try #require(text.firstIndex { $0.hasSuffix("- user: |") })
    let margin = try #require(
      text[start + 1].firstIndex { $0 != " " }?.utf16Offset(in: text[start + 1])
    )
    var lines: [String] = []
    for line in text[(start + 1)..<end] {
      let content = line.drop { $0 == " " }
      if line.count - content.count > margin, !lines.isEmpty, !content.isEmpty {
        lines[lines.count - 1] += " " + content
      } else {
        lines.append(String(content))
      }
    }
    self.lines = lines
  }

  var system: String { lines.joined(separator: "\n") }

  var bullets: [String] { lines.filter { $0.hasPrefix("- ") } }

  /// Returns the system text without the bullet that starts with a text.
  func system(without start: String) throws -> String {
    let dropped = lines.filter { $0.hasPrefix("- \(start)") }
    try #require(dropped.count == 1, "bullets that start with '\(start)': \(dropped.count)")
    return lines.filter { !$0.hasPrefix("- \(start)") }.joined(separator: "\n")
  }
}

/// A user text in the layout of the messenger's prompts.
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

/// A user text in the layout of the support mailbox's prompt.
func mail(_ message: String, subject: String = "Hello") -> String {
  """
  Subject: \(subject)
  Message:
  \(message)

  """
}

/// A user text in the layout of the inbox's prompt.
func inbox(_ turns: String...) -> String {
  """
  Creator: mira (paints harbours)
  Received: 2026-11-17T10:12:00+01:00
  Conversation:
  \(turns.joined(separator: "\n"))

  """
}

/// A user text in the layout of the FAQ's prompt.
func faq(_ message: String) -> String {
  """
  Creator: mira (paints harbours)
  Received: 2026-11-17T10:12:00+01:00
  FAQ:
  [shipping] Where do you ship, and what does it cost? To the EU (€9) and the UK (€14). Nowhere else.
  [studio] Can I visit the studio? Yes, on Saturdays from 10:00 to 13:00, Pier 4.
  [refund] Can I return a print? Yes, within 14 days, at prints.example.com/return.
  [ads] Can I advertise in your films? No, none of them takes advertising.
  Message:
  \(message)

  """
}

/// A user text in the layout of the prompt for drafts.
func draft(
  _ type: String,
  _ message: String,
  facts: [String] = [],
  voice: [String] = [],
  from: String = "Ana Lund"
) -> String {
  """
  Creator: Mira Holm (paints harbours)
  Voice:
  \(voice.map { "- " + $0 }.joined(separator: "\n"))
  Received: 2026-11-17T10:12:00+01:00
  Conversation:
  \(from): \(message)
  Facts:
  \(facts.isEmpty ? "(none)" : facts.map { "- " + $0 }.joined(separator: "\n"))
  Type of reply: \(type)

  """
}

/// A user text in the layout of the thread prompts, with the turns of two people.
func thread(_ turns: [String], earlier: [String] = []) -> String {
  func lines(_ turns: [String], from first: Int) -> String {
    turns.enumerated().map { "[\(first + $0)] 2026-11-17T10:12:00+01:00 \($1)" }
      .joined(separator: "\n")
  }
  return """
    Summary for: ana (engineer)
    Participants:
    ana (engineer)
    ben (designer)
    Earlier messages, already read:
    \(earlier.isEmpty ? "(none)" : lines(earlier, from: 1))
    Messages to summarise:
    \(lines(turns, from: earlier.count + 1))

    """
}

/// A user text in the layout of the feedback prompt.
func feedback(_ conversations: [(with: String, turns: [String])]) -> String {
  let parts = conversations.map { conversation in
    "With \(conversation.with) (engineer):\n" + conversation.turns.joined(separator: "\n")
  }
  return "Designer: ana\nDesign: start screen\n" + parts.joined(separator: "\n") + "\n"
}
