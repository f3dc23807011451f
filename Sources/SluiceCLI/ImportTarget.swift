internal import ArgumentParser
internal import Sluice

/// The options for the destination of an import.
struct ImportTargetOptions: ParsableArguments {
  @Option(
    help: """
      The folder of the project to write to; it is created if it does not exist. Default: \
      this project.
      """
  )
  var to: String?

  @Option(
    help: """
      The name of the suite, its prompts and its dataset. Default: the name of the \
      folder.
      """
  )
  var name: String?

  /// Returns the name of the suite, after checking that it is valid.
  ///
  /// - Throws: ``ExitCode/usage`` after explaining which characters a name may contain.
  func checkedName() throws -> String? {
    guard let name else { return nil }
    guard Identifier.isFileName(name) else {
      Console.error(
        """
        sluice: error: the name '\(TerminalText.visible(name))' must consist of \
        \(Identifier.fileNameRule)
          fix: \
        \(Identifier.made(of: name).map { "write --name \($0)" } ?? "write, for example, --name replies")

        """
      )
      throw Sluice.ExitCode.usage
    }
    return name
  }

  /// Writes the files of an import and reports the result.
  ///
  /// - Throws: ``ExitCode/usage`` if other files exist at the paths to write.
  func write(
    _ files: [ImportPlan.File],
    backends: [ImportedBackend],
    head: [String],
    _ report: ImportReport,
    named name: String,
    outputLines: String = ""
  ) throws {
    let working = Invocation.folder
    let folder =
      to ?? DiskFileSystem.folder(holding: ProjectConfiguration.fileName, from: working) ?? working
    let target: TemplateTarget
    do throws(TemplateTarget.NoFolder) {
      target = try TemplateTarget(folder, from: working)
    } catch {
      fail("\(error.path) is a file, not a folder", "name a folder with --to")
      throw Sluice.ExitCode.usage
    }
    let inside = FolderFileSystem(target.files, folder: target.folder)
    let place = ImportedBackend.placed(backends, head: head, in: inside)
    var report = report
    report.linesToAdd = [place.linesToAdd, outputLines].filter { !$0.isEmpty }.joined(
      separator: "\n"
    )
    let plan = ImportPlan((place.file.map { [$0] } ?? []) + files, in: inside)
    let text = TerminalImport(report, style: Console.style(for: 1, Invocation.environment))
    if !plan.obstacles.isEmpty {
      let lines = plan.obstacles.map { "    \(TerminalText.visible($0.description))" }
      fail(
        "existing files are in the way, so nothing was written:\n\(lines.joined(separator: "\n"))",
        "move them away, or import under another name: --name \(name)-2"
      )
      throw Sluice.ExitCode.usage
    }
    Console.error(text.findings)
    do throws(FileError) {
      try plan.write()
    } catch {
      fail(
        "cannot write \(error.path): \(error.reason); nothing was imported, and the new files "
          + "were removed again",
        "name a folder with write permission"
      )
      throw Sluice.ExitCode.failure
    }
    var next: [String] = []
    if let to, to != "." { next.append("cd \(ShellText.quoted(to))") }
    next += ["sluice validate", "sluice record --dry-run \(ShellText.quoted(name))"]
    Console.output(
      text.summary(
        written: plan.new.map(\.path.description),
        unchanged: plan.unchanged.map(\.description),
        next: next
      )
    )
  }

  private func fail(_ what: String, _ fix: String) {
    Console.error("sluice: error: \(what)\n  fix: \(fix)\n")
  }
}

/// The location of a file from the command line: a folder that may be read, and a path in the
/// folder.
struct ImportPlace {
  let files: DiskFileSystem
  let path: ProjectPath

  /// Finds a file.
  ///
  /// - Throws: ``ExitCode/usage`` after reporting that the file does not exist.
  init(_ name: String) throws {
    let working = Invocation.folder
    let absolute = ProjectPath(Invocation.path(name))
    // If the file is below the working directory, allow reading the whole working directory.
    // Otherwise, allow reading only the file's folder.
    let isInside = absolute.description.hasPrefix(working == "/" ? "/" : working + "/")
    let root = isInside ? working : absolute.folder.description
    guard let files = DiskFileSystem(root: root) else {
      Console.error("sluice: error: file not found: \(TerminalText.visible(name))\n")
      throw Sluice.ExitCode.usage
    }
    self.files = files
    let prefix = root == "/" ? 1 : root.count + 1
    path = ProjectPath(String(absolute.description.dropFirst(prefix)))
  }
}
