import SluiceSupport

extension ModelResponse {
  /// One of the answers to a request; most requests ask for only one.
  public struct Choice: Hashable, Sendable {
    /// The visible text of the answer; nil if there is none.
    public var text: String?
    /// The model's refusal, if any.
    public var refusal: String?
    /// The finish reason, in the API's word.
    public var finishReason: String?
    /// The calls of the caller's functions, as requested by the model.
    public var toolCalls: [ToolCall]
    /// The model's reasoning, which is not part of the answer.
    public var reasoning: String?
    /// The log probabilities of the answer's tokens, if requested.
    public var logprobs: [TokenLogprob]

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - text: The visible text.
    ///   - refusal: The model's refusal.
    ///   - finishReason: The finish reason, in the API's word.
    ///   - toolCalls: The requested function calls.
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

/// A function call requested by a model.
public struct ToolCall: Hashable, Sendable {
  /// The id that the result of the call refers to; empty if the server sent none.
  public var id: String
  /// The function's name.
  public var name: String
  /// The arguments as written by the model, which should be a JSON object.
  public var arguments: String

  /// Creates a call.
  ///
  /// - Parameters:
  ///   - id: The id that the result of the call refers to.
  ///   - name: The function's name.
  ///   - arguments: The arguments as written by the model.
  public init(id: String, name: String, arguments: String) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}

/// The log probability of a token in an answer.
public struct TokenLogprob: Hashable, Sendable {
  /// The token's text.
  public var token: String
  /// The natural logarithm of its probability, at most 0.
  public var logprob: Double

  /// Creates the log probability of a token.
  ///
  /// - Parameters:
  ///   - token: The token's text.
  ///   - logprob: The natural logarithm of its probability.
  public init(token: String, logprob: Double) {
    self.token = token
    self.logprob = logprob
  }
}
