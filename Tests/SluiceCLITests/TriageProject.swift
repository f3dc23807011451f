import TestSupport
import Foundation
import Sluice
import StandInModel

/// A small project that classifies messages, with a server in this process whose answers tests can
/// set.
///
/// By default, the last character of a message determines its answer. The price file has a price
/// for the model.
final class TriageProject {
  static let recordings = "datasets/triage/recordings/server.jsonl"
  static let pending = "datasets/triage/recordings/pending/server.jsonl"
  static let ledger = "datasets/triage/recordings/ledger/server.jsonl"
  static let scratch = "reports/scratch/datasets/triage/recordings/server.jsonl"
  static let prompt = "prompts/triage/v1.yaml"
  static let cases = "datasets/triage/cases.yaml"
  static let suite = "prompts/triage/suite.yaml"

  let files: ScratchProject
  let server: Server
  /// The original text of `sluice.yaml`, with the server's port.
  private let configuration: String
  var sluice: CommandLineRunner { files.sluice }

  /// The server of a test.
  final class Server: Sendable {
    /// Returns the text of an answer.
    typealias Answer = @Sendable (_ system: String, _ message: String) async throws -> String

    private let state: Locked<(asked: [String], answer: Answer)>
    /// True until a test sets the server's answers.
    var isUsual: Bool { isAsMade.withLock { $0 } }
    private let isAsMade = Locked(true)

    init() {
      state = Locked(([], { _, message in Server.usual(message) }))
    }

    /// The requested messages, in order of arrival.
    var asked: [String] { state.withLock { $0.asked } }

    /// Sets the server's answers from now on.
    func answer(_ answer: @escaping Answer) {
      isAsMade.withLock { $0 = false }
      state.withLock { $0.answer = answer }
    }

    /// Resets the requests.
    func forget() { state.withLock { $0.asked = [] } }

    func reply(_ system: String, _ message: String) async throws -> String {
      let answer = state.withLock { state in
        state.asked.append(message)
        return state.answer
      }
      return try await answer(system, message)
    }

    static func usual(_ message: String) -> String {
      switch message.last {
      case "?": #"{"kind":"question"}"#
      case ".": #"{"kind":"request"}"#
      default: #"{"kind":"other"}"#
      }
    }
  }

  /// The error of a server that cannot answer.
  struct Failure: Error {}

  private init(port: UInt16, _ server: Server) throws {
    self.server = server
    files = try ScratchProject()
    configuration = """
      backends:
        server:
          type: openai
          base-url: "http://127.0.0.1:\(port)/v1"
          model: stand-in-1
          retries: 0
          max-in-flight: 2
      prices: prices.json

      """
    try files.write(configuration, to: "sluice.yaml")
    try files.write(
      """
      {"stand-in-1": {"input_cost_per_token": 0.001, "output_cost_per_token": 0.001}}

      """,
      to: "prices.json"
    )
    try files.write(
      """
      suite: triage
      prompt: v1.yaml
      dataset: triage
      backend: server
      scorers:
        - classification: {path: kind, expected: kind, labels: [question, request, other]}
      gates:
        - accuracy >= 10%

      """,
      to: Self.suite
    )
    try files.write(
      """
      messages:
        - system: Say what kind of message it is.
        - user: "{{message}}"
      parameters: {temperature: 0, max-tokens: 20}

      """,
      to: Self.prompt
    )
    try files.write(
      """
      - {id: where, tags: [short], input: {message: "Where is it?"}, expected: {kind: question}}
      - {id: send, tags: [action], input: {message: "Please send it."}, expected: {kind: request}}
      - {id: thanks, input: {message: "Thanks!"}, expected: {kind: other}}
      - {id: polite, input: {message: "Could you send it?"}, expected: {kind: request}}

      """,
      to: Self.cases
    )
  }

