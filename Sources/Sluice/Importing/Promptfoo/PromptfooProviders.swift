import SluiceReporting

/// The backends that stand for the providers of a configuration.
struct PromptfooProviders {
  /// A provider that came over.
  struct Backend {
    var name: String
    /// The entry of `sluice.yaml`.
    var entry: JSONObject
    /// Parameters under the names that files have; they are written into prompts where these have some.
    var parameters: JSONObject
    var responseSchema: JSONValue?
    var comments: [String] = []
  }

  private let context: PromptfooContext
  private(set) var backends: [Backend] = []
  /// The number of providers that nothing was written of, or not all.
  private(set) var lost = 0
  private(set) var partial = 0
  /// The form of outputs: a text, an object, or nil where it depends on providers that did not come over.
  private(set) var outputIsText: Bool?
  private var forms: Set<String> = []

  init(_ context: PromptfooContext) { self.context = context }

  private static let servers: [(prefix: String, url: String, key: String?, hasDefaults: Bool)] = [
    ("openrouter:", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", true),
    ("groq:", "https://api.groq.com/openai/v1", "GROQ_API_KEY", true),
    ("mistral:", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", false),
    ("deepseek:", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", true),
    ("xai:", "https://api.x.ai/v1", "XAI_API_KEY", true),
    ("togetherai:", "https://api.together.xyz/v1", "TOGETHER_API_KEY", true),
    ("cerebras:", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY", true),
    ("perplexity:", "https://api.perplexity.ai", "PERPLEXITY_API_KEY", true),
    ("hyperbolic:", "https://api.hyperbolic.xyz/v1", "HYPERBOLIC_API_KEY", true),
    ("nscale:", "https://inference.api.nscale.com/v1", "NSCALE_SERVICE_TOKEN", true),
    ("github:", "https://models.github.ai/inference", "GITHUB_TOKEN", true),
    ("aimlapi:chat:", "https://api.aimlapi.com/v1", "AIML_API_KEY", true),
    ("cometapi:chat:", "https://api.cometapi.com/v1", "COMETAPI_KEY", true),
    ("litellm:", "http://localhost:4000", "LITELLM_API_KEY", true),
    ("llamaapi:", "https://api.llama.com/compat/v1", "LLAMA_API_KEY", true),
    ("docker:", "http://localhost:12434/engines/v1", nil, true),
    ("localai:chat:", "http://localhost:8080/v1", nil, false),
    ("ollama:chat:", "http://localhost:11434/v1", nil, false),
  ]

  /// The words after a colon that are no model but another interface.
  private static let otherInterfaces = [
    "responses", "embedding", "embeddings", "moderation", "image", "video", "voice", "realtime",
    "assistant", "completion", "transcription", "agents", "chatkit", "codex", "codex-sdk", "audio",
    "speech", "tts", "codex-app-server",
  ]

  private static let responsesModels = ["o1-pro", "o3-pro", "computer-use-preview", "codex-mini-latest"]

  // MARK: Reading

  mutating func read(_ root: Node) {
    let nodes = ["providers", "targets"].compactMap { root.present($0) }
    for node in nodes {
      if let elements = node.elements {
        for element in elements { readEntry(element) }
      } else {
        readEntry(node)
      }
    }
    outputIsText = forms == ["text"] ? true : forms == ["object"] ? false : nil
    if nodes.isEmpty {
      context.report(
        .leftOut,
        .backend,
        .init(context.configuration, root.position),
        "the configuration names no provider"
      )
    }
    if backends.isEmpty { addPlaceholder() }
  }

  private mutating func addPlaceholder() {
    context.fillIn("the backend 'fill-in' in sluice.yaml: the model to ask, and where")
    backends = [
      Backend(
        name: "fill-in",
        entry: [
          "type": "openai", "model": "FILL-IN", "base-url": "http://127.0.0.1:9/v1",
        ],
        parameters: [:],
        comments: [
          "FILL IN: no provider of \(context.configuration) could be carried over. Name a model and its "
            + "server here (docs/backends.md); until then every request fails."
        ]
      )
    ]
  }

  var hasPlaceholder: Bool { backends.first?.name == "fill-in" }

  private mutating func readEntry(_ node: Node) {
    let place = PromptfooContext.Place(context.configuration, node.position)
    if let id = node.string { return add(id, nil, label: nil, at: place) }
    guard let members = node.members, let first = members.first else {
      return leaveOut("a provider that is no name", at: place)
    }
    if let id = node.text("id") { return add(id, node, label: node.text("label"), at: place) }
    if members.count == 1, first.value.members != nil {
      return add(first.key, first.value, label: first.value.text("label"), at: place)
    }
    leaveOut("a provider without an id", at: place)
  }

  private mutating func leaveOut(_ message: String, at place: PromptfooContext.Place, nearest: String? = nil) {
    lost += 1
    forms.insert("unknown")
    context.report(.leftOut, .backend, place, message, nearest: nearest)
  }

  /// Makes the entry of a judge; nil, with the reason reported, where it has no counterpart.
  mutating func judge(_ node: Node, in path: ProjectPath) -> Backend? {
    var node = node
    if node.text("id") == nil, let text = node.present("text") { node = text }
    let place = PromptfooContext.Place(path, node.position)
    var inner = PromptfooProviders(context)
    if let id = node.string {
      inner.add(id, nil, label: nil, at: place)
    } else if let id = node.text("id") {
      inner.add(id, node, label: nil, at: place)
    } else {
      context.report(.leftOut, .backend, place, "the judge is no provider with an id")
    }
    return inner.backends.first
  }

  /// The judge that promptfoo takes where nothing names one and OpenAI's key is set.
  static let usualJudge = Backend(
    name: "judge",
    entry: ["type": "openai", "model": "gpt-4.1-2025-04-14", "key": ["env": "OPENAI_API_KEY"]],
    parameters: ["temperature": 0, "max-tokens": 1_024]
  )

  private mutating func add(
    _ id: String,
    _ node: Node?,
    label: String?,
    at place: PromptfooContext.Place
  ) {
    if id.contains("{{") { return leaveOut("the provider '\(id)': a template", at: place) }
    let config = node?.present("config")
    if id == "http" || id == "https" || id.hasPrefix("http://") || id.hasPrefix("https://") {
      return addEndpoint(id, config, label, at: place, node)
    }
    guard let server = server(id, config) else {
      return leaveOut("the provider '\(id)'", at: place, nearest: Self.way(insteadOf: id))
    }
    var isWhole = true
    func partly(_ key: Node.Member, _ why: String, nearest: String? = nil) {
      isWhole = false
      context.report(
        .leftOut,
        .backend,
        .init(place.path, key.keyPosition),
        "'\(key.key)' of the provider '\(id)': \(why)",
        nearest: nearest
      )
    }
    for member in node?.members ?? [] {
      switch member.key {
      case "id", "label", "config", "env", "inputs": break
      case "delay", "maxConcurrency":
        context.report(
          .note,
          .setting,
          .init(place.path, member.keyPosition),
          "'\(member.key)' of the provider '\(id)' is left out: 'max-in-flight' bounds requests"
        )
      case "prompts":
        partly(member, "every backend of a suite gets every prompt", nearest: "a suite of its own")
      case "transform": partly(member, "a program", nearest: "'extract:' of the suite")
      default: partly(member, "no counterpart")
      }
    }
    var entry = server.entry
    var parameters = JSONObject()
    var schema: JSONValue?
    var form = "text"
    for member in config?.members ?? [] {
      let value = member.value
      switch (member.key, value.value) {
      case ("temperature", .number), ("top_p", .number), ("seed", .number), ("max_tokens", .number),
        ("max_completion_tokens", .number), ("presence_penalty", .number),
        ("frequency_penalty", .number), ("reasoning_effort", .string):
        parameters[member.key.replacing("_", with: "-")] = value.json
      case ("stop", .string), ("stop", .sequence): parameters["stop"] = value.json
      case ("apiBaseUrl", .string(let url)): entry["base-url"] = .string(url)
      case ("apiHost", .string(let host)) where !id.hasPrefix("azure"):
        entry["base-url"] = .string("https://\(host)/v1")
      case ("apiHost", _), ("deploymentName", _): break
      case ("apiVersion", _) where id.hasPrefix("azure"): break
      case ("apiKeyEnvar", .string(let name)) where Surroundings.isVariable(name):
        entry["key"] = ["env": .string(name)]
      case ("apiKey", _):
        context.report(
          .note,
          .setting,
          .init(place.path, member.keyPosition),
          "a key is never copied; set the environment variable that sluice.yaml names"
        )
      case ("organization", .string): entry["organization"] = value.json
      case ("headers", .mapping(let headers)):
        var kept = JSONObject()
        for header in headers {
          guard case .string(let text) = header.value.value, !text.contains("{{"),
            !["authorization", "api-key", "x-api-key", "cookie", "proxy-authorization"]
              .contains(header.key.lowercased())
          else {
            partly(member, "the header '\(header.key)'", nearest: "'key: {env: NAME, header: …}'")
            continue
          }
          kept[header.key] = .string(text)
        }
        if !kept.members.isEmpty { entry["headers"] = .object(kept) }
      case ("response_format", _):
        switch value.text("type") {
        case "text": break
        case "json_schema":
          let written = value["json_schema"]?.json ?? value.json
          if written["strict"]?.bool != false, let found = written["schema"], found.object != nil {
            schema = found
            form = "object"
          } else {
            partly(member, "a schema that is not strict", nearest: "'response-schema:' of the prompt")
          }
        default:
          partly(member, "JSON without a schema", nearest: "'response-schema:' of the prompt")
        }
      case ("tools", _), ("functions", _), ("tool_choice", _), ("function_call", _):
        form = "unknown"
        partly(member, "tools are not sent", nearest: "an 'exec' or 'http' backend that sends them")
      case ("showThinking", _), ("cost", _), ("maxRetries", _), ("omitDefaults", _): break
      default: partly(member, "no counterpart")
      }
    }
    if server.hasDefaults, config?["omitDefaults"]?.json != .bool(true) {
      Self.addDefaults(
        to: &parameters,
        model: entry["model"]?.string ?? "",
        isCerebras: id.hasPrefix("cerebras:")
      )
    }
    forms.insert(form)
    if !isWhole { partial += 1 }
    for (place, backend) in backends.enumerated()
    where backend.entry == entry && backend.parameters == parameters {
      _ = place
      return context.report(.note, .setting, .init(self.context.configuration, node?.position), "'\(id)' stands there twice")
    }
    backends.append(
      Backend(
        name: name(label ?? entry["model"]?.string ?? id),
        entry: entry,
        parameters: parameters,
        responseSchema: schema
      )
    )
  }

  /// Takes a parameter out of all backends.
  mutating func removeParameter(_ name: String) {
    for index in backends.indices { backends[index].parameters[name] = nil }
  }

  /// The values that promptfoo sends where the configuration says nothing.
  private static func addDefaults(
    to parameters: inout JSONObject,
    model: String,
    isCerebras: Bool
  ) {
    let name = model.split(separator: "/").last.map(String.init) ?? model
    let isReasoning = ["o1", "o3", "o4", "gpt-5"].contains { name.hasPrefix($0) }
    if isReasoning {
      parameters["temperature"] = nil
      parameters["max-tokens"] = nil
      return
    }
    if isCerebras, parameters["max-completion-tokens"] != nil {
      parameters["max-tokens"] = nil
    } else {
      // promptfoo sends it to models that reason alone.
      parameters["max-completion-tokens"] = nil
      if parameters["max-tokens"] == nil { parameters["max-tokens"] = 1_024 }
    }
    if parameters["temperature"] == nil { parameters["temperature"] = 0 }
  }

  private func name(_ wish: String) -> String {
    let stem = Identifier.made(of: String(wish.prefix(60))) ?? "model"
    var number = 1
    func numbered() -> String { number == 1 ? stem : "\(stem)-\(number)" }
    while numbered() == "judge" || backends.contains(where: { $0.name == numbered() }) { number += 1 }
    return numbered()
  }

  // MARK: Servers of chat completions

  private func server(_ id: String, _ config: Node?) -> (entry: JSONObject, hasDefaults: Bool)? {
    func entry(_ model: String, _ url: String?, _ key: String?) -> JSONObject {
      var entry: JSONObject = ["type": "openai", "model": .string(model)]
      entry.set("base-url", url.map(JSONValue.string))
      if let key { entry["key"] = ["env": .string(key)] }
      return entry
    }
    if id.hasPrefix("openai:") {
      var rest = String(id.dropFirst("openai:".count))
      let kind = rest.split(separator: ":", maxSplits: 1).first.map(String.init) ?? ""
      if Self.otherInterfaces.contains(kind) { return nil }
      if kind == "chat" {
        rest = rest.hasPrefix("chat:") ? String(rest.dropFirst(5)) : ""
        if rest.isEmpty { rest = config?.text("model") ?? "gpt-4.1-2025-04-14" }
      } else if Self.responsesModels.contains(rest) || rest.hasSuffix("-deep-research")
        || rest.hasSuffix("-codex") || rest.contains("-realtime") || rest.hasSuffix("-instruct")
        || rest.hasPrefix("davinci") || rest.hasPrefix("babbage")
      {
        return nil
      }
      if rest.contains("-audio") { return nil }
      return rest.isEmpty ? nil : (entry(rest, nil, "OPENAI_API_KEY"), true)
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
      return (found, true)
    }
    for server in Self.servers where id.hasPrefix(server.prefix) {
      var model = String(id.dropFirst(server.prefix.count))
      if model.hasPrefix("chat:") { model = String(model.dropFirst(5)) }
      let kind = model.split(separator: ":", maxSplits: 1).first.map(String.init) ?? ""
      if model.isEmpty || Self.otherInterfaces.contains(kind) && model.contains(":") { return nil }
      return (entry(model, server.url, server.key), server.hasDefaults)
    }
    return nil
  }

  private static func way(insteadOf id: String) -> String {
    switch id.split(separator: ":").first.map(String.init) ?? "" {
    case "anthropic", "google", "vertex", "bedrock", "azure", "cohere", "ollama", "databricks",
      "vercel", "helicone", "cloudflare-gateway", "huggingface", "watsonx", "truefoundry", "llama":
      "'type: openai' with the 'base-url' of its chat completions, where it offers them"
    case "openai": "'type: openai' asks chat completions; other interfaces are asked by an 'exec' backend"
    case "file", "python", "exec", "golang", "ruby", "package":
      "'type: exec', a program that reads a line of JSON and writes one (docs/backends.md)"
    case "echo": "an 'exec' backend that writes its prompt"
    default: "an 'exec' backend that asks it (docs/backends.md)"
    }
  }

  // MARK: An app's own endpoint

  private mutating func addEndpoint(
    _ id: String,
    _ config: Node?,
    _ label: String?,
    at place: PromptfooContext.Place,
    _ node: Node?
  ) {
    let url = config?.text("url") ?? (id.contains("://") ? id : nil)
    guard let url, !url.contains("{{") else {
      return leaveOut("the provider '\(id)': an address with a template, or none", at: place)
    }
    let known = ["url", "method", "headers", "body", "transformResponse", "responseParser", "queryParams"]
    if let other = config?.members?.first(where: { !known.contains($0.key) }) {
      return leaveOut(
        "the provider '\(url)' with '\(other.key)'",
        at: place,
        nearest: "'type: http' for one POST with a JSON body"
      )
    }
    guard (config?.text("method") ?? "POST").uppercased() == "POST",
      let body = config?.present("body")?.json, let object = body.object
    else {
      return leaveOut("the provider '\(url)': no POST with a JSON body in place", at: place, nearest: "'type: http'")
    }
    func hasOnlyNames(_ value: JSONValue) -> Bool {
      switch value {
      case .string(let text):
        guard let template = try? NunjucksTemplate(text) else { return false }
        return (try? template.counterpart()) == text.replacing(/\{\{\s*([\w.]+)\s*\}\}/) { "{{\($0.1)}}" }
      case .array(let elements): return elements.allSatisfy(hasOnlyNames)
      case .object(let object): return object.members.allSatisfy { hasOnlyNames($0.value) }
      default: return true
      }
    }
    guard hasOnlyNames(body) else {
      return leaveOut("the provider '\(url)': a body with more than {{names}}", at: place, nearest: "'type: http'")
    }
    var entry: JSONObject = ["type": "http", "url": .string(url)]
    for header in config?["headers"]?.members ?? [] {
      guard case .string(let text) = header.value.value else { continue }
      let name = header.key.lowercased()
      if name == "content-type" { continue }
      if name == "authorization",
        let match = text.wholeMatch(of: /Bearer \{\{\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/)
      {
        entry["key"] = ["env": .string(String(match.1))]
      } else if text.contains("{{") || ["authorization", "cookie", "api-key", "x-api-key"].contains(name) {
        return leaveOut("the provider '\(url)': the header '\(header.key)'", at: place, nearest: "'key: {env: NAME, header: …}'")
      } else {
        var headers = entry["headers"]?.object ?? [:]
        headers[header.key] = .string(text)
        entry["headers"] = .object(headers)
      }
    }
    if let query = config?["queryParams"]?.json.object {
      guard query.members.allSatisfy({ $0.value.string.map { !$0.contains("{{") } ?? false }) else {
        return leaveOut("the provider '\(url)': 'queryParams' with a template", at: place)
      }
      entry["query"] = .object(query)
    }
    var answer = "."
    if let parser = (config?.present("transformResponse") ?? config?.present("responseParser")) {
      guard let text = parser.string,
        let match = text.trimmed.wholeMatch(of: /json((?:\.[A-Za-z_]\w*|\[\d+\])*)/)
      else {
        return leaveOut("the provider '\(url)': 'transformResponse' is more than a path", at: place, nearest: "'answer: {text: …}'")
      }
      let path = String(match.1).replacing("[", with: ".").replacing("]", with: "")
      answer = path.hasPrefix(".") ? String(path.dropFirst()) : path
      if answer.isEmpty { answer = "." }
    }
    entry["body"] = .object(object)
    entry["answer"] = ["text": .string(answer)]
    entry["fingerprint"] = ["version": "1"]
    forms.insert("unknown")
    backends.append(
      Backend(
        name: name(label ?? ProjectPath(url).stem),
        entry: entry,
        parameters: [:],
        comments: ["Change the version of the fingerprint whenever the app behind it changes."]
      )
    )
  }
}
