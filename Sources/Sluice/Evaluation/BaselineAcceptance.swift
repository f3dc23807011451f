import SluiceReporting

/// The acceptance of suites' current answers as baselines, with which later runs are compared.
package struct BaselineAcceptance: Sendable {
  /// A baseline that is ready to be written.
  package struct Draft: Sendable {
    package var suite: String
    package var column: ColumnResult
    package var path: ProjectPath
    package var bytes: [UInt8]
    /// The effect of writing: a new file, a replaced file, or an unchanged one.
    package var state: State
  }

  package enum State: Sendable {
    case new, unchanged, replaced
  }

  /// The reason why a suite's answers cannot become a baseline.
  package struct Refusal: Error {
    package var suite: String
    package var message: String
    /// True if the answers can become a baseline after the missing answers are recorded.
    package var needsRecording: Bool
  }

  private let suite: ResolvedSuite
  private let surroundings: Surroundings

  package init(_ suite: ResolvedSuite, surroundings: Surroundings) {
    self.suite = suite
    self.surroundings = surroundings
  }

  /// Returns the baselines for a result, one for each backend that answered the candidate prompt.
  ///
  /// - Throws: ``Refusal`` if only some cases were run or if trials were lost. Later comparisons
  ///   with such a baseline would silently skip the missing cases.
  package func drafts(_ result: SuiteResult) throws(Refusal) -> [Draft] {
    if let filtered = result.filtered {
      throw Refusal(
        suite: result.name,
        message: "a baseline needs every case, but \(filtered.phrase)",
        needsRecording: false
      )
    }
    var drafts: [Draft] = []
    for column in result.columns where column.isCandidate {
      guard column.lost == 0, !column.trials.isEmpty else {
        let trials = column.lost == 1 ? "1 trial was lost" : "\(column.lost) trials were lost"
        let rows = column.outputs.map { "; \($0.path) does not have all answers" } ?? ""
        throw Refusal(
          suite: result.name,
          message: "\(column.prompt) on \(column.backend): \(trials) (of \(column.trials.count))"
            + rows,
          needsRecording: result.columns.contains { $0.hasMisses && $0.outputs == nil }
        )
      }
      let path = Baseline.path(suite: result.name, backend: column.backend)
      let bytes = Baseline.bytes(
        suite.plan,
        column: Column(prompt: column.prompt, backend: column.backend),
        trials: column.trials
      )
      let old = try? surroundings.files.read(path)
      drafts.append(
        Draft(
          suite: result.name,
          column: column,
          path: path,
          bytes: bytes,
          state: old == nil ? .new : old == bytes ? .unchanged : .replaced
        )
      )
    }
    return drafts
  }
}
