package import SluiceSupport

/// The files of a project.
///
/// This type finds and reads files, and reports files that are missing or unreadable.
package final class ProjectFiles {
  /// The name of the file that marks a project's root.
  package static let configurationName = "sluice.yaml"

  package let system: any FileSystem
  package let diagnostics: DiagnosticCollector
  /// The folders outside of the root that `sluice.yaml` lists under `allow-folders`.
  ///
  /// Nil if `sluice.yaml` could not be read. References to files outside of the root are then
  /// ignored.
  package var allowedFolders: [ProjectPath]? = []
  /// True if ``allowedFolders`` do not count.
  package var isConfined: Bool
  private var cache: [ProjectPath: SourceFile] = [:]

  package init(_ system: any FileSystem, diagnostics: DiagnosticCollector) {
    self.system = system
    isConfined = system.isConfined
    self.diagnostics = diagnostics
  }

  /// Returns an object that reads the same files but reports errors to another collector.
  package func reporting(to diagnostics: DiagnosticCollector) -> ProjectFiles {
    let files = ProjectFiles(system, diagnostics: diagnostics)
    files.allowedFolders = allowedFolders
    files.isConfined = isConfined
    files.cache = cache
    return files
  }

  // MARK: References

  /// The reason why a reference does not lead to a readable file, with the fix.
  package struct Fault: Error {
    package var message: String
    package var fix: String?
  }

  /// Returns the file that a reference leads to.
  ///
  /// If the reference is not allowed, or the file does not exist, reports an error and returns nil.
  ///
  /// - Parameters:
  ///   - reference: The reference.
  ///   - file: The file that contains the reference.
  ///   - position: The position of the reference.
  ///   - otherwise: The fix for a missing file if no file has a similar name.
  /// - Returns: The path.
  package func resolve(
    _ reference: String,
    in file: SourceFile,
    at position: SourcePosition,
    otherwise: String? = nil
  ) -> ProjectPath? {
    let folder = ProjectPath(file.path).folder
    let scheme = "file://"
    if reference.hasPrefix(scheme) {
      diagnostics.error(
        "'\(reference)' is not a path",
        in: file,
        at: position,
        fix: "write '\(reference.dropFirst(scheme.count))', a path relative to this file"
      )
      return nil
    }
    let path = ProjectPath(file.path).resolving(reference)
    if allowedFolders == nil, !path.isInsideRoot || system.kind(of: path) == .linkOutOfRoot {
      return nil
    }
    do throws(Fault) {
      try check(path, writtenAs: reference, from: folder)
      return path
    } catch {
      // The author may have written the reference relative to the project's root.
      let fromRoot = ProjectPath(reference)
      let isText = reference.contains("{{") || reference.contains("\n")
      let isFromRoot = system.kind(of: path) == .missing && system.kind(of: fromRoot) == .file
      diagnostics.error(
        error.message,
        in: file,
        at: position,
        fix: isFromRoot && fromRoot.isInsideRoot
          ? "write '\(fromRoot.reference(from: folder))', a path relative to this file"
          : isText
            ? "write the text to a file, and name that file here"
            : error.fix ?? (system.kind(of: path) == .missing ? otherwise : nil)
      )
      return nil
    }
  }

  /// Checks that a file exists at a path, and that the project may read it.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - reference: The path as it is written.
  ///   - folder: The folder to which a suggested path is relative.
  /// - Throws: ``Fault`` if the path is not allowed or cannot be read.
  package func check(_ path: ProjectPath, writtenAs reference: String, from folder: ProjectPath)
    throws(Fault)
  {
    if reference.isEmpty { throw Fault(message: "an empty string is not the name of a file") }
    let isListed = (allowedFolders ?? []).contains { path.isInside($0) }
    let isAllowed = isListed && !isConfined
    let leadsOut = !path.isInsideRoot || system.kind(of: path) == .linkOutOfRoot
    if isListed, leadsOut, isConfined {
      throw Fault(
        message: "'\(reference)' leads outside the project, and for agents and pull requests "
          + "'allow-folders' does not count",
        fix: "move the file into the project; or, if that folder may be read, add --allow-folders "
          + "to the command (for agents: sluice mcp --allow-folders)"
      )
    }
    guard path.isInsideRoot || isAllowed else {
      throw Fault(
        message: "'\(reference)' is outside the project",
        fix:
          "move the file into the project, or list its folder under 'allow-folders' in sluice.yaml"
      )
    }
    if isAllowed, system.kind(of: path) == .linkOutOfRoot { return }
    try checkFile(path, writtenAs: reference, from: folder)
  }

  /// Checks that a file exists at a path, inside or outside of the project.
  package func checkFile(_ path: ProjectPath, writtenAs reference: String, from folder: ProjectPath)
    throws(Fault)
  {
    switch system.kind(of: path) {
    case .file: return
    case .linkOutOfRoot:
      throw Fault(
        message: "'\(reference)' is a link that leads outside the project",
        fix: "copy the file into the project, or list the folder that contains the link under "
          + "'allow-folders' in sluice.yaml"
      )
    case .folder: throw Fault(message: "'\(reference)' is a folder, not a file")
    case .missing:
      throw Fault(
        message: "file not found: \(path)",
        fix: nearest(path).map { "did you mean '\($0.reference(from: folder))'?" }
      )
    }
  }

  /// Returns the existing file that the author most likely meant by the path of a missing file.
  ///
  /// Only files in the same folder are candidates. Names are compared without their extensions.
  private func nearest(_ path: ProjectPath) -> ProjectPath? {
    // A link whose target is missing counts as missing, too, and must not be suggested.
    let others = system.names(in: path.folder).filter { $0 != path.name }
      .map(path.folder.resolvingChild)
    guard let stem = NearestName.of(path.stem, among: others.map(\.stem)) else { return nil }
    let found = others.filter { $0.stem == stem }
    return found.first { $0.pathExtension == path.pathExtension } ?? found.first
  }

  // MARK: Reading

  /// Returns the file at a path; nil, with an error reported, if it cannot be read.
  package func read(_ path: ProjectPath) -> SourceFile? {
    if let file = cache[path] { return file }
    do throws(FileError) {
      let file = SourceFile(path: path.description, bytes: try system.read(path))
      if file.contents.count > FileLimits.maximumLineBytes, refuseLongLines(in: file) { return nil }
      cache[path] = file
      return file
    } catch {
      diagnostics.report(
        Diagnostic(path: path.description, message: "cannot be read: \(error.reason)")
      )
      return nil
    }
  }

  /// Reports the overlong lines of a file; returns true if there are any.
  private func refuseLongLines(in file: SourceFile) -> Bool {
    var isRefused = false
    forEachLine(of: file) { _ in
      isRefused = true
    } body: { _, _, _ in
    }
    return isRefused
  }

  /// Calls a closure for each line of a file.
  ///
  /// Overlong lines are reported, and not kept in memory.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - refused: Receives the number of each reported line, from 1.
  ///   - body: Receives the bytes of each other line without its line break, the line's offset in
  ///     bytes, and the line's number.
  package func forEachLine(
    of file: SourceFile,
    refused: (Int) -> Void = { _ in },
    body: (UnsafeRawBufferPointer, Int, Int) -> Void
  ) {
    var number = 0
    file.contents.forEachLine(upTo: FileLimits.maximumLineBytes) { line, start in
      number += 1
      switch line {
      case .whole(let bytes): body(bytes, start, number)
      case .tooLong:
        diagnostics.error(
          "the line is longer than the limit of \(FileLimits.maximumLineBytes >> 20) MiB",
          in: file,
          at: SourcePosition(line: number, column: 1),
          fix: "shorten the texts in this line"
        )
        refused(number)
      }
      return true
    }
  }

  /// Returns the file at a path without reading its contents into memory; nil, with an error
  /// reported, if the file cannot be read.
  package func open(_ path: ProjectPath) -> SourceFile? {
    do throws(FileError) {
      return SourceFile(path: path.description, contents: try system.open(path))
    } catch {
      diagnostics.report(
        Diagnostic(path: path.description, message: "cannot be read: \(error.reason)")
      )
      return nil
    }
  }

  /// Reads a YAML file, or a JSON file if the extension is `json`.
  ///
  /// Returns the root node and the file; nil, with errors reported, if there is no valid root node.
  package func readTree(_ path: ProjectPath) -> (root: Node, file: SourceFile)? {
    guard let file = read(path) else { return nil }
    if path.pathExtension == "json" {
      return readJSON(file.bytes[...], in: file).map { ($0, file) }
    }
    let (root, problems) = YAMLReader.read(file.bytes)
    for problem in problems {
      // A fix for `sluice.yaml` must not repeat a line, because the line may contain a secret.
      let fix = file.path == Self.configurationName ? problem.fixWithoutLine : nil
      diagnostics.error(problem.message, in: file, at: problem.position, fix: fix ?? problem.fix)
    }
    guard let root else {
      if problems.isEmpty {
        diagnostics.report(Diagnostic(path: file.path, message: "the file is empty"))
      }
      return nil
    }
    return (root, file)
  }

  /// Returns a file and its text; nil, with an error reported, if the file cannot be read or is not
  /// UTF-8.
  ///
  /// CRLF becomes LF, as in YAML, so that a text is the same in every checkout. The returned text
  /// does not include the final line break or a byte-order mark.
  package func readText(_ path: ProjectPath) -> (text: String, file: SourceFile)? {
    guard let file = read(path) else { return nil }
    var bytes = file.bytes
    if let offset = UTF8Text.firstInvalidByte(in: bytes) {
      let position = SourcePosition(offset: offset, in: bytes)
      diagnostics.error("not valid UTF-8", in: file, at: position, fix: "save the file as UTF-8")
      return nil
    }
    if UTF8Text.startsWithByteOrderMark(bytes) { bytes.removeFirst(3) }
    if bytes.contains(0x0D) {
      bytes = zip(bytes, bytes.dropFirst() + [0]).filter { $0 != (0x0D, 0x0A) }.map(\.0)
    }
    if bytes.last == 0x0A { bytes.removeLast() }
    return (String(decoding: bytes, as: UTF8.self), file)
  }

  /// Returns the value of a JSON text; nil, with errors reported, if the text is invalid.
  ///
  /// The text is a whole file, or the given line of a JSONL file.
  package func readJSON(_ bytes: ArraySlice<UInt8>, line: Int = 1, in file: SourceFile) -> Node? {
    let hasMark = line == 1 && UTF8Text.startsWithByteOrderMark(bytes)
    let text = hasMark ? bytes.dropFirst(3) : bytes
    func refuse(_ message: String, at offset: Int, fix: String? = nil) {
      var position = SourcePosition(offset: offset, in: Array(text))
      position.line += line - 1
      diagnostics.error(message, in: file, at: position, fix: fix)
    }
    if let offset = UTF8Text.firstInvalidByte(in: text) {
      refuse("not valid UTF-8", at: offset, fix: "save the file as UTF-8")
      return nil
    }
    do throws(JSONSyntaxError) {
      let node = try JSONReader.node(text, line: line)
      reportDuplicates(in: node, file)
      return node
    } catch {
      refuse(
        "not valid JSON: \(error.message)",
        at: error.offset,
        fix: JSONSlip.fix(text, at: error.offset)
      )
      return nil
    }
  }

  /// Reports repeated keys of objects.
  ///
  /// JSON allows repeated keys, but parsers treat them differently.
  private func reportDuplicates(in node: Node, _ file: SourceFile) {
    if case .sequence(let elements) = node.value {
      for element in elements { reportDuplicates(in: element, file) }
    }
    for member in node.members ?? [] { reportDuplicates(in: member.value, file) }
    diagnostics.reportDuplicates(in: node, file)
  }
}
