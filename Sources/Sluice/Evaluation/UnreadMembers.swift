import SluiceReporting

/// The members of cases' inputs and expectations that nothing in a suite reads.
struct UnreadMembers {
  enum Part { case input, expected }

  struct Member {
    var part: Part
    var key: String
    /// The index of the first case that has the member.
    var caseIndex: Int
    /// The names that the suite reads, to suggest a similar one.
    var known: [String]
  }

  /// The unread members without duplicates, each with the first case that has it.
  private(set) var found: [Member] = []
  /// The indices of the members in ``found``, by name.
  private var places: [Part: [ExactString: Int]] = [.input: [:], .expected: [:]]
  private let inputs: [String]
  private let expected: [String]

  /// True if a backend or a scorer receives the whole input.
  private let readsAllInput: Bool
  /// True if a scorer may read the whole expectation.
  private let readsAllExpected: Bool

  init(prompts: [Prompt], backends: [BackendDefinition], scorers: [BoundScorer]) {
    let readsWholeCase = scorers.contains(where: \.traits.readsWholeCase)
    readsAllInput =
      readsWholeCase || scorers.contains(where: \.traits.readsAllInputs)
      || backends.contains(where: \.takesWholeInput)
    readsAllExpected = readsWholeCase || scorers.contains(where: \.traits.readsAllExpected)
    let bodies = backends.compactMap(\.body).flatMap(\.inputs)
    let judges = scorers.compactMap { ($0.scorer as? any JudgeScorer)?.judge }
    let read = scorers.flatMap(\.traits.inputKeys) + judges.flatMap(\.inputs)
    inputs = Set(prompts.flatMap(\.inputs) + bodies + read).sorted()
    expected = Set(scorers.flatMap(\.traits.expectedKeys)).sorted()
  }

  /// Removes all members of expectations from the list, because missing scorers were already
  /// reported as the cause.
  mutating func ignoreExpected() { found.removeAll { $0.part == .expected } }

  /// Notes the unread members in one part of a case.
  ///
  /// - Parameters:
  ///   - value: The input or the expectation.
  ///   - part: The part of the case.
  ///   - index: The index of the case.
  ///   - assertions: The case's own assertions.
  mutating func note(
    _ value: JSONValue,
    _ part: Part,
    _ index: Int,
    assertions: [BoundScorer] = []
  ) {
    var known = part == .input ? inputs : expected
    if !assertions.isEmpty {
      known += assertions.flatMap {
        part == .expected ? $0.traits.expectedKeys : $0.traits.inputKeys
      }
    }
    if part == .input {
      if readsAllInput || assertions.contains(where: \.traits.readsAllInputs) { return }
    }
    let readsAll = readsAllExpected || assertions.contains(where: \.traits.readsAllExpected)
    if part == .expected, readsAll { return }
    guard case .object(let object) = value else { return }
    for (key, _) in object.members where !known.contains(where: key.isIdentical) {
      let member = Member(part: part, key: key, caseIndex: index, known: known)
      if let earlier = places[part]?[ExactString(key)] {
        if found[earlier].caseIndex > index { found[earlier] = member }
      } else {
        places[part]?[ExactString(key)] = found.count
        found.append(member)
      }
    }
  }
}
