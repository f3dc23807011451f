import SluiceGating

/// A change in requests, in the wording that all reports use.
struct RequestChangeText {
  private let change: RequestChange

  init(_ change: RequestChange) { self.change = change }

  /// A title such as "The request differs in 40 of 40 requests: system message".
  var title: String {
    let names = change.difference.parts.map(\.name)
    let shown = names.prefix(3).joined(separator: ", ")
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    return "The request differs in \(change.count.withThousands) of \(change.total.withThousands) "
      + "request\(change.total == 1 ? "" : "s"): \(shown)\(more)"
  }

  /// A phrase such as "System message, in 40 of 40 requests".
  var phrase: String { parts.prefix(1).uppercased() + parts.dropFirst() }

  /// The phrase for use within a sentence: `system message, in 40 of 40 requests`.
  var parts: String {
    let names = change.difference.parts.map(\.name)
    let shown = names.prefix(3).joined(separator: ", ")
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    return "\(shown)\(more), in \(change.count.withThousands) of "
      + "\(change.total.withThousands) request\(change.total == 1 ? "" : "s")"
  }

  /// Returns the markup of the difference in one request, with a link to its case.
  ///
  /// - Parameters:
  ///   - address: The fragment that links to the case on the page.
  ///   - prompt: The path of the prompt's file; empty if it is unknown.
  /// - Returns: The markup.
  func edit(address: String, prompt: String) -> String {
    let file = prompt.isEmpty ? "" : " <code class=\"quiet\">\(HTMLText.escaped(prompt))</code>"
    return """
      <p>\(HTMLText.escaped(phrase))\(file)</p>
      \(Self.markup(change.difference))
      <p class="small quiet">From the request of <a href="\(HTMLText.escaped(address))">\(HTMLText.escaped(change.caseID))</a></p>

      """
  }

  /// Returns the difference as a collapsible section.
  ///
  /// - Parameters:
  ///   - address: The fragment that links to the case on the page.
  ///   - isOpen: True if the section is expanded at first.
  /// - Returns: The markup.
  func markup(address: String, isOpen: Bool) -> String {
    """
    <details class="asked"\(isOpen ? " open" : "")><summary><span>\(HTMLText.escaped(title))</span></summary>
    <p>In the request of <a href="\(HTMLText.escaped(address))">\(HTMLText.escaped(change.caseID))</a>:</p>
    \(Self.markup(change.difference))</details>

    """
  }

  /// Returns the markup of the differences between two requests, with removed and added lines
  /// marked.
  static func markup(_ difference: RequestDifference) -> String {
    let lines = RecordingText.difference(difference, most: 100, width: 2_000).map { line in
      // Each line is a block element, so that wrapped text does not run into the column of signs.
      let text = HTMLText.escaped(line)
      if line.hasPrefix("  - ") { return "<del>\(text)</del>" }
      return line.hasPrefix("  + ") ? "<ins>\(text)</ins>" : "<span>\(text)</span>"
    }
    return "<pre class=\"difference\" tabindex=\"0\">\(lines.joined())</pre>"
  }

  /// The difference as a Markdown code block that GitHub and GitLab color.
  var diff: String {
    let lines = RecordingText.difference(change.difference, most: 24).map(Self.diffLine)
    // The fence must be longer than any fence in the text, which would otherwise close the block.
    let fence = String(repeating: "`", count: max(3, Self.longestFence(lines) + 1))
    let title = MarkdownText.plain(title)
    let place = MarkdownText.plain(change.caseID)
    return "\n\(title). In the request of \(place):\n\n\(fence)diff\n"
      + lines.map { "\($0)\n" }.joined() + "\(fence)\n"
  }

  private static func diffLine(_ line: String) -> String {
    let line = TerminalText.visible(line)
    guard line.hasPrefix("  ") else {
      return "@@ \(line.hasSuffix(":") ? line.dropLast() : line[...]) @@"
    }
    let rest = String(line.dropFirst(2))
    // If a CI log shows the comment, a line must not be run as a workflow command.
    let text = rest.drop { $0 == " " }
    return text.hasPrefix("::") ? rest.prefix(rest.count - text.count) + "\\" + text : rest
  }

  private static func longestFence(_ lines: [String]) -> Int {
    var longest = 0
    for line in lines {
      var run = 0
      for scalar in line.unicodeScalars {
        run = scalar == "`" ? run + 1 : 0
        longest = max(longest, run)
      }
    }
    return longest
  }

  /// Returns the differences as Markdown, indented so that they are shown as code.
  static func markdown(_ difference: RequestDifference, most: Int) -> String {
    RecordingText.difference(difference, most: most)
      .map { "    \(TerminalText.visible($0))\n" }.joined()
  }
}
