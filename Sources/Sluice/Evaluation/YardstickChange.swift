import SluiceReporting

/// The edits to a suite that change its measurements: edits to gates, labels, cases, scorers and
/// baselines.
struct YardstickChange {
  let here: ResolvedSuite
  let there: ResolvedSuite

  /// Returns the edits, the most important first.
  func edits(_ files: any FileSystem, _ otherFiles: any FileSystem) -> [YardstickEdit] {
    suite + conditions + policy + scorers + cases + backends
      + baselines(files, otherFiles)
  }

  private var suite: [YardstickEdit] {
    var edits: [YardstickEdit] = []
    func edit(_ kind: YardstickEdit.Kind, _ what: String, _ before: String, _ now: String) {
      if before != now { edits.append(YardstickEdit(kind, "\(what): was \(before), now \(now)")) }
    }
    edit(.suite, "suite", there.plan.name, here.plan.name)
    edit(.suite, "path of the suite", there.plan.path.description, here.plan.path.description)
    func names(_ plan: SuitePlan) -> String { plan.prompts.map(\.name).joined(separator: ", ") }
    if here.plan.prompts.count > 1, names(here.plan) != names(there.plan) {
      let last = here.plan.prompts.last?.name ?? ""
      edits.append(
        YardstickEdit(.prompt, "prompts: \(names(here.plan)); only the last, \(last), is judged")
      )
    }
    return edits
  }

  private var conditions: [YardstickEdit] {
    func texts(_ bound: [ResolvedConditions.Bound]) -> [String] { bound.map(\.condition.text) }
    return Self.difference(
      .gate,
      "gate",
      texts(there.conditions.gates),
      texts(here.conditions.gates)
    )
      + Self.difference(
        .goal,
        "goal",
        texts(there.conditions.goals),
        texts(here.conditions.goals)
      )
  }

  static func difference(
    _ kind: YardstickEdit.Kind,
    _ noun: String,
    _ before: [String],
    _ now: [String]
  ) -> [YardstickEdit] {
    before.filter { !now.contains($0) }.map { YardstickEdit(kind, "\(noun) removed: \($0)") }
      + now.filter { !before.contains($0) }.map { YardstickEdit(kind, "\(noun) added: \($0)") }
  }

  private var policy: [YardstickEdit] {
    var edits: [YardstickEdit] = []
    if here.policy.rule != there.policy.rule {
      edits.append(
        YardstickEdit(
          .policy,
          "on-credible-regression: was \(there.policy.rule.policy.rawValue), now "
            + here.policy.rule.policy.rawValue
        )
      )
    }
    func lines(_ exemptions: [String: Exemption]) -> [String] {
      exemptions.sorted { $0.key < $1.key }.map {
        "\($0.key) until \($0.value.until): \($0.value.reason)"
      }
    }
    if here.plan.takesEmptyAnswers != there.plan.takesEmptyAnswers {
      func word(_ plan: SuitePlan) -> String { plan.takesEmptyAnswers ? "usable" : "unusable" }
      edits.append(
        YardstickEdit(
          .policy,
          "empty-answer: was \(word(there.plan)), now \(word(here.plan))"
        )
      )
    }
    edits += Self.difference(
      .policy,
      "quarantine",
      lines(there.policy.quarantine),
      lines(here.policy.quarantine)
    )
    edits += Self.difference(
      .policy,
      "waiver",
      lines(there.policy.waivers),
      lines(here.policy.waivers)
    )
    if here.plan.repetitions != there.plan.repetitions {
      edits.append(
        YardstickEdit(
          .policy,
          "repeat: was \(there.plan.repetitions), now \(here.plan.repetitions)"
        )
      )
    }
    return edits
  }

  private var scorers: [YardstickEdit] {
    let (before, now) = (there.plan.scorerDigests, here.plan.scorerDigests)
    let names = Set(before.keys).union(now.keys).subtracting([SuitePlan.emptyAnswerKey])
    return names.sorted().compactMap { name in
      switch (before[name], now[name]) {
      case (let old?, let new?):
        old == new
          ? nil
          : YardstickEdit(
            .scorer,
            "scorer changed; the new version judges both sides: \(name)"
          )
      case (nil, _): YardstickEdit(.scorer, "scorer added: \(name)")
      case (_, nil):
        YardstickEdit(.scorer, "scorer removed; it still judges both sides: \(name)")
      }
    }
  }

  private var cases: [YardstickEdit] {
    let before = Dictionary(there.plan.cases.map { ($0.stored.id, $0.stored) }) { old, _ in old }
    let now = Set(here.plan.cases.map(\.stored.id))
    func edit(_ kind: YardstickEdit.Kind, _ what: String, _ ids: [String]) -> [YardstickEdit] {
      if ids.isEmpty { return [] }
      let noun = ids.count == 1 ? "1 case" : "\(ids.count) cases"
      return [YardstickEdit(kind, "\(noun) \(what): \(ids.joined(separator: ", "))")]
    }
    let both = here.plan.cases.map(\.stored).compactMap { new in
      before[new.id].map { (old: $0, new: new) }
    }
    // Most cases are unchanged. Read only the cases whose digests differ.
    let changed = both.filter { $0.old.digest != $0.new.digest }.map {
      (id: $0.new.id, hasSameInput: $0.old.testCase.input == $0.new.testCase.input)
    }
    let inputs = changed.filter { !$0.hasSameInput }
    let labels = changed.filter(\.hasSameInput)
    let slices = both.filter { $0.old.labels != $0.new.labels }
    return edit(.label, "with another label; judged by the old label", labels.map(\.id))
      + edit(.input, "with another input; not compared", inputs.map(\.id))
      + edit(
        .cases,
        "removed; not compared",
        there.plan.cases.map(\.stored.id).filter { !now.contains($0) }
      )
      + edit(
        .cases,
        "added; not compared",
        here.plan.cases.map(\.stored.id).filter { before[$0] == nil }
      )
      + edit(.slices, "with other tags, cluster or split", slices.map(\.new.id))
  }

  private var backends: [YardstickEdit] {
    Self.difference(
      .backend,
      "backend",
      there.plan.backends.map(\.name),
      here.plan.backends.map(\.name)
    )
      + (here.plan.prices.amounts == there.plan.prices.amounts
        ? [] : [YardstickEdit(.prices, "prices changed; both sides use today's prices")])
  }

  private func baselines(_ files: any FileSystem, _ otherFiles: any FileSystem) -> [YardstickEdit] {
    here.plan.backends.compactMap { backend in
      let path = Baseline.path(suite: here.plan.name, backend: backend.name)
      let (before, now) = (try? otherFiles.read(path), try? files.read(path))
      if before == now { return nil }
      let what = before == nil ? "added" : now == nil ? "removed" : "changed"
      return YardstickEdit(.baseline, "baseline \(what): \(path)")
    }
  }
}
