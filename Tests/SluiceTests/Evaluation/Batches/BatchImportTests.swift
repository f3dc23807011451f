import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Importing batch results")
struct BatchImportTests {
  /// Returns the messages about lines, without their fixes.
  private func told(_ result: BatchImportResult) -> [String] {
    result.faults.map { fault in
      let place = fault.diagnostic.position.map { "\($0.line)" } ?? "?"
      return "\(place) \(fault.kind.rawValue): \(fault.diagnostic.message)"
    }
  }

  private func missing(_ result: BatchImportResult) -> [String] {
    result.missing.map { "\($0.prompt) \($0.testCase) \($0.repetition): \($0.reason)" }
  }

  private func refusal(_ body: () throws -> BatchImportResult) -> [String] {
    do {
      _ = try body()
      return ["nothing was refused"]
    } catch BatchImport.Refusal.files(let diagnostics) {
      return diagnostics.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }

  // MARK: By custom_id

  @Test("Answers are matched by the exported custom_id in any order, and can be judged")
  func ownIDs() async throws {
    let project = RecordingProject()
    let lines = try BatchService.results(try project.exported())
    let result = try project.importing(lines.reversed())
    #expect(result.isComplete)
    #expect(result.imported == 4)
    #expect(told(result) == [])
    let ledger = project.pending().ledger(DiagnosticCollector())
    #expect(ledger.sets.map(\.exchanges) == [4])
    #expect(ledger.sets.map(\.prompts) == [["v1"]])
    #expect(ledger.sets.first?.answeredBy.map(\.via) == [.batch])
    _ = try project.pending().accept(now: RecordingProject.date)
    let replay = try project.replay()
    let column = try #require(replay.suites.first?.columns.first)
    #expect(column.trials.count { $0.isLost } == 0)
    #expect(
      column.provenances.map(\.phrase) == [
        "sorter-1 (through a batch service), imported 2026-11-21, day of the answers unknown"
      ]
    )
  }

  @Test("Importing the same file again adds nothing and writes nothing")
  func again() throws {
    let project = RecordingProject()
    let lines = try BatchService.results(try project.exported())
    _ = try project.importing(lines)
    let paths = ["pending/server.jsonl", "ledger/server.jsonl"].map {
      ProjectPath("datasets/triage/recordings/\($0)")
    }
    let before = try paths.map(project.files.read)
    let again = try project.importing(lines)
    #expect((again.imported, again.known) == (0, 4))
    #expect(again.isComplete)
    #expect(try paths.map(project.files.read) == before)
    // Accepted answers count as well.
    _ = try project.pending().accept(now: RecordingProject.date)
    #expect(try project.importing(lines).known == 4)
    #expect(!project.pending().exists)
  }

