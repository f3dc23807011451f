import SluiceSupport

extension ModelResponse {
  /// One of the answers to a request; most requests ask for one.
  public struct Choice: Hashable, Sendable {
    /// The visible text of the answer; nil when there is none.
    public var text: String?
    /// Why the model says that it will not answer, if it does.
    public var refusal: String?
    /// Why the answer ended, in the word of the wire.
    public var finishReason: String?
    /// The calls of the caller's functions that the model asks for.
    public var toolCalls: [ToolCall]
    /// What the model wrote while it thought, which is no part of the answer.
    public var reasoning: String?
    /// How likely the tokens of the answer were, if that was asked for.
    public var logprobs: [TokenLogprob]

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - text: The visible text.
    ///   - refusal: Why the model says that it will not answer.
    ///   - finishReason: Why the answer ended.
    ///   - toolCalls: The calls that the model asks for.
    ///   - reasoning: What the model wrote while it thought.
    ///   - logprobs: How likely the tokens were.
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

/// A call of a function that a model asks for.
public struct ToolCall: Hashable, Sendable {
  /// What the answer to the call refers to; empty where the server sent none.
  public var id: String
  /// The function's name.
  public var name: String
  /// The arguments as the model wrote them, which should be a JSON object.
  public var arguments: String

  /// Creates a call.
  ///
  /// - Parameters:
  ///   - id: What the answer to the call refers to.
  ///   - name: The function's name.
  ///   - arguments: The arguments as the model wrote them.
  public init(id: String, name: String, arguments: String) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}

/// How likely a token of an answer was.
public struct TokenLogprob: Hashable, Sendable {
  /// The token's text.
  public var token: String
  /// The natural logarithm of its probability, at most 0.
  public var logprob: Double

  /// Creates the likelihood of a token.
  ///
  /// - Parameters:
  ///   - token: The token's text.
  ///   - logprob: The natural logarithm of its probability.
  public init(token: String, logprob: Double) {
    self.token = token
    self.logprob = logprob
  }
}
