import SluiceGating

/// The wording about prices in all reports.
enum PriceText {
  private static let shownSuites = 3

  /// Returns a sentence for each model whose prices are much older or newer than its answers.
  static func notes(_ suites: [SuiteResult]) -> [String] {
    struct Key: Hashable {
      var model: String
      var day: String
      var isNewer: Bool
    }
    var order: [Key] = []
    var groups: [Key: [(suite: String, days: Int)]] = [:]
    for suite in suites {
      for age in suite.priceAges {
        let key = Key(model: age.model, day: age.day, isNewer: age.days < 0)
        if groups[key] == nil { order.append(key) }
        groups[key, default: []].append((suite.name, Int(age.days.magnitude)))
      }
    }
    return order.map { key in
      let group = groups[key] ?? []
      let days = group.map(\.days)
      let most = days.max() ?? 0
      let extent = days.min() == most ? "" : "up to "
      var names = group.prefix(shownSuites).map(\.suite).joined(separator: ", ")
      if group.count > shownSuites { names += " and \(group.count - shownSuites) more" }
      return "prices of \(key.model) are from \(key.day), \(extent)\(most) days "
        + "\(key.isNewer ? "after" : "before") the answers"
        + (suites.count > 1 ? " (\(names))" : "")
    }
  }

  /// Returns a phrase with the dates of the prices that costs use; `nil` if no price has a date.
  ///
  /// If the dates differ, the phrase names the models of each date. Prices that are much older or
  /// newer than the answers have their distance, too.
  static func dates(_ ages: [PriceAge]) -> String? {
    if ages.isEmpty { return nil }
    var models: [String: [String]] = [:]
    for age in ages {
      let direction = age.days < 0 ? "after" : "before"
      let distance = age.isFar ? ", \(age.days.magnitude) days \(direction) its answers" : ""
      models[age.day, default: []].append(age.model + distance)
    }
    let days = models.sorted { $0.key < $1.key }
    if days.count == 1, !ages.contains(where: \.isFar) {
      return "costs use the prices of \(days[0].key)"
    }
    return "costs use the prices of "
      + days.map { "\($0.key) (\($0.value.joined(separator: "; ")))" }.joined(separator: ", ")
  }

  /// Formats the price of a token in dollars per million tokens, with at least two decimals.
  static func amount(_ price: Double) -> String {
    let dollars = perMillion(price)
    let decimals = (2...9).first { decimals in
      Double(NumberText.fixed(dollars, decimals: decimals)) == dollars
    }
    return NumberText.fixed(dollars, decimals: decimals ?? 9)
  }

  /// Returns the price of a token in dollars per million tokens, without rounding artifacts.
  static func perMillion(_ price: Double) -> Double { (price * 1e15).rounded() / 1e9 }

  /// Returns the names of the service tiers: first the standard tier, then batches, then all other
  /// tiers sorted by name.
  static func tiers(_ price: PriceList.Price) -> [String] {
    [PriceList.batch] + price.tiers.keys.filter { $0 != PriceList.batch }.sorted()
  }
}
