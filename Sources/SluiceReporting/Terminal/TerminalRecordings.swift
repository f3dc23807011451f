import SluiceGating

/// How recordings files stand, for a terminal of 80 columns.
package enum TerminalRecordings {
  /// The files, each with its figures.
  package static func text(_ statuses: [RecordingStatus], trying: CommandLineOverrides) -> String {
    if statuses.isEmpty { return "There are no recordings.\n" }
    return statuses.map { status in
      ([TerminalText.visible(trying.path(status.path))] + lines(status)).map { $0 + "\n" }.joined()
    }.joined()
  }

  private static func lines(_ status: RecordingStatus) -> [String] {
    var counts = ["\(TerminalLines.count(status.count, "recording"))", "\(status.used) in use"]
    func add(_ count: Int, _ what: String) { if count > 0 { counts.append("\(count) \(what)") } }
    add(status.usedByOthers, "beside")
    add(status.unused, "unused")
    var lines = TerminalLines.wrap(counts.joined(separator: " · "), indent: 2)
    counts = []
    add(status.stale, "stale")
    add(status.missing, "missing")
    add(status.expired, "expired")
    add(status.old, "old")
    add(status.pending, "pending")
    if !counts.isEmpty { lines += TerminalLines.wrap(counts.joined(separator: " · "), indent: 2) }
    if let oldest = status.oldest, let newest = status.newest {
      let days = oldest == newest ? oldest : "\(oldest) to \(newest)"
      lines.append("  recorded \(days) · \(size(status.size))")
    }
    return lines + origins(status.origins)
  }

  /// Who gave the answers that Sluice did not ask for itself, with how many each.
  static func origins(_ origins: GivenAnswers) -> [String] {
    origins.entries.flatMap { entry in
      TerminalLines.wrap(
        "\(TerminalLines.count(entry.count, "answer")) of "
          + TerminalText.visible(entry.provenance.phrase),
        indent: 2
      )
    }
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 1 << 20
      ? "\(NumberText.fixed(Double(bytes) / 1_024, decimals: 0)) KiB"
      : "\(NumberText.fixed(Double(bytes) / 1_048_576, decimals: 1)) MiB"
  }
}
