package import SluiceSupport

/// What tokens cost, from a file in the format of LiteLLM's price map.
package struct PriceList: Sendable {
  /// Prices of a model in US dollars per token.
  package struct Price: Hashable, Sendable {
    package var input: Double
    package var output: Double
    /// Nil when the list does not tell cached tokens apart.
    package var cachedInput: Double?
    /// Nil when the list does not tell tokens apart that are put into the cache.
    package var cacheWrite: Double?
    /// Nil when the list does not tell tokens of reasoning apart.
    package var reasoning: Double?
    /// What long requests cost, by rising length.
    package var tiers: [Tier]

    package init(
      input: Double,
      output: Double,
      cachedInput: Double? = nil,
      cacheWrite: Double? = nil,
      reasoning: Double? = nil,
      tiers: [Tier] = []
    ) {
      self.input = input
      self.output = output
      self.cachedInput = cachedInput
      self.cacheWrite = cacheWrite
      self.reasoning = reasoning
      self.tiers = tiers
    }

    /// The prices of a request of so many tokens.
    fileprivate func forRequest(of tokens: Int) -> Price {
      guard let tier = tiers.last(where: { tokens > $0.above }) else { return self }
      var price = self
      price.input = tier.input ?? input
      price.output = tier.output ?? output
      price.cachedInput = tier.cachedInput ?? cachedInput
      price.cacheWrite = tier.cacheWrite ?? cacheWrite
      return price
    }
  }

  /// Prices of requests that are longer than others; nil where they are the usual ones.
  package struct Tier: Hashable, Sendable {
    /// The tokens of the longest request for which they do not hold yet.
    package var above: Int
    package var input: Double?
    package var output: Double?
    package var cachedInput: Double?
    package var cacheWrite: Double?

    package init(
      above: Int,
      input: Double? = nil,
      output: Double? = nil,
      cachedInput: Double? = nil,
      cacheWrite: Double? = nil
    ) {
      self.above = above
      self.input = input
      self.output = output
      self.cachedInput = cachedInput
      self.cacheWrite = cacheWrite
    }
  }

  package var prices: [String: Price]
  /// The file that the prices come from, relative to the project's root.
  package var file: String?

  package init(prices: [String: Price] = [:], file: String? = nil) {
    self.prices = prices
    self.file = file
  }

  /// The cost of an answer in US dollars; nil when the model has no price or the server sent no usage.
  package func cost(of usage: TokenUsage?, model: String) -> Double? {
    guard let usage, let listed = prices[model], let input = usage.input, let output = usage.output
    else { return nil }
    let price = listed.forRequest(of: input)
    // Some servers count more cached tokens than the request has.
    let cached = price.cachedInput == nil ? 0 : min(usage.cachedInput ?? 0, input)
    let written = price.cacheWrite == nil ? 0 : min(usage.cacheWrite ?? 0, input - cached)
    let reasoning = price.reasoning == nil ? 0 : min(usage.reasoning ?? 0, output)
    var cost = Double(input - cached - written) * price.input
    cost += Double(cached) * (price.cachedInput ?? 0)
    if written > 0 { cost += Double(written) * (price.cacheWrite ?? 0) }
    cost += Double(output - reasoning) * price.output
    if reasoning > 0 { cost += Double(reasoning) * (price.reasoning ?? 0) }
    return cost
  }

  /// The cost of an answer in US dollars, at these prices or, where there is none, as the server says;
  /// nil when neither tells.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - model: The model that was asked, where the server does not say which one answered.
  /// - Returns: The cost.
  package func cost(of response: ModelResponse, asking model: String) -> Double? {
    cost(of: response.usage, model: response.provenance.model ?? model) ?? response.reportedCost
  }
}

// MARK: Reading

extension PriceList {
  private static let input = "input_cost_per_token"
  private static let output = "output_cost_per_token"
  private static let cachedInput = "cache_read_input_token_cost"
  private static let cacheWrite = "cache_creation_input_token_cost"
  private static let reasoning = "output_cost_per_reasoning_token"

  /// Reads a price file; nil, with errors reported, when it cannot be used.
  ///
  /// Of each entry the prices of tokens of text are read; the format has many more keys.
  package static func read(_ path: ProjectPath, files: ProjectFiles) -> PriceList? {
    let diagnostics = files.diagnostics
    guard let (root, file) = files.readTree(path),
      FieldReader(root, subject: "a price file", file: file, diagnostics: diagnostics) != nil
    else { return nil }
    var list = PriceList(file: path.description)
    for member in root.members ?? [] {
      let fields = FieldReader(
        member.value,
        subject: "the price of '\(member.key)'",
        file: file,
        diagnostics: diagnostics
      )
      if let fields, let price = price(fields) { list.prices[member.key] = price }
    }
    return list
  }

  /// The price of a model; nil where tokens of one side have none.
  private static func price(_ fields: FieldReader) -> Price? {
    func price(_ key: String) -> Double? {
      guard let value = fields.optionalNumber(key) else { return nil }
      if value >= 0 { return value }
      fields.diagnostics.error(
        "'\(key)' must not be negative",
        in: fields.file,
        at: fields.node[key]?.position
      )
      return nil
    }
    let (input, output) = (price(input), price(output))
    let (cachedInput, cacheWrite) = (price(cachedInput), price(cacheWrite))
    let (reasoning, tiers) = (price(reasoning), tiers(fields, price))
    guard let input, let output else { return nil }
    return Price(
      input: input,
      output: output,
      cachedInput: cachedInput,
      cacheWrite: cacheWrite,
      reasoning: reasoning,
      tiers: tiers
    )
  }

  /// The prices of long requests, whose keys end such as `_above_200k_tokens`.
  private static func tiers(_ fields: FieldReader, _ price: (String) -> Double?) -> [Tier] {
    var tiers: [Int: Tier] = [:]
    for key in fields.node.members?.map(\.key) ?? [] where key.hasSuffix("k_tokens") {
      for (base, place) in [
        (input, \Tier.input), (output, \.output), (cachedInput, \.cachedInput),
        (cacheWrite, \.cacheWrite),
      ] {
        let prefix = base + "_above_"
        guard key.hasPrefix(prefix),
          let thousands = Int(key.dropFirst(prefix.count).dropLast("k_tokens".count)),
          (1...1_000_000).contains(thousands), let value = price(key)
        else { continue }
        tiers[thousands, default: Tier(above: thousands * 1_000)][keyPath: place] = value
      }
    }
    return tiers.values.sorted { $0.above < $1.above }
  }
}
