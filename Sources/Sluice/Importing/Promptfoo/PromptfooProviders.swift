import SluiceReporting

/// The conversion of a promptfoo configuration's providers to backends.
struct PromptfooProviders {
  /// A converted provider.
  struct Backend {
    var name: String
    /// The entry for `sluice.yaml`.
    var entry: JSONObject
    /// The parameters by their names in Sluice's files.
    ///
    /// They are written to the prompt files.
    var parameters: JSONObject
    var responseSchema: JSONValue?
    /// The members of the request body that set the format of the answer.
    var responseFormat: JSONObject?
    /// A system text that the provider sends before every prompt.
    var instructions: String?
    var comments: [String] = []
  }

  let context: PromptfooContext
  var backends: [Backend] = []
  /// The number of providers that were left out or changed.
  var lost = 0
  var partial = 0
  /// True if all outputs in promptfoo are texts; false if they are objects.
  ///
  /// It is `nil` if the type differs between providers, or is unknown because some providers were
  /// left out.
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
  ]

  /// Words in a provider's id that do not name a model but an interface, such as embeddings.
  static let otherInterfaces = [
    "responses", "embedding", "embeddings", "moderation", "image", "video", "voice", "realtime",
    "assistant", "completion", "transcription", "agents", "chatkit", "codex", "codex-sdk", "audio",
    "speech", "tts", "codex-app-server",
  ]

  /// The settings that promptfoo copies unchanged to the request body, for several kinds of
  /// servers.
  static let bodyMembers: Set<String> = [
    "verbosity", "logit_bias", "top_k", "min_p", "repetition_penalty", "service_tier",
    "search_parameters", "web_search_options", "search_domain_filter", "search_recency_filter",
    "search_after_date_filter", "search_before_date_filter", "return_related_questions",
    "return_images", "search_mode",
  ]

  /// Returns true if OpenAI does not offer a model in an API, or offers it only with tools.
  static func isElsewhere(_ model: String, in api: ModelAPI) -> Bool {
    if ["computer-use-preview", "davinci", "babbage"].contains(where: model.hasPrefix)
      || ["deep-research", "-realtime", "-audio", "-transcribe", "-tts", "-image"]
        .contains(where: model.contains)
      || model.hasSuffix("-instruct")
    {
      return true
    }
    return api == .chatCompletions
      && (["o1-pro", "o3-pro", "gpt-5-pro"].contains(where: model.hasPrefix)
        || model.contains("codex"))
  }

  static let ollamaNote =
    "promptfoo requests a text completion; the backend sends the prompt as a chat with one message"

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
        "the configuration has no providers"
      )
    }
    if backends.isEmpty { addPlaceholder() }
  }

  mutating func addPlaceholder() {
    context.fillIn("the backend 'fill-in' in sluice.yaml: name the model and its server")
    backends = [
      Backend(
        name: "fill-in",
        entry: [
          "type": "openai", "model": "FILL-IN", "base-url": "http://127.0.0.1:9/v1",
        ],
        parameters: [:],
        comments: [
          "FILL IN: no provider of \(context.configuration) could be imported. Name a model and "
            + "its server here (docs/backends.md); until then every request fails."
        ]
      )
    ]
  }

  var hasPlaceholder: Bool { backends.first?.name == "fill-in" }

  mutating func readEntry(_ node: Node) {
    let place = PromptfooContext.Place(context.configuration, node.position)
    if let id = node.string { return add(id, nil, label: nil, at: place) }
    guard let members = node.members, let first = members.first else {
      return leaveOut("a provider without a name", at: place)
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

  /// Converts the provider of a judge to a backend.
  ///
  /// If the provider is unsupported, reports the reason and returns `nil`.
  mutating func judge(_ node: Node, in path: ProjectPath) -> Backend? {
    var node = node
    if node.text("id") == nil, let text = node.present("text") { node = text }
    // A provider that defines only embeddings cannot grade answers.
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
      context.report(.leftOut, .backend, place, "the judge is not a provider with an id")
    }
    return inner.backends.first
  }

  /// promptfoo's default judge, if `OPENAI_API_KEY` is set.
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
    if id.contains("{{") { return leaveOut("the provider '\(id)' contains a template", at: place) }
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
          "'\(member.key)' of the provider '\(id)' is left out: set 'max-in-flight' to limit "
            + "requests"
        )
      case "prompts":
        partly(
          member,
          "in Sluice every backend of a suite gets every prompt",
          nearest: "a separate suite"
        )
      case "transform":
        isWhole = false
        context.report(
          .leftOut,
          .assertion,
          .init(place.path, member.keyPosition),
          "'transform' of the provider '\(id)' changes the outputs before assertions judge them",
          nearest: "'extract:' of the suite"
        )
      default: partly(member, "it has no counterpart")
      }
    }
    var settings = Settings(server, id, place, context)
    settings.isWhole = isWhole
    settings.read(config)
    forms.insert(settings.form)
    if !settings.isWhole { partial += 1 }
    var found = settings.backend
    let isKnown = backends.contains {
      $0.entry == found.entry && $0.parameters == found.parameters
        && $0.responseFormat == found.responseFormat && $0.instructions == found.instructions
    }
    if isKnown {
      return context.report(.note, .setting, place, "the provider '\(id)' is listed twice")
    }
    found.name = name(label ?? found.entry["model"]?.string ?? id)
    backends.append(found)
  }

  /// Writes the response format into each backend, since the backends need different formats.
  mutating func keepResponseFormats() {
    for index in backends.indices where backends[index].responseSchema != nil {
      guard let format = backends[index].responseFormat else {
        context.report(
          .leftOut,
          .backend,
          .init(context.configuration, nil),
          "the answer schema of the backend '\(backends[index].name)': other backends have a "
            + "different schema or none",
          nearest: "'response-schema:' in the prompt; write one suite for each different schema"
        )
        continue
      }
      var extra = backends[index].entry["extra"]?.object ?? [:]
      extra.addMembers(format)
      backends[index].entry["extra"] = .object(extra)
    }
  }

  /// Removes a parameter from all backends.
  mutating func removeParameter(_ name: String) {
    for index in backends.indices { backends[index].parameters[name] = nil }
  }

  /// Configures each backend to leave out the prompt parameters that it is known to reject.
  mutating func leaveOutRefused(_ parameters: JSONObject) {
    for index in backends.indices {
      let backend = backends[index]
      var all = parameters
      for (name, value) in backend.parameters.members { all[name] = value }
      let refusals = ImportedBackend.refusals(of: all, backend.entry)
      for refusal in refusals where backend.parameters[refusal.parameter] == nil {
        backends[index].parameters[refusal.parameter] = .some(.null)
        context.report(
          .note,
          .parameter,
          .init(context.configuration, nil),
          "\(refusal.reason), so it is left out for the backend '\(backend.name)'"
        )
      }
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
