package import SluiceSupport

/// The response headers that an exchange keeps.
///
/// All other headers are dropped, so that an unexpected header is never stored. Request headers are
/// never kept.
package enum KeptHeaders {
  /// The names, in lower case.
  package static let names: Set<String> = [
    "content-type", "openai-processing-ms", "openai-version", "server-timing",
    ModelServerBackend.standInHeader,
  ]

  /// Returns the headers to keep.
  ///
  /// If a name occurs several times, its values are joined (RFC 9110, section 5.2).
  ///
  /// - Parameter headers: All headers of a response, with names in upper or lower case.
  /// - Returns: The allowed headers, with names in lower case, sorted by name.
  package static func kept(_ headers: [HTTPHeader]) -> [HTTPHeader] {
    var kept: [HTTPHeader] = []
    for header in headers {
      let name = header.name.lowercased()
      guard names.contains(name) else { continue }
      if let place = kept.firstIndex(where: { $0.name == name }) {
        kept[place].value += ", \(header.value)"
      } else {
        kept.append(HTTPHeader(name, header.value))
      }
    }
    return kept.sorted { $0.name < $1.name }
  }
}
