package import SluiceSupport

/// The prices of tokens, from files in the format of LiteLLM's price map.
package struct PriceList: Sendable {
  /// Prices in US dollars per token.
  ///
  /// A price that is nil is not in the list.
  package struct Rates: Hashable, Sendable {
    package var input: Double?
    package var output: Double?
    /// The price of tokens that are read from the cache.
    ///
    /// By default, the price of input applies.
    package var cachedInput: Double?
    /// The price of tokens that are written to the cache.
    ///
    /// By default, the price of input applies.
    package var cacheWrite: Double?
    /// The price of tokens that are written to the cache for the longer of the provider's
    /// lifetimes.
    package var longCacheWrite: Double?
    /// The price of tokens that are used for reasoning.
    ///
    /// By default, the price of output applies.
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

  /// The prices of long requests.
  package struct LongRequest: Hashable, Sendable {
    /// The number of tokens above which these prices apply.
    package var above: Int
    package var rates: Rates

    package init(above: Int, _ rates: Rates) {
      self.above = above
      self.rates = rates
    }
  }

  /// The prices of one service tier.
  package struct Schedule: Hashable, Sendable {
    package var rates: Rates
    /// The prices of long requests, in ascending order of length.
    package var longRequests: [LongRequest]

    package init(_ rates: Rates, longRequests: [LongRequest] = []) {
      self.rates = rates
      self.longRequests = longRequests
    }

    /// Returns the prices of long requests that apply to a request of a certain length.
    func long(forRequestOf tokens: Int) -> LongRequest? {
      longRequests.last { tokens > $0.above }
    }
  }

  /// The prices of a model.
  package struct Price: Hashable, Sendable {
    /// The prices of the standard tier.
    ///
    /// The prices of input and output are always known.
    package var standard: Schedule
    /// The prices of other service tiers, by the tier's name in the API in lower case, such as
    /// `flex`.
    package var tiers: [String: Schedule]
    /// The URL of the page that contains the prices.
    package var source: String?
    /// The date on which the page contained these prices.
    package var asOf: CivilDay?
    /// The hours of the longer cache lifetime, if that lifetime has its own price.
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

  /// The tier of answers from a batch service.
  package static let batch = "batch"

  package var prices: [String: Price]
  /// The price files, relative to the project's root.
  package var files: [String]
  /// For each model, the file that contains its price.
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

  /// Returns the file to which the price of a model should be added.
  ///
  /// It is the file whose models have the most similar names.
  package func file(for model: String) -> String {
    func likeness(_ file: String) -> Int {
      origins.lazy.filter { $0.value == file }.map { $0.key.commonPrefix(with: model) }.max() ?? 0
    }
    let likest = files.map { (file: $0, likeness: likeness($0)) }.max { $0.likeness < $1.likeness }
    return likest?.file ?? "prices.json"
  }

  /// The prices without their sources, by model and tier.
  ///
  /// The name of the standard tier is `""`.
  package var amounts: [String: [String: Schedule]] {
    prices.mapValues { price in price.tiers.merging(["": price.standard]) { own, _ in own } }
  }
}

extension String {
  /// Returns the length of the common prefix with another text.
  fileprivate func commonPrefix(with other: String) -> Int {
    zip(self, other).prefix { $0 == $1 }.count
  }
}
