import SluiceReporting

/// The requests that batch results may answer.
///
/// For each suite, they are the requests of all cases with every prompt in the suite's folder, on
/// every backend that supports batches.
struct BatchTargets {
  /// The origin of a request: the suite, and the trial or the judge's verdict that needs the
  /// answer.
  struct Place: Sendable {
    var plan: Int
    var origin: Origin

    enum Origin: Sendable {
      /// A request for an answer, by the indices of its prompt, backend and case.
      case trial(prompt: Int, backend: Int, testCase: Int)
      /// A request to a judge, by its index among the suite's requests to judges.
      case verdict(Int)
    }
  }

  /// The suites, extended by all prompts in their folders and all backends that may have answered.
  let plans: [SuitePlan]
  /// The suites as defined in their files.
  private let own: [SuitePlan]
  private let surroundings: Surroundings
  private var verdicts: [Int: [RecordingRequest]] = [:]

  /// Collects the requests of suites.
  ///
  /// - Parameters:
  ///   - suites: The suites as defined in their files.
  ///   - prompts: Prompts in other folders, from the command line.
  ///   - backends: The backends that may have answered.
  ///   - surroundings: The project's files.
  init(
    _ suites: [SuitePlan],
    prompts: [Prompt],
    backends: [BackendDefinition],
    _ surroundings: Surroundings
  ) {
    own = suites
    self.surroundings = surroundings
    let files = ProjectFiles(surroundings.files, diagnostics: DiagnosticCollector())
    _ = ProjectConfiguration.read(files)
    var read: [ProjectPath: Prompt?] = [:]
    plans = suites.map { suite in
      var plan = suite
      plan.backends = backends
      let beside = RecordingUse.otherPrompts(of: suite, in: surroundings.files).compactMap { path in
        if let known = read[path] { return known }
        // Ignore errors in other files of the folder, which may not be prompts.
        let quiet = files.reporting(to: DiagnosticCollector())
        let prompt = PromptReader.read(path, files: quiet)
        read[path] = .some(quiet.diagnostics.hasErrors ? nil : prompt)
        return quiet.diagnostics.hasErrors ? nil : prompt
      }
      for prompt in beside + prompts where !plan.prompts.contains(where: { $0.path == prompt.path })
      {
        plan.prompts.append(prompt)
      }
      return plan
    }
  }

  // MARK: Finding

  /// Returns the origins of requests by key: for each request, one origin per recordings file.
  mutating func places(of keys: Set<Digest>) -> [Digest: [Place]] {
    var found: [Digest: [Place]] = [:]
    var files: [Digest: Set<ProjectPath>] = [:]
    func add(_ key: Digest, _ place: Place, _ backend: String) {
      let path = RecordingFile.path(dataset: plans[place.plan].datasetPath, backend: backend)
      if files[key, default: []].insert(path).inserted { found[key, default: []].append(place) }
    }
    for index in plans.indices {
      let plan = plans[index]
      forEachKey(of: index) { key, prompt, backend, testCase in
        guard keys.contains(key) else { return }
        let place = Place(
          plan: index,
          origin: .trial(prompt: prompt, backend: backend, testCase: testCase)
        )
        add(key, place, plan.backends[backend].name)
      }
    }
    if found.count == keys.count { return found }
    for (index, plan) in own.enumerated() where !plan.judges.isEmpty {
      for (number, request) in questions(of: index).enumerated() {
        guard let key = Digest(hexadecimal: request.key.utf8), keys.contains(key),
          plans[index].backends.contains(where: { $0.name == request.request.backend })
        else { continue }
        add(key, Place(plan: index, origin: .verdict(number)), request.request.backend)
      }
    }
    return found
  }

  /// Calls a closure with the key and the origin of each request of a suite.
  func forEachKey(
    of index: Int,
    prompts: Set<Int>? = nil,
    _ body: (_ key: Digest, _ prompt: Int, _ backend: Int, _ testCase: Int) -> Void
  ) {
    let plan = plans[index]
    let keys = RequestKeys(plan)
    for testCase in plan.cases.indices {
      let read = plan.cases[testCase].testCase
      for prompt in plan.prompts.indices where prompts?.contains(prompt) != false {
        for backend in plan.backends.indices {
          let slot = SuitePlan.TrialIndex(
            testCase: testCase,
            prompt: prompt,
            backend: backend,
            repetition: 1
          )
          // Another prompt in the folder may use inputs that the case does not have.
          guard let key = try? keys.digest(of: slot, read, in: plan) else { continue }
          body(key, prompt, backend, testCase)
        }
      }
    }
  }

  /// Returns the requests to a suite's judges about the recorded answers.
  private mutating func questions(of index: Int) -> [RecordingRequest] {
    if let known = verdicts[index] { return known }
    let stores = RecordingStore.all(
      of: own[index],
      in: surroundings.files,
      kinds: RecordingSession.layers(isScratch: false)
    )
    let made = Runner(own[index]).judgeRequests(
      RecordingRequest.Selection(scope: .all),
      stores,
      notBefore: nil
    )
    verdicts[index] = made
    return made
  }

  // MARK: Origins

  /// Returns the request at an origin.
  func request(_ place: Place, key: Digest, repetition: Int) -> RecordingRequest? {
    let plan = plans[place.plan]
    switch place.origin {
    case .trial(let prompt, let backend, let testCase):
      let slot = SuitePlan.TrialIndex(
        testCase: testCase,
        prompt: prompt,
        backend: backend,
        repetition: repetition
      )
      let read = plan.cases[testCase].testCase
      guard let request = try? plan.request(slot, read) else { return nil }
      return RecordingRequest(
        request: request,
        key: key.hexadecimal,
        repetition: repetition,
        hints: plan.hints(of: read, plan.prompts[prompt])
      )
    case .verdict(let number):
      var request = verdicts[place.plan]?[number]
      request?.repetition = repetition
      return request
    }
  }

  /// Returns the name of the backend of an origin.
  func backend(_ place: Place) -> String {
    switch place.origin {
    case .trial(_, let backend, _): plans[place.plan].backends[backend].name
    case .verdict(let number): verdicts[place.plan]?[number].request.backend ?? ""
    }
  }

  /// Returns the name of the prompt of an origin.
  func prompt(_ place: Place) -> String {
    switch place.origin {
    case .trial(let prompt, _, _): plans[place.plan].prompts[prompt].name
    case .verdict(let number): verdicts[place.plan]?[number].hints.prompt ?? ""
    }
  }

  /// Returns the file of an origin's prompt, or `nil` if the prompt is the suite's own.
  func otherPrompt(_ place: Place) -> ProjectPath? {
    guard case .trial(let prompt, _, _) = place.origin else { return nil }
    let path = plans[place.plan].prompts[prompt].path
    return own[place.plan].prompts.contains { $0.path == path } ? nil : path
  }

  /// Returns the id of the case of an origin.
  func testCase(_ place: Place) -> String {
    switch place.origin {
    case .trial(_, _, let testCase): plans[place.plan].cases[testCase].testCase.id
    case .verdict(let number): verdicts[place.plan]?[number].hints.testCase ?? ""
    }
  }
}
