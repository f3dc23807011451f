import SluiceCore

/// The common mistakes in conditions, such as `=>` for `>=`, with the conditions to suggest
/// instead.
struct ConditionSlips {
  var catalog: MetricCatalog

  /// Returns the valid conditions that the author of a text most likely meant.
  func meant(by text: String) -> [String] {
    guard let parts = parts(text.trimmed) else { return [] }
    return metrics(parts.metric).compactMap { metric in
      guard let reference = ConditionParser.reference(of: metric),
        let known = try? catalog.metric(reference)
      else { return nil }
      let sign = parts.sign ?? (known.prefersSmall ? "<=" : ">=")
      guard let value = value(parts.value, known.quantity, of: parts.metric) else { return nil }
      let condition = "\(metric) \(sign) \(value)"
      let isSound = (try? ConditionParser.parse(condition, quantity: catalog.quantity)) != nil
      return isSound && condition != text.trimmed ? condition : nil
    }
  }

  /// Words and signs that people write, each with the operator that it means; `nil` if the operator
  /// depends on the metric.
  private static let signs: [(written: String, sign: String?)] = [
    ("=>", ">="), ("=<", "<="), (">=", ">="), ("<=", "<="), ("≥", ">="), ("⩾", ">="), ("≤", "<="),
    ("⩽", "<="), ("==", nil), ("=", nil), (">", ">"), ("<", "<"), (" at least ", ">="),
    (" at most ", "<="), (" greater than ", ">"), (" more than ", ">"), (" less than ", "<"),
    (" over ", ">"), (" above ", ">"), (" below ", "<"), (" under ", "<"), (":", nil),
  ]

  private func parts(_ text: String) -> (metric: String, sign: String?, value: String)? {
    var parts: (metric: String, sign: String?, value: String)?
    let found = Self.signs.compactMap { sign in text.firstRange(of: sign.written).map { (sign, $0) }
    }
    if let (sign, range) = found.first {
      parts = (String(text[..<range.lowerBound]), sign.sign, String(text[range.upperBound...]))
    } else if let match = text.firstMatch(of: /\s(?=[$\d][\d.,]*\s*\S*$)/) {
      parts = (String(text[..<match.startIndex]), nil, String(text[match.endIndex...]))
    }
    guard let parts else { return nil }
    return (parts.metric.trimmed, parts.sign, parts.value.trimmed)
  }

  // MARK: Metrics

  /// Returns the metrics that a name may mean, in the syntax of conditions.
  private func metrics(_ text: String) -> [String] {
    if isKnown(text) { return [text] }
    let name = String(text.prefix { $0 != "[" }).trimmed
    let selector = String(text.dropFirst(text.prefix { $0 != "[" }.count))
    let named = catalog.names(for: name).map { $0 + selector }
    if !named.isEmpty { return named }
    var candidates = [MetricAliases.plain(name) + selector]
    // Such as recall(question) or avg(latency).
    if let match = name.wholeMatch(of: /([\w.-]+)\s*\((.+)\)/) {
      candidates.append("\(MetricAliases.plain(String(match.1)))[\(match.2)]")
      candidates += series(String(match.1), String(match.2), selector)
    }
    // Such as p95_latency, latency.p95 or p95 latency.
    if let match = name.wholeMatch(of: /([A-Za-z0-9]+)[ _.-](.+)/) {
      candidates += series(String(match.1), String(match.2), selector)
    }
    if let match = name.wholeMatch(of: /(.+)[ _.-]([A-Za-z0-9]+)/) {
      candidates += series(String(match.2), String(match.1), selector)
    }
    if name.wholeMatch(of: /[pP]\d\d/) != nil { candidates += series(name, "latency", selector) }
    if let series = MetricAliases.series(for: name) {
      let function = series.quantity == .time ? "p95" : "mean"
      candidates.append("\(function)(\(series.rawValue))\(selector)")
    }
    if let found = candidates.first(where: isKnown) { return [found] }
    // If several scorers have the metric, its name needs a scorer's name as a prefix.
    return candidates.flatMap { candidate in
      catalog.names.filter { $0.hasSuffix(".\(candidate.prefix { $0 != "[" })") }
        .map { $0 + candidate.drop { $0 != "[" } }.filter(isKnown)
    }
  }

  private func series(_ function: String, _ name: String, _ selector: String) -> [String] {
    guard let function = MetricAliases.function(for: function),
      let series = MetricAliases.series(for: name)
    else { return [] }
    return ["\(function)(\(series.rawValue))\(selector)"]
  }

  private func isKnown(_ metric: String) -> Bool {
    // The text is a metric only if a comparison can follow it.
    guard (try? ConditionParser.parse("\(metric) < 0", quantity: { _ in .number })) != nil,
      let reference = ConditionParser.reference(of: metric)
    else { return false }
    return (try? catalog.metric(reference)) != nil
  }

  // MARK: Values

  private func value(_ text: String, _ quantity: Quantity, of metric: String) -> String? {
    let pattern =
      /([$€])?\s*(\d+(?:[.,]\d+)?)\s*([A-Za-z%$€]+(?: cent)?)?((?: at \d.*)?(?: ?\(live\))?)/
    guard let match = text.wholeMatch(of: pattern) else { return nil }
    let number = match.2.replacing(",", with: ".")
    guard let size = Double(number) else { return nil }
    let unit = (match.1 ?? match.3).map { String($0).lowercased() } ?? ""
    let rest = String(match.4)
    switch quantity {
    case .rate:
      guard ["", "%", "percent", "pct", "per cent"].contains(unit) else { return nil }
      return (unit.isEmpty && size <= 1 ? number : "\(number)%") + rest
    case .time:
      let milliseconds = ["ms", "msec", "msecs", "millis", "milliseconds", "millisecond"]
      let seconds = ["s", "sec", "secs", "second", "seconds"]
      if milliseconds.contains(unit) { return "\(number) ms\(rest)" }
      if seconds.contains(unit) { return "\(number) s\(rest)" }
      guard unit.isEmpty else { return nil }
      let isShort = size >= 50 || MetricAliases.plain(metric).hasSuffix("-ms")
      return "\(number) \(isShort ? "ms" : "s")\(rest)"
    case .money: return ["", "$", "usd", "dollars"].contains(unit) ? "$\(number)\(rest)" : nil
    case .count, .number: return unit.isEmpty ? number + rest : nil
    }
  }
}
