import Foundation
import SampleProjects
import Testing
import TestSupport

@Suite("sluice prices", .serialized)
struct PricesTests {
  @Test("Each backend is listed with its prices, or with the entry to add if there is none")
  func list() async throws {
    try await TriageProject.with { project in
      try project.files.edit(
        "sluice.yaml",
        replacing: "backends:\n",
        with: "backends:\n  mini: {type: openai, model: gpt-4o-mini, key: {env: OPENAI_API_KEY}}\n"
      )
      let outcome = try await project.sluice.run(["prices"])
      #expect(outcome.exitCode == 0)
      #expect(outcome.error == "")
      #expect(outcome.output.contains("\ngpt-4o-mini  mini\n  no price, so the cost"))
      let json = try await project.sluice.run(["prices", "--json"])
      #expect(json.exitCode == 0)
      #expect(json.output.hasPrefix("{\n  \"schema\": 1,\n"))
      #expect(json.output.hasSuffix("}\n"))
    }
  }

  @Test("A project without a price file gets the lines to add")
  func noFile() async throws {
    let project = try ScratchProject.ofDemo()
    let settings = try project.read("sluice.yaml")
    try project.write(
      settings.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("prices:") }.joined(separator: "\n"),
      to: "sluice.yaml"
    )
    let outcome = try await project.sluice("prices")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.hasPrefix(
        """
        sluice.yaml names no price file, so every cost is unknown
          fix: add this line to sluice.yaml:
            prices: prices.json

        """
      )
    )
  }

  @Test("An invalid price file is an error, and so are extra arguments")
  func wrong() async throws {
    let project = try ScratchProject.ofDemo()
    let settings = try project.read("sluice.yaml")
    let line = try #require(settings.split(separator: "\n").first { $0.hasPrefix("prices:") })
    try project.write(settings.replacing(line, with: "prices: mine.json"), to: "sluice.yaml")
    try project.write(#"{"m": {"as-of": "today"}}"#, to: "mine.json")
    let outcome = try await project.sluice("prices")
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
    #expect(
      outcome.error == """
        mine.json:1:17: error: 'as-of' must be a date such as 2026-11-25, not 'today'
          1 | {"m": {"as-of": "today"}}
            |                 ^
          fix: write "YYYY-MM-DD"
        1 error

        """
    )
    let words = try await project.sluice("prices", "fast")
    #expect(words.exitCode == 64)
  }
}
