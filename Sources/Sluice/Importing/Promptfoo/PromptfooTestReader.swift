import SluiceReporting

/// The reader of the tests of a configuration.
struct PromptfooTestReader {
  let context: PromptfooContext
  let area = ImportReport.Area.testCase
  /// The settings of `defaultTest`.
  var defaults = PromptfooTest.Defaults()
  var tests: [PromptfooTest] = []
  /// The number of tests that were left out.
  var lost = 0
  /// True if a file with tests was not found.
  var misses = false
  static let maximumTests = 200_000
  static let maximumColumns = 1_000

  init(_ context: PromptfooContext) { self.context = context }

  // MARK: The configuration

  mutating func read(_ root: Node) {
    if let node = root.present("defaultTest") { readDefaults(node) }
    let path = context.configuration
    if let node = root.present("tests") { readTests(node, in: path) }
    if let node = root.present("scenarios") { readScenarios(node, in: path) }
    if root.present("tests") == nil, root.present("scenarios") == nil {
      // If there are no tests, promptfoo sends each prompt once, without variables.
      let empty = Node(position: SourcePosition(line: 1, column: 1), value: .mapping([]))
      addTest(empty, in: path)
    }
  }

  mutating func readDefaults(_ node: Node) {
    var node = node
    var path = context.configuration
    if let reference = node.string {
      path = context.path(reference)
      guard let root = tree(path, named: reference, at: .init(context.configuration, node.position))
      else { return }
      node = root
    }
    defaults.path = path
    defaults.node = node
    if let vars = node.present("vars") { defaults.vars = variables(vars, in: path) }
    defaults.assertions = assertions(node.present("assert"), in: path)
    defaults.options = node.present("options").map { .init(node: $0, path: path) }
    defaults.metadata = node.present("metadata")?.json.object ?? [:]
    defaults.threshold = node.number("threshold")
    for member in node.members ?? [] {
      switch member.key {
      case "vars", "assert", "options", "metadata", "threshold", "description": break
      default: leaveOut(member, of: "the default test", in: path)
      }
    }
  }

  func leaveOut(_ member: Node.Member, of what: String, in path: ProjectPath) {
    let nearest: String?
    switch member.key {
    case "provider", "providers", "prompts":
      nearest = "a separate suite with these backends or prompts"
    default: nearest = nil
    }
    context.report(
      .leftOut,
      area,
      .init(path, member.keyPosition),
      "'\(member.key)' of \(what) has no counterpart",
      nearest: nearest
    )
  }

  // MARK: Sources of tests

  mutating func readTests(_ node: Node, in path: ProjectPath) {
    switch node.value {
    case .sequence(let nodes):
      for node in nodes { readEntry(node, in: path) }
    case .string, .mapping: readEntry(node, in: path)
    default:
      context.report(.leftOut, area, .init(path, node.position), "the tests are not a list")
    }
  }

  mutating func readEntry(_ node: Node, in path: ProjectPath) {
    if let reference = node.string {
      readFile(reference, at: .init(path, node.position))
    } else if let reference = node.text("path"), node.present("vars") == nil,
      node.present("assert") == nil
    {
      // A mapping with a path refers to a program that generates tests.
      readFile(reference, at: .init(path, node.position))
    } else if node.members != nil {
      addTest(node, in: path)
    } else {
      lost += 1
      context.report(.leftOut, area, .init(path, node.position), "a test that is not a mapping")
    }
  }

  mutating func readFile(_ reference: String, at place: PromptfooContext.Place) {
    let plain = reference.hasPrefix("file://") ? String(reference.dropFirst(7)) : reference
    func leaveOut(_ reason: String, _ nearest: String) {
      lost += 1
      context.report(.leftOut, area, place, "\(reference): \(reason)", nearest: nearest)
    }
    if plain.contains("://") {
      return leaveOut(
        "a network address",
        "save the tests as CSV or JSONL and name that file instead"
      )
    }
    let file = plain.split(separator: ":").first.map(String.init) ?? plain
    let path = context.path(file.split(separator: "#").first.map(String.init) ?? file)
    switch path.pathExtension {
    case "py", "js", "ts", "mjs", "cjs", "mts", "cts":
      return leaveOut(
        "a program that generates tests",
        "let the program write its tests as JSONL, and name that file instead"
      )
    case "xlsx", "xls": return leaveOut("a spreadsheet", "save it as CSV")
    case "csv", "json", "jsonl", "yaml", "yml": break
    default:
      if !path.name.contains("*") {
        return leaveOut("an unsupported file type", "CSV or JSONL")
      }
    }
    if path.name.contains("*") {
      let found = context.source.matches(path)
      if found.isEmpty { return missing(reference, at: place) }
      for path in found { read(path, named: reference, at: place) }
    } else {
      read(path, named: reference, at: place)
    }
  }

