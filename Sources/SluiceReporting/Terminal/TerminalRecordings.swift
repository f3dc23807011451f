import SluiceGating

/// The status of recordings files, for a terminal that is 80 characters wide.
package enum TerminalRecordings {
  /// Returns the recordings files with their figures, the output files that answer suites, and a
  /// conclusion with the next step.
  package static func text(
    _ statuses: [RecordingStatus],
    outputs plans: [SuitePlan] = [],
    overrides: CommandLineOverrides
  ) -> String {
    let outputs = outputs(of: plans, overrides)
    if statuses.isEmpty { return outputs.isEmpty ? "There are no recordings.\n" : outputs }
    return statuses.map { status in
      ([TerminalText.visible(overrides.path(status.path))] + lines(status)).map { $0 + "\n" }
        .joined()
    }.joined() + outputs + "\n" + conclusion(statuses)
  }

  /// Returns the sum over all files, and the command that shows what is missing or pending.
  private static func conclusion(_ statuses: [RecordingStatus]) -> String {
    let open: [(count: Int, what: String)] = [
      (statuses.reduce(0) { $0 + $1.stale }, "stale"),
      (statuses.reduce(0) { $0 + $1.missing }, "missing"),
      (statuses.reduce(0) { $0 + $1.expired }, "expired"),
    ].filter { $0.0 > 0 }
    let total = open.reduce(0) { $0 + $1.count }
    let count = statuses.reduce(0) { $0 + $1.count }
    let pending = statuses.reduce(0) { $0 + $1.pending }
    let files =
      "\(TerminalLines.count(statuses.count { $0.size > 0 || $0.pending > 0 }, "file")), "
      + "\(count.withThousands) recording\(count == 1 ? "" : "s")"
      + (pending == 0 ? "" : " and \(pending.withThousands) pending")
    let list = open.map { "\($0.count.withThousands) \($0.what)" }.joined(separator: ", ")
    let fact =
      total == 0
      ? "every request has a recording"
      : "\(total.withThousands) request\(total == 1 ? "" : "s") without a usable recording (\(list))"
    var lines = TerminalLines.wrap("\(files): \(fact)", indent: 0)
    if pending > 0 {
      lines += ["Next: read the pending answers:", "  sluice recordings review"]
    } else if total > 0 {
      lines += ["Next: see which suites lack answers, and why:", "  sluice run"]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the output files that answer suites.
  private static func outputs(of plans: [SuitePlan], _ overrides: CommandLineOverrides) -> String {
    plans.flatMap { plan in
      plan.outputPaths.compactMap { backend, path -> [String]? in
        guard let file = plan.outputs[backend] else { return nil }
        let missing = plan.missingRows(of: backend)
        let lacking = missing == 0 ? "" : " · \(TerminalLines.count(missing, "answer")) missing"
        return [TerminalText.visible(overrides.path(file.path))]
          + TerminalLines.wrap(
            TerminalText.visible(
              "\(plan.name) on \(backend): \(TerminalLines.count(file.count, "row")) of answers by "
                + "case, no recordings\(lacking)"
            ),
            indent: 2
          )
      }
      .flatMap(\.self)
    }.map { $0 + "\n" }.joined()
  }

  private static func lines(_ status: RecordingStatus) -> [String] {
    var counts = [
      "\(status.count.withThousands) recording\(status.count == 1 ? "" : "s")",
      "\(status.used.withThousands) in use",
    ]
    func add(_ count: Int, _ what: String) {
      if count > 0 { counts.append("\(count.withThousands) \(what)") }
    }
    add(status.usedByOthers, "for other prompts or backends")
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
    return lines + origins(status.origins, isBrief: true)
  }

  /// Returns the origins of answers that Sluice did not request itself, each with the number of
  /// answers.
  ///
  /// - Parameters:
  ///   - origins: The answers by origin.
  ///   - isBrief: True to leave out the notes on each origin.
  /// - Returns: The lines.
  static func origins(_ origins: GivenAnswers, isBrief: Bool = false) -> [String] {
    origins.entries.flatMap { entry in
      let source = entry.provenance
      let brief = source.briefPhrase + (source.date.map { ", \($0)" } ?? "")
      return TerminalLines.wrap(
        "\(entry.count.withThousands) answer\(entry.count == 1 ? "" : "s") of "
          + TerminalText.visible(isBrief ? brief : source.phrase),
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
