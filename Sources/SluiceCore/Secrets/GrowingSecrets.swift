import SluiceSupport

/// The secrets of a run: those known from the start, and those issued during the run.
final class GrowingSecrets: Sendable {
  private let known: [Secret]
  private let issued: IssuedSecrets?
  private let first: SecretScanner
  /// The latest scanner, with the number of issued secrets that the scanner knows.
  private let latest: Locked<(count: Int, scanner: SecretScanner)>

  init(known: [Secret], issued: IssuedSecrets?) {
    self.known = known
    self.issued = issued
    first = SecretScanner(known: known)
    latest = Locked((0, first))
  }

  /// A scanner for all secrets that are known at this moment.
  var scanner: SecretScanner {
    // In most runs, no secrets are issued.
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
