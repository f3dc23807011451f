internal import CProjectTemplate
internal import Sluice

/// A file that `sluice init` writes.
struct TemplateFile {
  /// A group of files that are written together.
  ///
  /// Each group is a folder of `Sources/CProjectTemplate/Files`.
  enum Group: String {
    /// A project with one suite and its recordings.
    case project
    /// The files that all CI services use.
    case ci
    case github, gitlab
    case preCommit = "pre-commit"
    /// The script for git's pre-commit hook.
    case hook
  }

  /// The path of the file, relative to the folder to which its group is written.
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

  /// True if the lines may be added to an existing file, as for `.gitignore`.
  var isListOfPatterns: Bool { [".gitignore", ".gitattributes"].contains(path.name) }

  /// Returns true if an existing file with the contents `bytes` has all patterns of this file.
  func isHeld(by bytes: [UInt8]) -> Bool {
    func lines(_ bytes: [UInt8]) -> [Substring] {
      String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    }
    let there = Set(lines(bytes))
    return lines(self.bytes).allSatisfy { $0.hasPrefix("#") || there.contains($0) }
  }

  /// Returns the bytes to append to a file that contains `bytes`.
  ///
  /// The appended bytes begin with a blank line, unless `bytes` is empty.
  func lines(behind bytes: [UInt8]) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    guard let last = bytes.last else { return self.bytes }
    return (last == newline ? [newline] : [newline, newline]) + self.bytes
  }
}
