import SluiceReporting

extension PromptfooSuiteBuilder {
  // MARK: Judges

  mutating func placeRubrics() {
    // Rubrics may also differ in their threshold, judge or name.
    var variants: [Rubric] = []
    func variant(_ rubric: Rubric) -> Int {
      var plain = rubric
      plain.text = ""
      if let known = variants.firstIndex(of: plain) { return known }
      variants.append(plain)
      return variants.count - 1
    }
    // Write rubrics that are the same for every case to the suite.
    let common =
      cases.first?.rubrics.filter { entry in
        entry.isShared
          && cases.allSatisfy { other in
            other.rubrics.contains { $0.isShared && $0.rubric == entry.rubric }
          }
      } ?? []
    for (rubric, _) in common {
      let name = scorerName(rubric.name ?? "rubric")
      addScorer(rubric, name: name, file: judgeFile(rubric, key: nil), appliesTo: nil)
      for index in cases.indices {
        cases[index].rubrics.removeAll { $0.isShared && $0.rubric == rubric }
      }
    }
    var keys: [String: Rubric] = [:]
    var order: [String] = []
    var names: [[Int]: String] = [:]
    for index in cases.indices {
      var counts: [Int: Int] = [:]
      for (rubric, _) in cases[index].rubrics {
        let place = variant(rubric)
        let count = counts[place, default: 0] + 1
        counts[place] = count
        let slot = [place, count]
        let key = names[slot] ?? scorerName(rubric.name ?? "case-rubric")
        names[slot] = key
        taken.insert(key)
        cases[index].expected[key] = .string(rubric.text)
        if keys[key] == nil {
          keys[key] = rubric
          order.append(key)
        }
      }
    }
    for key in order {
      guard let rubric = keys[key] else { continue }
      addScorer(rubric, name: key, file: judgeFile(rubric, key: key), appliesTo: key)
    }
  }

  /// Returns a scorer name: `wish`, or a similar name if a scorer or a metric has that name.
  func scorerName(_ wish: String) -> String {
    let names = taken.union(scorers.compactMap { $0["name"]?.string })
    // A scorer must not have the name of a built-in metric.
    let stem = Self.figures.contains(wish) ? "rubric-\(wish)" : wish
    var number = 1
    func next() -> String { number == 1 ? stem : "\(stem)-\(number)" }
    while names.contains(next()) { number += 1 }
    return next()
  }

  static let figures: Set<String> = [
    "accuracy", "cost", "latency", "tokens", "first-text", "unusable-rate", "assertion-rate",
    "input-tokens", "output-tokens", "reported-cost", "user-latency", "fallback-rate",
    "longest-gap", "any-of-k", "all-of-k",
  ]

  mutating func addScorer(_ rubric: Rubric, name: String, file: String, appliesTo key: String?) {
    var arguments: JSONObject = [
      "backend": .string(judgeBackend(rubric.judge)), "prompt": .string(file), "scale": [0, 1],
    ]
    if let threshold = rubric.threshold {
      arguments["step"] = 0.01
      arguments["at-least"] = .number(threshold)
    } else {
      arguments["at-least"] = 1
    }
    if key == nil { arguments["rubric"] = .string(rubric.text) }
    var scorer: JSONObject = ["llm-rubric": .object(arguments), "name": .string(name)]
    if let key { scorer["applies-to"] = ["expected": .string(key)] }
    scorers.append(.object(scorer))
    goals.append("\(name).pass-rate >= 100%")
  }

  /// Returns the name of a judge's prompt file, and adds the file if it is new.
  ///
  /// Rubrics at the same position in their cases share a file.
  mutating func judgeFile(_ rubric: Rubric, key: String?) -> String {
    let isGraded = rubric.threshold != nil
    let file = "judge" + (key.map { "-\($0)" } ?? (isGraded ? "-grade" : "")) + ".yaml"
    if judges.contains(where: { $0.file == file }) { return file }
    let grades =
      isGraded
      ? "{\"score\": 0.75, \"reason\": \"one sentence\"}\nThe score goes from 0 to 1, in steps of "
        + "0.01."
      : "{\"score\": 1, \"reason\": \"one sentence\"}\nThe score is 1 if the answer meets the "
        + "rubric, and 0 if not."
    let place = key.map { "{{expected.\($0)}}" } ?? "{{rubric}}"
    let prompt = YAMLWriter.text(
      .mapping([
        .init(
          "messages",
          .list([
            .init(
              .mapping([
                .init(
                  "system",
                  .string(
                    "You grade an answer by a rubric. Reply with one JSON object and nothing "
                      + "else:\n"
                      + grades + "\n"
                  )
                )
              ])
            ),
            .init(
              .mapping([
                .init("user", .string("The rubric:\n\(place)\n\nThe answer:\n{{answer}}\n"))
              ])
            ),
          ])
        )
      ]),
      head: ["The judge's prompt. promptfoo uses a different prompt for the same question."]
    )
    judges.append((file, prompt))
    return file
  }

  /// Returns the name of a judge's backend, and adds the backend if it is new.
  mutating func judgeBackend(_ judge: JSONValue?) -> String {
    var number = 1
    func name() -> String { number == 1 ? "judge" : "judge-\(number)" }
    var backend = PromptfooProviders.usualJudge
    var comments: [String] = [
      "promptfoo chooses the judge by the API keys that are set; this is its choice for an OpenAI "
        + "key."
    ]
    if let judge {
      comments = []
      let path = ProjectPath(judge.array?.first?.string ?? "")
      if let made = judgeEntries[judge] ?? readJudge(judge, path) {
        backend = made
      } else {
        backend.entry = ["type": "openai", "model": "FILL-IN", "base-url": "http://127.0.0.1:9/v1"]
        backend.parameters = [:]
        comments = ["FILL IN: the judge of the configuration could not be imported."]
        context.fillIn("the judge's backend in sluice.yaml: name the model and its server")
      }
      judgeEntries[judge] = backend
    }
    var entry = backend.entry
    if !backend.parameters.members.isEmpty { entry["parameters"] = .object(backend.parameters) }
    while let known = judgeBackends.first(where: { $0.name == name() }), known.entry != entry {
      number += 1
    }
    if !judgeBackends.contains(where: { $0.name == name() }) {
      judgeBackends.append(ImportedBackend(name: name(), entry: entry, comments: comments))
    }
    return name()
  }

  mutating func readJudge(_ judge: JSONValue, _ path: ProjectPath) -> PromptfooProviders.Backend? {
    for located in [defaults.options?.node.present("provider")]
      + cases.map({ $0.test.options?.node.present("provider") })
      + (defaults.assertions + cases.flatMap(\.test.assertions)).map({ $0.node.present("provider") }
      )
    {
      if let located, judge.array?.last == located.json {
        return providers.judge(located, in: path)
      }
    }
    return nil
  }
}
