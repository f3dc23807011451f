internal import ArgumentParser
internal import Sluice

/// The options that select cases.
struct CaseOptions: ParsableArguments {
  @Option(name: .customLong("case"), help: "Run only the case with this id; may be repeated.")
  var cases: [String] = []

  @Option(name: .customLong("tag"), help: "Run only cases with this tag; may be repeated.")
  var tags: [String] = []

  @Option(help: "Run only the first N cases, in the order of the dataset.")
  var first: Int?

  init() {}

  init(cases: [String], tags: [String], first: Int?) {
    (self.cases, self.tags, self.first) = (cases, tags, first)
  }

  func validate() throws {
    if let first, first < 1 { throw ValidationError("--first must be 1 or more.") }
  }

  var filter: CaseFilter { CaseFilter(cases: cases, tags: tags, first: first) }
}

/// The option `--failed` for commands that do not support it.
///
/// Using the option is an error, which explains the reason.
struct RefusedFailedOption: ParsableArguments {
  @Flag(help: .hidden)
  var failed = false

  func validate() throws {
    if failed {
      throw ValidationError(
        """
        --failed works only with 'sluice run': recording or comparing only failed cases would bias \
        the result. Choose cases with --case ID or --tag TAG.
        """
      )
    }
  }
}

extension Project {
  /// Keeps only the cases that a filter selects.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - files: The file system with the logs of earlier runs.
  /// - Throws: ``ExitCode/usage`` after reporting all errors in the filter; ``ExitCode/noVerdict``
  ///   if only failed cases are requested but none failed.
  mutating func keep(_ filter: CaseFilter, logsIn files: any FileSystem) throws {
    if filter.isEmpty { return }
    let filtering = CaseFiltering(loaded.suites, filter, in: files)
    Self.printFaults(filtering.faults)
    if !filtering.faults.isEmpty { throw Sluice.ExitCode.usage }
    for note in filtering.notes { Console.error("\(TerminalText.visible(note))\n") }
    if filtering.hasNoFailures {
      Console.error(
        "NO VERDICT: no case failed in the last run, so there is nothing to run again.\n"
      )
      throw Sluice.ExitCode.noVerdict
    }
    loaded.suites = filtering.suites
    overrides.filter = filter
  }

  static func printFaults(_ faults: [CaseFiltering.Fault]) {
    for fault in faults { _ = Console.refusal(fault.message, fault.fix) }
  }
}
