import SluiceReporting

extension PromptfooProviders {
  // MARK: Model servers

  /// A kind of server that has the API of a vendor.
  struct Server {
    var entry: JSONObject
    /// True if promptfoo sends its own defaults for missing settings.
    var hasDefaults: Bool
    /// A note on how Sluice's request differs from promptfoo's, or `nil` if it does not differ.
    var note: String?

    init(_ entry: JSONObject, _ hasDefaults: Bool, note: String? = nil) {
      self.entry = entry
      self.hasDefaults = hasDefaults
      self.note = note
    }
  }

  func server(_ id: String, _ config: Node?) -> Server? {
    func entry(_ model: String, _ url: String?, _ key: String?, type: String = "openai")
      -> JSONObject
    {
      var entry: JSONObject = ["type": .string(type), "model": .string(model)]
      entry.set("base-url", url.map(JSONValue.string))
      if let key { entry["key"] = ["env": .string(key)] }
      return entry
    }
    if id.hasPrefix("openai:") {
      var rest = String(id.dropFirst("openai:".count))
      var kind = rest.split(separator: ":", maxSplits: 1).first.map(String.init) ?? ""
      let api: ModelAPI = kind == "responses" ? .responses : .chatCompletions
      if kind == "chat" || api == .responses {
        rest = rest.split(separator: ":", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        if rest.isEmpty { rest = config?.text("model") ?? "gpt-4.1-2025-04-14" }
        kind = ""
      }
      if Self.otherInterfaces.contains(kind) || Self.isElsewhere(rest, in: api) { return nil }
      return rest.isEmpty
        ? nil : Server(entry(rest, nil, "OPENAI_API_KEY", type: api.type), true)
    }
    if id.hasPrefix("google:gemini-") || id.hasPrefix("google:gemma-") {
      let model = String(id.dropFirst("google:".count))
      if ["image", "live", "audio", "tts", "embedding"].contains(where: model.contains) {
        return nil
      }
      return Server(entry(model, nil, "GEMINI_API_KEY", type: "gemini"), false)
    }
    if id.hasPrefix("anthropic:") {
      var model = String(id.dropFirst("anthropic:".count))
      if model.hasPrefix("messages:") { model = String(model.dropFirst("messages:".count)) }
      guard model.hasPrefix("claude-"), model.contains(where: \.isNumber) else { return nil }
      return Server(entry(model, nil, "ANTHROPIC_API_KEY", type: "anthropic"), true)
    }
    if id.hasPrefix("bedrock:openai.") {
      let region = config?.text("region") ?? "us-east-1"
      let url = "https://bedrock-runtime.\(region).amazonaws.com/openai/v1"
      let model = String(id.dropFirst("bedrock:".count))
      return Server(entry(model, url, "AWS_BEARER_TOKEN_BEDROCK"), false)
    }
    if id.hasPrefix("ollama:"), !id.hasPrefix("ollama:embedding") {
      var model = String(id.dropFirst("ollama:".count))
      let kind = model.split(separator: ":", maxSplits: 1).first.map(String.init) ?? ""
      if ["chat", "completion"].contains(kind) { model = String(model.dropFirst(kind.count + 1)) }
      if model.isEmpty { return nil }
      return Server(
        entry(model, nil, nil, type: "ollama"),
        false,
        note: kind == "chat" ? nil : Self.ollamaNote
      )
    }
    if id.hasPrefix("databricks:"), let url = config?.text("workspaceUrl"), !url.contains("{{") {
      let model = String(id.dropFirst("databricks:".count))
      return Server(entry(model, "\(url)/serving-endpoints", "DATABRICKS_TOKEN"), true)
    }
    if id.hasPrefix("azure:chat:") || id.hasPrefix("azureopenai:chat:") {
      let deployment = id.split(separator: ":", maxSplits: 2).last.map(String.init) ?? ""
      guard let host = config?.text("apiHost"), !host.contains("{{"), !deployment.isEmpty else {
        return nil
      }
      var found = entry(deployment, "https://\(host)/openai/deployments/\(deployment)", nil)
      found["key"] = ["env": "AZURE_API_KEY", "header": "api-key"]
      let version = config?.text("apiVersion") ?? "2024-12-01-preview"
      found["query"] = ["api-version": .string(version)]
      return Server(found, true)
    }
    for server in Self.servers where id.hasPrefix(server.prefix) {
      var model = String(id.dropFirst(server.prefix.count))
      if model.hasPrefix("chat:") { model = String(model.dropFirst(5)) }
      let kind = model.split(separator: ":", maxSplits: 1).first.map(String.init) ?? ""
      if model.isEmpty || Self.otherInterfaces.contains(kind) && model.contains(":") { return nil }
      return Server(entry(model, server.url, server.key), server.hasDefaults)
    }
    return nil
  }

  static func way(insteadOf id: String) -> String {
    switch id.split(separator: ":").first.map(String.init) ?? "" {
    case "anthropic":
      "'type: anthropic' uses the Messages API; use an 'exec' backend for other interfaces"
    case "google": "'type: gemini' only generates text; use an 'exec' backend for other interfaces"
    case "ollama": "'type: ollama' uses the chat API; use an 'exec' backend for other interfaces"
    case "vertex": "'type: gemini' with the 'base-url' of Vertex (docs/backends.md)"
    case "bedrock", "azure", "cohere", "databricks", "vercel", "helicone", "cloudflare-gateway",
      "huggingface", "watsonx", "truefoundry", "llama":
      "'type: openai' with the 'base-url' of its chat completions, if it has them"
    case "openai":
      "'type: openai' uses chat completions and 'type: openai-responses' the Responses API; use "
        + "an 'exec' backend for other interfaces"
    case "file", "python", "exec", "golang", "ruby", "package":
      "'type: exec' with a program that reads a line of JSON and writes one (docs/backends.md)"
    case "echo": "an 'exec' backend that returns the prompt"
    default: "an 'exec' backend that calls it (docs/backends.md)"
    }
  }
}
