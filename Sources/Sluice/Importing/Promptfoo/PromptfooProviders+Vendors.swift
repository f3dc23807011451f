import SluiceReporting

/// The settings that exist only for providers of one vendor.
extension PromptfooProviders.Settings {
  /// Reads a setting that exists only for providers of the backend's vendor.
  ///
  /// - Returns: True if the member is such a setting. Otherwise, nothing was read.
  mutating func readVendors(_ member: Node.Member) -> Bool {
    switch api {
    case .chatCompletions: false
    case .responses: readResponses(member)
    case .messages: readMessages(member)
    case .generateContent: readContent(member)
    case .ollamaChat: readOllama(member)
    }
  }

  /// Combines the vendor's settings that depend on each other, after all settings were read.
  mutating func finishVendors() {
    switch api {
    case .responses:
      if parameters["max-tokens"] != nil { parameters["max-completion-tokens"] = nil }
    case .messages: finishMessages()
    case .ollamaChat: finishOllama()
    case .chatCompletions, .generateContent: break
    }
  }

  /// Returns true if the prompt, a parameter or the API already sets a member of the body.
  func isSetElsewhere(_ member: String) -> Bool {
    switch api {
    case .chatCompletions:
      ["model", "messages", "stream", "stream_options", "n"].contains(member)
        || ParameterReader.wireNames.contains { $0.wire == member }
    case .responses:
      [
        "model", "input", "stream", "stream_options", "temperature", "top_p", "max_output_tokens",
        "previous_response_id", "conversation", "prompt", "background",
      ].contains(member)
    case .messages:
      [
        "model", "messages", "system", "stream", "temperature", "top_p", "max_tokens",
        "stop_sequences",
      ].contains(member)
    case .generateContent: ["contents", "systemInstruction", "system_instruction"].contains(member)
    case .ollamaChat: ["model", "messages", "stream", "format", "think"].contains(member)
    }
  }

  /// Adds a value to the body.
  ///
  /// If the value has templates or is in a file, the setting is reported and left out.
  private mutating func keep(_ member: Node.Member, at path: String...) {
    guard Self.isPlain(member.value.json) else {
      return leaveOut(member, "its value contains a template, or is in a file")
    }
    let name = path.last ?? member.key
    let value: JSONObject = [name: member.value.json]
    extra.addMembers(path.count == 2 ? [path[0]: .object(value)] : value)
  }

