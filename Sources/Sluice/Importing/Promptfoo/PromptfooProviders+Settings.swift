import SluiceReporting

extension PromptfooProviders {
  /// The conversion of a provider's `config` to a backend.
  struct Settings {
    let id: String
    let api: ModelAPI
    let place: PromptfooContext.Place
    let context: PromptfooContext
    /// True if promptfoo sends its own defaults for missing settings.
    let hasDefaults: Bool
    var entry: JSONObject
    /// The parameters, by their names in Sluice's files.
    var parameters: JSONObject = [:]
    var schema: JSONValue?
    var instructions: String?
    /// Other members of the request body.
    var extra: JSONObject = [:]
    /// The members of the request body that set the format of the answer.
    var format: JSONObject?
    /// The type of the outputs in promptfoo: `text`, `object` or `unknown`.
    var form = "text"
    var isWhole = true

    init(
      _ server: Server,
      _ id: String,
      _ place: PromptfooContext.Place,
      _ context: PromptfooContext
    ) {
      (self.id, self.place, self.context) = (id, place, context)
      api = ModelAPI(type: server.entry["type"]?.string ?? "") ?? .chatCompletions
      hasDefaults = server.hasDefaults
      entry = server.entry
    }

    /// The converted backend, without a name.
    var backend: Backend {
      var entry = entry
      if !extra.members.isEmpty { entry["extra"] = .object(extra) }
      return Backend(
        name: "",
        entry: entry,
        parameters: parameters,
        responseSchema: schema,
        responseFormat: format,
        instructions: instructions
      )
    }

    // MARK: Findings

    func note(_ member: Node.Member, _ why: String) {
      note(at: member.keyPosition, "'\(member.key)' of the provider '\(id)' is left out; \(why)")
    }

    func note(at position: SourcePosition?, _ message: String) {
      context.report(.note, .setting, .init(place.path, position), message)
    }

    mutating func leaveOut(_ member: Node.Member, _ why: String, nearest: String? = nil) {
      isWhole = false
      context.report(
        .leftOut,
        .backend,
        .init(place.path, member.keyPosition),
        "'\(member.key)' of the provider '\(id)': \(why)",
        nearest: nearest
      )
    }

    // MARK: Reading

    /// Reads a `config`, and adds the defaults that promptfoo sends for missing settings.
    mutating func read(_ config: Node?) {
      let members = config?.members ?? []
      // If `generationConfig` repeats a setting, promptfoo uses the value there, so read
      // `generationConfig` last.
      let last = members.filter { $0.key == "generationConfig" }
      for member in members.filter({ $0.key != "generationConfig" }) + last
      where !readVendors(member) {
        readCommon(member)
      }
      finishVendors()
      let unsent = removeUnsent(config) + removeRefused()
      if hasDefaults, config?["omitDefaults"]?.json != .bool(true) { addDefaults(but: unsent) }
      if schema == nil, let format { extra.addMembers(format) }
    }

    /// Reads a setting that all providers have.
    private mutating func readCommon(_ member: Node.Member) {
      let value = member.value
      switch (member.key, value.value) {
      case ("temperature", .number), ("top_p", .number), ("seed", .number), ("max_tokens", .number),
        ("max_completion_tokens", .number), ("presence_penalty", .number),
        ("frequency_penalty", .number), ("reasoning_effort", .string):
        parameters[member.key.replacing("_", with: "-")] = value.json
      case ("stop", .string), ("stop", .sequence): parameters["stop"] = value.json
      case ("reasoning", .mapping) where value.text("effort") != nil && value.members?.count == 1:
        parameters["reasoning-effort"] = .string(value.text("effort") ?? "")
      case ("instructions", .string(let text)) where !text.contains("{{") && !text.contains("{%"):
        instructions = text
      case ("isReasoningModel", .bool): break
      case ("region", .string) where id.hasPrefix("bedrock:"): break
      case ("store", _), ("user", _), ("metadata", _), ("loggingConfig", _), ("usage_tier", _):
        note(member, "it does not affect answers")
      case ("max_output_tokens", _) where id.hasPrefix("openai:"):
        note(member, "promptfoo does not send it")
      case ("workspaceUrl", .string) where id.hasPrefix("databricks:"): break
      case ("apiBaseUrl", .string(let url)): entry["base-url"] = .string(url)
      case ("apiHost", .string(let host)) where !id.hasPrefix("azure"):
        entry["base-url"] = .string("https://\(host)/v1")
      case ("apiHost", _), ("deploymentName", _): break
      case ("apiVersion", _) where id.hasPrefix("azure"): break
      case ("apiKeyEnvar", .string(let name)) where Surroundings.isVariable(name):
        entry["key"] = ["env": .string(name)]
      case ("apiKey", .string(let text)) where Self.variable(text) != nil:
        var key = entry["key"]?.object ?? [:]
        key["env"] = Self.variable(text).map(JSONValue.string)
        entry["key"] = .object(key)
      case ("apiKey", _):
        note(
          at: member.keyPosition,
          "keys are never copied; set the environment variable that sluice.yaml names"
        )
      case ("organization", .string): entry["organization"] = value.json
      case ("headers", .mapping(let headers)): readHeaders(headers, member)
      case ("response_format", .string(let reference)):
        form = "object"
        guard let found = schemaFile(reference, member, isStrict: true) else { return }
        schema = found
      case ("response_format", _): readFormat(member)
      case (let key, _) where PromptfooProviders.bodyMembers.contains(key): extra[key] = value.json
      case ("passthrough", .mapping(let members)):
        for inner in members { readMember(inner) }
      case ("tools", _), ("functions", _), ("tool_choice", _), ("function_call", _):
        form = "unknown"
        leaveOut(
          member,
          "tools are not supported",
          nearest: "an 'exec' or 'http' backend that sends the tools"
        )
      case ("cost", _):
        leaveOut(
          member,
          "a price for one provider is not supported",
          nearest: "the price file under 'prices:'"
        )
      case ("showThinking", _), ("maxRetries", _), ("omitDefaults", _): break
      default: leaveOut(member, "it has no counterpart")
      }
    }

