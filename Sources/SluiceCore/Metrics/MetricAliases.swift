import SluiceSupport

/// The names that other tools use for metrics, each with the equivalent name of Sluice.
package enum MetricAliases {
  /// Returns the equivalent name for another tool's name; `nil` for an unknown name.
  static func name(for word: String) -> String? { names[plain(word)] }

  /// Returns a name in lower case and with hyphens, in the style of metric names.
  package static func plain(_ word: String) -> String {
    word.lowercased().replacing("_", with: "-").replacing(" ", with: "-")
  }

  private static let names: [String: String] = {
    let aliases: [(name: String, others: [String])] = [
      ("accuracy", ["acc", "exact-match", "success-rate", "pass-rate", "score", "correctness"]),
      ("false-positive-rate", ["fpr", "fp-rate", "false-alarm-rate", "fall-out", "fallout"]),
      ("recall", ["rec", "tpr", "true-positive-rate", "sensitivity", "hit-rate"]),
      ("specificity", ["tnr", "true-negative-rate"]),
      ("precision", ["prec", "ppv", "positive-predictive-value"]),
      ("f1", ["f1-score", "f1score", "f-score", "f-measure", "fscore", "macro-f1", "f-1"]),
      ("kappa", ["cohens-kappa", "cohen-kappa"]),
      ("mcc", ["matthews", "matthews-correlation", "phi"]),
      ("balanced-accuracy", ["bacc", "balanced-acc"]),
      ("mean-absolute-error", ["mae"]),
      (
        "unusable-rate",
        ["invalid-rate", "parse-error-rate", "invalid-json-rate", "format-error-rate"]
      ),
    ]
    return Dictionary(
      aliases.flatMap { alias in alias.others.map { ($0, alias.name) } }
    ) { first, _ in first }
  }()

  /// Returns the series that a word denotes.
  package static func series(for word: String) -> Series? {
    var plain = plain(word)
    for unit in ["-ms", "-s", "-usd", "-seconds"] where plain.hasSuffix(unit) {
      plain.removeLast(unit.count)
    }
    if let series = Series(rawValue: plain) { return series }
    return switch plain {
    case "response-time", "duration", "time", "elapsed": .latency
    case "ttft", "time-to-first-token": .firstText
    case "price", "costs": .cost
    case "total-tokens": .tokens
    case "prompt-tokens": .inputTokens
    case "completion-tokens": .outputTokens
    default: nil
    }
  }

  /// Returns the function that a word denotes, as it is written in conditions.
  package static func function(for word: String) -> String? {
    let word = word.lowercased()
    switch word {
    case "mean", "avg", "average": return "mean"
    case "median": return "p50"
    case "max", "maximum": return "max"
    case "min", "minimum": return "min"
    case "sum", "total": return "sum"
    default:
      guard word.hasPrefix("p"), let percent = Int(word.dropFirst()), (1..<100).contains(percent)
      else { return nil }
      return word
    }
  }
}
