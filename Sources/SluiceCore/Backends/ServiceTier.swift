import SluiceSupport

/// The names of service tiers in APIs.
enum ServiceTier {
  /// The names of the standard tier: of OpenAI, of Anthropic and Gemini, of Groq, and the default
  /// if the server does not report its choice.
  private static let standard: Set<String> = [
    "default", "standard", "on_demand", "auto", "unspecified", "traffic_type_unspecified", "",
  ]

  /// Returns the name of a tier with its own prices; nil for the standard tier.
  static func word(_ text: String) -> String? {
    standard.contains(text.lowercased()) ? nil : text
  }

  /// Returns true for a name of the standard tier as servers write it.
  static func isStandard(_ word: JSONReader.RawString) -> Bool {
    word == "default" || word == "auto" || word == "standard" || word == "on_demand"
  }

  /// Returns the tier next to Gemini's counts; on Vertex it is a kind of traffic such as
  /// `ON_DEMAND_PRIORITY`, with the same words.
  static func ofGemini(_ usage: JSONValue) -> String? {
    if let tier = usage["serviceTier"]?.string { return tier }
    guard let traffic = usage["trafficType"]?.string?.lowercased() else { return nil }
    let start = "on_demand_"
    return traffic.hasPrefix(start) ? String(traffic.dropFirst(start.count)) : traffic
  }
}
