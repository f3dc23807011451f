import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Tests of the audit, which finds every secret in a committed file and shows none of them.
@Suite("Recording audit")
struct RecordingAuditTests {
  private static let path = RecordingProject.recordingsPath

  private func check(_ bytes: [UInt8], known: [Secret] = []) -> (
    outcome: RecordingAudit.Outcome, text: String
  ) {
    let diagnostics = DiagnosticCollector()
    let system = InMemoryFileSystem()
    try? system.write(bytes, to: Self.path)
    let outcome = RecordingAudit(known: known).check(
      Self.path,
      in: system,
      diagnostics: diagnostics
    )
    return (outcome, diagnostics.diagnostics.map(\.description).joined())
  }

  private func file(_ recordings: Recording...) -> [UInt8] {
    var file = RecordingFile(path: Self.path)
    for recording in recordings { file.add(recording) }
    return file.bytes
  }

  @Test("A file without secrets has no report, and neither has a missing file")
  func clean() {
    let result = check(file(.fixture(), .fixture(user: String(repeating: "Where? ", count: 40))))
    #expect(result.text == "")
    #expect(result.outcome == RecordingAudit.Outcome(recordings: 2, secrets: 0))
    let diagnostics = DiagnosticCollector()
    let outcome = RecordingAudit().check(
      Self.path,
      in: InMemoryFileSystem(),
      diagnostics: diagnostics
    )
    #expect(outcome == RecordingAudit.Outcome())
    #expect(diagnostics.diagnostics.isEmpty)
  }

  @Test("A secret is reported with its position and a fix, and the line is shown up to the secret")
  func report() throws {
    let key = "sk-" + "proj-" + String(repeating: "aB3dE6gH", count: 6)
    let body = Array(#"{"error":{"message":"no \#(key)"}}"#.utf8)
    let text = file(.fixture(body: body))
    // The frame of the request and the source of the answer precede the exchange.
    let line = try #require(String(decoding: text, as: UTF8.self).split(separator: "\n").last)
    let place = try #require(line.firstRange(of: key)?.lowerBound)
    let column = line.distance(from: line.startIndex, to: place) + 1
    let result = check(Array("\n".utf8) + text)
    let shown = result.text.split(separator: "\n")
    #expect(
      shown.first
        == """
        datasets/triage/recordings/server.jsonl:4:\(column): error: an OpenAI API key in \
        response.body.error.message: sk-p… (56 characters)
        """
    )
    #expect(shown.count == 4)
    #expect(
      shown[1].hasSuffix(
        #""response":{"status":200,"body":{"error":{"message":"no …"#
          .suffix(20)
      )
    )
    #expect(
      shown.last
        == """
          fix: revoke it where it was issued, because version control keeps everything that was committed; then delete the line and record the answer again
        """
    )
    #expect(!result.text.contains(key.dropFirst(8)))
  }

  @Test("A secret is found in each part of a line")
  func places() {
    var fakes = FakeSecrets(seed: 1)
    let key = FakeSecrets.shapes[0].make(&fakes)
    var recordings: [Recording] = [
      .fixture(user: "Use \(key)"),
      .fixture(user: String(repeating: "Say what it is. ", count: 20) + key),
      .fixture(body: Array("<html>\(key)</html>".utf8)),
      .fixture(body: [0xFF] + Array(key.utf8)),
      .fixture(body: Gzip.compress(Array(key.utf8))),
      .fixture(body: Array("data: {\"a\":\"\(key)\"}\n\n".utf8)),
      .fixture(testCase: key),
    ]
    var host = Recording.fixture()
    host.exchange.response.host = "https://app:Tr0ub4dor@models.test"
    var header = Recording.fixture()
    header.exchange.response.headers.append(
      HTTPHeader("set-cookie", "sid=\(fakes.text(32)); path=/")
    )
    var organization = Recording.fixture()
    organization.exchange.response.headers.append(
      HTTPHeader("anthropic-organization-id", fakes.uuid())
    )
    recordings += [host, header, organization]
    for recording in recordings {
      let result = check(file(recording))
      #expect(result.outcome.secrets == 1, "\(result.text)")
      #expect(!result.text.contains(key))
    }
    #expect(
      check(file(.fixture(user: "a secret word")), known: [Secret("secret word")]).outcome.secrets
        == 1
    )
  }

  @Test("Damaged lines are reported, and secrets in them are found")
  func damaged() throws {
    var fakes = FakeSecrets(seed: 2)
    let key = FakeSecrets.shapes[0].make(&fakes)
    let lines = String(decoding: file(.fixture()), as: UTF8.self).split(separator: "\n")
    let line = try #require(lines.last)
    let changed = line.replacing("Where is it?", with: "Where is \(key)?")
    let parts = lines.dropLast().joined(separator: "\n")
    let result = check(Array("\(parts)\n\(changed)\nnot JSON \(key)\n\(line)\n".utf8))
    #expect(result.outcome == RecordingAudit.Outcome(recordings: 1, secrets: 2))
    let messages = result.text.split(separator: "\n").filter { $0.contains(": error: ") }
      .map { $0.replacing("datasets/triage/recordings/server.jsonl:", with: "") }
    #expect(
      messages.map { $0.prefix { $0 != ":" } } == ["3", "3", "4", "4"]
    )
    #expect(
      messages.contains {
        $0.hasSuffix("the recording was changed after it was recorded: its digest does not match")
      }
    )
    #expect(messages.contains { $0.hasSuffix(": error: not valid JSON") })
    #expect(!result.text.contains(key))
  }
}
