/// Chat completions.
struct ChatReading: WireReader {
  private var read = WireReading()
  private var calls: [Call] = []

  /// A call that is being assembled from its pieces.
  private struct Call {
    var index: Int?
    var id: String
    var name: String
    var arguments: String
  }

  var reading: WireReading {
    var reading = read
    reading.calls = calls.map { [$0.name, $0.arguments] }
    return reading
  }

  mutating func take(_ object: [String: Any], isWhole: Bool) -> Bool {
    if object["error"] is [String: Any] { read.takeError(object) }
    let groq = object.object("x_groq")["usage"]
    if let usage = (object["usage"] ?? groq) as? [String: Any] { count(usage) }
    for choice in object.list("choices") where choice["index"] as? Int ?? 0 == 0 {
      if let word = choice["finish_reason"] as? String, !word.isEmpty {
        (read.ending, read.hasEnded) = (word, true)
      }
      let message = choice[isWhole ? "message" : "delta"] ?? choice["message"] ?? choice["delta"]
      if let message = message as? [String: Any] { take(message: message) }
    }
    return false
  }

  private mutating func take(message: [String: Any]) {
    read.text += message.text("content")
    for part in message.list("content") {
      let type = part["type"] as? String ?? "text"
      if type == "text" || type == "output_text" { read.text += part.text("text") }
    }
    read.refusal += message.text("refusal")
    for call in message.list("tool_calls") {
      take(call.object("function"), index: call["index"] as? Int, id: call.text("id"))
    }
    if let legacy = message["function_call"] as? [String: Any] { take(legacy, index: nil, id: "") }
  }

  private mutating func take(_ function: [String: Any], index: Int?, id: String) {
    let (name, arguments) = (function.text("name"), function.text("arguments"))
    if name.isEmpty, arguments.isEmpty, id.isEmpty { return }
    // A piece without a name continues the last call, or the one with its index.
    let last =
      index.flatMap { index in calls.lastIndex { $0.index == index } } ?? calls.indices.last
    if let last, name.isEmpty, id.isEmpty || id == calls[last].id {
      calls[last].arguments += arguments
    } else {
      calls.append(Call(index: index, id: id, name: name, arguments: arguments))
    }
  }

  private mutating func count(_ usage: [String: Any]) {
    read.input = usage.count("prompt_tokens")
    read.cached =
      usage.count("prompt_tokens_details", "cached_tokens")
      ?? usage.count("prompt_cache_hit_tokens") ?? usage.count("cached_tokens")
      ?? usage.count("num_cached_tokens") ?? usage.count("cache_read_input_tokens")
    read.cacheWrite =
      usage.count("prompt_tokens_details", "cache_write_tokens")
      ?? usage.count("cache_creation_input_tokens")
    read.reasoning =
      usage.count("completion_tokens_details", "reasoning_tokens")
      ?? usage.count("reasoning_tokens")
    read.output = usage.count("completion_tokens")
    read.told.output = read.output
    // Reasoning that is not part of the completion count still counts as output.
    if let input = read.input, let told = read.output, let reasoning = read.reasoning,
      reasoning > 0, usage.count("total_tokens") == input + told + reasoning
    {
      read.output = told + reasoning
    }
  }
}

/// OpenAI's Responses.
struct ResponsesReading: WireReader {
  private(set) var reading = WireReading()
  /// The text of all deltas, the numbers of the events, and the finished items.
  private(set) var deltas = ""
  private(set) var numbers: [Int] = []
  private var items: [[String: Any]] = []

  mutating func take(_ object: [String: Any], isWhole: Bool) -> Bool {
    if isWhole {
      finish(
        object["output"] == nil && object["response"] != nil ? object.object("response") : object
      )
      return true
    }
    if let number = object.count("sequence_number") { numbers.append(number) }
    switch object.text("type") {
    case "response.output_text.delta": deltas += object.text("delta")
    case "response.output_item.done": items.append(object.object("item"))
    case "response.completed", "response.incomplete", "response.failed":
      finish(object.object("response"))
      return true
    case "error":
      reading.takeError(object)
      reading.error = reading.error ?? object.text("message")
      return true
    default: break
    }
    return false
  }

  private mutating func finish(_ response: [String: Any]) {
    reading.hasEnded = true
    let status = response.text("status")
    let reason = response.object("incomplete_details").text("reason")
    reading.ending = status == "incomplete" && !reason.isEmpty ? reason : status
    reading.told.ending = reason.isEmpty ? status : "\(status):\(reason)"
    if ["queued", "in_progress", "cancelled"].contains(status) { reading.unfinished = status }
    let (code, message) = (
      response.object("error").text("code"), response.object("error").text("message")
    )
    if status == "failed", code.contains("policy") || code == "content_filter" {
      (reading.ending, reading.refusal, reading.isFiltered) = (code, message, true)
    } else {
      reading.takeError(response)
    }
    let output = response.list("output")
    for item in output.isEmpty ? items : output {
      switch item.text("type") {
      case "function_call": reading.calls.append([item.text("name"), item.text("arguments")])
      case "message":
        for part in item.list("content") {
          if part.text("type") == "output_text" { reading.text += part.text("text") }
          reading.refusal += part.text("refusal")
        }
      default: break
      }
    }
    let usage = response.object("usage")
    reading.input = usage.count("input_tokens")
    reading.cached = usage.count("input_tokens_details", "cached_tokens")
    reading.cacheWrite = usage.count("input_tokens_details", "cache_write_tokens")
    reading.output = usage.count("output_tokens")
    reading.reasoning = usage.count("output_tokens_details", "reasoning_tokens")
  }
}

