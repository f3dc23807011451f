/// The secrets issued to this process, such as the tokens that programs printed.
///
/// Add a secret before it is sent anywhere, so that every later redaction covers it.
package final class IssuedSecrets: Sendable {
  private let values = Locked<[String]>([])

  package init() {}

  /// The number of secrets, which never decreases.
  package var count: Int { values.withLock(\.count) }

  /// All secrets, in the order in which they were issued.
  package var all: [String] { values.withLock { $0 } }

  /// Adds a secret, unless it is already known.
  package func add(_ value: String) {
    values.withLock { values in
      if !value.isEmpty, !values.contains(value) { values.append(value) }
    }
  }
}
