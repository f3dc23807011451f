import SluiceGating

/// The outcome of an import, for a terminal.
package struct TerminalImport {
  private let report: ImportReport
  private let style: TerminalStyle

  package init(_ report: ImportReport, style: TerminalStyle) {
    self.report = report
    self.style = style
  }

  /// The maximum number of lines with the same message.
  private static let mostAlike = 20

  /// A line for each finding, in the format of compiler messages.
  ///
  /// Repeated messages are limited.
  package var findings: String {
    var counts: [String: Int] = [:]
    var text = ""
    for finding in report.findings {
      let said = "\(finding.kind.rawValue): \(TerminalText.visible(finding.message))"
      counts[said, default: 0] += 1
      if counts[said, default: 0] > Self.mostAlike { continue }
      text += TerminalText.visible(finding.path)
      if let position = finding.position { text += ":\(position.line):\(position.column)" }
      text += ": \(said)"
      if let nearest = finding.nearest { text += "; nearest: \(TerminalText.visible(nearest))" }
      text += "\n"
    }
    for (said, count) in counts.sorted(by: { $0.key < $1.key }) where count > Self.mostAlike {
      text += "\(count - Self.mostAlike) more times: \(said)\n"
    }
    return text
  }

  /// Returns the summary with the next steps.
  ///
  /// - Parameters:
  ///   - written: The files that were written, relative to the working directory.
  ///   - unchanged: The files that already existed with the same contents.
  ///   - next: The commands to run next.
  /// - Returns: The text.
  package func summary(written: [String], unchanged: [String], next: [String]) -> String {
    var text = ""
    if !report.fillIns.isEmpty {
      text += style.bold("Fill in before you run") + "\n"
      text += report.fillIns.map { "  \(TerminalText.visible($0))\n" }.joined() + "\n"
    }
    text += "\(style.bold("Imported from \(report.source)"))\n"
    text += counts
    if !report.differences.isEmpty {
      text += "\nScored differently by Sluice\n"
      for difference in report.differences {
        let lines = TerminalText.wrap(difference, to: TerminalText.usualColumns - 4)
        text += "  - \(lines.joined(separator: "\n    "))\n"
      }
    }
    if !written.isEmpty {
      text += "\nWrote\n" + written.map { "  \(TerminalText.visible($0))\n" }.joined()
    }
    if !unchanged.isEmpty {
      let count = unchanged.count == 1 ? "1 file" : "\(unchanged.count) files"
      text += "\nUnchanged: \(count)\n"
    }
    if !report.linesToAdd.isEmpty {
      text += "\nAdd these lines to sluice.yaml\n"
      let lines = report.linesToAdd
      text += (lines.hasSuffix("\n") ? lines.dropLast() : Substring(lines))
        .split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "\n" : "  \(TerminalText.visible(String($0)))\n" }.joined()
    }
    if !next.isEmpty {
      text += "\nNext:\n" + next.map { "  \(TerminalText.visible($0))\n" }.joined()
    }
    return text
  }

  private var counts: String {
    let shown = report.counts.filter { $0.total > 0 }
    let width = shown.map(\.name.count).max() ?? 0
    return shown.map { count in
      var parts = ["\(count.whole) complete"]
      if count.inPart > 0 { parts.append("\(count.inPart) partial") }
      if count.notAtAll > 0 { parts.append("\(count.notAtAll) not imported") }
      let name = TerminalText.pad(count.name, to: width)
      return "  \(name)  \(parts.joined(separator: ", "))\n"
    }
    .joined()
  }
}
