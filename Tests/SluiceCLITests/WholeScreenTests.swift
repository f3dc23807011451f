import Foundation
import SampleProjects
import Sluice
import Testing
import TestSupport

/// The screens of commands that send requests, as a person sees them on a terminal.
@Suite("Whole screens of record, try and health", .serialized)
struct WholeScreenTests {
  /// Returns the screen of a command, with placeholders for parts that differ from run to run.
  private func screen(_ project: ScratchProject, columns: Int, _ arguments: String...) async throws
    -> String
  {
    let terminal = try PseudoTerminal(columns: columns)
    var sluice = project.sluice
    sluice.environment = ["NO_COLOR": "1", "TERM": "xterm"]
    sluice.launcher = ["/bin/sh", "-c", "exec \"$0\" \"$@\" > '\(terminal.path)' 2>&1"]
    _ = try await sluice.run(arguments)
    let lines = terminal.screen
    for line in lines { #expect(line.count <= columns, "\(line)") }
    return lines.joined(separator: "\n").timeless
      .replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:PORT")
  }

  private func expected(_ name: String, _ columns: Int) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/screens")
    let data = try Data(contentsOf: folder.appending(path: "\(name).\(columns).txt"))
    return String(decoding: data, as: UTF8.self)
  }

  /// Runs a test on a project whose backend declares that its times are meaningless.
  private func withProject(_ body: (TriageProject) async throws -> Void) async throws {
    try await TriageProject.with { project in
      try project.files.edit(
        "sluice.yaml",
        replacing: "retries: 0",
        with: "retries: 0\n    times: meaningless"
      )
      try await body(project)
    }
  }

  @Test(
    "record names the recorded and the missing answers, the reasons and the next commands",
    arguments: [80, 120]
  )
  func record(columns: Int) async throws {
    try await withProject { project in
      project.server.answer { _, message in
        if message == "Thanks!" { throw TriageProject.Failure() }
        return TriageProject.Server.usual(message)
      }
      let text = try await screen(project.files, columns: columns, "record", "triage")
      let expected = try expected("record", columns)
      #expect(text == expected)
    }
  }

  @Test(
    "try says what it sends, what the change is worth against main, and how to go on",
    arguments: [80, 120]
  )
  func overrides(columns: Int) async throws {
    try await withProject { project in
      try project.write(caseCount: 20)
      try await project.record()
      try project.files.makeRepository()
      try project.files.edit(
        TriageProject.prompt,
        replacing: "Say what kind of message it is.",
        with: "Say what kind of message it is, in one word."
      )
      project.server.answer { _, message in
        message.contains("7") ? #"{"kind":"other"}"# : TriageProject.Server.usual(message)
      }
      let text = try await screen(project.files, columns: columns, "try", "triage")
      let expected = try expected("try", columns)
      #expect(text == expected)
    }
  }

  @Test("health says how much the suite can still show", arguments: [80, 120])
  func health(columns: Int) async throws {
    let project = try ScratchProject()
    for (path, text) in OutputsProject.texts { try project.write(text, to: path) }
    let text = try await screen(project, columns: columns, "health", "--verbose")
    let expected = try expected("health", columns)
    #expect(text == expected)
  }
}
