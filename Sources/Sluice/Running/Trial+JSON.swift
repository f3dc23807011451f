extension Trial {
  /// The outcome in the word of run logs and reports.
  package var outcomeName: String {
    switch outcome {
    case .passed: "passed"
    case .failed: "failed"
    case .lost: "lost"
    }
  }

  /// What run logs and baselines keep of a trial.
  var json: JSONObject {
    var object: JSONObject = [
      "kind": "trial", "case": .string(caseID), "case-digest": .string(caseDigest),
      "tags": .array(tags.map(JSONValue.string)), "prompt": .string(prompt),
      "backend": .string(backend), "repeat": .number(Double(repetition)),
      "request": .string(requestKey), "outcome": .string(outcomeName),
    ]
    object.set("split", split.map(JSONValue.string))
    object.set("cluster", cluster.map(JSONValue.string))
    if case .lost(let loss) = outcome { object["reason"] = .string(loss.message) }
    object["scores"] = .array(scores.map(\.json))
    if let output {
      object["response-digest"] = .string(output.digest)
      object.set("finish-reason", output.finishReason.map(JSONValue.string))
      object.set("usage", output.usage.map { .object($0.json) })
      object.set("cost", output.cost.map(JSONValue.number))
      object["timings"] = .object(output.timings.json)
      object["answered-by"] = .object(output.provenance.json)
    }
    return object
  }

  /// Reads what ``json`` writes, with or without the text that a run log adds; nil for all else.
  init?(json: JSONValue) {
    guard json["kind"]?.string == "trial", let caseID = json["case"]?.string,
      let caseDigest = json["case-digest"]?.string, let prompt = json["prompt"]?.string,
      let backend = json["backend"]?.string, let repetition = json["repeat"]?.integer,
      let requestKey = json["request"]?.string, case .array(let scores) = json["scores"],
      let outcome = Outcome(json)
    else { return nil }
    self.init(
      caseID: caseID,
      caseDigest: caseDigest,
      tags: json["tags"]?.array?.compactMap(\.string) ?? [],
      split: json["split"]?.string,
      cluster: json["cluster"]?.string,
      prompt: prompt,
      backend: backend,
      repetition: repetition,
      requestKey: requestKey,
      outcome: outcome,
      scores: [],
      output: Output(json)
    )
    for score in scores {
      guard let score = NamedScore(json: score) else { return nil }
      self.scores.append(score)
    }
    // An answer that was judged is there, whatever came of it.
    if output == nil, !isLost { return nil }
  }
}

extension Trial.Outcome {
  fileprivate init?(_ json: JSONValue) {
    switch json["outcome"]?.string {
    case "passed": self = .passed
    case "failed": self = .failed
    case "lost": self = .lost(.told(json["reason"]?.string ?? "lost"))
    default: return nil
    }
  }
}

extension Trial.NamedScore {
  package var json: JSONValue {
    var object: JSONObject = ["scorer": .string(name), "outcome": .string(score.outcome.rawValue)]
    if !score.explanation.isEmpty { object["explanation"] = .string(score.explanation) }
    if score.isUnusable { object["unusable"] = true }
    if !score.measurements.members.isEmpty { object["measurements"] = .object(score.measurements) }
    return .object(object)
  }

  fileprivate init?(json: JSONValue) {
    guard let name = json["scorer"]?.string,
      let outcome = json["outcome"]?.string.flatMap(Score.Outcome.init)
    else { return nil }
    self.init(
      name: name,
      score: Score(
        outcome,
        isUnusable: json["unusable"]?.bool ?? false,
        explanation: json["explanation"]?.string ?? "",
        measurements: json["measurements"]?.object ?? [:]
      )
    )
  }
}

extension Trial.Output {
  fileprivate init?(_ json: JSONValue) {
    guard let digest = json["response-digest"]?.string else { return nil }
    let (usage, timings, provenance) = (json["usage"], json["timings"], json["answered-by"])
    self.init(
      // An answer without a text has the digest of an empty one.
      text: json["text"]?.string ?? (digest == SHA256.hexadecimal("".utf8) ? "" : nil),
      digest: digest,
      finishReason: json["finish-reason"]?.string,
      usage: usage.map { TokenUsage(json: $0) },
      cost: json["cost"]?.number,
      timings: ResponseTimings(json: timings ?? .null),
      provenance: Provenance(json: provenance ?? .null)
    )
  }
}
