import Foundation
import SampleProjects
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("junit.xml")
struct JUnitReportTests {
  private func text(_ result: RunResult) -> String {
    String(decoding: JUnitReport(result).bytes, as: UTF8.self)
  }

  /// An element of the parsed file.
  private struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""
  }

  /// A reader of a file with Foundation's parser, which uses libxml2.
  private final class Reader: NSObject, XMLParserDelegate {
    private(set) var elements: [Element] = []
    private var open: [Int] = []

    static func read(_ bytes: [UInt8]) throws -> [Element] {
      let parser = XMLParser(data: Data(bytes))
      let reader = Reader()
      parser.delegate = reader
      try #require(parser.parse(), "\(parser.parserError.debugDescription)")
      return reader.elements
    }

    func parser(
      _ parser: XMLParser,
      didStartElement name: String,
      namespaceURI: String?,
      qualifiedName: String?,
      attributes: [String: String]
    ) {
      open.append(elements.count)
      elements.append(Element(name: name, attributes: attributes))
    }

    func parser(
      _ parser: XMLParser,
      didEndElement name: String,
      namespaceURI: String?,
      qualifiedName: String?
    ) {
      open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if let last = open.last { elements[last].text += text }
    }
  }

  // MARK: Whole texts

  @Test("The file has a suite per column, with a test per gate and per trial")
  func whole() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Thank you!")
    try project.edit(
      RecordingProject.suitePath,
      replacing: "- accuracy >= 60%",
      with: "- accuracy >= 60%\n  - accuracy >= 90%\n  - accuracy >= 10%\n  - mean(cost) <= $1"
    )
    try project.edit("sluice.yaml", replacing: "prices: prices.json", with: "")
    #expect(
      text(try project.replay()) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="8" failures="2" errors="3">
          <testsuite name="triage (v1 on server)" tests="8" failures="2" errors="3">
            <properties>
              <property name="verdict" value="fail"/>
              <property name="answers" value="recorded"/>
              <property name="prompt" value="v1"/>
              <property name="backend" value="server"/>
              <property name="answered-by" value="sorter-1 at https://models.test, 2026-11-21"/>
            </properties>
            <testcase name="gate: accuracy &gt;= 60%" classname="triage (v1 on server).gates" file="prompts/triage/v1.yaml" line="1">
              <error type="no-verdict" message="66.7%: 1 lost trial could change the outcome">66.7%: 1 lost trial could change the outcome</error>
            </testcase>
            <testcase name="gate: accuracy &gt;= 90%" classname="triage (v1 on server).gates" file="prompts/triage/v1.yaml" line="1">
              <failure type="gate" message="66.7%: not met">66.7%: not met</failure>
            </testcase>
            <testcase name="gate: accuracy &gt;= 10%" classname="triage (v1 on server).gates" file="prompts/triage/v1.yaml" line="1"/>
            <testcase name="gate: mean(cost) &lt;= $1" classname="triage (v1 on server).gates" file="prompts/triage/v1.yaml" line="1">
              <error type="no-verdict" message="unknown: no price for the model">unknown: no price for the model</error>
            </testcase>
            <testcase name="where" classname="triage (v1 on server).cases" file="datasets/triage/cases.yaml" line="1" time="0.250500">
              <properties>
                <property name="tags" value="short"/>
                <property name="model" value="sorter-1"/>
                <property name="tokens" value="110"/>
              </properties>
            </testcase>
            <testcase name="send" classname="triage (v1 on server).cases" file="datasets/triage/cases.yaml" line="2" time="0.250500">
              <properties>
                <property name="model" value="sorter-1"/>
                <property name="tokens" value="110"/>
              </properties>
            </testcase>
            <testcase name="thanks" classname="triage (v1 on server).cases" file="datasets/triage/cases.yaml" line="3">
              <error type="lost" message="no recording: case changed (user message)">no recording: case changed (user message)</error>
            </testcase>
            <testcase name="polite" classname="triage (v1 on server).cases" file="datasets/triage/cases.yaml" line="4" time="0.250500">
              <properties>
                <property name="model" value="sorter-1"/>
                <property name="tokens" value="110"/>
              </properties>
              <failure type="wrong" message="expected request, got question">classification: expected request, got question
        answer: {&quot;kind&quot;:&quot;question&quot;}</failure>
            </testcase>
          </testsuite>
        </testsuites>

        """
    )
  }

  @Test("An answer that no app could have used is a failure of type \"unusable\"")
  func unusable() async throws {
    let project = RecordingProject()
    let client = RecordingHTTPClient(RecordingProject.completion(text: "{", finishReason: "length"))
    _ = try await project.record(from: client)
    let elements = try Reader.read(JUnitReport(try project.replay()).bytes)
    let failures = elements.filter { $0.name == "failure" && $0.attributes["type"] == "unusable" }
    #expect(failures.count == 4)
    #expect(
      failures.first?.attributes["message"] == "the answer was cut off at the token limit"
    )
  }

  @Test("Without suites, the file is an empty list")
  func empty() {
    #expect(
      text(RunResult(suites: [])) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="0" failures="0" errors="0">
        </testsuites>

        """
    )
  }

  // MARK: Any output

  /// Returns a text with the characters replaced that XML cannot contain.
  private func shown(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar.value {
      case 0x9, 0xA, 0xD: String(scalar)
      case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: "\\u{\(String(scalar.value, radix: 16))}"
      case let value where value & 0xFFFE == 0xFFFE: "\\u{\(String(value, radix: 16))}"
      default: String(scalar)
      }
    }.joined()
  }

  private func check(_ text: String) throws {
    let elements = try Reader.read(JUnitReport(.everywhere(text)).bytes)
    #expect(
      elements.map(\.name) == [
        "testsuites", "testsuite", "properties", "property", "property", "property", "property",
        "property", "testcase", "failure", "testcase", "error",
        "testcase", "properties", "property", "property",
        "testcase", "properties", "property", "property", "failure",
        "testcase", "properties", "property", "property", "error",
        "testcase", "properties", "property", "property", "failure",
      ]
    )
    for element in elements.prefix(2) {
      #expect(element.attributes["tests"] == "6")
      #expect(element.attributes["failures"] == "3")
      #expect(element.attributes["errors"] == "2")
    }
    // Attributes contain up to a thousand characters, and texts up to four thousand.
    func cut(_ text: String, _ limit: Int) -> String {
      let scalars = text.unicodeScalars
      return shown(String(String.UnicodeScalarView(scalars.prefix(limit))))
        + (scalars.count > limit ? "…" : "")
    }
    func attribute(_ text: String) -> String { cut(text, 1_000) }
    func same(_ text: String?, _ expected: String) -> Bool {
      text?.utf8.elementsEqual(expected.utf8) == true
    }
    #expect(same(elements[1].attributes["name"], attribute("\(text) (\(text) on \(text))")))
    #expect(same(elements[8].attributes["name"], attribute("gate: \(text)")))
    #expect(same(elements[9].attributes["message"], attribute("50.0%: \(text)")))
    #expect(same(elements[9].text, cut("50.0%: \(text)", 4_000)))
    #expect(same(elements[11].attributes["message"], attribute("unknown: \(text)")))
    #expect(same(elements[14].attributes["value"], attribute("\(text) plain")))
    #expect(same(elements[20].attributes["message"], attribute(text)))
    let details = cut("\(text): \(text)", 4_000) + "\nanswer: " + cut(text, 4_000)
    #expect(same(elements[20].text, details))
    #expect(same(elements[25].attributes["message"], attribute("unusable recording: \(text)")))
    #expect(same(elements[26].attributes["name"], attribute("\(text) (repeat 2)")))
  }

  @Test("With any text, the file is well-formed and keeps the text", arguments: HostileText.all)
  func hostile(text: String) throws {
    try check(text)
  }

  @Test("The file is well-formed with all characters at the edges of Unicode's ranges")
  func manyCharacters() throws {
    let values = [
      0...0x2FF, 0xD7F0...0xE010, 0xFDC8...0xFDF8, 0xFFF0...0x1000F, 0x10FFF0...0x10FFFF,
    ]
    let scalars = values.flatMap { $0.compactMap { Unicode.Scalar(UInt32($0)) } }
    try check(String(String.UnicodeScalarView(scalars)))
  }

  @Test(
    "The file is well-formed with texts of a megabyte",
    arguments: ["x", "]]>&<", "\u{1}", "🙂"]
  )
  func longLines(part: String) throws {
    try check(String(repeating: part, count: 1_000_000 / part.utf8.count))
  }

  @Test("Gates of a prompt that is not the candidate are left out")
  func otherColumns() throws {
    var result = RunResult.everywhere("x")
    let all = try Reader.read(JUnitReport(result).bytes)
    result.suites[0].columns[0].isCandidate = false
    let some = try Reader.read(JUnitReport(result).bytes)
    func gates(_ elements: [Element]) -> Int {
      elements.count { $0.attributes["name"]?.hasPrefix("gate: ") == true }
    }
    #expect(gates(all) == result.suites[0].columns[0].gates.count)
    #expect(gates(some) == 0)
    #expect(some[0].attributes["tests"] == "\(result.suites[0].columns[0].trials.count)")
  }

  @Test(
    "Gates have the file of their prompt, and cases their file and line"
  )
  func files() async throws {
    let project = RecordingProject()
    _ = try await project.record()
    let report = JUnitReport(try project.replay(), folder: ProjectPath("evals/mail"))
    let places = try Reader.read(report.bytes).filter { $0.name == "testcase" }.map { test in
      "\(test.attributes["file"] ?? "none"):\(test.attributes["line"] ?? "none")"
    }
    #expect(
      places == [
        "evals/mail/prompts/triage/v1.yaml:1", "evals/mail/datasets/triage/cases.yaml:1",
        "evals/mail/datasets/triage/cases.yaml:2", "evals/mail/datasets/triage/cases.yaml:3",
        "evals/mail/datasets/triage/cases.yaml:4",
      ]
    )
  }

  @Test("A case has its known facts as properties")
  func properties() throws {
    let elements = try Reader.read(JUnitReport(.complete).bytes)
    let first = try #require(elements.firstIndex { $0.attributes["name"] == "a" })
    let properties = elements[(first + 2)...].prefix { $0.name == "property" }.map { property in
      "\(property.attributes["name"] ?? "") \(property.attributes["value"] ?? "")"
    }
    #expect(
      properties == [
        "tags a plain", "split held-out", "cluster places", "model a",
        "tokens 120", "cost-usd 0.0003",
      ]
    )
    #expect(elements[first].attributes["file"] == nil)
  }

  @Test("An answer with lone surrogates and control characters is reported in valid XML and JSON")
  func wholeWay() async throws {
    let project = RecordingProject()
    let client = RecordingHTTPClient(
      HTTPResponse(
        status: 200,
        body: Array(
          #"""
          {"model":"\ud83dx","choices":[{"message":{"content":"a\ud800\u0000\u001b[2J]]>\udfffb"},
          "finish_reason":"stop"}]}
          """#.utf8
        )
      )
    )
    #expect(try await project.record(from: client).recorded == 4)
    let result = try project.replay()
    let elements = try Reader.read(JUnitReport(result).bytes)
    let failure = try #require(
      elements.first { $0.attributes["type"] == "wrong" || $0.attributes["type"] == "unusable" }
    )
    #expect(failure.text.hasSuffix("\nanswer: a\u{FFFD}\\u{0}\\u{1b}[2J]]>\u{FFFD}b"))
    #expect(try JSONReader.value(JSONReport(result).bytes)["schema"] == 1)
  }

  // MARK: Escapes

  @Test(
    "Text is escaped for element content and for attributes",
    arguments: [
      (
        "a < b && c > \"d\"", "a &lt; b &amp;&amp; c &gt; &quot;d&quot;",
        "a &lt; b &amp;&amp; c &gt; &quot;d&quot;"
      ),
      ("]]>", "]]&gt;", "]]&gt;"), ("\n\t", "\n\t", "&#10;&#9;"), ("\r\n", "&#13;\n", "&#13;&#10;"),
      ("\u{0}", "\\u{0}", "\\u{0}"), ("it's", "it's", "it's"), ("é🙂", "é🙂", "é🙂"), ("", "", ""),
    ]
  )
  func escapes(text: String, content: String, attribute: String) {
    var bytes = ByteBuffer()
    XMLText.append(text, inAttribute: false, to: &bytes)
    let written = String(decoding: bytes.units, as: UTF8.self)
    #expect(written.isIdentical(to: content))
    #expect(XMLText.attribute(text).utf8.elementsEqual(attribute.utf8))
  }
}