  @Test("Unusable lines are reported with their reason, and the good ones are imported")
  func mixed() throws {
    let project = RecordingProject()
    let requests = try BatchService.requests(try project.exported())
    let result = try project.importing([
      BatchService.expiry(requests[0].id),
      BatchService.answer(requests[1].id, "{}"),
      BatchService.answer("clarity.v2.17", "{}"),
      "{\"custom_id\"",
      BatchService.refusal(requests[2].id, status: 400, "Bad schema"),
    ])
    #expect(result.imported == 1)
    #expect(
      told(result) == [
        "1 failed: '\(requests[0].id)' has no answer: the batch service gave no answer: "
          + "batch_expired: This request could not be executed before the completion window "
          + "expired.",
        "3 unknown-request: 'clarity.v2.17' is not a custom_id that Sluice generates",
        "4 broken: not valid JSON: expected ':' after a member name",
        "5 failed: '\(requests[2].id)' has no answer: the server answered 400: Bad schema",
      ]
    )
    #expect(
      missing(result).sorted()
        == [
          "v1 where 1: the batch service gave no answer: batch_expired: This request could not be "
            + "executed before the completion window expired.",
          "v1 polite 1: the results have no line for this request",
          "v1 thanks 1: the server answered 400: Bad schema",
        ].sorted()
    )
    #expect(!result.isComplete)
  }

  @Test("An unreadable answer is not imported, and its request stays missing")
  func unreadable() throws {
    let project = RecordingProject()
    let id = try BatchService.requests(try project.exported())[0].id
    let result = try project.importing([
      #"{"custom_id":"\#(id)","response":{"status_code":200,"body":{"choices":[]}}}"#
    ])
    #expect(result.imported == 0)
    #expect(
      told(result) == [
        "1 failed: '\(id)' has no answer: the server's answer contains no choice"
      ]
    )
    #expect(!project.pending().exists)
  }

  @Test("Equal duplicates are kept once; two different answers to a request are refused")
  func doubled() throws {
    let project = RecordingProject()
    let ids = try BatchService.requests(try project.exported()).map(\.id)
    let result = try project.importing([
      BatchService.answer(ids[0], "a"), BatchService.answer(ids[1], "b"),
      BatchService.answer(ids[0], "a"), BatchService.answer(ids[1], "c"),
      BatchService.answer(ids[1], "b"),
    ])
    #expect(result.imported == 1)
    #expect(
      told(result) == [
        "3 duplicate: '\(ids[0])' already has the same answer on results.jsonl:1; only one of "
          + "the two is imported",
        "4 conflict: '\(ids[1])' already has a different answer on results.jsonl:2, so neither is "
          + "imported",
        "5 duplicate: '\(ids[1])' already has the same answer on results.jsonl:2; only one of "
          + "the two is imported",
      ]
    )
    #expect(missing(result).contains("v1 send 1: two lines have different answers to this request"))
  }

  @Test("A request that was refused and later answered has its answer")
  func secondTry() throws {
    let project = RecordingProject()
    var lines = try BatchService.results(try project.exported())
    let id = try BatchService.requests(try project.exported())[0].id
    lines.insert(BatchService.refusal(id, status: 429, "Slow down"), at: 0)
    lines.append(BatchService.expiry(id))
    let result = try project.importing(lines)
    #expect(result.isComplete)
    #expect(told(result) == [])
  }

  @Test("Repeats are distinguished by their custom_id")
  func repeats() throws {
    let project = RecordingProject()
    try project.edit(RecordingProject.suitePath, replacing: "dataset:", with: "repeat: 2\ndataset:")
    let requests = try BatchService.requests(try project.exported())
    let lines = requests.map { BatchService.answer($0.id, "{}") }
    let result = try project.importing(lines)
    #expect(result.isComplete)
    #expect(result.imported == 8)
    // A failed repeat is missing, whatever the result of the others.
    let other = RecordingProject()
    try other.edit(RecordingProject.suitePath, replacing: "dataset:", with: "repeat: 2\ndataset:")
    let failed = try other.importing(
      [BatchService.expiry(requests[1].id)]
        + lines.enumerated().filter { $0.offset != 1 }
        .map(\.element)
    )
    #expect(failed.imported == 7)
    #expect(failed.missing.map { "\($0.testCase) \($0.repetition)" } == ["where 2"])
  }

  @Test("An answer to a request that the project no longer makes is refused")
  func gone() throws {
    let project = RecordingProject()
    let lines = try BatchService.results(try project.exported())
    let requests = try project.exported().split(separator: "\n").map(String.init)
    try project.edit(RecordingProject.promptPath, replacing: "Say what", with: "Tell what")
    let result = try project.importing(lines)
    #expect(result.imported == 0)
    #expect(result.faults.map(\.kind) == [.other, .other, .other, .other])
    #expect(
      told(result)[0].hasSuffix(
        "answers a request that the project no longer makes, or now makes with another backend"
      )
    )
    // The exported file shows what changed.
    let explained = try project.importing(lines, requests: requests)
    #expect(
      missing(explained) == [
        "v1 polite 1: the answered request differs in: system message",
        "v1 send 1: the answered request differs in: system message",
        "v1 thanks 1: the answered request differs in: system message",
        "v1 where 1: the answered request differs in: system message",
      ]
    )
    #expect(
      told(explained)[0]
        == "1 other-request: '\(try BatchService.requests(requests[0])[0].id)' answers a request "
        + "that this project does not make; the most similar one, case 'where' of triage v1, "
        + "differs in: system message"
    )
    #expect(
      explained.missing[0].difference?.parts.map(\.lines) == [
        ["- Say what kind of message it is.", "+ Tell what kind of message it is."]
      ]
    )
  }

  // MARK: By the request

  /// The exported requests under another tool's ids.
  private func foreign(_ project: RecordingProject) throws -> [String] {
    try BatchService.requests(try project.exported()).enumerated().map { number, request in
      JSONValue.object(["custom_id": .string("q-\(number)"), "body": request.body]).jsonText
    }
  }

  @Test("Answers under other ids are matched by the bodies of their requests")
  func bodies() throws {
    let project = RecordingProject()
    let requests = try foreign(project)
    let lines = (0..<4).map { BatchService.answer("q-\($0)", "{}") }
    let result = try project.importing(lines, requests: requests)
    #expect(result.isComplete)
    #expect(result.imported == 4)
    // The order of members does not matter.
    let turned = try requests.map { line in
      let json = try JSONReader.value(Array(line.utf8))
      let members = json["body"]?.object?.members.reversed() ?? []
      return JSONValue.object([
        "custom_id": json["custom_id"] ?? "", "body": .object(JSONObject(Array(members))),
      ]).jsonText
    }
    #expect(try project.importing(lines, requests: turned).known == 4)
  }

  @Test("All prompts in the suite's folder are matched, and others if they are named")
  func prompts() throws {
    let project = RecordingProject()
    let prompt = try project.text(of: RecordingProject.promptPath)
    let other = Array(prompt.replacing("Say what", with: "Tell what").utf8)
    try project.files.write(other, to: ProjectPath("prompts/triage/v0.yaml"))
    try project.files.write(
      Array(try project.text(of: "prompts/triage/kind.schema.json").utf8),
      to: ProjectPath("tried/kind.schema.json")
    )
    try project.files.write(
      Array(prompt.replacing("Say what", with: "Guess what").utf8),
      to: ProjectPath("tried/guess.yaml")
    )
    // A file that is not a prompt is ignored.
    try project.files.write(Array("nonsense: [".utf8), to: ProjectPath("prompts/triage/notes.yaml"))
    let requests = try foreign(project)
    let all =
      requests
      + requests.map {
        $0.replacing("Say what", with: "Tell what").replacing("q-", with: "t-")
      } + requests.map { $0.replacing("Say what", with: "Guess what").replacing("q-", with: "g-") }
    let lines = (0..<4).flatMap { number in
      ["q", "t", "g"].map { BatchService.answer("\($0)-\(number)", "{}") }
    }
    let first = try project.importing(lines, requests: all)
    #expect(first.parts.map { "\($0.prompt) \($0.imported)" }.sorted() == ["v0 4", "v1 4"])
    #expect(first.refused == 4)
    var options = BatchImport.Options()
    options.prompts = [ProjectPath("tried/guess.yaml")]
    let second = try project.importing(lines, requests: all, options)
    #expect(
      second.parts.map { "\($0.prompt) \($0.imported) \($0.known)" }.sorted() == [
        "guess 4 0", "v0 0 4", "v1 0 4",
      ]
    )
    #expect(second.isComplete)
  }

  @Test("Repeats under other ids are imported in order, up to the suite's number of repeats")
  func foreignRepeats() throws {
    let project = RecordingProject()
    try project.edit(RecordingProject.suitePath, replacing: "dataset:", with: "repeat: 2\ndataset:")
    let body = try #require(try BatchService.requests(try project.exported()).first).body
    let requests = ["a", "b", "c"].map {
      JSONValue.object(["custom_id": .string($0), "body": body]).jsonText
    }
    let result = try project.importing(
      [
        BatchService.answer("a", "one"), BatchService.answer("b", "one"),
        BatchService.answer("c", "three"),
      ],
      requests: requests
    )
    #expect(result.imported == 1)
    #expect(
      told(result) == [
        "3 conflict: 'c' already has a different answer on results.jsonl:2, so neither is imported"
      ]
    )
  }

  @Test("A body that several backends would send is an error that asks for --backend")
  func ambiguous() throws {
    let project = RecordingProject()
    try project.edit(
      "sluice.yaml",
      replacing: "prices:",
      with: "  mirror: {type: openai, model: sorter-1}\nprices:"
    )
    let requests = try foreign(project)
    let lines = [BatchService.answer("q-0", "{}")]
    #expect(
      refusal { try project.importing(lines, requests: requests) } == [
        """
        requests.jsonl:1:1: error: 2 backends would send the request 'q-0': server, mirror
          fix: name the backend that answered, such as --backend server

        """
      ]
    )
    var options = BatchImport.Options()
    options.backend = "mirror"
    #expect(
      try project.importing(lines, requests: requests, options).parts.map(\.backend) == [
        "mirror"
      ]
    )
  }

  @Test("A model that no backend uses is reported once, with the backend to add")
  func otherModel() throws {
    let project = RecordingProject()
    let requests = try foreign(project).map { $0.replacing("sorter-1", with: "unnamed-lm") }
    let lines = [BatchService.answer("q-0", "{}")]
    #expect(
      refusal { try project.importing(lines, requests: requests) } == [
        """
        requests.jsonl:1:1: error: no backend of sluice.yaml uses the model 'unnamed-lm'
          fix: add one under 'backends:', for example unnamed-lm: {type: openai, model: "unnamed-lm"}

        """
      ]
    )
    // The named backend would have sent a different body.
    var options = BatchImport.Options()
    options.backend = "server"
    let result = try project.importing(lines, requests: requests, options)
    #expect(
      told(result) == [
        "1 other-request: 'q-0' answers a request that this project does not make; the most "
          + "similar one, case 'where' of triage v1, differs in: model"
      ]
    )
  }

  @Test("A changed case is reported by what differs; an unrelated request is reported as such")
  func changedCase() throws {
    let project = RecordingProject()
    let requests = try foreign(project)
    try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Many thanks!")
    let odd =
      #"{"custom_id":"odd","body":{"model":"sorter-1","messages":[{"role":"user","content":"x"}]}}"#
    let result = try project.importing(
      (0..<4).map { BatchService.answer("q-\($0)", "{}") } + [BatchService.answer("odd", "{}")],
      requests: requests + [odd]
    )
    #expect(result.imported == 3)
    #expect(
      told(result) == [
        "3 other-request: 'q-2' answers a request that this project does not make; the most "
          + "similar one, case 'thanks' of triage v1, differs in: user message",
        "5 other-request: 'odd' answers a request that this project does not make; it makes no "
          + "similar request either",
      ]
    )
    #expect(
      missing(result) == ["v1 thanks 1: the answered request differs in: user message"]
    )
  }

  @Test("A custom_id that two requests share is refused")
  func twoRequests() throws {
    let project = RecordingProject()
    let requests = try foreign(project).map { $0.replacing("q-1", with: "q-0") }
    let result = try project.importing(
      [BatchService.answer("q-0", "{}")],
      requests: requests
    )
    #expect(
      result.faults.map(\.diagnostic.message).contains(
        "the custom_id 'q-0' already has a different request on requests.jsonl:1"
      )
    )
    #expect(!result.isComplete)
  }

  // MARK: Recordings

  @Test("A different answer to a recorded request is refused unless replacing is requested")
  func recorded() async throws {
    let project = RecordingProject()
    let ids = try BatchService.requests(try project.exported()).map(\.id)
    _ = try await project.record()
    let result = try project.importing([BatchService.answer(ids[0], "{}")])
    #expect(
      told(result) == [
        "1 recorded-otherwise: '\(ids[0])' already has a recording with another answer"
      ]
    )
    #expect(result.missing == [])
    #expect(!project.pending().exists)
    var options = BatchImport.Options()
    options.replaces = true
    #expect(try project.importing([BatchService.answer(ids[0], "{}")], options).imported == 1)
    let set = try #require(try project.pending().accept(now: RecordingProject.date))
    #expect((set.exchanges, set.replaced) == (1, 1))
  }

  @Test("The source, the day and a note are stored with the answers and shown")
  func statement() throws {
    let project = RecordingProject()
    var options = BatchImport.Options()
    options.via = .files
    options.statement = AnswerStatement(
      by: "a model, by hand",
      day: "2026-11-20",
      note: "no sampling"
    )
    let lines = try BatchService.results(try project.exported())
    let result = try project.importing(lines, options)
    let phrase = "sorter-1 (through files; by: a model, by hand; note: no sampling), 2026-11-20"
    #expect(result.provenances.map(\.phrase) == [phrase])
    let review = project.pending().review(DiagnosticCollector())
    #expect(review.origins.entries.map { "\($0.count) \($0.provenance.phrase)" } == ["4 \(phrase)"])
    let set = try #require(try project.pending().accept(now: RecordingProject.date))
    #expect(
      set.answeredBy.map(\.phrase) == [
        "sorter-1 (through files; by: a model, by hand; note: no sampling)"
      ]
    )
    let replay = try project.replay()
    let column = try #require(replay.suites.first?.columns.first)
    #expect(column.provenances.map(\.phrase) == [phrase])
    let output = try #require(column.trials.first?.output)
    #expect(output.provenance.host == nil)
    #expect(output.cost == nil)
    #expect(output.timings == ResponseTimings())
    #expect(output.usage?.input == 100)
    // Age counts from the day on which the answers were given.
    let status = try #require(
      try RecordingHousekeeping(project.surroundings).status(DiagnosticCollector()).first
    )
    #expect((status.oldest, status.newest) == ("2026-11-20", "2026-11-20"))
    #expect(status.origins.entries.map(\.count) == [4])
    // The ledger covers imported answers of any date.
    let faults = DiagnosticCollector()
    let count = LedgerAudit(project.files).checkAnswers(
      of: ProjectPath(RecordingProject.casesPath),
      "server",
      faults
    )
    #expect(count == 0)
    #expect(faults.diagnostics == [])
  }

  @Test("An answer without a finish reason is complete")
  func noEnding() throws {
    let project = RecordingProject()
    let lines = try BatchService.results(try project.exported()).map {
      $0.replacing(#""finish_reason":"stop""#, with: #""finish_reason":null"#)
    }
    _ = try project.importing(lines)
    _ = try project.pending().accept(now: RecordingProject.date)
    let column = try #require(try project.replay().suites.first?.columns.first)
    #expect(column.trials.map { $0.output?.finishReason } == [nil, nil, nil, nil])
    #expect(column.trials.count { $0.outcome == .passed } == 3)
    #expect(column.trials.count { $0.isLost } == 0)
  }

  @Test("Secrets in answers and server messages are redacted before they are written")
  func secrets() throws {
    let project = RecordingProject()
    let ids = try BatchService.requests(try project.exported()).map(\.id)
    let key = "sk-proj-" + String(repeating: "Ab3dE5", count: 8)
    let result = try project.importing([
      BatchService.answer(ids[0], "The key is \(key)"),
      BatchService.refusal(ids[1], status: 401, "Incorrect API key provided: \(key)"),
    ])
    #expect(result.imported == 1)
    let pending = try project.text(of: "datasets/triage/recordings/pending/server.jsonl")
    #expect(!pending.contains(key))
    #expect(pending.contains("<redacted:key:"))
    let summary = try project.text(of: "reports/batch/import.json")
    #expect(!summary.contains(key))
    #expect(!told(result).joined().contains(key))
  }

  @Test("The summary lists every faulty line and every request without an answer")
  func summary() throws {
    let project = RecordingProject()
    let ids = try BatchService.requests(try project.exported()).map(\.id)
    _ = try project.importing([BatchService.answer(ids[0], "{}"), "nonsense"])
    let summary = try JSONReader.value(try project.text(of: "reports/batch/import.json"))
    #expect(summary["lines"] == 2)
    #expect(summary["imported"] == 1)
    #expect(summary["refused"] == 1)
    #expect(summary["without-an-answer"] == 3)
    #expect(
      summary["faults"] == [
        [
          "kind": "broken", "file": "results.jsonl", "line": 2,
          "message": "not valid JSON: expected a JSON value",
        ]
      ]
    )
    #expect(summary["missing"]?.array?.count == 3)
  }

  @Test("Damaged recordings are reported before anything is imported")
  func damaged() throws {
    let project = RecordingProject()
    let lines = try BatchService.results(try project.exported())
    try project.files.write(["nonsense"], to: RecordingProject.recordingsPath.description)
    #expect(
      refusal { try project.importing(lines) }[0].hasPrefix(
        "datasets/triage/recordings/server.jsonl:1:1: error: not valid JSON"
      )
    )
    #expect(!project.pending().exists)
  }

  // MARK: Files of other kinds

  @Test(
    "A file that is not a batch file is refused, and nothing is imported",
    arguments: [
      ("", "error: the file is empty"),
      (
        "id,text\n1,a\n2,b\n",
        "error: not a file of batch results: none of its 3 lines has the format of a batch"
      ),
      (
        "{}\n",
        "error: not a file of batch results: its only line does not have the format of a batch"
      ),
      (
        "\u{1F}",
        "error: not a file of batch results: its only line does not have the format of a batch"
      ),
    ]
  )
  func noBatch(_ text: String, _ message: String) throws {
    let project = RecordingProject()
    let good = try BatchService.results(try project.exported())
    try project.files.write(Array(text.utf8), to: ProjectPath("odd.jsonl"))
    try project.files.write(good, to: "results.jsonl")
    let batch = BatchImport(
      [try project.plan()],
      backends: ProjectLoader.backends(from: project.files).backends,
      project.surroundings
    )
    let told = refusal {
      try batch.run(
        results: ["results.jsonl", "odd.jsonl"].map {
          BatchImport.Source(name: $0, path: ProjectPath($0))
        }
      )
    }
    #expect(told.first?.hasPrefix("odd.jsonl: \(message)") == true, "\(told)")
    #expect(!project.pending().exists)
  }

  @Test("Other encodings are recognized by their first bytes")
  func encodings() throws {
    let project = RecordingProject()
    for (bytes, message, fix) in [
      ([0xFF, 0xFE, 0x7B, 0x00], "the file is UTF-16, not UTF-8", "save the file as UTF-8"),
      ([0x1F, 0x8B, 0x08, 0x00], "the file is compressed", "unpack it"),
    ] as [([UInt8], String, String)] {
      try project.files.write(bytes, to: ProjectPath("results.jsonl"))
      let batch = BatchImport(
        [try project.plan()],
        backends: ProjectLoader.backends(from: project.files).backends,
        project.surroundings
      )
      let source = BatchImport.Source(name: "results.jsonl", path: ProjectPath("results.jsonl"))
      #expect(
        refusal { try batch.run(results: [source]) } == [
          "results.jsonl: error: \(message)\n  fix: \(fix)\n"
        ]
      )
    }
  }

  @Test("A line that is too long is reported, and the other lines are imported")
  func longLine() throws {
    let project = RecordingProject()
    var lines = try BatchService.results(try project.exported())
    lines.insert(String(repeating: "x", count: FileLimits.maximumLineBytes + 1), at: 2)
    let result = try project.importing(lines)
    #expect(result.imported == 4)
    #expect(told(result) == ["3 broken: the line is longer than the limit of 16 MiB"])
  }

  @Test("A file of invalid lines is abandoned early")
  func manyBroken() throws {
    let project = RecordingProject()
    _ = try project.exported()
    let told = refusal {
      try project.importing(Array(repeating: "nonsense", count: 5_000))
    }
    #expect(
      told == [
        """
        results.jsonl: error: not a file of batch results: none of its first 1,000 lines has the format of a batch
          fix: export JSON lines, each with a custom_id

        """,
        """
        results.jsonl:1:1: error: not valid JSON: expected a JSON value

        """,
      ]
    )
  }
}

extension BatchImportTests {
  @Test("Requests to judges are exported once answers exist, and their verdicts can be imported")
  func verdicts() throws {
    let project = try JudgedProject().project
    let answers = try project.exported()
    #expect(try BatchService.requests(answers).count == 4)
    _ = try project.importing(try BatchService.results(answers))
    let questions = try BatchService.requests(try project.exported())
    #expect(questions.map { $0.body["model"] } == ["judge-1", "judge-1", "judge-1", "judge-1"])
    let lines = questions.dropLast().map { BatchService.answer($0.id, #"{"score":5}"#) }
    let result = try project.importing(lines + [BatchService.expiry(questions[3].id)])
    #expect(
      result.parts == [
        BatchImportResult.Part(suite: "triage", backend: "judge", prompt: "judge", imported: 3)
      ]
    )
    #expect(result.missing.map(\.backend) == ["judge"])
    #expect(try BatchService.requests(try project.exported()).map(\.id) == [questions[3].id])
  }
}
