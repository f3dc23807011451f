import SluiceSupport

/// The names that APIs use for service tiers.
enum ServiceTier {
  /// The words for the service tier that mean the standard tier, or that leave the tier open.
  private static let standard: Set<String> = [
    "default", "standard", "on_demand", "auto", "unspecified", "traffic_type_unspecified", "",
  ]

  /// Returns the name of a tier that has its own prices; nil for the standard tier.
  static func word(_ text: String) -> String? {
    standard.contains(text.lowercased()) ? nil : text
  }

  /// Returns true if a server's word for the service tier means the standard tier.
  static func isStandard(_ word: JSONReader.RawString) -> Bool {
    word == "default" || word == "auto" || word == "standard" || word == "on_demand"
  }

  /// Returns the service tier that Gemini reports together with its token counts; nil if there is none.
  ///
  /// On Vertex, the name of the traffic type contains the tier, as in `ON_DEMAND_PRIORITY`.
  static func ofGemini(_ usage: JSONValue) -> String? {
    if let tier = usage["serviceTier"]?.string { return tier }
    guard let traffic = usage["trafficType"]?.string?.lowercased() else { return nil }
    let start = "on_demand_"
    return traffic.hasPrefix(start) ? String(traffic.dropFirst(start.count)) : traffic
  }
}
