import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Reports of suites that were selected by changed files")
struct SuiteSelectionTests {
  private static let tone = SuiteSelection.Suite(
    name: "tone",
    path: ProjectPath("prompts/tone/suite.yaml")
  )
  private static let faq = SuiteSelection.Suite(
    name: "faq",
    path: ProjectPath("prompts/faq/suite.yaml")
  )

  /// No suite is affected, and one was removed.
  private static let nothing: RunResult = {
    var result = RunResult(suites: [])
    result.selection = SuiteSelection(
      since: "origin/main",
      skipped: [faq, tone],
      removed: [ProjectPath("prompts/old/suite.yaml")]
    )
    return result
  }()

  /// One suite ran and one was skipped.
  private static func some() throws -> RunResult {
    let suite = try GatedSuite(cases: 4)
    var result = suite.result { _, _ in .right }
    let name = result.suites[0].name
    result.selection = SuiteSelection(
      since: "origin/main",
      chosen: [
        .init(
          suite: .init(name: name, path: ProjectPath(result.suites[0].path)),
          reasons: [
            .file(ProjectPath("a.yaml"), .added), .file(ProjectPath("b.yaml"), .edited),
            .file(ProjectPath("c.yaml"), .removed), .file(ProjectPath("/d.yaml"), .outside),
            .missingRecordings(1),
          ]
        )
      ],
      skipped: [faq]
    )
    return result
  }

  @Test("A change that affects no suite passes and says so")
  func verdict() {
    #expect(Self.nothing.verdict == .pass)
    #expect(RunResult(suites: []).verdict == .noVerdict)
    let text = TerminalReport(Self.nothing, style: TerminalStyle(isColored: false)).text
    #expect(
      text == """
        0 of 2 suites affected since origin/main
          Skipped: faq, tone
          Removed since origin/main: prompts/old/suite.yaml

        PASS: no suite is affected since origin/main; 2 skipped
        Reports: reports/latest/report.html, .md, .json, .csv; junit.xml

        """
    )
  }

  @Test(
    "The reason says why Sluice cannot compare a file",
    arguments: [
      (GitChanges.Change.outside, "is outside the repository"), (.submodule, "is in a submodule"),
    ]
  )
  func unknown(change: GitChanges.Change, place: String) throws {
    var result = try Self.some()
    result.selection?.chosen[0].reasons = [.file(ProjectPath("d.yaml"), change)]
    let text = TerminalReport(result, style: TerminalStyle(isColored: false)).text
    #expect(text.contains(": d.yaml \(place), so Sluice cannot tell whether"), "\(text)")
  }

  @Test("The terminal lists affected suites with their reasons, and the skipped suites")
  func terminal() throws {
    let result = try Self.some()
    let name = result.suites[0].name
    let text = TerminalReport(result, style: TerminalStyle(isColored: false)).text
    #expect(
      text.contains(
        """
        1 of 2 suites affected since origin/main
          \(name): a.yaml added, b.yaml edited, c.yaml removed and 2 more
          Skipped: faq

        """
      ),
      "\(text)"
    )
  }

  @Test("report.md lists affected suites with their reasons, and the skipped suites")
  func markdown() throws {
    let result = try Self.some()
    let text = String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
    #expect(
      text.contains(
        """

        1 of 2 suites affected since origin/main:

        - \(result.suites[0].name): `a.yaml` added, `b.yaml` edited, `c.yaml` removed and 2 more

        Skipped: faq.

        """
      ),
      "\(text)"
    )
    let nothing = String(decoding: MarkdownReport(Self.nothing).bytes, as: UTF8.self)
    #expect(
      nothing == """
        <!-- sluice-report -->
        ## ✅ Sluice: pass

        **No suite is affected since origin/main; 2 skipped.**

        0 of 2 suites affected since origin/main.

        Skipped: faq, tone.

        Removed since origin/main: `prompts/old/suite.yaml`.

        """
    )
  }

  @Test("report.json has the selection and conforms to its schema")
  func json() throws {
    let bytes = JSONReport(try Self.some()).bytes
    #expect(try ReportSchema.report.violations(of: bytes) == [])
    let affected = try #require(try JSONReader.value(bytes)["affected"])
    #expect(affected["since"] == "origin/main")
    #expect(
      affected["chosen"]?.array?.first?["reasons"] == [
        ["file": "a.yaml", "change": "added"], ["file": "b.yaml", "change": "edited"],
        ["file": "c.yaml", "change": "removed"], ["file": "/d.yaml", "change": "outside"],
        ["missing-recordings": 1],
      ]
    )
    #expect(affected["skipped"] == [["name": "faq", "path": "prompts/faq/suite.yaml"]])
    #expect(affected["removed"] == [])
    #expect(try ReportSchema.report.violations(of: JSONReport(Self.nothing).bytes) == [])
  }

  @Test("junit.xml has a skipped test for each skipped suite")
  func junit() throws {
    let text = String(decoding: JUnitReport(Self.nothing).bytes, as: UTF8.self)
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="2" failures="0" errors="0" skipped="2">
          <testsuite name="faq" tests="1" failures="0" errors="0" skipped="1">
            <testcase name="faq" classname="faq" file="prompts/faq/suite.yaml">
              <skipped message="not affected since origin/main"/>
            </testcase>
          </testsuite>
          <testsuite name="tone" tests="1" failures="0" errors="0" skipped="1">
            <testcase name="tone" classname="tone" file="prompts/tone/suite.yaml">
              <skipped message="not affected since origin/main"/>
            </testcase>
          </testsuite>
        </testsuites>

        """
    )
    let some = String(decoding: JUnitReport(try Self.some()).bytes, as: UTF8.self)
    #expect(some.contains("<property name=\"affected\" value=\""), "\(some)")
    #expect(some.contains("skipped=\"1\""))
  }

  @Test("report.csv has a row for each skipped suite, with all columns")
  func csv() throws {
    let result = try Self.some()
    let text = String(decoding: CSVReport(result).bytes, as: UTF8.self)
    let rows = text.split(separator: "\r\n")
    #expect(rows.count == 6)
    #expect(
      rows.last?.hasPrefix("\"faq\",,,,,,,,\"skipped\",\"not affected since origin/main\",,")
        == true,
      "\(rows.last ?? "")"
    )
    let counts = Set(rows.map { row in row.count { $0 == "," } })
    #expect(counts.count == 1, "\(counts)")
  }

  @Test("report.html has the selection, with escaped names of files and revisions")
  func html() throws {
    var result = try Self.some()
    result.selection?.revision = "<b>"
    let bytes = FileSink.bytes { (sink) throws(FileError) in
      try HTMLReport(result).write(to: &sink)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("1 of 2 suites affected since &lt;b&gt;."))
    #expect(text.contains("<li>Skipped: faq</li>"))
    let nothing = FileSink.bytes { (sink) throws(FileError) in
      try HTMLReport(Self.nothing).write(to: &sink)
    }
    #expect(String(decoding: nothing, as: UTF8.self).contains("<li>Skipped: faq, tone</li>"))
  }
}
