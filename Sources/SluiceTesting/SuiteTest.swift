public import Sluice
public import Testing

/// A test of a suite on its recordings, which makes `swift test` fail if a prompt got worse.
///
/// ```swift
/// @Test("The clarity prompt may ship")
/// func clarity() throws {
///   try SuiteTest("clarity", in: #filePath).check()
/// }
/// ```
///
/// Nothing is sent or written.
public struct SuiteTest: Sendable {
  private let name: String
  private let place: String
  private let scorers: [String: any Scorer]

  /// Creates a test of a suite.
  ///
  /// - Parameters:
  ///   - name: The suite's name or path, as on the command line.
  ///   - place: A file or folder in the project, such as `#filePath`. The nearest `sluice.yaml`
  ///     above it marks the project's root.
  ///   - scorers: Your own scorers, by the names that the suite uses for them, such as `polite` in
  ///     `swift: polite`.
  public init(_ name: String, in place: String, scorers: [String: any Scorer] = [:]) {
    self.name = name
    self.place = place
    self.scorers = scorers
  }

  /// Runs the suite.
  ///
  /// - Returns: The result of the run, whatever the verdict.
  /// - Throws: ``SuiteTestError`` if there is no such project or suite, if the project's files have
  ///   errors, or if a scorer runs a program. For such a scorer, use ``runWithPrograms()``.
  public func run() throws(SuiteTestError) -> SuiteResult {
    let evaluation = try evaluation()
    if evaluation.asksPrograms {
      throw SuiteTestError(
        """
        the suite '\(name)' has a scorer that runs a program
          fix: write 'try await SuiteTest(…).checkWithPrograms()'
        """
      )
    }
    return evaluation.replay(concurrency: 1).result
  }

  /// Runs the suite, including the programs of its `exec` scorers.
  ///
  /// - Returns: The result of the run, whatever the verdict.
  /// - Throws: ``SuiteTestError`` if there is no such project or suite, or if the project's files
  ///   have errors.
  public func runWithPrograms() async throws(SuiteTestError) -> SuiteResult {
    await (try evaluation()).replayAsking(concurrency: 1).result
  }

  private func evaluation() throws(SuiteTestError) -> Evaluation {
    let (suite, files) = try load()
    // Pending answers exist on one machine only. A test that used pending answers could have
    // another result in CI.
    return Evaluation(
      suite,
      surroundings: Surroundings(files: files, environment: Surroundings.processEnvironment),
      keepsLog: false,
      layers: [.accepted]
    )
  }

  /// Loads the suite, and returns it with the project's files.
  func load() throws(SuiteTestError) -> (ResolvedSuite, DiskFileSystem) {
    guard
      let root = DiskFileSystem.folder(holding: ProjectConfiguration.fileName, from: place),
      let files = DiskFileSystem(root: root)
    else {
      throw SuiteTestError(
        "there is no \(ProjectConfiguration.fileName) in a folder above \(place)"
      )
    }
    let loaded = ProjectLoader.load(
      ProjectLoader.Selection(suites: [name]),
      from: files,
      environment: Surroundings.processEnvironment,
      ownScorers: scorers
    )
    guard !loaded.hasErrors, let suite = loaded.suites.first else {
      throw SuiteTestError(DiagnosticText.list(loaded.diagnostics))
    }
    return (suite, files)
  }

  /// Runs the suite and requires that every gate passes.
  ///
  /// For each gate that does not pass, an issue is recorded at the line of the call. `report.md` is
  /// attached to the test.
  ///
  /// - Parameter sourceLocation: The location in the test at which issues are recorded.
  /// - Returns: The result of the run, for further expectations.
  /// - Throws: ``SuiteTestError`` in the same cases as ``run()``. Outside of Swift Testing, it is
  ///   also thrown if the verdict is not a pass, and then contains the report of the run.
  @discardableResult
  public func check(
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws(SuiteTestError) -> SuiteResult {
    try demandPass(try run(), sourceLocation)
  }

  /// Runs the suite, including the programs of its `exec` scorers, and requires that every gate
  /// passes.
  ///
  /// - Parameter sourceLocation: The location in the test at which issues are recorded.
  /// - Returns: The result of the run, for further expectations.
  /// - Throws: ``SuiteTestError`` in the same cases as ``runWithPrograms()``. Outside of Swift
  ///   Testing, it is also thrown if the verdict is not a pass, and then contains the report of the
  ///   run.
  @discardableResult
  public func checkWithPrograms(
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws(SuiteTestError) -> SuiteResult {
    try demandPass(try await runWithPrograms(), sourceLocation)
  }

  /// Records an issue for each gate that does not pass, with the report attached.
  ///
  /// - Throws: ``SuiteTestError`` with the report, if no test is running in which issues could be
  ///   recorded.
  func demandPass(
    _ result: SuiteResult,
    _ sourceLocation: Testing.SourceLocation
  ) throws(SuiteTestError) -> SuiteResult {
    if result.verdict == .pass { return result }
    let run = RunResult(suites: [result])
    guard Test.current != nil else {
      let report = TerminalReport(run, style: TerminalStyle(isColored: false), writesReports: false)
      throw SuiteTestError(report.text)
    }
    for issue in GateIssues(result).texts {
      Issue.record(Comment(rawValue: issue), sourceLocation: sourceLocation)
    }
    Attachment.record(
      MarkdownReport(run).bytes,
      named: "report.md",
      sourceLocation: sourceLocation
    )
    return result
  }
}

/// The reason why the test of a suite does not pass, for the reader of the test's output.
public struct SuiteTestError: Error, Hashable, CustomStringConvertible {
  /// The report of the run, or the errors that prevented a run.
  public let description: String

  init(_ description: String) { self.description = description }
}
