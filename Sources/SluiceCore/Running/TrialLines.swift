import SluiceSupport

/// A reader of the lines of many trials.
///
/// Trials share one copy of values that are written identically.
///
/// The trials of a large baseline share some dozens of score sheets. If the sheets were not shared,
/// they would need more memory and time than everything else.
struct TrialLines {
  private var sheets: [ByteKey: ScoreSheet?] = [:]
  private var sources: [ByteKey: AnswerOrigin] = [:]
  private var labels = CaseLabels.Pool()
  private var column = Column(prompt: "", backend: "")
  /// The maximum number of values of each kind in the cache.
  ///
  /// In a run log, explanations differ on every line, so a larger cache would not help.
  private static let limit = 1_024

  /// A line and the parts of it that other lines share.
  struct Line {
    /// All members of the line that are not shared.
    var json: JSONObject
    /// The scores; nil if the line has none, or if they cannot be read.
    fileprivate(set) var sheet: ScoreSheet?
    fileprivate var source: AnswerOrigin?

    subscript(name: String) -> JSONValue? { json[name] }
  }

  /// Reads a line.
  ///
  /// - Throws: ``JSONSyntaxError`` if the line is not JSON.
  mutating func line(_ text: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> Line {
    var line = Line(json: [:])
    var isUsual = true
    try JSONReader.read(text) { reader throws(JSONSyntaxError) in
      guard try reader.kind() == .object else {
        isUsual = false
        return try reader.skipValue()
      }
      try reader.readMembers { reader, name throws(JSONSyntaxError) in
        if name == "scores" {
          line.sheet = try Self.shared(&reader, &sheets, ScoreSheet.init(json:)) ?? nil
        } else if name == "answered-by" {
          line.source = try Self.shared(&reader, &sources, AnswerOrigin.init(json:))
        } else {
          line.json[name.text] = try reader.readValue()
        }
      }
      if reader.hasDuplicates { isUsual = false }
    }
    if isUsual { return line }
    let value = try JSONReader.value(text)
    line = Line(json: value.object ?? [:])
    line.sheet = value["scores"].flatMap(ScoreSheet.init(json:))
    line.source = value["answered-by"].map(AnswerOrigin.init(json:))
    return line
  }

  private static func shared<Value>(
    _ reader: inout JSONReader,
    _ known: inout [ByteKey: Value],
    _ make: (JSONValue) -> Value
  ) throws(JSONSyntaxError) -> Value? {
    let text = try reader.textOfValue()
    let key = ByteKey(Array(text))
    if let value = known[key] { return value }
    let value = make(try JSONReader.value(text))
    if known.count < limit { known[key] = value }
    return value
  }

  /// Returns the trial on a line; nil if the line does not contain a trial.
  mutating func trial(_ line: Line) -> Trial? {
    guard let sheet = line.sheet, var facts = Trial.Facts(line.json, sheet, line.source) else {
      return nil
    }
    facts.labels = labels.labels(
      tags: facts.labels.tags,
      split: facts.labels.split,
      cluster: facts.labels.cluster
    )
    if facts.column != column { column = facts.column }
    facts.column = column
    return Trial(facts)
  }
}
