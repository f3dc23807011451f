internal import ArgumentParser
internal import Sluice

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Writes a small project that runs at once.",
    discussion: """
      The project has one suite with cases, a prompt and recorded answers. The answers come from a \
      stand-in program, not from a model. --ci adds the files that run the gates in CI; inside an \
      existing project, only these files are written. No existing file is overwritten: if one is \
      in the way, nothing is written. An existing .pre-commit-config.yaml is kept, and the entry \
      to add is printed.
      """
  )

  enum Service: String, ExpressibleByArgument, CaseIterable {
    case github, gitlab
    case preCommit = "pre-commit"

    var group: TemplateFile.Group {
      switch self {
      case .github: .github
      case .gitlab: .gitlab
      case .preCommit: .preCommit
      }
    }
  }

  @Argument(help: "The folder to write to; it is created if it does not exist.")
  var folder = "."

  @Option(
    help: """
      Also write the files that run the gates on this service: github, gitlab or \
      pre-commit; may be repeated.
      """
  )
  var ci: [Service] = []

  func validate() throws {
    if folder.isEmpty { throw ValidationError("The folder's name must not be empty.") }
  }

  func run() throws {
    let target = try target()
    let plan = TemplatePlan(wanted(target), in: target.files)
    try requireNothing(inTheWayOf: plan, target)
    do throws(FileError) {
      try plan.write()
    } catch {
      fail(
        "cannot write \(target.shown(error.path)): \(error.reason); no project was created, and "
          + "the new files were removed again",
        "name a folder with write permission"
      )
      throw Sluice.ExitCode.failure
    }
    Console.output(text(plan, target))
  }

  /// Returns the target folder, after checking that a project may be written to it.
  private func target() throws -> TemplateTarget {
    let target: TemplateTarget
    do throws(TemplateTarget.NoFolder) {
      target = try TemplateTarget(folder, from: Invocation.folder)
    } catch {
      fail("\(error.path) is a file, not a folder", "name a folder")
      throw Sluice.ExitCode.usage
    }
    guard let project = target.project else { return target }
    let file = target.shown(project.resolvingChild(ProjectConfiguration.fileName))
    if project != target.folder {
      // In the folder of a nested project, commands would not find the outer project.
      fail(
        "\(folder == "." ? "this folder" : folder) is already inside a project: \(file)",
        """
        name a folder outside that project. To add a suite, add a folder under its prompts/. To \
        add the files for CI:
          \(command(for: target.shown(project), ci: ci.isEmpty ? [.github] : ci))
        """
      )
      throw Sluice.ExitCode.usage
    }
    if ci.isEmpty {
      fail(
        "the folder already contains a project: \(file)",
        """
        to add a suite, add a folder under prompts/; to add the files for CI:
          \(command(for: folder, ci: [.github]))
        """
      )
      throw Sluice.ExitCode.usage
    }
    return target
  }

  /// Returns the files to write, with their paths relative to the root of the target's file system.
  private func wanted(_ target: TemplateTarget) -> [TemplateFile] {
    var files: [TemplateFile] = []
    func add(_ group: TemplateFile.Group, to folder: ProjectPath) {
      files += TemplateFile.all(of: group).map { file in
        TemplateFile(path: folder.resolvingChild(file.path.description), bytes: file.bytes)
      }
    }
    if target.project == nil { add(.project, to: target.folder) }
    if ci.isEmpty { return files }
    add(.ci, to: target.folder)
    if ci.contains(.preCommit) { add(.hook, to: target.folder) }
    // Keep existing CI files, since users adapt the files that an earlier command wrote.
    if target.project != nil { files.removeAll { target.files.kind(of: $0.path) == .file } }
    for service in Service.allCases where ci.contains(service) {
      files += TemplateFile.all(of: service.group).map { $0.placed(for: target) }
    }
    // A team that already uses pre-commit adds an entry to its own file; `hookEntry` prints it.
    files.removeAll { $0.path.name == Self.hookList && target.files.kind(of: $0.path) == .file }
    return files
  }

  /// Checks that no existing file would be overwritten.
  ///
  /// - Throws: ``ExitCode/usage`` after reporting the existing files.
  private func requireNothing(inTheWayOf plan: TemplatePlan, _ target: TemplateTarget) throws {
    if plan.obstacles.isEmpty { return }
    let lines = plan.obstacles.map { obstacle in
      target.shown(obstacle.path) + (obstacle.what.map { " (\($0))" } ?? "")
    }
    .sorted()
    var free = "evals"
    var number = 1
    while target.files.kind(of: target.folder.resolvingChild(free)) != .missing {
      number += 1
      free = "evals-\(number)"
    }
    fail(
      "existing files are in the way, so nothing was written:\n"
        + lines.map { "    \($0)" }.joined(separator: "\n"),
      target.project == nil
        ? """
        move them away, or use a new folder:
          \(command(for: target.shown(target.folder.resolvingChild(free)), ci: ci))
        """
        : "move them away, then run the command again"
    )
    throw Sluice.ExitCode.usage
  }

  /// The file with the hooks of pre-commit.
  private static let hookList = ".pre-commit-config.yaml"

  // MARK: Words

  /// Returns the entry to add to an existing file of pre-commit, with its introduction.
  ///
  /// Returns an empty text if the file already runs the script, as it does after this command has
  /// written it.
  private func hookEntry(_ target: TemplateTarget) -> String {
    let script = "scripts/sluice-pre-commit"
    var text = ""
    for file in TemplateFile.all(of: .preCommit).map({ $0.placed(for: target) }) {
      guard let there = try? target.files.read(file.path) else { continue }
      if String(decoding: there, as: UTF8.self).contains(script) { continue }
      let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
      let entry = lines.drop { $0 != "repos:" }.dropFirst().joined(separator: "\n")
      text += """

        \(TerminalText.visible(target.shown(file.path))) was not changed.
        Add this entry to its list 'repos:':

        \(entry)

        """
    }
    return text
  }

  private func command(for folder: String, ci: [Service]) -> String {
    let options = Service.allCases.filter(ci.contains).map { " --ci \($0.rawValue)" }.joined()
    return "sluice init\(options)\(folder == "." ? "" : " " + ShellText.quoted(folder))"
  }

  private func fail(_ what: String, _ fix: String) {
    func visible(_ text: String) -> String {
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { TerminalText.visible(String($0)) }.joined(separator: "\n")
    }
    Console.error("sluice: error: \(visible(what))\n  fix: \(visible(fix))\n")
  }

  private func text(_ plan: TemplatePlan, _ target: TemplateTarget) -> String {
    func list(_ title: String, _ files: [TemplateFile]) -> String {
      if files.isEmpty { return "" }
      var lines: [String] = []
      for file in files {
        // Show one line for all schemas, since users do not edit them.
        let isSchema = FileSchema.folder.description.isSuffix(of: file.path.folder)
        let path = target.shown(isSchema ? file.path.folder : file.path)
        let line = "  \(TerminalText.visible(path))\(isSchema ? "/" : "")\n"
        if lines.last != line { lines.append(line) }
      }
      return title + "\n" + lines.joined()
    }
    var text = list("Wrote", plan.new) + list("Added lines to", plan.added)
    if text.isEmpty { text = "All files already exist.\n" }
    var next: [String] = []
    if target.project == nil {
      text += """

        The recorded answers come from a rule-based stand-in, not from a model.
        sluice.yaml explains how to use a real model.

        """
      if folder != "." { next.append("cd \(ShellText.quoted(folder))") }
      next += ["sluice run", "less reports/latest/report.md"]
    }
    if !ci.isEmpty {
      let scripts = TemplateFile.all(of: .ci).map {
        target.shown(target.folder.resolvingChild($0.path.description))
      }
      text += """

        \(TerminalText.visible(scripts.joined(separator: ", "))) installs sluice. Fill in either
        SLUICE_RELEASE and SLUICE_RELEASE_SHA256, or SLUICE_URL and SLUICE_REF there, then commit.

        """
      if ci.contains(.preCommit) {
        text += hookEntry(target)
        next.append("pre-commit install")
      }
    }
    if next.isEmpty { return text }
    return text + "\nNext:\n" + next.map { "  \(TerminalText.visible($0))\n" }.joined()
  }
}

extension String {
  /// Returns true if the path of `folder` ends with this path.
  fileprivate func isSuffix(of folder: ProjectPath) -> Bool {
    folder.description == self || folder.description.hasSuffix("/" + self)
  }
}

extension TemplateFile {
  /// Returns a CI service's file at the path that the service reads, adapted to the project's
  /// folder.
  fileprivate func placed(for target: TemplateTarget) -> TemplateFile {
    let folder = target.folder.reference(from: target.repository)
    func quoted(_ text: String) -> String {
      String(decoding: JSONWriter.canonical(.string(text)), as: UTF8.self)
    }
    func inside(_ path: String) -> String { folder == "." ? path : "\(folder)/\(path)" }
    var text = String(decoding: bytes, as: UTF8.self)
    text.replace(#"PROJECT: ".""#, with: "PROJECT: \(quoted(folder))")
    text.replace(
      #""scripts/sluice-pre-commit""#,
      with: quoted(inside("scripts/sluice-pre-commit"))
    )
    text.replace(#""scripts/install-sluice""#, with: quoted(inside("scripts/install-sluice")))
    return TemplateFile(
      path: target.repository.resolvingChild(path.description),
      bytes: Array(text.utf8)
    )
  }
}
