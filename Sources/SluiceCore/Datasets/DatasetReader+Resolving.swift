package import SluiceSupport

/// The search for the dataset that a suite names.
extension DatasetReader {
  /// Returns the file that `dataset:` of a suite denotes.
  ///
  /// `clarity` is short for `datasets/clarity/cases.*`.
  package static func resolve(
    _ reference: SuiteSpec.Reference,
    in suite: SourceFile,
    files: ProjectFiles
  ) -> ProjectPath? {
    let datasets = ProjectPath("datasets")
    let folder = datasets.resolvingChild(reference.text)
    let isName =
      Identifier.isFileName(reference.text) && !reference.text.contains(".")
      || !reference.text.contains("/") && files.system.kind(of: folder) == .folder
    guard isName else { return resolveFile(reference, in: suite, files: files) }
    let found = extensions.map { folder.resolvingChild("cases.\($0)") }.filter {
      files.system.kind(of: $0) != .missing
    }
    if found.count == 1 {
      let path = found[0].reference(from: ProjectPath(suite.path).folder)
      return files.resolve(path, in: suite, at: reference.position)
    }
    if found.isEmpty {
      files.diagnostics.error(
        "there is no dataset '\(reference.text)': no \(folder)/cases.* in YAML, JSONL or CSV",
        in: suite,
        at: reference.position,
        fix: fix(forMissing: folder, in: suite, files.system)
      )
    } else {
      files.diagnostics.error(
        "the dataset '\(reference.text)' is ambiguous: "
          + "\(found.map(\.name).joined(separator: ", "))",
        in: suite,
        at: reference.position,
        fix: "name the file: '\(found[0].reference(from: ProjectPath(suite.path).folder))'"
      )
    }
    return nil
  }

  /// Returns the file that a path or a file name denotes.
  private static func resolveFile(
    _ reference: SuiteSpec.Reference,
    in suite: SourceFile,
    files: ProjectFiles
  ) -> ProjectPath? {
    let text = reference.text
    let system = files.system
    let path = ProjectPath(suite.path).resolving(text)
    func refuse(_ message: String, fix: String?) -> ProjectPath? {
      files.diagnostics.error(message, in: suite, at: reference.position, fix: fix)
      return nil
    }
    guard !text.hasPrefix("file://"), system.kind(of: path) != .file else {
      return files.resolve(text, in: suite, at: reference.position)
    }
    // The suite may give the path of a dataset's folder or file relative to another folder.
    let datasets = ProjectPath("datasets")
    for candidate in [path, ProjectPath(text), datasets.resolvingChild(text)] {
      let kind = system.kind(of: candidate)
      let folder = kind == .folder ? candidate : candidate.folder
      guard kind != .missing, folder.folder == datasets else { continue }
      let isWhole = kind == .folder || candidate.stem == "cases"
      guard isWhole else { continue }
      return refuse(
        kind == .folder
          ? "'\(text)' is a folder, not a file" : "file not found: \(path)",
        fix: "write 'dataset: \(folder.name)', which is short for \(folder)/cases.*"
      )
    }
    guard !text.contains("/"), Identifier.isFileName(text), path.isInsideRoot,
      !extensions.contains(ProjectPath(text).pathExtension)
    else { return files.resolve(text, in: suite, at: reference.position) }
    return refuse(
      "there is no dataset '\(text)': neither the folder \(datasets)/\(text) nor the file "
        + "\(path) exists",
      fix: fix(forMissing: datasets.resolvingChild(text), in: suite, system)
    )
  }

  /// Returns the fix for a missing folder, or for a folder without cases.
  private static func fix(
    forMissing folder: ProjectPath,
    in suite: SourceFile,
    _ system: any FileSystem
  ) -> String? {
    let names = system.names(in: folder)
    // JSON is valid YAML, so renaming the file is enough.
    if names.contains("cases.json") {
      return "rename the file: mv \(folder)/cases.json \(folder)/cases.yaml"
    }
    let files = names.filter { extensions.contains(ProjectPath($0).pathExtension) }
    if let name = files.first, files.count == 1 {
      let ending = ProjectPath(name).pathExtension
      return "rename the file: mv \(folder)/\(name) \(folder)/cases.\(ending)"
    }
    for ending in extensions {
      let file = folder.folder.resolvingChild("\(folder.name).\(ending)")
      guard system.kind(of: file) == .file else { continue }
      return "write 'dataset: \(file.reference(from: ProjectPath(suite.path).folder))'"
    }
    let others = system.names(in: folder.folder).filter { $0 != folder.name }
    return NearestName.of(folder.name, among: others).map { "did you mean '\($0)'?" }
      ?? (names.isEmpty ? nil : "create \(folder)/cases.yaml")
  }
}
