/// The trials of a page as data for its program: a line of JSON each, and what they share.
///
/// A trial is an array, whose places `page.js` names in the same order. Long texts that come more
/// than once, such as those of a prompt, stand in a table and are numbers in the trials.
struct HTMLTrials: ~Copyable {
  /// How many trials a page has at most; it stays quick with these.
  static let most = 10_000
  /// When as many bytes are written, requests are left out, so that a page can still be opened.
  private static let room = 12_000_000
  private static let longestPiece = 20_000

  private let suites: [HTMLSuite]
  private var pieces = Table()
  private var tags = Table()
  private var classes = Table()
  private var splits = Table()
  private var scorers = Table()
  private var sources = Table()
  private var roles = Table()
  private var written = 0
  private(set) var hasCosts = false

  init(_ suites: [HTMLSuite]) { self.suites = suites }

  /// Texts that are named by number.
  private struct Table {
    private(set) var texts: [String] = []
    private(set) var uses: [Int] = []
    private var places: [ExactString: Int] = [:]

    mutating func place(_ text: String) -> Int {
      let key = ExactString(text)
      if let place = places[key] {
        uses[place] += 1
        return place
      }
      places[key] = texts.count
      texts.append(text)
      uses.append(1)
      return texts.count - 1
    }

    func json() -> JSONValue { .array(texts.map(JSONValue.string)) }
  }

  // MARK: Which

  /// How many trials there are.
  var all: Int { suites.reduce(0) { $0 + $1.columns.reduce(0) { $0 + $1.result.trials.count } } }

  /// The flips of a column's cases, in the numbers that trials have of them.
  private static func flips(_ column: HTMLSuite.Column) -> [String: Int] {
    guard let comparison = column.comparison else { return [:] }
    var flips: [String: Int] = [:]
    for id in comparison.changedCases + comparison.addedCases { flips[id] = 4 }
    for flip in comparison.flips {
      switch flip.flip {
      case .harmful: flips[flip.caseID] = 1
      case .beneficial: flips[flip.caseID] = 2
      case .wrongToWrong: flips[flip.caseID] = 3
      }
    }
    return flips
  }

  /// How many trials that went well have room beside those that did not, of which all are wanted.
  private func roomForPassed() -> Int {
    var others = 0
    for column in suites.flatMap(\.columns) {
      let flips = Self.flips(column)
      others += column.result.trials.count {
        $0.outcome != .passed || !flips.isEmpty && flips[$0.caseID] != nil
      }
    }
    return max(0, Self.most - others)
  }

  // MARK: Writing

  /// Writes the trials as an array of JSON that may stand in a script.
  ///
  /// - Returns: How many were written.
  mutating func write(to sink: inout FileSink) throws(FileError) -> Int {
    var (count, passed) = (0, all > Self.most ? roomForPassed() : .max)
    var line = ByteBuffer(capacity: 1 << 14)
    sink.buffer.append("[")
    for (suiteIndex, suite) in suites.enumerated() {
      var log = suite.log.map { RunLogReader($0, readsAll: true) }
      for (columnIndex, column) in suite.columns.enumerated() {
        let flips = Self.flips(column)
        for (index, trial) in column.result.trials.enumerated() {
          let flip = flips.isEmpty ? 0 : flips[trial.caseID] ?? 0
          if count == Self.most { break }
          if trial.outcome == .passed, flip == 0 {
            if passed == 0 { continue }
            passed -= 1
          }
          line.append(count == 0 ? "\n" : ",\n")
          line.append("[")
          line.append(number: Double(suiteIndex))
          line.append(",")
          line.append(number: Double(columnIndex))
          append(log?.whole(trial) ?? trial, index, flip, column.result, to: &line)
          line.append("]")
          count += 1
          written += line.count
          Self.escape(&line, to: &sink)
          try sink.spill()
        }
      }
    }
    sink.buffer.append("\n]")
    return count
  }

  /// Hands on JSON in which no tag can begin.
  private static func escape(_ line: inout ByteBuffer, to sink: inout FileSink) {
    var rest = line.units[...]
    while let place = rest.firstIndex(of: UInt8(ascii: "<")) {
      sink.buffer += rest[rest.startIndex..<place]
      sink.buffer.append("\\u003c")
      rest = rest[(place + 1)...]
    }
    sink.buffer += rest
    line.removeAll()
  }

  private mutating func append(
    _ trial: Trial,
    _ index: Int,
    _ flip: Int,
    _ column: ColumnResult,
    to line: inout ByteBuffer
  ) {
    line.append(",")
    line.append(json: trial.caseID)
    append(Double(trial.repetition), to: &line)
    append(Double(Self.number(trial.outcome)), to: &line)
    append(Double(flip), to: &line)
    line.append(",[")
    for (index, tag) in trial.tags.enumerated() {
      if index > 0 { line.append(",") }
      line.append(number: Double(tags.place(tag)))
    }
    line.append("]")
    append(Self.label(trial).map { Double(classes.place($0)) } ?? -1, to: &line)
    append(trial.split.map { Double(splits.place($0)) } ?? -1, to: &line)
    let output = trial.output
    let usage = output?.usage
    append(output?.timings.total, to: &line)
    if output?.cost != nil { hasCosts = true }
    append(output?.cost, to: &line)
    append(usage?.total.map(Double.init), to: &line)
    appendScores(trial, to: &line)
    appendRequest(trial, index, column.evidence, to: &line)
    append(output?.excerpt, to: &line)
    line.append(output?.isCut == true ? ",1" : ",0")
    let timings = output?.timings
    line.append(",[")
    for (index, time) in [
      timings?.connect, timings?.tls, timings?.firstByte, timings?.firstText, timings?.longestGap,
      timings?.total, timings?.server, timings?.user,
    ].enumerated() {
      if index > 0 { line.append(",") }
      if let time { line.append(number: time) } else { line.append("null") }
    }
    line.append("]")
    if let usage {
      line.append(",[")
      for (index, count) in [usage.input, usage.cachedInput, usage.output, usage.reasoning]
        .enumerated()
      {
        if index > 0 { line.append(",") }
        if let count { line.append(number: Double(count)) } else { line.append("null") }
      }
      line.append("]")
    } else {
      line.append(",null")
    }
    append(output?.finishReason, to: &line)
    append(output.map { Double(sources.place($0.provenance.phrase)) } ?? -1, to: &line)
    appendBefore(trial, column.evidence, to: &line)
    if case .lost(let loss) = trial.outcome {
      line.append(",")
      append(piece: loss.message, to: &line)
    } else {
      line.append(",null")
    }
    let exemption = column.quarantine[trial.caseID]
    append(exemption.map { "until \($0.until), \($0.reason)" }, to: &line)
    append(String(trial.requestKey.prefix(16)), to: &line)
  }

