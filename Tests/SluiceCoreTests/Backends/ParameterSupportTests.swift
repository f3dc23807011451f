@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Parameters that models refuse")
struct ParameterSupportTests {
  /// The refusals, as error messages.
  private static func refusals(
    _ api: ModelAPI,
    _ model: String,
    _ parameters: JSONObject,
    url: String? = nil
  ) -> [String] {
    let endpoint = ModelEndpoint(
      api,
      server: ServerAccess(url: url ?? api.defaultBaseURL),
      model: model
    )
    return ParameterSupport.refusals(of: parameters, by: endpoint).map { refusal in
      refusal.reason + (refusal.fix.map { "; \($0)" } ?? "")
    }
  }

  @Test(
    "A parameter that an API does not have is refused for every model",
    arguments: [
      (ModelAPI.chatCompletions, [String]()),
      (.responses, ["seed", "stop", "presence-penalty", "frequency-penalty"]),
      (.messages(.init()), ["seed", "presence-penalty", "frequency-penalty"]),
      (
        .messages(.init("2026-10-21")),
        ["temperature", "top-p", "seed", "presence-penalty", "frequency-penalty"]
      ),
      (.generateContent, []), (.ollamaChat, []),
    ]
  )
  func missing(api: ModelAPI, names: [String]) {
    let endpoint = ModelEndpoint(api, server: ServerAccess(url: "https://m.test"), model: "m-1")
    let found = ParameterSupport.refusals(
      of: [
        "temperature": 0.5, "top_p": 0.5, "max_tokens": 5, "seed": 1, "stop": ["x"],
        "presence_penalty": 1, "frequency_penalty": 1,
      ],
      by: endpoint
    )
    #expect(found.map(\.parameter) == names)
    #expect(found.allSatisfy { $0.canBeLeftOut })
  }

  @Test(
    "OpenAI's reasoning models refuse sampling parameters and 'max-tokens'",
    arguments: [
      ("o3", ["temperature": 0.5]), ("o4-mini-2025-04-16", ["temperature": 0]),
      ("gpt-5-mini", ["frequency_penalty": 0.5]), ("gpt-6-astra", ["temperature": 0.2]),
      ("gpt-6.1-sol", ["temperature": 0.2]), ("gpt-5.2-pro", ["temperature": 0.2]),
      ("gpt-5.6", ["temperature": 0.2]), ("gpt-6-luna", ["temperature": 0.2]),
      ("gpt-5.1", ["temperature": 0.2, "reasoning_effort": "low"]),
    ] as [(String, JSONObject)]
  )
  func reasoningModels(model: String, parameters: JSONObject) {
    #expect(Self.refusals(.responses, model, parameters).count == 1)
    #expect(Self.refusals(.chatCompletions, model, parameters).count == 1)
    // Another server may have a model of this name, with its own settings.
    #expect(Self.refusals(.chatCompletions, model, parameters, url: "https://m.test/v1") == [])
  }

  @Test(
    "OpenAI's other models accept these parameters, and reasoning models accept default values",
    arguments: [
      ("gpt-4o-mini", ["temperature": 0.5, "top_p": 0.5, "max_tokens": 5]),
      ("gpt-5-chat-latest", ["temperature": 0.5]), ("o3", ["temperature": 1, "top_p": 1]),
      ("gpt-5-mini", ["presence_penalty": 0]), ("gpt-5.1", ["temperature": 0.2]),
      ("gpt-5.4", ["temperature": 0.2, "reasoning_effort": "none"]),
      ("gpt-6-luna", ["temperature": 0.2, "reasoning_effort": "none"]),
      ("gpt-9", ["temperature": 0.2]), ("o3", ["max_completion_tokens": 5]),
    ] as [(String, JSONObject)]
  )
  func otherModels(model: String, parameters: JSONObject) {
    #expect(Self.refusals(.chatCompletions, model, parameters) == [])
  }

