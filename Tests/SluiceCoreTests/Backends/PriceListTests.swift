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
    let list = try #require(PriceList.read(ProjectPath(path), files: files))
    #expect(files.diagnostics.diagnostics == [])
    return list
  }

  @Test("Of each model the prices of text are read; what else the format knows is left alone")
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
    #expect(list.file == path)
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
          "cache_creation_input_token_cost_above_1hr_above_200k_tokens": 9,
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
          reasoning: 4,
          tiers: [
            .init(above: 128_000, cacheWrite: 8),
            .init(above: 200_000, input: 5, output: 6, cachedInput: 7),
          ]
        )
      ]
    )
  }

  @Test("A price that is no number is an error")
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

  @Test("A model that is priced twice is an error")
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

  @Test("A price file that is no object of objects is an error")
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

  @Test("A price file that is not JSON is an error at the first wrong byte")
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
