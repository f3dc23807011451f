import SluiceReporting

/// An output file for a backend of type `file`, with one JSON line for each answer.
struct OutputRowsFile {
  var path: ProjectPath
  /// The name of the backend in `sluice.yaml`.
  var backend: String
  private(set) var text = ""
  private(set) var count = 0
  private(set) var lost = 0
  private var repeats: [String: Int] = [:]
  private var isRedacted = false

  init(_ path: ProjectPath, backend: String) {
    self.path = path
    self.backend = backend
  }

  /// Adds a row with an answer or an error.
  ///
  /// The second row of a case is the case's second repeat, and so on.
  ///
  /// - Returns: True if a secret was removed from the row.
  mutating func add(_ id: String, _ row: JSONObject) -> Bool {
    let number = repeats[id, default: 0] + 1
    repeats[id] = number
    var object: JSONObject = ["id": .string(id)]
    if number > 1 { object["repeat"] = .number(Double(number)) }
    for member in row.members { object[member.name] = member.value }
    count += 1
    if row["error"] != nil { lost += 1 }
    let line = JSONValue.object(object).jsonText
    let clean = Redaction().redactedJudged(line)
    text += clean + "\n"
    return clean != line
  }

  var file: ImportPlan.File { ImportPlan.File(path, text) }

  /// Returns the lines for `sluice.yaml` that define backends for output files.
  static func lines(_ files: [OutputRowsFile]) -> String {
    YAMLWriter.text(
      .mapping([
        .init(
          "backends",
          .mapping(
            files.map { .init($0.backend, ["type": "file", "path": .string($0.path.description)]) }
          )
        )
      ]),
      head: ["The imported answers, by case:"]
    )
  }
}
