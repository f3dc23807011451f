internal import CProjectTemplate
internal import Sluice

/// A file that `sluice init` writes.
struct TemplateFile {
  /// The files that are written together, one folder of `Sources/CProjectTemplate/Files` per group.
  enum Group: String {
    /// A project with one suite, its recordings included.
    case project
    /// The files for every CI service.
    case ci
    case github, gitlab
    case preCommit = "pre-commit"
    /// The script that the hook of a commit runs.
    case hook
  }

  /// The path in the folder that the group is written to.
  var path: ProjectPath
  var bytes: [UInt8]

  /// Returns the files of a group, in display order.
  static func all(of group: Group) -> [TemplateFile] {
    (0..<template_file_count).compactMap { index in
      guard let file = template_file_at(index)?.pointee, let path = file.path else { return nil }
      let place = String(cString: path)
      guard place.hasPrefix(group.rawValue + "/") else { return nil }
      return TemplateFile(
        path: ProjectPath(String(place.dropFirst(group.rawValue.count + 1))),
        bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
      )
    }
  }

  /// True when the lines may be added to an existing file, as for git's pattern files.
  var isListOfPatterns: Bool { [".gitignore", ".gitattributes"].contains(path.name) }

  /// Returns true if a text has all patterns of the file.
  func isHeld(by bytes: [UInt8]) -> Bool {
    func lines(_ bytes: [UInt8]) -> [Substring] {
      String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    }
    let there = Set(lines(bytes))
    return lines(self.bytes).allSatisfy { $0.hasPrefix("#") || there.contains($0) }
  }

  /// Returns the lines in the form in which they are added to a file.
  func lines(behind bytes: [UInt8]) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    guard let last = bytes.last else { return self.bytes }
    return (last == newline ? [newline] : [newline, newline]) + self.bytes
  }
}
