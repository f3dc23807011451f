package import SluiceSupport

/// An event during a run, for progress output and logs.
package enum RunEvent: Sendable {
  /// A trial ended.
  ///
  /// Trials end in any order, not in suite order.
  case finished(JudgedTrial, done: Int, of: Int)
  /// A number of trials have ended.
  ///
  /// This event replaces single events if thousands of trials end at once.
  case advanced(done: Int, of: Int)
  /// A number of trials have an answer from an earlier run.
  ///
  /// This event is sent before any request.
  case kept(Int, of: Int)
}

/// A trial, with the parts that only the run log stores.
package struct JudgedTrial: Sendable {
  package var trial: Trial
  /// The values of the prompt's variables.
  package var variables: JSONValue
  /// The complete text of the answer, if any.
  package var text: String?
  /// The complete text of the model's refusal, if any.
  package var refusal: String?
  /// The statistics of sending the request, whether or not there is an answer.
  package var statistics = SendStatistics()
}
