import Foundation

/// An independent reading of a chat completion: Foundation's JSON and a few loops, and none of the code
/// under test.
struct WireReading {
  var text = ""
  var refusal = ""
  /// The last word for the ending; empty where there is none.
  var ending = ""
  /// A name and arguments for each call of a function of the caller's.
  var calls: [[String]] = []
  var input: Int?
  var cached: Int?
  var cacheWrite: Int?
  var output: Int?
  var reasoning: Int?
  /// The message of the first error; nil where there is none.
  var error: String?

  /// A call while its pieces come.
  private struct Call {
    var index: Int?
    var id: String
    var name: String
    var arguments: String
  }

  private var open: [Call] = []

  /// Reads a body.
  ///
  /// - Parameter body: The body, as a whole or as events.
  init(_ body: [UInt8]) {
    let data = Data(body)
    if let object = Self.object(data) {
      take(object, "message")
    } else {
      let text = String(decoding: data, as: UTF8.self)
        .replacingOccurrences(of: "\r\n", with: "\n")
      for line in text.components(separatedBy: "\n") where line.hasPrefix("data:") {
        let value = line.dropFirst(5).trimmingCharacters(in: .whitespaces)
        if value == "[DONE]" { break }
        if let object = Self.object(Data(value.utf8)) { take(object, "delta") }
      }
    }
    calls = open.map { [$0.name, $0.arguments] }
    open = []
  }

  /// The message of an error's body.
  static func message(_ body: [UInt8]) -> String? {
    let json = try? JSONSerialization.jsonObject(with: Data(body))
    guard let object = (json as? [Any])?.first as? [String: Any] ?? json as? [String: Any] else {
      return nil
    }
    return (object["error"] as? [String: Any])?["message"] as? String
      ?? object["error"] as? String ?? object["message"] as? String ?? object["detail"] as? String
  }

  private static func object(_ data: Data) -> [String: Any]? {
    (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
  }

  private mutating func take(_ object: [String: Any], _ key: String) {
    if let found = object["error"] as? [String: Any], !found.isEmpty {
      error = error ?? found["message"] as? String ?? ""
    }
    let groq = (object["x_groq"] as? [String: Any])?["usage"]
    if let usage = (object["usage"] ?? groq) as? [String: Any] { count(usage) }
    for choice in object["choices"] as? [[String: Any]] ?? []
    where choice["index"] as? Int ?? 0 == 0 {
      if let word = choice["finish_reason"] as? String, !word.isEmpty { ending = word }
      let message = choice[key] ?? choice["message"] ?? choice["delta"]
      if let message = message as? [String: Any] { take(message: message) }
    }
  }

  private mutating func take(message: [String: Any]) {
    text += message["content"] as? String ?? ""
    for part in message["content"] as? [[String: Any]] ?? [] {
      let type = part["type"] as? String ?? "text"
      if type == "text" || type == "output_text" { text += part["text"] as? String ?? "" }
    }
    refusal += message["refusal"] as? String ?? ""
    for call in message["tool_calls"] as? [[String: Any]] ?? [] {
      take(
        call["function"] as? [String: Any] ?? [:],
        index: call["index"] as? Int,
        id: call["id"] as? String ?? ""
      )
    }
    if let legacy = message["function_call"] as? [String: Any] { take(legacy, index: nil, id: "") }
  }

  private mutating func take(_ function: [String: Any], index: Int?, id: String) {
    let name = function["name"] as? String ?? ""
    let arguments = function["arguments"] as? String ?? ""
    if name.isEmpty, arguments.isEmpty, id.isEmpty { return }
    // A piece without a name continues the last call, or the one with its index.
    let last = index.flatMap { index in open.lastIndex { $0.index == index } } ?? open.indices.last
    if let last, name.isEmpty, id.isEmpty || id == open[last].id {
      open[last].arguments += arguments
    } else {
      open.append(Call(index: index, id: id, name: name, arguments: arguments))
    }
  }

  private mutating func count(_ usage: [String: Any]) {
    func count(_ path: String...) -> Int? {
      var value: Any? = usage
      for name in path { value = (value as? [String: Any])?[name] }
      return (value as? NSNumber)?.intValue
    }
    input = count("prompt_tokens")
    cached =
      count("prompt_tokens_details", "cached_tokens") ?? count("prompt_cache_hit_tokens")
      ?? count("cached_tokens") ?? count("num_cached_tokens") ?? count("cache_read_input_tokens")
    cacheWrite =
      count("prompt_tokens_details", "cache_write_tokens") ?? count("cache_creation_input_tokens")
    reasoning =
      count("completion_tokens_details", "reasoning_tokens") ?? count("reasoning_tokens")
    output = count("completion_tokens")
    // Reasoning that is counted beside the completion is output all the same.
    if let input, let told = output, let reasoning, reasoning > 0,
      count("total_tokens") == input + told + reasoning
    {
      output = told + reasoning
    }
  }
}
