import SluiceReporting

/// The system fingerprints that servers reported in their answers.
package final class HeardFingerprints: Sendable {
  private let names = Locked<Set<String>>([])

  package init() {}

  /// The fingerprints collected so far.
  package var all: Set<String> { names.withLock { $0 } }

  fileprivate func note(_ response: RawResponse) {
    guard let name = SystemFingerprint.of(response) else { return }
    names.withLock { _ = $0.insert(name) }
  }
}

/// A backend that forwards requests to another backend, and collects the server's system
/// fingerprints.
struct FingerprintNotingBackend: Backend {
  private let base: any Backend
  private let heard: HeardFingerprints

  init(_ base: any Backend, _ heard: HeardFingerprints) {
    self.base = base
    self.heard = heard
  }

  func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let exchange = try await base.send(request)
    heard.note(exchange.response)
    return exchange
  }
}

/// A backend that answers from recordings if possible, and sends all other requests.
///
/// Drift checks use this backend for judges. If an answer is unchanged, its grade comes from the
/// recordings, since a new grade could differ by chance.
struct RecordedFirstBackend: Backend {
  private let base: any Backend
  private let store: RecordingStore
  private let notBefore: Timestamp?
  /// The keys of the requests that are sent even if they are recorded.
  private let alwaysSent: Set<String>

  init(
    _ base: any Backend,
    _ store: RecordingStore,
    notBefore: Timestamp?,
    alwaysSending keys: Set<String>
  ) {
    self.base = base
    self.store = store
    self.notBefore = notBefore
    alwaysSent = keys
  }

  func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let key = RequestIdentity.key(of: request)
    if !alwaysSent.contains(key),
      let recording = (try? store.recording(Recording.Slot(key: key, repetition: 1))).flatMap({ $0 }
      ),
      notBefore.map({ recording.exchange.response.date >= $0 }) ?? true
    {
      return recording.exchange
    }
    return try await base.send(request)
  }
}