  @Test("A refusal names the problem and, if known, the correction")
  func words() {
    #expect(
      Self.refusals(.chatCompletions, "o3", ["max_tokens": 5, "temperature": 0]) == [
        "'max-tokens' is rejected by the model 'o3'; write 'max-completion-tokens' instead",
        "'temperature' is rejected by the model 'o3'",
      ]
    )
    #expect(
      Self.refusals(.responses, "gpt-5.1", ["top_p": 0.5, "reasoning_effort": "high"])
        == ["'top-p' is rejected by the model 'gpt-5.1' while it reasons"]
    )
    #expect(
      Self.refusals(.messages(.init()), "claude-opus-4-1", ["temperature": 1.5]) == [
        "'temperature' must be between 0 and 1 for Anthropic's Messages API; "
          + "write a number from 0 to 1"
      ]
    )
    #expect(
      Self.refusals(.messages(.init()), "claude-sonnet-4-5", ["temperature": 0.5, "top_p": 0.5])
        == [
          "'top-p' cannot be combined with 'temperature' for the model 'claude-sonnet-4-5'; "
            + "keep one of them"
        ]
    )
    #expect(
      Self.refusals(.ollamaChat, "m", ["reasoning_effort": "minimal"]) == [
        "'reasoning-effort' cannot be 'minimal' for Ollama's chat API; "
          + "write one of these: none, low, medium, high, max"
      ]
    )
    #expect(
      Self.refusals(.messages(.init()), "claude-haiku-4-5", ["reasoning_effort": "low"]) == [
        "'reasoning-effort' cannot be 'low' for the model 'claude-haiku-4-5'; "
          + "write one of these: none"
      ]
    )
    #expect(
      Self.refusals(.generateContent, "m", ["max_tokens": 5, "max_completion_tokens": 6]) == [
        "'max-tokens' cannot be combined with 'max-completion-tokens', which has the same "
          + "meaning; keep one of them"
      ]
    )
  }

  @Test(
    "Anthropic's models refuse sampling parameters from version 4.7 on",
    arguments: [
      ("claude-opus-4-7", 0.5, true), ("claude-opus-4-7", 1, true), ("claude-opus-4-6", 0.5, false),
      ("claude-sonnet-5-5", 0.5, true), ("claude-sonnet-5-5", 1, false),
      ("claude-fable-5", 1, true),
      ("claude-haiku-4-5-20251001", 0.5, false), ("claude-sonnet-4-20250514", 0.5, false),
      ("anthropic.claude-opus-4-7-v1:0", 0.5, true), ("claude-3-5-sonnet-20241022", 0.5, false),
      ("my-model", 0.5, false),
    ]
  )
  func anthropicSampling(model: String, value: Double, isRefused: Bool) {
    let found = Self.refusals(.messages(.init()), model, ["temperature": .number(value)])
    #expect(found == (isRefused ? ["'temperature' is rejected by the model '\(model)'"] : []))
  }

  @Test(
    "Each model accepts only its own reasoning efforts",
    arguments: [
      (ModelAPI.messages(.init()), "claude-opus-4-5", "none low medium high"),
      (.messages(.init()), "claude-sonnet-4-6", "none low medium high max"),
      (.messages(.init()), "claude-opus-4-8", "none low medium high xhigh max"),
      (.messages(.init()), "claude-opus-5-5", "low medium high xhigh max"),
      (.generateContent, "gemini-2.5-pro", "minimal low medium high"),
      (.generateContent, "gemini-2.5-flash", "none minimal low medium high"),
      (.generateContent, "gemini-3-flash-preview", "minimal low medium high"),
      (.generateContent, "gemini-3.8-flash", "low medium high"),
      (.generateContent, "gemini-4-hydrogen", "low medium high xhigh"),
    ]
  )
  func efforts(api: ModelAPI, model: String, known: String) {
    let all = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]
    let taken = all.filter {
      Self.refusals(api, model, ["reasoning_effort": .string($0)]).isEmpty
    }
    #expect(taken.joined(separator: " ") == known)
  }

  @Test("Anthropic's models refuse a final assistant message from version 4.6 on")
  func prefill() {
    func isRefused(_ model: String, _ api: ModelAPI = .messages(.init())) -> Bool {
      ParameterSupport.refusesPrefill(
        ModelEndpoint(api, server: ServerAccess(url: "https://m.test"), model: model)
      )
    }
    #expect(isRefused("claude-opus-4-6"))
    #expect(isRefused("claude-sonnet-5"))
    #expect(!isRefused("claude-haiku-4-5"))
    #expect(!isRefused("claude-opus-4-6", .chatCompletions))
  }
}
