import SluiceReporting

/// The reader of the files to import, with limits on their size and location.
struct ImportSource {
  /// The reason why a file cannot be read.
  enum Fault: Error {
    case missing
    case unreadable(String)
  }

  let files: any FileSystem
  /// The files read so far, by path.
  private var cache: [ProjectPath: [UInt8]] = [:]

  /// The maximum size of a file in bytes.
  static let maximumBytes = 64 << 20

  init(_ files: any FileSystem) { self.files = files }

  /// Reads a file.
  ///
  /// - Parameter path: The path, which must be inside the imported folder.
  /// - Returns: The bytes, without a byte-order mark.
  /// - Throws: The reason why the file cannot be read.
  mutating func bytes(_ path: ProjectPath) throws(Fault) -> [UInt8] {
    if let bytes = cache[path] { return bytes }
    guard path.isInsideRoot else {
      throw .unreadable("it is outside the folder that the import reads")
    }
    switch files.kind(of: path) {
    case .missing: throw .missing
    case .folder: throw .unreadable("it is a folder")
    case .linkOutOfRoot: throw .unreadable("it is a link that leads outside the folder")
    case .file: break
    }
    do throws(FileError) {
      let contents = try files.open(path)
      guard contents.count <= Self.maximumBytes else {
        throw FileError(path: path, reason: "larger than \(Self.maximumBytes >> 20) MiB")
      }
      var bytes = contents.bytes(0..<contents.count)
      if UTF8Text.startsWithByteOrderMark(bytes) { bytes.removeFirst(3) }
      if cache.count < 200 { cache[path] = bytes }
      return bytes
    } catch {
      throw .unreadable(error.reason)
    }
  }

  /// Reads a text file.
  mutating func text(_ path: ProjectPath) throws(Fault) -> String {
    let bytes = try bytes(path)
    if UTF8Text.firstInvalidByte(in: bytes) != nil { throw .unreadable("it is not UTF-8") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a YAML or JSON file as a tree of nodes.
  mutating func tree(_ path: ProjectPath) throws(Fault) -> Node {
    let bytes = try bytes(path)
    if path.pathExtension == "json" {
      do throws(JSONSyntaxError) {
        return try JSONReader.node(bytes)
      } catch {
        throw .unreadable("it is not JSON: \(error.message)")
      }
    }
    let (root, problems) = YAMLReader.read(bytes, mergesKeys: true)
    guard problems.isEmpty, let root else {
      throw .unreadable(
        problems.first.map { "line \($0.position.line): \($0.message)" } ?? "it is empty"
      )
    }
    return root
  }

  /// Returns the files in a folder that match a pattern with `*` in its last component, sorted.
  func matches(_ pattern: ProjectPath) -> [ProjectPath] {
    let parts = pattern.name.split(separator: "*", omittingEmptySubsequences: false).map(
      String.init
    )
    guard parts.count == 2, !pattern.folder.description.contains("*") else { return [] }
    return files.names(in: pattern.folder).filter {
      $0.hasPrefix(parts[0]) && $0.hasSuffix(parts[1])
        && $0.count >= parts[0].count + parts[1].count
        && !$0.hasPrefix(".")
    }
    .map(pattern.folder.resolvingChild)
  }
}

extension String {
  /// The lines of the text, separated by any kind of line break.
  ///
  /// If the text ends with a line break, the last line is empty.
  var lines: [String] {
    unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.last == "\r" ? line.dropLast() : line)
    }
  }

  /// The text without its last line feed, if it ends with one.
  var withoutLastBreak: String {
    unicodeScalars.last == "\n" ? String(unicodeScalars.dropLast()) : self
  }
}
