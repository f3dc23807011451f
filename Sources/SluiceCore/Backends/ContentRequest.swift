import SluiceSupport

/// The builder of requests to Gemini's `generateContent`.
enum ContentRequest {
  /// Returns the body.
  ///
  /// The body contains neither the model nor the streaming mode, because they are in the URL.
  ///
  /// - Throws: ``Template/Problem`` if an instruction follows the start of the conversation.
  static func body(
    _ prompt: RenderedPrompt,
    _ parameters: ModelParameters,
    _ endpoint: ModelEndpoint
  ) throws(Template.Problem) -> JSONObject {
    let parts = try PromptParts(prompt.messages, for: endpoint.api)
    var body: JSONObject = [
      "contents": .array(
        parts.turns.map { turn in
          [
            "role": turn.role == .assistant ? "model" : "user",
            "parts": [["text": .string(turn.text)]],
          ]
        }
      )
    ]
    if !parts.instructions.isEmpty {
      body["systemInstruction"] = [
        "parts": .array(parts.instructions.map { ["text": .string($0)] })
      ]
    }
    var configuration: JSONObject = [:]
    parameters.put(
      [
        ("temperature", "temperature"), ("top_p", "topP"), ("seed", "seed"),
        ("stop", "stopSequences"), ("presence_penalty", "presencePenalty"),
        ("frequency_penalty", "frequencyPenalty"),
      ],
      into: &configuration
    )
    configuration.set("maxOutputTokens", parameters.maximumTokens)
    if let effort = parameters["reasoning_effort"]?.string {
      configuration["thinkingConfig"] = thinking(effort, endpoint.model)
    }
    if let schema = prompt.responseSchema {
      configuration["responseMimeType"] = "application/json"
      configuration["responseJsonSchema"] = schema.schema
    }
    if !configuration.members.isEmpty { body["generationConfig"] = .object(configuration) }
    return body
  }

  // MARK: Reasoning

  /// For each reasoning effort, the maximum number of thinking tokens.
  ///
  /// Models that do not accept an effort level receive this number instead. Google's
  /// OpenAI-compatible endpoint uses the same numbers.
  static let budgets: [(effort: String, tokens: Int)] = [
    ("none", 0), ("minimal", 1_024), ("low", 1_024), ("medium", 8_192), ("high", 24_576),
  ]

  private static func thinking(_ effort: String, _ model: String) -> JSONValue {
    if GeminiModel(model).takesBudget {
      let budget = budgets.first { $0.effort == effort }?.tokens ?? 0
      return ["thinkingBudget": .number(Double(budget))]
    }
    return ["thinkingLevel": .string(effort.uppercased())]
  }
}
