import SampleProjects
import Sluice
import Testing

/// Tests of very large files, which are read in linear time or refused with a reason.
@Suite("Large files", .serialized)
struct LargeFilesTests {
  /// Returns the time to load a project of a given size.
  private func time(_ size: Int, _ project: (Int) throws -> ProjectFixture) throws -> Double {
    let fixture = try project(size)
    let start = ContinuousClock.now
    _ = fixture.load()
    return start.duration(to: .now) / .seconds(1)
  }

  /// Returns a project with a number of additional members in a part of its first case.
  private static func wide(_ part: String, _ count: Int) throws -> ProjectFixture {
    let members = (0..<count).map { "\n    extra-\($0): \($0)" }.joined()
    return part == "input"
      ? try ProjectFixture().replacing(
        "    message: Done.",
        with: "    message: Done.\(members)",
        in: ProjectFixture.dataset
      )
      : try ProjectFixture().replacing(
        "  expected: {flagged: false, label: calm}",
        with: "  expected:\n    flagged: false\n    label: calm\(members)",
        in: ProjectFixture.dataset
      )
  }

  private static let shapes: [(String, @Sendable (Int) throws -> ProjectFixture)] = [
    ("unused inputs", { try wide("input", $0) }),
    ("unused expectations", { try wide("expected", $0) }),
    (
      "keys of a suite",
      { count in
        let keys = (0..<count).map { "key-\($0): 1\n" }.joined()
        return try ProjectFixture().replacing(
          "backend: fast\n",
          with: "backend: fast\n\(keys)",
          in: ProjectFixture.suite
        )
      }
    ),
    (
      "parameters of a prompt",
      { count in
        let keys = (0..<count).map { ", key-\($0): 1" }.joined()
        return try ProjectFixture().replacing(
          "max-tokens: 300",
          with: "max-tokens: 300\(keys)",
          in: ProjectFixture.prompt
        )
      }
    ),
    (
      "nested sections",
      { count in
        let tags = String(repeating: "{{#a}}", count: count)
        return try ProjectFixture().replacing(
          "{{message}}\"",
          with: "\(tags)\"",
          in: ProjectFixture.prompt
        )
      }
    ),
    (
      "unused inputs on one line",
      { count in
        let members = (0..<count).map { ", extra-\($0): 1" }.joined()
        return try ProjectFixture().replacing(
          "sender: {role: engineer}",
          with: "sender: {role: engineer}\n    more: {a: 1\(members)}",
          in: ProjectFixture.dataset
        )
      }
    ),
  ]

  @Test("Loading time grows linearly with the size of a file", arguments: shapes.map(\.0))
  func linear(_ name: String) throws {
    let shape = try #require(Self.shapes.first { $0.0 == name }).1
    let small = try time(1_000, shape)
    // With eight times the input, linear loading takes 8 times as long, and quadratic loading 64
    // times.
    let limit = 28 * max(small, 0.002)
    let large = try time(8_000, shape)
    if large < limit { return }
    // Another process may have used the processor.
    let again = try time(8_000, shape)
    #expect(again < limit, "\(small) s, \(large) s, \(again) s")
  }

  @Test("At most 20 errors of a kind are printed, then their number")
  func manyFaults() throws {
    let diagnostics = try Self.wide("input", 31_494).load().diagnostics
    let text = DiagnosticText.list(diagnostics)
    #expect(diagnostics.count == 31_494)
    #expect(text.split(separator: "\n").count { $0.contains(": warning: ") } == 20)
    #expect(
      text.hasSuffix(
        """
        datasets/tone/cases.yaml:24:5: warning: no prompt of the suite uses the input 'extra-19'
          24 |     extra-19: 19
             |     ^
          fix: use it in a prompt as {{extra-19}}, or remove it
        and 31,474 more of this kind

        """
      )
    )
    #expect(DiagnosticText.counts(diagnostics) == "31,494 warnings\n")
  }

  @Test("Sections nested too deeply are refused")
  func deepSections() throws {
    let tags = String(repeating: "{{#message}}", count: 65)
    let close = String(repeating: "{{/message}}", count: 65)
    let report = try ProjectFixture().replacing(
      "{{message}}\"",
      with: "\(tags)\(close)\"",
      in: ProjectFixture.prompt
    ).report()
    #expect(report.contains("error: sections are nested more than 64 levels deep\n"))
    #expect(report.contains("  fix: close some sections before you open others\n"))
  }

  @Test("A very long line is refused, and only the part around the error is shown")
  func longLines() throws {
    let text = String(repeating: "x", count: 17 << 20)
    let report = try ProjectFixture().replacing(
      "message: Done.",
      with: "message: \(text)",
      in: ProjectFixture.dataset
    ).report()
    #expect(
      report == """
        datasets/tone/cases.yaml:4:1: error: the line is longer than the limit of 16 MiB
          4 |     message: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
            | ^
          fix: shorten the texts in this line

        """
    )
    let long = String(repeating: "ü", count: 1 << 20)
    let broken = try ProjectFixture().replacing(
      "{\"small-1\": {",
      with: "{\"small-1\": {\"\(long)\" 1, ",
      in: ProjectFixture.prices
    ).report()
    #expect(broken.utf8.count < 500)
    #expect(broken.contains("prices.json:1:1048593: error: not valid JSON: expected ':'"))
    #expect(broken.contains("  1 | …üüü"))
  }

  @Test("A CSV file with too many columns is refused")
  func manyColumns() throws {
    var project = ProjectFixture()
    project.files[ProjectFixture.dataset] = nil
    let names = (0..<1_100).map { "input.k\($0)" }.joined(separator: ",")
    project.files["datasets/tone/cases.csv"] = "id,\(names)\na\n"
    #expect(
      project.report().hasPrefix(
        "datasets/tone/cases.csv:1:1: error: the file has 1,101 columns, more than 1,000\n"
      )
    )
  }
}
