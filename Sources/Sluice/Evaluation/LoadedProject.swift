import SluiceReporting

/// The backends of a project, and all errors in `sluice.yaml`.
package struct LoadedBackends: Sendable {
  /// The valid backends, in the order of the file.
  package var backends: [BackendDefinition]
  package var prices: PriceList
  package var diagnostics: [Diagnostic]

  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// A suite with everything that is needed to run it and to decide its conditions.
package struct ResolvedSuite: Sendable {
  package var plan: SuitePlan
  package var conditions: ResolvedConditions
  package var policy: GatePolicy
  /// The number of known outputs of cases on which the scorers were tested.
  package var knownOutputs = 0
}

/// The suites of a project, and all errors in its files.
package struct LoadedProject: Sendable {
  /// The suites in the order of their paths; empty if any file has errors.
  package var suites: [ResolvedSuite] = []
  /// The limits on cost and requests for live runs.
  package var budget = Budget()
  /// The folders that `sluice.yaml` lists under `allow-folders`.
  package var allowedFolders: [String] = []
  /// The price files that `sluice.yaml` refers to.
  package var pricePaths: [ProjectPath] = []
  /// The mixes, each of which adds up the cost of calls to the features of several suites.
  package var mixes: [Mix] = []
  /// The near-duplicates of each dataset; empty if they were not requested.
  package var nearDuplicates: [NearDuplicateCheck] = []
  /// The suites that were left out, because only a test can run their scorers.
  package var testSuites: [TestSuite] = []
  package var diagnostics: [Diagnostic] = []

  /// A suite with a scorer that is written in Swift.
  package struct TestSuite: Hashable, Sendable {
    package var path: ProjectPath
    /// The name of the scorer.
    package var scorer: String
  }

  /// Creates a project without suites.
  package init() {}

  init(
    suites: [ResolvedSuite],
    budget: Budget,
    pricePaths: [ProjectPath],
    mixes: [Mix]
  ) {
    self.suites = suites
    self.budget = budget
    self.pricePaths = pricePaths
    self.mixes = mixes
  }

  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
