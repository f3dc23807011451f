package import SluiceSupport

extension PriceList {
  private static let sourceKey = "source"
  private static let dayKey = "as-of"

  /// Reads price files.
  ///
  /// Invalid entries are reported.
  ///
  /// Only the prices of text tokens are read. The format has many other keys.
  package static func read(_ paths: [ProjectPath], files: ProjectFiles) -> PriceList {
    let diagnostics = files.diagnostics
    var list = PriceList(files: paths.map(\.description))
    var lines: [String: Int] = [:]
    for path in paths {
      guard let (root, file) = files.readTree(path),
        FieldReader(root, subject: "a price file", file: file, diagnostics: diagnostics) != nil
      else { continue }
      for member in root.members ?? [] {
        let fields = FieldReader(
          member.value,
          subject: "the price of '\(member.key)'",
          file: file,
          diagnostics: diagnostics
        )
        guard let fields, let price = price(fields) else { continue }
        if let other = list.origins[member.key], let line = lines[member.key] {
          // A member that occurs twice in one file was already reported.
          if other == path.description { continue }
          diagnostics.error(
            "'\(member.key)' already has a price in \(other):\(line)",
            in: file,
            at: member.keyPosition,
            fix: "remove one of the two"
          )
          continue
        }
        list.prices[member.key] = price
        list.origins[member.key] = path.description
        lines[member.key] = member.keyPosition.line
      }
    }
    return list
  }

  /// Reads the price of a model; nil if the input or the output has no price.
  private static func price(_ fields: FieldReader) -> Price? {
    var schedules: [String: [Int: Rates]] = [:]
    var longCacheHours: Int?
    for member in fields.node.members ?? [] {
      guard let name = PriceName(member.key), let value = amount(member.key, fields) else {
        continue
      }
      schedules[name.tier, default: [:]][name.above, default: Rates()][keyPath: name.rate] = value
      longCacheHours = name.cacheHours ?? longCacheHours
    }
    let source = fields.optionalText(sourceKey)
    let day = day(fields)
    guard let usual = schedules.removeValue(forKey: PriceName.standard).map(schedule),
      let input = usual.rates.input, let output = usual.rates.output
    else { return nil }
    var price = Price(input: input, output: output, source: source, asOf: day)
    price.longCacheHours = longCacheHours
    price.standard = usual
    price.tiers = schedules.mapValues(schedule)
    return price
  }

  private static func schedule(_ rates: [Int: Rates]) -> Schedule {
    Schedule(
      rates[0] ?? Rates(),
      longRequests: rates.filter { $0.key > 0 }.sorted { $0.key < $1.key }
        .map { LongRequest(above: $0.key, $0.value) }
    )
  }

  private static func amount(_ key: String, _ fields: FieldReader) -> Double? {
    guard let value = fields.optionalNumber(key) else { return nil }
    if value >= 0 { return value }
    fields.diagnostics.error(
      "'\(key)' must not be negative",
      in: fields.file,
      at: fields.node[key]?.position
    )
    return nil
  }

  private static func day(_ fields: FieldReader) -> CivilDay? {
    guard let node = fields.optional(dayKey), let text = fields.text(node, dayKey) else {
      return nil
    }
    if text.utf8.count == 10, let day = CivilDay(iso8601: text) { return day }
    fields.diagnostics.error(
      "'\(dayKey)' must be a date such as 2026-11-25, not '\(Excerpt.line(text, to: 40))'",
      in: fields.file,
      at: node.position,
      fix: "write \"\(Self.meantDay(text) ?? "YYYY-MM-DD")\""
    )
    return nil
  }

  /// Returns the date that a text probably means; nil if the text is not similar to a date.
  ///
  /// The text may contain a time, lack leading zeros, or have other separators than hyphens.
  private static func meantDay(_ text: String) -> String? {
    if let day = CivilDay(iso8601: text) { return day.iso8601 }
    let parts = text.split(whereSeparator: { "-/.".contains($0) }).map(String.init)
    guard parts.count == 3, parts[0].count == 4, parts[1].count <= 2, parts[2].count <= 2
    else { return nil }
    func padded(_ part: String) -> String { part.count == 1 ? "0\(part)" : part }
    return CivilDay(iso8601: "\(parts[0])-\(padded(parts[1]))-\(padded(parts[2]))")?.iso8601
  }
}

/// The name of a price.
///
/// It consists of the kind of tokens, the service tier and the threshold, such as
/// `input_cost_per_token_above_200k_tokens_priority`.
private struct PriceName {
  let rate: WritableKeyPath<PriceList.Rates, Double?>
  let tier: String
  /// The number of tokens above which the price applies; 0 for the usual price.
  var above = 0
  /// The hours of the longer cache lifetime, if the price is for that lifetime.
  var cacheHours: Int?

  static let standard = ""

  init?(_ key: String) {
    var rest: Substring
    if let input = Self.rest(of: key[...], after: "input_cost_per_token") {
      (rate, rest) = (\.input, input)
    } else if let reasoning = Self.rest(of: key[...], after: "output_cost_per_reasoning_token") {
      (rate, rest) = (\.reasoning, reasoning)
    } else if let output = Self.rest(of: key[...], after: "output_cost_per_token") {
      (rate, rest) = (\.output, output)
    } else if let read = Self.rest(of: key[...], after: "cache_read_input_token_cost") {
      (rate, rest) = (\.cachedInput, read)
    } else if let written = Self.rest(of: key[...], after: "cache_creation_input_token_cost") {
      cacheHours = [1, 12].first { Self.rest(of: written, after: "_above_\($0)hr") != nil }
      if let hours = cacheHours {
        (rate, rest) = (\.longCacheWrite, written.dropFirst("_above_\(hours)hr".count))
      } else {
        (rate, rest) = (\.cacheWrite, written)
      }
    } else {
      return nil
    }
    if let limit = Self.rest(of: rest, after: "_above_") {
      let digits = limit.prefix { ("0"..."9").contains($0) }
      guard let after = Self.rest(of: limit.dropFirst(digits.count), after: "k_tokens"),
        let thousands = Int(digits), (1...1_000_000).contains(thousands)
      else { return nil }
      above = thousands * 1_000
      rest = after
    }
    if rest.isEmpty {
      tier = Self.standard
    } else {
      let word = rest.dropFirst()
      guard rest.first == "_", !word.isEmpty, word.allSatisfy({ ("a"..."z").contains($0) })
      else { return nil }
      tier = word == "batches" ? PriceList.batch : String(word)
    }
  }

  private static func rest(of text: Substring, after start: String) -> Substring? {
    text.hasPrefix(start) ? text.dropFirst(start.count) : nil
  }
}
