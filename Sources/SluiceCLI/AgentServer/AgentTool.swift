internal import ArgumentParser
internal import Sluice

/// A tool for coding agents: a command of `sluice` that runs in this process.
struct AgentTool: Sendable {
  typealias Parameter = AgentArguments.Parameter

  var name: String
  var title: String
  var about: String
  var parameters: [Parameter]
  /// True if the tool does not change any file.
  var isReadOnly: Bool
  /// True if tool calls may send requests to backends.
  var allowsLive: Bool
  /// A closure that returns the command line as a list of words, without the option for the output
  /// format.
  var words: @Sendable (AgentArguments) -> [String]

  // MARK: The tools

  /// Returns the tools of a server.
  ///
  /// - Parameter allowsLive: True if tool calls may send requests to backends.
  /// - Returns: The tools, in the order in which they are listed.
  static func all(allowsLive: Bool) -> [AgentTool] {
    func tool(
      _ name: String,
      _ title: String,
      _ about: String,
      _ parameters: [Parameter],
      isReadOnly: Bool = false,
      words: @escaping @Sendable (AgentArguments) -> [String]
    ) -> AgentTool {
      AgentTool(
        name: name,
        title: title,
        about: about,
        parameters: parameters,
        isReadOnly: isReadOnly,
        allowsLive: allowsLive,
        words: words
      )
    }
    return [
      tool(
        "validate",
        "Check files",
        "Reads all files of the suites and reports every error with its position and fix.",
        [suites],
        isReadOnly: true
      ) { ["validate", "--"] + $0.texts("suites") },
      tool(
        "run",
        "Run suites",
        "Scores the recorded answers, applies the suites' gates and writes reports/latest/.",
        [suites, affected] + filter + [prompt, backend, repeats, live, cost]
      ) { arguments in
        ["run"] + arguments.option("affected") + filterWords(arguments)
          + arguments.option("prompt") + arguments.option("backend") + arguments.option("repeat")
          + (arguments.isTrue("live") ? ["--live"] + arguments.option("max-cost") : []) + ["--"]
          + arguments.texts("suites")
      },
      tool(
        "try",
        "Gate a change",
        "Compares the suites in the working copy with main and returns the verdict. Without "
          + "'live', there is no verdict if answers are not recorded.",
        [suites, base] + filter + [prompt, backend, repeats, live, cost]
      ) { arguments in
        ["try"] + arguments.option("base") + filterWords(arguments) + arguments.option("prompt")
          + arguments.option("backend") + arguments.option("repeat")
          + (arguments.isTrue("live") ? arguments.option("max-cost") : ["--offline"]) + ["--"]
          + arguments.texts("suites")
      },
      tool(
        "compare",
        "Compare prompts, backends or revisions",
        "Compares prompts, backends, run logs or a git revision case by case, on recorded answers.",
        [suites, base, head] + filter + [prompts, backends, repeats, live]
      ) { arguments in
        ["compare"] + arguments.option("base") + arguments.option("head") + filterWords(arguments)
          + arguments.option("prompts", as: "prompt") + arguments.option("backends", as: "backend")
          + arguments.option("repeat") + (arguments.isTrue("live") ? ["--live"] : []) + ["--"]
          + arguments.texts("suites")
      },
      tool(
        "show",
        "Show a case",
        "Returns one case: the request, the recorded answers, the expected output and the scores.",
        [testCase, suites, prompts, backends],
        isReadOnly: true
      ) { arguments in
        ["show"] + arguments.option("suites", as: "suite")
          + arguments.option("prompts", as: "prompt")
          + arguments.option("backends", as: "backend") + ["--"] + arguments.texts("case")
      },
      tool(
        "explain",
        "Explain a verdict",
        "Explains why each gate passes or fails, which cases failed and why, and what to do next.",
        [suites, prompt, backend],
        isReadOnly: true
      ) { arguments in
        ["explain"] + arguments.option("prompt") + arguments.option("backend") + ["--"]
          + arguments.texts("suites")
      },
    ]
  }

