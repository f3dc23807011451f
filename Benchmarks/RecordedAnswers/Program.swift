import Foundation
import Sluice

/// The program that creates a project with many recorded cases, to measure `sluice run`; see
/// Benchmarks/README.md.
///
/// For synthetic cases of message triage, the arguments are three files (the cases, the recorded
/// answers and the system prompt) and the folder for the project. For a ``ShapedProject``, the
/// arguments are an existing project, the name of one of its suites, a number of cases, `yaml` or
/// `jsonl`, and the folder for the new project.
@main
struct Program {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().map(\.self)
    do {
      if arguments.count == 5, let count = Int(arguments[2]),
        let format = ShapedProject.Format(rawValue: arguments[3])
      {
        let project = ShapedProject(shape: arguments[1], count: count, format: format)
        say("\(try project.make(from: arguments[0], in: arguments[4])) recordings")
        return
      }
      guard arguments.count == 4 else {
        say(
          "usage: RecordedAnswers CASES.jsonl RECORDED.jsonl PROMPT.txt FOLDER\n"
            + "       RecordedAnswers PROJECT SUITE COUNT yaml|jsonl FOLDER"
        )
        exit(2)
      }
      try make(
        cases: arguments[0],
        answers: arguments[1],
        system: String(contentsOfFile: arguments[2], encoding: .utf8),
        in: arguments[3]
      )
    } catch {
      say("\(error)")
      exit(2)
    }
  }

  private static func make(cases: String, answers: String, system: String, in folder: String)
    throws
  {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard let files = DiskFileSystem(root: folder) else {
      throw Trouble("the folder '\(folder)' cannot be used")
    }
    try write(project(system: system), to: files)
    try files.write(dataset(try lines(cases)), to: ProjectPath("datasets/triage/cases.jsonl"))
    let loaded = ProjectLoader.load(from: files)
    guard !loaded.hasErrors, let suite = loaded.suites.first else {
      throw Trouble(loaded.diagnostics.prefix(3).map(\.description).joined())
    }
    let recordings = try recordings(try lines(answers), for: suite.plan, files)
    try files.write(recordings.bytes, to: recordings.path)
    say("\(recordings.count) recordings")
  }

  private static func lines(_ path: String) throws -> [JSONValue] {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw Trouble("the file '\(path)' cannot be read")
    }
    return try bytes.split(separator: 0x0A).map { try JSONReader.value(Array($0)) }
  }

  /// Returns the files of the project, with their paths.
  ///
  /// One suite does the same work as the script that Sluice is compared with.
  private static func project(system: String) -> [(path: String, text: String)] {
    let indented = system.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "      \($0)" }.joined(separator: "\n")
    return [
      ("sluice.yaml", "backends:\n  mock: {type: openai, model: mock-1}\n"),
      (
        "prompts/triage/v1.yaml",
        "messages:\n  - system: |\n\(indented)\n  - user: '{{text}}'\n"
          + "parameters: {temperature: 0}\n"
      ),
      (
        "prompts/triage/suite.yaml",
        """
        suite: triage
        prompt: v1.yaml
        dataset: triage
        backend: mock
        scorers:
          - classification:
              path: category
              expected: category
              labels: [fan, super_fan, business, spam, urgent]
          - regex: '"confidence":\\s*(?:0\\.\\d+|1\\.0)\\b'
        gates:
          - classification.pass-rate >= 85%
          - regex.pass-rate >= 95%

        """
      ),
    ]
  }

  private static func write(_ project: [(path: String, text: String)], to files: DiskFileSystem)
    throws
  {
    for (path, text) in project { try files.write(Array(text.utf8), to: ProjectPath(path)) }
  }

  private static func dataset(_ cases: [JSONValue]) -> [UInt8] {
    cases.reduce(into: []) { bytes, line in
      let tags: JSONValue = line["clean_control"]?.bool == true ? ["clean"] : []
      bytes += JSONWriter.line([
        "id": line["id"] ?? .null, "tags": tags, "input": ["text": line["text"] ?? .null],
        "expected": ["category": line["expected"] ?? .null],
      ])
      bytes.append(0x0A)
    }
  }

  private static func recordings(
    _ answers: [JSONValue],
    for plan: SuitePlan,
    _ files: any FileSystem
  ) throws -> RecordingFile {
    let backend = plan.backends[0]
    var file = RecordingFile(
      path: RecordingFile.path(dataset: plan.datasetPath, backend: backend.name)
    )
    for (planned, answer) in zip(plan.cases, answers) {
      guard answer["id"]?.string == planned.testCase.id else {
        throw Trouble("the answers are not in the order of the cases")
      }
      let request = try backend.request(for: try plan.prompts[0].render(planned.testCase))
      file.add(
        Recording(
          key: RequestIdentity.key(of: request),
          repetition: 1,
          exchange: exchange(request, answer),
          hints: plan.hints(of: planned.testCase, plan.prompts[0])
        )
      )
    }
    return file
  }

  private static func exchange(_ request: ModelRequest, _ answer: JSONValue) -> Exchange {
    let (input, output) = (
      answer["usage"]?["prompt_tokens"]?.integer ?? 0,
      answer["usage"]?["completion_tokens"]?.integer ?? 0
    )
    let body: JSONValue = [
      "id": .string("chatcmpl-\(answer["id"]?.string ?? "")"), "object": "chat.completion",
      "created": 0, "model": answer["model"] ?? .null,
      "choices": [
        [
          "index": 0,
          "message": ["role": "assistant", "content": answer["content"] ?? .null],
          "finish_reason": "stop",
        ]
      ],
      "usage": [
        "prompt_tokens": .number(Double(input)), "completion_tokens": .number(Double(output)),
        "total_tokens": .number(Double(input + output)),
      ],
    ]
    return Exchange(
      request: request,
      headers: [
        HTTPHeader("content-type", "application/json"),
        HTTPHeader("x-sluice-stand-in", "synthetic"),
      ],
      body: JSONWriter.line(body),
      timings: ResponseTimings(total: answer["latency_ms"]?.number),
      host: "http://127.0.0.1:8909",
      date: Timestamp(seconds: 1_700_000_000)
    )
  }

  private static func say(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
  }
}

/// The reason why nothing could be created.
struct Trouble: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
