/// All that a run of a suite needs, resolved and checked.
package struct SuitePlan: Sendable {
  package var name: String
  package var path: ProjectPath
  package var datasetPath: ProjectPath
  package var cases: Cases
  package var prompts: [Prompt]
  package var backends: [BackendDefinition]
  package var repetitions: Int
  package var scorers: [BoundScorer]
  package var prices: PriceList

  /// A prompt with a backend: what is judged as one.
  package struct Column: Hashable, Sendable {
    package var prompt: String
    package var backend: String
  }

  /// Every prompt with every backend, in the order of the suite.
  package var columns: [Column] {
    prompts.flatMap { prompt in
      backends.map { Column(prompt: prompt.name, backend: $0.name) }
    }
  }

  /// The columns that gates decide: those of the last prompt.
  package var candidates: [Column] { columns.filter { $0.prompt == prompts.last?.name } }

  /// Where a trial stands in the order of the suite.
  struct Slot: Sendable {
    var testCase: Int
    var prompt: Int
    var backend: Int
    var repetition: Int
  }

  /// The digests of the suite's scorers, by name.
  package var scorerDigests: [String: String] {
    Dictionary(uniqueKeysWithValues: scorers.map { ($0.name, $0.digest) })
  }

  package var trialCount: Int { cases.count * prompts.count * backends.count * repetitions }

  /// The trial at a place: by case, then prompt, then backend, then repetition.
  func slot(_ index: Int) -> Slot {
    var rest = index
    func next(_ count: Int) -> Int {
      defer { rest /= count }
      return rest % count
    }
    let repetition = next(repetitions) + 1
    let backend = next(backends.count)
    let prompt = next(prompts.count)
    return Slot(testCase: rest, prompt: prompt, backend: backend, repetition: repetition)
  }

  /// The request of a trial.
  ///
  /// - Throws: What the case does not supply; a plan that was checked throws nothing.
  func request(_ slot: Slot) throws(Template.Problem) -> ModelRequest {
    let rendered = try prompts[slot.prompt].render(cases[slot.testCase].testCase)
    return backends[slot.backend].request(for: rendered)
  }

  /// What explains a miss of the trial's recording.
  func hints(_ slot: Slot) -> Recording.Hints {
    Recording.Hints(
      suite: name,
      testCase: cases[slot.testCase].stored.id,
      prompt: prompts[slot.prompt].name,
      promptDigest: prompts[slot.prompt].digest
    )
  }
}

extension RecordingFile {
  /// The recordings that a plan's trials may be answered from, by backend.
  package static func all(
    of plan: SuitePlan,
    in files: any FileSystem,
    diagnostics: DiagnosticCollector
  ) -> [String: RecordingFile] {
    var recordings: [String: RecordingFile] = [:]
    for backend in plan.backends {
      recordings[backend.name] = RecordingFile(
        reading: path(dataset: plan.datasetPath, backend: backend.name),
        from: files,
        diagnostics: diagnostics
      )
    }
    return recordings
  }
}
