import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Backends in a terminal")
struct TerminalBackendsTests {
  private let terminal = TerminalBackends(style: TerminalStyle(isColored: false))
  private let prices = PriceList(prices: ["m-1": PriceList.Price(input: 0.001, output: 0.002)])

  private func definition(isStreamed: Bool = false, url: String = "https://models.test/v1")
    -> BackendDefinition
  {
    BackendDefinition(
      name: "fast",
      kind: .model(
        ModelEndpoint(server: ServerAccess(url: url), model: "m-1", isStreamed: isStreamed)
      )
    )
  }

  private func check(
    _ backend: BackendDefinition,
    _ client: any HTTPClient
  ) async throws -> BackendCheck {
    await BackendCheck.run(
      backend,
      asking: try backend.request(for: BackendCheck.prompt),
      question: "with a request for the word OK",
      client: client,
      surroundings: Surroundings(files: InMemoryFileSystem(), now: { RecordingProject.date }),
      prices: prices,
      redacting: { RedactingBackend($0, redaction: Redaction()) },
      clean: { $0 }
    )
  }

  private static let streamed = """
    data: {"model":"m-1-2026","choices":[{"index":0,"delta":{"content":"O"}}]}

    data: {"choices":[{"index":0,"delta":{"content":"K"},"finish_reason":"stop"}]}

    data: {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":1,"cost":0.0003}}

    data: [DONE]


    """

  @Test("The check of a stream shows its pieces, times, limits and the model that answered")
  func stream() async throws {
    let body = Array(Self.streamed.utf8)
    let client = RecordingHTTPClient(
      HTTPResponse(
        status: 200,
        headers: [
          HTTPHeader("content-type", "text/event-stream"),
          HTTPHeader("x-ratelimit-limit-requests", "500"),
          HTTPHeader("x-ratelimit-remaining-requests", "499"),
          HTTPHeader("set-cookie", "session=1"),
        ],
        body: body,
        arrivals: [
          (.milliseconds(210), 80), (.milliseconds(260), 170), (.milliseconds(300), body.count),
        ],
        timings: HTTPTimings(
          connect: .milliseconds(12),
          tls: .milliseconds(31),
          firstByte: .milliseconds(210),
          total: .milliseconds(301)
        )
      )
    )
    let check = try await check(definition().streamed, client)
    #expect(client.requests.count == 1)
    #expect(
      terminal.text(check) == """
        fast  answers
          where   https://models.test
          asked   openai, with a request for the word OK
          answer  "OK" (ending: stop)
          model   m-1-2026; requested: m-1
          usage   tokens: 12 in, 1 out
          price   unknown: the price file of sluice.yaml has no price for the model; the
                  server reports $0.00030
          pieces  streaming works: 3 pieces
          time    connect 12 ms, TLS 31 ms, first byte 210 ms, first text 210 ms,
                  longest gap 50 ms, total 301 ms
          limits  x-ratelimit-limit-requests: 500
                  x-ratelimit-remaining-requests: 499

        """
    )
  }

  @Test("The check says if a requested stream arrived as a whole")
  func wholeInstead() async throws {
    let check = try await check(
      definition(isStreamed: true),
      RecordingHTTPClient(RecordingProject.completion(text: "OK"))
    )
    #expect(
      terminal.text(check).contains("\n  pieces  requested, but the answer came as a whole\n")
    )
  }

  @Test("The check of a refusal shows its kind, fix, wait and rate limits")
  func refused() async throws {
    let client = RecordingHTTPClient(
      HTTPResponse(
        status: 429,
        headers: [
          HTTPHeader("retry-after", "7"), HTTPHeader("x-ratelimit-remaining-tokens", "0"),
        ],
        body: Array(#"{"error":{"message":"Slow\ndown.","code":"rate_limit_exceeded"}}"#.utf8)
      )
    )
    #expect(
      terminal.text(try await check(definition(), client)) == """
        fast  no answer
          where   https://models.test
          asked   openai, with a request for the word OK
          error   the server answered 429: Slow\\ndown. (rate-limited)
          fix     wait, or lower the backend's 'max-in-flight' in sluice.yaml
          wait    7.00 s, according to the server
          limits  x-ratelimit-remaining-tokens: 0

        """
    )
    #expect(client.requests.count == 1)
  }

  @Test("Texts of a server cannot control the terminal")
  func steering() async throws {
    let client = RecordingHTTPClient(RecordingProject.completion(text: "\u{1B}[2J\nOK"))
    let text = terminal.text(try await check(definition(), client))
    #expect(text.contains(#"  answer  "\u{1b}[2J\nOK" (ending: stop)"#))
  }

  @Test("Columns are as wide as their widest cell")
  func list() {
    var app = definition(url: "https://a.test")
    app.name = "a-much-longer-name"
    #expect(
      terminal.list([definition(), app], environment: [:]) == """
        name                type    where                model  key
        fast                openai  https://models.test  m-1    none
        a-much-longer-name  openai  https://a.test       m-1    none

        """
    )
  }
}
