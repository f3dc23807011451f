/// Takes known secrets out of answers that repeat them, before anybody judges, logs or shows these.
package struct RedactingBackend: Backend {
  private let base: any Backend
  private let redaction: Redaction
  private let secrets: [[UInt8]]

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - base: What answers.
  ///   - known: The secrets; those with fewer than eight bytes are left out, since they would be found
  ///     in ordinary text.
  package init(_ base: any Backend, hiding known: [Secret]) {
    self.base = base
    redaction = Redaction(known: known)
    secrets = known.map { Array($0.value.utf8) }.filter { $0.count >= KnownSecrets.minimumLength }
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let exchange = try await base.send(request)
    guard isRepeated(in: exchange) else { return exchange }
    var redacted = redaction.redacted(exchange).exchange
    // What was asked is what its key stands for.
    redacted.request = request
    return redacted
  }

  private func isRepeated(in exchange: Exchange) -> Bool {
    func isRepeated(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      secrets.contains { secret in
        let last = bytes.count - secret.count
        var start = 0
        while start <= last {
          if bytes[start] == secret[0],
            bytes[start..<(start + secret.count)].elementsEqual(secret)
          {
            return true
          }
          start += 1
        }
        return false
      }
    }
    if exchange.response.body.withUnsafeBufferPointer(isRepeated) { return true }
    // In a body a text may be escaped, and a header may say anything.
    let texts = [exchange.answer?.text, exchange.answer?.refusal, exchange.answer?.reasoning]
    return (texts.compactMap(\.self) + exchange.response.headers.map(\.value)).contains { text in
      Array(text.utf8).withUnsafeBufferPointer(isRepeated)
    }
  }
}