  private static func isPlain(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text):
      !text.contains("{{") && !text.contains("{%") && !text.hasPrefix("file://")
    case .array(let elements): elements.allSatisfy(isPlain)
    case .object(let object): object.members.allSatisfy { isPlain($0.value) }
    default: true
    }
  }

  private static let unsent = "promptfoo does not send it"

  /// Notes a member of the body that promptfoo does not send; returns false for any other member.
  private func notesBodyMember(_ member: Node.Member) -> Bool {
    guard PromptfooProviders.bodyMembers.contains(member.key) else { return false }
    note(member, Self.unsent)
    return true
  }

  // MARK: OpenAI's Responses

  private mutating func readResponses(_ member: Node.Member) -> Bool {
    let value = member.value
    switch (member.key, value.value) {
    case ("max_output_tokens", .number): parameters["max-tokens"] = value.json
    case ("max_tokens", _): note(member, Self.unsent)
    case ("reasoning", .mapping(let members)):
      for inner in members {
        if inner.key == "effort", let effort = inner.value.string {
          parameters["reasoning-effort"] = .string(effort)
        } else {
          keep(inner, at: "reasoning", inner.key)
        }
      }
    case ("verbosity", .string): keep(member, at: "text", "verbosity")
    case ("truncation", _), ("max_tool_calls", _), ("parallel_tool_calls", _),
      ("service_tier", _), ("top_logprobs", _), ("include", _):
      keep(member)
    case ("previous_response_id", _), ("conversation", _), ("background", _):
      leaveOut(member, "it refers to data that the server stores")
    default: return notesBodyMember(member)
    }
    return true
  }

  // MARK: Anthropic's Messages

  /// True if the configuration turns on Anthropic's extended thinking.
  var thinks: Bool {
    ["enabled", "adaptive"].contains(extra["thinking"]?["type"]?.string ?? "")
  }

  private mutating func readMessages(_ member: Node.Member) -> Bool {
    let value = member.value
    switch (member.key, value.value) {
    case ("stop_sequences", .sequence(let texts)) where texts.allSatisfy({ $0.string != nil }):
      parameters["stop"] = value.json
    case ("effort", .string(let effort)): parameters["reasoning-effort"] = .string(effort)
    case ("thinking", .mapping):
      keep(member)
      if thinks {
        note(
          at: member.keyPosition,
          "the provider '\(id)': thoughts are not part of the answer in Sluice; promptfoo puts "
            + "them before the answer unless 'showThinking' is false"
        )
      }
    case ("top_k", .number), ("cache_control", .mapping), ("service_tier", .string): keep(member)
    case ("output_format", .string(let reference)):
      form = "object"
      useSchema(schemaFile(reference, member, isStrict: false))
    case ("output_format", .mapping):
      form = "object"
      if value.text("type") == "json_schema", let found = value["schema"] {
        if found.json.object != nil, Self.isPlain(found.json) {
          useSchema(found.json)
        } else {
          leaveOut(
            member,
            "its schema is not in the configuration itself",
            nearest: "'response-schema:' of the prompt"
          )
        }
      } else {
        leaveOut(member, "JSON without a schema", nearest: "'response-schema:' of the prompt")
      }
    case ("beta", .sequence(let names)):
      addHeader("anthropic-beta", names.compactMap(\.string).joined(separator: ","))
    case ("extra_body", .mapping(let members)): for inner in members { readMember(inner) }
    case ("apiBaseUrl", .string(let url)):
      entry["base-url"] = .string(url.hasSuffix("/v1") ? url : "\(url)/v1")
    case ("stream", .bool): note(member, "it does not affect answers")
    case ("stop", _), ("max_completion_tokens", _), ("reasoning_effort", _), ("reasoning", _),
      ("response_format", _), ("instructions", _), ("passthrough", _):
      note(member, Self.unsent)
    default: return notesBodyMember(member)
    }
    return true
  }

  private mutating func useSchema(_ found: JSONValue?) {
    guard let found else { return }
    schema = found
    format = ["output_config": ["format": ["type": "json_schema", "schema": found]]]
  }

  /// Removes parameters that promptfoo leaves out, and sets the API version.
  private mutating func finishMessages() {
    if var headers = entry["headers"]?.object {
      for name in headers.members.map(\.name) where name.lowercased() == "anthropic-version" {
        if let date = headers[name]?.string, ModelAPI.MessagesVersion.known.contains(date) {
          entry["version"] = .string(date)
        }
        headers[name] = nil
      }
      entry["headers"] = headers.members.isEmpty ? nil : .object(headers)
    }
    // The newest models reject sampling parameters and choose the thinking budget themselves.
    let isAdaptive = ImportedBackend.refusals(of: ["temperature": 0.5], entry).contains {
      $0.parameter == "temperature" && $0.canBeLeftOut
    }
    if isAdaptive, extra["thinking"]?["type"]?.string == "enabled" {
      extra["thinking"] = ["type": "adaptive"]
      note(
        at: place.position,
        "'thinking' of the provider '\(id)' was written as adaptive, as promptfoo sends it to "
          + "this model"
      )
    }
    if thinks || isAdaptive { extra["top_k"] = nil }
    if thinks || parameters["top-p"] != nil, parameters["temperature"] != nil {
      parameters["temperature"] = nil
      noteUnsent("temperature")
    }
    if thinks, let share = parameters["top-p"]?.number, share < 0.95 {
      parameters["top-p"] = 0.95
      note(
        at: place.position,
        "'top-p: 0.95' was written for the provider '\(id)' because promptfoo sends it with "
          + "'thinking'"
      )
    }
  }

  // MARK: Gemini

  private mutating func readContent(_ member: Node.Member) -> Bool {
    let value = member.value
    switch (member.key, value.value) {
    case ("topP", .number), ("maxOutputTokens", .number), ("stopSequences", .sequence),
      ("topK", .number):
      readGeneration(member)
    case ("generationConfig", .mapping(let members)): for inner in members { readGeneration(inner) }
    case ("responseSchema", .string(let reference)):
      if let found = jsonFile(reference, member) { useContentSchema(found) }
    case ("responseSchema", .mapping):
      if Self.isPlain(value.json) {
        useContentSchema(value.json)
      } else {
        leaveOut(member, "its schema contains a template, or is in a file")
      }
    case ("systemInstruction", .string(let text)) where text.hasPrefix("file://"):
      do throws(ImportSource.Fault) {
        useInstructions(try context.source.text(context.path(text)), member)
      } catch {
        leaveOut(member, "\(text) cannot be read", nearest: "a 'system' message of the prompt")
      }
    case ("systemInstruction", .string(let text)): useInstructions(text, member)
    case ("systemInstruction", .mapping):
      let parts = value["parts"]?.elements ?? value["parts"].map { [$0] } ?? []
      let texts = parts.compactMap { $0.text("text") }
      if texts.count == parts.count, !texts.isEmpty {
        useInstructions(texts.joined(separator: "\n\n"), member)
      } else {
        leaveOut(member, "parts that are not text", nearest: "a 'system' message of the prompt")
      }
    case ("safetySettings", .sequence): keep(member)
    case ("service_tier", .string): keep(member, at: "serviceTier")
    case ("apiVersion", .string(let version)): setAddress(version: version)
    case ("apiHost", .string(let host)): setAddress("https://\(host)")
    case ("apiBaseUrl", .string(let url)): setAddress(url)
    case ("useAssistantRole", _), ("vertexai", .bool(false)):
      note(
        member,
        "it does not affect requests"
      )
    case ("toolConfig", _):
      form = "unknown"
      leaveOut(
        member,
        "tools are not supported",
        nearest: "an 'exec' or 'http' backend that sends the tools"
      )
    case ("top_p", _), ("max_tokens", _), ("max_completion_tokens", _), ("seed", _), ("stop", _),
      ("presence_penalty", _), ("frequency_penalty", _), ("reasoning_effort", _),
      ("reasoning", _), ("response_format", _), ("instructions", _):
      note(member, Self.unsent)
    default: return notesBodyMember(member)
    }
    return true
  }

  /// Reads a member of `generationConfig`, in either spelling that Google accepts.
  private mutating func readGeneration(_ member: Node.Member) {
    let words = member.key.split(separator: "_")
    let name = words.dropFirst().reduce(String(words.first ?? "")) {
      $0 + $1.prefix(1).uppercased() + $1.dropFirst()
    }
    let names = [
      "temperature": "temperature", "maxOutputTokens": "max-tokens", "topP": "top-p",
      "seed": "seed", "presencePenalty": "presence-penalty",
      "frequencyPenalty": "frequency-penalty",
    ]
    switch (name, member.value.value) {
    case (let name, .number) where names[name] != nil:
      if let parameter = names[name] { parameters[parameter] = member.value.json }
    case ("stopSequences", .sequence) where Self.isPlain(member.value.json):
      parameters["stop"] = member.value.json
    case ("thinkingConfig", .mapping(let members)):
      let level = (member.value.text("thinkingLevel") ?? member.value.text("thinking_level"))?
        .lowercased()
      if members.count == 1, let level,
        ImportedBackend.refusals(of: ["reasoning-effort": .string(level)], entry).isEmpty
      {
        parameters["reasoning-effort"] = .string(level)
      } else {
        keep(member, at: "generationConfig", name)
      }
    case ("responseModalities", .sequence(let kinds))
    where kinds.allSatisfy({ $0.string?.uppercased() == "TEXT" }):
      note(member, "Sluice expects answers to be text")
    case ("responseModalities", _), ("speechConfig", _), ("imageConfig", _):
      form = "unknown"
      leaveOut(member, "answers that are not text")
    default: keep(member, at: "generationConfig", name)
    }
  }

  private mutating func useContentSchema(_ schema: JSONValue) {
    extra.addMembers([
      "generationConfig": ["responseMimeType": "application/json", "responseSchema": schema]
    ])
  }

  private mutating func useInstructions(_ text: String, _ member: Node.Member) {
    if text.contains("{{") || text.contains("{%") {
      leaveOut(member, "its text contains a template", nearest: "a 'system' message of the prompt")
    } else {
      instructions = text
    }
  }

  private mutating func setAddress(_ host: String? = nil, version: String? = nil) {
    let parts = (entry["base-url"]?.string ?? ModelAPI.generateContent.defaultBaseURL)
      .split(separator: "/", omittingEmptySubsequences: false)
    let known = parts.dropLast().joined(separator: "/")
    entry["base-url"] = .string("\(host ?? known)/\(version ?? parts.last.map(String.init) ?? "")")
  }

  /// Returns the JSON in a file.
  ///
  /// If the file cannot be read, reports the reason and returns `nil`.
  private mutating func jsonFile(_ reference: String, _ member: Node.Member) -> JSONValue? {
    do throws(ImportSource.Fault) {
      return try context.source.tree(context.path(reference)).json
    } catch {
      leaveOut(
        member,
        "\(reference) cannot be read",
        nearest: "'response-schema:' of the prompt"
      )
      return nil
    }
  }

  // MARK: Ollama

  /// The context length to write if the configuration sets none.
  private static let usualContextLength = 8_192

  private mutating func readOllama(_ member: Node.Member) -> Bool {
    let value = member.value
    switch (member.key, value.value) {
    case ("num_predict", .number(let count)):
      if count > 0 {
        parameters["max-tokens"] = value.json
      } else {
        note(member, "without it, only the context limits the length of answers")
      }
    case ("num_ctx", .number): entry["context-length"] = value.json
    case ("think", .bool(false)), ("think", .string("none")):
      parameters["reasoning-effort"] = "none"
    case ("think", .string(let level)): parameters["reasoning-effort"] = .string(level)
    case ("think", .bool): note(member, "models that can think do so by default")
    case ("format", .mapping) where Self.isPlain(value.json): schema = value.json
    case ("format", _):
      leaveOut(member, "JSON without a schema", nearest: "'response-schema:' of the prompt")
    case ("system", .string(let text)) where id.hasPrefix("ollama:chat:") == false:
      useInstructions(text, member)
    case ("keep_alive", _), ("num_thread", _), ("num_gpu", _), ("main_gpu", _), ("use_mmap", _),
      ("num_batch", _):
      note(member, "it does not affect answers")
    case ("truncate", _):
      note(member, "a prompt that does not fit into the context is an error in Sluice")
    case ("top_k", .number), ("min_p", .number), ("typical_p", .number), ("num_keep", .number),
      ("repeat_last_n", .number), ("repeat_penalty", .number):
      keep(member, at: "options", member.key)
    case ("passthrough", .mapping(let members)):
      for inner in members {
        if inner.key == "options", let options = inner.value.members {
          for option in options where !readOllama(option) {
            keep(option, at: "options", option.key)
          }
        } else if !["keep_alive", "truncate"].contains(inner.key) {
          readMember(inner)
        }
      }
    case ("temperature", .number), ("top_p", .number), ("seed", .number),
      ("presence_penalty", .number), ("frequency_penalty", .number):
      parameters[member.key.replacing("_", with: "-")] = value.json
    case ("stop", .sequence), ("stop", .string): parameters["stop"] = value.json
    case ("max_tokens", _), ("max_completion_tokens", _), ("reasoning_effort", _),
      ("reasoning", _), ("response_format", _), ("instructions", _):
      note(member, Self.unsent)
    default: return notesBodyMember(member)
    }
    return true
  }

  private mutating func finishOllama() {
    if entry["context-length"] == nil {
      entry["context-length"] = .number(Double(Self.usualContextLength))
      context.report(
        .changed,
        .backend,
        place,
        "the provider '\(id)' has no 'num_ctx', so the memory of each machine determines how "
          + "much of a prompt is read",
        nearest:
          "'context-length: \(Self.usualContextLength)' was written; change it to the length that "
          + "the model needs"
      )
    }
  }
}
