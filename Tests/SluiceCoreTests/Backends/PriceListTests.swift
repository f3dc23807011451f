import SampleProjects
import Sluice
import Testing

@Suite("Price list")
struct PriceListTests {
  private let path = ProjectFixture.prices

  private func report(_ text: String) -> String {
    ProjectFixture().adding([path: text]).report()
  }

  private func list(_ text: String) throws -> PriceList {
    let files = ProjectFiles(
      InMemoryFileSystem([path: text]),
      diagnostics: DiagnosticCollector()
    )
    let list = PriceList.read([ProjectPath(path)], files: files)
    #expect(files.diagnostics.diagnostics == [])
    return list
  }

  @Test("The text prices of each model are read, and other members of the format are ignored")
  func read() throws {
    let list = try list(
      """
      {
        "sample_spec": {"max_tokens": "the highest number", "mode": "chat"},
        "a": {"input_cost_per_token": 1e-6, "output_cost_per_token": 0, "mode": "chat"},
        "b": {
          "input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6,
          "cache_read_input_token_cost": 5e-7, "max_input_tokens": 128000
        },
        "embedding": {"input_cost_per_token": 1e-6},
        "unknown": {"input_cost_per_token": null, "output_cost_per_token": 1e-6}
      }
      """
    )
    #expect(
      list.prices == [
        "a": .init(input: 1e-6, output: 0),
        "b": .init(input: 1e-6, output: 2e-6, cachedInput: 5e-7),
      ]
    )
    #expect(list.files == [path])
    #expect(list.origins == ["a": path, "b": path])
  }

  @Test("Prices of caches, reasoning and long requests are read")
  func more() throws {
    let list = try list(
      """
      {
        "a": {
          "input_cost_per_token": 1, "output_cost_per_token": 2,
          "cache_creation_input_token_cost": 3, "output_cost_per_reasoning_token": 4,
          "cache_creation_input_token_cost_above_1hr": 9,
          "cache_creation_input_token_cost_above_1hr_above_200k_tokens": 10,
          "input_cost_per_token_above_200k_tokens": 5,
          "output_cost_per_token_above_200k_tokens": 6,
          "cache_read_input_token_cost_above_200k_tokens": 7,
          "cache_creation_input_token_cost_above_128k_tokens": 8,
          "input_cost_per_token_above_k_tokens": 9, "input_cost_per_token_above_0k_tokens": 9
        }
      }
      """
    )
    #expect(
      list.prices == [
        "a": .init(
          input: 1,
          output: 2,
          cacheWrite: 3,
          longCacheWrite: 9,
          reasoning: 4,
          longCacheHours: 1,
          longRequests: [
            .init(above: 128_000, .init(cacheWrite: 8)),
            .init(
              above: 200_000,
              .init(input: 5, output: 6, cachedInput: 7, longCacheWrite: 10)
            ),
          ]
        )
      ]
    )
  }

  @Test("Prices of batches and service tiers are read, including those for long requests")
  func tiers() throws {
    let list = try list(
      """
      {
        "a": {
          "input_cost_per_token": 1, "output_cost_per_token": 2,
          "input_cost_per_token_batches": 3, "output_cost_per_token_batches": 4,
          "input_cost_per_token_priority": 5, "output_cost_per_token_priority": 6,
          "cache_read_input_token_cost_priority": 7,
          "cache_creation_input_token_cost_priority": 8,
          "cache_creation_input_token_cost_above_12hr_priority": 9,
          "cache_creation_input_token_cost_above_12hr": 10,
          "output_cost_per_reasoning_token_flex": 11,
          "input_cost_per_token_above_272k_tokens_priority": 12,
          "cache_creation_input_token_cost_above_12hr_above_272k_tokens_priority": 13,
          "input_cost_per_token_cache_hit": 99, "input_cost_per_token_": 99,
          "input_cost_per_token_above_2hr": 99, "output_cost_per_tokens": 99
        }
      }
      """
    )
    #expect(
      list.prices == [
        "a": .init(
          input: 1,
          output: 2,
          longCacheWrite: 10,
          longCacheHours: 12,
          tiers: [
            "batch": .init(.init(input: 3, output: 4)),
            "flex": .init(.init(reasoning: 11)),
            "priority": .init(
              .init(input: 5, output: 6, cachedInput: 7, cacheWrite: 8, longCacheWrite: 9),
              longRequests: [.init(above: 272_000, .init(input: 12, longCacheWrite: 13))]
            ),
          ]
        )
      ]
    )
  }

  @Test("A price has a source page and the date on which the page showed it")
  func source() throws {
    let list = try list(
      """
      {
        "a": {
          "input_cost_per_token": 1, "output_cost_per_token": 2,
          "source": "https://prices.example", "as-of": "2026-11-20"
        },
        "b": {"input_cost_per_token": 1, "output_cost_per_token": 2, "source": null, "as-of": null}
      }
      """
    )
    #expect(
      list.prices == [
        "a": .init(
          input: 1,
          output: 2,
          source: "https://prices.example",
          asOf: CivilDay(iso8601: "2026-11-20")
        ),
        "b": .init(input: 1, output: 2),
      ]
    )
  }

  @Test(
    "An invalid date is an error that suggests the intended date if it can be guessed",
    arguments: [
      ("2026-3-2", "2026-03-02"), ("2026/03/02", "2026-03-02"),
      ("2026-03-02T10:00:00Z", "2026-03-02"), ("March 2026", "YYYY-MM-DD"),
      ("2026-02-30", "YYYY-MM-DD"), ("02.03.2026", "YYYY-MM-DD"), ("", "YYYY-MM-DD"),
    ]
  )
  func noDate(text: String, meant: String) {
    let line = #"{"a": {"as-of": "\#(text)"}}"#
    #expect(
      report(line) == """
        prices.json:1:17: error: 'as-of' must be a date such as 2026-11-25, not '\(text)'
          1 | \(line)
            |                 ^
          fix: write "\(meant)"

        """
    )
  }

  @Test("A source or a date that is not a text is an error")
  func noText() {
    #expect(
      report(
        """
        {"a": {"as-of": 20261120,
        "source": ["https://prices.example"]}}
        """
      ) == """
        prices.json:1:17: error: 'as-of' must be a text, not a number
          1 | {"a": {"as-of": 20261120,
            |                 ^
          fix: put it in quotes: "20261120"
        prices.json:2:11: error: 'source' must be a text, not a list
          2 | "source": ["https://prices.example"]}}
            |           ^

        """
    )
  }

  @Test("Several files can be read, but a model with a price in two of them is an error")
  func several() throws {
    let texts = [
      "a.json": #"{"a": {"input_cost_per_token": 1, "output_cost_per_token": 1}}"#,
      "b.json": """
      {
        "b": {"input_cost_per_token": 1, "output_cost_per_token": 1},
        "a": {"input_cost_per_token": 2, "output_cost_per_token": 1}
      }
      """,
    ]
    let fixture = try ProjectFixture().adding(texts)
      .replacing("prices.json", with: "[a.json, b.json]", in: ProjectFixture.configuration)
    let files = ProjectFiles(InMemoryFileSystem(texts), diagnostics: DiagnosticCollector())
    let list = PriceList.read([ProjectPath("a.json"), ProjectPath("b.json")], files: files)
    #expect(list.files == ["a.json", "b.json"])
    #expect(list.origins == ["a": "a.json", "b": "b.json"])
    #expect(list.prices["a"]?.standard.rates.input == 1)
    #expect(
      fixture.report() == """
        b.json:3:3: error: 'a' already has a price in a.json:1
          3 |   "a": {"input_cost_per_token": 2, "output_cost_per_token": 1}
            |   ^
          fix: remove one of the two

        """
    )
  }

  @Test("A price that is not a number is an error")
  func wrongType() {
    #expect(
      report(#"{"a": {"input_cost_per_token": "1e-6", "output_cost_per_token": 1}}"#) == """
        prices.json:1:32: error: 'input_cost_per_token' must be a number, not a text
          1 | {"a": {"input_cost_per_token": "1e-6", "output_cost_per_token": 1}}
            |                                ^
          fix: write 1e-6

        """
    )
  }

  @Test("A negative price is an error")
  func negative() {
    #expect(
      report(#"{"a": {"input_cost_per_token": -1, "output_cost_per_token": 1}}"#) == """
        prices.json:1:32: error: 'input_cost_per_token' must not be negative
          1 | {"a": {"input_cost_per_token": -1, "output_cost_per_token": 1}}
            |                                ^

        """
    )
  }

  @Test("A model that occurs twice is an error")
  func duplicate() {
    #expect(
      report("{\n  \"a\": {},\n  \"a\": {}\n}") == """
        prices.json:3:3: error: duplicate key 'a', first on line 2
          3 |   "a": {}
            |   ^
          fix: remove one of the two

        """
    )
  }

  @Test("A price file that is not an object of objects is an error")
  func noObject() {
    #expect(
      report("[]") == """
        prices.json:1:1: error: a price file must be a mapping, not a list
          1 | []
            | ^

        """
    )
    #expect(
      report(#"{"a": 1e-6}"#) == """
        prices.json:1:7: error: the price of 'a' must be a mapping, not a number
          1 | {"a": 1e-6}
            |       ^

        """
    )
  }

  @Test("A price file that is not JSON is an error at the first invalid byte")
  func invalid() {
    #expect(
      report("{\n  \"a\": {},\n}") == """
        prices.json:3:1: error: not valid JSON: expected a member name in double quotes
          3 | }
            | ^
          fix: remove the ',' before '}'

        """
    )
  }
}
