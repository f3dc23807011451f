package import SluiceSupport

/// A server as `sluice.yaml` defines it: its address, and the parts that all requests to it have in
/// common.
package struct ServerAccess: Hashable, Sendable {
  /// The address, without a query.
  package var url: String
  /// The key of the server; nil if the server needs no key.
  package var key: KeyReference?
  /// The headers that every request contains.
  package var headers: [HTTPHeader]
  /// The query that every URL contains, such as the version that Azure requires.
  package var query: [HTTPHeader]

  package init(
    url: String,
    key: KeyReference? = nil,
    headers: [HTTPHeader] = [],
    query: [HTTPHeader] = []
  ) {
    self.url = url
    self.key = key
    self.headers = headers
    self.query = query
  }

  /// The source of a key, and how the key is sent.
  package struct KeyReference: Hashable, Sendable {
    package var source: Source
    /// The header that contains the key alone; nil if the key is sent as `Authorization: Bearer`.
    package var header: String?

    package enum Source: Hashable, Sendable {
      /// The key is in an environment variable.
      case variable(String)
      /// A program prints the key, which is short-lived.
      case command(KeyCommand)
    }

    package init(variable: String, header: String? = nil) {
      source = .variable(variable)
      self.header = header
    }

    package init(command: KeyCommand, header: String? = nil) {
      source = .command(command)
      self.header = header
    }

    /// The environment variable that contains the key, if any.
    package var variable: String? {
      if case .variable(let name) = source { name } else { nil }
    }

    /// The program that prints the key, if any.
    package var command: KeyCommand? {
      if case .command(let command) = source { command } else { nil }
    }
  }

  /// Returns a URL below the server's address.
  ///
  /// If the address contains a query, the query stays at the end.
  ///
  /// - Parameters:
  ///   - path: The path below the address.
  ///   - more: Query items in addition to those of the server.
  /// - Returns: The URL.
  package func address(_ path: String = "", query more: [HTTPHeader] = []) -> String {
    let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var address = parts[0]
    if !path.isEmpty { while address.hasSuffix("/") { address.removeLast() } }
    var queries = parts.dropFirst().map(String.init)
    queries += (query + more).map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }
    return address + path + (queries.isEmpty ? "" : "?\(queries.joined(separator: "&"))")
  }

  /// Returns a text escaped for a query (RFC 3986, section 2.3).
  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isPlain || "-._~".unicodeScalars.contains(scalar) { return String(scalar) }
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
    }
    .joined()
  }

  /// The scheme, host and port, without user, path and query.
  package var host: String {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return url }
    let authority = parts[2].prefix { $0 != "?" && $0 != "#" }
    return "\(parts[0])//\(authority.split(separator: "@").last ?? authority)"
  }

  /// The name of the host in lower case, or its address, without scheme and port.
  private var hostName: String {
    let authority = host.split(separator: "/").last ?? ""
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      let rest = authority[authority.index(after: end)...]
      // Only a port may follow an address in brackets.
      if rest.isEmpty || rest.hasPrefix(":") { return String(authority[..<end].dropFirst()) }
    }
    return authority.prefix { $0 != ":" }.lowercased()
  }

  /// True if the server runs on this machine.
  var isLocal: Bool {
    if hostName == "localhost" || hostName == "::1" { return true }
    // A host name such as `127.example.com` also begins with 127.
    let parts = hostName.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  // MARK: The key

  /// The default hosts to which well-known keys belong, whatever `sluice.yaml` says.
  private static let homes = [
    "OPENAI_API_KEY": "api.openai.com", "ANTHROPIC_API_KEY": "api.anthropic.com",
    "OPENROUTER_API_KEY": "openrouter.ai", "GROQ_API_KEY": "api.groq.com",
    "MISTRAL_API_KEY": "api.mistral.ai", "DEEPSEEK_API_KEY": "api.deepseek.com",
    "XAI_API_KEY": "api.x.ai", "GEMINI_API_KEY": "generativelanguage.googleapis.com",
    "GOOGLE_API_KEY": "generativelanguage.googleapis.com", "OLLAMA_API_KEY": "ollama.com",
  ]

  /// Returns the key from the environment; nil if the key is not in a variable.
  ///
  /// A key in the variable `NAME` is sent only to the host in the variable `NAME_HOST`. If
  /// `NAME_HOST` is not set, a well-known key is sent only to a local server or the vendor's host:
  /// `OPENAI_API_KEY` belongs to `api.openai.com`. Other keys are then sent to any server. A key is
  /// never sent unencrypted over a network.
  ///
  /// - Throws: ``BackendError`` if the key is missing, or must not be sent to this server.
  package func secret(for backend: String, in environment: [String: String]) throws(BackendError)
    -> Secret?
  {
    guard let variable = key?.variable else { return nil }
    guard let value = environment[variable], !value.isEmpty else {
      throw BackendError(
        .missingKey,
        "the backend '\(backend)' needs a key in the environment variable \(variable), which is not set"
      )
    }
    let named = environment["\(variable)_HOST"].flatMap { $0.isEmpty ? nil : $0.lowercased() }
    // A local server may receive any key, unless `NAME_HOST` reserves the key for a host.
    if isLocal, named == nil { return Secret(value) }
    let wanted = named ?? Self.homes[variable]
    if let wanted, hostName != wanted {
      throw BackendError(
        .missingKey,
        "the backend '\(backend)' would send the key in \(variable) to \(hostName), but the key "
          + "belongs to \(wanted); if this is intended, set \(variable)_HOST=\(hostName)"
      )
    }
    guard host.hasPrefix("https://") || isLocal else {
      throw BackendError(
        .missingKey,
        "the backend '\(backend)' would send the key in \(variable) unencrypted; use https"
      )
    }
    return Secret(value)
  }

  /// Returns the source of tokens that a program prints; nil if no program prints the key.
  ///
  /// The program is not started yet.
  ///
  /// - Throws: ``BackendError`` if the program cannot be started, or its tokens must not be sent to
  ///   this server.
  func tokens(for backend: String, in surroundings: Surroundings) throws(BackendError)
    -> TokenSource?
  {
    guard let command = key?.command else { return nil }
    guard host.hasPrefix("https://") || isLocal else {
      throw BackendError(
        .missingKey,
        "the backend '\(backend)' would send the token of \(command.program) unencrypted; use https"
      )
    }
    return try TokenSource(
      command,
      header: key?.header,
      backend: backend,
      surroundings: surroundings
    )
  }

  /// Returns the secret values of the environment variables that the key or its program uses.
  func secrets(in environment: [String: String]) -> [Secret] {
    switch key?.source {
    case .variable(let name): environment[name].map { [Secret($0)] } ?? []
    case .command(let command):
      ProgramEndpoint.secrets(of: command.variables, in: environment)
    case nil: []
    }
  }

  /// Returns the headers of a request.
  func headers(_ secret: Secret?, accepting type: String) -> [HTTPHeader] {
    var all = headers.filter {
      !["content-type", "accept"].contains($0.name.lowercased())
    }
    all.append(HTTPHeader("Content-Type", "application/json"))
    all.append(HTTPHeader("Accept", type))
    if let secret {
      all.append(
        key?.header.map { HTTPHeader($0, secret.value) }
          ?? HTTPHeader("Authorization", "Bearer \(secret.value)")
      )
    }
    return all
  }
}

/// A secret text.
///
/// The description of this value does not show the text.
package struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  package let value: String

  package init(_ value: String) { self.value = value }

  package var description: String { "<redacted>" }
  package var debugDescription: String { "<redacted>" }
}
