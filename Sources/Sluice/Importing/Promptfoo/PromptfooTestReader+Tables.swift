import SluiceReporting

extension PromptfooTestReader {
  // MARK: CSV

  mutating func readCSV(_ bytes: [UInt8], _ path: ProjectPath) {
    // Check the width first, since rows with a million cells would need too much memory.
    let line = bytes.prefix { $0 != 0x0A }
    let commas = line.count { $0 == UInt8(ascii: ",") }
    if commas > 50 * Self.maximumColumns {
      lost += 1
      return context.report(
        .leftOut,
        area,
        .init(path, SourcePosition(line: 1, column: 1)),
        "\(commas + 1) columns, more than \(Self.maximumColumns)"
      )
    }
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
    for (index, row) in rows.dropFirst().enumerated() {
      addRow(row, header, path, number: index + 1)
    }
  }

  mutating func addRow(
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
            "the column '\(name)' has no special meaning, so it was read as a variable"
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
}
