import SluiceSupport

// The facts in this file are those of the vendors' pages and clients that docs/backends.md lists, as of
// 2026-11-25. A model that is not known here is asked as it is: its server knows best.

/// A model of Anthropic by the name that says its family and version: `claude-opus-4-7`.
struct AnthropicModel {
  var family: String
  var version: (major: Int, minor: Int)

  /// Reads a name; nil for one without a family and a version after it.
  init?(_ name: String) {
    guard let start = name.firstRange(of: "claude-")?.upperBound else { return nil }
    let parts = name[start...].split { "-@:.".contains($0) }
    guard parts.count >= 2, Int(parts[0]) == nil, let major = Int(parts[1]), major < 100 else {
      return nil
    }
    // A date follows where there is no minor version.
    let minor = parts.count > 2 ? Int(parts[2]).flatMap { $0 < 100 ? $0 : nil } : nil
    family = String(parts[0])
    version = (major, minor ?? 0)
  }

  /// True where the model refuses a value of `temperature` or `top_p` under any version of the API.
  func refusesSampling(_ value: JSONValue) -> Bool {
    guard version >= (4, 7) else { return false }
    // These take the usual value.
    return value != 1 || !["sonnet", "haiku"].contains(family)
  }

  /// True where `temperature` and `top_p` exclude each other.
  var takesOneOfSampling: Bool { version >= (4, 0) }

  /// True where a conversation that ends with the assistant's own words is refused.
  var refusesPrefill: Bool { version >= (4, 6) }

  /// The words for the effort of reasoning that the model takes.
  var efforts: [String] {
    // Without a word the model thinks as little as it can, where that is possible.
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

/// A model of OpenAI by its name.
struct OpenAIModel {
  /// When a model answers without reasoning first.
  enum Reasoning {
    /// Always: it has no reasoning, or none is known of it.
    case none
    /// Unless it is told how much to reason.
    case whenAsked
    /// Only when it is told not to.
    case unlessStopped
    /// Never.
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

  /// True where a request of this effort makes the model reason.
  func reasons(at effort: String?) -> Bool {
    switch reasoning {
    case .none: false
    case .whenAsked: effort != nil && effort != "none"
    case .unlessStopped: effort != "none"
    case .always: true
    }
  }
}

/// A model of Google by its name.
struct GeminiModel {
  private let name: Substring

  init(_ model: String) { name = model.split(separator: "/").last ?? "" }

  private func begins(_ prefixes: String...) -> Bool { prefixes.contains(where: name.hasPrefix) }

  /// True for models that take a budget of tokens for thoughts in place of a level.
  var takesBudget: Bool { begins("gemini-2.5") }

  /// The words for the effort of reasoning that the model takes.
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

  /// True where penalties are refused.
  var refusesPenalties: Bool { begins("gemini-3.5-flash-lite", "gemini-4-neon") }
}
