internal import ArgumentParser
internal import Sluice

struct ValidateCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Reads all files of the suites and reports every error in them."
  )

  @OptionGroup var project: ProjectOptions

  @Option(help: "The output format: text or json.")
  var output = OutputForm.text

  @OptionGroup var trust: TrustOptions

  func run() async throws { try await output.answering { try validateSuites() } }

  private func validateSuites() throws {
    var request = ProjectRequest(project)
    request.findsNearDuplicates = true
    let project = try Project.load(request)
    let plans = project.loaded.suites.map(\.plan)
    let cases = plans.reduce(0) { $0 + $1.cases.count }
    let suites = plans.count == 1 ? "1 suite" : "\(plans.count) suites"
    let outputs = project.loaded.suites.reduce(0) { $0 + $1.knownOutputs }
    let tried = outputs == 0 ? "" : ", \(TerminalLines.count(outputs, "known output"))"
    // If there were errors, the command has already ended, so these are all warnings.
    let warnings = project.loaded.diagnostics.count
    let found =
      warnings == 0
      ? "no problems found" : "no errors, \(TerminalLines.count(warnings, "warning"))"
    let duplicates = project.loaded.nearDuplicates.compactMap(\.summary).map { "; \($0)" }.joined()
    Console.output(
      "\(suites), \(TerminalLines.count(cases, "case"))\(tried): \(found)\(duplicates)\n"
    )
    Console.answer(JSONWriter.pretty(json(project.loaded)))
  }

  /// Returns the result as JSON, in the format of `docs/validate.schema.json`.
  private func json(_ loaded: LoadedProject) -> JSONValue {
    [
      "schema": 1, "generator": .string("sluice \(Version.current)"),
      "suites": .array(
        loaded.suites.map { suite in
          [
            "name": .string(suite.plan.name), "path": .string(suite.plan.path.description),
            "cases": .number(Double(suite.plan.cases.count)),
            "known-outputs": .number(Double(suite.knownOutputs)),
          ]
        }
      ),
      "diagnostics": .array(loaded.diagnostics.map(\.json)),
    ]
  }
}

extension NearDuplicateCheck {
  /// A phrase about the near-duplicates; `nil` if there are none.
  fileprivate var summary: String? {
    let path = TerminalText.visible(path)
    guard let found else {
      return "near-duplicates were not searched for in \(path), which has more than "
        + "\(NearDuplicates.caseLimit) cases or \(NearDuplicates.characterLimit) characters"
    }
    guard found.caseCount > 0 else { return nil }
    let share = NumberText.text(Double(found.caseCount) / Double(caseCount), .rate)
    return "\(found.caseCount) of \(TerminalLines.count(caseCount, "case")) of \(path) (\(share)) "
      + "have a near-duplicate outside their cluster"
  }
}
