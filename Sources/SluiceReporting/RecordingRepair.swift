import SluiceGating

extension RunResult {
  /// Returns the command that repairs damaged or missing recordings files, or `nil` if no file is
  /// damaged or missing.
  ///
  /// If git has some of these files, the command restores them, so that nobody pays for the same
  /// answers again.
  func repair(_ overrides: CommandLineOverrides) -> (advice: String, command: String)? {
    var files: [RecordingSummary.Fault] = []
    for fault in suites.flatMap(\.recordings.faults)
    where !files.contains(where: { $0.path == fault.path }) {
      files.append(fault)
    }
    func name(_ fault: RecordingSummary.Fault) -> String { overrides.path(ProjectPath(fault.path)) }
    let kept = files.filter { overrides.committed.contains(ProjectPath($0.path)) }
    if !kept.isEmpty {
      return (
        "restore the recordings from git",
        "git checkout -- \(kept.map { ShellText.quoted(name($0)) }.joined(separator: " "))"
      )
    }
    guard let first = files.first else { return nil }
    let suites = suites.filter { !$0.recordings.faults.isEmpty }
    let line = first.line.map { "line \($0) of " }
    let what =
      line.map { "delete \($0)\(name(first)), then record its answer again" }
      ?? (first.isMissing
        ? "record the answers of \(name(first)) again"
        : "delete \(name(first)), then record its answers again")
    return (
      "\(what) (this sends requests)",
      "sluice record \(suites.words)\(overrides.optionsToRecord(suites))"
    )
  }
}
