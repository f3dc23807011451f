import SluiceReporting

extension BatchImportWork {
  // MARK: Lines of other requests

  /// Reports the result lines that match no request of the project, each with the most similar
  /// request.
  mutating func explain(_ backends: [BackendDefinition]) {
    var nearest: BatchNearest?
    var models: Set<String> = []
    var types: Set<String> = []
    for case .other(let asked) in matches.strangers.map(\.why) {
      models.insert(asked.model)
      types.formUnion(asked.types)
    }
    // If only the model differs, the requests of several backends are equally similar, so prefer
    // backends of the right type.
    let alike = backends.indices.filter { types.contains(backends[$0].typeName) }
    let near = Set(alike.filter { models.contains(backends[$0].model ?? "") })
    for (result, why) in matches.strangers {
      switch why {
      case .unknown:
        add(
          fault(
            .unknown,
            result.line,
            matches.hasRequests
              ? "is not in any of the request files" : "is not a custom_id that Sluice generates",
            fix: "name the file that the batch was made from: --requests FILE"
          )
        )
      case .gone:
        add(
          fault(
            .other,
            result.line,
            "answers a request that the project no longer makes, or now makes with another backend",
            fix: "to see the difference, name the exported file: --requests FILE"
          )
        )
      case .other(let asked):
        let places =
          nearest
          ?? BatchNearest(
            targets,
            through: near.isEmpty ? [alike.first ?? 0] : near
          )
        nearest = places
        explain(result.line, asked, &nearest)
      }
    }
  }

  private mutating func explain(
    _ line: BatchFiles.Line,
    _ asked: BatchFiles.Asked,
    _ nearest: inout BatchNearest?
  ) {
    compared += 1
    let body = compared <= BatchLimits.compared ? files.request(asked.line)?.body : nil
    let answered = answered
    let found = nearest?.nearest(to: body ?? .null, model: asked.model, types: asked.types) { key in
      answered.contains(Recording.Slot(key: key, repetition: 1))
    }
    guard let found else {
      add(
        fault(
          .other,
          line,
          "answers a request that this project does not make; it makes no similar request either"
        )
      )
      return
    }
    let parts = found.parts.joined(separator: ", ")
    add(
      fault(
        .other,
        line,
        "answers a request that this project does not make; the most similar one, case "
          + "'\(targets.testCase(found.place))' of \(targets.plans[found.place.plan].name) "
          + "\(targets.prompt(found.place)), differs in: \(parts)"
      )
    )
    if replaced[found.key] == nil {
      replaced[found.key] = found
      let slot = Recording.Slot(key: found.key, repetition: 1)
      reasons[slot] = reasons[slot] ?? "the answered request differs in: \(parts)"
    }
  }

  // MARK: Requests without an answer

  /// Finds the requests that were sent but have no answer.
  ///
  /// Files of requests show which requests were sent. Without such files, the import collects the
  /// prompts and the backends that have at least one answer. It assumes that all requests of these
  /// prompts on these backends were sent. If a result answers a request that the project does not
  /// make, the most similar request of the project also counts as unanswered.
  mutating func findMissing() {
    outcome.unlisted += files.unlisted
    sortFaults()
    var seen: Set<Recording.Slot> = []
    for (key, repetition) in matches.asked {
      guard let place = matches.places[key]?.first else { continue }
      miss(key, repetition, place, &seen)
    }
    var touched: [Int: Set<Int>] = [:]
    var touchedBackends: [Int: Set<Int>] = [:]
    for group in matches.groups where !matches.hasRequests {
      for place in matches.places[group.key] ?? [] {
        for line in group.lines { miss(group.key, line.repetition ?? 1, place, &seen) }
        guard case .trial(let prompt, let backend, _) = place.origin else { continue }
        touched[place.plan, default: []].insert(prompt)
        touchedBackends[place.plan, default: []].insert(backend)
      }
    }
    for (plan, prompts) in touched.sorted(by: { $0.key < $1.key }) {
      targets.forEachKey(of: plan, prompts: prompts) { key, prompt, backend, testCase in
        guard touchedBackends[plan]?.contains(backend) == true else { return }
        let place = BatchTargets.Place(
          plan: plan,
          origin: .trial(prompt: prompt, backend: backend, testCase: testCase)
        )
        for repetition in 1...targets.plans[plan].repetitions {
          miss(key, repetition, place, &seen)
        }
      }
    }
    for (key, found) in replaced { miss(key, 1, found.place, &seen) }
    outcome.missing.sort {
      ($0.suite, $0.prompt, $0.backend, $0.reason, $0.testCase, $0.repetition)
        < ($1.suite, $1.prompt, $1.backend, $1.reason, $1.testCase, $1.repetition)
    }
  }

  /// Sorts the faults by file and line.
  private mutating func sortFaults() {
    var order: [String: Int] = [:]
    for name in files.names where order[name] == nil { order[name] = order.count }
    func key(_ fault: BatchImportResult.Fault) -> (Int, Int) {
      (order[fault.diagnostic.path] ?? 0, fault.diagnostic.position?.line ?? 0)
    }
    outcome.faults.sort { key($0) < key($1) }
  }

  private mutating func miss(
    _ key: Digest,
    _ repetition: Int,
    _ place: BatchTargets.Place,
    _ seen: inout Set<Recording.Slot>
  ) {
    let slot = Recording.Slot(key: key, repetition: repetition)
    guard !answered.contains(slot), seen.insert(slot).inserted else { return }
    let destination = destination(place)
    if stores[destination] == nil { stores[destination] = store(destination) }
    guard SuitePlan.isWanted(.missing, stores[destination], slot, notBefore(place)) else { return }
    outcome.missing.append(
      BatchImportResult.Missing(
        suite: targets.plans[place.plan].name,
        path: targets.plans[place.plan].path,
        backend: destination.backend,
        prompt: targets.prompt(place),
        otherPrompt: targets.otherPrompt(place),
        testCase: targets.testCase(place),
        repetition: repetition,
        reason: reasons[slot] ?? "the results have no line for this request",
        difference: replaced[key]?.difference
      )
    )
  }
}
