import SluiceReporting

/// A test of promptfoo after its defaults were merged and its lists of variables expanded.
struct PromptfooTest {
  typealias Place = PromptfooContext.Place

  var place: Place
  var description: String?
  var vars: JSONObject
  /// Its own assertions, without those of the default test.
  var assertions: [Located]
  var options: Located?
  var metadata: JSONObject
  var threshold: Double?
  var providerOutput: JSONValue?
  /// True where something of it was left out besides assertions.
  var isPartial = false

  /// A node with the file that it stands in.
  struct Located {
    var node: Node
    var path: ProjectPath
    var place: Place { Place(path, node.position) }
  }
}

/// Reads the tests of a configuration.
struct PromptfooTestReader {
  private let context: PromptfooContext
  private let area = ImportReport.Area.testCase
  /// The default test.
  private(set) var defaults = PromptfooTest.Defaults()
  private(set) var tests: [PromptfooTest] = []
  /// The number of tests that nothing was written of.
  private(set) var lost = 0
  /// True where a file with tests is not there.
  private(set) var misses = false
  private static let maximumTests = 200_000
  private static let maximumColumns = 1_000

  init(_ context: PromptfooContext) { self.context = context }

  // MARK: The configuration

  mutating func read(_ root: Node) {
    if let node = root.present("defaultTest") { readDefaults(node) }
    let path = context.configuration
    if let node = root.present("tests") { readTests(node, in: path) }
    if let node = root.present("scenarios") { readScenarios(node, in: path) }
    if root.present("tests") == nil, root.present("scenarios") == nil {
      // Without tests promptfoo asks each prompt once.
      let empty = Node(position: SourcePosition(line: 1, column: 1), value: .mapping([]))
      addTest(empty, in: path)
    }
  }

