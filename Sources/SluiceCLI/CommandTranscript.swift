internal import ArgumentParser
internal import Sluice

/// The output, messages and result of a command, collected for a program.
final class CommandTranscript: Sendable {
  private struct State {
    var output = ""
    var errors = ""
    var diagnostics: [Diagnostic] = []
    var result: [UInt8]?
  }

  private let state = Locked(State())
  /// True if the messages are also written to standard error.
  private let showsErrors: Bool
  /// The maximum number of bytes to keep from each stream.
  private static let limit = 64 << 20

  init(showsErrors: Bool) { self.showsErrors = showsErrors }

  var output: String { state.withLock { $0.output } }
  var errors: String { state.withLock { $0.errors } }
  var diagnostics: [Diagnostic] { state.withLock { $0.diagnostics } }
  /// The command's JSON result, or `nil` if there is none yet.
  var result: [UInt8]? { state.withLock { $0.result } }

  func add(output text: String) {
    state.withLock { state in
      if state.output.utf8.count + text.utf8.count <= Self.limit { state.output += text }
    }
  }

  /// Adds a message.
  ///
  /// Returns true if the caller should also write it to standard error.
  func add(error text: String) -> Bool {
    state.withLock { state in
      if state.errors.utf8.count + text.utf8.count <= Self.limit { state.errors += text }
    }
    return showsErrors
  }

  func add(_ diagnostics: [Diagnostic]) { state.withLock { $0.diagnostics += diagnostics } }

  func answer(_ result: [UInt8]) { state.withLock { $0.result = result } }
}

/// The format of a command's output.
enum OutputForm: String, ExpressibleByArgument, CaseIterable {
  case text, json

  /// Runs a command.
  ///
  /// In the JSON format, the command writes one object instead of text.
  ///
  /// In both formats, messages go to standard error. If wrong files or arguments prevent a result,
  /// the object describes these errors.
  ///
  /// - Throws: The error of the command.
  func answering(_ command: () async throws -> Void) async throws {
    guard self == .json else { return try await command() }
    let transcript = CommandTranscript(showsErrors: Console.transcript == nil)
    var failure: (any Error)?
    do {
      try await Console.$transcript.withValue(transcript) { try await command() }
    } catch {
      failure = error
    }
    if let outer = Console.transcript {
      _ = outer.add(error: transcript.errors)
      outer.add(transcript.diagnostics)
    }
    let result = transcript.result ?? Self.fault(transcript, failure)
    if let outer = Console.transcript { outer.answer(result) }
    Console.output(String(decoding: result, as: UTF8.self))
    if let failure { throw failure }
  }

  /// Returns the JSON for a command that ended without a result.
  private static func fault(_ transcript: CommandTranscript, _ failure: (any Error)?) -> [UInt8] {
    let code = failure.map { $0 as? Sluice.ExitCode ?? .failure } ?? .pass
    var text = transcript.errors
    if let failure, !(failure is Sluice.ExitCode) { text += "\n\(failure)" }
    return fault(code.rawValue, text, transcript.diagnostics)
  }

  /// Returns the JSON for a command that ended without a result.
  ///
  /// - Parameters:
  ///   - code: The exit code.
  ///   - text: The lines that the command wrote to standard error.
  ///   - diagnostics: The errors and warnings about files.
  /// - Returns: The JSON, which `docs/fault.schema.json` describes.
  static func fault(_ code: Int32, _ text: String, _ diagnostics: [Diagnostic] = []) -> [UInt8] {
    JSONWriter.pretty([
      "schema": 1, "generator": .string("sluice \(Version.current)"),
      "exit-code": .number(Double(code)), "diagnostics": .array(diagnostics.map(\.json)),
      "messages": .array(text.split(separator: "\n").map { .string(String($0).withoutKeys) }),
    ])
  }

  /// The commands that have this option.
  private static let commands = ["run", "compare", "try", "validate", "explain", "show"]

  /// Returns true if a command line asks for JSON, even if the rest of it is wrong.
  static func isJSON(_ arguments: [String]) -> Bool {
    guard let command = arguments.first, commands.contains(command) else { return false }
    // After "--", no word is an option.
    let words = arguments.prefix { $0 != "--" }
    return words.contains("--output=json")
      || zip(words, words.dropFirst()).contains { $0 == "--output" && $1 == "json" }
  }
}

extension Console {
  /// Stores the JSON result of a command, if the output format is JSON.
  static func answer(_ result: @autoclosure () -> [UInt8]) {
    if let transcript { transcript.answer(result()) }
  }
}

extension Diagnostic {
  /// The diagnostic as JSON.
  var json: JSONValue {
    var object: JSONObject = [
      "severity": .string(severity.rawValue), "path": .string(path),
      "message": .string(message.withoutKeys),
    ]
    if let position {
      object["line"] = .number(Double(position.line))
      object["column"] = .number(Double(position.column))
    }
    object.set("fix", fix.map { .string($0.withoutKeys) })
    return .object(object)
  }
}
