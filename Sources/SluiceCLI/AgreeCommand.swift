internal import ArgumentParser
internal import Sluice

struct AgreeCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "agree",
    abstract: "Measures how often columns of answers agree; needs no expected answers.",
    discussion: """
      A column is one prompt on one backend, in a suite or in a run log (reports/runs/). The \
      answers of a suite are recorded or come from a file of outputs. The command shows the \
      agreement rate, Cohen's kappa (weighted on a scale), Fleiss' kappa and Krippendorff's alpha, \
      each with an interval. It also lists the cases on which columns differ.

      There is no verdict. Exit codes: 0 whatever the figures are; 3 if no case has two answers to \
      compare; 64 wrong command line or files.
      """
  )

  /// The values of `--scale`.
  enum ScaleName: String, ExpressibleByArgument, CaseIterable {
    case nominal, ordinal, interval
  }

  /// The values of `--output`.
  enum Output: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: "A suite by folder, file or name; or run logs (.jsonl).")
  var names: [String] = []

  @Option(name: .long, help: "A prompt file to compare; may be repeated.")
  var prompt: [String] = []

  @Option(name: .long, help: "A backend of sluice.yaml to compare; may be repeated.")
  var backend: [String] = []

  @Option(name: .customLong("repeat"), help: "The number of trials for each case.")
  var repetitions: Int?

  @Option(
    help: """
      The part of the answers to compare: a path in JSON, such as label, or an extraction, \
      such as '[number]'.
      """
  )
  var by: String?

  @Option(help: "The kind of values: names, an order, or numbers on a scale.")
  var scale: ScaleName = .nominal

  @Option(help: "The labels of an ordinal scale from low to high, such as low,mid,high.")
  var order: String?

  @Option(help: "The number of differing cases to list.")
  var first = 10

  @Option(help: "The output format: text or json.")
  var output: Output = .text

  @Flag(help: "Also use answers recorded with --scratch.")
  var scratch = false

  private var logs: [String] { names.filter { $0.hasSuffix(".jsonl") } }

  @OptionGroup var trust: TrustOptions

  func validate() throws {
    if let repetitions, !(1...10_000).contains(repetitions) {
      throw ValidationError("--repeat must be between 1 and 10000.")
    }
    if !(0...100_000).contains(first) {
      throw ValidationError("--first must be between 0 and 100000.")
    }
    if !logs.isEmpty, logs.count < names.count {
      throw ValidationError(
        "Run logs and suites cannot be compared with each other; name only one kind."
      )
    }
    if !logs.isEmpty, !prompt.isEmpty || !backend.isEmpty || repetitions != nil {
      throw ValidationError("--prompt, --backend and --repeat cannot be used with run logs.")
    }
    if names.isEmpty || logs.isEmpty && names.count > 1 {
      throw ValidationError("Name one suite, or run logs: sluice agree SUITE --backend NAME")
    }
    if order != nil, scale != .ordinal {
      throw ValidationError("--order applies to an ordinal scale: add --scale ordinal.")
    }
    if let order, Set(labels(order)).count < 2 || Set(labels(order)).count < labels(order).count {
      throw ValidationError("--order needs two or more different labels, such as low,mid,high.")
    }
  }

  private func labels(_ order: String) -> [String] {
    order.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  private var valueScale: ColumnAgreement.Scale {
    switch scale {
    case .nominal: .nominal
    case .ordinal: .ordinal(order.map(labels) ?? [])
    case .interval: .interval
    }
  }

  func run() async throws {
    let part: ComparedPart
    do throws(ComparedPart.Problem) {
      part = try by.map { (text) throws(ComparedPart.Problem) in try ComparedPart(text) } ?? .whole
    } catch {
      throw Console.refusal("--by: \(error.message)", error.fix)
    }
    let reader = AgreementReader(part: part, scale: valueScale)
    let result = logs.isEmpty ? try ofSuite(reader) : try ofLogs(reader)
    switch output {
    case .text:
      let style = Console.style(for: 1, Invocation.environment)
      Console.output(TerminalAgreement(result, style: style, shown: first).text)
    case .json:
      Console.output(String(decoding: AgreementJSON([result], shown: first).bytes, as: UTF8.self))
    }
    if !result.hasAny {
      throw Console.refusal(
        "no case has values in two columns, so there is nothing to compare",
        Self.fix(result),
        code: .noVerdict
      )
    }
  }

  private static func fix(_ result: ColumnAgreement) -> String {
    let isMissing = result.lacks.contains { $0.contains(where: \.isMissing) }
    return isMissing
      ? "record the missing answers, or add rows to the file of outputs"
      : "choose the part to compare with --by, or use another --scale"
  }

  private func ofSuite(_ reader: AgreementReader) throws -> ColumnAgreement {
    var wanted = ProjectRequest(suites: names)
    (wanted.prompts, wanted.backends, wanted.repetitions) = (prompt, backend, repetitions)
    wanted.isBesideOwn = true
    let project = try Project.load(wanted)
    try project.requireNothingPendingInCI()
    guard let suite = project.loaded.suites.first, suite.plan.columns.count > 1 else {
      throw project.refusal(
        "the suite has only one column of answers; agreement needs at least two",
        "add a prompt or a backend: sluice agree \(names[0]) --backend NAME"
      )
    }
    let evaluation = Evaluation(
      suite,
      surroundings: project.surroundings,
      keepsLog: false,
      layers: RecordingSession.layers(isScratch: scratch)
    )
    let recordings = evaluation.recordings
    project.printDiagnostics(recordings.faults)
    return reader.agreement(
      of: suite,
      recordings,
      now: project.surroundings.now(),
      concurrency: 4
    )
  }

  private func ofLogs(_ reader: AgreementReader) throws -> ColumnAgreement {
    var read: [AgreementReader.Log] = []
    var diagnostics: [Diagnostic] = []
    for name in logs {
      do throws(FileError) {
        read.append(AgreementReader.Log(name: name, contents: try NamedFile.open(name)))
      } catch {
        diagnostics.append(Diagnostic(path: name, message: "cannot be read: \(error.reason)"))
      }
    }
    if !diagnostics.isEmpty {
      Project.print(diagnostics)
      throw Sluice.ExitCode.usage
    }
    do throws(AgreementReader.Problem) {
      let result = try reader.agreement(of: read)
      if result.columns.count > 1 { return result }
      Console.error(
        "sluice: error: the log has only one column of answers; agreement needs at least two\n"
          + "  fix: name another log\n"
      )
    } catch {
      Project.print([
        Diagnostic(
          path: error.name,
          position: SourcePosition(line: error.line, column: 1),
          message: error.message
        )
      ])
    }
    throw Sluice.ExitCode.usage
  }
}
