import SluiceSupport

extension ModelResponse {
  /// One of the answers to a request.
  ///
  /// Most requests ask for only one answer.
  public struct Choice: Hashable, Sendable {
    /// The visible text of the answer; nil if there is none.
    public var text: String?
    /// The model's refusal, if any.
    public var refusal: String?
    /// The finish reason, as the API calls it.
    public var finishReason: String?
    /// The function calls that the model requests.
    public var toolCalls: [ToolCall]
    /// The model's reasoning.
    ///
    /// The reasoning is not part of the answer.
    public var reasoning: String?
    /// The log probabilities of the answer's tokens, if they were requested.
    public var logprobs: [TokenLogprob]

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - text: The visible text.
    ///   - refusal: The model's refusal.
    ///   - finishReason: The finish reason, as the API calls it.
    ///   - toolCalls: The function calls that the model requests.
    ///   - reasoning: The model's reasoning.
    ///   - logprobs: The log probabilities of the tokens.
    public init(
      text: String?,
      refusal: String? = nil,
      finishReason: String? = nil,
      toolCalls: [ToolCall] = [],
      reasoning: String? = nil,
      logprobs: [TokenLogprob] = []
    ) {
      self.text = text
      self.refusal = refusal
      self.finishReason = finishReason
      self.toolCalls = toolCalls
      self.reasoning = reasoning
      self.logprobs = logprobs
    }
  }
}

/// A function call that a model requests.
public struct ToolCall: Hashable, Sendable {
  /// The id to which the result of the call must refer; empty if the server sent none.
  public var id: String
  /// The name of the function.
  public var name: String
  /// The arguments as the model wrote them, which should be a JSON object.
  public var arguments: String

  /// Creates a call.
  ///
  /// - Parameters:
  ///   - id: The id to which the result of the call must refer.
  ///   - name: The name of the function.
  ///   - arguments: The arguments as the model wrote them.
  public init(id: String, name: String, arguments: String) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}

/// The log probability of a token in an answer.
public struct TokenLogprob: Hashable, Sendable {
  /// The text of the token.
  public var token: String
  /// The natural logarithm of the token's probability, at most 0.
  public var logprob: Double

  /// Creates the log probability of a token.
  ///
  /// - Parameters:
  ///   - token: The text of the token.
  ///   - logprob: The natural logarithm of the token's probability.
  public init(token: String, logprob: Double) {
    self.token = token
    self.logprob = logprob
  }
}
