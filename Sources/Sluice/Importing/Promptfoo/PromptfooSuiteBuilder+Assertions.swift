import SluiceReporting

extension PromptfooSuiteBuilder {
  // MARK: Assertions

  mutating func readAssertions() {
    let reader = PromptfooAssertions(
      context,
      outputIsText: providers.outputIsText,
      defaults: defaults
    )
    for index in cases.indices {
      let test = cases[index].test
      if cases[index].id == "fill-in" { continue }
      var (shared, own): ([Outcome], [Outcome]) = ([], [])
      for located in defaults.assertions {
        shared.append(note(reader.read(located, for: test), located))
      }
      for located in test.assertions { own.append(note(reader.read(located, for: test), located)) }
      (cases[index].shared, cases[index].own) = (shared, own)
      var testCase = cases[index]
      combine(&testCase)
      cases[index] = testCase
    }
    if cases.contains(where: { $0.shared.isEmpty && $0.own.isEmpty && $0.id != "fill-in" }) {
      differ(
        "A test without assertions passes in promptfoo. In Sluice its answer is shown but not "
          + "counted in any rate."
      )
    }
  }

  /// Remembers the outcome of an assertion by its position, for the report.
  mutating func note(
    _ outcome: Outcome,
    _ located: PromptfooTest.Located
  ) -> Outcome {
    let key = ImportReport.Finding(
      .note,
      .assertion,
      path: located.path.description,
      position: located.node.position,
      message: ""
    )
    var state = assertionStates[key] ?? (whole: false, lost: false)
    switch outcome {
    case .assertions(let written):
      state.whole = true
      if written.contains(where: { $0.type.hasPrefix("not-") }) {
        differ(
          "In Sluice, an answer that no app could use (empty, cut off, refused) fails every "
            + "assertion, including 'not-…' ones."
        )
      }
      if written.contains(where: { $0.type == "latency" }) {
        differ(
          "'latency' is the time of the answer alone. In promptfoo, it includes retries, and an "
            + "answer from the cache always fails."
        )
      }
    case .rubric:
      state.whole = true
      differ(
        "'llm-rubric' is advisory: its grades are shown, but no gate uses them until people have "
          + "checked the judge (docs/judges.md)."
      )
    case .leftOut: state.lost = true
    }
    assertionStates[key] = state
    return outcome
  }

  mutating func differ(_ text: String) {
    if !differences.contains(text) { differences.append(text) }
  }

  /// Puts the assertions of a case into a set if the test has weights or a threshold.
  mutating func combine(_ testCase: inout Case) {
    let sources = defaults.assertions + testCase.test.assertions
    let outcomes = testCase.shared + testCase.own
    for (place, (outcome, source)) in zip(outcomes, sources).enumerated() {
      switch outcome {
      case .leftOut(let reason):
        // Assertions that all cases share get their names in the suite, so name only the other
        // assertions.
        if place >= testCase.shared.count {
          testCase.comments.append("left out: \(reason)")
          testCase.isPartial = true
        }
      case .rubric(var rubric):
        rubric.judge = judge(for: source, testCase.test)
        testCase.rubrics.append((rubric, place < testCase.shared.count))
      case .assertions: break
      }
    }
    let weights = sources.map { $0.node.number("weight") ?? 1 }
    let isWeighted = zip(outcomes, weights).contains { outcome, weight in
      if case .assertions(let written) = outcome, !written.isEmpty { weight != 1 } else { false }
    }
    guard testCase.test.threshold != nil || isWeighted else { return }
    // In promptfoo, the mean includes rubrics. Without rubrics, a threshold would have another
    // meaning.
    let set = PromptfooAssertions.combined(outcomes, weights, threshold: testCase.test.threshold)
    guard let set else {
      context.report(
        .leftOut,
        .testCase,
        testCase.test.place,
        "the threshold of the test: its mean includes assertions that were not imported, or "
          + "grades that differ in Sluice",
        nearest: "'assert-set' with a threshold"
      )
      testCase.isPartial = true
      for outcome in outcomes {
        guard case .assertions(let written) = outcome else { continue }
        for assertion in written {
          testCase.comments.append(
            "left out, because the test's weights or threshold could not be imported: "
              + "\(YAMLWriter.inline(assertion.json()))"
          )
        }
      }
      (testCase.shared, testCase.own) = ([], [])
      return
    }
    if set == nil, outcomes.contains(where: { if case .assertions = $0 { true } else { false } }) {
      context.report(
        .leftOut,
        .assertion,
        testCase.test.place,
        "assertions with the weight 0 decide nothing in promptfoo",
        nearest: "'measure', which only shows a figure"
      )
      testCase.isPartial = true
    }
    (testCase.shared, testCase.own) = ([], [.assertions(set.map { [$0] } ?? [])])
  }

  mutating func judge(for source: PromptfooTest.Located, _ test: PromptfooTest) -> JSONValue? {
    let own = source.node.present("provider").map {
      PromptfooTest.Located(node: $0, path: source.path)
    }
    guard let located = own ?? defaults.located("provider", test.options) else { return nil }
    return .array([.string(located.path.description), located.node.json])
  }

  /// Moves the assertions that are the same in all cases to the suite.
  mutating func hoist() {
    let isShared = cases.allSatisfy { $0.shared.count == defaults.assertions.count }
    var hoisted: Set<Int> = []
    for place in defaults.assertions.indices where isShared && !cases.isEmpty {
      guard case .assertions(let first) = cases[0].shared[place] else { continue }
      let isSame = cases.allSatisfy {
        if case .assertions(let other) = $0.shared[place] { other == first } else { false }
      }
      guard isSame else { continue }
      hoisted.insert(place)
      scorers += Self.numbered(first, after: scorers)
    }
    for index in cases.indices {
      var assertions: [JSONValue] = []
      for (place, outcome) in cases[index].shared.enumerated() where !hoisted.contains(place) {
        if case .assertions(let written) = outcome {
          assertions += Self.numbered(written, after: assertions)
        }
      }
      for outcome in cases[index].own {
        if case .assertions(let written) = outcome {
          assertions += Self.numbered(written, after: assertions)
        }
      }
      cases[index].assertions = assertions
    }
  }

  /// Returns assertions as JSON.
  ///
  /// Names are changed where needed, so that they are unique in the list.
  static func numbered(_ written: [Written], after others: [JSONValue]) -> [JSONValue] {
    var taken = Set(others.compactMap { $0["name"]?.string })
    return written.map { assertion in
      var assertion = assertion
      if let name = assertion.name {
        var number = 1
        var next = name
        while !taken.insert(next).inserted {
          number += 1
          next = "\(name)-\(number)"
        }
        assertion.name = next
      }
      return assertion.json()
    }
  }
}
