internal import ArgumentParser
internal import Sluice

struct BaselineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Saves answers as the baseline that later runs are compared with.",
    subcommands: [Accept.self]
  )

  struct Accept: AsyncParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      commandName: "accept",
      abstract: "Saves the suites' current answers in reports/baselines/; commit these files.",
      discussion: """
        The answers come from the committed recordings. If any suite has lost a trial, nothing is \
        written.
        """
    )

    @OptionGroup var project: ProjectOptions

    @Flag(help: "Allow writing baselines in CI.")
    var write = false

    @OptionGroup var trust: TrustOptions

    func run() async throws {
      let project = try Project.load(project)
      try project.requireOutsideCI("writing baselines", isAllowed: write, flags: "--write")
      try project.requireNothingPending(because: "a baseline may use only accepted recordings")
      var drafts: [BaselineAcceptance.Draft] = []
      var refusals: [BaselineAcceptance.Refusal] = []
      for suite in project.loaded.suites {
        let outcome = try await Evaluation(
          suite,
          surroundings: project.surroundings,
          keepsLog: false
        )
        .replayInterruptibly(concurrency: 4)
        project.printDiagnostics(outcome.diagnostics)
        let acceptance = BaselineAcceptance(suite, surroundings: project.surroundings)
        do throws(BaselineAcceptance.Refusal) {
          drafts += try acceptance.drafts(outcome.result)
        } catch {
          refusals.append(error)
        }
      }
      try report(refusals, project)
      for draft in drafts where draft.state != .unchanged {
        try project.surroundings.files.write(draft.bytes, to: draft.path)
      }
      for draft in drafts { Console.output(text(draft, project.overrides)) }
    }

    private func report(_ refusals: [BaselineAcceptance.Refusal], _ project: Project) throws {
      if refusals.isEmpty { return }
      for refusal in refusals {
        let text = "\(refusal.suite): no baseline was written: \(refusal.message)"
        Console.error("sluice: error: \(TerminalText.visible(text))\n")
      }
      let names = Set(refusals.filter(\.needsRecording).map(\.suite))
      let plans = project.loaded.suites.map(\.plan).filter { names.contains($0.name) }
      if !plans.isEmpty {
        let step = MissingAnswersStep(
          plans.map(\.path),
          areAskedThroughFiles: plans.allSatisfy(\.isAskedThroughFiles),
          project.overrides
        )
        let command = TerminalText.visible(step.command)
        Console.error("  fix: \(step.advice):\n  \(command)\n")
      }
      throw Sluice.ExitCode.noVerdict
    }

    private func text(_ draft: BaselineAcceptance.Draft, _ overrides: CommandLineOverrides)
      -> String
    {
      let column = draft.column
      let accuracy =
        column.metrics.first { $0.name == "accuracy" }?.estimate.value
        .map { ", accuracy \(NumberText.text($0, .rate))" } ?? ""
      let head =
        "\(draft.suite): \(column.prompt) on \(column.backend), "
        + "\(TerminalLines.count(Set(column.trials.map(\.caseID)).count, "case"))\(accuracy)"
      let path = overrides.path(draft.path)
      var text = TerminalText.visible(head) + "\n"
      switch draft.state {
      case .unchanged: return text + "  unchanged: \(TerminalText.visible(path))\n"
      case .new: break
      case .replaced:
        if let comparison = column.comparison {
          let old = TerminalText.visible(comparison.reference)
          let (worse, better) = (comparison.count(.harmful), comparison.count(.beneficial))
          let others =
            comparison.changedCases.count + comparison.addedCases.count
            + comparison.removedCases.count
          var what = "the same outcomes"
          if !comparison.changedScorers.isEmpty {
            what = "the scorers changed, so outcomes cannot be compared"
          } else if worse + better > 0 {
            what = "\(worse) newly failing, \(better) newly passing"
          }
          if others > 0 {
            what +=
              "; \(TerminalLines.count(others, "case")) changed, added or removed"
          }
          text += "  replaces \(old): \(what)\n"
        }
      }
      return text + "  wrote \(TerminalText.visible(path)); commit it\n"
    }
  }
}
