import Foundation
@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

private let examples = ProcessInfo.processInfo.environment["SLUICE_DATA_DIR"]
  .map { URL(filePath: $0).appending(path: "promptfoo-examples") }

/// The example configurations in promptfoo's repository, which are not part of this project.
@Suite(
  "promptfoo's examples",
  .enabled(
    if: examples != nil,
    "SLUICE_DATA_DIR names no folder with the data of other projects"
  )
)
struct PromptfooExamplesTests {
  @Test("Each configuration becomes files that load, and the same files each time")
  func all() throws {
    let folder = try #require(examples)
    let files = try #require(DiskFileSystem(root: folder.path))
    let names = files.names(in: ProjectPath(".")).filter { $0.hasSuffix(".yaml") }
    #expect(names.count == 278)
    var whole: [String] = []
    var wholeWithBackends: [String] = []
    var reasons: [String: Int] = [:]
    for name in names {
      let imported = try PromptfooImport.read(ProjectPath(name), from: files, name: "example")
      let again = try PromptfooImport.read(ProjectPath(name), from: files, name: "example")
      #expect(imported.files == again.files, "\(name)")
      let configuration = ImportedBackend.configuration(imported.backends, head: [])
      var contents = ["sluice.yaml": configuration]
      for file in imported.files {
        contents[file.path.description] = String(decoding: file.bytes, as: UTF8.self)
      }
      let loaded = ProjectLoader.load(from: InMemoryFileSystem(contents))
      let errors = loaded.diagnostics.filter { $0.severity == .error }
      #expect(errors.map(\.description) == [], "\(name)")
      let report = imported.report
      if report.isWhole { whole.append(name) }
      if report.isWholeWithBackends { wholeWithBackends.append(name) }
      if let output = ProcessInfo.processInfo.environment["SLUICE_IMPORT_DIR"] {
        try write(imported, configuration, to: URL(filePath: output).appending(path: name))
      }
      for finding in report.findings where [.leftOut, .changed].contains(finding.kind) {
        let area = finding.area == .backend ? "backend" : "other"
        reasons["\(area): \(finding.message.prefix(60))", default: 0] += 1
      }
    }
    print(
      "\(whole.count) of \(names.count) configurations whole, "
        + "\(wholeWithBackends.count) with their providers"
    )
    if ProcessInfo.processInfo.environment["SLUICE_IMPORT_DIR"] != nil {
      for (reason, count) in reasons.sorted(by: { $0.value > $1.value }).prefix(150) {
        print(count, reason)
      }
    }
    #expect(whole.count * 100 >= names.count * 40)
    #expect(wholeWithBackends.count * 100 >= names.count * 15)
  }

  private func write(_ imported: PromptfooImport.Result, _ configuration: String, to folder: URL)
    throws
  {
    let text = TerminalImport(imported.report, style: TerminalStyle(isColored: false))
    let files =
      imported.files.map { ($0.path.description, Data($0.bytes)) } + [
        ("sluice.yaml", Data(configuration.utf8)),
        (
          "report.txt",
          Data((text.findings + text.summary(written: [], unchanged: [], next: [])).utf8)
        ),
      ]
    for (path, data) in files {
      let url = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try data.write(to: url)
    }
  }
}
