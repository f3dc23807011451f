/// A proof that ascending names are distinct, without storing the names.
///
/// Names ascend by length, then by bytes, as in `case-9`, `case-10`. Non-ASCII names are not
/// supported, since two of them can be equal although their bytes differ.
package struct RisingNames {
  private var last = ""

  package init() {}

  /// Returns true if a name is greater than the last name for which the result was true.
  ///
  /// Returns false for the empty name and for names that are not ASCII.
  package mutating func rise(to name: String) -> Bool {
    var name = name
    let isGreater = last.withUTF8 { last in
      name.withUTF8 { name in
        for index in name.indices where name[index] >= 0x80 { return false }
        if name.count != last.count { return name.count > last.count }
        for index in name.indices where name[index] != last[index] {
          return name[index] > last[index]
        }
        return false
      }
    }
    if isGreater { last = name }
    return isGreater
  }
}
