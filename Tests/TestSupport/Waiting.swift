/// Waits up to two minutes for a condition that another program or task fulfills.
///
/// - Parameters:
///   - what: The description of the condition.
///   - isTrue: Returns true if the condition is fulfilled.
/// - Throws: ``ChildProcess/Failure`` if the condition was not fulfilled in time, or the error of
///   the closure.
package func wait(_ what: String, until isTrue: () throws -> Bool) async throws {
  let limit = ContinuousClock.now + .seconds(120)
  while try !isTrue() {
    guard ContinuousClock.now < limit else {
      throw ChildProcess.Failure(description: "\(what) never came")
    }
    try await Task.sleep(for: .milliseconds(1))
  }
}