  mutating func missing(_ reference: String, at place: PromptfooContext.Place) {
    misses = true
    context.report(
      .missingFile,
      area,
      place,
      "\(reference)",
      nearest: "put the file there and import again, or write its cases into the dataset"
    )
  }

  mutating func read(
    _ path: ProjectPath,
    named reference: String,
    at place: PromptfooContext.Place
  ) {
    do throws(ImportSource.Fault) {
      switch path.pathExtension {
      case "csv": readCSV(try context.source.bytes(path), path)
      case "jsonl": readLines(try context.source.bytes(path), path)
      default:
        let root = try context.source.tree(path)
        guard let nodes = root.elements else { return addTest(root, in: path, isRow: true) }
        for node in nodes { addTest(node, in: path, isRow: true) }
      }
    } catch {
      switch error {
      case .missing: missing(reference, at: place)
      case .unreadable(let reason):
        lost += 1
        context.report(.leftOut, area, place, "\(reference) cannot be read: \(reason)")
      }
    }
  }

  mutating func readLines(_ bytes: [UInt8], _ path: ProjectPath) {
    var number = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      do throws(JSONSyntaxError) {
        addTest(try JSONReader.node(line, line: number), in: path, isRow: true)
      } catch {
        lost += 1
        context.report(
          .leftOut,
          area,
          .init(path, SourcePosition(line: number, column: 1)),
          "the line is not JSON: \(error.message)"
        )
      }
    }
  }

  mutating func tree(
    _ path: ProjectPath,
    named reference: String,
    at place: PromptfooContext.Place
  ) -> Node? {
    do throws(ImportSource.Fault) {
      return try context.source.tree(path)
    } catch {
      switch error {
      case .missing: missing(reference, at: place)
      case .unreadable(let reason):
        context.report(.leftOut, area, place, "\(reference) cannot be read: \(reason)")
      }
      return nil
    }
  }

  // MARK: Scenarios

  mutating func readScenarios(_ node: Node, in path: ProjectPath) {
    for scenario in node.elements ?? [] {
      guard scenario.members != nil, let configurations = scenario["config"]?.elements else {
        lost += 1
        context.report(
          .leftOut,
          area,
          .init(path, scenario.position),
          "a scenario without 'config'"
        )
        continue
      }
      let tests =
        scenario["tests"]?.elements ?? [
          Node(position: scenario.position, value: .mapping([]))
        ]
      for test in tests {
        for configuration in configurations {
          guard test.members != nil, configuration.members != nil else {
            lost += 1
            context.report(
              .leftOut,
              area,
              .init(path, test.position),
              "tests of a scenario in a separate file",
              nearest: "write the tests into the configuration"
            )
            continue
          }
          addTest(test.merged(over: configuration), in: path)
        }
      }
    }
  }
}

extension Node {
  /// Returns a copy of the mapping with another value for a key.
  func setting(_ key: String, _ value: Value) -> Node {
    var members = (self.members ?? []).filter { $0.key != key }
    members.append(
      Member(key: key, keyPosition: position, value: Node(position: position, value: value))
    )
    return Node(position: position, value: .mapping(members))
  }

  /// Returns a scenario's test merged with one of the scenario's configurations.
  ///
  /// Variables and options are merged. The configuration's assertions precede those of the test.
  func merged(over other: Node) -> Node {
    var members = other.members ?? []
    for member in self.members ?? [] {
      guard let index = members.firstIndex(where: { $0.key == member.key }) else {
        members.append(member)
        continue
      }
      switch (member.key, members[index].value.value, member.value.value) {
      case ("vars", .mapping(let shared), .mapping(let own)),
        ("options", .mapping(let shared), .mapping(let own)),
        ("metadata", .mapping(let shared), .mapping(let own)):
        let others = shared.filter { member in !own.contains { $0.key == member.key } }
        members[index].value.value = .mapping(others + own)
      case ("assert", .sequence(let shared), .sequence(let own)):
        members[index].value.value = .sequence(shared + own)
      default: members[index] = member
      }
    }
    return Node(position: position, value: .mapping(members))
  }
}
