/// Reads how long a server says that it took.
enum ServerTime {
  /// The time in milliseconds; nil where the server says none.
  ///
  /// - Parameters:
  ///   - headers: The headers that were kept, names in lower case.
  ///   - answer: What the body says.
  /// - Returns: What a header says, else what the body says.
  static func milliseconds(_ headers: [HTTPHeader], _ answer: ChatAnswer) -> Double? {
    let inHeader = headers.first { $0.name == "openai-processing-ms" }
      .flatMap { Double($0.value.trimmed) }
    return inHeader ?? inBody(answer)
  }

  private static func inBody(_ answer: ChatAnswer) -> Double? {
    let (usage, timings) = (answer.usage, answer.timings)
    // Groq and Cerebras count in seconds, llama.cpp in milliseconds.
    let seconds = usage?["total_time"]?.number ?? timings?.value(at: "time_info.total_time")?.number
    if let seconds { return seconds * 1_000 }
    guard let prompt = timings?.value(at: "timings.prompt_ms")?.number,
      let predicted = timings?.value(at: "timings.predicted_ms")?.number
    else { return nil }
    return prompt + predicted
  }
}
