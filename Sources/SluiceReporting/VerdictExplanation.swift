import SluiceGating

/// The output of `sluice explain`: the reasons for the verdict of a run, with the next command.
///
/// The reasons are the gates that do not pass, missing answers and failed cases.
package struct VerdictExplanation {
  private let result: RunResult
  private let overrides: CommandLineOverrides
  /// The maximum number of failed cases to explain in each column.
  private static let shownCases = 20
  private static let shownMisses = 3

  /// Prepares an explanation.
  ///
  /// - Parameters:
  ///   - result: The result of a run whose trials keep their explanations.
  ///   - overrides: The command line's overrides.
  package init(_ result: RunResult, overrides: CommandLineOverrides = CommandLineOverrides()) {
    (self.result, self.overrides) = (result, overrides)
  }

  /// A column that decides the verdict, with its suite and a name.
  private struct Subject {
    var suite: SuiteResult
    var column: ColumnResult
    var name: String

    var absent: String? { AbsentAnswers(suite, column)?.explained }

    /// The failed trials, one for each case.
    ///
    /// Newly failing cases come first.
    var failures: [Trial] {
      let new = column.newlyFailing
      var seen: Set<ExactString> = []
      let failed = column.trials.filter {
        $0.outcome == .failed && seen.insert(ExactString($0.caseID)).inserted
      }
      return failed.filter { new.contains(ExactString($0.caseID)) }
        + failed.filter { !new.contains(ExactString($0.caseID)) }
    }
  }

  private var subjects: [Subject] {
    result.suites.flatMap { suite in
      suite.columns.filter(\.isCandidate).map { column in
        Subject(
          suite: suite,
          column: column,
          name: RunSummaryText.title(suite, column) { $0 }
        )
      }
    }
  }

  /// The verdict and its meaning in one line.
  package var summary: String { VerdictText(result).line }

  // MARK: Terminal

  /// Returns the explanation for a terminal.
  ///
  /// - Parameter style: The colors of the terminal.
  /// - Returns: The text, which ends with a line feed.
  package func text(_ style: TerminalStyle) -> String {
    var lines: [String] = []
    for subject in subjects { lines += self.lines(subject, style) + [""] }
    lines += TerminalLines.wrap(summary, indent: 0).map { style.verdict($0, result.verdict) }
    if let next = result.nextStep(overrides) {
      lines += TerminalLines.wrap("Next: \(next.advice):", indent: 0)
      lines.append("  \(TerminalText.visible(next.command))")
    }
    return TerminalLines.text(lines)
  }

  private static let shownOfPass = 3

  private func lines(_ subject: Subject, _ style: TerminalStyle) -> [String] {
    let column = subject.column
    let word = style.verdict(column.verdict.word.uppercased(), column.verdict)
    let prompt = "\(column.prompt) on \(column.backend)"
    var lines = [
      "\(word)  \(style.bold(TerminalText.visible(subject.name)))  "
        + style.dim(TerminalText.visible(prompt))
    ]
    if let absent = subject.absent { lines += TerminalLines.wrap(absent, indent: 2) }
    for group in subject.suite.recordings.misses(of: column).prefix(Self.shownMisses) {
      lines += TerminalMiss.nearest(group, style)
    }
    if !column.hasOnlyUndecided {
      let decisions = TerminalDecisions(style, isVerbose: true)
      for section in decisions.sections(gates: column.gates, goals: []) { lines += [""] + section }
    }
    let new = column.newlyFailing
    let failures = subject.failures
    let flipped = failures.filter { new.contains(ExactString($0.caseID)) }
    let others = failures.filter { !new.contains(ExactString($0.caseID)) }
    // Failed cases of a suite that passes explain nothing, so a few of them are enough.
    let most = column.verdict == .pass ? Self.shownOfPass : Self.shownCases
    lines += cases(flipped, "Newly failing", subject.suite, most: most, style)
    let room = max(0, most - flipped.count)
    let title = flipped.isEmpty ? "Failed" : "Failed before, too"
    return lines + cases(others, title, subject.suite, most: room, style)
  }

  /// Returns failed cases with their answers and reasons below a title.
  private func cases(
    _ trials: [Trial],
    _ title: String,
    _ suite: SuiteResult,
    most: Int,
    _ style: TerminalStyle
  ) -> [String] {
    if trials.isEmpty { return [] }
    let count = TerminalFailures.count(trials.count, "case", shown: min(most, trials.count))
    let failures = TerminalFailures(suite, style: style)
    return ["", style.bold("\(title), \(count)")] + trials.prefix(most).flatMap(failures.failure)
  }

  // MARK: JSON

  /// The explanation as JSON, for programs; described in `docs/explain.schema.json`.
  package var json: JSONValue {
    var object: JSONObject = [
      "schema": .number(Double(JSONReport.schema)),
      "generator": .string("sluice \(Version.current)"),
      "verdict": .string(result.verdict.rawValue),
      "summary": .string(summary),
      "suites": .array(subjects.map(json)),
    ]
    object.set(
      "next",
      result.nextStep(overrides).map {
        ["advice": .string($0.advice), "command": .string($0.command)]
      }
    )
    return .object(object)
  }

  private func json(_ subject: Subject) -> JSONValue {
    let column = subject.column
    let new = column.newlyFailing
    let failures = subject.failures
    var object: JSONObject = [
      "name": .string(subject.suite.name), "path": .string(subject.suite.path),
      "prompt": .string(column.prompt), "backend": .string(column.backend),
      "verdict": .string(column.verdict.rawValue),
    ]
    object.set("missing", subject.absent.map(JSONValue.string))
    object["gates"] = .array(
      column.gates.map { gate in
        [
          "condition": .string(gate.condition.text), "verdict": .string(gate.effect.rawValue),
          "reason": .string(gate.reason.rawValue),
          "explanation": .string(gate.outcomeText(isGoal: false)),
        ]
      }
    )
    object["failed"] = .number(Double(failures.count))
    object["cases"] = .array(
      failures.prefix(Self.shownCases).map { trial in
        [
          "case": .string(trial.caseID),
          "newly-failing": .bool(new.contains(ExactString(trial.caseID))),
          "faults": .array(
            trial.faults.map {
              ["scorer": .string($0.scorer), "explanation": .string($0.explanation)]
            }
          ),
        ]
      }
    )
    return .object(object)
  }
}

extension ColumnResult {
  /// True if no gate can be decided, because there are no answers.
  package var lacksAllAnswers: Bool { hasOnlyUndecided }

  /// Returns the number of cases without an answer, with the reasons, or `nil` if no answer is
  /// missing.
  package func missingText(in suite: SuiteResult) -> String? {
    AbsentAnswers(suite, self)?.explained
  }
}
