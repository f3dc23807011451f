import SluiceGating

/// The prices of a project's backends, for a terminal that is 80 characters wide.
package struct TerminalPrices {
  private let prices: PriceList
  private let today: CivilDay
  private let style: TerminalStyle

  private static let labelWidth = 24
  private static let cellWidth = 11
  /// The maximum number of service tiers that fit side by side.
  private static let shownTiers = 5

  /// Creates the text.
  ///
  /// - Parameters:
  ///   - prices: The prices.
  ///   - today: The date from which ages are counted.
  ///   - style: The colors of the terminal.
  package init(_ prices: PriceList, today: CivilDay, style: TerminalStyle) {
    self.prices = prices
    self.today = today
    self.style = style
  }

  /// Returns the prices of each model that backends use, with their sources and ages.
  package func text(_ backends: [BackendDefinition]) -> String {
    if prices.files.isEmpty { return TerminalLines.text(withoutFile(backends)) }
    var lines: [String] = []
    for group in groups(backends) {
      if !lines.isEmpty { lines.append("") }
      lines += head(group)
      guard let model = group.model else {
        lines += fact(
          "price",
          group.isFile
            ? "unknown: a file of answers does not name their cost"
            : "unknown until an answer names its model; sluice.yaml names none"
        )
        continue
      }
      if let price = prices.prices[model] {
        lines += table(price) + origin(of: model, price)
      } else {
        lines += missing(model, isAskedThroughFiles: group.isAskedThroughFiles)
      }
    }
    if lines.isEmpty { return "" }
    return TerminalLines.text([style.dim("Dollars per million tokens"), ""] + lines)
  }

  /// The backends that use the same model.
  private struct Group {
    var model: String?
    var isFile: Bool
    /// True if answers of all these backends are exchanged through batch files.
    var isAskedThroughFiles: Bool
    var names: [String]
  }

  private func groups(_ backends: [BackendDefinition]) -> [Group] {
    var groups: [Group] = []
    for backend in backends {
      let model = backend.model
      if model != nil, let place = groups.firstIndex(where: { $0.model == model }) {
        groups[place].names.append(backend.name)
        if !backend.isAskedThroughFiles { groups[place].isAskedThroughFiles = false }
      } else {
        groups.append(
          Group(
            model: model,
            isFile: backend.outputs != nil,
            isAskedThroughFiles: backend.isAskedThroughFiles,
            names: [backend.name]
          )
        )
      }
    }
    return groups
  }

  private func head(_ group: Group) -> [String] {
    let names = TerminalText.visible(group.names.joined(separator: ", "))
    guard let model = group.model else { return [style.bold(TerminalLines.opening(names))] }
    let name = TerminalText.cut(TerminalLines.opening(model), to: TerminalLines.width)
    if TerminalText.width(of: "\(name)  \(names)") <= TerminalLines.width {
      return ["\(style.bold(name))  \(style.dim(names))"]
    }
    return [style.bold(name)] + TerminalLines.wrap(names, indent: 2).map(style.dim)
  }

  // MARK: A table

  /// A row of the table: a kind of token, its price, and the text to show if there is no price.
  private struct Row {
    var label: String
    var rate: KeyPath<PriceList.Rates, Double?>
    var otherwise: String
  }

  private func rows(_ price: PriceList.Price) -> [Row] {
    let schedules = [price.standard] + price.tiers.values
    let all = schedules.flatMap { [$0.rates] + $0.longRequests.map(\.rates) }
    let hasLong = all.contains { $0.longCacheWrite != nil }
    let (short, long) =
      switch price.longCacheHours {
      case 1: (", 5 min", ", 1 h")
      case 12: (", 30 min", ", 12 h")
      default: ("", ", longer")
      }
    return [
      Row(label: "input", rate: \.input, otherwise: "unknown"),
      Row(label: "cache read", rate: \.cachedInput, otherwise: "as input"),
      Row(label: "cache write\(hasLong ? short : "")", rate: \.cacheWrite, otherwise: "as input"),
    ]
      + (hasLong
        ? [Row(label: "cache write\(long)", rate: \.longCacheWrite, otherwise: "as input")] : [])
      + [
        Row(label: "output", rate: \.output, otherwise: "unknown"),
        Row(label: "reasoning", rate: \.reasoning, otherwise: "as output"),
      ]
  }

  private func table(_ price: PriceList.Price) -> [String] {
    let tiers: [String?] = [nil] + PriceText.tiers(price)
    let schedules = [price.standard] + price.tiers.values
    let limits = Set(schedules.flatMap(\.longRequests).map(\.above)).sorted()
    let rows = rows(price)
    var lines: [String] = []
    for start in stride(from: 0, to: tiers.count, by: Self.shownTiers) {
      let shown = tiers[start..<min(start + Self.shownTiers, tiers.count)]
      let names = shown.map { TerminalText.cut($0 ?? "standard", to: Self.cellWidth - 1) }
      lines.append(style.dim(line("", names)))
      lines += rows.map { row in
        line("  \(row.label)", shown.map { cell(row, price, $0, tokens: 0) })
      }
      for limit in limits {
        lines.append("  above \(limit.withThousands) tokens:")
        let named = rows.filter { row in
          schedules.contains { schedule in
            schedule.longRequests.contains {
              $0.above == limit && $0.rates[keyPath: row.rate] != nil
            }
          }
        }
        lines += named.map { row in
          line("    \(row.label)", shown.map { cell(row, price, $0, tokens: limit + 1) })
        }
      }
    }
    return lines
  }

  private func line(_ label: String, _ cells: [String]) -> String {
    TerminalText.pad(label, to: Self.labelWidth)
      + cells.map { cell in
        String(repeating: " ", count: max(1, Self.cellWidth - TerminalText.width(of: cell))) + cell
      }.joined()
  }

  private func cell(_ row: Row, _ price: PriceList.Price, _ tier: String?, tokens: Int) -> String {
    switch price.amount(of: row.rate, tier: tier, forRequestOf: tokens) {
    case .price(let amount): PriceText.amount(amount)
    case .plain: row.otherwise
    case .unknown: "no price"
    }
  }

  // MARK: Sources of prices

  private func origin(of model: String, _ price: PriceList.Price) -> [String] {
    var lines = fact("file", prices.origins[model] ?? "")
    lines += fact("source", price.source ?? "missing: add \"source\", the address of the page")
    guard let day = price.asOf else {
      return lines + fact("as of", "date missing: add \"as-of\", the day of the prices")
    }
    let age = today.number - day.number
    let text =
      switch age {
      case ..<0:
        "\(TerminalLines.count(-age, "day")) in the future; correct this date"
      case 0: "today"
      default: "\(TerminalLines.count(age, "day")) ago"
      }
    let isOld = age > PriceAge.limit
    let whole = fact(
      "as of",
      "\(day.iso8601), \(text)" + (isOld ? ": old, check the page for new prices" : "")
    )
    return lines + (isOld || age < 0 ? whole.map(style.warning) : whole)
  }

  private func fact(_ name: String, _ text: String) -> [String] {
    TerminalLines.wrap(text, indent: 10).enumerated().map { index, line in
      index == 0 ? "  " + TerminalText.pad(name, to: 8) + line.drop { $0 == " " } : line
    }
  }

  // MARK: No price

  private func missing(_ model: String, isAskedThroughFiles: Bool) -> [String] {
    if isAskedThroughFiles {
      return TerminalLines.wrap(
        "no price; answers of a batch service need one, and the cost of answers from files is "
          + "unknown",
        indent: 2
      )
    }
    let file = TerminalText.visible(prices.file(for: model))
    return TerminalLines.wrap("no price, so the cost of its answers is unknown", indent: 2)
      .map(style.warning)
      + TerminalLines.wrap("fix: add this entry to \(file), with \(Self.filling):", indent: 2)
      + Self.entry(model).map { "    \($0)" }
  }

  private func withoutFile(_ backends: [BackendDefinition]) -> [String] {
    let models = groups(backends).compactMap(\.model)
    let start =
      TerminalLines.wrap("sluice.yaml names no price file, so every cost is unknown", indent: 0)
      .map(style.warning) + ["  fix: add this line to sluice.yaml:", "    prices: prices.json"]
    if models.isEmpty { return start }
    var entries: [String] = []
    for (place, model) in models.enumerated() {
      var entry = Self.entry(model)
      if place + 1 < models.count { entry[entry.count - 1] += "," }
      entries += entry.map { "      \($0)" }
    }
    return start
      + TerminalLines.wrap("and write this to prices.json, with \(Self.filling):", indent: 2)
      + ["    {"] + entries + ["    }"]
  }

  private static let filling =
    "each null replaced with dollars per token, the address of the page or its day (YYYY-MM-DD)"

  private static func entry(_ model: String) -> [String] {
    [
      "\(TerminalText.visible(JSONValue.string(model).jsonText)): {",
      "  \"input_cost_per_token\": null,", "  \"output_cost_per_token\": null,",
      "  \"source\": null,", "  \"as-of\": null", "}",
    ]
  }
}
