import SluiceGating

/// The flipped and the failed cases of a column, in collapsed sections.
///
/// Cases whose outcome changed come first and have both answers. The other failed cases follow.
struct MarkdownCases {
  private let suite: SuiteResult
  private let column: ColumnResult
  /// The maximum number of cases of each kind.
  static let shown = 20
  private static let excerptLimit = 600

  init(_ suite: SuiteResult, _ column: ColumnResult) {
    self.suite = suite
    self.column = column
  }

  /// Returns the collapsed sections, with as many cases as fit into `room` characters.
  ///
  /// The function subtracts the length of the text from `room`.
  func text(_ room: inout Int) -> String {
    let noun = suite.repetitions > 1 ? "trial" : "case"
    let harmful = flipped(.harmful)
    let beneficial = flipped(.beneficial)
    let flips = harmful.union(beneficial)
    let others = column.trials.count { $0.outcome == .failed && !flips.contains($0.caseID) }
    let more = others < column.failed && others > 0 ? "more " : ""
    return fold("newly failing case", harmful.count, &room) { trials in
      Self.first(trials, of: harmful, .failed)
    }
      + fold("newly passing case", beneficial.count, &room) { trials in
        Self.first(trials, of: beneficial, .passed)
      }
      + fold("lost \(noun)", column.lost, &room) { trials in
        Array(trials.lazy.filter(\.isLost).prefix(Self.shown))
      }
      + fold("\(more)failed \(noun)", others, &room) { trials in
        Array(
          trials.lazy.filter { $0.outcome == .failed && !flips.contains($0.caseID) }
            .prefix(Self.shown)
        )
      }
      + fold("unjudged answer", column.unjudged, &room) { trials in
        Array(trials.lazy.filter { $0.outcome == .unjudged }.prefix(Self.shown))
      }
  }

  private func flipped(_ flip: OutcomeFlip) -> Set<String> {
    Set((column.comparison?.flips ?? []).lazy.filter { $0.flip == flip }.map(\.caseID))
  }

  /// Returns one trial of each case: the first trial with a given outcome, or the first trial of
  /// all if none has that outcome.
  private static func first(_ trials: [Trial], of cases: Set<String>, _ outcome: Trial.Outcome)
    -> [Trial]
  {
    var order: [String] = []
    var chosen: [String: Trial] = [:]
    for trial in trials where cases.contains(trial.caseID) {
      if let first = chosen[trial.caseID] {
        if first.outcome != outcome, trial.outcome == outcome { chosen[trial.caseID] = trial }
      } else if order.count < shown {
        order.append(trial.caseID)
        chosen[trial.caseID] = trial
      }
    }
    return order.compactMap { chosen[$0] }
  }

  /// Returns a collapsed section with as many trials of one kind as fit.
  private func fold(
    _ noun: String,
    _ count: Int,
    _ room: inout Int,
    _ choose: ([Trial]) -> [Trial]
  ) -> String {
    if count == 0 { return "" }
    var (text, shown) = ("", 0)
    if room > 0 {
      var log = suite.log.map { RunLogReader($0) }
      for trial in choose(column.trials) {
        let entry = entry(log?.whole(trial) ?? trial)
        guard entry.utf16.count <= room else { break }
        room -= entry.utf16.count
        text += entry
        shown += 1
      }
    }
    if shown < count { text += "\nand \(count - shown) more, in report.json\n" }
    let title = TerminalLines.count(count, noun)
    return MarkdownReport.details(title, text)
  }

  private func entry(_ trial: Trial) -> String {
    let repetition = trial.repetition > 1 ? " (repeat \(trial.repetition))" : ""
    let tags =
      trial.tags.isEmpty ? "" : " " + MarkdownText.plain(trial.tags.joined(separator: ", "))
    var text = "- **\(MarkdownText.plain(trial.caseID))**\(repetition)\(tags)\n"
    for fault in trial.faults {
      let scorer = fault.scorer == "lost" ? "" : "\(MarkdownText.plain(fault.scorer)): "
      let explanation = Excerpt.cut(fault.explanation, to: Self.excerptLimit)
      text += "  - \(scorer)\(MarkdownText.code(explanation))\n"
    }
    let before = before(trial)
    text += before ?? ""
    guard let output = trial.output else { return text }
    if output.refusal == nil || !output.excerpt.isEmpty {
      text += Self.line(before == nil ? "answer" : "now", output.excerpt)
    }
    if let refusal = output.refusal { text += Self.line("refusal", refusal) }
    return text
  }

  /// Returns the baseline's answer, or `nil` if the answer is unchanged or not available.
  private func before(_ trial: Trial) -> String? {
    guard let before = column.evidence?.before(trial) else { return nil }
    switch before.answer {
    case .same: return nil
    case .text(let text): return Self.line("before", text)
    case .refusal(let words): return Self.line("before, a refusal", words)
    case .notKept: return "  - before: text not kept\n"
    }
  }

  private static func line(_ name: String, _ text: String) -> String {
    "  - \(name): \(MarkdownText.code(Excerpt.cut(text, to: excerptLimit)))\n"
  }
}