  /// Runs a test on a project whose server runs as long as the test.
  static func with(_ body: (TriageProject) async throws -> Void) async throws {
    let answers = Server()
    let server = try StandInServer { system, user in try await answers.reply(system, user) }
    let port = try await server.start()
    do {
      try await body(try TriageProject(port: port, answers))
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  // MARK: Steps

  /// Runs a command that must succeed.
  @discardableResult
  func must(_ arguments: String...) async throws -> String {
    let outcome = try await sluice.run(arguments)
    guard outcome.exitCode == 0 else {
      throw NotWell(text: "\(arguments): \(outcome.exitCode)\n\(outcome.output)\(outcome.error)")
    }
    return outcome.output
  }

  struct NotWell: Error, CustomStringConvertible {
    var text: String
    var description: String { text }
  }

  /// Records and accepts all answers.
  ///
  /// Projects with the same initial state and the default answers are recorded only once, because
  /// many tests start this way.
  func record() async throws {
    let before = try contents()
    let isShared = server.isUsual && before?["sluice.yaml"] == configuration
    var start = before ?? [:]
    // Only the port differs.
    start["sluice.yaml"] = nil
    if isShared, let after = Self.recorded.withLock({ $0[start] }) {
      for (path, text) in after { try files.write(text, to: path) }
      return
    }
    try await must("record")
    try await must("recordings", "accept")
    server.forget()
    guard isShared, let after = try contents() else { return }
    Self.recorded.withLock { recorded in
      recorded[start] = after.filter { path, text in before?[path] != text }
    }
  }

  /// The files that recording adds to a project, by the files with which the project starts.
  private static let recorded = Locked<[[String: String]: [String: String]]>([:])

  /// Returns the texts of all files by path; `nil` if there is a repository, or anything other than
  /// files and folders.
  private func contents() throws -> [String: String]? {
    var contents: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: files.folder.path) {
      let url = files.folder.appending(path: path)
      let values = try url.resourceValues(forKeys: [.isDirectoryKey, .isRegularFileKey])
      if values.isDirectory == true {
        if url.lastPathComponent == ".git" { return nil }
        continue
      }
      guard values.isRegularFile == true else { return nil }
      contents[path] = try files.read(path)
    }
    return contents
  }

  /// Replaces the four cases by a number of cases.
  func write(caseCount: Int) throws {
    let lines = (0..<caseCount).map { number in
      "- {id: case-\(number), input: {message: \"Number \(number)?\"}, expected: {kind: question}}\n"
    }
    try files.write(lines.joined(), to: Self.cases)
  }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: files.folder.appending(path: path).path)
  }

  func append(_ text: String, to path: String) throws {
    try files.write(try files.read(path) + text, to: path)
  }

  /// The lines of a JSONL file.
  func lines(_ path: String) throws -> [JSONValue] {
    try files.read(path).split(separator: "\n").map { try JSONReader.value(Array($0.utf8)) }
  }

  /// The exchanges of a recordings file, without its parts.
  func exchanges(_ path: String) throws -> [JSONValue] {
    try lines(path).filter { $0["key"] != nil }
  }

  /// Returns the sets of the ledger by state, then the largest first, because the ledger does not
  /// order sets that began within the same second.
  func sets() throws -> [JSONValue] {
    try lines(Self.ledger).sorted { left, right in
      let states = (left["state"]?.string ?? "", right["state"]?.string ?? "")
      if states.0 != states.1 { return states.0 < states.1 }
      return (left["exchanges"]?.integer ?? 0) > (right["exchanges"]?.integer ?? 0)
    }
  }

  /// Replaces the line of a file that contains a text.
  func rewriteLine(
    of path: String,
    holding part: String,
    _ rewrite: (String) -> String
  ) throws {
    let lines = try files.read(path).split(separator: "\n", omittingEmptySubsequences: false)
    let new = lines.map { $0.contains(part) ? rewrite(String($0)) : String($0) }
    try files.write(new.joined(separator: "\n"), to: path)
  }

  /// Writes the ledger as earlier versions did: without digests of the sets' lines.
  func writeOldLedger() throws {
    let lines = try files.read(Self.ledger).split(separator: "\n").map { line in
      Self.sealed(
        String(line).replacing("\"schema\":2", with: "\"schema\":1").replacing(
          /,"lines":"[^"]*"/,
          with: ""
        )
      ) + "\n"
    }
    try files.write(lines.joined(), to: Self.ledger)
  }

  /// Returns a line of a recording with a valid digest after any change.
  static func sealed(_ line: String) -> String {
    guard let range = line.range(of: #","digest":""#, options: .backwards) else { return line }
    let body = line[..<range.lowerBound] + "}"
    return "\(line[..<range.lowerBound]),\"digest\":\"\(SHA256.hexadecimal(body.utf8))\"}"
  }
}

extension String {
  /// Replaces each date with DAY, and each duration and size with N, because they differ from run
  /// to run.
  var timeless: String {
    replacing(/\d{4}-\d\d-\d\d/, with: "DAY")
      .replacing(/time \d+ → \d+ ms/, with: "time N → N ms")
      .replacing(" · time N → N ms", with: "")
      .replacing("    time N → N ms\n", with: "")
      .replacing(/\d+ KiB/, with: "N KiB")
  }
}
