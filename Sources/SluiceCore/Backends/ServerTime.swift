import SluiceSupport

/// Reads how long a server says that it took.
enum ServerTime {
  /// The header in which OpenAI and others say it.
  static let header = "openai-processing-ms"

  /// The time in milliseconds that a header says; nil where none does.
  static func milliseconds(in headers: [HTTPHeader]) -> Double? {
    headers.first { $0.name == header }.flatMap { Double($0.value.trimmed) }
  }

  /// The time in milliseconds that the body of a chat completion says; nil where it says none.
  static func milliseconds(usage: JSONValue?, timings: JSONValue?) -> Double? {
    // Groq and Cerebras count in seconds, llama.cpp in milliseconds.
    let seconds = usage?["total_time"]?.number ?? timings?.value(at: "time_info.total_time")?.number
    if let seconds { return seconds * 1_000 }
    guard let prompt = timings?.value(at: "timings.prompt_ms")?.number,
      let predicted = timings?.value(at: "timings.predicted_ms")?.number
    else { return nil }
    return prompt + predicted
  }
}
