package import SluiceSupport

/// The questions of a suite's scorers.
///
/// The replies come from recordings, from programs that ran earlier, or from live judges.
extension Runner {
  /// Returns the reply to a question, either recorded or collected from a program.
  func recordedReply(
    to question: Question,
    about testCase: TestCase,
    _ recordings: [String: RecordingStore],
    _ notBefore: Timestamp?
  ) -> Reply {
    switch question {
    case .program(let question):
      programReplies[question]
        ?? .missing(MissingReply(reason: "the scorer's program was not run"))
    case .model(let question): recordedVerdict(question, testCase, recordings, notBefore)
    }
  }

  private func recordedVerdict(
    _ question: ModelQuestion,
    _ testCase: TestCase,
    _ recordings: [String: RecordingStore],
    _ notBefore: Timestamp?
  ) -> Reply {
    let name = question.request.backend
    let (_, slot, hints) = question.recorded(suite: plan.name, testCase: testCase.id)
    do throws(RecordingLines.Problem) {
      guard let store = recordings[name], let answer = try store.answer(slot) else {
        return .missing(
          MissingReply(MissExplainer(recordings).verdictMiss(question.request, hints: hints))
        )
      }
      if let notBefore, let date = answer.date, date < notBefore {
        return .missing(MissingReply(RecordingMiss(reason: .expired(date.day))))
      }
      do throws(BackendError) {
        return .answer(
          try answer.response(places: question.request.places)
            .ending(by: question.request.endings)
        )
      } catch {
        return .missing(MissingReply(reason: "the judge gave no answer: \(error.message)"))
      }
    } catch {
      return .missing(MissingReply(RecordingMiss(error)))
    }
  }

  /// Returns the requests to judges about all recorded answers.
  ///
  /// Each request occurs once.
  ///
  /// - Parameters:
  ///   - selection: The selection of cases.
  ///   - recordings: The recordings of the dataset, by backend.
  ///   - notBefore: The time before which recordings have expired; nil if they do not expire.
  ///   - excluded: The answers to leave out.
  /// - Returns: The requests, in suite order.
  package func judgeRequests(
    _ selection: RecordingRequest.Selection,
    _ recordings: [String: RecordingStore],
    notBefore: Timestamp?,
    excluding excluded: Set<Recording.Slot> = []
  ) -> [RecordingRequest] {
    guard !plan.judges.isEmpty else { return [] }
    var seen: Set<Recording.Slot> = []
    var requests: [RecordingRequest] = []
    let ids = selection.ids(in: plan.cases)
    forEachQuestion(0..<plan.trialCount, RequestKeys(plan), recordings, notBefore) {
      question,
      testCase,
      answer in
      guard case .model(let question) = question, ids?.contains(testCase.id) ?? true,
        !excluded.contains(answer)
      else { return }
      let (key, slot, hints) = question.recorded(suite: plan.name, testCase: testCase.id)
      guard seen.insert(slot).inserted else { return }
      requests.append(
        RecordingRequest(request: question.request, key: key, repetition: 1, hints: hints)
      )
    }
    return requests
  }

  /// Asks the programs of scorers about all recorded answers.
  ///
  /// This happens before the replay, because the replay must not wait for programs. Only the
  /// replies are kept.
  ///
  /// - Parameters:
  ///   - recordings: The recordings of the dataset, by backend.
  ///   - notBefore: The time before which recordings have expired; nil if they do not expire.
  /// - Returns: The replies, for a runner that replays.
  package func askPrograms(
    _ recordings: [String: RecordingStore],
    notBefore: Timestamp?
  ) async -> ProgramReplies {
    var replies = ProgramReplies()
    guard judge.asks, let host else { return replies }
    let keys = RequestKeys(plan)
    for start in stride(from: 0, to: plan.trialCount, by: Self.pieceOfQuestions) {
      let piece = start..<min(start + Self.pieceOfQuestions, plan.trialCount)
      var asked: Set<ProgramQuestion> = []
      var questions: [ProgramQuestion] = []
      forEachQuestion(piece, keys, recordings, notBefore) { question, _, _ in
        if case .program(let question) = question, replies[question] == nil,
          asked.insert(question).inserted
        {
          questions.append(question)
        }
      }
      let found = await Concurrency.map(count: questions.count, inFlight: questions.count) {
        [questions] index in await host.reply(to: questions[index])
      }
      for (question, reply) in zip(questions, found) { replies[question] = reply }
    }
    return replies
  }

  /// Asks the programs of scorers about answers from any source.
  ///
  /// - Parameter answers: The answers, each with its trial.
  /// - Returns: The replies, for a runner that scores the same answers.
  package func askPrograms(
    about answers: [(response: ModelResponse, slot: SuitePlan.TrialIndex)]
  ) async -> ProgramReplies {
    var replies = ProgramReplies()
    guard judge.asks, let host else { return replies }
    var questions: [ProgramQuestion] = []
    var asked: Set<ProgramQuestion> = []
    for (response, slot) in answers {
      guard let testCase = try? plan.cases[slot.testCase].stored.read() else { continue }
      let inquiry = judge.inquiry(judge.answer(response, slot, testCase), testCase)
      for case .program(let question) in inquiry.entries.flatMap(\.questions)
      where asked.insert(question).inserted {
        questions.append(question)
      }
    }
    let found = await Concurrency.map(count: questions.count, inFlight: Self.pieceOfQuestions) {
      [questions] index in await host.reply(to: questions[index])
    }
    for (question, reply) in zip(questions, found) { replies[question] = reply }
    return replies
  }

  /// The number of trials whose questions are collected at a time.
  private static let pieceOfQuestions = 256

  private func forEachQuestion(
    _ trials: Range<Int>,
    _ keys: RequestKeys,
    _ recordings: [String: RecordingStore],
    _ notBefore: Timestamp?,
    _ body: (Question, TestCase, Recording.Slot) -> Void
  ) {
    var repeated = RepeatedValues()
    for index in trials {
      let asked = prepared(plan.slot(index), keys)
      guard case .answer(let response) = found(asked, nil, recordings, &repeated, notBefore)
      else { continue }
      let testCase = asked.testCase
      let inquiry = judge.inquiry(judge.answer(response, asked.slot, testCase), testCase)
      for question in inquiry.entries.flatMap(\.questions) {
        body(question, testCase, asked.recordingSlot)
      }
    }
  }

  /// Returns the reply to a question in a live run.
  func liveReply(
    to question: Question,
    _ backends: [String: any Backend]
  ) async -> Reply {
    switch question {
    case .program(let program):
      return await host?.reply(to: program)
        ?? .missing(MissingReply(reason: "the scorer's program was not run"))
    case .model(let question):
      let name = question.request.backend
      // A function that replaces a backend under test must not judge its own answers.
      let isReplaced = plan.backends.contains { backend in
        if case .inProcess = backend.kind { backend.name == name } else { false }
      }
      guard !isReplaced, let backend = backends[name] else {
        return .missing(MissingReply(reason: "there is no connection for the judge '\(name)'"))
      }
      do throws(BackendError) {
        let exchange = try await backend.send(question.request)
        return .answer(
          try ResponseReader.response(in: exchange).ending(by: question.request.endings)
        )
      } catch {
        return .missing(
          MissingReply(
            reason: "the judge gave no answer: \(error.message)",
            isCancelled: error.kind == .cancelled
          )
        )
      }
    }
  }
}
