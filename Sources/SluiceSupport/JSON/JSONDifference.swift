/// The differences between two JSON values, leaf by leaf.
package enum JSONDifference {
  /// Returns the leaves that differ, each with its path.
  ///
  /// - Parameters:
  ///   - old: The value before.
  ///   - new: The value after.
  /// - Returns: Lines that start with `- ` (before) or `+ ` (after); empty if the values are equal.
  package static func lines(from old: JSONValue, to new: JSONValue) -> [String] {
    var lines: [String] = []
    collect(from: old, to: new, at: "", into: &lines)
    return WhiteSpaceMarks.marked(lines)
  }

  private static func collect(
    from old: JSONValue,
    to new: JSONValue,
    at path: String,
    into lines: inout [String]
  ) {
    func at(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    func said(_ sign: String, _ value: JSONValue, _ path: String) {
      lines.append("\(sign) \(path.isEmpty ? "" : "\(path): ")\(value.jsonText)")
    }
    if old == new { return }
    if let oldObject = old.object, let newObject = new.object {
      for member in oldObject.members {
        if let value = newObject[member.name] {
          collect(from: member.value, to: value, at: at(member.name), into: &lines)
        } else {
          said("-", member.value, at(member.name))
        }
      }
      for member in newObject.members where oldObject[member.name] == nil {
        said("+", member.value, at(member.name))
      }
    } else if let oldList = old.array, let newList = new.array, oldList.count == newList.count {
      for index in oldList.indices {
        collect(from: oldList[index], to: newList[index], at: at(String(index)), into: &lines)
      }
    } else {
      said("-", old, path)
      said("+", new, path)
    }
  }
}
