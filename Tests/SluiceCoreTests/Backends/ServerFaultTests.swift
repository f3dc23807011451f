import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Server faults")
struct ServerFaultTests {
  /// A server's reply without an answer, with its meaning.
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int
    var body: String
    var headers: [String: String]
    var kind: BackendError.Kind
    var said: String
    var retryAfter: Duration?
    var canRetry: Bool?

    init(
      _ name: String,
      _ status: Int,
      _ body: String,
      headers: [String: String] = [:],
      _ kind: BackendError.Kind,
      _ said: String,
      retryAfter: Duration? = nil,
      canRetry: Bool? = nil
    ) {
      self.name = name
      self.status = status
      self.body = body
      self.headers = headers
      self.kind = kind
      self.said = said
      self.retryAfter = retryAfter
      self.canRetry = canRetry
    }

    var testDescription: String { name }
  }

  static let samples = [
    Sample(
      "OpenAI, rate",
      429,
      #"{"error":{"message":"Slow down. Please try again in 1.5s.","type":"requests","code":"rate_limit_exceeded"}}"#,
      .rateLimited,
      ": Slow down. Please try again in 1.5s.",
      retryAfter: .milliseconds(1_500)
    ),
    Sample(
      "OpenAI, quota",
      429,
      #"{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","code":"insufficient_quota"}}"#,
      .quotaSpent,
      ": You exceeded your current quota."
    ),
    Sample(
      "OpenAI, key",
      401,
      #"{"error":{"message":"Incorrect API key provided.","code":"invalid_api_key"}}"#,
      .badCredentials,
      ": Incorrect API key provided."
    ),
    Sample(
      "OpenAI, length",
      400,
      #"{"error":{"message":"Too long.","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
      .contextTooLong,
      ": Too long."
    ),
    Sample(
      "OpenAI, model",
      404,
      #"{"error":{"message":"No such model.","code":"model_not_found"}}"#,
      .notFound,
      ": No such model."
    ),
    Sample(
      "OpenAI responses, model",
      400,
      #"{"error":{"message":"No such model.","code":"model_not_found"}}"#,
      .notFound,
      ": No such model."
    ),
    Sample(
      "Azure, filter",
      400,
      #"{"error":{"message":"The response was filtered.","code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#,
      .contentFilter,
      ": The response was filtered."
    ),
    Sample(
      "Azure, rate",
      429,
      #"{"error":{"code":"429","message":"Wait."}}"#,
      headers: ["retry-after-ms": "0", "retry-after": "1"],
      .rateLimited,
      ": Wait.",
      retryAfter: .seconds(1)
    ),
    Sample(
      "OpenRouter, credits",
      402,
      #"{"error":{"message":"Insufficient credits","code":402},"user_id":"user_1"}"#,
      .quotaSpent,
      ": Insufficient credits"
    ),
    Sample(
      "OpenRouter, overload",
      502,
      #"{"error":{"message":"Provider returned error","code":502,"metadata":{"error_type":"overloaded"}}}"#,
      .serverError,
      ": Provider returned error"
    ),
    Sample(
      "Gemini, rate",
      429,
      #"[{"error":{"code":429,"message":"Quota.","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"48s"}]}}]"#,
      .rateLimited,
      ": Quota.",
      retryAfter: .seconds(48)
    ),
    Sample(
      "Gemini, key",
      400,
      #"[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}]"#,
      .badCredentials,
      ": API key not valid."
    ),
    Sample("Ollama", 404, #"{"error":"model 'x' not found"}"#, .notFound, ": model 'x' not found"),
    Sample("xAI", 400, #"{"code":"invalid-argument","error":"Bad."}"#, .invalidRequest, ": Bad."),
    Sample(
      "Mistral",
      422,
      #"{"object":"error","message":{"detail":[{"msg":"Field required"}]},"type":"invalid_request","code":null}"#,
      .invalidRequest,
      ": Field required"
    ),
    Sample(
      "Mistral, several faults",
      422,
      #"{"object":"error","message":{"detail":[{"loc":["n"],"msg":"Too many."},{"msg":"Too few."}]}}"#,
      .invalidRequest,
      ": Too many.; Too few."
    ),
    Sample(
      "a list beside the name of the status",
      422,
      #"{"statusCode":422,"error":"Unprocessable Entity","message":["n is too large"]}"#,
      .invalidRequest,
      ": n is too large"
    ),
    Sample(
      "an object of its own",
      422,
      #"{"message":{"temperature":["at most 2"]}}"#,
      .invalidRequest,
      #": {"temperature":["at most 2"]}"#
    ),
    Sample(
      "a byte order mark",
      404,
      "\u{FEFF}" + #"{"error":{"message":"No such model.","code":"model_not_found"}}"#,
      .notFound,
      ": No such model."
    ),
    Sample(
      "too many tokens, by code",
      400,
      #"{"error":{"message":"No.","type":"invalid_request_error","code":"too_many_prompt_tokens"}}"#,
      .contextTooLong,
      ": No."
    ),
    Sample(
      "too many tokens, by type",
      422,
      #"{"message":"No.","type":"too_many_prompt_tokens"}"#,
      .contextTooLong,
      ": No."
    ),
    Sample(
      "Groq, a request that is larger than the limit of a minute",
      413,
      #"{"error":{"message":"Too large.","type":"tokens","code":"rate_limit_exceeded"}}"#,
      headers: ["retry-after": "4"],
      .contextTooLong,
      ": Too large.",
      retryAfter: .seconds(4),
      canRetry: false
    ),
    Sample(
      "Groq, no capacity",
      498,
      #"{"error":{"message":"Flex is full.","code":"capacity_exceeded"}}"#,
      .rateLimited,
      ": Flex is full."
    ),
    Sample(
      "Mistral, flat",
      400,
      #"{"object":"error","message":"Bad.","type":"invalid_request_error","code":"3051","raw_status_code":400}"#,
      .invalidRequest,
      ": Bad."
    ),
    Sample(
      "Mistral, detail",
      401,
      #"{"detail":"Unauthorized"}"#,
      .badCredentials,
      ": Unauthorized"
    ),
    Sample(
      "FastAPI",
      422,
      #"{"detail":[{"loc":["body","model"],"msg":"field required","type":"value_error.missing"}]}"#,
      .invalidRequest,
      ": field required"
    ),
    Sample(
      "Doubleword",
      403,
      #"{"code":"forbidden","message":"Not yours.","type":"permission"}"#,
      .permissionDenied,
      ": Not yours."
    ),
    Sample(
      "Anthropic, overload",
      529,
      #"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}"#,
      .serverError,
      ": Overloaded"
    ),
    Sample(
      "Anthropic, key",
      401,
      #"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#,
      .badCredentials,
      ": invalid x-api-key"
    ),
    Sample(
      "Anthropic, rate",
      429,
      #"{"type":"error","error":{"type":"rate_limit_error","message":"Wait."}}"#,
      headers: ["retry-after": "17", "x-should-retry": "true"],
      .rateLimited,
      ": Wait.",
      retryAfter: .seconds(17)
    ),
    Sample(
      "llama.cpp, length",
      400,
      #"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#,
      .contextTooLong,
      ": the request exceeds the available context size"
    ),
    Sample(
      "llama.cpp, unsupported",
      500,
      #"{"error":{"code":500,"message":"tools param requires --jinja flag: not supported","type":"server_error"}}"#,
      .serverError,
      ": tools param requires --jinja flag: not supported",
      canRetry: false
    ),
    Sample(
      "not implemented",
      501,
      #"{"error":{"message":"No."}}"#,
      .serverError,
      ": No.",
      canRetry: false
    ),
    Sample(
      "a proxy's limit",
      413,
      "<html>413 Request Entity Too Large</html>",
      .invalidRequest,
      ""
    ),
    Sample("a gateway", 504, "<html></html>", .serverError, ""),
    Sample(
      "a spent quota that fills up again",
      429,
      #"{"error":{"message":"You exceeded your current quota.","code":"insufficient_quota"}}"#,
      headers: ["retry-after": "3"],
      .rateLimited,
      ": You exceeded your current quota.",
      retryAfter: .seconds(3),
      canRetry: true
    ),
    Sample(
      "told to come back",
      400,
      #"{"error":{"message":"Odd."}}"#,
      headers: ["x-should-retry": "true"],
      .invalidRequest,
      ": Odd.",
      canRetry: true
    ),
    Sample(
      "told not to",
      503,
      #"{"error":{"message":"Gone."}}"#,
      headers: ["x-should-retry": "false"],
      .serverError,
      ": Gone.",
      canRetry: false
    ),
    Sample("too early", 425, "", .serverError, ""),
  ]

  @Test("Each server's error is classified, with its message and its wait", arguments: samples)
  func refused(_ sample: Sample) {
    let error = ServerFault.refused(
      status: sample.status,
      headers: sample.headers.map { HTTPHeader($0.key, $0.value) },
      body: Array(sample.body.utf8),
      hiding: nil
    )
    var expected = BackendError(
      sample.kind,
      "the server answered \(sample.status)\(sample.said)",
      status: sample.status,
      retryAfter: sample.retryAfter,
      canRetry: sample.canRetry
    )
    expected.statistics = error.statistics
    #expect(error == expected)
  }

  @Test(
    "An error in a response with status 200 is classified by its code or type",
    arguments: [
      (#"{"error":{"message":"Wait.","code":429}}"#, BackendError.Kind.rateLimited),
      (#"{"error":{"message":"Wait.","code":"429"}}"#, .rateLimited),
      (#"{"error":{"message":"Wait.","status":503}}"#, .serverError),
      (#"{"error":{"message":"Wait.","type":"overloaded_error"}}"#, .serverError),
      (#"{"error":{"message":"Wait.","type":"server_error"}}"#, .serverError),
      (#"{"error":{"message":"Wait.","code":"internal_server_error"}}"#, .serverError),
      (#"{"error":{"message":"Wait.","code":3051}}"#, .brokenAnswer),
      (#"{"error":"Wait."}"#, .brokenAnswer),
    ]
  )
  func inside(body: String, kind: BackendError.Kind) throws {
    let error = ServerFault.inside(try JSONReader.value(body), status: 200, hiding: nil)
    #expect(error?.kind == kind)
    #expect(error?.message == "the server answered 200 with an error: Wait.")
    #expect(error?.status == nil)
  }

  @Test(
    "An empty 'error' member is ignored",
    arguments: [
      "{}", #"{"error":null}"#, #"{"error":""}"#, #"{"error":false}"#, "[]", "7",
      #"{"error":{}}"#, #"{"error":[]}"#, #"{"error":0}"#,
      #"{"error":{"message":"","code":0,"type":null}}"#, #"{"error":{"code":200}}"#,
      #"{"error":{"code":"0","message":null}}"#,
    ]
  )
  func noError(body: String) throws {
    #expect(ServerFault.inside(try JSONReader.value(body), status: 200, hiding: nil) == nil)
  }

  @Test(
    "'Too many tokens' means the context limit, or a rate limit if the server is busy",
    arguments: [
      (400, BackendError.Kind.contextTooLong), (413, .contextTooLong), (429, .rateLimited),
      (503, .serverError),
    ]
  )
  func tooManyTokens(status: Int, kind: BackendError.Kind) {
    let body = #"{"message":"Too many tokens, please wait before trying again."}"#
    let error = ServerFault.refused(status: status, body: Array(body.utf8), hiding: nil)
    #expect(error.kind == kind)
    #expect(error.canRetry == (status >= 429))
  }

  @Test("A very long message is read quickly and truncated")
  func longMessage() {
    let body = #"{"error":{"message":"\#(String(repeating: "try again ", count: 400_000))"}}"#
    let error = ServerFault.refused(status: 400, body: Array(body.utf8), hiding: nil)
    #expect(error.message.utf8.count < 400)
  }

  @Test("A key that the server repeats is redacted in every form of error")
  func redacted() {
    let key = Secret("sk-t3st-1")
    for body in [
      #"{"error":{"message":"no sk-t3st-1"}}"#, #"{"error":"no sk-t3st-1"}"#,
      #"{"detail":"no sk-t3st-1"}"#, #"{"detail":[{"msg":"no sk-t3st-1"}]}"#,
      #"[{"error":{"message":"no sk-t3st-1"}}]"#, #"{"msg":"no sk-t3st-1"}"#,
    ] {
      let error = ServerFault.refused(status: 401, body: Array(body.utf8), hiding: key)
      #expect(error.message == "the server answered 401: no <redacted>")
    }
  }
}
