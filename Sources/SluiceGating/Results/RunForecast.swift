import SluiceCore

/// The requests, the cost and the expected decisions of a run of a suite.
package struct RunForecast: Sendable {
  package var suite: String
  package var path: ProjectPath
  package var caseCount: Int
  package var promptCount: Int
  package var backendCount: Int
  package var repetitions: Int
  package var columns: [ColumnForecast]
  /// True if Sluice itself requests none of the answers.
  package var isAskedThroughFiles = false
  /// The forecasts for the judges.
  package var judges: [Judge] = []
  package var gates: [GateForecast]
  package var goals: [GateForecast]
  /// For each backend, the share of cases that flipped between the baseline and the candidate.
  package var measuredDiscordance: [(backend: String, share: Double)]

  package init(
    suite: String,
    path: ProjectPath,
    caseCount: Int,
    promptCount: Int,
    backendCount: Int,
    repetitions: Int,
    columns: [ColumnForecast],
    judges: [Judge] = [],
    gates: [GateForecast],
    goals: [GateForecast],
    measuredDiscordance: [(backend: String, share: Double)]
  ) {
    self.suite = suite
    self.path = path
    self.caseCount = caseCount
    self.promptCount = promptCount
    self.backendCount = backendCount
    self.repetitions = repetitions
    self.columns = columns
    self.judges = judges
    self.gates = gates
    self.goals = goals
    self.measuredDiscordance = measuredDiscordance
  }

  /// The forecast for a judge.
  package struct Judge: Sendable {
    package var backend: String
    /// The number of recorded verdicts.
    package var recorded: Int
    /// The number of missing verdicts, if all missing answers are usable.
    ///
    /// Unusable answers need no verdict, so the run may need fewer verdicts.
    package var missing: Int
    /// The cost per verdict in US dollars, or `nil` if no recorded verdict shows it.
    package var costPerVerdict: Double?

    package init(backend: String, recorded: Int, missing: Int, costPerVerdict: Double? = nil) {
      self.backend = backend
      self.recorded = recorded
      self.missing = missing
      self.costPerVerdict = costPerVerdict
    }

    package var missingCost: Double? {
      missing == 0 ? 0 : costPerVerdict.map { $0 * Double(missing) }
    }
    package var wholeCost: Double? { costPerVerdict.map { $0 * Double(recorded + missing) } }
  }

  /// The forecast for a prompt on a backend.
  package struct ColumnForecast: Sendable {
    package var prompt: String
    package var backend: String
    package var recorded: Int
    package var missing: Int
    /// The cost per answer in US dollars.
    package var costPerAnswer: Estimate
    /// Another prompt whose recorded usage the cost is based on, if this prompt has no recordings.
    package var costIsOf: String?
    /// The output file that has the answers; `nil` if requests are sent.
    package var outputs: String?

    package init(
      prompt: String,
      backend: String,
      recorded: Int,
      missing: Int,
      costPerAnswer: Estimate,
      costIsOf: String? = nil,
      outputs: String? = nil
    ) {
      self.outputs = outputs
      self.prompt = prompt
      self.backend = backend
      self.recorded = recorded
      self.missing = missing
      self.costPerAnswer = costPerAnswer
      self.costIsOf = costIsOf
    }

    /// The cost of the missing answers.
    package var missingCost: Double? {
      missing == 0 || outputs != nil ? 0 : costPerAnswer.value.map { $0 * Double(missing) }
    }
    /// The cost of requesting all answers again.
    package var wholeCost: Double? {
      outputs != nil ? 0 : costPerAnswer.value.map { $0 * Double(recorded + missing) }
    }
  }
}
