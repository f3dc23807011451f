import Foundation
import Sluice
import Testing

@Suite("Beginners' mistakes")
struct BeginnersMistakesTests {
  static let all =
    Mistake.templates + Mistake.values + Mistake.keys + Mistake.conditions + Mistake.scorers
    + Mistake.yaml + Mistake.datasets + Mistake.files

  @Test("The project without a mistake is valid")
  func sound() {
    #expect(MistakenProject().diagnostics == [])
  }

  @Test("A mistake gives exactly one message with its position and a fix", arguments: all)
  func report(_ mistake: Mistake) throws {
    let diagnostics = try MistakenProject(mistake).diagnostics
    #expect(diagnostics.map(\.description).joined() == mistake.report)
    #expect(diagnostics.count == 1)
  }

  @Test("Assertions of every case are enough without scorers")
  func assertionsAlone() throws {
    var project = MistakenProject()
    let suite = try #require(project.files[Mistake.File.suite.path])
    let scorers = try #require(suite.firstMatch(of: /scorers:\n(?:  - .*\n)+?(?=gates)/)).range
    let text = suite.replacingCharacters(in: scorers, with: "")
      .replacing("  - false-positive-rate <= 5%\n", with: "")
    for scorers in ["", "scorers: []\n", "scorers:\n"] {
      try project.apply(.write(.suite, scorers + text))
      try project.apply(
        .write(
          .cases,
          """
          - id: where
            input: {ticket: Where is it?}
            assert: [is-json]
          - id: broken
            input: {ticket: It is broken.}
            assert: [{contains: problem}]

          """
        )
      )
      #expect(project.diagnostics == [])
    }
  }

  @Test(
    "A fix for sluice.yaml never repeats a possible secret",
    arguments: [
      "    headers: {{x}} t0p-secret", "    // t0p-secret", "    organization = t0p-secret",
      "    organization: a: t0p-secret", "    organization: @t0p-secret",
      "    organization: “t0p-secret”", "    endings: t0p-secret", "    key: [t0p-secret]",
      "    providers: t0p-secret",
    ]
  )
  func secret(_ line: String) throws {
    var project = MistakenProject()
    try project.apply(
      .replace(.configuration, "    model: small-1\n", "    model: small-1\n\(line)\n")
    )
    #expect(!project.diagnostics.isEmpty)
    let fixes = project.diagnostics.compactMap(\.fix)
    #expect(!fixes.joined().contains("t0p-secret"))
  }

  @Test(
    "Applying the suggested fix corrects the mistake",
    arguments: all.filter { $0.copying != nil }
  )
  func fix(_ mistake: Mistake) throws {
    var project = try MistakenProject(mistake)
    let diagnostic = try #require(project.diagnostics.first)
    let copying = try #require(mistake.copying)
    try Copy(diagnostic).apply(copying, to: &project)
    // With only two cases, some conditions give warnings.
    let left = project.diagnostics.filter {
      $0.severity == .error || $0.message == diagnostic.message
    }
    #expect(left.map(\.description).joined() == "")
  }
}

/// The text of a fix, applied as a user would do it.
private struct Copy {
  private let diagnostic: Diagnostic
  private let file: Mistake.File

  init(_ diagnostic: Diagnostic) {
    self.diagnostic = diagnostic
    file = .other(diagnostic.path)
  }

  /// Returns the text that the fix tells the user to write.
  private func text() throws -> String {
    let fix = try #require(diagnostic.fix)
    if let match = fix.firstMatch(
      of:
        /(?:write|did you mean|name it|stands for) '(.+?)'(?=$|[?,:;]| or | in | with | as | instead of )/
    ) {
      return String(match.1)
    }
    let start = fix.firstRange(of: "write ") ?? fix.firstRange(of: "in quotes: ")
    return String(fix[try #require(start).upperBound...])
  }

  func apply(_ copying: Mistake.Copying, to project: inout MistakenProject) throws {
    switch copying {
    case .edit(let old, let new): return try project.apply(.replace(file, old, new))
    case .all(let old, let new):
      let whole = try #require(project.files[diagnostic.path])
      return try project.apply(.write(file, whole.replacing(old, with: new)))
    case .whole: return try project.apply(.write(file, try text() + "\n"))
    case .mv:
      let fix = try #require(diagnostic.fix)
      let match = try #require(fix.firstMatch(of: /mv (\S+) (\S+)$/))
      let (old, new) = (String(match.1), String(match.2))
      let whole = try #require(project.files[old])
      try project.apply(.remove(.other(old)))
      return try project.apply(.write(.other(new), whole))
    case .judge:
      let judge = "messages:\n  - user: \"{{rubric}} {{answer}}\"\n"
      try project.apply(.write(.other("prompts/tickets/judge.yaml"), judge))
      return try replace(.item, in: &project)
    default: try replace(copying, in: &project)
    }
  }

  private func replace(_ copying: Mistake.Copying, in project: inout MistakenProject) throws {
    let position = try #require(diagnostic.position)
    let whole = try #require(project.files[diagnostic.path])
    var lines = whole.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let line = lines[position.line - 1]
    let caret = line.unicodeScalars.index(line.startIndex, offsetBy: position.column - 1)
    let content = line.firstIndex { $0 != " " } ?? line.startIndex
    var range = caret..<line.endIndex
    func end(_ pattern: some RegexComponent) throws {
      range = caret..<(try #require(line[caret...].prefixMatch(of: pattern)).range.upperBound)
    }
    switch copying {
    case .word: try end(/[\w.\-{}$]+/)
    case .tag: try end(/\{+[^}]*\}+/)
    case .name:
      range = try #require(line[caret...].firstRange(of: /[\w.]+/))
    case .value: try end(/[^,\]}]+/)
    case .key: try end(/\w+:/)
    case .list:
      let start = try #require(line[...caret].lastIndex(of: "["))
      range = start..<line.index(after: try #require(line[caret...].firstIndex(of: "]")))
    case .item:
      let item = try #require(line[content...].prefixMatch(of: /(?:- )?/))
      range = item.range.upperBound..<line.endIndex
    case .line: range = content..<line.endIndex
    default: break
    }
    lines[position.line - 1] = line.replacingCharacters(in: range, with: try text())
    try project.apply(.write(file, lines.joined(separator: "\n")))
  }
}
