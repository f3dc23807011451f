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
    /// The form of the answer as the server takes it.
    var responseFormat: JSONValue?
    /// A text that is sent before every prompt.
    var instructions: String?
    var comments: [String] = []
  }

  let context: PromptfooContext
  var backends: [Backend] = []
  /// The number of providers that nothing was written of, or not all.
  var lost = 0
  var partial = 0
  /// The form of outputs: a text, an object, or nil where it depends on providers that did not come over.
  var outputIsText: Bool?
  var forms: Set<String> = []

  init(_ context: PromptfooContext) { self.context = context }

  static let servers: [(prefix: String, url: String, key: String?, hasDefaults: Bool)] = [
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
    ("huggingface:chat:", "https://router.huggingface.co/v1", "HF_TOKEN", true),
    ("truefoundry:", "https://llm-gateway.truefoundry.com", "TRUEFOUNDRY_API_KEY", true),
    ("helicone:", "http://localhost:8080/ai", "HELICONE_API_KEY", true),
    ("vercel:", "https://ai-gateway.vercel.sh/v1", "AI_GATEWAY_API_KEY", false),
    ("localai:chat:", "http://localhost:8080/v1", nil, false),
    ("ollama:chat:", "http://localhost:11434/v1", nil, false),
  ]

  /// The words after a colon that are no model but another interface.
  static let otherInterfaces = [
    "responses", "embedding", "embeddings", "moderation", "image", "video", "voice", "realtime",
    "assistant", "completion", "transcription", "agents", "chatkit", "codex", "codex-sdk", "audio",
    "speech", "tts", "codex-app-server",
  ]

  /// Members of the request's body that promptfoo sends as they are, of several servers.
  static let bodyMembers: Set<String> = [
    "verbosity", "logit_bias", "top_k", "min_p", "repetition_penalty", "service_tier",
    "search_parameters", "web_search_options", "search_domain_filter", "search_recency_filter",
    "search_after_date_filter", "search_before_date_filter", "return_related_questions",
    "return_images", "search_mode",
  ]

  static func isSetElsewhere(_ name: String) -> Bool {
    ["model", "messages", "stream", "stream_options", "n"].contains(name)
      || ParameterReader.wireNames.contains { $0.wire == name }
  }

  /// The models of OpenAI that chat completions do not offer.
  static func isElsewhere(_ model: String) -> Bool {
    ["o1-pro", "o3-pro", "gpt-5-pro", "computer-use-preview"].contains { model.hasPrefix($0) }
      || ["codex", "deep-research", "-realtime", "-audio", "-transcribe", "-tts", "-image"]
        .contains { model.contains($0) }
      || model.hasSuffix("-instruct") || model.hasPrefix("davinci") || model.hasPrefix("babbage")
  }

  static let responsesNote =
    "promptfoo asks the Responses API, and the backend asks chat completions, of the same model"
  static let anthropicNote =
    "promptfoo asks the Messages API, and the backend asks its chat completions, of the same model"
  static let ollamaNote =
    "promptfoo asks for a completion, and the backend asks for a chat of one message"
  static let googleNote =
    "promptfoo asks Gemini's own API, and the backend asks its chat completions, of the same model"

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

  mutating func addPlaceholder() {
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

  mutating func readEntry(_ node: Node) {
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

  mutating func leaveOut(
    _ message: String,
    at place: PromptfooContext.Place,
    nearest: String? = nil
  ) {
    lost += 1
    forms.insert("unknown")
    context.report(.leftOut, .backend, place, message, nearest: nearest)
  }

  /// Makes the entry of a judge; nil, with the reason reported, where it has no counterpart.
  mutating func judge(_ node: Node, in path: ProjectPath) -> Backend? {
    var node = node
    if node.text("id") == nil, let text = node.present("text") { node = text }
    // A provider of embeddings alone judges nothing.
    if node.text("id") == nil, node.string == nil, node.present("embedding") != nil {
      return Self.usualJudge
    }
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

  mutating func add(
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
    if let note = server.note {
      context.report(.note, .backend, place, "the provider '\(id)': \(note)")
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
      case "transform":
        isWhole = false
        context.report(
          .leftOut,
          .assertion,
          .init(place.path, member.keyPosition),
          "'transform' of the provider '\(id)' changes the outputs that assertions judge",
          nearest: "'extract:' of the suite"
        )
      default: partly(member, "no counterpart")
      }
    }
    var entry = server.entry
    var parameters = JSONObject()
    var schema: JSONValue?
    var instructions: String?
    var extra = JSONObject()
    var format: JSONValue?
    var form = "text"
    for member in config?.members ?? [] {
      let value = member.value
      switch (member.key, value.value) {
      case ("temperature", .number), ("top_p", .number), ("seed", .number), ("max_tokens", .number),
        ("max_completion_tokens", .number), ("presence_penalty", .number),
        ("frequency_penalty", .number), ("reasoning_effort", .string):
        parameters[member.key.replacing("_", with: "-")] = value.json
      case ("stop", .string), ("stop", .sequence): parameters["stop"] = value.json
      case ("max_output_tokens", .number) where id.hasPrefix("openai:responses"):
        parameters["max-tokens"] = value.json
        parameters["max-completion-tokens"] = value.json
      case ("reasoning", .mapping) where value.text("effort") != nil && value.members?.count == 1:
        parameters["reasoning-effort"] = .string(value.text("effort") ?? "")
      case ("num_predict", .number) where id.hasPrefix("ollama:"):
        parameters["max-tokens"] = value.json
      case ("maxOutputTokens", .number) where id.hasPrefix("google:"):
        parameters["max-tokens"] = value.json
      case ("topP", .number) where id.hasPrefix("google:"): parameters["top-p"] = value.json
      case ("generationConfig", .mapping(let settings)) where id.hasPrefix("google:"):
        let names = [
          "temperature": "temperature", "maxOutputTokens": "max-tokens", "topP": "top-p",
        ]
        for setting in settings {
          guard let name = names[setting.key], case .number = setting.value.value else {
            partly(setting, "no counterpart")
            continue
          }
          parameters[name] = setting.value.json
        }
      case ("instructions", .string(let text)) where !text.contains("{{") && !text.contains("{%"):
        instructions = text
      case ("isReasoningModel", .bool): break
      case ("region", .string) where id.hasPrefix("bedrock:"): break
      case ("store", _), ("user", _), ("metadata", _), ("loggingConfig", _), ("usage_tier", _):
        context.report(
          .note,
          .setting,
          .init(place.path, member.keyPosition),
          "'\(member.key)' of the provider '\(id)' is left out; it changes no answer"
        )
      case ("max_output_tokens", _)
      where id.hasPrefix("openai:") && !id.hasPrefix("openai:responses"):
        context.report(
          .note,
          .setting,
          .init(place.path, member.keyPosition),
          "'max_output_tokens' of the provider '\(id)' is left out; promptfoo does not send it"
        )
      case ("workspaceUrl", .string) where id.hasPrefix("databricks:"): break
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
      case ("response_format", .string(let reference)):
        form = "object"
        guard let found = schemaFile(reference, member.value.position, in: place.path) else {
          continue
        }
        schema = found
      case ("response_format", _):
        switch value.text("type") {
        case "text": break
        case "json_schema":
          let written = value["json_schema"]?.json ?? value.json
          form = "object"
          guard let found = written["schema"], found.object != nil else {
            partly(
              member,
              "a schema that is elsewhere",
              nearest: "'response-schema:' of the prompt"
            )
            continue
          }
          format = [
            "type": "json_schema",
            "json_schema": value["json_schema"]?.json
              ?? ["name": written["name"] ?? "answer", "strict": true, "schema": found],
          ]
          // Without a word about it only the Responses API is asked to keep to the schema.
          if written["strict"]?.bool ?? id.hasPrefix("openai:responses:") { schema = found }
        case "json_object": extra["response_format"] = ["type": "json_object"]
        default:
          partly(member, "JSON without a schema", nearest: "'response-schema:' of the prompt")
        }
      case (let key, _) where Self.bodyMembers.contains(key): extra[key] = value.json
      case ("passthrough", .mapping(let members)):
        for inner in members {
          if Self.isSetElsewhere(inner.key) || inner.key == "tools" {
            partly(inner, "a member of the body that is set elsewhere")
          } else {
            extra[inner.key] = inner.value.json
          }
        }
      case ("tools", _), ("functions", _), ("tool_choice", _), ("function_call", _):
        form = "unknown"
        partly(member, "tools are not sent", nearest: "an 'exec' or 'http' backend that sends them")
      case ("cost", _):
        partly(member, "a price of its own", nearest: "the price file under 'prices:'")
      case ("showThinking", _), ("maxRetries", _), ("omitDefaults", _): break
      default: partly(member, "no counterpart")
      }
    }
    if server.hasDefaults, config?["omitDefaults"]?.json != .bool(true) {
      addDefaults(to: &parameters, entry["model"]?.string ?? "", id, config, place)
    }
    if schema == nil, let format { extra["response_format"] = format }
    if !extra.members.isEmpty { entry["extra"] = .object(extra) }
    forms.insert(form)
    if !isWhole { partial += 1 }
    let isKnown = backends.contains {
      $0.entry == entry && $0.parameters == parameters && $0.responseFormat == format
        && $0.instructions == instructions
    }
    if isKnown {
      return context.report(.note, .setting, place, "the provider '\(id)' stands there twice")
    }
    backends.append(
      Backend(
        name: name(label ?? entry["model"]?.string ?? id),
        entry: entry,
        parameters: parameters,
        responseSchema: schema,
        responseFormat: format,
        instructions: instructions
      )
    )
  }

  /// The schema of a file that `response_format` names; nil, with the reason reported, where there is none.
  func schemaFile(_ reference: String, _ position: SourcePosition, in path: ProjectPath)
    -> JSONValue?
  {
    let place = PromptfooContext.Place(path, position)
    func leaveOut(_ reason: String) -> JSONValue? {
      context.report(
        .leftOut,
        .backend,
        place,
        "'response_format' of the provider from \(reference): \(reason)",
        nearest: "'response-schema:' of the prompt"
      )
      return nil
    }
    do throws(ImportSource.Fault) {
      let json = try context.source.tree(context.path(reference)).json
      let written = json["json_schema"] ?? json
      guard json["type"]?.string == "json_schema", written["strict"]?.bool != false,
        let schema = written["schema"], schema.object != nil
      else { return leaveOut("no strict schema") }
      return schema
    } catch {
      switch error {
      case .missing:
        context.report(
          .missingFile,
          .backend,
          place,
          reference,
          nearest: "put the file there and import again"
        )
        context.fillIn(
          "'response-schema:' of the prompts: the schema of \(reference), which was not found"
        )
        return nil
      case .unreadable(let reason): return leaveOut(reason)
      }
    }
  }

  /// Has each backend ask for its form of answers itself, where prompts cannot for all.
  mutating func keepResponseFormats() {
    for index in backends.indices {
      guard let format = backends[index].responseFormat else { continue }
      var extra = backends[index].entry["extra"]?.object ?? [:]
      extra["response_format"] = format
      backends[index].entry["extra"] = .object(extra)
    }
  }

  /// Takes a parameter out of all backends.
  mutating func removeParameter(_ name: String) {
    for index in backends.indices { backends[index].parameters[name] = nil }
  }

  /// Sets the values that promptfoo sends where the configuration says nothing, and takes out those that
  /// it does not send.
  func addDefaults(
    to parameters: inout JSONObject,
    _ model: String,
    _ id: String,
    _ config: Node?,
    _ place: PromptfooContext.Place
  ) {
    let name = model.split(separator: "/").last.map(String.init) ?? model
    // Grok reasons with a temperature.
    let isGrok =
      id.hasPrefix("xai:")
      && (name.hasPrefix("grok-3-mini") || name.hasPrefix("grok-4") || name.hasSuffix("-reasoning"))
      && !name.hasSuffix("-non-reasoning")
    let isReasoning =
      isGrok || config?["isReasoningModel"]?.json == .bool(true)
      || ["o1", "o3", "o4", "gpt-5"].contains { name.hasPrefix($0) }
    let isCerebras = id.hasPrefix("cerebras:") && parameters["max-completion-tokens"] != nil
    var unsent: [String] = []
    if isReasoning || isCerebras { unsent.append("max-tokens") }
    if isReasoning, !isGrok { unsent.append("temperature") }
    if !isReasoning, !isCerebras { unsent.append("max-completion-tokens") }
    // The Responses API has one name for both.
    let isResponses = id.hasPrefix("openai:responses:")
    for name in unsent where parameters[name] != nil {
      parameters[name] = nil
      if isResponses, name != "temperature" { continue }
      context.report(
        .note,
        .setting,
        place,
        "'\(name.replacing("-", with: "_"))' of the provider '\(id)' is left out; promptfoo does not send it "
          + "to this model"
      )
    }
    for (name, value) in [("temperature", 0.0), ("max-tokens", 1_024)]
    where parameters[name] == nil && !unsent.contains(name) {
      parameters[name] = .number(value)
    }
  }

  func name(_ wish: String) -> String {
    let stem = Identifier.made(of: String(wish.prefix(60))) ?? "model"
    var number = 1
    func numbered() -> String { number == 1 ? stem : "\(stem)-\(number)" }
    while numbered() == "judge" || backends.contains(where: { $0.name == numbered() }) {
      number += 1
    }
    return numbered()
  }
}
