/// The response headers that an exchange keeps: a list of those allowed, so that what nobody thought
/// of is dropped. Headers of a request are never kept.
package enum KeptHeaders {
  /// The names, in lower case.
  package static let names: Set<String> = [
    "content-type", "openai-processing-ms", "openai-version", "server-timing",
    OpenAIChatBackend.standInHeader,
  ]

  /// The headers that are kept, by name, each name once: values of one name may be joined (RFC 9110,
  /// section 5.2).
  ///
  /// - Parameter headers: All headers of a response, names in any case.
  package static func kept(_ headers: [HTTPHeader]) -> [HTTPHeader] {
    let known = headers.map { HTTPHeader($0.name.lowercased(), $0.value) }
      .filter { names.contains($0.name) }
    return Dictionary(grouping: known, by: \.name).sorted { $0.key < $1.key }
      .map { name, headers in
        HTTPHeader(name, headers.map(\.value).joined(separator: ", "))
      }
  }
}
