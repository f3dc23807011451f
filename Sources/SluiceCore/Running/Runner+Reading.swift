package import SluiceSupport

/// A value that was read from an answer, or the reason why there is no answer.
package enum AnswerReading<Value: Sendable>: Sendable {
  case answered(Value)
  case missing(reason: String)
}

extension Runner {
  /// Reads all recorded answers without scoring them.
  ///
  /// - Parameters:
  ///   - recordings: The recordings of the dataset, by backend.
  ///   - notBefore: The time before which recordings have expired; nil if they do not expire.
  ///   - concurrency: The maximum number of threads.
  ///   - read: Returns the value to keep for an answer. It is called from several threads.
  /// - Returns: The values, or the reasons why there is no answer, in suite order.
  package func readAnswers<Value: Sendable>(
    _ recordings: [String: RecordingStore],
    notBefore: Timestamp?,
    concurrency: Int,
    _ read: @Sendable (ModelResponse) -> Value
  ) -> [AnswerReading<Value>] {
    let keys = RequestKeys(plan)
    var values: [AnswerReading<Value>] = []
    values.reserveCapacity(plan.trialCount)
    Concurrency.inPieces(of: plan.trialCount, threads: concurrency) { range in
      var repeated = RepeatedValues()
      let asked = range.map { prepared(plan.slot($0), keys) }
      return zip(asked, keptAnswers(asked, recordings)).map { asked, kept -> AnswerReading<Value> in
        switch found(asked, kept, recordings, &repeated, notBefore) {
        case .answer(let response): return .answered(read(response))
        case .lost(let loss): return .missing(reason: loss.message)
        case .missing:
          let miss = plan.outputs(asked.slot).map { plan.miss(of: $0, asked.slot).message }
          return .missing(reason: miss ?? "no recording")
        }
      }
    } take: {
      values += $0
    }
    return values
  }
}
