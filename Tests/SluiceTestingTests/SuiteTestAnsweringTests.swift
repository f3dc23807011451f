import SampleProjects
import Sluice
import SluiceTesting
import Testing
import TestSupport

@Suite("SuiteTest with a function or a backend")
struct SuiteTestAnsweringTests {
  private let folder: ProjectFolder

  init() throws {
    folder = try ProjectFolder()
    let project = RecordingProject()
    let files = [
      "sluice.yaml", "prices.json", RecordingProject.suitePath, RecordingProject.promptPath,
      RecordingProject.casesPath, "prompts/triage/kind.schema.json",
    ]
    for path in files { try folder.write([path: try project.text(of: path)], under: "") }
  }

  private var suite: SuiteTest { SuiteTest("triage", in: folder.path) }

  private static func kind(of message: String?) -> String {
    switch message?.last {
    case "?": #"{"kind":"question"}"#
    case ".": #"{"kind":"request"}"#
    default: #"{"kind":"other"}"#
    }
  }

  @Test("The function is called once per case, with its input and the filled prompt")
  func questions() async throws {
    let asked = Locked<[SuiteQuestion]>([])
    let result = try await suite.run { question in
      asked.withLock { $0.append(question) }
      return Self.kind(of: question.input["message"]?.string)
    }
    #expect(result.source == .live)
    #expect(result.columns.map(\.trials.count) == [4])
    #expect(result.columns[0].trials.map(\.outcome) == [.passed, .passed, .passed, .failed])
    let questions = asked.withLock { $0 }
    #expect(
      Set(questions.compactMap { $0.input["message"]?.string })
        == ["Where is it?", "Please send it.", "Thanks!", "Could you send it?"]
    )
    let one = try #require(questions.first { $0.input["message"] == "Thanks!" })
    #expect(
      one.messages == [
        ChatMessage(role: .system, text: "Say what kind of message it is."),
        ChatMessage(role: .user, text: "Thanks!"),
      ]
    )
    #expect(one.parameters == ["temperature": 0, "max_tokens": 20])
  }

  @Test("A check passes, or records an issue for each gate that does not pass")
  func checks() async throws {
    let passed = try await suite.check { Self.kind(of: $0.input["message"]?.string) }
    #expect(passed.verdict == .pass)
    let issues = Locked([String]())
    try await withKnownIssue {
      let failed = try await suite.check { _ in #"{"kind":"other"}"# }
      #expect(failed.verdict == .fail)
    } matching: { issue in
      issues.withLock { $0 += issue.comments.map(\.rawValue) }
      return true
    }
    let texts = issues.withLock { $0 }
    #expect(texts.count == 1)
    #expect(texts.first?.hasPrefix("triage: accuracy >= 60%: 25") == true, "\(texts)")
  }

  @Test("Outside a test, a failed check throws the run's report")
  func outsideOfTests() async throws {
    let suite = suite
    let thrown = await Task.detached { () async -> SuiteTestError? in
      do throws(SuiteTestError) {
        try await suite.check { _ in #"{"kind":"other"}"# }
        return nil
      } catch {
        return error
      }
    }.value
    let error = try #require(thrown)
    #expect(error.description.contains("triage  v1 on server · 4 cases"))
    #expect(error.description.contains("✗ accuracy >= 60%"))
    #expect(error.description.contains("at in-process"))
  }

  @Test("If the function throws, the trial is lost, not wrong")
  func thrown() async throws {
    struct Offline: Error {}
    let result = try await suite.run { question in
      if question.input["message"] == "Thanks!" { throw Offline() }
      if question.input["message"] == "Where is it?" { throw BackendError(.rateLimited, "Slow.") }
      return Self.kind(of: question.input["message"]?.string)
    }
    #expect(result.columns[0].lost == 2)
    #expect(
      result.columns[0].trials.map(\.outcome).prefix(3) == [
        .lost(.noAnswer(BackendError(.rateLimited, "Slow."))), .passed,
        .lost(.noAnswer(BackendError(.programFailed, "the function threw: Offline()"))),
      ]
    )
  }

  @Test("The limit of simultaneous requests is respected")
  func limit() async throws {
    let state = Locked((now: 0, most: 0))
    _ = try await suite.run(maximumInFlight: 2) { question in
      state.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
      }
      for _ in 0..<100 { await Task.yield() }
      state.withLock { $0.now -= 1 }
      return Self.kind(of: question.input["message"]?.string)
    }
    #expect((1...2).contains(state.withLock { $0.most }))
  }

  @Test("No file is written")
  func nothingWritten() async throws {
    _ = try await suite.run { _ in "" }
    let files = try #require(DiskFileSystem(root: folder.path))
    #expect(files.kind(of: ProjectPath("reports")) == .missing)
    #expect(files.kind(of: ProjectPath("datasets/triage/recordings")) == .missing)
  }

  @Test("The usage, model and times that a backend returns are kept")
  func backend() async throws {
    struct Counting: ModelBackend {
      func answer(_ request: ModelRequest) async throws(BackendError) -> ModelResponse {
        ModelResponse(
          text: SuiteTestAnsweringTests.kind(of: SuiteQuestion(request).input["message"]?.string),
          usage: TokenUsage(input: 100, output: 10),
          provenance: Provenance(host: "https://mine.test", model: "sorter-1"),
          timings: ResponseTimings(firstByte: 100, total: 250)
        )
      }
    }
    let result = try await suite.run(on: Counting())
    let output = try #require(result.columns[0].trials.first?.output)
    #expect(output.usage == TokenUsage(input: 100, output: 10))
    #expect(output.timings.total == 250)
    #expect(result.columns[0].provenances.map(\.host) == ["https://mine.test"])
    #expect(result.columns[0].provenances.map(\.model) == ["sorter-1"])
  }

  @Test("An unknown suite is an error that names it")
  func unknown() async throws {
    let error = try await #require(throws: SuiteTestError.self) {
      _ = try await SuiteTest("triaje", in: folder.path).run { _ in "" }
    }
    #expect(error.description.contains("there is no suite 'triaje'"))
  }
}