/// Anthropic's Messages.
struct MessagesReading: WireReader {
  private var message: [String: Any] = [:]
  private var usage: [String: Any] = [:]
  private var blocks: [(type: String, text: String, name: String, input: String)] = []
  private var read = WireReading()

  mutating func take(_ object: [String: Any], isWhole: Bool) -> Bool {
    if isWhole {
      read.takeError(object)
      message = object
      usage = object.object("usage")
      for block in object.list("content") { start(block) }
      read.hasEnded = true
      return true
    }
    switch object.text("type") {
    case "message_start":
      message = object.object("message")
      usage = message.object("usage")
    case "content_block_start": start(object.object("content_block"))
    case "content_block_delta":
      let delta = object.object("delta")
      blocks[blocks.count - 1].text += delta.text("text")
      blocks[blocks.count - 1].input += delta.text("partial_json")
    case "message_delta":
      message.merge(object.object("delta")) { $1 }
      for (name, value) in object.object("usage") where value as? Int != nil { usage[name] = value }
    case "message_stop":
      read.hasEnded = !message.text("stop_reason").isEmpty
      return true
    case "error": read.takeError(object)
    default: break
    }
    return read.error != nil
  }

  private mutating func start(_ block: [String: Any]) {
    let input = block.object("input")
    blocks.append(
      (
        block.text("type"), block.text("text"), block.text("name"),
        input.isEmpty ? "" : WireReading.sorted(input)
      )
    )
  }

  var reading: WireReading {
    var reading = read
    reading.ending = reading.hasEnded ? message.text("stop_reason") : ""
    reading.text = blocks.filter { $0.type == "text" }.map(\.text).joined()
    reading.told.text = reading.text
    if reading.ending == "refusal" {
      // The text before a refusal must be discarded.
      reading.text = ""
      let details = message.object("stop_details")
      reading.refusal =
        details["explanation"] as? String ?? details["category"] as? String
        ?? "the provider's filter stopped the answer"
    }
    reading.calls = blocks.filter { $0.type == "tool_use" }.map {
      [$0.name, WireReading.sorted(text: $0.input.isEmpty ? "{}" : $0.input)]
    }
    let plain = usage.count("input_tokens")
    reading.told.input = plain
    reading.cached = usage.count("cache_read_input_tokens")
    reading.cacheWrite = usage.count("cache_creation_input_tokens")
    reading.input = plain.map { $0 + (reading.cached ?? 0) + (reading.cacheWrite ?? 0) }
    reading.output = usage.count("output_tokens")
    reading.reasoning = usage.count("output_tokens_details", "thinking_tokens")
    return reading
  }
}

/// Gemini's generateContent, whose streams are sequences of partial answers.
struct ContentReading: WireReader {
  private var read = WireReading()
  private var hasCandidate = false
  private var blocked: String?

  var reading: WireReading {
    var reading = read
    if !hasCandidate, let blocked {
      (reading.told.ending, reading.isFiltered) = ("", true)
      (reading.ending, reading.hasEnded) = (blocked, true)
    } else {
      reading.refusal = ""
    }
    return reading
  }

  mutating func take(_ object: [String: Any], isWhole: Bool) -> Bool {
    read.takeError(object)
    let feedback = object.object("promptFeedback")
    if let reason = feedback["blockReason"] as? String {
      blocked = reason
      let words = feedback.text("blockReasonMessage")
      read.refusal = "the prompt was blocked (\(reason))" + (words.isEmpty ? "" : ": \(words)")
    }
    if let usage = object["usageMetadata"] as? [String: Any] { count(usage) }
    for candidate in object.list("candidates") where candidate["index"] as? Int ?? 0 == 0 {
      hasCandidate = true
      if let word = candidate["finishReason"] as? String { read.ending = word }
      read.hasEnded = isWhole || !read.ending.isEmpty
      for part in candidate.object("content").list("parts") {
        if part["thought"] as? Bool != true { read.text += part.text("text") }
        if let call = part["functionCall"] as? [String: Any] {
          read.calls.append([call.text("name"), WireReading.sorted(call["args"])])
        }
      }
    }
    return false
  }

  private mutating func count(_ usage: [String: Any]) {
    let (prompt, tools) = (usage.count("promptTokenCount"), usage.count("toolUsePromptTokenCount"))
    let (told, thoughts) = (
      usage.count("candidatesTokenCount"), usage.count("thoughtsTokenCount")
    )
    (read.told.input, read.told.output) = (.some(prompt), .some(told))
    read.input = prompt.map { $0 + (tools ?? 0) }
    read.cached = usage.count("cachedContentTokenCount")
    read.reasoning = thoughts
    read.output = told.map { $0 + (thoughts ?? 0) }
    // An omitted count is 0 if the total leaves no room for it.
    if told == nil, let input = read.input, let total = usage.count("totalTokenCount"),
      total == input + (thoughts ?? 0)
    {
      read.output = thoughts ?? 0
    }
  }
}

/// Ollama's chat, and its older API with only a prompt.
struct OllamaReading: WireReader {
  private(set) var reading = WireReading()

  mutating func take(_ object: [String: Any], isWhole: Bool) -> Bool {
    reading.takeError(object)
    let message = object.object("message")
    reading.text += message.text("content") + object.text("response")
    for call in message.list("tool_calls") {
      let function = call.object("function")
      reading.calls.append([function.text("name"), WireReading.sorted(function["arguments"])])
    }
    guard object["done"] as? Bool == true else { return reading.error != nil }
    (reading.ending, reading.hasEnded) = (object.text("done_reason"), true)
    reading.input = object.count("prompt_eval_count")
    reading.output = object.count("eval_count")
    return true
  }
}
