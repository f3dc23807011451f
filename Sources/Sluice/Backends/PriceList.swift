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
    let cached = price.cachedInput == nil ? 0 : usage.cachedInput ?? 0
    return Double(input - cached) * price.input + Double(cached) * (price.cachedInput ?? 0)
      + Double(output) * price.output
  }

  /// Reads a price file; nil, with errors reported, when it cannot be used.
  ///
  /// Of each entry three keys are read; the format has many more.
  package static func read(_ path: ProjectPath, files: ProjectFiles) -> PriceList? {
    guard let (root, file) = files.readTree(path) else { return nil }
    guard let members = root.members else {
      files.diagnostics.error(
        "a price file must be an object of models, not \(root.kind)",
        in: file,
        at: root.position
      )
      return nil
    }
    var list = PriceList()
    for member in members {
      func price(_ key: String) -> Double? {
        guard let node = member.value[key] else { return nil }
        if case .number(let value) = node.value, value >= 0 { return value }
        files.diagnostics.error(
          "'\(key)' must be a price in US dollars per token, not \(node.kind)",
          in: file,
          at: node.position
        )
        return nil
      }
      if let input = price("input_cost_per_token"), let output = price("output_cost_per_token") {
        list.prices[member.key] = Price(
          input: input,
          output: output,
          cachedInput: price("cache_read_input_token_cost")
        )
      }
    }
    return list
  }
}