  private mutating func readDefaults(_ node: Node) {
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

  private func leaveOut(_ member: Node.Member, of what: String, in path: ProjectPath) {
    let nearest: String?
    switch member.key {
    case "provider", "providers", "prompts":
      nearest = "a suite of its own with these backends or prompts"
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

  private mutating func readTests(_ node: Node, in path: ProjectPath) {
    switch node.value {
    case .sequence(let nodes):
      for node in nodes { readEntry(node, in: path) }
    case .string, .mapping: readEntry(node, in: path)
    default:
      context.report(.leftOut, area, .init(path, node.position), "the tests are no list")
    }
  }

  private mutating func readEntry(_ node: Node, in path: ProjectPath) {
    if let reference = node.string {
      readFile(reference, at: .init(path, node.position))
    } else if let reference = node.text("path"), node.present("vars") == nil,
      node.present("assert") == nil
    {
      // A program with its settings.
      readFile(reference, at: .init(path, node.position))
    } else if node.members != nil {
      addTest(node, in: path)
    } else {
      lost += 1
      context.report(.leftOut, area, .init(path, node.position), "a test that is no mapping")
    }
  }

  private mutating func readFile(_ reference: String, at place: PromptfooContext.Place) {
    let plain = reference.hasPrefix("file://") ? String(reference.dropFirst(7)) : reference
    func leaveOut(_ reason: String, _ nearest: String) {
      lost += 1
      context.report(.leftOut, area, place, "\(reference): \(reason)", nearest: nearest)
    }
    if plain.contains("://") {
      return leaveOut(
        "an address in the network",
        "save the tests as CSV or JSONL and name the file in its place"
      )
    }
    let file = plain.split(separator: ":").first.map(String.init) ?? plain
    let path = context.path(file.split(separator: "#").first.map(String.init) ?? file)
    switch path.pathExtension {
    case "py", "js", "ts", "mjs", "cjs", "mts", "cts":
      return leaveOut("a program that makes tests", "have it write its tests as JSONL")
    case "xlsx", "xls": return leaveOut("a spreadsheet", "save it as CSV")
    case "csv", "json", "jsonl", "yaml", "yml": break
    default:
      if !path.name.contains("*") { return leaveOut("a kind of file that is not known", "CSV or JSONL") }
    }
    if path.name.contains("*") {
      let found = context.source.matches(path)
      if found.isEmpty { return missing(reference, at: place) }
      for path in found { read(path, named: reference, at: place) }
    } else {
      read(path, named: reference, at: place)
    }
  }

  private mutating func missing(_ reference: String, at place: PromptfooContext.Place) {
    misses = true
    context.report(
      .missingFile,
      area,
      place,
      "\(reference)",
      nearest: "put the file there and import again, or write its cases into the dataset"
    )
  }

  private mutating func read(
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

  private mutating func readLines(_ bytes: [UInt8], _ path: ProjectPath) {
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

  private mutating func tree(
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

  // MARK: CSV

  private mutating func readCSV(_ bytes: [UInt8], _ path: ProjectPath) {
    let (rows, problems) = CSVReader.read(bytes)
    for problem in problems {
      lost += 1
      context.report(.leftOut, area, .init(path, problem.position), "the row: \(problem.message)")
    }
    guard let header = rows.first else { return }
    guard header.count <= Self.maximumColumns else {
      lost += rows.count - 1
      return context.report(
        .leftOut,
        area,
        .init(path, header[0].position),
        "\(header.count) columns, more than \(Self.maximumColumns)"
      )
    }
    for (index, row) in rows.dropFirst().enumerated() { addRow(row, header, path, number: index + 1) }
  }

  private mutating func addRow(
    _ row: [CSVReader.Cell],
    _ header: [CSVReader.Cell],
    _ path: ProjectPath,
    number: Int
  ) {
    let position = row.first?.position ?? SourcePosition(line: number + 1, column: 1)
    func member(_ key: String, _ cell: CSVReader.Cell) -> Node.Member {
      let node = Node(position: cell.position, value: .string(cell.text))
      return Node.Member(key: key, keyPosition: cell.position, value: node)
    }
    var vars: [Node.Member] = []
    var test: [Node.Member] = []
    var metadata: [Node.Member] = []
    var thresholds: [Int: Double] = [:]
    var assertions: [Node] = []
    var metric: CSVReader.Cell?
    var options: [Node.Member] = []
    for (column, cell) in zip(header, row) {
      let name = column.text
      switch name {
      case "__description": if !cell.text.isEmpty { test.append(member("description", cell)) }
      case "__providerOutput": if !cell.text.isEmpty { test.append(member("providerOutput", cell)) }
      case "__metric": metric = cell
      case "__prefix": if !cell.text.isEmpty { options.append(member("prefix", cell)) }
      case "__suffix": if !cell.text.isEmpty { options.append(member("suffix", cell)) }
      case "__threshold":
        if let number = Double(cell.text.trimmed) {
          let node = Node(position: cell.position, value: .number(number))
          test.append(.init(key: "threshold", keyPosition: cell.position, value: node))
        }
      case let name where name.hasPrefix("__expected"):
        if !cell.text.trimmed.isEmpty {
          assertions.append(PromptfooCell.assertion(cell.text, at: cell.position))
        }
      case let name where name.hasPrefix("__metadata:"):
        let key = String(name.dropFirst("__metadata:".count))
        if !cell.text.isEmpty { metadata.append(member(key.replacing("[]", with: ""), cell)) }
      case let name where name.hasPrefix("__config:"):
        let parts = name.split(separator: ":").map(String.init)
        if parts.count == 3, parts[2] == "threshold", let value = Double(cell.text.trimmed),
          let number = parts[1].hasPrefix("__expected") ? Int(parts[1].dropFirst(10)) ?? 1 : nil
        {
          thresholds[number - 1] = value
        } else if !cell.text.isEmpty {
          context.report(.leftOut, area, .init(path, column.position), "the column '\(name)'")
        }
      case let name where name.hasPrefix("__"):
        if !cell.text.isEmpty {
          context.report(
            .note,
            area,
            .init(path, column.position),
            "the column '\(name)' is no special one, and was read as a variable"
          )
        }
        vars.append(member(name, cell))
      default: vars.append(member(name, cell))
      }
    }
    for (index, threshold) in thresholds where assertions.indices.contains(index) {
      assertions[index] = assertions[index].setting("threshold", .number(threshold))
    }
    if let metric, !metric.text.isEmpty {
      assertions = assertions.map { $0.setting("metric", .string(metric.text)) }
    }
    func add(_ key: String, _ value: Node.Value) {
      let node = Node(position: position, value: value)
      test.append(.init(key: key, keyPosition: position, value: node))
    }
    add("vars", .mapping(vars))
    if !assertions.isEmpty { add("assert", .sequence(assertions)) }
    if !metadata.isEmpty { add("metadata", .mapping(metadata)) }
    if !options.isEmpty { add("options", .mapping(options)) }
    addTest(Node(position: position, value: .mapping(test)), in: path, isRow: true)
  }

  // MARK: Scenarios

  private mutating func readScenarios(_ node: Node, in path: ProjectPath) {
    for scenario in node.elements ?? [] {
      guard scenario.members != nil, let configurations = scenario["config"]?.elements else {
        lost += 1
        context.report(.leftOut, area, .init(path, scenario.position), "a scenario without 'config'")
        continue
      }
      let tests = scenario["tests"]?.elements ?? [
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
              "tests of a scenario in a file of their own",
              nearest: "write them into the configuration"
            )
            continue
          }
          addTest(test.merged(over: configuration), in: path)
        }
      }
    }
  }

  // MARK: One test

  private func assertions(_ node: Node?, in path: ProjectPath) -> [PromptfooTest.Located] {
    guard let node else { return [] }
    guard let nodes = node.elements else {
      context.report(.leftOut, .assertion, .init(path, node.position), "'assert' is no list")
      return []
    }
    return nodes.map { .init(node: $0, path: path) }
  }

  /// Reads variables in place, or those of files.
  private mutating func variables(_ node: Node, in path: ProjectPath) -> JSONObject {
    var references: [Node] = []
    switch node.value {
    case .mapping:
      return context.value(node, in: path, area).object ?? [:]
    case .string: references = [node]
    case .sequence(let nodes): references = nodes
    default: break
    }
    var vars: JSONObject = [:]
    for node in references {
      guard let reference = node.string else { continue }
      let file = context.path(reference)
      let paths = file.name.contains("*") ? context.source.matches(file) : [file]
      for path in paths {
        guard let root = tree(path, named: reference, at: .init(context.configuration, node.position))
        else { continue }
        for member in context.value(root, in: path, area).object?.members ?? [] {
          vars[member.name] = member.value
        }
      }
    }
    return vars
  }

  private mutating func addTest(_ node: Node, in path: ProjectPath, isRow: Bool = false) {
    guard node.members != nil else {
      lost += 1
      return context.report(.leftOut, area, .init(path, node.position), "a test that is no mapping")
    }
    var own: JSONObject = [:]
    if let vars = node.present("vars") { own = variables(vars, in: path) }
    var merged = defaults.vars
    for member in own.members { merged[member.name] = member.value }
    var metadata = defaults.metadata
    for member in node.present("metadata")?.json.object?.members ?? [] {
      metadata[member.name] = member.value
    }
    var test = PromptfooTest(
      place: .init(path, node.position),
      description: node.text("description"),
      vars: [:],
      assertions: assertions(node.present("assert"), in: path),
      options: node.present("options").map { .init(node: $0, path: path) },
      metadata: metadata,
      threshold: node.number("threshold") ?? defaults.threshold,
      providerOutput: node.present("providerOutput")?.json
    )
    for member in node.members ?? [] {
      switch member.key {
      case "vars", "assert", "options", "metadata", "threshold", "description", "providerOutput",
        "$schema":
        break
      case "provider", "providers", "prompts":
        test.isPartial = true
        leaveOut(member, of: "the test", in: path)
      default:
        test.isPartial = true
        leaveOut(member, of: "the test", in: path)
      }
    }
    let expands =
      defaults.option("disableVarExpansion", test.options) != .bool(true)
    for vars in expands ? combinations(merged, test.place) : [merged] {
      guard tests.count < Self.maximumTests else {
        lost += 1
        continue
      }
      var expanded = test
      guard let resolved = resolved(vars, &expanded) else {
        lost += 1
        continue
      }
      expanded.vars = resolved
      tests.append(expanded)
    }
  }

  /// The product over variables that are lists whose first element is a text.
  private func combinations(_ vars: JSONObject, _ place: PromptfooContext.Place) -> [JSONObject] {
    var combinations: [JSONObject] = [[:]]
    for member in vars.members {
      var values = [member.value]
      if case .array(let elements) = member.value, case .string? = elements.first { values = elements }
      if case .string(let text) = member.value, text.hasPrefix("file://"), text.contains("*") {
        let paths = context.source.matches(context.path(text))
        if !paths.isEmpty {
          values = paths.map { .string("file://\($0.reference(from: context.folder))") }
        }
      }
      guard combinations.count * values.count <= Self.maximumTests else {
        context.report(.leftOut, area, place, "the product of its lists has too many cases")
        return []
      }
      combinations = combinations.flatMap { combination in
        values.map { value in
          var next = combination
          next[member.name] = value
          return next
        }
      }
    }
    return combinations
  }

  /// The variables with the texts of files, and with variables that other variables name; nil where the
  /// test cannot be written.
  private mutating func resolved(_ vars: JSONObject, _ test: inout PromptfooTest) -> JSONObject? {
    var resolved: JSONObject = [:]
    for member in vars.members {
      guard case .string(let text) = member.value else {
        resolved[member.name] = member.value
        continue
      }
      guard text.hasPrefix("file://") else {
        // promptfoo takes one line break off the end.
        resolved[member.name] = .string(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        continue
      }
      guard let read = fileText(text, member.name, test.place) else { return nil }
      resolved[member.name] = .string(read)
    }
    Self.fillNames(&resolved)
    for member in resolved.members {
      guard case .string(let text) = member.value, NunjucksTemplate.hasTags(text) else { continue }
      do throws(NunjucksTemplate.Unsupported) {
        resolved[member.name] = .string(try NunjucksTemplate(text).render(.object(resolved)))
      } catch {
        context.report(
          .leftOut,
          area,
          test.place,
          "the variable '\(member.name)' holds \(error.tag), which promptfoo would fill: "
            + error.reason,
          nearest: "write the text that is meant, without braces"
        )
        return nil
      }
    }
    return resolved
  }

  /// Fills variables that others name as `{{name}}`, as promptfoo does: the first of each, five times.
  private static func fillNames(_ vars: inout JSONObject) {
    for _ in 0..<5 {
      var isDone = true
      for member in vars.members {
        guard case .string(let text) = vars[member.name] ?? .null,
          let match = text.firstMatch(of: /\{\{\s*(\w+)\s*\}\}/),
          let value = vars[String(match.1)]
        else { continue }
        let filled = text.replacingCharacters(in: match.range, with: NunjucksTemplate.text(value))
        guard filled.utf8.count <= 1 << 20 else { continue }
        vars[member.name] = .string(filled)
        isDone = false
      }
      if isDone { return }
    }
  }

  /// The text of a file that a variable names.
  private mutating func fileText(
    _ reference: String,
    _ name: String,
    _ place: PromptfooContext.Place
  ) -> String? {
    let path = context.path(reference)
    func leaveOut(_ reason: String, nearest: String? = nil) -> String? {
      context.report(
        .leftOut,
        area,
        place,
        "the variable '\(name)' from \(reference): \(reason)",
        nearest: nearest
      )
      return nil
    }
    let file = path.name.split(separator: ":").first.map { ProjectPath(String($0)) } ?? path
    let images = [
      "jpg", "jpeg", "png", "gif", "bmp", "webp", "svg", "mp4", "webm", "ogg", "mov", "avi", "wmv",
      "mkv", "m4v", "mp3", "wav", "pdf",
    ]
    switch file.pathExtension {
    case "js", "ts", "mjs", "cjs", "mts", "cts", "py":
      return leaveOut("a program makes it", nearest: "write the text that it makes")
    case let ending where images.contains(ending):
      return leaveOut("it is no text", nearest: "an 'http' or 'exec' backend that takes the file")
    default: break
    }
    do throws(ImportSource.Fault) {
      if ["yaml", "yml"].contains(path.pathExtension) {
        return context.value(try context.source.tree(path), in: path, area).jsonText
      }
      let text = try context.source.text(path).trimmed
      return text.utf8.count <= 4 << 20 ? text : leaveOut("it has more than 4 MiB")
    } catch {
      switch error {
      case .missing:
        context.report(
          .missingFile,
          area,
          place,
          reference,
          nearest: "put the file there and import again, or write its text into the dataset"
        )
        context.fillIn("the input '\(name)' of cases: the text of \(reference), which was not found")
        return "FILL IN: the text of \(path.name)"
      case .unreadable(let reason): return leaveOut(reason)
      }
    }
  }
}

extension PromptfooTest {
  /// What all tests share.
  struct Defaults {
    var path = ProjectPath(".")
    var node: Node?
    var vars: JSONObject = [:]
    var assertions: [Located] = []
    var options: Located?
    var metadata: JSONObject = [:]
    var threshold: Double?

    /// The value of an option of a test, or of the default test.
    func option(_ key: String, _ own: Located?) -> JSONValue? {
      own?.node.present(key)?.json ?? options?.node.present(key)?.json
    }

    /// The node of an option with the file that it stands in.
    func located(_ key: String, _ own: Located?) -> Located? {
      for options in [own, self.options] {
        guard let options, let node = options.node.present(key) else { continue }
        return Located(node: node, path: options.path)
      }
      return nil
    }
  }
}

extension Node {
  /// The mapping with another value under a key.
  func setting(_ key: String, _ value: Value) -> Node {
    var members = (self.members ?? []).filter { $0.key != key }
    members.append(
      Member(key: key, keyPosition: position, value: Node(position: position, value: value))
    )
    return Node(position: position, value: .mapping(members))
  }

  /// A test of a scenario over one of its configurations: variables and options are merged, and the
  /// configuration's assertions come first.
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

extension String {
  /// The text with another text in place of a part.
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}
