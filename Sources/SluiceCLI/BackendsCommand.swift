internal import ArgumentParser
internal import Sluice

struct BackendsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backends",
    abstract: "Lists the backends of sluice.yaml, or checks that one of them works.",
    discussion: """
      Without a subcommand it lists the name, type, address and model of each backend, and whether \
      its key is set. It sends nothing. 'check NAME' sends a few small requests.
      """,
    subcommands: [List.self, Check.self],
    defaultSubcommand: List.self
  )

  struct List: AsyncParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      abstract: "Lists the backends; sends nothing."
    )

    @OptionGroup var trust: TrustOptions

    func run() async throws {
      let (loaded, surroundings) = try Project.loadBackends()
      let terminal = TerminalBackends(style: Console.style(for: 1, surroundings.environment))
      Console.output(terminal.list(loaded.backends, environment: surroundings.environment))
    }
  }

  struct Check: AsyncParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      abstract: "Sends a few small requests and shows the answers.",
      discussion: """
        The first request asks for an answer. If it succeeds, the same request is sent again. A \
        model also gets a request for a streamed answer, and a request for an answer that follows \
        a JSON Schema. Nothing is retried, and a failed stream is not replaced by a whole answer. \
        A backend of type http or exec gets the first case of a suite that uses it. If there is no \
        such suite, the case is from a suite that has every input named in the backend's body. \
        Exit codes: 0 the backend answers, 3 it does not, 64 wrong command line or files.
        """
    )

    @Argument(help: "The backend's name in sluice.yaml.")
    var name: String

    @Flag(help: "Stream the answer, whatever sluice.yaml says.")
    var stream = false

    @Flag(help: "Send the first request only.")
    var once = false

    @Flag(help: "Allow the requests in CI.")
    var network = false

    @OptionGroup var trust: TrustOptions

    func run() async throws {
      let (loaded, surroundings) = try Project.loadBackends()
      guard var backend = loaded.backends.first(where: { $0.name == name }) else {
        let known = loaded.backends.map(\.name)
        let fix = NearestName.suggestion(for: name, among: known)
        throw Console.refusal("there is no backend '\(name)' in sluice.yaml", fix)
      }
      if backend.outputs != nil { return try checkFile(backend, surroundings) }
      if surroundings.isContinuousIntegration, !network {
        throw Console.refusal(
          "the network is disabled in CI (the environment variable CI is set)",
          "add --network if this job is meant to send requests"
        )
      }
      if stream { backend = backend.streamed }
      let (request, question) = try question(for: backend)
      let redaction = Redaction(of: [backend], in: surroundings)
      let (check, wasInterrupted) = await Interruption.guarding { [backend] in
        await BackendCheck.run(
          backend,
          asking: request,
          question: question,
          probing: once ? [] : BackendCheck.Probe.Kind.allCases,
          client: CurlHTTPClient(trusting: .ofSystem(environment: surroundings.environment)),
          surroundings: surroundings,
          prices: loaded.prices,
          redacting: { RedactingBackend($0, redaction: redaction) },
          clean: { redaction.redacted($0) }
        )
      }
      if wasInterrupted { throw Interruption.reported }
      let terminal = TerminalBackends(style: Console.style(for: 1, surroundings.environment))
      Console.output(terminal.text(check))
      if case .failure = check.outcome { throw Sluice.ExitCode.noVerdict }
    }

    /// Checks the output file of a backend for each suite that uses it.
    ///
    /// Nothing is sent.
    private func checkFile(_ backend: BackendDefinition, _ surroundings: Surroundings) throws {
      let project = try Project.load(ProjectRequest(suites: []))
      let plans = project.loaded.suites.map(\.plan).filter { $0.outputs[backend.name] != nil }
      let terminal = TerminalBackends(style: Console.style(for: 1, surroundings.environment))
      Console.output(terminal.text(of: backend, for: plans))
      if plans.isEmpty || plans.contains(where: { $0.missingRows(of: backend.name) > 0 }) {
        throw Sluice.ExitCode.noVerdict
      }
    }

    /// Returns a test request, with a description.
    ///
    /// If the backend accepts any prompt, the request asks for a fixed word. Otherwise, it is the
    /// request for the first case of a suite.
    private func question(for backend: BackendDefinition) throws -> (ModelRequest, String) {
      if backend.asksPromptAlone {
        return (try backend.request(for: BackendCheck.prompt), "with a request for the word OK")
      }
      let project = try Project.load(ProjectRequest(suites: []))
      let plans = project.loaded.suites.map(\.plan)
      let own = plans.filter { $0.backends.contains { $0.name == name } }
      for plan in own + plans {
        guard let testCase = plan.cases.first?.testCase, let prompt = plan.prompts.last,
          let rendered = try? prompt.render(testCase),
          let request = try? backend.request(
            for: rendered,
            input: testCase.input,
            testCase: testCase.id
          )
        else { continue }
        return (request, "with the case \(testCase.id) of \(plan.name)")
      }
      throw Console.refusal(
        "no suite has a case that can be sent to the backend '\(name)'",
        "name the backend under 'backend' in a suite.yaml"
      )
    }
  }
}

extension Project {
  /// Finds the project and reads its backends.
  ///
  /// - Throws: ``ExitCode/usage`` after printing all errors in `sluice.yaml`.
  static func loadBackends() throws -> (LoadedBackends, Surroundings) {
    let disk = try find()
    let surroundings = surroundings(of: disk, reading: disk)
    let loaded = ProjectLoader.backends(
      from: surroundings.files,
      environment: surroundings.environment
    )
    print(loaded.diagnostics)
    if loaded.hasErrors { throw Sluice.ExitCode.usage }
    return (loaded, surroundings)
  }
}
