import SluiceReporting

/// The inputs and expectations of cases that nothing in a suite reads, each noted once.
struct UnreadMembers {
  enum Part { case input, expected }

  struct Member {
    var part: Part
    var key: String
    /// The first case that has it.
    var caseIndex: Int
    /// The keys that are read instead.
    var known: [String]
  }

  /// What was found, each with the first case that has it.
  private(set) var found: [Member] = []
  /// The places of members in ``found``.
  private var places: [Part: [ExactString: Int]] = [.input: [:], .expected: [:]]
  private let inputs: [String]
  private let expected: [String]

  /// Whether a backend or a scorer is handed the whole input.
  private let readsAllInput: Bool
  /// Whether a scorer may read anything that is expected.
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

  /// Leaves out what cases expect: no scorer was there to read it, which was said.
  mutating func ignoreExpected() { found.removeAll { $0.part == .expected } }

  /// Notes what of a part of a case nothing reads.
  ///
  /// - Parameters:
  ///   - value: The input or what is expected.
  ///   - part: Which of the two it is.
  ///   - index: The case's place among the cases.
  ///   - assertions: The assertions of its own.
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
