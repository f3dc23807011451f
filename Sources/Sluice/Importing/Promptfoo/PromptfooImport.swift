package import SluiceReporting

/// The import of a promptfoo configuration as a suite, with a report on the parts that are left
/// out.
///
/// Code in the configuration is never run.
package struct PromptfooImport {
  /// The reason why nothing can be imported.
  package struct Failure: Error {
    package var diagnostics: [Diagnostic]
  }

  /// The files of a suite, and the report.
  package struct Result: Sendable {
    package var name: String
    /// All files except `sluice.yaml`.
    package var files: [ImportPlan.File]
    /// The backends that `sluice.yaml` must define.
    package var backends: [ImportedBackend]
    package var report: ImportReport
    /// The ids of the cases by their test variables, for finding the case that a result answers.
    var casesByVariables: [JSONValue: [String]] = [:]
    /// The names of the prompts, in the order in which results number them.
    var promptNames: [String] = []
    /// The lines for `sluice.yaml` that define backends for imported answers; empty if there are
    /// none.
    package var outputLines = ""
  }

  private let context: PromptfooContext
  private let root: Node
  private let name: String

  /// The file extensions of configurations that are programs, which cannot be imported.
  private static let programs = ["js", "cjs", "mjs", "ts", "cts", "mts", "py"]

  /// Reads a configuration.
  ///
  /// - Parameters:
  ///   - path: The configuration.
  ///   - files: The files of the configuration's folder, or of a parent folder.
  ///   - name: The name of the suite, or `nil` to derive it from the folder.
  /// - Returns: The files and the report.
  /// - Throws: ``Failure`` if the file is not a configuration.
  package static func read(
    _ path: ProjectPath,
    from files: any FileSystem,
    name: String? = nil
  ) throws(Failure) -> Result {
    let context = PromptfooContext(files, configuration: path)
    let root = try Self.root(path, context)
    let name = name ?? usualName(path, files)
    return PromptfooImport(context: context, root: root, name: name).result()
  }

  /// Returns the default name of the suite, made from the names of the folder and of the file.
  ///
  /// From the file name, the extension and `promptfooconfig` are removed. For example,
  /// `replies/promptfooconfig.short.yaml` gives `replies-short`.
  package static func usualName(_ path: ProjectPath, _ files: any FileSystem) -> String {
    var folder = path.folder.name
    if folder == "." || folder == ".." {
      folder = files.diskRoot.map { ProjectPath($0).name } ?? "."
    }
    var stem = path.stem.replacing("promptfooconfig", with: "")
    while let first = stem.first, "._-".contains(first) { stem.removeFirst() }
    while let last = stem.last, "._-".contains(last) { stem.removeLast() }
    let parts = [folder == "." || folder == "/" ? "" : folder, stem].filter { !$0.isEmpty }
    return Identifier.made(of: parts.joined(separator: "-").lowercased()) ?? "promptfoo"
  }

  private static func root(_ path: ProjectPath, _ context: PromptfooContext) throws(Failure) -> Node
  {
    func failure(_ message: String, fix: String?) -> Failure {
      Failure(diagnostics: [Diagnostic(path: path.description, message: message, fix: fix)])
    }
    if programs.contains(path.pathExtension) {
      throw failure(
        "the configuration is a program, which an import never runs",
        fix:
          "write it as YAML, or use the results of `promptfoo eval -o out.json`, which contain "
          + "the configuration"
      )
    }
    let bytes: [UInt8]
    do throws(ImportSource.Fault) {
      bytes = try context.source.bytes(path)
    } catch {
      switch error {
      case .missing: throw failure("file not found: \(path)", fix: nil)
      case .unreadable(let reason): throw failure("cannot be read: \(reason)", fix: nil)
      }
    }
    let collector = DiagnosticCollector()
    let file = SourceFile(path: path.description, bytes: bytes)
    var found: Node?
    if path.pathExtension == "json" {
      do throws(JSONSyntaxError) {
        found = try JSONReader.node(bytes)
      } catch {
        collector.error(
          "not valid JSON: \(error.message)",
          in: file,
          at: SourcePosition(offset: error.offset, in: bytes)
        )
      }
    } else {
      let read = YAMLReader.read(bytes, mergesKeys: true)
      found = read.root
      for problem in read.problems {
        collector.error(problem.message, in: file, at: problem.position, fix: problem.fix)
      }
    }
    if collector.hasErrors { throw Failure(diagnostics: collector.diagnostics) }
    guard let found else { throw failure("the file is empty", fix: nil) }
    let keys = ["prompts", "providers", "targets", "tests", "scenarios", "defaultTest"]
    guard found.members != nil, keys.contains(where: { found[$0] != nil }) else {
      throw failure(
        "it is not a promptfoo configuration: it has none of \(keys.joined(separator: ", "))",
        fix: "name the configuration file of promptfoo, usually promptfooconfig.yaml"
      )
    }
    return resolvingReferences(in: found, context)
  }

  /// Returns the tree, with each reference such as `$ref: '#/…'` replaced by its value.
  private static func resolvingReferences(in root: Node, _ context: PromptfooContext) -> Node {
    var budget = 100_000
    func target(_ pointer: String) -> Node? {
      guard pointer.hasPrefix("#/") else { return nil }
      var node = root
      for step in pointer.dropFirst(2).split(separator: "/") {
        let key = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
        if let elements = node.elements, let index = Int(key), elements.indices.contains(index) {
          node = elements[index]
        } else if let next = node[key] {
          node = next
        } else {
          return nil
        }
      }
      return node
    }
    func resolved(_ node: Node, depth: Int) -> Node {
      budget -= 1
      guard budget > 0, depth < 100 else { return node }
      switch node.value {
      case .sequence(let nodes):
        return Node(
          position: node.position,
          value: .sequence(nodes.map { resolved($0, depth: depth + 1) })
        )
      case .mapping(let members):
        if members.count == 1, members[0].key == "$ref", let pointer = members[0].value.string {
          if let found = target(pointer) {
            var inner = resolved(found, depth: depth + 1)
            inner.position = node.position
            return inner
          }
          context.report(
            .leftOut,
            .testCase,
            .init(context.configuration, node.position),
            "the target of the reference '\(pointer)' is not in this file",
            nearest: "replace the reference with its target"
          )
        }
        return Node(
          position: node.position,
          value: .mapping(
            members.map {
              Node.Member(
                key: $0.key,
                keyPosition: $0.keyPosition,
                value: resolved($0.value, depth: depth + 1)
              )
            }
          )
        )
      default: return node
      }
    }
    return resolved(root, depth: 0)
  }

  // MARK: The suite

  private func result() -> Result {
    reportSettings()
    var testReader = PromptfooTestReader(context)
    testReader.read(root)
    let defaults = testReader.defaults
    var promptReader = PromptfooPromptReader(context)
    promptReader.read(
      root,
      prefix: defaults.options?.node.text("prefix") ?? "",
      suffix: defaults.options?.node.text("suffix") ?? ""
    )
    var providers = PromptfooProviders(context)
    providers.read(root)
    var builder = PromptfooSuiteBuilder(
      context,
      name: name,
      description: root.text("description"),
      repetitions: repetitions,
      defaults: defaults,
      providers: providers
    )
    builder.build(testReader, promptReader)
    return builder.result()
  }

  private var repetitions: Int {
    for key in ["evaluateOptions", "commandLineOptions"] {
      if let number = root[key]?.number("repeat"), let count = Int(exactly: number), count > 0 {
        return min(count, 10_000)
      }
    }
    return 1
  }

  /// Reports the unsupported keys of the configuration.
  private func reportSettings() {
    let path = context.configuration
    for member in root.members ?? [] {
      let place = PromptfooContext.Place(path, member.keyPosition)
      switch member.key {
      case "description", "prompts", "providers", "targets", "tests", "scenarios", "defaultTest",
        "$schema", "assertionTemplates":
        break
      case "evaluateOptions", "commandLineOptions":
        for option in member.value.members ?? [] where option.key != "repeat" {
          context.report(
            .note,
            .setting,
            .init(path, option.keyPosition),
            "'\(option.key)' is left out; it controls the run, not the measurement"
          )
        }
      case "outputPath", "sharing", "writeLatestResults", "tags", "metadata", "env", "outputs",
        "options", "redteam", "tracing":
        context.report(
          .note,
          .setting,
          place,
          "'\(member.key)' is left out; it does not affect any imported prompt, case or assertion"
        )
      case "nunjucksFilters":
        context.report(
          .note,
          .setting,
          place,
          "'nunjucksFilters' is left out, and so are prompts that use filters"
        )
      case "extensions":
        context.report(
          .leftOut,
          .testCase,
          place,
          "'extensions': these programs may change tests before a run",
          nearest: "write the tests as these programs change them"
        )
      default:
        context.report(.leftOut, .testCase, place, "unknown key '\(member.key)'")
      }
    }
  }

  private init(context: PromptfooContext, root: Node, name: String) {
    (self.context, self.root, self.name) = (context, root, name)
  }
}
