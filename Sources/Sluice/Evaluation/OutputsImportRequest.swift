import SluiceReporting

/// The arguments of `sluice import outputs`.
package struct OutputsImportRequest {
  /// The reason why rows cannot be written to a path.
  package struct Refusal: Error, Hashable {
    package var message: String
    package var fix: String
  }

  private let file: String
  private let maps: [String]
  private let constants: [String]

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - file: The file with the outputs.
  ///   - maps: Comma-separated lists of `TARGET=SOURCE`, which map columns of the file to members
  ///     of rows.
  ///   - constants: Members with the same text in all rows, as `TARGET=TEXT`.
  package init(file: String, maps: [String], constants: [String]) {
    self.file = file
    self.maps = maps
    self.constants = constants
  }

  /// Returns the members of rows with their sources.
  ///
  /// If the arguments have errors, reports these and returns `nil`.
  package func mappings(_ diagnostics: DiagnosticCollector) -> [OutputsImport.Mapping]? {
    let before = diagnostics.count
    var mappings: [OutputsImport.Mapping] = []
    func refuse(_ message: String, fix: String?) {
      diagnostics.report(Diagnostic(path: "command line", message: message, fix: fix))
    }
    func add(_ entry: String, _ option: String, _ source: (String) -> OutputsImport.Mapping.Source)
    {
      let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        return refuse(
          "'\(entry)' in \(option) does not have the form "
            + "TARGET=\(option == "--map" ? "SOURCE" : "TEXT")",
          fix: "write, for example, \(option) "
            + "\(option == "--map" ? "text=completion" : "prompt=v2")"
        )
      }
      let target = String(parts[0])
      guard OutputsImport.isTarget(target) else {
        return refuse(
          "a row has no member '\(target)'",
          fix: NearestName.suggestion(for: target, among: OutputsImport.targets)
        )
      }
      if mappings.contains(where: { $0.target == target }) {
        return refuse("'\(target)' is mapped twice", fix: "remove one of the two")
      }
      mappings.append(OutputsImport.Mapping(target, from: source(String(parts[1]))))
    }
    for entry in maps.flatMap(Self.entries) { add(entry, "--map") { .column($0) } }
    for entry in constants { add(entry, "--set") { .constant($0) } }
    return diagnostics.count == before ? mappings : nil
  }

  /// Splits a list at commas.
  ///
  /// The sequence `\,` is a literal comma.
  private static func entries(_ list: String) -> [String] {
    var entries = [""]
    var isEscaped = false
    for character in list {
      if isEscaped {
        if character != "," { entries[entries.count - 1].append("\\") }
        entries[entries.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "," {
        entries.append("")
      } else {
        entries[entries.count - 1].append(character)
      }
    }
    if isEscaped { entries[entries.count - 1].append("\\") }
    return entries.filter { !$0.isEmpty }
  }

  /// Checks that a path may be used for the new output file.
  ///
  /// - Throws: ``Refusal`` with the reason if the path may not be used.
  package static func check(
    target path: ProjectPath,
    replacing isForced: Bool,
    in files: any FileSystem
  ) throws(Refusal) {
    guard path.isInsideRoot else {
      throw Refusal(
        message: "'\(path)' is outside the project",
        fix: "name a file inside the project: --to outputs/NAME.jsonl"
      )
    }
    guard path.pathExtension == "jsonl" else {
      throw Refusal(
        message: "the name '\(path)' does not end in .jsonl",
        fix: "end the name in .jsonl: --to "
          + "\(path.description.isEmpty ? "outputs/NAME.jsonl" : path.folder.resolvingChild("\(path.stem).jsonl").description)"
      )
    }
    var folder = path.folder
    while folder.description != ".", !folder.description.isEmpty {
      switch files.kind(of: folder) {
      case .linkOutOfRoot:
        throw Refusal(
          message: "'\(folder)' is a link that leads outside the project",
          fix: "name a file in another folder of the project with --to"
        )
      case .file:
        throw Refusal(
          message: "'\(folder)' is a file, not a folder",
          fix: "name a file in another folder of the project with --to"
        )
      case .folder, .missing: folder = folder.folder
      }
    }
    switch files.kind(of: path) {
    case .missing: return
    case .file where isForced: return
    case .file:
      throw Refusal(
        message: "'\(path)' already exists",
        fix: "name another file with --to, or replace it with --force"
      )
    case .folder:
      throw Refusal(message: "'\(path)' is a folder", fix: "name a file with --to")
    case .linkOutOfRoot:
      throw Refusal(
        message: "'\(path)' is a link that leads outside the project",
        fix: "name another file with --to"
      )
    }
  }
}
