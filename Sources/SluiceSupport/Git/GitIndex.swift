/// The index of a working tree, which may differ from the files on disk.
package enum GitIndex {
  /// Returns the files that `git checkout -- FILE` can restore.
  ///
  /// - Parameters:
  ///   - paths: The files, relative to the project's root.
  ///   - projectRoot: The absolute path of the project's folder.
  ///   - environment: The environment of git; nil for the environment of this process.
  /// - Returns: The files that are in the index; empty if there is no repository.
  package static func files(
    among paths: [ProjectPath],
    projectRoot: String,
    environment: [String: String]? = nil
  ) async -> Set<ProjectPath> {
    guard !paths.isEmpty,
      let found = try? await GitSnapshot.locate("HEAD", from: projectRoot, environment),
      let output = try? await found.git.output(
        of: "ls-files",
        ["-z", "--"] + paths.map { ":(literal)\(found.folder)\($0)" }
      )
    else { return [] }
    let names = output.split(separator: 0).map {
      String(decoding: $0.dropFirst(found.folder.utf8.count), as: UTF8.self)
    }
    return Set(names.map { ProjectPath($0) }).intersection(paths)
  }
}
