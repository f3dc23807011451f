extension PriceList {
  /// The cost of an answer, or the reason why it is unknown.
  package enum Pricing: Hashable, Sendable {
    /// The cost in US dollars.
    case cost(Double)
    /// The cost is unknown, for the reason given.
    case unknown(Lack)

    /// The cost in US dollars; nil if unknown.
    package var cost: Double? { if case .cost(let cost) = self { cost } else { nil } }

    /// The reason why the cost is unknown; nil if the cost is known.
    package var lack: Lack? { if case .unknown(let lack) = self { lack } else { nil } }
  }

  /// The reason why the cost of an answer is unknown.
  package enum Lack: Hashable, Sendable {
    /// The list has no price for the model.
    case model
    /// The list contains prices for the model, but not for the service tier of the answer.
    case tier(String)
    /// The list contains no price for some of the tokens.
    ///
    /// The tier is nil for the standard tier.
    case part(Part, tier: String?)
    /// The server reported no token counts.
    case usage
    /// The server reported only one of the two token counts, input and output.
    case partOfUsage
    /// The token counts do not determine the cost.
    case doubt(UsageDoubt)
  }

  /// Kinds of tokens that may have their own price.
  package enum Part: String, Hashable, Sendable {
    case cachedInput = "cache reads"
    case cacheWrite = "cache writes"
    case longCacheWrite = "cache writes of the longer lifetime"
    case reasoning = "reasoning"
    case longRequest = "long requests"
  }

  /// Returns the cost of an answer's tokens.
  ///
  /// - Parameters:
  ///   - usage: The token counts reported by the server.
  ///   - model: The model that answered.
  ///   - tier: The service tier of the answer; nil for the standard tier.
  /// - Returns: The cost, which is unknown if a price or a token count is missing.
  package func pricing(of usage: TokenUsage?, model: String, tier: String? = nil) -> Pricing {
    if let lack = Lack(usage) { return .unknown(lack) }
    // Looking up the index first avoids copying a price, which is large.
    guard let usage, let place = prices.index(forKey: model) else { return .unknown(.model) }
    do throws(Lack) {
      return .cost(
        try prices[place].value.rates(for: usage, tier: tier?.lowercased()).cost(of: usage)
      )
    } catch {
      return .unknown(error)
    }
  }

  /// Returns the name under which the list contains the price for an answer's model.
  ///
  /// If a request names a model without a version, vendors report the same model with a date, such
  /// as `NAME-2026-11-20`. If the list has no price for the dated name, the price of the requested
  /// name applies. In all other cases, the price of the reported name applies.
  ///
  /// - Parameters:
  ///   - answered: The name that the server reported; nil if it reported none.
  ///   - asked: The name in the request.
  /// - Returns: The reported or the requested name.
  package func name(of answered: String?, asking asked: String) -> String {
    guard let answered else { return asked }
    guard prices.index(forKey: answered) == nil, prices.index(forKey: asked) != nil,
      answered.hasPrefix("\(asked)-")
    else { return answered }
    let version = answered.dropFirst(asked.count + 1)
    let isDate = version.allSatisfy { "0123456789-".contains($0) }
    return isDate && version.count { $0 != "-" } == 8 ? asked : answered
  }

  /// Returns the cost of an answer's tokens.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - model: The requested model, which is used if the server did not report one.
  /// - Returns: The cost, which is unknown if a price or a token count is missing.
  package func pricing(of response: ModelResponse, asking model: String) -> Pricing {
    pricing(
      of: response.usage,
      model: name(of: response.origin.provenance.model, asking: model),
      tier: response.pricedTier
    )
  }

  /// Returns the cost of an answer in US dollars.
  ///
  /// If the list does not determine the cost, returns the cost that the server reported; nil if the
  /// server did not report one.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - model: The requested model, which is used if the server did not report one.
  /// - Returns: The cost.
  package func cost(of response: ModelResponse, asking model: String) -> Double? {
    pricing(of: response, asking: model).cost ?? response.reportedCost
  }
}

extension ModelResponse {
  /// The service tier that determines the prices; nil for the standard tier.
  package var pricedTier: String? { origin.isBatch ? PriceList.batch : serviceTier }
}

