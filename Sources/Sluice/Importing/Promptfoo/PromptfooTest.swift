import SluiceReporting

/// A promptfoo test, merged with the defaults.
///
/// If a variable is a list, there is one such test for each element.
struct PromptfooTest {
  typealias Place = PromptfooContext.Place

  var place: Place
  var description: String?
  var vars: JSONObject
  /// The test's own assertions, without those of the default test.
  var assertions: [Located]
  var options: Located?
  var metadata: JSONObject
  var threshold: Double?
  var providerOutput: JSONValue?
  /// True if a part of the test other than an assertion was left out.
  var isPartial = false

  /// A node with the file that contains it.
  struct Located {
    var node: Node
    var path: ProjectPath
    var place: Place { Place(path, node.position) }
  }
}

extension PromptfooTest {
  /// The settings of `defaultTest`, which all tests share.
  struct Defaults {
    var path = ProjectPath(".")
    var node: Node?
    var vars: JSONObject = [:]
    var assertions: [Located] = []
    var options: Located?
    var metadata: JSONObject = [:]
    var threshold: Double?

    /// Returns the value of an option of a test, or of the default test.
    func option(_ key: String, _ own: Located?) -> JSONValue? {
      own?.node.present(key)?.json ?? options?.node.present(key)?.json
    }

    /// Returns the node of an option, with the file that contains it.
    func located(_ key: String, _ own: Located?) -> Located? {
      for options in [own, self.options] {
        guard let options, let node = options.node.present(key) else { continue }
        return Located(node: node, path: options.path)
      }
      return nil
    }
  }
}
