@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("The output of recording commands")
struct TerminalSendingTests {
  private func request(_ testCase: String, to backend: String = "mock") -> RecordingRequest {
    RecordingRequest(
      request: ModelRequest(backend: backend, api: "openai-chat", model: "m", body: [:]),
      key: "key-\(testCase)",
      repetition: 1,
      hints: Recording.Hints(
        suite: "tone",
        testCase: testCase,
        inputDigest: "",
        prompt: "v1",
        templateDigest: ""
      )
    )
  }

  private func suite(
    _ name: String,
    _ cases: [String],
    cost: Double? = 0,
    unknown: String? = nil,
    judges: RecordingForecast.Part = .init([], cost: 0, unknown: nil)
  ) -> RecordingForecast.Suite {
    .init(
      name: name,
      answers: .init(cases.map { request($0) }, cost: cost, unknown: unknown),
      judges: judges
    )
  }

  private let many = ["a", "b", "c", "d", "e", "f", "g"]

  // MARK: Before

  @Test("A forecast shows requests by backend, cost, and judge requests that depend on answers")
  func forecast() {
    let judges = RecordingForecast.Part(
      [request("a", to: "judge")],
      coming: 7,
      cost: nil,
      unknown: "no price for the model"
    )
    let forecast = RecordingForecast([
      suite("tone", many, cost: 0.0125, judges: judges), suite("clarity", []),
    ])
    #expect(forecast.total == 15)
    #expect(!forecast.isEmpty)
    #expect(
      TerminalSending.text(forecast) == """
        tone: 7 requests, about $0.01250 at today's prices
          to mock: a, b, c, d, e and 2 more
        tone, judges: 1 request and up to 7 requests for answers still to come, cost
        unknown: no price for the model
          to judge: a
        clarity: nothing to send
        In total: up to 15 requests, cost unknown: no price for the model

        """
    )
  }

  @Test("A forecast of one suite has no total")
  func single() {
    #expect(
      TerminalSending.text(RecordingForecast([suite("tone", ["a"], cost: 2)]))
        == "tone: 1 request, about $2.00 at today's prices\n  to mock: a\n"
    )
  }

  @Test("A cost limit accepts only a known cost within it")
  func budget() {
    func fault(_ cost: Double?, _ unknown: String?, limit: Double) -> String? {
      let forecast = RecordingForecast([suite("tone", ["a"], cost: cost, unknown: unknown)])
      return TerminalSending.budgetFault(forecast, limit: limit).map { "\($0.message)\n\($0.fix)" }
    }
    #expect(fault(1, nil, limit: 1) == nil)
    #expect(
      fault(1.5, nil, limit: 1) == """
        the answers would cost about $1.50, more than $1.00
        raise --max-cost, or record fewer cases: --case ID, --tag TAG
        """
    )
    #expect(
      fault(nil, "no price for the model", limit: 1) == """
        the cost of the answers is unknown, so --max-cost cannot be enforced: no price for the model
        add the model to the price file, or record a single case first: --case ID
        """
    )
  }

  @Test("If there is nothing to send, the reason is given")
  func nothing() {
    #expect(TerminalSending.nothingToAsk("answer") == "no answer is missing")
    #expect(TerminalSending.nothingToAsk("verdict") == "no verdict is missing")
    #expect(
      TerminalSending.nothingToAsk("verdict", unanswered: 2)
        == "no verdicts to record: 2 answers missing"
    )
  }

  // MARK: Failures

  @Test("Each reason for failures is shown once with its cases, and unsent requests are counted")
  func failures() {
    let down = BackendError(.endpointDown, "the backend is down")
    let refused = BackendError(.noConnection, "no connection to http://127.0.0.1:1")
    let broken = BackendError(.brokenAnswer, "the server's stream broke off")
    let failures =
      many.map { (request: request($0), error: refused) }
      + [(request("h"), broken), (request("i"), down), (request("j"), down)]
    #expect(
      TerminalSending.failures(failures, of: 12, unsent: 2, isOption: true) == """
          7 of 12 requests: no connection to http://127.0.0.1:1
            a, b, c, d, e and 2 more
          h: the server's stream broke off
          2 not sent after these failures
          fix: check the address in sluice.yaml, and check that the server is running
          2 not sent: --max-cost is used up

        """
    )
    #expect(
      TerminalSending.failures([], of: 12, unsent: 1, isOption: false)
        == "  1 not sent: the budget in sluice.yaml is used up\n"
    )
    #expect(TerminalSending.failures([], of: 12, unsent: 0, isOption: false) == "")
  }

  // MARK: After

  private func next(
    hasFailures: Bool = false,
    recorded: Int = 1,
    isScratch: Bool = false,
    overrides: String = "",
    again: String = ""
  ) -> String {
    TerminalSending.next(
      TerminalSending.Ending(
        hasFailures: hasFailures,
        recorded: recorded,
        isScratch: isScratch,
        suites: ["tone", "my suite"],
        overrides: overrides,
        again: again
      )
    )
  }

  @Test("After recording, the next steps review, judge, and accept or reject the set")
  func pending() {
    #expect(
      next(overrides: " --prompt v2.yaml") == """
        PENDING: 1 recording, until you accept or reject the whole set
        Next: read and judge them:
          sluice recordings review tone 'my suite'
          sluice run tone 'my suite' --prompt v2.yaml
        Then accept or reject the set:
          sluice recordings accept tone 'my suite'
          sluice recordings reject tone 'my suite'

        """
    )
  }

  @Test("After failures, the next step records only the failed requests")
  func again() {
    #expect(
      next(hasFailures: true, recorded: 0, isScratch: true, again: " --all --case a") == """
        Next: fix the failures, then run:
          sluice record tone 'my suite' --all --case a --scratch

        """
    )
    #expect(next(recorded: 0) == "")
  }

  @Test("Scratch answers can be judged but not accepted")
  func scratch() {
    #expect(
      next(isScratch: true) == """
        Next: judge the answers, which are in reports/scratch/:
          sluice run tone 'my suite' --scratch

        """
    )
  }

  @Test("Names and messages cannot control the terminal")
  func hostile() {
    let error = BackendError(.serverError, "\u{1B}[2Jgone")
    let said = TerminalSending.failures(
      [(request("a\u{1B}[31m"), error)],
      of: 1,
      unsent: 0,
      isOption: false
    )
    let forecast = TerminalSending.text(RecordingForecast([suite("x\u{7}", ["a\u{1B}[31m"])]))
    #expect(!(said + forecast).unicodeScalars.contains { $0 != "\n" && $0.value < 0x20 })
  }
}
