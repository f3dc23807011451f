import SluiceSupport

/// The names that APIs use for service tiers.
enum ServiceTier {
  /// The names of the standard tier in the vendors' APIs, and the names by which a server does not
  /// report the tier.
  private static let standard: Set<String> = [
    "default", "standard", "on_demand", "auto", "unspecified", "traffic_type_unspecified", "",
  ]

  /// Returns the name of a tier that has its own prices; nil for the standard tier.
  static func word(_ text: String) -> String? {
    standard.contains(text.lowercased()) ? nil : text
  }

  /// Returns true if a name that a server wrote is that of the standard tier.
  static func isStandard(_ word: JSONReader.RawString) -> Bool {
    word == "default" || word == "auto" || word == "standard" || word == "on_demand"
  }

  /// Returns the tier that is next to Gemini's token counts.
  ///
  /// On Vertex, a kind of traffic, such as `ON_DEMAND_PRIORITY`, contains the name of the tier.
  static func ofGemini(_ usage: JSONValue) -> String? {
    if let tier = usage["serviceTier"]?.string { return tier }
    guard let traffic = usage["trafficType"]?.string?.lowercased() else { return nil }
    let start = "on_demand_"
    return traffic.hasPrefix(start) ? String(traffic.dropFirst(start.count)) : traffic
  }
}
