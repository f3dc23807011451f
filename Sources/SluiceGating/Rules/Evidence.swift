package import SluiceCore

/// Where reports find what results leave out: what was sent, and what the baseline answered.
package struct Evidence: Sendable {
  private let plan: SuitePlan
  private let places: CasePlaces
  private let stores: [String: RecordingStore]
  private let baselines: [String: Baseline]
  /// The trials of baselines by backend, then by case and repeat; made for the first who asks, since most
  /// who run a suite write no page.
  private let index = Locked<[String: Reference]?>(nil)

  private struct Reference: Sendable {
    var title: String
    var trials: [Place: Trial]
  }

  private struct Place: Hashable, Sendable {
    var caseID: String
    var repetition: Int
  }

  /// Creates what evidence there is of a run.
  ///
  /// - Parameters:
  ///   - plan: The suite that ran.
  ///   - stores: The recordings, by backend, which have the texts of earlier answers.
  ///   - baselines: What columns are compared with, by backend.
  package init(_ plan: SuitePlan, stores: [String: RecordingStore], baselines: [String: Baseline]) {
    self.plan = plan
    places = CasePlaces(plan)
    self.stores = stores
    self.baselines = baselines
  }

  private var references: [String: Reference] {
    index.withLock { index in
      if let index { return index }
      let made = baselines.mapValues { baseline in
        Reference(
          title: "the baseline (\(baseline.prompt.name))",
          trials: Dictionary(
            baseline.trials.map { (Place(caseID: $0.caseID, repetition: $0.repetition), $0) },
            uniquingKeysWith: { first, _ in first }
          )
        )
      }
      index = made
      return made
    }
  }

  /// A message as it was sent, in the pieces of its template.
  package struct Message: Sendable {
    /// Who speaks; `body` where the backend takes no messages.
    package var role: String
    package var pieces: [String]
  }

  /// A case as a trial asked it, read once for all that is shown of it.
  package struct AskedCase: Sendable {
    package let testCase: TestCase
    /// The assertions that the case brings of its own.
    package let assertions: [BoundScorer]
    /// The line of the dataset's file, from 1; nil for a case of no file.
    package let line: Int?
    fileprivate let slot: SuitePlan.TrialIndex
  }

  /// The file of the cases, relative to the project's root.
  package var datasetPath: String { places.path }

  /// The case of a trial.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - index: Its place in its column.
  /// - Returns: The case; nil where it cannot be read.
  package func asked(by trial: Trial, at index: Int) -> AskedCase? {
    guard let (place, stored) = places.stored(trial, at: index),
      let prompt = plan.prompts.firstIndex(where: { $0.name == trial.prompt }),
      let backend = plan.backends.firstIndex(where: { $0.name == trial.backend }),
      let content = try? stored.read()
    else { return nil }
    let slot = SuitePlan.TrialIndex(
      testCase: place,
      prompt: prompt,
      backend: backend,
      repetition: trial.repetition
    )
    return AskedCase(
      testCase: content,
      assertions: plan.cases.assertions(place),
      line: stored.lineNumber,
      slot: slot
    )
  }

  /// Returns the messages that were sent about a case, in their order, or one that stands for the body;
  /// nil where the case lacks something.
  package func messages(_ asked: AskedCase) -> [Message]? {
    let (slot, content) = (asked.slot, asked.testCase)
    if let outputs = plan.backends[slot.backend].outputs {
      return [Message(role: "unknown", pieces: ["The answer is from \(outputs.path)."])]
    }
    guard plan.backends[slot.backend].asksPromptAlone else {
      return (try? plan.request(slot, content)).map { request in
        [
          Message(
            role: "body",
            pieces: [String(decoding: JSONWriter.pretty(request.body), as: UTF8.self)]
          )
        ]
      }
    }
    var messages: [Message] = []
    for part in plan.prompts[slot.prompt].parts {
      switch part {
      case .message(let message):
        var pieces = Pieces()
        guard (try? message.template.render(content.input, to: &pieces)) != nil else { return nil }
        messages.append(Message(role: message.role.rawValue, pieces: pieces.texts))
      case .list(let list):
        guard let inserted = try? list.messages(in: content.input) else { return nil }
        messages += inserted.map { Message(role: $0.role.rawValue, pieces: [$0.text]) }
      }
    }
    return messages
  }

  /// The request of a trial; nil where the case cannot be read.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - index: Its place in its column.
  /// - Returns: The request.
  func request(of trial: Trial, at index: Int) -> ModelRequest? {
    asked(by: trial, at: index).flatMap { try? plan.request($0.slot, $0.testCase) }
  }

  private struct Pieces: TemplateOutput {
    var texts: [String] = []

    mutating func append(_ text: String) { texts.append(text) }
  }

  /// What a baseline has of a trial.
  package struct Before: Sendable {
    /// What it is, in words.
    package var title: String
    package var outcome: Trial.Outcome
    package var answer: Answer

    package enum Answer: Sendable {
      case same
      case text(String)
      /// The words of a refusal, of an answer without text.
      case refusal(String)
      /// Neither the baseline nor the recordings have it.
      case notKept
    }
  }

  /// What the baseline of a trial's backend has of it; nil where it has nothing, or another case of
  /// that name.
  package func before(_ trial: Trial) -> Before? {
    guard let earlier = earlier(trial) else { return nil }
    let title = references[trial.backend]?.title ?? ""
    func before(_ answer: Before.Answer) -> Before {
      Before(title: title, outcome: earlier.outcome, answer: answer)
    }
    guard let output = earlier.output else { return before(.notKept) }
    if output.storedDigest == trial.output?.storedDigest { return before(.same) }
    let slot = earlier.request.slot(repetition: earlier.repetition)
    guard let answer = try? stores[trial.backend]?.answer(slot),
      let response = try? answer.response()
    else { return before(.notKept) }
    let words = response.words
    // What was recorded anew since is another answer.
    guard DigestText(SHA256.digest(words.utf8)) == output.storedDigest else {
      return before(.notKept)
    }
    let excerpt = Trial.Output.excerpt(of: words)
    let isRefusal = response.refusal != nil && (response.text ?? "").isEmpty
    return before(isRefusal ? .refusal(excerpt) : .text(excerpt))
  }

  /// The trial that the baseline of a trial's backend has of the same case.
  func earlier(_ trial: Trial) -> Trial? {
    let place = Place(caseID: trial.caseID, repetition: trial.repetition)
    guard let earlier = references[trial.backend]?.trials[place],
      earlier.caseVersion == trial.caseVersion
    else { return nil }
    return earlier
  }

  /// The request of a baseline's trial; nil where the recordings no longer have it.
  func request(ofEarlier trial: Trial) -> ModelRequest? {
    let slot = trial.request.slot(repetition: trial.repetition)
    return (try? stores[trial.backend]?.recording(slot))??.exchange.request
  }
}
