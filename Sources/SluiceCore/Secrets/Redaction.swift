package import SluiceSupport

/// Takes secrets out of an exchange, so that it may be written to the disk.
///
/// What is done to which part:
///
/// - Headers of the response: those on the list of ``KeptHeaders`` stay, others go. Headers of the
///   request are in no exchange.
/// - What is judged, or decides what is judged, loses only known keys and what has the shape of a
///   key: the request, and the visible answer with its reasoning, calls and log probabilities. A
///   guess that is wrong would falsify the score.
/// - Everything else of the response (errors, members that nobody knows, plain text) also loses
///   cookies, ids of accounts, and values that a name, a word or their look makes suspicious.
///
/// A placeholder such as `<redacted:key:3fa9c1>` takes the place of each value; the same value has
/// the same placeholder everywhere. Inside of base64, percent-encoding, JSON texts and gzip the value
/// alone is replaced where encoding gives back the same bytes otherwise, else the whole encoded text.
///
/// A request that held a key is written without it. The key of its recording stays that of the
/// request that was sent, so that the recording still answers it; but nobody can compute that key
/// from what is written, and whoever changes the key in the prompt has to record again.
package struct Redaction: Sendable {
  private let secrets: GrowingSecrets

  /// Creates a redaction.
  ///
  /// - Parameters:
  ///   - known: Values that are secret, such as the keys of the connected backends.
  ///   - issued: Secrets that may yet come, such as the tokens that programs print.
  package init(known: [Secret] = [], issued: IssuedSecrets? = nil) {
    secrets = GrowingSecrets(known: known, issued: issued)
  }

  /// The exchange as it may be written, with what was taken out of it.
  package func redacted(_ exchange: Exchange) -> (exchange: Exchange, findings: [SecretFinding]) {
    var result = exchange
    // It was read from what may not be written, and is read anew.
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

  /// Returns true when a body holds a known secret, or an answer any secret in what is logged and shown
  /// of it.
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

  /// An error as it may be logged and shown: what a server says in place of an answer is judged by
  /// nobody.
  package func redacted(_ error: BackendError) -> BackendError {
    var result = error
    result.message = redacted(error.message)
    return result
  }

  /// An answer without the known secrets and keys that its texts hold; `nil` where they hold none.
  ///
  /// A safeguard: whatever way a reader puts texts together, no secret that this makes is passed on.
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

  /// A text that is judged as it may be written: without known secrets and the shapes of keys.
  package func redactedJudged(_ text: String) -> String {
    let found = secrets.scanner.search(
      Array(text.utf8),
      at: SecretSearch.Place(reading: .judged)
    )
    return found.rewritten.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// A text that nobody judges, such as the message of an error, as it may be written.
  package func redacted(_ text: String) -> String {
    let found = secrets.scanner.search(
      Array(text.utf8),
      at: SecretSearch.Place(reading: .everything)
    )
    return found.rewritten.map { String(decoding: $0, as: UTF8.self) } ?? text
  }
}

extension RawResponse {
  /// Puts a body in place that differs within lines alone; the pieces that it came in stay what they
  /// were.
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
