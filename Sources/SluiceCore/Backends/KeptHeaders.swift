package import SluiceSupport

/// The response headers that an exchange keeps.
///
/// It is a list of those allowed, so that what nobody thought of is dropped. Headers of a request are
/// never kept.
package enum KeptHeaders {
  /// The names, in lower case.
  package static let names: Set<String> = [
    "content-type", "openai-processing-ms", "openai-version", "server-timing",
    ModelServerBackend.standInHeader,
  ]

  /// The headers that are kept, by name, each name once: values of one name may be joined (RFC 9110,
  /// section 5.2).
  ///
  /// - Parameter headers: All headers of a response, names in any case.
  /// - Returns: Those of the list, names in lower case, sorted by name.
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
