/// Waits until something is so that another program or task does; two minutes at most.
///
/// - Parameters:
///   - what: What is waited for.
///   - isTrue: Whether it is so.
/// - Throws: ``ChildProcess/Failure`` where it never was; what the closure throws.
package func wait(_ what: String, until isTrue: () throws -> Bool) async throws {
  let limit = ContinuousClock.now + .seconds(120)
  while try !isTrue() {
    guard ContinuousClock.now < limit else {
      throw ChildProcess.Failure(description: "\(what) never came")
    }
    try await Task.sleep(for: .milliseconds(1))
  }
}
