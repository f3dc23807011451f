import SluiceGating

/// The prices of a project's backends as JSON, for programs; described in `docs/backends.md`.
package struct PricesJSON {
  /// The version of the format.
  ///
  /// It increases when a member is removed or changes its meaning.
  package static let schema = 1
  private let prices: PriceList
  private let today: CivilDay

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - prices: The prices.
  ///   - today: The date from which ages are counted.
  package init(_ prices: PriceList, today: CivilDay) {
    self.prices = prices
    self.today = today
  }

  /// Returns the prices of each backend.
  package func bytes(_ backends: [BackendDefinition]) -> [UInt8] {
    JSONWriter.pretty([
      "schema": .number(Double(Self.schema)), "generator": .string("sluice \(Version.current)"),
      "files": .array(prices.files.map(JSONValue.string)),
      "unit": .string("usd-per-million-tokens"), "backends": .array(backends.map(backend)),
    ])
  }

  private func backend(_ backend: BackendDefinition) -> JSONValue {
    var object: JSONObject = [
      "name": .string(backend.name), "model": backend.model.map(JSONValue.string) ?? .null,
    ]
    guard let model = backend.model, let price = prices.prices[model] else {
      object["prices"] = .null
      return .object(object)
    }
    object.set("file", prices.origins[model].map(JSONValue.string))
    object.set("source", price.source.map(JSONValue.string))
    if let day = price.asOf {
      object["as-of"] = .string(day.iso8601)
      object["age-days"] = .number(Double(today.number - day.number))
      object["old"] = .bool(today.number - day.number > PriceAge.limit)
    }
    var tiers: JSONObject = ["standard": Self.schedule(price.standard)]
    for tier in PriceText.tiers(price) {
      tiers.set(tier, price.tiers[tier].map(Self.schedule))
    }
    object["prices"] = .object(tiers)
    return .object(object)
  }

  private static func schedule(_ schedule: PriceList.Schedule) -> JSONValue {
    var object = rates(schedule.rates)
    if !schedule.longRequests.isEmpty {
      object["long-requests"] = .array(
        schedule.longRequests.map { long in
          var entry: JSONObject = ["above": .number(Double(long.above))]
          for member in rates(long.rates).members { entry[member.name] = member.value }
          return .object(entry)
        }
      )
    }
    return .object(object)
  }

  private static func rates(_ rates: PriceList.Rates) -> JSONObject {
    var object: JSONObject = [:]
    func set(_ name: String, _ price: Double?) {
      object.set(name, price.map { .number(PriceText.perMillion($0)) })
    }
    set("input", rates.input)
    set("cached-input", rates.cachedInput)
    set("cache-write", rates.cacheWrite)
    set("long-cache-write", rates.longCacheWrite)
    set("output", rates.output)
    set("reasoning", rates.reasoning)
    return object
  }
}
