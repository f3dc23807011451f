/// Tells that names differ without keeping them, where each is greater than the one before.
///
/// As numbered ones are: shorter names come first, then it goes by bytes. Names that are not ASCII
/// may differ in their bytes and yet be equal, so that of them nothing is said.
package struct RisingNames {
  private var last = ""

  package init() {}

  /// Whether a name is greater than the last one that was; the empty name never is.
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
