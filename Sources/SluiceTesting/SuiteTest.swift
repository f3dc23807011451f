public import Sluice
public import Testing

/// Runs a suite on its recordings inside a test, so that `swift test` gates prompt changes.
///
/// ```swift
/// @Test("The clarity prompt may ship")
/// func clarity() throws {
///   try SuiteTest("clarity", in: #filePath).check()
/// }
/// ```
///
/// Nothing is sent and nothing is written.
public struct SuiteTest: Sendable {
  private let name: String
  private let place: String
  private let scorers: [String: any Scorer]

  /// Creates a test of a suite.
  ///
  /// - Parameters:
  ///   - name: The suite's name or path, as on the command line.
  ///   - place: A file or folder in the project, such as `#filePath`; the nearest `sluice.yaml` above
  ///     it marks the project's root.
  ///   - scorers: Scorers of yours by the names that the suite asks for them with, as in
  ///     `swift: polite`.
  public init(_ name: String, in place: String, scorers: [String: any Scorer] = [:]) {
    self.name = name
    self.place = place
    self.scorers = scorers
  }

  /// Runs the suite.
  ///
  /// - Returns: What the run came to, whatever the verdict.
  /// - Throws: ``SuiteTestError`` when there is no such project, its files are wrong, or a scorer has
  ///   to run a program, which ``runWithPrograms()`` does.
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

  /// Runs the suite, with the programs that its `exec` scorers name.
  ///
  /// - Returns: What the run came to, whatever the verdict.
  /// - Throws: ``SuiteTestError`` when there is no such project, or its files are wrong.
  public func runWithPrograms() async throws(SuiteTestError) -> SuiteResult {
    await (try evaluation()).replayAsking(concurrency: 1).result
  }

  private func evaluation() throws(SuiteTestError) -> Evaluation {
    let (suite, files) = try load()
    // A pending set lies on one machine: with it a test would say something else here than in CI.
    return Evaluation(
      suite,
      surroundings: Surroundings(files: files, environment: Surroundings.processEnvironment),
      keepsLog: false,
      layers: [.accepted]
    )
  }

  /// The suite with all that it needs, and the project's files.
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

  /// Runs the suite and demands that every gate is met.
  ///
  /// Each gate that does not pass is an issue of the running test, at the line of the call, and
  /// `report.md` is attached to the test.
  ///
  /// - Parameter sourceLocation: The place in the test that issues are recorded at.
  /// - Returns: The result of the run, for further expectations.
  /// - Throws: ``SuiteTestError`` for what ``run()`` throws; with the report of the run when the
  ///   verdict is not a pass and no test of Swift Testing is running.
  @discardableResult
  public func check(
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws(SuiteTestError) -> SuiteResult {
    try demandPass(try run(), sourceLocation)
  }

  /// Runs the suite, with the programs that its `exec` scorers name, and demands that every gate is
  /// met.
  ///
  /// - Parameter sourceLocation: The place in the test that issues are recorded at.
  /// - Returns: The result of the run, for further expectations.
  /// - Throws: ``SuiteTestError`` for what ``runWithPrograms()`` throws; with the report of the run
  ///   when the verdict is not a pass and no test of Swift Testing is running.
  @discardableResult
  public func checkWithPrograms(
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws(SuiteTestError) -> SuiteResult {
    try demandPass(try await runWithPrograms(), sourceLocation)
  }

  /// Records an issue for each gate that does not pass, with the report attached.
  ///
  /// - Throws: The report where no test is running that could have issues.
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

/// Why a suite's test does not pass, in words for the person who reads the test's output.
public struct SuiteTestError: Error, Hashable, CustomStringConvertible {
  /// The report of the run, or what is wrong with the files.
  public let description: String

  init(_ description: String) { self.description = description }
}
