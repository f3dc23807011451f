package import SluiceCore

/// The data that results do not contain: the requests, and the baseline's answers.
package struct Evidence: Sendable {
  private let plan: SuitePlan
  private let places: CasePlaces
  private let stores: [String: RecordingStore]
  private let baselines: [String: Baseline]
  /// The trials of baselines by backend, then by case and repeat.
  ///
  /// The index is built on first use, since most runs write no HTML page and do not need the index.
  private let index = Locked<[String: Reference]?>(nil)

  private struct Reference: Sendable {
    var title: String
    var trials: [Place: Trial]
  }

  private struct Place: Hashable, Sendable {
    var caseID: String
    var repetition: Int
  }

  /// Creates the evidence for a run.
  ///
  /// - Parameters:
  ///   - plan: The suite that ran.
  ///   - stores: The recordings by backend, which have the texts of the baseline's answers.
  ///   - baselines: The baselines by backend.
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

  /// A message as sent, split into the parts of its template.
  package struct Message: Sendable {
    /// The role of the speaker; `body` for the body of a request without messages; `unknown` for
    /// answers from a file.
    package var role: String
    package var pieces: [String]
  }

  /// The case of a trial, read from its file once for all parts of a report.
  package struct AskedCase: Sendable {
    package let testCase: TestCase
    /// The case's own assertions.
    package let assertions: [BoundScorer]
    /// The line in the dataset's file, from 1, or `nil` if the case is not from a file.
    package let line: Int?
    fileprivate let slot: SuitePlan.TrialIndex
  }

  /// The file of the cases, relative to the project's root.
  package var datasetPath: String { places.path }

  /// Returns the case of a trial.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - index: The index of the trial in its column.
  /// - Returns: The case, or `nil` if it cannot be read.
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

  /// Returns the messages sent for a case, in order.
  ///
  /// A body without messages becomes one message. For a backend of the type `file`, one message
  /// names the file with the answers.
  ///
  /// Returns `nil` if the request cannot be built, for example because the case lacks a value that
  /// the prompt needs.
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

  /// Returns the request of a trial, or `nil` if its case cannot be read.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - index: The index of the trial in its column.
  /// - Returns: The request.
  func request(of trial: Trial, at index: Int) -> ModelRequest? {
    asked(by: trial, at: index).flatMap { try? plan.request($0.slot, $0.testCase) }
  }

  private struct Pieces: TemplateOutput {
    var texts: [String] = []

    mutating func append(_ text: String) { texts.append(text) }
  }

  /// The baseline's answer to the request of a trial.
  package struct Before: Sendable {
    /// A description of the answer.
    package var title: String
    package var outcome: Trial.Outcome
    package var answer: Answer

    package enum Answer: Sendable {
      case same
      case text(String)
      /// The text of a refusal, or a placeholder for an answer without text.
      case refusal(String)
      /// The text of the answer is in neither the baseline nor the recordings.
      case notKept
    }
  }

  /// Returns the baseline's answer for a trial on the same backend.
  ///
  /// Returns `nil` if the baseline has no answer, or if the case was edited since.
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
    // If the request was recorded again, the recording may not have the baseline's answer.
    guard DigestText(SHA256.digest(words.utf8)) == output.storedDigest else {
      return before(.notKept)
    }
    let excerpt = Trial.Output.excerpt(of: words)
    let isRefusal = response.refusal != nil && (response.text ?? "").isEmpty
    return before(isRefusal ? .refusal(excerpt) : .text(excerpt))
  }

  /// Returns the baseline's trial for the same case and backend.
  func earlier(_ trial: Trial) -> Trial? {
    let place = Place(caseID: trial.caseID, repetition: trial.repetition)
    guard let earlier = references[trial.backend]?.trials[place],
      earlier.caseVersion == trial.caseVersion
    else { return nil }
    return earlier
  }

  /// Returns the change of a trial's request since the baseline.
  ///
  /// Returns `nil` if the request is unchanged, or if one of the two requests is not available.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - index: The index of the trial in its column.
  /// - Returns: The change.
  package func requestDifference(of trial: Trial, at index: Int) -> RequestDifference? {
    guard let earlier = earlier(trial), earlier.request != trial.request,
      let old = request(ofEarlier: earlier), let new = request(of: trial, at: index)
    else { return nil }
    let difference = RequestDifference(from: old, to: new)
    return difference.parts.isEmpty ? nil : difference
  }

  /// Returns the request of a baseline's trial, or `nil` if the recordings do not have it anymore.
  func request(ofEarlier trial: Trial) -> ModelRequest? {
    let slot = trial.request.slot(repetition: trial.repetition)
    return (try? stores[trial.backend]?.recording(slot))??.exchange.request
  }
}
