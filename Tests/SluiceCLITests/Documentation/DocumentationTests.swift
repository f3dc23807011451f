import Foundation
import Sluice
import Testing
import TestSupport

/// Tests of rules for every page of the documentation.
@Suite("The documentation")
struct DocumentationTests {
  @Test("Every link leads to an existing file and heading", arguments: DocumentPage.all)
  func links(page: DocumentPage) throws {
    let folder = ScratchProject.repository.appending(path: page.path).deletingLastPathComponent()
    let prose = page.prose.replacing(#/`[^`]*`/#, with: "")
    for match in prose.matches(of: #/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/#) {
      let link = String(match.1 ?? match.2 ?? "")
      guard !link.contains("://") else { continue }
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target = parts[0].isEmpty ? page.path : Self.path(to: parts[0], from: folder)
      let file = ScratchProject.repository.appending(path: target)
      #expect(FileManager.default.fileExists(atPath: file.path), "\(page.path): \(link)")
      guard parts.count == 2, target.hasSuffix(".md") else { continue }
      let anchors = try DocumentPage(target).anchors
      #expect(anchors.contains(String(parts[1])), "\(page.path): \(link)")
    }
  }

  private static func path(to link: Substring, from folder: URL) -> String {
    let path = folder.appending(path: String(link)).standardizedFileURL.path
    let root = ScratchProject.repository.standardizedFileURL.path
    return String(path.dropFirst(root.count).drop { $0 == "/" })
  }

  @Test(
    "No table cell and no line outside a table exceeds 120 characters",
    arguments: DocumentPage.all
  )
  func lengths(page: DocumentPage) {
    let long = page.lines.filter { line in
      guard !line.isCode else { return false }
      guard line.text.hasPrefix("|") else { return line.text.count > 120 }
      return line.text.replacing(#"\|"#, with: " ").split(separator: "|")
        .contains { $0.trimmingCharacters(in: .whitespaces).count > 120 }
    }
    #expect(long.isEmpty, "\(page.path), lines \(long.map(\.number))")
  }

  /// Phrases that readers had to read twice, so pages must not use them.
  ///
  /// They are matched outside code, ignoring case.
  static let wordings = [
    "is off in CI, which", "what came is kept", "put right what failed", "all without any",
    "says of each", "so nothing says how", "so gates alone decide", "and no folder",
    "not even twenty times", "the cases exclude it", "with what failed", "judged by no scorer",
    "which label was given where", "gone on with", "nothing is looked at", "none that anybody",
    "without haste", "every answer is the same", "proven nor excluded", "fail now,", " as good",
    "not decided", "whoever",
  ]

  @Test("No page uses a phrase from the list of confusing phrases", arguments: DocumentPage.all)
  func wordings(page: DocumentPage) {
    let prose = page.prose.replacing(#/`[^`]*`/#, with: "").replacing(#/\s+/#, with: " ")
    let found = Self.wordings.filter { prose.range(of: $0, options: .caseInsensitive) != nil }
    #expect(found == [], "\(page.path)")
  }

  @Test("The README has at most 150 lines, ARCHITECTURE.md at most 95")
  func sizes() throws {
    #expect(try DocumentPage("README.md").lines.count <= 151)
    #expect(try DocumentPage("ARCHITECTURE.md").lines.count <= 96)
  }

  @Test("The index names every page of docs/, and the list of decisions names every decision")
  func index() throws {
    let index = try DocumentPage("docs/README.md").prose
    for page in DocumentPage.guides where page.path != "docs/README.md" {
      let name = page.path.dropFirst("docs/".count)
      #expect(index.contains("(\(name)"), "\(name) is missing in docs/README.md")
    }
    let decisions = try DocumentPage("docs/decisions/README.md").prose
    for page in DocumentPage.all where page.path.hasPrefix("docs/decisions/") {
      let name = page.path.dropFirst("docs/decisions/".count)
      guard name != "README.md" else { continue }
      #expect(decisions.contains("(\(name)"), "\(name) is missing in docs/decisions/README.md")
    }
  }

  @Test("Every type that a page names exists")
  func types() async throws {
    let declared = try await Self.declared()
    for page in DocumentPage.all
    where ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/concepts.md"].contains(page.path)
      || page.path.hasPrefix("docs/decisions/")
    {
      let names = page.prose.matches(of: #/`([A-Z][a-z]+[A-Za-z]*)(?:\.[A-Za-z.]+)?`/#)
        .map { String($0.1) }
      #expect(Set(names).subtracting(declared) == [], "\(page.path)")
    }
  }

  /// Returns the names of the types and folders of this repository.
  private static func declared() async throws -> Set<String> {
    let roots = ["Sources", "Tests", "Benchmarks"]
    // The system's grep is faster than regular expressions in a debug build.
    let types = try await ChildProcess(
      ["grep", "-rhoE", "(struct|class|enum|protocol|actor) [A-Z][A-Za-z]+"] + roots,
      in: ScratchProject.repository.path,
      environment: ["PATH": "/usr/bin:/bin"]
    ).outcome()
    var names = Set(
      types.output.split(separator: "\n").compactMap { $0.split(separator: " ").last }
    )
    for root in roots {
      let folder = ScratchProject.repository.appending(path: root)
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      names.formUnion(paths.flatMap { $0.split { "/.".contains($0) } })
    }
    return Set(names.map(String.init)).union(roots).union(["DispatchQueue"])
  }

  @Test("Every command and option that a page names exists")
  func commands() async throws {
    let folder = try ScratchProject()
    let help = try await folder.sluice("--experimental-dump-help")
    #expect(help.exitCode == 0)
    let root = try #require(JSONReader.value(Array(help.output.utf8))["command"])
    for page in DocumentPage.all where page.path != "CHANGELOG.md" {
      for line in Self.commandLines(of: page) {
        if let problem = Self.problem(of: line, with: root) {
          Issue.record("\(page.path): '\(line)': \(problem)")
        }
      }
    }
  }

  /// Returns the command lines in code that begin with `sluice`, up to a pipe or a comment.
  private static func commandLines(of page: DocumentPage) -> [String] {
    let spans = page.prose.matches(of: #/`(sluice [^`]+)`/#).map { String($0.1) }
    let blocks = page.blocks.filter { ["sh", "yaml", "console"].contains($0.language) }
      .flatMap { $0.text.replacing("\\\n", with: " ").split(separator: "\n") }
      .compactMap { line in
        line.firstMatch(of: #/^(?:\s*-?\s*run:)?\s*(?:\$ )?(?:[A-Z_]+=\S+ )*(sluice .*)$/#)
          .map { String($0.1) }
      }
    return (spans + blocks).map { line in
      String(line.replacing(#/\s+/#, with: " ").split(separator: #/ [|#>&]|;/#)[0])
    }
  }

  /// Returns a message about a command or option that does not exist, or `nil`.
  private static func problem(of line: String, with root: JSONValue) -> String? {
    var command = root
    var isInCommand = true
    let unquoted = line.replacing(#/"[^"]*"|'[^']*'/#, with: "TEXT")
    for word in unquoted.split(separator: " ").dropFirst() {
      if word.hasPrefix("-"), word != "-" {
        let name = word.drop { $0 == "-" }.split(separator: "=")[0].trimmingSuffix {
          ",.…)".contains($0)
        }
        // The argument parser handles these itself.
        let isOfParser = ["help", "generate-completion-script"].contains(name)
        let isVerboseVersion = line.hasPrefix("sluice --version --verbose")
        if !isOfParser, !isVerboseVersion, !options(of: command).contains(String(name)) {
          return "there is no option '\(word)'"
        }
        isInCommand = false
      } else if isInCommand, let subcommands = command["subcommands"]?.array {
        guard let next = subcommands.first(where: { $0["commandName"]?.string == String(word) })
        else { return word.first?.isUppercase == true ? nil : "there is no command '\(word)'" }
        command = next
      }
    }
    return nil
  }

  private static func options(of command: JSONValue) -> Set<String> {
    let arguments = command["arguments"]?.array ?? []
    return Set(
      arguments.flatMap { $0["names"]?.array ?? [] }.compactMap { $0["name"]?.string }
    )
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> SubSequence {
    var end = endIndex
    while end > startIndex, condition(self[index(before: end)]) { end = index(before: end) }
    return self[..<end]
  }
}
