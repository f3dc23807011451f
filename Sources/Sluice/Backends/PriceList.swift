/// What tokens cost, from a file in the format of LiteLLM's price map.
package struct PriceList: Sendable {
  /// Prices of a model in US dollars per token.
  package struct Price: Hashable, Sendable {
    package var input: Double
    package var output: Double
    /// Nil when the list does not tell cached tokens apart.
    package var cachedInput: Double?

    package init(input: Double, output: Double, cachedInput: Double? = nil) {
      self.input = input
      self.output = output
      self.cachedInput = cachedInput
    }
  }

  package var prices: [String: Price]

  package init(prices: [String: Price] = [:]) { self.prices = prices }

  /// The cost of an answer in US dollars; nil when the model has no price or the server sent no usage.
  package func cost(of usage: TokenUsage?, model: String) -> Double? {
    guard let usage, let price = prices[model], let input = usage.input, let output = usage.output
    else { return nil }
    // Some servers count more cached tokens than the request has.
    let cached = price.cachedInput == nil ? 0 : min(usage.cachedInput ?? 0, input)
    return Double(input - cached) * price.input + Double(cached) * (price.cachedInput ?? 0)
      + Double(output) * price.output
  }

  /// Reads a price file; nil, with errors reported, when it cannot be used.
  ///
  /// Of each entry three keys are read; the format has many more.
  package static func read(_ path: ProjectPath, files: ProjectFiles) -> PriceList? {
    let diagnostics = files.diagnostics
    guard let (root, file) = files.readTree(path),
      FieldReader(root, subject: "a price file", file: file, diagnostics: diagnostics) != nil
    else { return nil }
    var list = PriceList()
    for member in root.members ?? [] {
      let subject = "the price of '\(member.key)'"
      guard
        let fields = FieldReader(
          member.value,
          subject: subject,
          file: file,
          diagnostics: diagnostics
        )
      else { continue }
      func price(_ key: String) -> Double? {
        guard let value = fields.optionalNumber(key) else { return nil }
        if value >= 0 { return value }
        diagnostics.error("'\(key)' must not be negative", in: file, at: fields.node[key]?.position)
        return nil
      }
      let (input, output) = (price("input_cost_per_token"), price("output_cost_per_token"))
      let cachedInput = price("cache_read_input_token_cost")
      if let input, let output {
        list.prices[member.key] = Price(input: input, output: output, cachedInput: cachedInput)
      }
    }
    return list
  }
}
