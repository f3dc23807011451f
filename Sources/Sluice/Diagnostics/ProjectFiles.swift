/// Reads the files that the project's own files refer to, and reports those that cannot be read.
package final class ProjectFiles {
  package let system: any FileSystem
  package let diagnostics: DiagnosticCollector
  /// Folders outside of the root that `sluice.yaml` allows references into.
  package var allowedFolders: [ProjectPath] = []
  private var cache: [ProjectPath: SourceFile] = [:]

  package init(_ system: any FileSystem, diagnostics: DiagnosticCollector) {
    self.system = system
    self.diagnostics = diagnostics
  }

  /// Where a reference in a file leads, or nil, with an error reported, when it may not or cannot be
  /// followed.
  package func resolve(_ reference: String, in file: SourceFile, at position: SourcePosition)
    -> ProjectPath?
  {
    let path = ProjectPath(file.path).resolving(reference)
    let isAllowed = allowedFolders.contains { path.isInside($0) }
    guard path.isInsideRoot || isAllowed else {
      diagnostics.error(
        "'\(reference)' leads out of the project",
        in: file,
        at: position,
        fix:
          "move the file into the project, or list its folder under 'allow-folders' in sluice.yaml"
      )
      return nil
    }
    switch system.kind(of: path) {
    case .file: return path
    case .linkOutOfRoot where isAllowed: return path
    case .linkOutOfRoot:
      diagnostics.error(
        "'\(reference)' is a link that leads out of the project",
        in: file,
        at: position,
        fix: "copy the file into the project"
      )
    case .folder:
      diagnostics.error("'\(reference)' is a folder, not a file", in: file, at: position)
    case .missing:
      let siblings = system.names(in: path.folder)
      let nearest = NearestName.of(path.name, among: siblings)
      diagnostics.error(
        "file not found: \(path)",
        in: file,
        at: position,
        fix: nearest.map {
          "did you mean '\(path.folder.resolvingChild($0).reference(from: ProjectPath(file.path).folder))'?"
        }
      )
    }
    return nil
  }

  /// The file at a path; nil, with an error reported, when it cannot be read.
  package func read(_ path: ProjectPath) -> SourceFile? {
    if let file = cache[path] { return file }
    do throws(FileError) {
      let file = SourceFile(path: path.description, bytes: try system.read(path))
      cache[path] = file
      return file
    } catch {
      diagnostics.report(
        Diagnostic(path: path.description, message: "cannot be read: \(error.reason)")
      )
      return nil
    }
  }

  /// The root of a YAML file, or of a JSON file by its name's ending, and the file.
  ///
  /// Returns nil, with errors reported, when there is none.
  package func readTree(_ path: ProjectPath) -> (root: Node, file: SourceFile)? {
    guard let file = read(path) else { return nil }
    if path.pathExtension == "json" {
      do throws(JSONSyntaxError) {
        return (try JSONReader.node(file.bytes), file)
      } catch {
        diagnostics.error(
          "not valid JSON: \(error.message)",
          in: file,
          at: SourcePosition(offset: error.offset, in: file.bytes)
        )
        return nil
      }
    }
    let (root, problems) = YAMLReader.read(file.bytes)
    for problem in problems {
      diagnostics.error(problem.message, in: file, at: problem.position, fix: problem.fix)
    }
    guard let root else {
      if problems.isEmpty {
        diagnostics.report(Diagnostic(path: file.path, message: "the file is empty"))
      }
      return nil
    }
    return (root, file)
  }
}

extension ProjectPath {
  /// The path of an entry of this folder.
  package func resolvingChild(_ name: String) -> ProjectPath {
    ProjectPath(description + "/" + name)
  }
}
