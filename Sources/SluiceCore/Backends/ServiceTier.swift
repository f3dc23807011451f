import SluiceSupport

/// The words of the wire for tiers of service.
enum ServiceTier {
  /// The words of the standard tier: of OpenAI, of Anthropic and Gemini, of Groq, and where the server
  /// does not say which one it chose.
  private static let standard: Set<String> = [
    "default", "standard", "on_demand", "auto", "unspecified", "traffic_type_unspecified", "",
  ]

  /// The word where it names a tier with prices of its own; nil for the standard tier.
  static func word(_ text: String) -> String? {
    standard.contains(text.lowercased()) ? nil : text
  }

  /// True for the word of the standard tier as servers write it.
  static func isStandard(_ word: JSONReader.RawString) -> Bool {
    word == "default" || word == "auto" || word == "standard" || word == "on_demand"
  }

  /// The tier that Gemini names beside its counts, in the same words on Vertex, where it is a kind of
  /// traffic such as `ON_DEMAND_PRIORITY`.
  static func ofGemini(_ usage: JSONValue) -> String? {
    if let tier = usage["serviceTier"]?.string { return tier }
    guard let traffic = usage["trafficType"]?.string?.lowercased() else { return nil }
    let start = "on_demand_"
    return traffic.hasPrefix(start) ? String(traffic.dropFirst(start.count)) : traffic
  }
}
