package import SluiceSupport

/// The removal of secrets from an exchange before it is written to disk.
///
/// The treatment depends on the part:
///
/// - Response headers: only the headers in ``KeptHeaders`` are kept. An exchange does not contain
///   request headers.
/// - Parts that are scored or affect scores: the request, and the visible answer with its
///   reasoning, calls and log probabilities. Here, only known secrets and values of an unmistakable
///   format, such as a vendor's key, are removed, because a false positive would falsify the score.
/// - All other parts of the response, such as errors and unknown members: cookies, account ids and
///   suspicious values are removed, too. A value is suspicious because of its name, a word before
///   it, or its appearance.
///
/// Each value is replaced by a placeholder such as `<redacted:key:3fa9c1>`. The same value always
/// has the same placeholder. A value may be inside of base64, percent-encoding, a JSON text or
/// gzip. If the text around it can be encoded back unchanged, only the value is replaced; otherwise
/// the whole encoded text is replaced.
///
/// A request that contains a secret is written without the secret. Its recording keeps the lookup
/// key of the original request, so that a replay finds the recording. This key cannot be computed
/// from the written request. If the prompt contains another secret later, a new recording is
/// needed.
package struct Redaction: Sendable {
  private let secrets: GrowingSecrets

  /// Creates a redaction.
  ///
  /// - Parameters:
  ///   - known: Values that are secret, such as the keys of the connected backends.
  ///   - issued: The secrets that are issued later, such as the tokens that programs print.
  package init(known: [Secret] = [], issued: IssuedSecrets? = nil) {
    secrets = GrowingSecrets(known: known, issued: issued)
  }

  /// Returns the exchange without secrets, and the secrets that were removed.
  package func redacted(_ exchange: Exchange) -> (exchange: Exchange, findings: [SecretFinding]) {
    var result = exchange
    // The answer was read from the unredacted bytes, so it must be read again.
    result.answer = nil
    var findings: [SecretFinding] = []
    let scanner = secrets.scanner

    func clean(_ bytes: [UInt8], _ reading: SecretReading, header: String? = nil) -> [UInt8]? {
      let place = SecretSearch.Place(header: header, reading: reading, name: header)
      var result: [UInt8]?
      // A placeholder can reveal another secret, such as the second one in an encoded text.
      for _ in 0..<4 {
        let found = scanner.search(result ?? bytes, at: place)
        findings += found.findings
        guard let rewritten = found.rewritten else { break }
        result = rewritten
      }
      return result
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

  /// Returns true if an exchange must be redacted: its body contains a known secret, or a part that
  /// is logged or shown contains any secret.
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

  /// Returns an error in a form that may be logged and shown.
  ///
  /// The error is redacted like other text that is not scored.
  package func redacted(_ error: BackendError) -> BackendError {
    var result = error
    result.message = redacted(error.message)
    result.advice = error.advice.map(redacted)
    return result
  }

  /// Returns an answer without the secrets in its texts; nil if there are none.
  ///
  /// This also removes a secret that appears only after a reader has joined several texts.
  func redacted(_ answer: ModelResponse) -> ModelResponse? {
    var isChanged = false
    func clean(_ text: inout String?) {
      guard let new = text.flatMap({ redacted($0, .judged) }) else { return }
      (text, isChanged) = (new, true)
    }
    var result = answer
    clean(&result.text)
    clean(&result.refusal)
    clean(&result.reasoning)
    for index in result.others.indices { clean(&result.others[index].text) }
    return isChanged ? result : nil
  }

  /// Returns a scored text without known secrets and without values that have the shape of a key.
  package func redactedJudged(_ text: String) -> String { redacted(text, .judged) ?? text }

  /// Returns scored bytes without secrets; nil if there are none.
  func redactedJudged(_ bytes: [UInt8]) -> [UInt8]? {
    secrets.scanner.search(bytes, at: SecretSearch.Place(reading: .judged)).rewritten
  }

  /// Returns a text that is not scored, such as an error message, in a form that may be written.
  package func redacted(_ text: String) -> String { redacted(text, .everything) ?? text }

  /// Returns a text without secrets; nil if there are none.
  private func redacted(_ text: String, _ reading: SecretReading) -> String? {
    secrets.scanner.search(Array(text.utf8), at: SecretSearch.Place(reading: reading)).rewritten
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

extension RawResponse {
  /// Replaces the body with a redacted body that has the same line breaks.
  ///
  /// The ends of the arrived pieces move to the corresponding positions.
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
