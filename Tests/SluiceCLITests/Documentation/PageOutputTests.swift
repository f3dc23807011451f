import Foundation
import Testing
import TestSupport

/// Tests the outputs that pages show below their first example.
///
/// A block without a language is an output. Each one names its proof, so that no page shows an
/// output that the program no longer prints.
@Suite("The outputs in the documentation")
struct PageOutputTests {
  /// The proof that a page shows an output of the program.
  enum Proof: Sendable {
    /// Commands that print the block among other lines, in a project that `sluice init` writes.
    case newProject(String)
    /// Commands that print the block among other lines, in a copy of this repository.
    case repository(String)
    /// The file of a test that reads the page.
    case test(String)
    /// The file of a test, or a fixture, whose expected text has each line of the block.
    case expected(String)

    /// The commands to run, and true for a new project; nil for another proof.
    var commands: (text: String, isNew: Bool)? {
      switch self {
      case .newProject(let commands): (commands, true)
      case .repository(let commands): (commands, false)
      case .test, .expected: nil
      }
    }
  }

  /// A block of output on a page.
  struct Output: CustomTestStringConvertible, Sendable {
    var page: String
    /// The start of the block's first line.
    var opening: String
    var proof: Proof

    var testDescription: String { "\(page): \(opening)" }

    init(_ page: String, _ opening: String, _ proof: Proof) {
      (self.page, self.opening, self.proof) = (page, opening, proof)
    }
  }

  private static let outputs: [Output] = [
    .init("README.md", "PASS  clarity", .test("SluiceCLITests/ReplayTests.swift")),
    .init("README.md", "FAIL  clarity", .test("SluiceCLITests/ReplayTests.swift")),
    .init("docs/agree.md", "$ sluice agree", .test("SluiceCLITests/OutputsCommandsTests.swift")),
    .init(
      "docs/backends.md",
      "prompts/mailbox/v2.yaml:4:9: error: 'seed' is not",
      .newProject(
        """
        cat > sluice.yaml <<'END'
        backends:
          haiku: {type: anthropic, model: claude-haiku-4-5, key: {env: ANTHROPIC_API_KEY}}
        END
        cat > prompts/mailbox/v2.yaml <<'END'
        messages:
          - user: "{{message}}"
        parameters:
          seed: 7
        END
        sluice validate mailbox --prompt prompts/mailbox/v2.yaml --backend haiku
        """
      )
    ),
    .init("docs/backends.md", "in:   {", .test("SluiceCLITests/KeptProgramTests.swift")),
    .init("docs/backends.md", "server  answers", .expected("SluiceCLITests/BackendsTests.swift")),
    .init("docs/batch.md", "$ sluice batch export", .test("SluiceCLITests/BatchTests.swift")),
    .init("docs/batch.md", "$ sluice batch import", .test("SluiceCLITests/BatchTests.swift")),
    .init("docs/batch.md", "$ sluice recordings", .test("SluiceCLITests/BatchTests.swift")),
    .init(
      "docs/compare.md",
      "Figures",
      .expected("SluiceReportingTests/Fixtures/compare.configurations.80.txt")
    ),
    .init(
      "docs/compare.md",
      "Also edited here",
      .expected("SluiceReportingTests/Fixtures/compare.revision.80.txt")
    ),
    .init(
      "docs/compare.md",
      "The change edits the scorers",
      .expected("SluiceTests/Evaluation/RevisionComparisonTests.swift")
    ),
    .init(
      "docs/compare.md",
      "NOISE 5.0%",
      .expected("SluiceReportingTests/Fixtures/noise.terminal.80.txt")
    ),
    .init(
      "docs/drift.md",
      "triage  v1 on server",
      .test("SluiceCLITests/SampledDriftTests.swift")
    ),
    .init(
      "docs/expressions.md",
      "expression = and",
      .test("SluiceCoreTests/Scoring/ExpressionTests.swift")
    ),
    .init("docs/files.md", "$ sluice prices", .repository("sluice prices")),
    .init(
      "docs/files.md",
      "sluice   sluice.yaml",
      .test("SluiceCLITests/SchemaCommandTests.swift")
    ),
    .init(
      "docs/gates.md",
      "  ✗ no regression",
      .repository("sluice run clarity --prompt prompts/clarity/no-history.yaml")
    ),
    .init(
      "docs/gates.md",
      "  ? no regression",
      .expected("SluiceReportingTests/CorrectionReportTests.swift")
    ),
    .init(
      "docs/gates.md",
      "2 suites with 6",
      .expected("SluiceReportingTests/CorrectionReportTests.swift")
    ),
    .init("docs/health.md", "$ sluice health clarity", .repository("sluice health clarity")),
    .init(
      "docs/history.md",
      "clarity  v9 on fast",
      .expected("SluiceReportingTests/TerminalHistoryTests.swift")
    ),
    .init(
      "docs/judges.md",
      "  warning: the judge",
      .expected("SluiceReportingTests/UnreadableVerdictTests.swift")
    ),
    .init(
      "docs/live-runs.md",
      "Resuming the run",
      .expected("SluiceCLITests/ResumedRunTests.swift")
    ),
    .init(
      "docs/live-runs.md",
      "clarity  120 of 259",
      .expected("SluiceReportingTests/LiveProgressTests.swift")
    ),
    .init(
      "docs/live-runs.md",
      "523 requests",
      .expected("SluiceReportingTests/SendingTextTests.swift")
    ),
    .init("docs/outputs.md", "$ sluice run", .test("SluiceCLITests/OutputsCommandsTests.swift")),
    .init(
      "docs/recordings.md",
      "4 PENDING",
      .test("SluiceCLITests/RecordingsCommandTests.swift")
    ),
    .init("docs/scale.md", "…", .repository("sluice plan clarity")),
    .init(
      "docs/single-cases.md",
      "✗ tone-clean-caps-party",
      .test("SluiceCLITests/SingleCasesPageTests.swift")
    ),
    .init(
      "docs/single-cases.md",
      "? tone-clean-caps-party",
      .test("SluiceCLITests/SingleCasesPageTests.swift")
    ),
    .init(
      "docs/single-cases.md",
      "Since the previous round:",
      .expected("SluiceReportingTests/TerminalRoundTests.swift")
    ),
    .init("docs/ten-minutes.md", "PASS  mailbox", .test("SluiceCLITests/TenMinutesTests.swift")),
    .init("docs/ten-minutes.md", "1 suite, 25", .test("SluiceCLITests/TenMinutesTests.swift")),
    .init("docs/ten-minutes.md", "NO VERDICT", .test("SluiceCLITests/TenMinutesTests.swift")),
  ]

