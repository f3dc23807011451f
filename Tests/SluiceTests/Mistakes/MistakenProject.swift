import Foundation
import Sluice

/// A small valid project to which each mistake is applied.
struct MistakenProject {
  private(set) var files: [String: String] = [
    Mistake.File.configuration.path: """
    backends:
      fast:
        type: openai
        model: small-1
        key: {env: OPENAI_API_KEY}
    prices: prices.json

    """,
    "prices.json": """
    {"small-1": {"input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6}}

    """,
    Mistake.File.suite.path: """
    suite: tickets
    prompt: v1.yaml
    dataset: tickets
    backend: fast
    scorers:
      - is-json
      - classification: {path: kind, expected: kind, labels: [question, problem]}
      - flags: {path: urgent, when: non-empty}
      - coverage: {expected: order}
      - contains: "{{customer}}"
    gates:
      - accuracy >= 85%
      - false-positive-rate <= 5%
    goals:
      - p95(latency) < 2 s

    """,
    Mistake.File.prompt.path: """
    messages:
      - system: Sort the ticket.
      - user: "{{ticket}}"
    parameters: {temperature: 0, max-tokens: 100}

    """,
    Mistake.File.cases.path: """
    - id: where
      input:
        ticket: Where is my order 48213?
        customer: Ana
      expected: {kind: question, order: ["48213"], flagged: false}
    - id: broken
      tags: [urgent]
      input:
        ticket: It arrived broken.
        customer: Ben
      expected: {kind: problem, order: ["48214"], flagged: true}
      assert:
        - equals: {kind: problem}

    """,
  ]

  /// The reason why a mistake or a fix cannot be applied.
  private struct NotFound: Error, CustomStringConvertible {
    var description: String
  }

  init() {}

  /// The project with a mistake.
  init(_ mistake: Mistake) throws {
    for change in mistake.changes { try apply(change) }
  }

  mutating func apply(_ change: Mistake.Change) throws {
    switch change {
    case .remove(let file): files[file.path] = nil
    case .write(let file, let text): files[file.path] = text
    case .replace(let file, let old, let new):
      let text = files[file.path] ?? ""
      guard let range = text.firstRange(of: old) else {
        throw NotFound(description: "'\(old)' is not in \(file.path)")
      }
      files[file.path] = text.replacingCharacters(in: range, with: new)
    }
  }

  var diagnostics: [Diagnostic] { ProjectLoader.load(from: InMemoryFileSystem(files)).diagnostics }
}
