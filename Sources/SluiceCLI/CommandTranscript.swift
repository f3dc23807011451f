internal import ArgumentParser
internal import Sluice

/// The words and the result of a command that a program reads.
final class CommandTranscript: Sendable {
  private struct State {
    var output = ""
    var errors = ""
    var diagnostics: [Diagnostic] = []
    var result: [UInt8]?
  }

  private let state = Locked(State())
  /// True when messages go to standard error as well.
  private let showsErrors: Bool
  /// The most text that is kept of each stream, in bytes.
  private static let limit = 64 << 20

  init(showsErrors: Bool) { self.showsErrors = showsErrors }

  var output: String { state.withLock { $0.output } }
  var errors: String { state.withLock { $0.errors } }
  var diagnostics: [Diagnostic] { state.withLock { $0.diagnostics } }
  /// The JSON that the command answers with; `nil` until there is some.
  var result: [UInt8]? { state.withLock { $0.result } }

  func add(output text: String) {
    state.withLock { state in
      if state.output.utf8.count + text.utf8.count <= Self.limit { state.output += text }
    }
  }

  /// Takes a message; true when it is to be shown, too.
  func add(error text: String) -> Bool {
    state.withLock { state in
      if state.errors.utf8.count + text.utf8.count <= Self.limit { state.errors += text }
    }
    return showsErrors
  }

  func add(_ diagnostics: [Diagnostic]) { state.withLock { $0.diagnostics += diagnostics } }

  func answer(_ result: [UInt8]) { state.withLock { $0.result = result } }
}

/// The form in which a command answers.
enum OutputForm: String, ExpressibleByArgument, CaseIterable {
  case text, json

  /// Runs a command; for a program, one JSON object is written in place of what a person would read.
  ///
  /// Messages go to standard error in either form. A command that ends without a result, since its files
  /// or its arguments are wrong, answers with what is wrong.
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

  /// The answer of a command without a result; described in `docs/fault.schema.json`.
  private static func fault(_ transcript: CommandTranscript, _ failure: (any Error)?) -> [UInt8] {
    let code = failure.map { $0 as? Sluice.ExitCode ?? .failure } ?? .pass
    var messages = transcript.errors.split(separator: "\n").map { JSONValue.string(String($0)) }
    if let failure, !(failure is Sluice.ExitCode) {
      messages.append(.string(String(describing: failure)))
    }
    return JSONWriter.pretty([
      "schema": 1, "generator": .string("sluice \(Version.current)"),
      "exit-code": .number(Double(code.rawValue)),
      "diagnostics": .array(transcript.diagnostics.map(\.json)), "messages": .array(messages),
    ])
  }
}

extension Console {
  /// Gives the result of a command to a program, where one reads it.
  static func answer(_ result: @autoclosure () -> [UInt8]) {
    if let transcript { transcript.answer(result()) }
  }
}

extension Diagnostic {
  /// The diagnostic for programs.
  var json: JSONValue {
    var object: JSONObject = [
      "severity": .string(severity.rawValue), "path": .string(path), "message": .string(message),
    ]
    if let position {
      object["line"] = .number(Double(position.line))
      object["column"] = .number(Double(position.column))
    }
    object.set("fix", fix.map(JSONValue.string))
    return .object(object)
  }
}
