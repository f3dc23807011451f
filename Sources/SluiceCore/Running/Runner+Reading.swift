package import SluiceSupport

/// An answer as it was read, or why there is none.
package enum AnswerReading<Value: Sendable>: Sendable {
  case answered(Value)
  case missing(reason: String)
}

extension Runner {
  /// Reads all recorded answers without judging them.
  ///
  /// - Parameters:
  ///   - recordings: The recordings of the dataset, by backend.
  ///   - notBefore: Before when a recording is too old to answer; nil when none is.
  ///   - concurrency: How many threads may work at once.
  ///   - read: Makes of an answer what is kept of it; called from several threads.
  /// - Returns: What is kept, or why there is no answer, in the order of the suite.
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