  private static let suites = Parameter(
    name: "suites",
    kind: .texts,
    about: "Suites by folder, file or name. Default: all.",
    isPath: true
  )
  private static let affected = Parameter(
    name: "affected",
    kind: .text,
    about: "Run only the suites with files that differ from this git revision, such as origin/main."
  )
  private static let base = Parameter(
    name: "base",
    kind: .text,
    about: "The git revision to compare with."
  )
  private static let head = Parameter(
    name: "head",
    kind: .text,
    about: "With base: a revision to judge instead of the working copy."
  )
  private static let prompt = Parameter(
    name: "prompt",
    kind: .text,
    about: "A prompt file to use instead of the suite's prompt.",
    isPath: true
  )
  private static let prompts = Parameter(
    name: "prompts",
    kind: .texts,
    about: "Prompt files to use.",
    isPath: true
  )
  private static let backend = Parameter(
    name: "backend",
    kind: .text,
    about: "A backend of sluice.yaml to use instead of the suite's backend."
  )
  private static let backends = Parameter(
    name: "backends",
    kind: .texts,
    about: "Backends of sluice.yaml to use."
  )
  private static let repeats = Parameter(
    name: "repeat",
    kind: .count,
    about: "The number of trials for each case."
  )
  private static let testCase = Parameter(
    name: "case",
    kind: .text,
    about: "The id of the case.",
    isRequired: true
  )
  private static let live = Parameter(
    name: "live",
    kind: .truth,
    about: "Send requests to backends, which costs money. The server must have been started with "
      + "--allow-live."
  )
  private static let cost = Parameter(
    name: "max-cost",
    kind: .number,
    about: "With live: the most that the answers may cost, in US dollars."
  )
  private static let filter = [
    Parameter(name: "cases", kind: .texts, about: "Run only these cases; there is no verdict."),
    Parameter(
      name: "tags",
      kind: .texts,
      about: "Run only the cases that have at least one of these tags; there is no verdict."
    ),
    Parameter(
      name: "first",
      kind: .count,
      about: "Run only this many cases, from the start of the dataset; there is no verdict."
    ),
  ]

  private static func filterWords(_ arguments: AgentArguments) -> [String] {
    arguments.option("cases", as: "case") + arguments.option("tags", as: "tag")
      + arguments.option("first")
  }

  /// The tool as `tools/list` describes it.
  var json: JSONValue {
    [
      "name": .string(name), "title": .string(title), "description": .string(about),
      "inputSchema": [
        "type": "object",
        "properties": .object(JSONObject(parameters.map { ($0.name, $0.schema) })),
        "required": .array(parameters.filter(\.isRequired).map { .string($0.name) }),
        "additionalProperties": false,
      ],
      "outputSchema": Result.schema,
      "annotations": [
        "readOnlyHint": .bool(isReadOnly), "destructiveHint": false, "idempotentHint": true,
        "openWorldHint": .bool(allowsLive && parameters.contains { $0.name == "live" }),
      ],
    ]
  }

  // MARK: Calling

  /// Runs the command.
  func call(_ arguments: AgentArguments) async -> Result {
    if arguments.isTrue("live"), !allowsLive {
      return .refusal(
        "this server may not send requests; ask the user to start it with 'sluice mcp --allow-live'"
      )
    }
    let transcript = CommandTranscript(showsErrors: false)
    return await Console.$transcript.withValue(transcript) {
      do {
        try confine(arguments)
        let line = words(arguments)
        // Insert the option before the names, since words after "--" are not options.
        let parsed = [line[0], "--output=json"] + line.dropFirst()
        guard var command = try SluiceCommand.parseAsRoot(parsed) as? any AsyncParsableCommand
        else { return .refusal("\(name) is not a command") }
        try await BranchTrust.$current.withValue(.of(command)) {
          try await TerminalLines.$width.withValue(TerminalText.usualColumns) {
            try await command.run()
          }
        }
        return Result(.pass, transcript)
      } catch let code as Sluice.ExitCode {
        return Result(code, transcript)
      } catch {
        guard SluiceCommand.exitCode(for: error) == .validationFailure else {
          return Result(.failure, transcript, String(describing: error))
        }
        return .refusal(SluiceCommand.message(for: error))
      }
    }
  }

  /// Refuses paths outside of the project, and a project whose reports folder leads outside.
  ///
  /// - Throws: ``ExitCode/usage`` after reporting the error.
  private func confine(_ arguments: AgentArguments) throws {
    let project = try Project.withoutSuites()
    let files = project.surroundings.files
    for parameter in parameters where parameter.isPath {
      for text in arguments.texts(parameter.name) {
        let path = project.path(text)
        guard path.isInsideRoot, files.kind(of: path) != .linkOutOfRoot else {
          throw project.refusal("'\(text)' is outside the project", "name a file in the project")
        }
      }
    }
    if isReadOnly { return }
    for name in ["reports", "reports/latest", "reports/filtered", "reports/runs"] {
      guard files.kind(of: ProjectPath(name)) != .linkOutOfRoot else {
        throw project.refusal(
          "'\(name)' is a link that leads outside the project, and tools write only inside the "
            + "project",
          "replace it with a folder in the project"
        )
      }
    }
  }
}
