import Foundation
@testable import SluiceSupport
import Testing

/// Tests the script's functions that do not depend on the page, in a real browser.
///
/// The tests are the files in `Program`, which are named like the script's files.
@Suite(
  "The functions of the report page's script",
  .serialized,
  .enabled(
    if: Browser.program != nil,
    "needs a Chromium: make test-browser, or SLUICE_BROWSER=/path/to/chromium swift test"
  ),
  .timeLimit(.minutes(2))
)
struct ReportPageProgramTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let tests = folder.appending(path: "Program")
  private static let program = folder.appending(
    path: "../../../Sources/CReportPage/Files/program"
  )

  /// The names of the scripts in a folder.
  private static func scripts(in folder: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".js") }.sorted()
  }

  /// The files of the script in the order in which the page contains them.
  private static func order() throws -> [String] {
    let list = try String(
      contentsOf: program.appending(path: "../../page.c"),
      encoding: .utf8
    )
    return list.components(separatedBy: "#embed \"Files/program/").dropFirst()
      .map { String($0.prefix { $0 != "\"" }) }
  }

  private static func page(_ scripts: [String]) -> [UInt8] {
    let elements = scripts.map { "<script>\($0)</script>" }.joined(separator: "\n")
    return Array("<!doctype html>\n<meta charset=\"utf-8\">\n\(elements)\n".utf8)
  }

  private func text(_ name: String, in folder: URL) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  @Test("The page contains every file of the script")
  func complete() throws {
    #expect(try Self.order().sorted() == Self.scripts(in: Self.program))
  }

  @Test("Every file of the script is valid on its own")
  func valid() throws {
    let browser = try Browser()
    defer { browser.close() }
    for name in try Self.order() {
      try browser.open([Self.page([try text(name, in: Self.program)])])
      let faults = browser.complaints.filter { $0.contains("SyntaxError") }
      #expect(faults == [], "\(name)")
    }
  }

  @Test(
    "The functions pass their tests",
    arguments: scripts(in: tests).filter { $0 != "harness.js" }
  )
  func rules(file: String) throws {
    // Each file may use the files before it in the page.
    let tested = file.replacingOccurrences(of: ".test.js", with: ".js")
    let order = try Self.order()
    let place = try #require(order.firstIndex(of: tested), "no program/\(tested)")
    var scripts = try order[...place].map { try text($0, in: Self.program) }
    scripts += [try text("harness.js", in: Self.tests), try text(file, in: Self.tests)]
    let browser = try Browser()
    defer { browser.close() }
    try browser.open([Self.page(scripts)])
    #expect(browser.complaints == [])
    let rules = try browser.value("rules").array ?? []
    #expect(rules.count > 0)
    for rule in rules {
      let pair = rule.array ?? []
      #expect(pair.last == .null, "\(pair.first?.string ?? "")")
    }
  }
}