extension PriceList.Lack: Error {
  /// Creates the reason if a token count is missing or doubtful; nil if the counts determine the
  /// cost.
  init?(_ usage: TokenUsage?) {
    if let doubt = usage?.doubt ?? (usage?.isContradictory == true ? .contradiction : nil) {
      self = .doubt(doubt)
      return
    }
    switch (usage?.input, usage?.output) {
    case (_?, _?): return nil
    case (nil, nil): self = .usage
    default: self = .partOfUsage
    }
  }

  /// The reason why the cost is unknown, as a clause.
  package var reason: String {
    switch self {
    case .model: UnknownCost.noPrice
    case .tier(PriceList.batch): "no batch price for the model"
    case .tier(let tier): "no price for the tier '\(Self.shown(tier))'"
    case .part(let part, nil): "no price for \(part.rawValue)"
    case .part(let part, PriceList.batch?): "no batch price for \(part.rawValue)"
    case .part(let part, let tier?):
      "no price for \(part.rawValue) in the tier '\(Self.shown(tier))'"
    case .usage: "the server sent no usage"
    case .partOfUsage: "the server sent only a part of the usage"
    case .doubt(.invalid): "the server sent a token count that is not a whole number"
    case .doubt(.contradiction): "the server's token counts contradict each other"
    case .doubt(.total): "the server's token counts do not add up to their total"
    case .doubt(.ambiguous): "the total fits several readings of the server's token counts"
    case .doubt(.iterations): "the server's token counts leave out iterations"
    }
  }

  /// Returns a word of the response in a form that is safe to show in messages.
  private static func shown(_ tier: String) -> String {
    String(tier.prefix(40).map { Identifier.isValid(String($0)) ? $0 : "?" })
  }
}

extension PriceList.Price {
  /// Returns the prices that apply to an answer.
  ///
  /// Each kind of token in the answer has a price of its own, or costs as much as other tokens.
  ///
  /// - Parameters:
  ///   - usage: The token counts of the answer, both input and output.
  ///   - tier: The service tier in lower case; nil for the standard tier.
  /// - Returns: The prices.
  /// - Throws: The reason if the list lacks a price.
  fileprivate func rates(for usage: TokenUsage, tier: String?) throws(PriceList.Lack)
    -> PriceList.Rates
  {
    let input = usage.input ?? 0
    let usual = rates(tier: nil, forRequestOf: input) ?? standard.rates
    if let tier { return try rates(of: tier, for: usage, besides: usual) }
    // A price for cache writes does not apply to the longer lifetime, which costs more.
    if usage.longCacheWrite ?? 0 > 0, usual.longCacheWrite == nil, usual.cacheWrite != nil {
      throw .part(.longCacheWrite, tier: nil)
    }
    return usual
  }

  /// Returns the prices of a tier for a request of a certain length; nil if the list contains none
  /// for the tier.
  ///
  /// The prices of the standard tier do not replace missing prices of another tier, because
  /// discounts and surcharges differ.
  private func rates(tier: String?, forRequestOf tokens: Int) -> PriceList.Rates? {
    let usualLong = standard.long(forRequestOf: tokens)?.rates
    guard let tier else { return standard.rates.replaced(by: usualLong) }
    guard let schedule = tiers[tier], schedule.rates.input != nil, schedule.rates.output != nil
    else { return nil }
    let long = schedule.long(forRequestOf: tokens)?.rates
    return schedule.rates.without(usualLong).replaced(by: long)
  }

  /// The price of one kind of tokens.
  package enum Amount: Hashable, Sendable {
    /// The price in US dollars per token.
    case price(Double)
    /// The tokens have no separate price.
    ///
    /// They cost as much as other tokens of the input or output.
    case plain
    /// The price is not in the list.
    ///
    /// If an answer has tokens of this kind, its cost is unknown.
    case unknown
  }

  /// Returns the price per token for one kind of tokens in a service tier.
  ///
  /// - Parameters:
  ///   - part: The kind of tokens.
  ///   - tier: The service tier in lower case; nil for the standard tier.
  ///   - tokens: The length of the request in tokens, since long requests may have other prices.
  /// - Returns: The price.
  package func amount(
    of part: KeyPath<PriceList.Rates, Double?>,
    tier: String?,
    forRequestOf tokens: Int
  ) -> Amount {
    guard let usual = rates(tier: nil, forRequestOf: tokens),
      let rates = rates(tier: tier, forRequestOf: tokens), rates.input != nil, rates.output != nil
    else { return .unknown }
    if let price = rates[keyPath: part] { return .price(price) }
    let isPlain =
      switch part {
      case \PriceList.Rates.longCacheWrite:
        rates.cacheWrite == nil && usual.cacheWrite == nil && usual.longCacheWrite == nil
      case \PriceList.Rates.reasoning:
        usual.reasoning == nil || usual.reasoning == usual.output
      default: usual[keyPath: part] == nil
      }
    return isPlain ? .plain : .unknown
  }

