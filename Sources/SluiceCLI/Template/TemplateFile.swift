internal import CProjectTemplate
internal import Sluice

/// A file that `sluice init` writes.
struct TemplateFile {
  /// What is written together: a folder each of `Sources/CProjectTemplate/Files`.
  enum Group: String {
    /// A project with one suite, its recordings included.
    case project
    /// What the files of every CI service need.
    case ci
    case github, gitlab
    case preCommit = "pre-commit"
    /// The script that the hook of a commit runs.
    case hook
  }

  /// Where it goes, in the folder that its group is written to.
  var path: ProjectPath
  var bytes: [UInt8]

  /// The files of a group, in the order in which they are shown.
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

  /// Whether its lines may join those of a file that is there: the files in which git looks for patterns.
  var isListOfPatterns: Bool { [".gitignore", ".gitattributes"].contains(path.name) }

  /// Whether a text has all of its patterns.
  func isHeld(by bytes: [UInt8]) -> Bool {
    func lines(_ bytes: [UInt8]) -> [Substring] {
      String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    }
    let there = Set(lines(bytes))
    return lines(self.bytes).allSatisfy { $0.hasPrefix("#") || there.contains($0) }
  }

  /// Its lines as they are added to a file.
  func lines(behind bytes: [UInt8]) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    guard let last = bytes.last else { return self.bytes }
    return (last == newline ? [newline] : [newline, newline]) + self.bytes
  }
}
