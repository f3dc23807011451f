package import SluiceSupport

/// What tokens cost, from files in the format of LiteLLM's price map.
package struct PriceList: Sendable {
  /// Prices in US dollars per token; nil where the list names none.
  package struct Rates: Hashable, Sendable {
    package var input: Double?
    package var output: Double?
    /// Tokens that come from the cache; without it they cost what input does.
    package var cachedInput: Double?
    /// Tokens that are put into the cache; without it they cost what input does.
    package var cacheWrite: Double?
    /// Tokens that are put into the cache for the longer of the provider's lifetimes.
    package var longCacheWrite: Double?
    /// Tokens of reasoning; without it they cost what output does.
    package var reasoning: Double?

    package init(
      input: Double? = nil,
      output: Double? = nil,
      cachedInput: Double? = nil,
      cacheWrite: Double? = nil,
      longCacheWrite: Double? = nil,
      reasoning: Double? = nil
    ) {
      self.input = input
      self.output = output
      self.cachedInput = cachedInput
      self.cacheWrite = cacheWrite
      self.longCacheWrite = longCacheWrite
      self.reasoning = reasoning
    }
  }

  /// The prices of requests that are longer than others.
  package struct LongRequest: Hashable, Sendable {
    /// The tokens of the longest request for which they do not hold yet.
    package var above: Int
    package var rates: Rates

    package init(above: Int, _ rates: Rates) {
      self.above = above
      self.rates = rates
    }
  }

  /// The prices of one tier of service.
  package struct Schedule: Hashable, Sendable {
    package var rates: Rates
    /// The prices of long requests, by rising length.
    package var longRequests: [LongRequest]

    package init(_ rates: Rates, longRequests: [LongRequest] = []) {
      self.rates = rates
      self.longRequests = longRequests
    }

    /// The prices of long requests that hold for a request of so many tokens.
    func long(forRequestOf tokens: Int) -> LongRequest? {
      longRequests.last { tokens > $0.above }
    }
  }

  /// The prices of a model.
  package struct Price: Hashable, Sendable {
    /// The prices of the standard tier, those of input and output among them.
    package var standard: Schedule
    /// The prices of other tiers of service, by the lowercased word of the wire: `flex`, `priority`.
    package var tiers: [String: Schedule]
    /// The address of the page that the prices come from.
    package var source: String?
    /// The day on which the page had these prices.
    package var asOf: CivilDay?
    /// The hours of the longer lifetime in a cache, where tokens of that have a price.
    package var longCacheHours: Int?

    package init(
      input: Double,
      output: Double,
      cachedInput: Double? = nil,
      cacheWrite: Double? = nil,
      longCacheWrite: Double? = nil,
      reasoning: Double? = nil,
      longCacheHours: Int? = nil,
      longRequests: [LongRequest] = [],
      tiers: [String: Schedule] = [:],
      source: String? = nil,
      asOf: CivilDay? = nil
    ) {
      let rates = Rates(
        input: input,
        output: output,
        cachedInput: cachedInput,
        cacheWrite: cacheWrite,
        longCacheWrite: longCacheWrite,
        reasoning: reasoning
      )
      standard = Schedule(rates, longRequests: longRequests)
      self.tiers = tiers
      self.longCacheHours = longCacheHours
      self.source = source
      self.asOf = asOf
    }
  }

  /// The tier of answers that a batch service gave.
  package static let batch = "batch"

  package var prices: [String: Price]
  /// The files that the prices come from, relative to the project's root.
  package var files: [String]
  /// The file that names each model.
  package var origins: [String: String]

  package init(
    prices: [String: Price] = [:],
    files: [String] = [],
    origins: [String: String] = [:]
  ) {
    self.prices = prices
    self.files = files
    self.origins = origins
  }

  /// The file to add the price of a model to: the one with the models whose names begin most like it.
  package func file(for model: String) -> String {
    func likeness(_ file: String) -> Int {
      origins.lazy.filter { $0.value == file }.map { $0.key.commonPrefix(with: model) }.max() ?? 0
    }
    let likest = files.map { (file: $0, likeness: likeness($0)) }.max { $0.likeness < $1.likeness }
    return likest?.file ?? "prices.json"
  }

  /// The prices without where they come from, by model and tier; `""` is the standard tier.
  package var amounts: [String: [String: Schedule]] {
    prices.mapValues { price in price.tiers.merging(["": price.standard]) { own, _ in own } }
  }
}

extension String {
  /// The number of characters that two texts have in common at their start.
  fileprivate func commonPrefix(with other: String) -> Int {
    zip(self, other).prefix { $0 == $1 }.count
  }
}