  /// Returns the prices of a tier other than the standard tier.
  ///
  /// Each kind of token in the answer has a price of its own, or costs as much as other tokens.
  private func rates(
    of tier: String,
    for usage: TokenUsage,
    besides usual: PriceList.Rates
  ) throws(PriceList.Lack) -> PriceList.Rates {
    guard let rates = rates(tier: tier, forRequestOf: usage.input ?? 0) else {
      throw .tier(tier)
    }
    if rates.input == nil || rates.output == nil { throw .part(.longRequest, tier: tier) }
    func demand(_ part: PriceList.Part, _ count: Int, _ own: Double?, _ other: Double?)
      throws(PriceList.Lack)
    {
      if count > 0, own == nil, other != nil { throw .part(part, tier: tier) }
    }
    let longWrites = usage.longCacheWrite ?? 0
    let shortWrites = (usage.cacheWrite ?? 0) - longWrites
    try demand(.cachedInput, usage.cachedInput ?? 0, rates.cachedInput, usual.cachedInput)
    try demand(.cacheWrite, shortWrites, rates.cacheWrite, usual.cacheWrite)
    try demand(
      .longCacheWrite,
      longWrites,
      rates.longCacheWrite,
      usual.longCacheWrite ?? usual.cacheWrite ?? rates.cacheWrite
    )
    if usual.reasoning != usual.output {
      try demand(.reasoning, usage.reasoning ?? 0, rates.reasoning, usual.reasoning)
    }
    return rates
  }
}

extension PriceList.Rates {
  /// Returns these prices, each replaced by the price for long requests if there is one.
  fileprivate func replaced(by long: PriceList.Rates?) -> PriceList.Rates {
    guard let long else { return self }
    return PriceList.Rates(
      input: long.input ?? input,
      output: long.output ?? output,
      cachedInput: long.cachedInput ?? cachedInput,
      cacheWrite: long.cacheWrite ?? cacheWrite,
      longCacheWrite: long.longCacheWrite ?? longCacheWrite,
      // If reasoning costs as much as output, it also does so in a long request.
      reasoning: long.reasoning ?? (reasoning == output ? long.output : nil) ?? reasoning
    )
  }

  /// Returns these prices, leaving out each price that another set of prices contains.
  fileprivate func without(_ others: PriceList.Rates?) -> PriceList.Rates {
    guard let others else { return self }
    return PriceList.Rates(
      input: others.input == nil ? input : nil,
      output: others.output == nil ? output : nil,
      cachedInput: others.cachedInput == nil ? cachedInput : nil,
      cacheWrite: others.cacheWrite == nil ? cacheWrite : nil,
      longCacheWrite: others.longCacheWrite == nil ? longCacheWrite : nil,
      reasoning: others.reasoning == nil ? reasoning : nil
    )
  }

  /// Returns the cost of an answer in US dollars.
  ///
  /// Cache reads and cache writes do not count as plain input if they have a price of their own.
  fileprivate func cost(of usage: TokenUsage) -> Double {
    let (input, output) = (usage.input ?? 0, usage.output ?? 0)
    let cached = cachedInput == nil ? 0 : usage.cachedInput ?? 0
    let long = usage.longCacheWrite ?? 0
    let written = usage.cacheWrite ?? long
    let longPriced = longCacheWrite == nil ? 0 : long
    let shortPriced = cacheWrite == nil ? 0 : written - long
    let thought = reasoning == nil ? 0 : usage.reasoning ?? 0
    var cost = Double(input - cached - longPriced - shortPriced) * (self.input ?? 0)
    cost += Double(cached) * (cachedInput ?? 0)
    if shortPriced > 0 { cost += Double(shortPriced) * (cacheWrite ?? 0) }
    if longPriced > 0 { cost += Double(longPriced) * (longCacheWrite ?? 0) }
    cost += Double(output - thought) * (self.output ?? 0)
    if thought > 0 { cost += Double(thought) * (reasoning ?? 0) }
    return cost
  }
}
