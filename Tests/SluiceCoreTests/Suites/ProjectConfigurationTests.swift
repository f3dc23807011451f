import SampleProjects
import Sluice
import Testing

@Suite("sluice.yaml")
struct ProjectConfigurationTests {
  private let path = ProjectFixture.configuration

  private func report(_ old: String, _ new: String) throws -> String {
    try ProjectFixture().replacing(old, with: new, in: path).report()
  }

  @Test("A valid project is loaded without diagnostics")
  func valid() {
    let loaded = ProjectFixture().load()
    #expect(loaded.diagnostics == [])
    #expect(loaded.suites.map(\.plan.name) == ["tone"])
  }

  @Test("An unknown key is an error that suggests the nearest known key")
  func unknownKey() throws {
    #expect(
      try report("prices:", "price:") == """
        sluice.yaml:6:1: error: unknown key 'price' in sluice.yaml
          6 | price: prices.json
            | ^
          fix: did you mean 'prices'?

        """
    )
  }

  @Test("An unknown key without a similar known key is an error that lists the known keys")
  func farKey() throws {
    #expect(
      try report("prices:", "currency: USD\nprices:") == """
        sluice.yaml:6:1: error: unknown key 'currency' in sluice.yaml
          6 | currency: USD
            | ^
          fix: known: allow-folders, backends, budget, mixes, prices, recordings

        """
    )
  }

  @Test("A duplicate key is an error at its second position")
  func duplicateKey() throws {
    #expect(
      try report("prices: prices.json", "prices: prices.json\nprices: other.json") == """
        sluice.yaml:7:1: error: duplicate key 'prices', first on line 6
          7 | prices: other.json
            | ^
          fix: remove one of the two

        """
    )
  }

  @Test("Backends that are not a mapping are one error, with no further errors for suites")
  func wrongType() {
    #expect(
      ProjectFixture().adding([path: "backends: [fast]\n"]).report() == """
        sluice.yaml:1:11: error: 'backends' must be a mapping of names to backends, not a list
          1 | backends: [fast]
            |           ^

        """
    )
  }

  @Test("A configuration without backends is an error")
  func missing() {
    #expect(
      ProjectFixture().adding([path: "prices: prices.json\n"]).report() == """
        sluice.yaml:1:1: error: sluice.yaml needs 'backends'
          1 | prices: prices.json
            | ^
          fix: add 'backends: …'

        """
    )
  }

  @Test("A price file that is not a text is an error")
  func wrongPrices() throws {
    #expect(
      try report("prices: prices.json", "prices: 2026") == """
        sluice.yaml:6:9: error: 'prices' must be a text, not a number
          6 | prices: 2026
            |         ^
          fix: put it in quotes

        """
    )
  }

  @Test("'prices' may be a list, but an entry that is not a text or occurs twice is an error")
  func listedPrices() throws {
    #expect(try report("prices: prices.json", "prices: [prices.json]") == "")
    #expect(try report("prices: prices.json", "prices: []") == "")
    #expect(
      try report("prices: prices.json", "prices: [prices.json, 2026, ./prices.json]") == """
        sluice.yaml:6:23: error: an entry of 'prices' must be a text, not a number
          6 | prices: [prices.json, 2026, ./prices.json]
            |                       ^
          fix: put it in quotes
        sluice.yaml:6:29: error: the price file 'prices.json' is listed twice
          6 | prices: [prices.json, 2026, ./prices.json]
            |                             ^
          fix: remove one of the two

        """
    )
  }

  @Test("A missing price file is an error that suggests the nearest file")
  func missingPrices() throws {
    #expect(
      try report("prices.json", "price.json") == """
        sluice.yaml:6:9: error: file not found: price.json
          6 | prices: price.json
            |         ^
          fix: did you mean 'prices.json'?

        """
    )
  }

  @Test(
    "A backend name must be a valid file name",
    arguments: ["fast model", ".fast", "a/b"]
  )
  func backendName(_ name: String) throws {
    let column = 3
    #expect(
      try report("  strong:", "  \(name):") == """
        sluice.yaml:3:\(column): error: the backend name '\(name)' must consist of letters, digits, \
        '.', '_' and '-', and must not start with '.'
          3 |   \(name):
            |   ^

        """
    )
  }

  @Test("A missing sluice.yaml is an error")
  func noFile() {
    #expect(
      ProjectFixture().adding([path: nil]).report() == """
        sluice.yaml: error: cannot be read: no such file

        """
    )
  }

  @Test("An empty file is an error", arguments: ["", "# Nothing but a comment.\n"])
  func empty(_ text: String) {
    #expect(
      ProjectFixture().adding([path: text]).report() == """
        sluice.yaml: error: the file is empty

        """
    )
  }

  @Test("If sluice.yaml is invalid, the suites are still checked")
  func unreadable() throws {
    let fixture = try ProjectFixture()
      .replacing("prices: prices.json", with: "prices: [", in: path)
      .replacing("backend: fast", with: "backends: fast", in: ProjectFixture.suite)
    #expect(
      fixture.report() == """
        sluice.yaml:6:9: error: not valid YAML: the '[' is not closed
          6 | prices: [
            |         ^
          fix: add ']'
        prompts/tone/suite.yaml:4:11: error: 'backends' must be a list, not a text
          4 | backends: fast
            |           ^
          fix: write 'backend: fast'

        """
    )
  }

  @Test(
    "An identifier consists of letters, digits, dots, underscores and hyphens",
    arguments: [
      ("a", true), ("TEST-2.11.clean", true), ("a_b", true), (".a", true), ("", false),
      ("a b", false), ("a/b", false), ("é", false), ("a\u{301}", false), ("a\n", false),
    ]
  )
  func identifier(_ text: String, _ isValid: Bool) {
    #expect(Identifier.isValid(text) == isValid)
  }

  @Test(
    "A file name must not start with a dot",
    arguments: [(".a", false), ("a.b", true), ("", false)]
  )
  func fileName(_ text: String, _ isValid: Bool) {
    #expect(Identifier.isFileName(text) == isValid)
  }
}