    /// Returns the environment variable that a template refers to, or `nil` for any other text.
    private static func variable(_ text: String) -> String? {
      text.trimmed.wholeMatch(of: /\{\{\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/)
        .map { String($0.1) }
    }

    private mutating func readHeaders(_ headers: [Node.Member], _ member: Node.Member) {
      let secret = ["authorization", "api-key", "x-api-key", "cookie", "proxy-authorization"]
      for header in headers {
        guard case .string(let text) = header.value.value, !text.contains("{{"),
          !secret.contains(header.key.lowercased())
        else {
          leaveOut(
            member,
            "its header '\(header.key)' contains a template or a key",
            nearest: "'key: {env: NAME, header: …}'"
          )
          continue
        }
        addHeader(header.key, text)
      }
    }

    mutating func addHeader(_ name: String, _ text: String) {
      var headers = entry["headers"]?.object ?? [:]
      headers[name] = .string(text)
      entry["headers"] = .object(headers)
    }

    /// Reads a setting that promptfoo copies unchanged to the request body.
    mutating func readMember(_ member: Node.Member) {
      if isSetElsewhere(member.key) || member.key == "tools" {
        leaveOut(member, "Sluice sets this part of the body itself")
      } else {
        extra.addMembers([member.key: member.value.json])
      }
    }

    private mutating func readFormat(_ member: Node.Member) {
      let value = member.value
      switch value.text("type") {
      case "text": break
      case "json_schema":
        let written = value["json_schema"]?.json ?? value.json
        form = "object"
        guard let found = written["schema"], found.object != nil else {
          return leaveOut(
            member,
            "its schema is not in the configuration itself",
            nearest: "'response-schema:' of the prompt"
          )
        }
        let name = written["name"] ?? "answer"
        if api == .responses {
          // The Responses API enforces a schema by default. Other APIs do not.
          schema = found
          format = [
            "text": [
              "format": ["type": "json_schema", "name": name, "strict": true, "schema": found]
            ]
          ]
          return
        }
        format = [
          "response_format": [
            "type": "json_schema",
            "json_schema": value["json_schema"]?.json
              ?? ["name": name, "strict": true, "schema": found],
          ]
        ]
        if written["strict"]?.bool == true { schema = found }
      case "json_object" where api == .responses:
        extra.addMembers(["text": ["format": ["type": "json_object"]]])
      case "json_object": extra["response_format"] = ["type": "json_object"]
      default:
        leaveOut(member, "JSON without a schema", nearest: "'response-schema:' of the prompt")
      }
    }

    /// Reads a response schema from a file.
    ///
    /// If the schema is unsupported, reports the reason and returns `nil`.
    func schemaFile(_ reference: String, _ member: Node.Member, isStrict: Bool) -> JSONValue? {
      let place = PromptfooContext.Place(self.place.path, member.value.position)
      func leaveOut(_ reason: String) -> JSONValue? {
        context.report(
          .leftOut,
          .backend,
          place,
          "'\(member.key)' of the provider from \(reference): \(reason)",
          nearest: "'response-schema:' of the prompt"
        )
        return nil
      }
      do throws(ImportSource.Fault) {
        let json = try context.source.tree(context.path(reference)).json
        let written = json["json_schema"] ?? json
        guard json["type"]?.string == "json_schema", written["strict"]?.bool != false || !isStrict
        else { return leaveOut("it is not a strict 'json_schema'") }
        if let nested = written["schema"]?.string, nested.hasPrefix("file://") {
          return try context.source.tree(context.path(nested)).json
        }
        guard let schema = written["schema"], schema.object != nil else {
          return leaveOut("the file contains no schema")
        }
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
            "'response-schema:' of the prompts: the schema \(reference), which was not found"
          )
          return nil
        case .unreadable(let reason): return leaveOut(reason)
        }
      }
    }

