import SluiceSupport

/// The processing time that a server reports.
enum ServerTime {
  /// The header that OpenAI and others use.
  static let header = "openai-processing-ms"

  /// Returns the time in a header, in milliseconds; nil if there is none.
  static func milliseconds(in headers: [HTTPHeader]) -> Double? {
    headers.first { $0.name == header }.flatMap { Double($0.value.trimmed) }
  }

  /// Returns the time in the body of a chat completion, in milliseconds; nil if there is none.
  static func milliseconds(usage: JSONValue?, timings: JSONValue?) -> Double? {
    // Groq and Cerebras report seconds, and llama.cpp reports milliseconds.
    let seconds = usage?["total_time"]?.number ?? timings?.value(at: "time_info.total_time")?.number
    if let seconds { return seconds * 1_000 }
    guard let prompt = timings?.value(at: "timings.prompt_ms")?.number,
      let predicted = timings?.value(at: "timings.predicted_ms")?.number
    else { return nil }
    return prompt + predicted
  }
}
