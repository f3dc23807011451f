import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Drift checks")
struct DriftCheckTests {
  /// Sends a sample of a project's requests again and compares the answers.
  private func drift(
    _ project: RecordingProject,
    _ client: any HTTPClient = RecordingProject.server,
    size: Int = 200,
    seed: UInt64 = 1,
    limit: Double? = nil,
    judge: (any HTTPClient)? = nil
  ) async throws -> DriftResult {
    let check = DriftCheck(project.surroundings, size: size, seed: seed)
    var columns: [DriftResult.Column] = []
    for sample in check.samples(of: [try project.suite()]) {
      guard !sample.answers.requests.isEmpty else {
        columns.append(check.column(of: sample))
        continue
      }
      var backends = try project.backends(client, limit: limit)
      if let judge, let definition = sample.suite.plan.judges.first {
        backends[definition.name] = try definition.connectPlainly(
          judge,
          surroundings: project.surroundings
        )
      }
      let evaluation = check.evaluation(of: sample)
      let recorded = await evaluation.replayAsking(concurrency: 1)
      let (asked, heard) = check.backends(backends, for: sample)
      let fresh = await evaluation.live(asked)
      columns.append(
        check.column(
          of: sample,
          recorded: recorded.result.columns.flatMap(\.trials),
          fresh: fresh.result.columns.flatMap(\.trials),
          heard: heard,
          margin: 0.05
        )
      )
    }
    return DriftResult(sample: size, seed: seed, margin: 0.05, columns: columns)
  }

  /// The server with every response changed.
  private func server(
    _ change:
      @escaping @Sendable (_ message: String, HTTPResponse) throws(HTTPError) ->
      HTTPResponse
  ) -> RecordingHTTPClient {
    RecordingHTTPClient { request throws(HTTPError) in
      let body = try? JSONReader.value(request.body)
      let message = body?["messages"]?.array?.last?["content"]?.string ?? ""
      return try change(message, try RecordingProject.answer(to: request))
    }
  }

  /// A server that reports a system fingerprint.
  private func server(fingerprint: String) -> RecordingHTTPClient {
    server { _, response throws(HTTPError) in
      var response = response
      var body = (try? JSONReader.value(response.body).object) ?? JSONObject()
      body["system_fingerprint"] = .string(fingerprint)
      response.body = JSONWriter.line(.object(body))
      return response
    }
  }

  private func project(caseCount: Int = 100) async throws -> RecordingProject {
    let project = try RecordingProject(caseCount: caseCount)
    _ = try await project.record()
    return project
  }

  @Test("Identical answers have not moved")
  func same() async throws {
    let result = try await drift(try await project())
    #expect(result.verdict == .pass)
    let column = try #require(result.columns.first)
    #expect(column.outcome.reason == .identical)
    #expect((column.available, column.asked, column.identical) == (100, 100, 100))
    #expect(column.moved.isEmpty)
    #expect(column.identities == [])
  }

  @Test("A sample has the requested size and depends on its seed")
  func sample() async throws {
    let project = try await project()
    func asked(_ seed: UInt64) async throws -> Set<[UInt8]> {
      let client = RecordingProject.server
      let result = try await drift(project, client, size: 20, seed: seed)
      #expect(result.columns.map(\.asked) == [20])
      #expect(client.requests.count == 20)
      return Set(client.requests.map(\.body))
    }
    let first = try await asked(1)
    #expect(try await asked(1) == first)
    #expect(try await asked(2) != first)
  }