    // MARK: promptfoo's defaults

    /// Removes the parameters that promptfoo does not send to the provider's model.
    ///
    /// - Returns: The names of the parameters that promptfoo never sends to this kind of model.
    private mutating func removeUnsent(_ config: Node?) -> [String] {
      guard hasDefaults, [.chatCompletions, .responses].contains(api),
        config?["omitDefaults"]?.json != .bool(true)
      else { return [] }
      let model = entry["model"]?.string ?? ""
      let name = model.split(separator: "/").last.map(String.init) ?? model
      // Unlike other reasoning models, these Grok models accept a temperature.
      let isGrok =
        id.hasPrefix("xai:")
        && (name.hasPrefix("grok-3-mini") || name.hasPrefix("grok-4")
          || name.hasSuffix("-reasoning"))
        && !name.hasSuffix("-non-reasoning")
      let isReasoning =
        isGrok || config?["isReasoningModel"]?.json == .bool(true)
        || ["o1", "o3", "o4", "gpt-5"].contains { name.hasPrefix($0) }
        || api == .responses && name.hasPrefix("codex")
      let isCerebras = id.hasPrefix("cerebras:") && parameters["max-completion-tokens"] != nil
      var unsent: [String] = []
      if isReasoning || isCerebras { unsent.append("max-tokens") }
      if isReasoning, !isGrok { unsent.append("temperature") }
      if !isReasoning, !isCerebras { unsent.append("max-completion-tokens") }
      for name in unsent where parameters[name] != nil {
        // This API has a single parameter for both maximums, so keep the parameter.
        if api == .responses, name == "max-tokens" { continue }
        parameters[name] = nil
        noteUnsent(name)
      }
      return unsent
    }

    func noteUnsent(_ name: String) {
      note(
        at: place.position,
        "'\(name.replacing("-", with: "_"))' of the provider '\(id)' is left out; promptfoo does "
          + "not send it to this model"
      )
    }

    /// Removes the parameters that the API or the model is known to reject.
    ///
    /// - Returns: The names of the removed parameters.
    private mutating func removeRefused() -> [String] {
      let refusals = ImportedBackend.refusals(of: parameters, entry)
      for refusal in refusals {
        parameters[refusal.parameter] = nil
        if refusal.canBeLeftOut {
          note(at: place.position, "the provider '\(id)': \(refusal.reason), so it is left out")
        } else {
          isWhole = false
          context.report(
            .leftOut,
            .backend,
            place,
            "the provider '\(id)': \(refusal.reason)",
            nearest: refusal.fix
          )
        }
      }
      return refusals.map(\.parameter)
    }

    /// Sets the defaults that promptfoo sends for missing settings.
    private mutating func addDefaults(but unsent: [String]) {
      var defaults = [("temperature", 0.0), ("max-tokens", 1_024)]
      if case .messages = api {
        if thinks { defaults = [("max-tokens", 2_048)] }
        if parameters["top-p"] != nil { defaults.removeAll { $0.0 == "temperature" } }
      }
      for (name, value) in defaults where parameters[name] == nil && !unsent.contains(name) {
        var all = parameters
        all[name] = .number(value)
        let isRefused = ImportedBackend.refusals(of: all, entry).contains { $0.parameter == name }
        if !isRefused { parameters = all }
      }
    }
  }
}

extension JSONObject {
  /// Adds the members of another object, which replace members with the same name.
  ///
  /// If both the old and the new value of a member are objects, the new object's members are added
  /// to the old object. Deeper objects are replaced as a whole.
  mutating func addMembers(_ others: JSONObject) {
    for (name, value) in others.members {
      if case .object(var own)? = self[name], case .object(let other) = value {
        for (name, value) in other.members { own[name] = value }
        self[name] = .object(own)
      } else {
        self[name] = value
      }
    }
  }
}
