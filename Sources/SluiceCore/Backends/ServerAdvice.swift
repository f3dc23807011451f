import SluiceSupport

/// Advice for a request that a server rejects.
///
/// The advice names backends and keys as `sluice.yaml` does.
struct ServerAdvice: Sendable {
  private let backend: String
  private let key: ServerAccess.KeyReference?
  /// The address without the user and the query, which may contain a secret.
  private let address: String

  init(backend: String, server: ServerAccess, path: String) {
    self.backend = backend
    key = server.key
    let parts = server.url.prefix { $0 != "?" }.split(
      separator: "/",
      maxSplits: 3,
      omittingEmptySubsequences: false
    )
    var folder = parts.count > 3 ? "/\(parts[3])" : ""
    if !path.isEmpty { while folder.hasSuffix("/") { folder.removeLast() } }
    address = server.host + folder + path
  }

  /// Returns the advice; nil if there is none for this kind of error.
  func text(about kind: BackendError.Kind, model: String?) -> String? {
    let check = "(to test it: 'sluice backends check \(backend)')"
    switch (kind, key?.source) {
    case (.badCredentials, nil):
      return
        "add 'key: {env: NAME}' to the backend '\(backend)' in sluice.yaml, and set that "
        + "environment variable"
    case (.badCredentials, .variable(let variable)):
      return "correct the key in the environment variable \(variable) \(check)"
    case (.badCredentials, .command(let command)):
      return "check the account whose token this command prints: \(command.line) \(check)"
    case (.permissionDenied, .some(let source)):
      let what = model.map { " for the model '\($0)'" } ?? ""
      return switch source {
      case .variable(let variable): "check the permissions of the key in \(variable)\(what)"
      case .command(let command):
        "check the permissions of the token printed by \(command.program)\(what)"
      }
    case (.notFound, _):
      let names = model.map { " or the model '\($0)'" } ?? ""
      return "correct the address \(address)\(names) of the backend '\(backend)' in sluice.yaml "
        + check
    default: return nil
    }
  }
}
