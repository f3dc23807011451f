import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Prices in a terminal")
struct TerminalPricesTests {
  private func backend(_ name: String, _ model: String, isAskedThroughFiles: Bool = false)
    -> BackendDefinition
  {
    var backend = BackendDefinition(
      name: name,
      kind: .model(
        ModelEndpoint(server: ServerAccess(url: "https://models.test/v1"), model: model)
      )
    )
    backend.isAskedThroughFiles = isAskedThroughFiles
    return backend
  }

  private func text(
    _ prices: [String: PriceList.Price],
    _ backends: [BackendDefinition],
    files: [String] = ["prices.json"],
    isColored: Bool = false
  ) throws -> String {
    let list = PriceList(
      prices: prices,
      files: files,
      origins: prices.mapValues { _ in files.first ?? "" }
    )
    let today = try #require(CivilDay(iso8601: "2026-11-25"))
    let style = TerminalStyle(isColored: isColored)
    let text = TerminalPrices(list, today: today, style: style).text(backends)
    if !isColored {
      #expect(text.split(separator: "\n").allSatisfy { TerminalText.width(of: String($0)) <= 80 })
    }
    return text
  }

  private func day(_ text: String) throws -> CivilDay { try #require(CivilDay(iso8601: text)) }

  @Test("A model with few prices is listed with the missing details")
  func least() throws {
    #expect(
      try text(["m-1": .init(input: 2.5e-6, output: 1e-5)], [backend("fast", "m-1")]) == """
        Dollars per million tokens

        m-1  fast
                                   standard      batch
          input                        2.50   no price
          cache read               as input   no price
          cache write              as input   no price
          output                      10.00   no price
          reasoning               as output   no price
          file    prices.json
          source  missing: add "source", the address of the page
          as of   date missing: add "as-of", the day of the prices

        """
    )
  }

