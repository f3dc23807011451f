import SluiceSupport

/// A backend that removes secrets from answers and errors before they are scored, logged or shown.
package struct RedactingBackend: Backend {
  private let base: any Backend
  private let redaction: Redaction
  private let redactsAnswers: Bool

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - base: The backend that answers.
  ///   - redaction: The secrets to remove.
  ///   - answers: True to redact exchanges; false if other code redacts exchanges before writing
  ///     them.
  package init(_ base: any Backend, redaction: Redaction, answers: Bool = true) {
    self.base = base
    self.redaction = redaction
    redactsAnswers = answers
  }

  package func send(_ request: ModelRequest) async throws(BackendError) -> Exchange {
    let exchange: Exchange
    do throws(BackendError) {
      exchange = try await base.send(request)
    } catch {
      throw redaction.redacted(error)
    }
    guard redactsAnswers else { return exchange }
    // The exchange stays as it is if no part that is written, logged or shown contains a secret.
    if let answer = exchange.answer ?? (try? ResponseReader.response(in: exchange)),
      !redaction.isDue(exchange, answer)
    {
      return exchange
    }
    let (redacted, findings) = redaction.redacted(exchange)
    var result = findings.isEmpty ? exchange : redacted
    if !findings.isEmpty {
      // The key of a recording must be computed from the request as it was sent.
      result.request = request
      result.answer = exchange.answer.map { reread(result, $0) }
    }
    if let answer = result.answer.flatMap(redaction.redacted) { result.answer = answer }
    return result
  }

  /// Reads the answer again from a redacted exchange.
  ///
  /// Parts that the redacted exchange does not contain are taken from the first reading of the
  /// answer.
  private func reread(_ exchange: Exchange, _ answer: ModelResponse) -> ModelResponse {
    guard var result = try? ResponseReader.response(in: exchange) else {
      var result = answer
      result.text = answer.text.map(redaction.redacted)
      result.refusal = answer.refusal.map(redaction.redacted)
      result.reasoning = answer.reasoning.map(redaction.redacted)
      return result
    }
    result.fallback = answer.fallback
    result.timings = answer.timings
    return result
  }
}
