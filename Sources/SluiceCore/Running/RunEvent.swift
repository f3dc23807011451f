package import SluiceSupport

/// What happens while a suite runs, for those who show or keep it.
package enum RunEvent: Sendable {
  /// A trial ended; events come as trials end, not in the order of the suite.
  case finished(JudgedTrial, done: Int, of: Int)
  /// So many trials have ended; where they end by the thousand, they are not told of one by one.
  case advanced(done: Int, of: Int)
  /// So many trials were answered before, and are not asked again; told before anything is sent.
  case kept(Int, of: Int)
}

/// A trial with what only the run log keeps of it.
package struct JudgedTrial: Sendable {
  package var trial: Trial
  /// What the prompt was filled with.
  package var variables: JSONValue
  /// The whole text of the answer, if there is one.
  package var text: String?
  /// The whole words with which the model refused, if it did.
  package var refusal: String?
  /// What it took to get the answer, or to learn that there is none.
  package var effort = SendStatistics()
}