  @Test("All prices of a model are listed, including those of tiers and long requests")
  func most() throws {
    let price = PriceList.Price(
      input: 2e-6,
      output: 1e-5,
      cachedInput: 1e-7,
      cacheWrite: 2.5e-6,
      longCacheWrite: 5e-6,
      reasoning: 1e-5,
      longRequests: [
        .init(above: 272_000, .init(input: 4e-6, output: 1.5e-5, cachedInput: 2e-7))
      ],
      tiers: [
        "batch": .init(.init(input: 1e-6, output: 5e-6)),
        "flex": .init(
          .init(input: 1e-6, output: 5e-6, cachedInput: 5e-8, cacheWrite: 1.25e-6),
          longRequests: [
            .init(above: 272_000, .init(input: 2e-6, output: 7.5e-6, cachedInput: 1e-7))
          ]
        ),
        "priority": .init(.init(input: 4e-6)),
      ],
      source: "https://prices.example/page",
      asOf: try day("2026-11-24")
    )
    var lasting = price
    lasting.longCacheHours = 1
    #expect(
      try text(["m-1": lasting], [backend("fast", "m-1"), backend("strong", "m-1")]) == """
        Dollars per million tokens

        m-1  fast, strong
                                   standard      batch       flex   priority
          input                        2.00       1.00       1.00   no price
          cache read                   0.10   no price       0.05   no price
          cache write, 5 min           2.50   no price       1.25   no price
          cache write, 1 h             5.00   no price   no price   no price
          output                      10.00       5.00       5.00   no price
          reasoning                   10.00  as output  as output   no price
          above 272,000 tokens:
            input                      4.00   no price       2.00   no price
            cache read                 0.20   no price       0.10   no price
            output                    15.00   no price       7.50   no price
          file    prices.json
          source  https://prices.example/page
          as of   2026-11-24, 1 day ago

        """
    )
    lasting.longCacheHours = 12
    let other = try text(["m-1": lasting], [backend("fast", "m-1")])
    #expect(other.contains("  cache write, 30 min          2.50"))
    #expect(other.contains("  cache write, 12 h            5.00"))
  }

  @Test(
    "The age of prices is counted up to today, and old prices are marked",
    arguments: [
      ("2026-11-25", "2026-11-25, today"), ("2026-11-24", "2026-11-24, 1 day ago"),
      ("2026-08-27", "2026-08-27, 90 days ago"),
      ("2026-08-26", "2026-08-26, 91 days ago: old, check the page for new prices"),
      ("2026-11-26", "2026-11-26, 1 day in the future; correct this date"),
    ]
  )
  func ages(date: String, line: String) throws {
    let price = PriceList.Price(input: 1e-6, output: 1e-6, asOf: try day(date))
    let text = try text(["m-1": price], [backend("fast", "m-1")])
    #expect(text.hasSuffix("  as of   \(line)\n"))
  }

  @Test("Old and missing prices are highlighted")
  func colors() throws {
    let price = PriceList.Price(input: 1e-6, output: 1e-6, asOf: try day("2026-03-02"))
    let text = try text(
      ["m-1": price],
      [backend("fast", "m-1"), backend("slow", "m-2")],
      isColored: true
    )
    #expect(
      text.contains(
        "\u{1B}[33m  as of   2026-03-02, 268 days ago: old, check the page for new "
          + "prices\u{1B}[0m\n"
      )
    )
    #expect(text.contains("\u{1B}[33m  no price, so the cost of its answers is unknown\u{1B}[0m\n"))
  }

  @Test("A model without a price gets the entry to add, in the file with similar models")
  func missing() throws {
    let list = PriceList(
      prices: [
        "gpt-4o": .init(input: 1, output: 1), "claude-opus-5": .init(input: 1, output: 1),
      ],
      files: ["openai.json", "anthropic.json"],
      origins: ["gpt-4o": "openai.json", "claude-opus-5": "anthropic.json"]
    )
    let terminal = TerminalPrices(
      list,
      today: try day("2026-11-25"),
      style: TerminalStyle(isColored: false)
    )
    #expect(
      terminal.text([
        backend("fast", "claude-haiku-5"),
        backend("files", "some-lm", isAskedThroughFiles: true),
        BackendDefinition(name: "rows", kind: .file(FileEndpoint(path: ProjectPath("a.jsonl")))),
        BackendDefinition(
          name: "script",
          kind: .program(ProgramEndpoint(command: ["./answer"], fingerprint: Fingerprint(of: "1")))
        ),
      ]) == """
        Dollars per million tokens

        claude-haiku-5  fast
          no price, so the cost of its answers is unknown
          fix: add this entry to anthropic.json, with each null replaced with dollars
          per token, the address of the page or its day (YYYY-MM-DD):
            "claude-haiku-5": {
              "input_cost_per_token": null,
              "output_cost_per_token": null,
              "source": null,
              "as-of": null
            }

        some-lm  files
          no price; answers of a batch service need one, and the cost of answers from
          files is unknown

        rows
          price   unknown: a file of answers does not name their cost

        script
          price   unknown until an answer names its model; sluice.yaml names none

        """
    )
  }

  @Test("A project without a price file gets the lines to add")
  func noFile() throws {
    #expect(
      try text([:], [backend("fast", "m-1"), backend("slow", "m-2")], files: []) == """
        sluice.yaml names no price file, so every cost is unknown
          fix: add this line to sluice.yaml:
            prices: prices.json
          and write this to prices.json, with each null replaced with dollars per token,
          the address of the page or its day (YYYY-MM-DD):
            {
              "m-1": {
                "input_cost_per_token": null,
                "output_cost_per_token": null,
                "source": null,
                "as-of": null
              },
              "m-2": {
                "input_cost_per_token": null,
                "output_cost_per_token": null,
                "source": null,
                "as-of": null
              }
            }

        """
    )
    #expect(
      try text([:], [], files: []) == """
        sluice.yaml names no price file, so every cost is unknown
          fix: add this line to sluice.yaml:
            prices: prices.json

        """
    )
    #expect(try text([:], []) == "")
  }

  @Test("The JSON has the prices under the names of the price files")
  func json() throws {
    let price = PriceList.Price(
      input: 1.5e-7,
      output: 6e-7,
      cachedInput: 7.5e-8,
      longRequests: [.init(above: 200_000, .init(input: 3e-7))],
      tiers: ["batch": .init(.init(input: 7.5e-8, output: 3e-7))],
      source: "https://prices.example",
      asOf: try day("2026-03-02")
    )
    let list = PriceList(
      prices: ["m-1": price],
      files: ["prices.json"],
      origins: ["m-1": "prices.json"]
    )
    let json = PricesJSON(list, today: try day("2026-11-25"))
      .bytes([backend("fast", "m-1"), backend("slow", "m-2")])
    #expect(
      String(decoding: json, as: UTF8.self) == """
        {
          "schema": 1,
          "generator": "sluice \(Version.current)",
          "files": [
            "prices.json"
          ],
          "unit": "usd-per-million-tokens",
          "backends": [
            {
              "name": "fast",
              "model": "m-1",
              "file": "prices.json",
              "source": "https://prices.example",
              "as-of": "2026-03-02",
              "age-days": 268,
              "old": true,
              "prices": {
                "standard": {
                  "input": 0.15,
                  "cached-input": 0.075,
                  "output": 0.6,
                  "long-requests": [
                    {
                      "above": 200000,
                      "input": 0.3
                    }
                  ]
                },
                "batch": {
                  "input": 0.075,
                  "output": 0.3
                }
              }
            },
            {
              "name": "slow",
              "model": "m-2",
              "prices": null
            }
          ]
        }

        """
    )
  }
}
