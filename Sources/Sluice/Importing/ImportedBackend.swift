package import SluiceSupport
import SluiceReporting

/// A backend that imported suites use and that `sluice.yaml` must define.
package struct ImportedBackend: Sendable {
  package var name: String
  package var entry: JSONObject
  package var comments: [String] = []

  package init(name: String, entry: JSONObject, comments: [String] = []) {
    self.name = name
    self.entry = entry
    self.comments = comments
  }

  /// Returns the text of `sluice.yaml`.
  ///
  /// - Parameters:
  ///   - backends: The backends.
  ///   - head: The comments at the top of the file.
  /// - Returns: The text.
  package static func configuration(_ backends: [ImportedBackend], head: [String]) -> String {
    YAMLWriter.text(
      .mapping([
        .init(
          "backends",
          .mapping(
            backends.map { .init($0.name, .json(.object($0.entry)), comments: $0.comments) }
          )
        )
      ]),
      head: head
    )
  }

  /// Returns a new `sluice.yaml` for a folder, or the lines that are missing from an existing one.
  ///
  /// An existing file is never changed.
  ///
  /// - Parameters:
  ///   - backends: The backends that suites use.
  ///   - head: The comments at the top of a new file.
  ///   - target: The folder to write to.
  /// - Returns: The file to write, or the lines to add. If the existing file has all backends,
  ///   neither is returned.
  package static func placed(
    _ backends: [ImportedBackend],
    head: [String],
    in target: any FileSystem
  ) -> (file: ImportPlan.File?, linesToAdd: String) {
    let path = ProjectPath(ProjectConfiguration.fileName)
    let file = ImportPlan.File(path, configuration(backends, head: head))
    guard target.kind(of: path) == .file, let bytes = try? target.read(path) else {
      return (file, "")
    }
    if bytes == file.bytes { return (file, "") }
    let names = Set(YAMLReader.read(bytes).root?["backends"]?.members?.map(\.key) ?? [])
    let missing = backends.filter { !names.contains($0.name) }
    return (nil, missing.isEmpty ? "" : configuration(missing, head: []))
  }

  /// Returns the parameters that a backend is known to reject.
  ///
  /// - Parameters:
  ///   - parameters: The parameters, by their names in prompt files.
  ///   - entry: The backend's entry in `sluice.yaml`.
  /// - Returns: The rejected parameters; empty if the backend has no known vendor's API.
  static func refusals(of parameters: JSONObject, _ entry: JSONObject)
    -> [ParameterSupport.Refusal]
  {
    guard let type = entry["type"]?.string, var api = ModelAPI(type: type) else { return [] }
    if let version = entry["version"]?.string { api = .messages(.init(version)) }
    let endpoint = ModelEndpoint(
      api,
      server: ServerAccess(url: entry["base-url"]?.string ?? api.defaultBaseURL),
      model: entry["model"]?.string ?? ""
    )
    var values: JSONObject = [:]
    for (name, value) in parameters.members where value != .null {
      values[ParameterReader.wireNames.first { $0.name == name }?.wire ?? name] = value
    }
    return ParameterSupport.refusals(of: values, by: endpoint)
  }
}
