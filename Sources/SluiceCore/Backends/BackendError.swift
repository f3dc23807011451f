import SluiceSupport

/// The reason why a backend gave no answer.
///
/// A trial with this error is lost, and says nothing about the quality of the answers.
public struct BackendError: Error, Hashable {
  /// The kind of an error.
  ///
  /// The kinds are the same for all servers, whatever the wording of their errors. A known error
  /// code or message of the server determines the kind; otherwise, the HTTP status does.
  ///
  /// Kinds that may be temporary are retried. For a single error, ``BackendError/canRetry`` can
  /// differ from this.
  public enum Kind: String, Sendable, CaseIterable {
    /// There is no connection to the server. Retried.
    case noConnection = "no-connection"
    /// The host name of the server was not found. Not retried.
    case nameNotFound = "name-not-found"
    /// There is no secure connection to the server, for example because of its certificate. Not
    /// retried.
    case tls
    /// The server or program did not answer in time, or the server reported this (HTTP 408).
    /// Retried.
    case timedOut = "timed-out"
    /// The key or an environment variable is missing, or the key must not be sent to this server.
    /// Not retried.
    case missingKey = "missing-key"
    /// The server rejected the key (HTTP 401). Not retried.
    case badCredentials = "bad-credentials"
    /// The key does not permit the request (HTTP 403). Not retried.
    case permissionDenied = "permission-denied"
    /// The server has no such address or model (HTTP 404 or a redirect). Not retried.
    case notFound = "not-found"
    /// The server rejected the request (HTTP 400 and similar), or the backend cannot send it. Not
    /// retried.
    case invalidRequest = "invalid-request"
    /// The request has more tokens than the model or the server accepts. Not retried.
    case contextTooLong = "context-too-long"
    /// The provider's content filter rejected the request. Not retried.
    case contentFilter = "content-filter"
    /// The server received too many requests (HTTP 429). Retried, after ``BackendError/retryAfter``
    /// if the server requested a wait.
    case rateLimited = "rate-limited"
    /// The account has no credit or quota left (HTTP 402). Not retried.
    case quotaSpent = "quota-spent"
    /// The server failed, or is overloaded (HTTP 500 to 599, 409, 425). Retried.
    case serverError = "server-error"
    /// The answer is incomplete, or could not be parsed. Retried.
    case brokenAnswer = "broken-answer"
    /// The answer has an unknown finish reason, so it may be incomplete. Not retried.
    case unknownEnding = "unknown-ending"
    /// The program could not be started, ended without an answer, or reported an error. Not
    /// retried.
    case programFailed = "program-failed"
    /// The request was not sent, because several requests before it had failed. Not retried.
    case endpointDown = "endpoint-down"
    /// The request was not sent, because the budget is used up or cannot be enforced. Not retried.
    case budgetSpent = "budget-spent"
    /// The request was cancelled, for example because the run was interrupted. Not retried.
    case cancelled
  }

  /// The kind of error.
  public var kind: Kind
  /// A message of one sentence, without secrets.
  public var message: String
  /// The HTTP status of the response; nil if there is none.
  public var status: Int?
  /// The wait that the server requested before the next request; nil if it requested none.
  public var retryAfter: Duration?
  /// True if a retry can help.
  public var canRetry: Bool
  /// The statistics of the attempts before this error.
  public var statistics = SendStatistics()
  /// True if a new connection is enough for a retry, so that no wait is needed.
  package var mayRetryAtOnce = false
  /// Advice that names the backend and its variables; nil if only general advice is known.
  package var advice: String?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - kind: The kind of error.
  ///   - message: A message of one sentence, without secrets.
  ///   - status: The status of the response, if any.
  ///   - retryAfter: The wait that the server requested before the next request.
  ///   - canRetry: True if a retry can help. If nil, the kind of error determines this.
  public init(
    _ kind: Kind,
    _ message: String,
    status: Int? = nil,
    retryAfter: Duration? = nil,
    canRetry: Bool? = nil
  ) {
    self.kind = kind
    self.message = message
    self.status = status
    self.retryAfter = retryAfter
    self.canRetry = canRetry ?? kind.mayPass
  }

  /// Advice for the person who runs the suite.
  public var fix: String { advice ?? kind.fix }
}

extension BackendError.Kind {
  /// True if errors of this kind may be temporary.
  var mayPass: Bool {
    switch self {
    case .noConnection, .timedOut, .rateLimited, .serverError, .brokenAnswer: true
    case .nameNotFound, .tls, .missingKey, .badCredentials, .permissionDenied, .notFound,
      .invalidRequest, .contextTooLong, .contentFilter, .quotaSpent, .unknownEnding, .programFailed,
      .endpointDown, .budgetSpent, .cancelled:
      false
    }
  }

  /// True if the error means that the whole backend cannot be used.
  ///
  /// False if only one request failed.
  var isAboutBackend: Bool {
    switch self {
    case .noConnection, .nameNotFound, .tls, .badCredentials, .quotaSpent, .missingKey: true
    default: false
    }
  }

  /// Advice for the person who runs the suite.
  package var fix: String {
    switch self {
    case .noConnection: "check the address in sluice.yaml, and check that the server is running"
    case .nameNotFound: "check the address in sluice.yaml and the network"
    case .tls: "check the server's certificate, and check that the server supports TLS"
    case .timedOut: "try again, or raise the backend's 'timeout' in sluice.yaml"
    case .missingKey: "set the environment variable, or change 'key' or the address in sluice.yaml"
    case .badCredentials: "check the key in the environment variable that sluice.yaml names"
    case .permissionDenied: "check the permissions of the key"
    case .notFound: "check the address and the model in sluice.yaml"
    case .invalidRequest: "check the prompt's parameters and schema"
    case .contextTooLong: "shorten the prompt or the case, or use a model with a larger context"
    case .contentFilter: "change the case or the provider's filter settings"
    case .rateLimited: "wait, or lower the backend's 'max-in-flight' in sluice.yaml"
    case .quotaSpent: "check the plan and the billing of the key's account"
    case .serverError: "try again later"
    case .brokenAnswer:
      "try again; if the error persists, check the address and, if present, 'answer' in sluice.yaml"
    case .unknownEnding:
      "add the word and its meaning to the backend's 'endings' in sluice.yaml, such as 'endings: "
        + "{finished: done}'"
    case .programFailed: "run the backend's command by hand and give it a request on standard input"
    case .endpointDown: "check the backend: sluice backends check"
    case .budgetSpent: "raise the budget, then continue with --resume"
    case .cancelled: "run the command again"
    }
  }
}
