import Foundation
import Sluice
import SluiceCore
import SluiceGating
import SluiceSupport
import SluiceTesting
import StandInModel
import Testing

/// The comparison of the complete prompts of this project's suites with prompts that lack one
/// instruction.
///
/// The stand-in answers both, so only the gates that compare decide.
@Suite("Dropped instructions")
struct DroppedInstructionTests {
  /// An instruction that a suite's gates cover, by the start of its bullet in `v2.yaml`.
  struct Instruction: CustomTestStringConvertible, Sendable {
    var suite: String
    var start: String
    /// A gate that replaces the suite's own gates, which depend on a model's answers.
    var gate: String?
    var testDescription: String { "\(suite): \(start)" }
  }

  /// One instruction per suite that can be decided without a stream.
  ///
  /// prompts/README.md says how to try the others.
  private static let instructions = [
    Instruction(suite: "action-items", start: "Commitments"),
    Instruction(suite: "analysis", start: "To the end"),
    Instruction(
      suite: "call-instead",
      start: "Long but orderly",
      gate: "false-positive-rate <= 10%"
    ),
    Instruction(suite: "category", start: "fan"),
    Instruction(suite: "clarity", start: "Ambiguous pronouns"),
    Instruction(suite: "decisions", start: "Agreed"),
    Instruction(
      suite: "faq",
      start: "Answer",
      gate: "no regression in choice.hit-rate beyond 5 points"
    ),
    Instruction(suite: "feedback", start: "Problems"),
    Instruction(suite: "opportunity", start: "Pretence"),
    Instruction(suite: "sentiment", start: "Positive"),
    Instruction(
      suite: "summary",
      start: "Decisions",
      gate: "no regression in coverage.coverage beyond 5 points"
    ),
    Instruction(suite: "tone", start: "Terse wording"),
  ]

  @Test("Dropping an instruction fails the gate that covers it", arguments: instructions)
  func dropped(_ instruction: Instruction) async throws {
    let project = try Self.copy(of: instruction.suite, gate: instruction.gate)
    defer { try? FileManager.default.removeItem(at: project) }
    let files = try #require(DiskFileSystem(root: project.path))
    let suite = try #require(ProjectLoader.load(from: files).suites.first)
    let acceptance = BaselineAcceptance(suite, surroundings: Surroundings(files: files))
    for draft in try acceptance.drafts(try await Self.result(instruction.suite, in: project)) {
      try files.write(draft.bytes, to: draft.path)
    }
    let prompt = project.appending(path: "prompts/\(instruction.suite)/v2.yaml")
    let text = try String(contentsOf: prompt, encoding: .utf8)
    try Self.without(instruction.start, in: text).write(
      to: prompt,
      atomically: true,
      encoding: .utf8
    )
    let result = try await Self.result(instruction.suite, in: project)
    #expect(result.verdict == .fail)
  }

  /// Returns the suite's result on the stand-in's answers.
  private static func result(_ suite: String, in project: URL) async throws -> SuiteResult {
    try await SuiteTest(suite, in: project.path).run { question in
      func text(_ role: MessageRole) -> String {
        question.messages.filter { $0.role == role }.map(\.text).joined(separator: "\n")
      }
      return StandInModel().answer(system: text(.system), user: text(.user))
    }
  }

  /// A prompt without the bullet that starts with a text.
  private static func without(_ start: String, in text: String) throws -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(lines.firstIndex { $0.hasPrefix("      - \(start)") })
    let rest = lines[(first + 1)...]
    let next = try #require(rest.firstIndex { $0.isEmpty || $0.hasPrefix("      - ") })
    return (lines[..<first] + lines[next...]).joined(separator: "\n")
  }

  /// Returns a copy of the project in a separate folder, with one suite.
  private static func copy(of suite: String, gate: String?) throws -> URL {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folder = FileManager.default.temporaryDirectory
      .resolvingSymlinksInPath().appending(path: "sluice-\(UUID().uuidString)")
    for path in [
      "sluice.yaml", "prices", "prompts/\(suite)", "datasets/\(suite)/cases.yaml",
    ] {
      let place = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try FileManager.default.copyItem(at: root.appending(path: path), to: place)
    }
    let dataset = folder.appending(path: "datasets/\(suite)/cases.yaml")
    try withoutHardCases(try String(contentsOf: dataset, encoding: .utf8)).write(
      to: dataset,
      atomically: true,
      encoding: .utf8
    )
    // Without the mix, which also needs other suites.
    let configuration = folder.appending(path: "sluice.yaml")
    let text = try String(contentsOf: configuration, encoding: .utf8)
    let mixes = try #require(text.range(of: "\nmixes:"))
    try text[..<mixes.lowerBound].write(to: configuration, atomically: true, encoding: .utf8)
    let file = folder.appending(path: "prompts/\(suite)/suite.yaml")
    try comparing(try String(contentsOf: file, encoding: .utf8), gate: gate).write(
      to: file,
      atomically: true,
      encoding: .utf8
    )
    return folder
  }

  /// Returns a dataset without the cases of `split: hard`, which the stand-in's rules do not cover.
  private static func withoutHardCases(_ dataset: String) -> String {
    dataset.split(separator: "\n- ", omittingEmptySubsequences: false)
      .filter { !$0.contains("\n  split: hard\n") }.joined(separator: "\n- ")
  }

  /// Returns a suite that runs v2 with one gate, or with those of its own gates that compare.
  private static func comparing(_ suite: String, gate: String?) throws -> String {
    let lines = suite.replacing("prompt: v3.yaml", with: "prompt: v2.yaml")
      .split(separator: "\n", omittingEmptySubsequences: false)
    let gates = try #require(lines.firstIndex { $0 == "gates:" })
    let goals = try #require(lines.firstIndex { $0.hasPrefix("goals:") })
    let kept =
      gate.map { ["gates:", "  - \($0)"] }
      ?? lines[gates..<goals].filter { $0 == "gates:" || $0.contains("no regression") }
    return (lines[..<gates] + kept + lines[goals...]).joined(separator: "\n")
  }
}