  @Test("If scores moved, the changed cases are listed, with newly failing ones first")
  func moved() async throws {
    let project = try await project()
    let changed = server { message, response throws(HTTPError) in
      message.contains("7") ? RecordingProject.completion(text: #"{"kind":"other"}"#) : response
    }
    let result = try await drift(project, changed)
    #expect(result.verdict == .fail)
    let column = try #require(result.columns.first)
    #expect(column.outcome.reason == .credible)
    #expect(column.change?.difference == -0.19)
    #expect(column.moved.count == 19)
    #expect(column.moved.first?.caseID == "case-7")
    #expect(column.identical == 81)
  }

  @Test("A changed system fingerprint is reported even if nothing moved")
  func fingerprint() async throws {
    let project = try RecordingProject(caseCount: 80)
    _ = try await project.record(from: server(fingerprint: "fp_1"))
    let same = try await drift(project, server(fingerprint: "fp_1"))
    #expect(same.columns.flatMap(\.identities) == [])
    let other = try await drift(project, server(fingerprint: "fp_2"))
    #expect(other.verdict == .pass)
    #expect(
      other.columns.flatMap(\.identities) == [
        try #require(
          DriftResult.IdentityChange(.systemFingerprint, recorded: ["fp_1"], now: ["fp_2"])
        )
      ]
    )
  }

  @Test("A known model name is not a change, and neither is a missing one")
  func identities() {
    typealias Change = DriftResult.IdentityChange
    #expect(Change(.model, recorded: ["a", "b"], now: ["b"]) == nil)
    #expect(Change(.model, recorded: ["a"], now: []) == nil)
    #expect(Change(.model, recorded: [], now: []) == nil)
    #expect(Change(.model, recorded: [], now: ["a"])?.recorded == [])
    #expect(Change(.model, recorded: ["a"], now: ["c", "a"])?.now == ["a", "c"])
  }

  @Test("The fingerprint is read from whole bodies and from streams")
  func fingerprintPlaces() {
    func found(_ body: String) -> String? {
      SystemFingerprint.of(
        RawResponse(body: Array(body.utf8), host: "", date: Timestamp(seconds: 0))
      )
    }
    #expect(found(#" {"system_fingerprint":"fp_1","choices":[]}"#) == "fp_1")
    #expect(found("data: {\"id\":1}\n\ndata: {\"system_fingerprint\":\"fp_2\"}\n\n") == "fp_2")
    #expect(found("data: {\"system_fingerprint\":\"fp_3\"}") == "fp_3")
    for other in ["", "{", #"{"system_fingerprint":null}"#, "[1]", "data: x\n\n", "data: [DONE]"] {
      #expect(found(other) == nil, "\(other)")
    }
  }

  @Test("Different answers with the same outcome are counted but have not moved")
  func reworded() async throws {
    let project = try await project()
    let spaced = server { _, response throws(HTTPError) in
      RecordingProject.completion(text: #"{"kind": "question"}"#)
    }
    let result = try await drift(project, spaced)
    #expect(result.verdict == .pass)
    let column = try #require(result.columns.first)
    #expect(column.outcome.reason == .withinMargin)
    #expect((column.identical, column.reworded) == (0, 100))
    let length = try #require(column.figures.first { $0.name == "mean(length)" })
    #expect((length.change.baseline, length.change.candidate) == (19, 20))
  }

  @Test("Too few different answers leave drift undecided, with the number of cases needed")
  func tooFew() async throws {
    let project = try await project(caseCount: 30)
    let spaced = server { _, response throws(HTTPError) in
      RecordingProject.completion(text: #"{"kind": "question"}"#)
    }
    let result = try await drift(project, spaced)
    #expect(result.verdict == .inconclusive)
    #expect(result.columns.first?.outcome.casesNeeded == 73)
  }

  @Test("Failed requests are lost, and leave drift undecided if they could matter")
  func lost() async throws {
    let project = try await project()
    let broken = server { message, response throws(HTTPError) in
      if message.contains("7") { throw HTTPError(.broken, detail: "gone") }
      return response
    }
    let some = try await drift(project, broken)
    #expect(some.verdict == .inconclusive)
    #expect(some.columns.first?.outcome.reason == .lostAnswers)
    #expect(some.columns.first?.lost == 19)
    let dead = server { _, _ throws(HTTPError) in throw HTTPError(.broken, detail: "gone") }
    let all = try await drift(project, dead)
    #expect(all.verdict == .noVerdict)
    #expect(all.columns.first?.outcome.reason == .noAnswers)
  }

  @Test("Without recordings, nothing is sent, and there is no verdict")
  func notRecorded() async throws {
    let client = RecordingProject.server
    let result = try await drift(try RecordingProject(caseCount: 10), client)
    #expect(result.verdict == .noVerdict)
    #expect(result.columns.first?.outcome.reason == .notRecorded)
    #expect(client.requests.isEmpty)
  }

  @Test("Quarantined cases are not sent")
  func quarantine() async throws {
    let project = try await project(caseCount: 5)
    try project.edit(
      RecordingProject.suitePath,
      replacing: "gates:",
      with: "quarantine: [{case: case-2, reason: unclear, until: 2099-01-01}]\ngates:"
    )
    let result = try await drift(project)
    #expect(result.columns.map(\.available) == [4])
  }

  @Test("A judge is asked again only if the answer changed")
  func judge() async throws {
    let judged = try JudgedProject()
    try await judged.record { _ in JudgedProject.grade(5) }
    let judge = RecordingHTTPClient(RecordingProject.completion(text: JudgedProject.grade(1)))
    let result = try await drift(judged.project, judge: judge)
    #expect(judge.requests.isEmpty)
    #expect(result.columns.first?.outcome.reason == .identical)
    let other = server { message, response throws(HTTPError) in
      message == "Thanks!" ? RecordingProject.completion(text: #"{"kind":"request"}"#) : response
    }
    _ = try await drift(judged.project, other, judge: judge)
    #expect(judge.requests.count == 1)
  }

  @Test("A suite whose scorers only measure has no scores to test")
  func measures() async throws {
    let project = try RecordingProject(caseCount: 80)
    let scorer =
      "  - classification: {path: kind, expected: kind, labels: [question, request, other]}"
    try project.edit(
      RecordingProject.suitePath,
      replacing: scorer,
      with: "  - measure: {expression: len(text)}"
    )
    _ = try await project.record()
    let result = try await drift(project)
    #expect(result.columns.first?.outcome.reason == .unjudged)
    #expect(result.verdict == .inconclusive)
  }
}