  private static func number(_ outcome: Trial.Outcome) -> Int {
    switch outcome {
    case .passed: 0
    case .failed: 1
    case .lost: 2
    }
  }

  /// The class that a case belongs to by what is expected: a label, or whether it should be flagged.
  static func label(_ trial: Trial) -> String? {
    for named in trial.scores {
      let measurements = named.score.measurements
      if let label = measurements[MetricDefinition.expectedLabel]?.string { return label }
      if measurements["clean"]?.bool == true { return "clean" }
      if measurements["positive"]?.bool == true { return "to be flagged" }
    }
    return nil
  }

  // MARK: Members

  private func append(_ number: Double?, to line: inout ByteBuffer) {
    line.append(",")
    if let number, number.isFinite { line.append(number: number) } else { line.append("null") }
  }

  private func append(_ text: String?, to line: inout ByteBuffer) {
    line.append(",")
    if let text { line.append(json: text) } else { line.append("null") }
  }

  /// Adds a text, or its number where it is long enough for that to pay.
  private mutating func append(piece text: String, to line: inout ByteBuffer) {
    var text = text
    if text.utf8.count > Self.longestPiece {
      text = Excerpt.cut(text, to: Self.longestPiece)
    }
    guard text.utf8.count >= 16 else { return line.append(json: text) }
    let count = pieces.texts.count
    line.append(number: Double(pieces.place(text)))
    if pieces.texts.count > count { written += text.utf8.count }
  }

  private mutating func appendScores(_ trial: Trial, to line: inout ByteBuffer) {
    line.append(",[")
    for (index, named) in trial.scores.enumerated() {
      line.append(index == 0 ? "[" : ",[")
      line.append(number: Double(scorers.place(named.name)))
      switch named.score.outcome {
      case .passed: line.append(",0,")
      case .failed: line.append(",1,")
      case .notApplicable, .unscored: line.append(",2,")
      }
      append(piece: named.score.explanation, to: &line)
      line.append(named.score.isAdvisory ? ",1]" : ",0]")
    }
    line.append("]")
  }

  private mutating func appendRequest(
    _ trial: Trial,
    _ index: Int,
    _ evidence: Evidence?,
    to line: inout ByteBuffer
  ) {
    guard written < Self.room, let messages = evidence?.messages(of: trial, at: index) else {
      return line.append(",null")
    }
    line.append(",[")
    for (index, message) in messages.enumerated() {
      line.append(index == 0 ? "[" : ",[")
      line.append(number: Double(roles.place(message.role)))
      line.append(",[")
      for (index, text) in message.pieces.enumerated() {
        if index > 0 { line.append(",") }
        append(piece: text, to: &line)
      }
      line.append("]]")
    }
    line.append("]")
  }

  private mutating func appendBefore(
    _ trial: Trial,
    _ evidence: Evidence?,
    to line: inout ByteBuffer
  ) {
    guard let before = evidence?.before(trial) else { return line.append(",null") }
    line.append(",[")
    line.append(number: Double(Self.number(before.outcome)))
    switch before.answer {
    case .same: line.append(",0,")
    case .notKept: line.append(",null,")
    case .text(let text):
      line.append(",")
      line.append(json: text)
      line.append(",")
    }
    append(piece: before.title, to: &line)
    line.append("]")
  }

  // MARK: What is shared

  /// Writes what the trials share, after them: an object of JSON that may stand in a script.
  func writeShared(kind: String, noun: String, to sink: inout FileSink) throws(FileError) {
    let shared = pieces.uses.indices.filter { pieces.uses[$0] > 24 }
    let object: JSONObject = [
      "kind": .string(kind), "noun": .string(noun), "hasCosts": .bool(hasCosts),
      "suites": .array(
        suites.map { suite in
          [
            "name": .string(suite.name), "answers": .string(suite.source.rawValue),
            "columns": .array(
              suite.columns.map { column in
                [
                  "key": .string(column.key), "name": .string(column.name),
                  "prompt": .string(column.result.prompt),
                  "path": .string(column.result.promptPath),
                  "backend": .string(column.result.backend),
                ]
              }
            ),
          ]
        }
      ),
      "tags": tags.json(), "classes": classes.json(), "splits": splits.json(),
      "scorers": scorers.json(), "sources": sources.json(), "roles": roles.json(),
      "shared": .array(shared.map { .number(Double($0)) }), "pieces": pieces.json(),
    ]
    var line = ByteBuffer(capacity: 1 << 16)
    line.append(JSONWriter.line(.object(object)))
    Self.escape(&line, to: &sink)
    try sink.spill()
  }
}
