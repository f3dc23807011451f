import SluiceCore

/// What a run of a suite would send, cost and decide.
package struct RunForecast: Sendable {
  package var suite: String
  package var path: ProjectPath
  package var caseCount: Int
  package var promptCount: Int
  package var backendCount: Int
  package var repetitions: Int
  package var columns: [ColumnForecast]
  /// What judges would be asked.
  package var judges: [Judge] = []
  package var gates: [GateForecast]
  package var goals: [GateForecast]
  /// The share of cases that flipped between the baseline and the candidate, by backend.
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

  /// What is known about a judge.
  package struct Judge: Sendable {
    package var backend: String
    /// How many of its verdicts are recorded.
    package var recorded: Int
    /// How many are missing at most: nobody judges an answer that turns out to be unusable.
    package var missing: Int
    /// What a verdict costs in US dollars; nil when none is recorded that would tell.
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

  /// What is known about a prompt on a backend.
  package struct ColumnForecast: Sendable {
    package var prompt: String
    package var backend: String
    package var recorded: Int
    package var missing: Int
    /// What an answer costs in US dollars, and of which prompt that was measured.
    package var costPerAnswer: Estimate
    /// The prompt whose recorded usage was taken, where this one has none.
    package var costIsOf: String?
    /// The file that answers; nil where requests are sent.
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

    /// What the answers that are missing would cost.
    package var missingCost: Double? {
      missing == 0 || outputs != nil ? 0 : costPerAnswer.value.map { $0 * Double(missing) }
    }
    /// What all answers would cost anew.
    package var wholeCost: Double? {
      outputs != nil ? 0 : costPerAnswer.value.map { $0 * Double(recorded + missing) }
    }
  }
}
