/// What happens while a suite runs, for those who show or keep it.
package enum RunEvent: Sendable {
  /// A trial ended; events come as trials end, not in the order of the suite.
  case finished(JudgedTrial, done: Int, of: Int)
}

/// A trial with the whole text of its answer, which only the run log keeps.
package struct JudgedTrial: Sendable {
  package var trial: Trial
  package var text: String?
}
