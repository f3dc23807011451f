import SluiceReporting

/// The requests that a project makes: of every prompt beside its suites, through every backend that a
/// batch can ask.
struct BatchTargets {
  /// A place where a request comes from.
  struct Place: Sendable {
    var plan: Int
    var origin: Origin

    enum Origin: Sendable {
      /// A case under a prompt through a backend.
      case trial(prompt: Int, backend: Int, testCase: Int)
      /// A question to a judge, among those of the plan.
      case verdict(Int)
    }
  }

  /// The suites, with all prompts that lie beside theirs and the backends that may have been asked.
  let plans: [SuitePlan]
  /// The suites as their files say.
  private let own: [SuitePlan]
  private let surroundings: Surroundings
  private var verdicts: [Int: [RecordingRequest]] = [:]

  /// - Parameters:
  ///   - suites: The suites as their files say.
  ///   - prompts: Prompts that lie elsewhere.
  ///   - backends: The backends that may have been asked.
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
        // Another file beside the prompts has errors, which concern nobody here.
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

  /// The places of requests by their keys; a recordings file has each request once.
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

  /// Tells the keys of all requests of a suite.
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
          // A prompt of another feature names what the case does not have.
          guard let key = try? keys.digest(of: slot, read, in: plan) else { continue }
          body(key, prompt, backend, testCase)
        }
      }
    }
  }

  /// The questions to the judges of a suite about the answers that are recorded.
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

  // MARK: What stands at a place

  /// The request at a place.
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

  /// The name of the backend that is asked at a place.
  func backend(_ place: Place) -> String {
    switch place.origin {
    case .trial(_, let backend, _): plans[place.plan].backends[backend].name
    case .verdict(let number): verdicts[place.plan]?[number].request.backend ?? ""
    }
  }

  /// The name of the prompt at a place.
  func prompt(_ place: Place) -> String {
    switch place.origin {
    case .trial(let prompt, _, _): plans[place.plan].prompts[prompt].name
    case .verdict(let number): verdicts[place.plan]?[number].hints.prompt ?? ""
    }
  }

  /// The file of the prompt at a place where the suite itself asks another one.
  func otherPrompt(_ place: Place) -> ProjectPath? {
    guard case .trial(let prompt, _, _) = place.origin else { return nil }
    let path = plans[place.plan].prompts[prompt].path
    return own[place.plan].prompts.contains { $0.path == path } ? nil : path
  }

  /// The id of the case at a place.
  func testCase(_ place: Place) -> String {
    switch place.origin {
    case .trial(_, _, let testCase): plans[place.plan].cases[testCase].testCase.id
    case .verdict(let number): verdicts[place.plan]?[number].hints.testCase ?? ""
    }
  }
}
