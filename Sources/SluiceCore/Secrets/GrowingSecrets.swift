import SluiceSupport

/// A scanner that knows secrets from the start, and those that are issued later.
final class GrowingSecrets: Sendable {
  private let known: [Secret]
  private let issued: IssuedSecrets?
  private let first: SecretScanner
  /// The scanner that knows the first so many issued secrets.
  private let latest: Locked<(count: Int, scanner: SecretScanner)>

  init(known: [Secret], issued: IssuedSecrets?) {
    self.known = known
    self.issued = issued
    first = SecretScanner(known: known)
    latest = Locked((0, first))
  }

  /// The scanner that knows all secrets of this moment.
  var scanner: SecretScanner {
    // Most runs issue none.
    guard let issued, issued.count > 0 else { return first }
    return latest.withLock { latest in
      if latest.count < issued.count {
        let all = issued.all
        latest = (all.count, SecretScanner(known: known + all.map { Secret($0) }))
      }
      return latest.scanner
    }
  }
}
