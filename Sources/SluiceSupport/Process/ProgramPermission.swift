/// The permission to start the programs that a project's files name.
///
/// It is decided once, before the first program starts, so no program can affect the decision.
package final class ProgramPermission: Sendable {
  /// The permission that needs no decision.
  package static let granted = ProgramPermission { nil }

  private let decide: @Sendable () async -> String?
  private let decision = Locked<Task<String?, Never>?>(nil)

  /// Creates a permission.
  ///
  /// - Parameter decide: Returns the reason why no program may start; nil if programs may start.
  package init(_ decide: @escaping @Sendable () async -> String?) { self.decide = decide }

  /// The reason why no program may start; nil if programs may start.
  package var refusal: String? {
    get async {
      let task = decision.withLock { known in
        let task = known ?? Task { await decide() }
        known = task
        return task
      }
      return await task.value
    }
  }
}
