package import SluiceSupport

/// Reads the files that the project's own files refer to, and reports those that cannot be read.
package final class ProjectFiles {
  /// The name of the file that marks a project's root.
  package static let configurationName = "sluice.yaml"

  package let system: any FileSystem
  package let diagnostics: DiagnosticCollector
  /// Folders outside of the root that `sluice.yaml` allows references into; nil when it could not be
  /// read, and nothing outside is followed or blamed.
  package var allowedFolders: [ProjectPath]? = []
  private var cache: [ProjectPath: SourceFile] = [:]

  package init(_ system: any FileSystem, diagnostics: DiagnosticCollector) {
    self.system = system
    self.diagnostics = diagnostics
  }

  /// The same files, with faults reported elsewhere.
  package func reporting(to diagnostics: DiagnosticCollector) -> ProjectFiles {
    let files = ProjectFiles(system, diagnostics: diagnostics)
    files.allowedFolders = allowedFolders
    files.cache = cache
    return files
  }

  // MARK: References

  /// Why a path cannot be followed, and what to do about it.
  package struct Fault: Error {
    package var message: String
    package var fix: String?
  }

  /// Where a reference in a file leads, or nil, with an error reported, when it may not or cannot be
  /// followed.
  ///
  /// - Parameters:
  ///   - reference: The reference.
  ///   - file: The file that it stands in.
  ///   - position: The place of the reference.
  ///   - otherwise: The fix for a file that is missing, where none of a similar name is there.
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
      // Written as seen from the project's root.
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
            ? "write the text into a file, and name that file here"
            : error.fix ?? (system.kind(of: path) == .missing ? otherwise : nil)
      )
      return nil
    }
  }

  /// Checks that there is a file at a path and that the project may read it.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - reference: The path as somebody wrote it.
  ///   - folder: The folder that a better reference would be relative to.
  /// - Throws: ``Fault`` when it may not or cannot be read.
  package func check(_ path: ProjectPath, writtenAs reference: String, from folder: ProjectPath)
    throws(Fault)
  {
    if reference.isEmpty { throw Fault(message: "an empty text names no file") }
    let isAllowed = (allowedFolders ?? []).contains { path.isInside($0) }
    guard path.isInsideRoot || isAllowed else {
      throw Fault(
        message: "'\(reference)' leads out of the project",
        fix:
          "move the file into the project, or list its folder under 'allow-folders' in sluice.yaml"
      )
    }
    if isAllowed, system.kind(of: path) == .linkOutOfRoot { return }
    try checkFile(path, writtenAs: reference, from: folder)
  }

  /// Checks that there is a file at a path, wherever that is.
  package func checkFile(_ path: ProjectPath, writtenAs reference: String, from folder: ProjectPath)
    throws(Fault)
  {
    switch system.kind(of: path) {
    case .file: return
    case .linkOutOfRoot:
      throw Fault(
        message: "'\(reference)' is a link that leads out of the project",
        fix: "copy the file into the project, or list the link's folder under 'allow-folders' in "
          + "sluice.yaml"
      )
    case .folder: throw Fault(message: "'\(reference)' is a folder, not a file")
    case .missing:
      throw Fault(
        message: "file not found: \(path)",
        fix: nearest(path).map { "did you mean '\($0.reference(from: folder))'?" }
      )
    }
  }

  /// The file beside a missing one that most likely is meant, by their names without endings.
  private func nearest(_ path: ProjectPath) -> ProjectPath? {
    // A link that leads nowhere is missing too, and no better than itself.
    let others = system.names(in: path.folder).filter { $0 != path.name }
      .map(path.folder.resolvingChild)
    guard let stem = NearestName.of(path.stem, among: others.map(\.stem)) else { return nil }
    let found = others.filter { $0.stem == stem }
    return found.first { $0.pathExtension == path.pathExtension } ?? found.first
  }

  // MARK: Reading

  /// The file at a path; nil, with an error reported, when it cannot be read.
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

  /// Reports the lines of a file that are too long; true when there are any.
  private func refuseLongLines(in file: SourceFile) -> Bool {
    var isRefused = false
    forEachLine(of: file) { _ in
      isRefused = true
    } body: { _, _, _ in
    }
    return isRefused
  }

  /// Goes through the lines of a file; those that are too long are reported and not held in memory.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - refused: Told the number of each line that was reported, from 1.
  ///   - body: Told each other line without its end, where it starts, and its number.
  package func forEachLine(
    of file: SourceFile,
    refused: (Int) -> Void = { _ in },
    body: (UnsafeRawBufferPointer, Int, Int) -> Void
  ) {
    var number = 0
    file.contents.forEachLine(
      upTo: FileLimits.maximumLineBytes,
      tooLong: { count, _ in
        number += 1
        reportLongLine(count, number, in: file)
        refused(number)
      }
    ) { line, start in
      number += 1
      // A line may be over the limit and still have fitted into a piece.
      guard line.count > FileLimits.maximumLineBytes else { return body(line, start, number) }
      reportLongLine(line.count, number, in: file)
      refused(number)
    }
  }

  private func reportLongLine(_ count: Int, _ number: Int, in file: SourceFile) {
    diagnostics.error(
      "the line has \(count >> 20) MiB, more than \(FileLimits.maximumLineBytes >> 20) MiB",
      in: file,
      at: SourcePosition(line: number, column: 1),
      fix: "shorten the texts on it"
    )
  }

  /// The file at a path, left on the disk; nil, with an error reported, when it cannot be read.
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

  /// The root of a YAML file, or of a JSON file by its name's ending, and the file.
  ///
  /// Returns nil, with errors reported, when there is none.
  package func readTree(_ path: ProjectPath) -> (root: Node, file: SourceFile)? {
    guard let file = read(path) else { return nil }
    if path.pathExtension == "json" {
      return readJSON(file.bytes[...], in: file).map { ($0, file) }
    }
    let (root, problems) = YAMLReader.read(file.bytes)
    for problem in problems {
      // A fix that repeats a line must not repeat a secret in it.
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

  /// The text of a file with the file; nil, with an error reported, when it cannot be read.
  ///
  /// Line breaks are LF however the file has them, as in YAML, so that a text is the same on every
  /// checkout. The line break that ends the file is no part of the text, nor is a byte-order mark.
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

  /// The value of a JSON text that is a file or a line of it; nil, with errors reported, when it is
  /// not valid.
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

  /// Reports members that an object repeats, which JSON allows and readers take differently.
  private func reportDuplicates(in node: Node, _ file: SourceFile) {
    if case .sequence(let elements) = node.value {
      for element in elements { reportDuplicates(in: element, file) }
    }
    for member in node.members ?? [] { reportDuplicates(in: member.value, file) }
    diagnostics.reportDuplicates(in: node, file)
  }
}
