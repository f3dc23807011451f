package import SluiceSupport

/// The parameters that an API or a model is known to reject.
///
/// A server would reject each request that contains one of these parameters. So Sluice reports them
/// before it sends anything. If it is unknown whether a parameter is rejected, Sluice sends it.
package enum ParameterSupport {
  /// The reason why a parameter cannot be sent.
  package struct Refusal: Hashable, Sendable {
    /// The parameter's name in the project's files.
    package var parameter: String
    /// The reason, as a sentence without its final period.
    package var reason: String
    /// The value or parameter to use instead, if any.
    package var fix: String?
    /// The parameter's name in chat completions.
    package var wire: String
    /// True if the only remedy is to leave the parameter out.
    ///
    /// Sluice leaves the parameter out if the prompt has `ignore-unsupported: true`.
    package var canBeLeftOut: Bool
  }

  /// Returns the rejected parameters of a request.
  ///
  /// - Parameters:
  ///   - parameters: All parameters, under the names of chat completions.
  ///   - endpoint: The model and its API.
  /// - Returns: A refusal for each parameter that is known to be rejected, in the given order.
  package static func refusals(of parameters: JSONObject, by endpoint: ModelEndpoint) -> [Refusal] {
    parameters.members.compactMap { member in
      guard
        let found = refusal(of: member.name, member.value, among: parameters, endpoint),
        let name = ParameterReader.wireNames.first(where: { $0.wire == member.name })?.name
      else { return nil }
      return Refusal(
        parameter: name,
        reason: "'\(name)' \(found.reason)",
        fix: found.fix,
        wire: member.name,
        canBeLeftOut: found.fix == nil
      )
    }
  }

  private typealias Found = (reason: String, fix: String?)

  private static func refusal(
    of name: String,
    _ value: JSONValue,
    among parameters: JSONObject,
    _ endpoint: ModelEndpoint
  ) -> Found? {
    let api = endpoint.api
    if missing(from: api).contains(name) { return ("is not a parameter of \(api.title)", nil) }
    if name == "max_tokens", parameters["max_completion_tokens"] != nil, api != .chatCompletions {
      return (
        "cannot be combined with 'max-completion-tokens', which has the same meaning",
        "keep one of them"
      )
    }
    if name == "reasoning_effort" { return effortRefusal(value.string ?? "", endpoint) }
    switch api {
    case .messages(let version):
      return anthropicRefusal(of: name, value, among: parameters, version, endpoint)
    case .chatCompletions, .responses:
      // Other servers with these APIs have their own models, to which OpenAI's rules do not apply.
      let isVendor = endpoint.server.host == "https://api.openai.com"
      return isVendor ? openAIRefusal(of: name, value, among: parameters, endpoint) : nil
    case .generateContent:
      let isRefused =
        penaltyNames.contains(name) && GeminiModel(endpoint.model).refusesPenalties && value != 0
      return isRefused ? refused(by: endpoint) : nil
    case .ollamaChat: return nil
    }
  }

  /// The parameters that control the sampling of tokens.
  private static let samplingNames = ["temperature", "top_p"]
  private static let penaltyNames = ["presence_penalty", "frequency_penalty"]

  /// Returns the parameters that an API lacks.
  private static func missing(from api: ModelAPI) -> [String] {
    switch api {
    case .chatCompletions, .generateContent, .ollamaChat: []
    case .responses: ["seed", "stop"] + penaltyNames
    case .messages: ["seed"] + penaltyNames
    }
  }

  private static func refused(by endpoint: ModelEndpoint) -> Found {
    ("is rejected by the model '\(endpoint.model)'", nil)
  }

  private static func effortRefusal(_ effort: String, _ endpoint: ModelEndpoint) -> Found? {
    let known: [String]
    var whose = endpoint.api.title
    switch endpoint.api {
    // Servers for chat completions accept different words.
    case .chatCompletions: return nil
    case .responses: known = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]
    case .ollamaChat: known = ["none", "low", "medium", "high", "max"]
    case .messages:
      let model = AnthropicModel(endpoint.model)
      if model != nil { whose = "the model '\(endpoint.model)'" }
      known = model?.efforts ?? ["none", "low", "medium", "high", "xhigh", "max"]
    case .generateContent:
      whose = "the model '\(endpoint.model)'"
      known = GeminiModel(endpoint.model).efforts
    }
    if known.contains(effort) { return nil }
    if known.isEmpty { return ("is not a parameter of \(whose)", nil) }
    return (
      "cannot be '\(effort)' for \(whose)", "write one of these: \(known.joined(separator: ", "))"
    )
  }

  /// Returns true if a model rejects a conversation that ends with the start of an assistant
  /// message.
  package static func refusesPrefill(_ endpoint: ModelEndpoint) -> Bool {
    guard case .messages = endpoint.api else { return false }
    return AnthropicModel(endpoint.model)?.refusesPrefill ?? false
  }

  // MARK: Vendors

  private static func anthropicRefusal(
    of name: String,
    _ value: JSONValue,
    among parameters: JSONObject,
    _ version: ModelAPI.MessagesVersion,
    _ endpoint: ModelEndpoint
  ) -> Found? {
    guard samplingNames.contains(name) else { return nil }
    if version.date == ModelAPI.MessagesVersion.known[1] {
      return ("is not a parameter of version \(version.date) of \(endpoint.api.title)", nil)
    }
    if let number = value.number, !(0...1).contains(number) {
      return ("must be between 0 and 1 for \(endpoint.api.title)", "write a number from 0 to 1")
    }
    guard let model = AnthropicModel(endpoint.model) else { return nil }
    if model.refusesSampling(value) { return refused(by: endpoint) }
    if name == "top_p", model.takesOneOfSampling, parameters["temperature"] != nil {
      return (
        "cannot be combined with 'temperature' for the model '\(endpoint.model)'",
        "keep one of them"
      )
    }
    return nil
  }

  private static func openAIRefusal(
    of name: String,
    _ value: JSONValue,
    among parameters: JSONObject,
    _ endpoint: ModelEndpoint
  ) -> Found? {
    let model = OpenAIModel(endpoint.model)
    if model.reasoning == .none { return nil }
    if name == "max_tokens", endpoint.api == .chatCompletions {
      return (
        "is rejected by the model '\(endpoint.model)'", "write 'max-completion-tokens' instead"
      )
    }
    guard (samplingNames + penaltyNames).contains(name) else { return nil }
    // The default value is accepted, because it has no effect.
    if value == (samplingNames.contains(name) ? 1 : 0) { return nil }
    guard model.reasons(at: parameters["reasoning_effort"]?.string) else { return nil }
    let condition = model.reasoning == .always ? "" : " while it reasons"
    return ("is rejected by the model '\(endpoint.model)'\(condition)", nil)
  }
}
