import TestSupport
import Foundation
import StandInModel
import Testing

/// The steps of `docs/ten-minutes.md`, with the stand-in as the server.
@Suite("Ten minutes")
struct TenMinutesTests {
  @Test("The page leads from an empty folder to a gate, and shows the actual output")
  func page() async throws {
    let page = try String(
      contentsOf: ScratchProject.repository.appending(path: "docs/ten-minutes.md"),
      encoding: .utf8
    )
    let server = try StandInServer()
    let port = try await server.start()
    do {
      try await walk(page, try ScratchProject(), port: port)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func walk(_ page: String, _ project: ScratchProject, port: UInt16) async throws {
    #expect(try await project.sluice("init").exitCode == 0)
    let run = try await project.sluice("run")
    #expect(run.exitCode == 0)
    #expect(page.contains("```\n\(run.output)```\n"))
    try await tickets(page, project)
    // The page starts the server on the template's port. Recordings still match, because the host
    // is not part of a key.
    try project.edit("sluice.yaml", replacing: "127.0.0.1:8089", with: "127.0.0.1:\(port)")
    try project.git("init", "--quiet", "--initial-branch=main", ".")
    try project.commit()
    try project.git("switch", "--quiet", "--create", "problems-that-ask")
    let old = "      - problem: something is broken, wrong, missing or late.\n"
    let new = old + "      - A question about something that does not work is a problem.\n"
    #expect(page.contains("```yaml\n\(new)```\n"))
    try project.edit("prompts/mailbox/v1.yaml", replacing: old, with: new)
    let stale = try await project.sluice("run")
    #expect(stale.exitCode == 3)
    try expectExcerpt("NO VERDICT", of: stale.output, in: page)
    let tried = try await project.sluice("try", "mailbox")
    #expect(tried.exitCode == 0)
    #expect(tried.error == "")
    try expectExcerpt("mailbox  2 configurations", of: tried.output, in: page)
    #expect(try await project.sluice("recordings", "accept").exitCode == 0)
    try project.commit()
    let accepted = try await project.sluice("run")
    #expect(accepted.exitCode == 0)
    #expect(accepted.output.contains("  ✓ accuracy >= 90%         93.8%, 3.7 points"))
    // In CI.
    #expect(try await project.sluice("init", "--ci", "github").exitCode == 0)
    var ci = project.sluice
    ci.environment = ["CI": "true"]
    #expect(try await ci("recordings", "verify").exitCode == 0)
    #expect(try await ci("run").exitCode == 0)
    #expect(try await ci("compare", "--base", "main").exitCode == 0)
  }

  /// Writes the suite that the page shows, and checks it.
  private func tickets(_ page: String, _ project: ScratchProject) async throws {
    let pattern = /`([a-z\/.0-9]+tickets\/[a-z0-9.]+)`:\n\n```[a-z]+\n((?:.*\n)*?)```/
    let files = page.matches(of: pattern).map { (String($0.1), String($0.2)) }
    #expect(files.count == 3)
    for (path, text) in files { try project.write(text, to: path) }
    let validated = try await project.sluice("validate", "tickets")
    #expect(validated.exitCode == 0)
    #expect(page.contains("```\n\(validated.output)```\n"), "\(validated.output)\(validated.error)")
    for folder in ["prompts/tickets", "datasets/tickets"] {
      try FileManager.default.removeItem(at: project.folder.appending(path: folder))
    }
  }

  /// Expects an output to contain the excerpts, separated by `…`, of the page's block with some
  /// words.
  private func expectExcerpt(_ words: String, of output: String, in page: String) throws {
    let blocks = page.components(separatedBy: "```")
    let block = try #require(blocks.first { $0.hasPrefix("\n") && $0.contains(words) })
    let pieces = block.components(separatedBy: "  …\n")
    try #require(pieces.count > 1)
    for piece in pieces {
      let piece = piece.hasPrefix("\n") ? String(piece.dropFirst()) : piece
      #expect(output.contains(piece))
    }
  }
}
