import SluiceSupport

extension ImportedTable {
  /// Returns the rows of a JSON file: its list, or the results of `report.json`; nil for other
  /// files.
  static func rows(in root: Node) -> [Node]? {
    if case .sequence(let rows) = root.value { return rows }
    guard root["generator"] != nil else { return nil }
    return root.list("suites").flatMap { $0.list("columns") }.flatMap { column in
      let origins = column.list("answered-by")
      return column.list("results").map { result in
        var result = result
        result.set("prompt", column["prompt"])
        if origins.count == 1, result["text-digest"] != nil {
          result.set("answered-by", origins[0])
        }
        return result
      }
    }
  }

  /// Returns a trial of a run log, `report.json` or `report.csv` as a row.
  ///
  /// Returns nil for the first and the last line of a run log. Reports a text that is not exact.
  /// Other rows stay unchanged.
  static func row(of node: Node, _ file: SourceFile, _ diagnostics: DiagnosticCollector) -> Node? {
    if ["header", "footer"].contains(node["kind"]?.text), node["case"] == nil { return nil }
    guard let id = node["case"], let outcome = node["outcome"]?.text, node["repeat"] != nil,
      node["id"] == nil
    else { return node }
    var row = node
    row.set("id", id)
    // A trial that a scorer could not judge is lost, too, but has an answer.
    let signs = [node["answered-by"], node["text-digest"]].compactMap(\.self)
    if outcome == "lost", signs.allSatisfy(OutputsImport.isAbsent) {
      let reason = node["reason"]?.text ?? ""
      var error = Node(["message": .string(reason.isEmpty ? "lost" : reason)], at: id.position)
      error.set("kind", node["error"]?["kind"])
      row.set("error", error)
      return row
    }
    if node["text"] == nil { row.set("text", Node("", at: id.position)) }
    if node["cost"]?.json ?? .null == .null { row.set("cost", node["reported-cost"]) }
    for key in ["model", "stand-in"] { row.set(key, node["answered-by"]?[key]) }
    // Cells of `report.csv` have escapes, and an apostrophe before what looks like a formula.
    let isCell = node["since-baseline"] != nil
    for key in ["text", "refusal"] {
      guard var words = node[key]?.text else { continue }
      if isCell, words.hasPrefix("'"), words.dropFirst().first.map("=+-@".contains) == true {
        words.removeFirst()
        row.set(key, Node(.string(words), at: id.position))
      }
      let isEscaped = words.hasPrefix("'") || words.contains("\\") || words.contains(";'")
      let isExact = node["text-cut"] == nil && !(isCell && (isEscaped || words.hasSuffix("…")))
      if isExact { continue }
      diagnostics.error(
        "the report does not have the exact \(key) of this answer",
        in: file,
        at: node[key]?.position,
        fix: "import the run log instead: reports/runs/SUITE-….jsonl"
      )
    }
    return row
  }
}

extension Node {
  fileprivate var text: String? { if case .string(let text) = value { text } else { nil } }

  fileprivate func list(_ key: String) -> [Node] {
    if case .sequence(let elements)? = self[key]?.value { elements } else { [] }
  }

  fileprivate mutating func set(_ key: String, _ value: Node?) {
    if let value { self = setting(value, at: [key], keyPosition: position) }
  }
}
