package import SluiceSupport

/// Removes secrets from an exchange before it is written to disk.
///
/// The treatment depends on the part:
///
/// - Response headers: only those in ``KeptHeaders`` stay. An exchange does not contain request
///   headers.
/// - Parts that are scored or affect scores lose only known keys and values with the shape of a
///   key: the request, and the visible answer with its reasoning, calls and log probabilities. A
///   false positive would falsify the score.
/// - All other parts of the response (errors, unknown members, plain text) also lose cookies,
///   account ids, and values made suspicious by a name, a word or their appearance.
///
/// Each value is replaced by a placeholder such as `<redacted:key:3fa9c1>`; the same value always
/// has the same placeholder. Inside of base64, percent-encoding, JSON texts and gzip, only the
/// value is replaced if the rest can be encoded back unchanged; otherwise the whole encoded text is
/// replaced.
///
/// A request that contains a secret is written without it. Its recording still has the lookup key of
/// the original request, so that replay finds it. That key cannot be computed from the written
/// request, so another secret in the prompt requires a new recording.
package struct Redaction: Sendable {
  private let secrets: GrowingSecrets

  /// Creates a redaction.
  ///
  /// - Parameters:
  ///   - known: Values that are secret, such as the keys of the connected backends.
  ///   - issued: Secrets that are issued later, such as the tokens that programs print.
  package init(known: [Secret] = [], issued: IssuedSecrets? = nil) {
    secrets = GrowingSecrets(known: known, issued: issued)
  }

  /// Returns the exchange in a form that may be written, with the removed secrets.
  package func redacted(_ exchange: Exchange) -> (exchange: Exchange, findings: [SecretFinding]) {
    var result = exchange
    // The answer was read from unredacted bytes and must be read again.
    result.answer = nil
    var findings: [SecretFinding] = []
    let scanner = secrets.scanner

    func clean(_ bytes: [UInt8], _ reading: SecretReading, header: String? = nil) -> [UInt8]? {
      let found = scanner.search(
        bytes,
        at: SecretSearch.Place(header: header, reading: reading, name: header)
      )
      findings += found.findings
      return found.rewritten
    }
    func clean(_ text: inout String, _ reading: SecretReading, header: String? = nil) {
      if let bytes = clean(Array(text.utf8), reading, header: header) {
        text = String(decoding: bytes, as: UTF8.self)
      }
    }

    result.response.headers = KeptHeaders.kept(exchange.response.headers)
    for index in result.response.headers.indices {
      let name = result.response.headers[index].name
      clean(&result.response.headers[index].value, .everything, header: name)
    }
    if let body = clean(exchange.response.body, .response) { result.response.replaceBody(body) }
    clean(&result.response.host, .everything)
    clean(&result.request.model, .judged)
    if var fingerprint = exchange.request.fingerprint {
      clean(&fingerprint, .judged)
      result.request.fingerprint = fingerprint
    }
    if let line = clean(JSONWriter.line(exchange.request.body), .judged),
      let body = try? JSONReader.value(line)
    {
      result.request.body = body
    }
    return (result, findings)
  }

  /// Returns true if a body contains a known secret, or the logged and shown parts of an answer
  /// contain any secret.
  func isDue(_ exchange: Exchange, _ answer: ModelResponse) -> Bool {
    let scanner = secrets.scanner
    if scanner.holdsKnown(exchange.response.body) { return true }
    func isClean(_ text: String?, _ reading: SecretReading, header: String? = nil) -> Bool {
      guard let text else { return true }
      let place = SecretSearch.Place(header: header, reading: reading, name: header)
      return scanner.search(Array(text.utf8), at: place).rewritten == nil
    }
    let texts = [answer.text, answer.refusal, answer.reasoning] + answer.others.map(\.text)
    let calls = answer.toolCalls.flatMap { [$0.name, $0.arguments] }
    let words = [answer.finishReason, answer.provenance.model, exchange.response.host]
    return !(texts + calls).allSatisfy { isClean($0, .judged) }
      || !words.allSatisfy { isClean($0, .everything) }
      || !exchange.response.headers.allSatisfy { isClean($0.value, .everything, header: $0.name) }
  }

  /// Returns an error in a form that may be logged and shown; a server's error message is never
  /// scored.
  package func redacted(_ error: BackendError) -> BackendError {
    var result = error
    result.message = redacted(error.message)
    return result
  }

  /// Returns an answer without the known secrets and keys in its texts; `nil` if there are none.
  ///
  /// This is a safeguard: however a reader joins texts, a secret that results is not passed on.
  func redacted(_ answer: ModelResponse) -> ModelResponse? {
    var isChanged = false
    let scanner = secrets.scanner
    func clean(_ text: String?) -> String? {
      guard let text else { return nil }
      let found = scanner.search(Array(text.utf8), at: SecretSearch.Place(reading: .judged))
      guard let rewritten = found.rewritten else { return text }
      isChanged = true
      return String(decoding: rewritten, as: UTF8.self)
    }
    var result = answer
    result.text = clean(answer.text)
    result.refusal = clean(answer.refusal)
    result.reasoning = clean(answer.reasoning)
    for index in result.others.indices {
      result.others[index].text = clean(result.others[index].text)
    }
    return isChanged ? result : nil
  }

  /// Returns a scored text without known secrets and key shapes.
  package func redactedJudged(_ text: String) -> String {
    let found = secrets.scanner.search(
      Array(text.utf8),
      at: SecretSearch.Place(reading: .judged)
    )
    return found.rewritten.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// Returns a text that is not scored, such as an error message, in a form that may be written.
  package func redacted(_ text: String) -> String {
    let found = secrets.scanner.search(
      Array(text.utf8),
      at: SecretSearch.Place(reading: .everything)
    )
    return found.rewritten.map { String(decoding: $0, as: UTF8.self) } ?? text
  }
}

extension RawResponse {
  /// Replaces the body with one that differs only within lines, and preserves the boundaries of its
  /// arrivals.
  fileprivate mutating func replaceBody(_ new: [UInt8]) {
    let (before, after) = (Self.lineStarts(body), Self.lineStarts(new))
    for index in arrivals.indices {
      let end = arrivals[index].end
      if end >= body.count {
        arrivals[index].end = new.count
        continue
      }
      let line = (before.firstIndex { $0 > end } ?? before.count) - 1
      guard line >= 0, line < after.count else { continue }
      let last = line + 1 < after.count ? after[line + 1] : new.count
      arrivals[index].end = min(after[line] + end - before[line], last)
    }
    body = new
  }

  private static func lineStarts(_ bytes: [UInt8]) -> [Int] {
    var starts = [0]
    for index in bytes.indices where bytes[index] == 0x0A || bytes[index] == 0x0D {
      starts.append(index + 1)
    }
    return starts
  }
}
