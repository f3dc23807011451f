/// A path relative to the project's root, in normal form, such as `prompts/clarity/suite.yaml`.
///
/// A path that leads out of the root starts with `..` or `/`.
package struct ProjectPath: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let description: String

  /// Creates a path from a text relative to the root.
  package init(_ text: String) {
    description = Self.normalised(text)
  }

  /// Returns the path that a reference means in the file at this path.
  ///
  /// For example, `v1.yaml` in `prompts/tone/suite.yaml` means `prompts/tone/v1.yaml`.
  package func resolving(_ reference: String) -> ProjectPath {
    reference.hasPrefix("/")
      ? ProjectPath(reference) : ProjectPath(folder.description + "/" + reference)
  }

  /// The folder that contains the file; `.` for a file in the root.
  package var folder: ProjectPath { ProjectPath(description + "/..") }

  /// The last component.
  package var name: String { description.split(separator: "/").last.map(String.init) ?? "." }

  /// The name without its extension, such as `v2` for `v2.yaml`.
  package var stem: String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// The part of the name after its last dot, in lower case; empty if the name has no dot.
  package var pathExtension: String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
  }

  package var isInsideRoot: Bool {
    !description.hasPrefix("/") && description != ".." && !description.hasPrefix("../")
  }

  /// Returns true if the path is the folder, or lies inside it.
  package func isInside(_ folder: ProjectPath) -> Bool {
    if self == folder { return true }
    switch folder.description {
    case ".": return isInsideRoot
    case "/": return description.hasPrefix("/")
    default:
      guard description.hasPrefix(folder.description + "/") else { return false }
      // "../.." starts with ".." but lies above "..".
      return folder.name != ".."
        || description.split(separator: "/").count { $0 == ".." }
          == folder.description.split(separator: "/").count
    }
  }

  /// Returns this path relative to a folder, such as `../cases.yaml`.
  package func reference(from folder: ProjectPath) -> String {
    if description.hasPrefix("/") { return description }
    if self == folder { return "." }
    func components(_ path: ProjectPath) -> [Substring] {
      path.description == "." ? [] : path.description.split(separator: "/")
    }
    let (own, other) = (components(self), components(folder))
    let common = zip(own, other).prefix { $0 == $1 }.count
    let up = repeatElement("..", count: other.count - common)
    return (up + own.dropFirst(common).map(String.init)).joined(separator: "/")
  }

  package static func < (left: ProjectPath, right: ProjectPath) -> Bool {
    left.description < right.description
  }

  private static func normalised(_ text: String) -> String {
    isPlain(text) ? text : rewritten(text)
  }

  /// Returns true for the usual case: a relative path without empty parts and without parts that
  /// start with a dot.
  private static func isPlain(_ text: String) -> Bool {
    let slash = UInt8(ascii: "/")
    var last = slash
    for unit in text.utf8 {
      if last == slash, unit == slash || unit == UInt8(ascii: ".") { return false }
      last = unit
    }
    return last != slash
  }

  private static func rewritten(_ text: String) -> String {
    var parts: [Substring] = []
    for part in text.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !text.hasPrefix("/") || !parts.isEmpty {
        parts.append(part)
      }
    }
    let path = parts.joined(separator: "/")
    if text.hasPrefix("/") { return "/" + path }
    return path.isEmpty ? "." : path
  }
}

extension ProjectPath {
  /// Returns the path of an entry of this folder.
  package func resolvingChild(_ name: String) -> ProjectPath {
    ProjectPath(description + "/" + name)
  }
}
