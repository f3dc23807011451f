import SluiceSupport

/// Advice for when a server refuses requests, in the names of `sluice.yaml`.
struct ServerAdvice: Sendable {
  private let backend: String
  private let variable: String?
  /// The address without user and query, which may hold a secret.
  private let address: String

  init(backend: String, server: ServerAccess, path: String) {
    self.backend = backend
    variable = server.key?.variable
    let parts = server.url.prefix { $0 != "?" }.split(
      separator: "/",
      maxSplits: 3,
      omittingEmptySubsequences: false
    )
    var folder = parts.count > 3 ? "/\(parts[3])" : ""
    if !path.isEmpty { while folder.hasSuffix("/") { folder.removeLast() } }
    address = server.host + folder + path
  }

  /// Returns the advice; `nil` where the kind of the trouble says enough.
  func text(about kind: BackendError.Kind, model: String?) -> String? {
    let check = "('sluice backends check \(backend)' tries it)"
    switch kind {
    case .badCredentials:
      guard let variable else {
        return
          "add 'key: {env: NAME}' to the backend '\(backend)' in sluice.yaml, and set that variable"
      }
      return "correct the key in the environment variable \(variable) \(check)"
    case .permissionDenied:
      let what = model.map { ": model '\($0)'" } ?? ""
      return variable.map { "check what the key in \($0) may use\(what)" }
    case .notFound:
      let names = model.map { " or the model '\($0)'" } ?? ""
      return "correct the address \(address)\(names) of the backend '\(backend)' in sluice.yaml "
        + check
    default: return nil
    }
  }
}