  /// The blocks of output on a page, except the one of its first example.
  private static func blocks(_ page: DocumentPage) -> [DocumentPage.Block] {
    let hasExample = page.path != "README.md" && !PageExampleTests.exceptions.contains(page.path)
    return page.blocks.enumerated().filter { index, block in
      block.language.isEmpty && !(hasExample && index == 1)
    }.map(\.element)
  }

  private static let pages =
    DocumentPage.guides + DocumentPage.all.filter { $0.path == "README.md" }

  @Test("Every block of output has a proof, and every proof has its block")
  func complete() {
    var unused = Set(Self.outputs.map(\.testDescription))
    for page in Self.pages {
      for block in Self.blocks(page) {
        let output = Self.outputs.first {
          $0.page == page.path && block.text.hasPrefix($0.opening)
        }
        #expect(output != nil, "\(page.path):\(block.line) shows an output that no test proves")
        if let output { unused.remove(output.testDescription) }
      }
    }
    #expect(unused.isEmpty)
  }

  @Test(
    "The commands of an output print it",
    arguments: outputs.filter { $0.proof.commands != nil }
  )
  func printed(output: Output) async throws {
    let (commands, isNew) = try #require(output.proof.commands)
    let project = try isNew ? ScratchProject() : ScratchProject.ofOwnProject()
    if isNew { #expect(try await project.sluice("init").exitCode == 0) }
    let printed = try await PageExampleTests.run(commands, in: project)
    for shown in Self.texts(of: output) {
      let lines = shown.split(separator: "\n", omittingEmptySubsequences: false)
      let text = lines.drop { $0.hasPrefix("$ ") }.joined(separator: "\n")
      #expect(
        ShownOutput.covers("\n" + printed, by: "…\n\(text)…\n"),
        "\(output.page) does not show what its commands print:\n\(printed)"
      )
    }
  }

  @Test(
    "An expected text has the lines of an output, or a test reads the page",
    arguments: outputs.filter { $0.proof.commands == nil }
  )
  func expected(output: Output) throws {
    switch output.proof {
    case .newProject, .repository: return
    case .test(let file):
      let name = output.page.split(separator: "/").last.map(String.init) ?? output.page
      #expect(try Self.source(file).contains(name), "\(file) does not read \(output.page)")
    case .expected(let file):
      let source = try Self.source(file)
      for shown in Self.texts(of: output) {
        for line in shown.split(separator: "\n") {
          let parts = line.trimmingCharacters(in: .whitespaces).split(separator: "…")
          #expect(
            parts.allSatisfy { source.contains($0.trimmingCharacters(in: .whitespaces)) },
            "\(output.page): no text of \(file) has the line:\n\(line)"
          )
        }
      }
    }
  }

  private static func texts(of output: Output) -> [String] {
    pages.filter { $0.path == output.page }.flatMap { page in
      blocks(page).map(\.text).filter { $0.hasPrefix(output.opening) }
    }
  }

  /// Returns a file below `Tests/`, with the pieces of its Swift strings joined.
  private static func source(_ file: String) throws -> String {
    let url = ScratchProject.repository.appending(path: "Tests/\(file)")
    return try String(contentsOf: url, encoding: .utf8)
      .replacing(/"\s*\n\s*\+ "/, with: "")
      .replacing(#/ \\\n\s*/#, with: " ")
      .replacing("\\n", with: "\n")
      .replacing("\\\"", with: "\"")
      .replacing("\\\\", with: "\\")
  }
}
