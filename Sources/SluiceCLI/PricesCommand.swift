internal import ArgumentParser
internal import Sluice

struct PricesCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "prices",
    abstract: "Shows the prices that apply to each backend of sluice.yaml.",
    discussion: """
      Shows dollars per million tokens for input, output, caches, reasoning, batches, service \
      tiers and long requests, with the source page and date from the price file. Prices older \
      than 90 days are marked. Sends nothing. Exit codes: 0, even if prices are missing; 64 wrong \
      command line or files.
      """
  )

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var trust: TrustOptions

  func run() async throws {
    let (loaded, surroundings) = try Project.loadBackends()
    let today = CivilDay(surroundings.now())
    if json {
      let bytes = PricesJSON(loaded.prices, today: today).bytes(loaded.backends)
      Console.output(String(decoding: bytes, as: UTF8.self))
    } else {
      let style = Console.style(for: 1, surroundings.environment)
      let terminal = TerminalPrices(loaded.prices, today: today, style: style)
      Console.output(terminal.text(loaded.backends))
    }
  }
}
