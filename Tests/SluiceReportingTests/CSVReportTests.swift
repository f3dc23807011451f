import Foundation
import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("report.csv")
struct CSVReportTests {
  /// The rows of a report without the byte-order mark.
  ///
  /// Each line must be one row.
  private func rows(_ result: RunResult) throws -> [[String]] {
    let bytes = CSVReport(result).bytes
    let (rows, problems) = CSVReader.read(bytes)
    #expect(problems == [])
    #expect(bytes.count { $0 == UInt8(ascii: "\n") } == rows.count)
    return rows.map { $0.map(\.text) }
  }

  /// The cells of a report by column name, one dictionary per row.
  private func cells(_ result: RunResult) throws -> [[String: String]] {
    let rows = try rows(result)
    return rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(rows[0], $0)) }
  }

  // MARK: Whole texts

  @Test(
    "The file has a row per trial, with two columns per scorer after the standard columns"
  )
  func whole() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    let text = String(decoding: CSVReport(try project.replay()).bytes, as: UTF8.self)
    let by = "\"sorter-1 at https://models.test, 2026-11-21\""
    let figures = "\"stop\",100,,10,,0.0003,250.5,200,,,,\(by)"
    let lines = [
      "\u{FEFF}" + CSVReport.columns.map { "\"\($0)\"" }.joined(separator: ",")
        + #","classification","classification: explanation""#,
      #""triage","v1","server","where",1,"short",,,"passed",,"no",,,"{""kind"":""question""}","#
        + figures + #","passed","question as expected""#,
      #""triage","v1","server","send",1,"",,,"passed",,"no",,,"{""kind"":""request""}","#
        + figures + #","passed","request as expected""#,
      #""triage","v1","server","thanks",1,"",,,"lost","no recording: case changed (user message)","#
        + #""no",,,,,,,,,,,,,,,,"unscored","no recording: case changed (user message)""#,
      #""triage","v1","server","polite",1,"",,,"failed",,"no",,,"{""kind"":""question""}","#
        + figures + #","failed","expected request, got question""#,
    ]
    #expect(text == lines.map { $0 + "\r\n" }.joined())
  }

  @Test("Without suites, the file has only the header row")
  func empty() throws {
    #expect(try rows(RunResult(suites: [])) == [CSVReport.columns])
  }

  @Test("Every figure, the split, the flip and the scores are in their columns")
  func complete() throws {
    let rows = try cells(.complete)
    let answered = rows[0]
    for (name, cell) in [
      ("suite", "x"), ("case", "a"), ("repeat", "1"), ("tags", "a, plain"), ("split", "held-out"),
      ("cluster", "places"), ("outcome", "passed"), ("reason", ""), ("unusable", "no"),
      ("quarantine", ""), ("since-baseline", "beneficial"), ("text", "a…"),
      ("finish-reason", "stop"), ("input-tokens", "100"), ("cached-input-tokens", "10"),
      ("output-tokens", "20"), ("reasoning-tokens", "5"), ("cost-usd", "0.0003"), ("total-ms", "6"),
      ("first-byte-ms", "3"), ("first-text-ms", "4"), ("longest-gap-ms", "5"), ("server-ms", "7"),
      ("answered-by", "a at a, 2026-11-21"), ("x", "passed"),
      ("x: explanation", "x"), ("judge (advisory)", "failed"), ("b", ""),
    ] {
      #expect(answered[name] == cell, "\(name)")
    }
    #expect(rows[1]["since-baseline"] == "harmful")
    #expect(rows[1]["b"] == "failed")
    #expect(rows[2]["quarantine"] == "x")
    #expect(rows[2]["text"] == "")
  }

  @Test("Trials in memory and trials from the run log give the same rows")
  func logged() async throws {
    let project = RecordingProject()
    let text = #"{"kind":"question","why":"\"a\";\u0000\n=1+1"}"#
    let client = RecordingHTTPClient(RecordingProject.completion(text: text))
    _ = try await project.record(from: client)
    var result = try project.replay()
    let logged = CSVReport(result).bytes
    let log = try #require(result.suites[0].log)
    var reader = RunLogReader(log)
    result.suites[0].columns[0].trials = result.suites[0].columns[0].trials.map { reader.whole($0) }
    result.suites[0].log = nil
    #expect(
      String(decoding: CSVReport(result).bytes, as: UTF8.self)
        == String(decoding: logged, as: UTF8.self)
    )
  }

  @Test("Long answers and explanations are cut after 4,000 characters")
  func cut() async throws {
    let project = RecordingProject()
    let long = String(repeating: "🙂", count: 5_000)
    let client = RecordingHTTPClient(RecordingProject.completion(text: long))
    _ = try await project.record(from: client)
    let row = try #require(try cells(project.replay()).first)
    #expect(row["text"] == String(repeating: "🙂", count: 4_000) + "…")
    var result = RunResult.everywhere("x")
    result.suites[0].columns[0].trials[0].scores[0].score.explanation = long
    #expect(try cells(result)[0]["x: explanation"] == String(repeating: "🙂", count: 4_000) + "…")
  }

  @Test("Each scorer of any suite has its columns once, empty for the other suites")
  func severalSuites() throws {
    var result = RunResult.everywhere("x")
    result.suites += RunResult.everywhere("y").suites
    let rows = try rows(result)
    #expect(rows[0].suffix(4) == ["x", "x: explanation", "y", "y: explanation"])
    #expect(rows[1].suffix(4) == ["passed", "x", "", ""])
    #expect(rows[5].suffix(4) == ["", "", "passed", "y"])
  }

  @Test("The assertions of cases share two columns that list the failed ones")
  func assertions() async throws {
    let project = RecordingProject()
    try project.edit(
      RecordingProject.casesPath,
      replacing: "expected: {kind: question}}",
      with: "expected: {kind: question}, assert: [contains: question, contains: =1, regex: x]}"
    )
    _ = try await project.record()
    let rows = try cells(project.replay())
    #expect(rows[0]["assertions"] == "failed")
    #expect(rows[0]["assertions: explanation"]?.hasPrefix("contains-2: ") == true)
    #expect(rows[0]["assertions: explanation"]?.contains("; regex: ") == true)
    #expect(rows[1]["assertions"] == "")
    #expect(rows[1]["classification"] == "passed")
  }

  // MARK: Any text

  /// Returns a text as it is written in a cell.
  private static func shown(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar.value {
      case 0x9: "\\t"
      case 0xA: "\\n"
      case 0xD: "\\r"
      case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }.joined()
  }

  @Test("Any text stays in its cell, on one line and complete", arguments: HostileText.all)
  func hostile(text: String) throws {
    let rows = try cells(.everywhere(text))
    #expect(rows.count == 4)
    func same(_ cell: String?, _ expected: String) -> Bool {
      guard let cell else { return false }
      return cell.isIdentical(to: expected) || cell.isIdentical(to: "'" + expected)
    }
    let shown = Self.shown(text)
    #expect(same(rows[0]["suite"], shown))
    #expect(same(rows[0]["case"], shown))
    #expect(same(rows[0]["text"], shown))
    #expect(same(rows[0]["tags"], shown + ", plain"))
    #expect(same(rows[2]["reason"], "unusable recording: \(shown)"))
    let name = "\(shown): explanation"
    #expect(same(rows[1][name] ?? rows[1]["'" + name], shown))
  }

  @Test(
    "Text that a spreadsheet would compute gets an apostrophe, even after spaces or quotes",
    arguments: [
      ("=1+1", "'=1+1"), ("+1", "'+1"), ("-5", "'-5"), ("@SUM(A1)", "'@SUM(A1)"),
      (" =1", "' =1"), ("\t=1", "'\\t=1"), ("\r\n=1", "'\\r\\n=1"), ("\"=1\"", "'\"=1\""),
      ("'=1", "''=1"), ("\u{A0}=1", "'\u{A0}=1"), ("\u{3000}=1", "'\u{3000}=1"),
      ("\u{200B}=1", "'\u{200B}=1"), ("\u{FEFF}=1", "'\u{FEFF}=1"), ("\u{0}=1", "'\\u{0}=1"),
      ("“=1”", "'“=1”"), ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠a", "'＠a"),
      ("−1", "'−1"), ("- a list", "'- a list"), ("a;=1", "a;'=1"), ("a; -b", "a;' -b"),
      ("a;b", "a;b"), (";", ";"), ("a=1", "a=1"), ("5", "5"), ("é=", "é="),
      ("a\u{2028}b", "a\\u{2028}b"),
      ("\u{85}", "\\u{85}"), ("a,b", "a,b"), ("…", "…"), ("Â£", "Â£"), ("", ""),
    ]
  )
  func formulas(text: String, cell: String) throws {
    var bytes = ByteBuffer()
    CSVText.append(text, to: &bytes)
    let written = String(decoding: bytes.units, as: UTF8.self)
    let expected = "\"" + cell.replacing("\"", with: "\"\"") + "\""
    #expect(written.isIdentical(to: expected), "\(written)")
  }

  @Test(
    "No cell of a report begins with a formula",
    arguments: ["=1", "\n@x", "；=2;=3"]
  )
  func everywhere(text: String) throws {
    for row in try rows(.everywhere(text)) {
      for cell in row {
        for part in cell.split(separator: ";", omittingEmptySubsequences: false) {
          let first = part.unicodeScalars.first { !" \"".unicodeScalars.contains($0) }
          #expect(!"=+-@".unicodeScalars.contains(first ?? "x"), "\(cell)")
        }
      }
    }
  }

  @Test("Counts and measurements are written as numbers, however small")
  func numbers() throws {
    var result = RunResult.everywhere("x")
    result.suites[0].columns[0].trials[0].output?.cost = 0.000_000_12
    let text = String(decoding: CSVReport(result).bytes, as: UTF8.self)
    #expect(text.contains(",1.2e-7,250.5,"))
  }
}
