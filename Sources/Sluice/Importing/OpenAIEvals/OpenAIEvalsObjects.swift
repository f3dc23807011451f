import SluiceReporting

/// Objects saved from OpenAI's hosted Evals, as read from the files of a folder.
///
/// The member `object` of each object names its kind.
struct OpenAIEvalsObjects {
  /// An object with the file that contains it.
  struct Located {
    var value: JSONValue
    var path: ProjectPath
  }

  private(set) var evals: [Located] = []
  private(set) var runs: [Located] = []
  private(set) var items: [Located] = []
  /// The rows of saved data files, by file name without the extension.
  private(set) var rows: [String: [JSONValue]] = [:]
  private(set) var findings: [ImportReport.Finding] = []
  private(set) var fileCount = 0

  private static let maximumFiles = 20_000
  private static let maximumDepth = 8
  private static let maximumObjects = 1_000_000

  // MARK: Files

  /// Reads all JSON and JSONL files in a folder and its subfolders.
  mutating func read(_ folder: ProjectPath, _ files: any FileSystem, depth: Int = 0) {
    guard depth <= Self.maximumDepth else {
      return report(.leftOut, folder, "the folder is nested too deeply")
    }
    for name in files.names(in: folder) where !name.hasPrefix(".") {
      let path = folder.resolvingChild(name)
      switch files.kind(of: path) {
      case .folder: read(path, files, depth: depth + 1)
      case .linkOutOfRoot: report(.leftOut, path, "a link that leads outside the folder")
      case .file where ["json", "jsonl", "ndjson"].contains(path.pathExtension):
        fileCount += 1
        guard fileCount <= Self.maximumFiles else {
          return report(.leftOut, path, "more than \(Self.maximumFiles) files")
        }
        readFile(path, files)
      default: break
      }
    }
  }

  private mutating func report(
    _ kind: ImportReport.Finding.Kind,
    _ path: ProjectPath,
    _ message: String,
    _ position: SourcePosition? = nil,
    nearest: String? = nil
  ) {
    findings.append(
      .init(
        kind,
        .testCase,
        path: path.description,
        position: position,
        message: message,
        nearest: nearest
      )
    )
  }

  private mutating func readFile(_ path: ProjectPath, _ files: any FileSystem) {
    let contents: FileContents
    do throws(FileError) {
      contents = try files.open(path)
    } catch {
      return report(.leftOut, path, "cannot be read: \(error.reason)")
    }
    if path.pathExtension != "json" { return readLines(contents, path) }
    guard contents.count <= 256 << 20 else { return report(.leftOut, path, "larger than 256 MiB") }
    var bytes = contents.bytes(0..<contents.count)
    if UTF8Text.startsWithByteOrderMark(bytes) { bytes.removeFirst(3) }
    do throws(JSONSyntaxError) {
      add(try JSONReader.value(bytes), path)
    } catch {
      // If the file is not a JSON document, it may contain one object per line in spite of its
      // extension.
      let position = SourcePosition(offset: error.offset, in: bytes)
      if position.line > 1, bytes.first == UInt8(ascii: "{"),
        error.message == "text after the end of the JSON value"
      {
        return readLines(FileContents(bytes), path)
      }
      report(.leftOut, path, "not valid JSON: \(error.message)", position)
    }
  }

  private mutating func readLines(_ contents: FileContents, _ path: ProjectPath) {
    var number = 0
    contents.forEachLine { line, _ in
      number += 1
      let position = SourcePosition(line: number, column: 1)
      if line.allSatisfy({ $0 <= 0x20 }) { return }
      guard line.count <= FileLimits.maximumLineBytes else {
        return report(
          .leftOut,
          path,
          "the line is longer than \(FileLimits.maximumLineBytes >> 20) MiB",
          position
        )
      }
      do throws(JSONSyntaxError) {
        add(try JSONReader.value(line), path)
      } catch {
        report(.leftOut, path, "not valid JSON: \(error.message)", position)
      }
    }
  }

  // MARK: Objects

  private mutating func add(_ value: JSONValue, _ path: ProjectPath, depth: Int = 0) {
    guard depth < 6, evals.count + runs.count + items.count < Self.maximumObjects else { return }
    if case .array(let elements) = value {
      for element in elements { add(element, path, depth: depth + 1) }
      return
    }
    let located = Located(value: value, path: path)
    switch value["object"]?.string {
    case "list":
      for element in value["data"]?.array ?? [] { add(element, path, depth: depth + 1) }
      notePage(value, path)
    case "eval": if isNew(value) { evals.append(located) }
    case "eval.run": if isNew(value) { runs.append(located) }
    case "eval.run.output_item": if isNew(value) { items.append(located) }
    case let other?:
      report(.leftOut, path, "an object '\(other)', which is not an object of the hosted Evals")
    case nil:
      // An object without a kind is a row of a data file, which runs refer to by id.
      guard value["item"]?.object != nil else {
        return report(.leftOut, path, "JSON without 'object' and without 'item'")
      }
      rows[path.stem, default: []].append(value)
    }
  }

  /// For each list of objects, a page that is followed by another page: its file and its last id.
  ///
  /// `hasLast` is true if the last page of the list was read.
  private var pages: [String: (hasLast: Bool, path: ProjectPath, last: String)] = [:]
  private var seen: Set<String> = []

  /// Returns true if the object was not already read from another file.
  private mutating func isNew(_ value: JSONValue) -> Bool {
    guard let id = value["id"]?.string else { return true }
    return seen.insert("\(value["object"]?.string ?? "") \(id)").inserted
  }

  private mutating func notePage(_ page: JSONValue, _ path: ProjectPath) {
    let first = page["data"]?.array?.first
    let owner = first?["run_id"]?.string ?? (first?["eval_id"]?.string ?? "")
    let key = "\(first?["object"]?.string ?? "") \(owner)"
    let hasMore = page["has_more"]?.bool == true
    var known = pages[key] ?? (false, path, "")
    if hasMore { (known.path, known.last) = (path, page["last_id"]?.string ?? "") }
    known.hasLast = known.hasLast || !hasMore
    pages[key] = known
  }

  /// Reports lists of objects whose last page was not found.
  mutating func reportMissingPages() {
    for (_, page) in pages.sorted(by: { $0.key < $1.key }) where !page.hasLast {
      report(
        .leftOut,
        page.path,
        "the pages after this one are not in the folder",
        nearest: "also save the next page, with 'after=\(page.last)' in its address"
      )
    }
  }
}
