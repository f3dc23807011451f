import SluiceSupport

// The facts in this file are as of 2026-11-25. They come from the vendors' pages and clients that
// docs/backends.md lists. Requests to unknown models are not checked.

/// An Anthropic model.
///
/// The name of a model, such as `claude-opus-4-7`, contains its family and version.
struct AnthropicModel {
  var family: String
  var version: (major: Int, minor: Int)

  /// Parses a name; nil if it does not contain a family followed by a version.
  init?(_ name: String) {
    guard let start = name.firstRange(of: "claude-")?.upperBound else { return nil }
    let parts = name[start...].split { "-@:.".contains($0) }
    guard parts.count >= 2, Int(parts[0]) == nil, let major = Int(parts[1]), major < 100 else {
      return nil
    }
    // If there is no minor version, a date follows.
    let minor = parts.count > 2 ? Int(parts[2]).flatMap { $0 < 100 ? $0 : nil } : nil
    family = String(parts[0])
    version = (major, minor ?? 0)
  }

  /// Returns true if the model rejects a value of `temperature` or `top_p`, whatever the version of
  /// the API.
  func refusesSampling(_ value: JSONValue) -> Bool {
    guard version >= (4, 7) else { return false }
    // These families accept the default value.
    return value != 1 || !["sonnet", "haiku"].contains(family)
  }

  /// True if a request may contain only one of `temperature` and `top_p`.
  var takesOneOfSampling: Bool { version >= (4, 0) }

  /// True if the model rejects a conversation that ends with an assistant message.
  var refusesPrefill: Bool { version >= (4, 6) }

  /// The values of `reasoning-effort` that the model accepts.
  var efforts: [String] {
    // The effort `none` lets the model think as little as possible. Some models reject it.
    let canStop =
      !["fable", "mythos"].contains(family)
      && !(version == (5, 5) && ["opus", "sonnet"].contains(family))
    var efforts = canStop ? ["none"] : []
    if version >= (4, 6) || family == "opus" && version == (4, 5) {
      efforts += ["low", "medium", "high"]
    }
    if version >= (4, 7) { efforts.append("xhigh") }
    if version >= (4, 6) { efforts.append("max") }
    return efforts
  }
}

/// An OpenAI model, identified by its name.
struct OpenAIModel {
  /// The condition under which a model reasons.
  enum Reasoning {
    /// The model never reasons, or it is unknown whether it reasons.
    case none
    /// The model reasons if an effort is requested.
    case whenAsked
    /// The model reasons unless reasoning is disabled.
    case unlessStopped
    /// The model always reasons.
    case always
  }

  var reasoning: Reasoning

  init(_ model: String) {
    let name = model.split(separator: "/").last.map(String.init) ?? model
    func begins(_ prefixes: String...) -> Bool {
      prefixes.contains { name == $0 || name.hasPrefix("\($0)-") }
    }
    reasoning =
      if name.contains("-chat") || name.contains("-search") {
        .none
      } else if begins(
        "o1",
        "o3",
        "o4",
        "gpt-5",
        "gpt-6-astra",
        "gpt-6.1-sol",
        "gpt-6.2-astra",
        "gpt-6.2-sol"
      ) || begins("gpt-5.2-pro", "gpt-5.4-pro", "gpt-5.5-pro") {
        .always
      } else if begins("gpt-5.1", "gpt-5.2", "gpt-5.4") {
        .whenAsked
      } else if begins("gpt-5.5", "gpt-5.6", "gpt-6-sol", "gpt-6-luna", "gpt-6.1-terra") {
        .unlessStopped
      } else {
        .none
      }
  }

  /// Returns true if the model reasons at a requested effort; nil means that none is requested.
  func reasons(at effort: String?) -> Bool {
    switch reasoning {
    case .none: false
    case .whenAsked: effort != nil && effort != "none"
    case .unlessStopped: effort != "none"
    case .always: true
    }
  }
}

/// A Google model, identified by its name.
struct GeminiModel {
  private let name: Substring

  init(_ model: String) { name = model.split(separator: "/").last ?? "" }

  private func begins(_ prefixes: String...) -> Bool { prefixes.contains(where: name.hasPrefix) }

  /// True if the model accepts a token budget for its thoughts instead of a level.
  var takesBudget: Bool { begins("gemini-2.5") }

  /// The values of `reasoning-effort` that the model accepts.
  var efforts: [String] {
    if takesBudget {
      let all = ContentRequest.budgets.map(\.effort)
      return begins("gemini-2.5-pro") ? Array(all.dropFirst()) : all
    }
    var efforts = ["low", "medium", "high"]
    let hasMinimal = !begins(
      "gemini-3-pro",
      "gemini-3.1-pro",
      "gemini-3.7-flash",
      "gemini-3.8-flash",
      "gemini-4"
    )
    if hasMinimal { efforts.insert("minimal", at: 0) }
    if begins("gemini-4-hydrogen", "gemini-4-neon") { efforts.append("xhigh") }
    return efforts
  }

  /// True if the model rejects penalties.
  var refusesPenalties: Bool { begins("gemini-3.5-flash-lite", "gemini-4-neon") }
}
