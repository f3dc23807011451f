package import SluiceSupport

/// The runner of a suite's trials.
package struct Runner: Sendable {
  let plan: SuitePlan
  let judge: TrialJudge
  let host: ProgramHost?
  let programReplies: ProgramReplies

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - plan: The suite.
  ///   - host: Runs the programs of scorers; nil if no program may run.
  ///   - programReplies: The replies of programs to questions about recorded answers.
  package init(
    _ plan: SuitePlan,
    host: ProgramHost? = nil,
    programReplies: ProgramReplies = ProgramReplies()
  ) {
    self.plan = plan
    self.host = host
    self.programReplies = programReplies
    judge = TrialJudge(plan: plan)
  }

  // MARK: Recorded

  /// Runs the trials on recordings.
  ///
  /// The replay uses no network and no tasks. The results do not depend on the concurrency.
  ///
  /// - Parameters:
  ///   - recordings: The recordings of the dataset, by backend.
  ///   - notBefore: The time before which recordings have expired; nil if they do not expire.
  ///   - concurrency: The maximum number of threads.
  ///   - make: Converts a range of trials to the values to keep. This closure receives the indices
  ///     of the trials in suite order, and a function that scores the trial at an index. The
  ///     closure is called from several threads.
  ///   - take: Receives the values in suite order.
  package func replay<Kept: Sendable>(
    _ recordings: [String: RecordingStore],
    notBefore: Timestamp?,
    concurrency: Int,
    make: @Sendable (Range<Int>, _ judged: (Int) -> JudgedTrial) -> Kept,
    take: (Kept) -> Void
  ) {
    let keys = RequestKeys(plan)
    Concurrency.inPieces(of: plan.trialCount, threads: concurrency) { range in
      var repeated = RepeatedValues()
      let asked = range.map { prepared(plan.slot($0), keys) }
      let kept = keptAnswers(asked, recordings)
      return make(range) { index in
        let place = index - range.lowerBound
        return replayed(asked[place], kept[place], recordings, &repeated, notBefore)
      }
    } take: { kept in
      take(kept)
    }
  }

  /// Runs the trials on recordings, and keeps all results.
  ///
  /// - Parameters:
  ///   - recordings: The recordings of the dataset, by backend.
  ///   - notBefore: The time before which recordings have expired; nil if they do not expire.
  ///   - concurrency: The maximum number of threads.
  ///   - onEvent: Receives each trial. It is called from several threads.
  /// - Returns: The trials in suite order.
  package func replay(
    _ recordings: [String: RecordingStore],
    notBefore: Timestamp? = nil,
    concurrency: Int,
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) -> [JudgedTrial] {
    let total = plan.trialCount
    let done = Locked(0)
    var trials: [JudgedTrial] = []
    trials.reserveCapacity(total)
    replay(recordings, notBefore: notBefore, concurrency: concurrency) { range, judged in
      range.map { index in
        let trial = judged(index)
        let count = done.withLock { count in
          count += 1
          return count
        }
        onEvent(.finished(trial, done: count, of: total))
        return trial
      }
    } take: {
      trials += $0
    }
    return trials
  }

  private func replayed(
    _ asked: Asked,
    _ kept: StoredAnswer?,
    _ recordings: [String: RecordingStore],
    _ repeated: inout RepeatedValues,
    _ notBefore: Timestamp?
  ) -> JudgedTrial {
    let slot = asked.slot
    func lost(_ loss: Trial.Loss) -> JudgedTrial {
      let trial = judge.lost(loss, slot, key: asked.key, testCase: asked.testCase)
      return ended(trial, asked.testCase)
    }
    switch found(asked, kept, recordings, &repeated, notBefore) {
    case .answer(let response):
      return judged(response, slot, asked.testCase, key: asked.key, recordings, notBefore)
    case .lost(let loss): return lost(loss)
    case .missing:
      if let outputs = plan.outputs(slot) {
        return lost(.noRecording(plan.miss(of: outputs, slot)))
      }
      // The same request was created successfully just before, so this does not fail.
      let miss =
        (try? plan.request(slot, asked.testCase)).map {
          MissExplainer(recordings, backends: plan.backends).miss(
            $0,
            repetition: slot.repetition,
            hints: plan.hints(of: asked.testCase, plan.prompts[slot.prompt])
          )
        } ?? RecordingMiss(reason: .newCase)
      return lost(.noRecording(miss))
    }
  }

  /// A trial with its request.
  ///
  /// It is a class, because it is large and would be copied often.
  final class Asked: Sendable {
    let slot: SuitePlan.TrialIndex
    let testCase: TestCase
    /// The key of the request; empty if there is none.
    let key: DigestText
    /// The reason why no request can be created; nil if the request has a key.
    let loss: Trial.Loss?

    init(
      _ slot: SuitePlan.TrialIndex,
      _ testCase: TestCase,
      key: DigestText,
      loss: Trial.Loss? = nil
    ) {
      self.slot = slot
      self.testCase = testCase
      self.key = key
      self.loss = loss
    }

    /// The slot of the recording that answers the trial.
    var recordingSlot: Recording.Slot { key.slot(repetition: slot.repetition) }
  }

  /// Reads the case of a trial and computes the key of its request.
  func prepared(_ slot: SuitePlan.TrialIndex, _ keys: RequestKeys) -> Asked {
    let testCase: TestCase
    do throws(CaseFile.Changed) {
      testCase = try plan.cases.stored(slot.testCase).read()
    } catch {
      let unread = plan.cases[slot.testCase].testCase
      return Asked(slot, unread, key: "", loss: unreadable(error))
    }
    do throws(Template.Problem) {
      let key = try keys.key(of: slot, testCase, in: plan)
      return Asked(slot, testCase, key: key)
    } catch {
      return Asked(slot, testCase, key: "", loss: unrendered(error))
    }
  }

  /// Returns the cached answers to some trials, which are looked up together.
  func keptAnswers(_ asked: [Asked], _ recordings: [String: RecordingStore]) -> [StoredAnswer?] {
    var kept = [StoredAnswer?](repeating: nil, count: asked.count)
    // In outputs files, answers are looked up by case and not by request.
    if !plan.outputs.isEmpty { return kept }
    for (backend, definition) in plan.backends.enumerated() {
      let places = asked.indices.filter { asked[$0].slot.backend == backend }
      guard let store = recordings[definition.name] else { continue }
      let answers = store.keptAnswers(places.map { asked[$0].recordingSlot })
      for (place, answer) in zip(places, answers) { kept[place] = answer }
    }
    return kept
  }

  /// The recorded answer of a trial.
  enum Found {
    case answer(ModelResponse)
    case lost(Trial.Loss)
    /// There is no recording.
    ///
    /// The reason was not determined.
    case missing
  }

  /// Finds the answer to a trial.
  ///
  /// - Parameters:
  ///   - asked: The trial.
  ///   - kept: The cached answer; nil if the answer must be looked up.
  ///   - recordings: The recordings of the dataset, by backend.
  ///   - repeated: The parsed values of previous lines.
  ///   - notBefore: The time before which recordings have expired; nil if they do not expire.
  /// - Returns: The answer, or the reason why there is none.
  func found(
    _ asked: Asked,
    _ kept: StoredAnswer?,
    _ recordings: [String: RecordingStore],
    _ repeated: inout RepeatedValues,
    _ notBefore: Timestamp?
  ) -> Found {
    if let loss = asked.loss { return .lost(loss) }
    do throws(RecordingLines.Problem) {
      var answer = kept
      if kept == nil { answer = try stored(asked, recordings, &repeated) }
      guard let answer else { return .missing }
      if let notBefore, let date = answer.date, date < notBefore {
        return .lost(.noRecording(RecordingMiss(reason: .expired(date.day))))
      }
      let backend = asked.slot.backend
      do throws(BackendError) {
        return .answer(
          try answer.response(places: plan.backends[backend].places)
            .ended(by: plan.backends[backend].endings)
        )
      } catch {
        return .lost(.noAnswer(error))
      }
    } catch {
      return .lost(.noRecording(RecordingMiss(error)))
    }
  }

  /// Returns the answer to a trial.
  ///
  /// An answer is found by its case in an outputs file, and by its request in recordings.
  private func stored(
    _ asked: Asked,
    _ recordings: [String: RecordingStore],
    _ repeated: inout RepeatedValues
  ) throws(RecordingLines.Problem) -> StoredAnswer? {
    if let outputs = plan.outputs(asked.slot) { return plan.answer(of: outputs, to: asked.slot) }
    let store = recordings[plan.backends[asked.slot.backend].name]
    return try store?.answer(asked.recordingSlot, &repeated)
  }

  private func judged(
    _ response: ModelResponse,
    _ slot: SuitePlan.TrialIndex,
    _ testCase: TestCase,
    key: DigestText,
    _ recordings: [String: RecordingStore],
    _ notBefore: Timestamp?
  ) -> JudgedTrial {
    let answer = judge.answer(response, slot, testCase)
    var inquiry = ScorerInquiry()
    if judge.asks {
      inquiry = judge.inquiry(answer, testCase)
      inquiry.find { recordedReply(to: $0, about: testCase, recordings, notBefore) }
    }
    let trial = judge.judged(answer, slot, key: key, testCase: testCase, inquiry)
    return ended(trial, testCase, response)
  }

  /// Scores an answer to a trial of the suite.
  ///
  /// The answer may come from any source.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - slot: The trial.
  ///   - recordings: The recordings of judges' verdicts, by backend.
  /// - Returns: The trial with its scores; nil if the case cannot be read anymore.
  package func judged(
    _ response: ModelResponse,
    at slot: SuitePlan.TrialIndex,
    _ recordings: [String: RecordingStore]
  ) -> Trial? {
    guard let testCase = try? plan.cases[slot.testCase].stored.read(),
      let request = try? plan.request(slot, testCase)
    else { return nil }
    let key = DigestText(RequestIdentity.key(of: request))
    let backend = plan.backends[slot.backend]
    guard let ended = try? response.ended(by: backend.endings) else { return nil }
    return judged(ended, slot, testCase, key: key, recordings, nil).trial
  }

  private func ended(
    _ trial: Trial,
    _ testCase: TestCase,
    _ response: ModelResponse? = nil,
    _ statistics: SendStatistics = SendStatistics()
  ) -> JudgedTrial {
    JudgedTrial(
      trial: trial,
      variables: testCase.input,
      text: response?.text,
      refusal: response?.refusal,
      statistics: statistics
    )
  }

  /// Returns the lost trial for a case that was changed after Sluice checked it.
  private func unreadable(_ error: CaseFile.Changed, _ slot: SuitePlan.TrialIndex) -> JudgedTrial {
    ended(judge.lost(unreadable(error), slot, key: ""), plan.cases[slot.testCase].testCase)
  }

  private func unreadable(_ error: CaseFile.Changed) -> Trial.Loss {
    .noAnswer(BackendError(.invalidRequest, error.description))
  }

  /// Returns the loss for a prompt that cannot be filled in.
  ///
  /// Cases are checked against templates before a run, so this is a bug in Sluice.
  private func unrendered(_ problem: Template.Problem) -> Trial.Loss {
    .noAnswer(
      BackendError(.invalidRequest, "the prompt cannot be filled: '\(problem.message)' is missing")
    )
  }

  // MARK: Live

  /// Runs the trials against live backends, with concurrent requests.
  ///
  /// Nothing is recorded.
  ///
  /// - Parameters:
  ///   - backends: The backends by name.
  ///   - kept: The values of trials that already have an answer, by index. No request is sent for
  ///     them.
  ///   - onEvent: Receives each trial when it ends. It is called from several tasks.
  ///   - keep: Converts each trial to the value to keep. This closure is called from several tasks,
  ///     before `onEvent` receives the trial.
  /// - Returns: The values, in suite order.
  package func live<Kept: Sendable>(
    _ backends: [String: any Backend],
    besides kept: [Int: Kept] = [:],
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in },
    keep: @escaping @Sendable (JudgedTrial) -> Kept
  ) async -> [Kept] {
    let total = plan.trialCount
    let asked = (0..<total).filter { kept[$0] == nil }
    let done = Locked(total - asked.count)
    let keys = RequestKeys(plan)
    let names = asked.map { plan.backends[plan.slot($0).backend].name }
    let answers = await BackendQueues(plan, backends: names).map { index in
      let trial = await answered(plan.slot(asked[index]), keys, backends)
      let kept = keep(trial)
      let count = done.withLock { count in
        count += 1
        return count
      }
      onEvent(.finished(trial, done: count, of: total))
      return kept
    }
    if kept.isEmpty { return answers }
    var next = answers.makeIterator()
    return (0..<total).compactMap { kept[$0] ?? next.next() }
  }

  /// Runs the trials against live backends, and keeps all results.
  ///
  /// - Returns: The trials in suite order.
  package func live(
    _ backends: [String: any Backend],
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) async -> [JudgedTrial] {
    await live(backends, onEvent: onEvent) { $0 }
  }

  private func answered(
    _ slot: SuitePlan.TrialIndex,
    _ keys: RequestKeys,
    _ backends: [String: any Backend]
  ) async -> JudgedTrial {
    let testCase: TestCase
    do throws(CaseFile.Changed) {
      testCase = try plan.cases[slot.testCase].stored.read()
    } catch {
      return unreadable(error, slot)
    }
    let request: ModelRequest
    let key: DigestText
    do throws(Template.Problem) {
      request = try plan.request(slot, testCase)
      key = try keys.key(of: slot, testCase, in: plan)
    } catch {
      return ended(judge.lost(unrendered(error), slot, key: ""), testCase)
    }
    var statistics = SendStatistics()
    do throws(BackendError) {
      let response: ModelResponse
      if let outputs = plan.outputs(slot) {
        guard let answer = plan.answer(of: outputs, to: slot) else {
          let miss = plan.miss(of: outputs, slot)
          return ended(judge.lost(.noRecording(miss), slot, key: key), testCase)
        }
        response = try answer.response().ended(by: plan.backends[slot.backend].endings)
      } else {
        guard let backend = backends[request.backend] else {
          throw BackendError(
            .invalidRequest,
            "there is no connection for the backend '\(request.backend)'"
          )
        }
        let exchange = try await backend.send(request)
        statistics = exchange.statistics
        response = try ResponseReader.response(in: exchange).ended(by: request.endings)
      }
      let answer = judge.answer(response, slot, testCase)
      var inquiry = judge.inquiry(answer, testCase)
      await inquiry.ask { await liveReply(to: $0, backends) }
      // When the run is resumed, the request is sent again and all scorers ask again.
      if inquiry.wasCancelled { throw BackendError(.cancelled, "the request was cancelled") }
      let trial = judge.judged(answer, slot, key: key, testCase: testCase, inquiry)
      return ended(trial, testCase, response, statistics)
    } catch {
      var loss = error
      // The log contains the attempts. Equal losses must compare equal, however long the attempts
      // took.
      loss.statistics = SendStatistics()
      if statistics == SendStatistics() { statistics = error.statistics }
      return ended(judge.lost(.noAnswer(loss), slot, key: key), testCase, nil, statistics)
    }
  }
}
