import SluiceGating

/// The writer of the JSON for a page's script: the trials, the cases and the shared tables.
///
/// Each trial is written as an array on one line. `data.js` reads the elements in the same order.
/// Trials share a table of long texts, such as the texts of a prompt, and refer to them by number.
/// In a request, a negative number refers to an input of the case: -1 is the first input.
struct HTMLTrials: ~Copyable {
  /// The maximum size in bytes of a page's data with requests, so that browsers can open the page.
  ///
  /// Once the data is larger, further requests are left out.
  private static let room = 18_000_000
  /// The maximum number of cases for which the change in the request is written.
  ///
  /// Writing a change requires reading a recording.
  private static let mostEdits = 500

  private let suites: [HTMLSuite]
  private let paging: HTMLPaging
  private let history: BaselineHistory
  private var pieces = HTMLPieces()
  private var cases = HTMLCaseTable()
  private var scorers = HTMLTable()
  private var sources = HTMLTable()
  private var roles = HTMLTable()
  private let memo = ScoreMemo()
  /// The origin of the previous answer, with the index of its phrase in ``sources``.
  private var source: (origin: AnswerOrigin, place: Int)?
  private var written = 0
  private var edits = 0
  private var hasCosts = false

  init(
    _ suites: [HTMLSuite],
    _ paging: HTMLPaging,
    _ history: BaselineHistory = BaselineHistory()
  ) {
    self.suites = suites
    self.paging = paging
    self.history = history
  }

  // MARK: Writing

  /// Writes the trials of a page as a JSON array that is safe inside a script element.
  mutating func write(page: Int, to sink: inout FileSink) throws(FileError) {
    var isFirst = true
    var line = ByteBuffer(capacity: 1 << 14)
    sink.buffer.append("[")
    for (suiteIndex, suite) in suites.enumerated() {
      var log = suite.log.map { RunLogReader($0, readsAll: true) }
      cases.startSuite()
      for (columnIndex, column) in suite.columns.enumerated() {
        pieces.startColumn()
        let past = history.versions(suite: suite.name, backend: column.result.backend)
        for (index, trial) in column.result.trials.enumerated()
        where paging.isOn(page, suite: suiteIndex, column: columnIndex, trial: index) {
          line.append(isFirst ? "\n[" : ",\n[")
          isFirst = false
          let asked = column.result.evidence?.asked(by: trial, at: index)
          let place = cases.place(
            trial,
            asked,
            suite: suiteIndex,
            isRepeated: suite.asksRepeatedly,
            pieces: &pieces
          )
          line.append(digitsOf: UInt(place.number))
          line.append(",")
          line.append(digitsOf: UInt(columnIndex))
          append(
            trial,
            column,
            asked,
            place.inputs,
            isRepeated: suite.asksRepeatedly,
            log: &log,
            to: &line
          )
          appendRare(trial, at: index, column, past, to: &line)
          line.append("]")
          written += line.count
          Self.escape(line, to: &sink)
          line.removeAll()
          try sink.spill()
        }
      }
    }
    sink.buffer.append("\n]")
  }

  /// Writes the cases of these trials as a JSON array that is safe inside a script element.
  mutating func writeCases(to sink: inout FileSink) throws(FileError) {
    sink.buffer.append("[")
    Self.escape(cases.lines, to: &sink)
    sink.buffer.append("\n]")
    try sink.spill()
  }

  /// Writes JSON with each `<` escaped, so that no HTML tag can begin in it.
  private static func escape(_ line: borrowing ByteBuffer, to sink: inout FileSink) {
    var rest = line.units[...]
    while let place = rest.firstIndex(of: UInt8(ascii: "<")) {
      sink.buffer += rest[rest.startIndex..<place]
      sink.buffer.append("\\u003c")
      rest = rest[(place + 1)...]
    }
    sink.buffer += rest
  }

  private mutating func append(
    _ trial: Trial,
    _ column: HTMLSuite.ShownColumn,
    _ asked: Evidence.AskedCase?,
    _ inputs: [String],
    isRepeated: Bool,
    log: inout RunLogReader?,
    to line: inout ByteBuffer
  ) {
    append(Double(trial.repetition), to: &line)
    append(Double(Self.number(trial.outcome)), to: &line)
    append(Double(column.change(trial.caseID)?.rawValue ?? 0), to: &line)
    let output = trial.output
    let usage = output?.usage
    let timings = output?.measuredTimings
    if output?.cost != nil { hasCosts = true }
    append(output?.cost, to: &line)
    append(usage?.total.map(Double.init), to: &line)
    appendScores(trial, log: &log, to: &line)
    appendRequest(asked, column.result.evidence, inputs, isRepeated: isRepeated, to: &line)
    Self.appendAnswer(trial, log: &log, to: &line)
    appendTimings(timings, to: &line)
    if let usage {
      line.append(",[")
      for (index, count) in [usage.input, usage.cachedInput, usage.output, usage.reasoning]
        .enumerated()
      {
        if index > 0 { line.append(",") }
        if let count { JSONWriter.append(count, to: &line) } else { line.append("null") }
      }
      line.append("]")
    } else {
      line.append(",null")
    }
    append(output?.finishReason, to: &line)
    append(Double(sourcePlace(trial)), to: &line)
    appendBefore(trial, column.result.evidence, to: &line)
    if case .lost(let loss) = trial.outcome {
      line.append(",")
      pieces.append(loss.message, to: &line)
    } else {
      line.append(",null")
    }
    let quarantine = column.result.quarantine
    let exemption = quarantine.isEmpty ? nil : quarantine[trial.caseID]
    append(exemption.map { "until \($0.until), \($0.reason)" }, to: &line)
    append(String(trial.requestKey.prefix(16)), to: &line)
  }

  /// Adds the elements that few trials have: the refusal, the case's history and the request's
  /// change.
  private mutating func appendRare(
    _ trial: Trial,
    at index: Int,
    _ column: HTMLSuite.ShownColumn,
    _ past: [BaselineVersion],
    to line: inout ByteBuffer
  ) {
    let (letters, edit) = (Self.letters(trial, past), edit(trial, at: index, column))
    guard trial.refusal != nil || letters != nil || edit != nil else { return }
    append(trial.refusal, to: &line)
    guard letters != nil || edit != nil else { return }
    append(letters, to: &line)
    guard let edit else { return }
    line.append(",")
    pieces.append(edit, to: &line)
  }

  /// Returns the history of a case, or `nil` if no version of the baseline has the case.
  ///
  /// Each version of the baseline adds one character, usually the first letter of the outcome. The
  /// letter is in upper case if the answer is the same as the trial's. If the case was edited
  /// since, the character is a digit for the outcome. If the version lacks the case, the
  /// character is a period.
  private static func letters(_ trial: Trial, _ past: [BaselineVersion]) -> String? {
    let letters = past.map { version -> Character in
      guard let entry = version.entry(of: trial) else { return "." }
      let names = ["passed", "failed", "lost", "unjudged"]
      guard let place = names.firstIndex(of: entry.outcome) else { return "." }
      if entry.isOtherCase { return Character("\(place)") }
      let letter = names[place].prefix(1)
      return Character(entry.hasSameAnswer ? letter.uppercased() : String(letter))
    }
    return letters.contains { $0 != "." } ? String(letters) : nil
  }

  /// Returns the change of a trial's request since the baseline, or `nil` if the case did not flip.
  ///
  /// The lines start with `-`, `+` or a space.
  private mutating func edit(
    _ trial: Trial,
    at index: Int,
    _ column: HTMLSuite.ShownColumn
  ) -> String? {
    guard column.result.requestChange != nil, edits < Self.mostEdits,
      let change = column.change(trial.caseID), [.failsNow, .passesNow].contains(change),
      let difference = column.result.evidence?.requestDifference(of: trial, at: index)
    else { return nil }
    edits += 1
    return RecordingText.difference(difference, most: 40, width: 1_000).joined(separator: "\n")
  }

  private static func number(_ outcome: Trial.Outcome) -> Int {
    switch outcome {
    case .passed: 0
    case .failed: 1
    case .lost: 2
    case .unjudged: 3
    }
  }

  /// Returns the index, in ``sources``, of the phrase that says where a trial's answer comes from;
  /// -1 if there is no answer.
  private mutating func sourcePlace(_ trial: Trial) -> Int {
    guard let origin = trial.source else { return -1 }
    if let source, source.origin === origin { return source.place }
    let place = sources.place(origin.provenance.phrase)
    source = (origin, place)
    return place
  }

  // MARK: Members

  private func append(_ number: Double?, to line: inout ByteBuffer) {
    line.append(",")
    if let number, number.isFinite {
      JSONWriter.append(number, to: &line)
    } else {
      line.append("null")
    }
  }

  private func append(_ text: String?, to line: inout ByteBuffer) {
    line.append(",")
    if let text { JSONWriter.append(text, to: &line) } else { line.append("null") }
  }

  /// Adds the times of an answer, or `null` if there are none, as for most recorded answers.
  private func appendTimings(_ timings: ResponseTimings?, to line: inout ByteBuffer) {
    let times = [
      timings?.connect, timings?.tls, timings?.firstByte, timings?.firstText, timings?.longestGap,
      timings?.total, timings?.server, timings?.user,
    ]
    guard times.contains(where: { $0 != nil }) else { return line.append(",null") }
    line.append(",[")
    for (index, time) in times.enumerated() {
      if index > 0 { line.append(",") }
      if let time { JSONWriter.append(time, to: &line) } else { line.append("null") }
    }
    line.append("]")
  }

  private mutating func appendScores(
    _ trial: Trial,
    log: inout RunLogReader?,
    to line: inout ByteBuffer
  ) {
    line.append(",[")
    let memo = memo
    let logged = log?.withTexts(of: trial) { texts in
      memo.bytes(of: trial, texts.scores) { scores(trial.scores, explanations: $0) }
    }
    if let logged = logged ?? nil {
      line.append(logged)
    } else {
      let whole = (log?.whole(trial) ?? trial).scores
      line.append(scores(whole, explanations: whole.map(\.score.explanation)))
    }
    line.append("]")
  }

  private mutating func scores(_ scores: [Trial.NamedScore], explanations: [String]) -> [UInt8] {
    var line = ByteBuffer()
    for (index, named) in scores.enumerated() {
      line.append(index == 0 ? "[" : ",[")
      JSONWriter.append(scorers.place(named.name), to: &line)
      switch named.score.outcome {
      case .passed: line.append(",0,")
      case .failed: line.append(",1,")
      case .notApplicable, .unscored: line.append(",2,")
      }
      pieces.append(explanations[index], to: &line)
      line.append(named.score.isAdvisory ? ",1]" : ",0]")
    }
    return Array(line.units)
  }

  /// Adds the answer's text as JSON, followed by 1 if the text is truncated and by 0 otherwise.
  private static func appendAnswer(
    _ trial: Trial,
    log: inout RunLogReader?,
    to line: inout ByteBuffer
  ) {
    guard trial.isAnswered else { return line.append(",null,0") }
    let isDone =
      log?.withTexts(of: trial) { texts in
        // A text that has few enough bytes also has few enough characters.
        guard !texts.text.isEmpty, texts.text.count <= Trial.Output.excerptLimit else {
          return false
        }
        line.append(",")
        line.append(texts.text)
        line.append(",0")
        return true
      } ?? false
    if isDone { return }
    let output = (log?.whole(trial) ?? trial).output
    line.append(",")
    JSONWriter.append(output?.excerpt ?? "", to: &line)
    line.append(output?.isCut == true ? ",1" : ",0")
  }

  private mutating func appendRequest(
    _ asked: Evidence.AskedCase?,
    _ evidence: Evidence?,
    _ inputs: [String],
    isRepeated: Bool,
    to line: inout ByteBuffer
  ) {
    guard written + cases.lines.count + pieces.size < Self.room, let asked,
      let messages = evidence?.messages(asked)
    else { return line.append(",null") }
    line.append(",[")
    var place = 0
    for (index, message) in messages.enumerated() {
      line.append(index == 0 ? "[" : ",[")
      JSONWriter.append(roles.place(message.role), to: &line)
      line.append(",[")
      for (index, text) in message.pieces.enumerated() {
        if index > 0 { line.append(",") }
        pieces.append(
          text,
          ofRequest: place,
          inputs: inputs,
          isRepeated: isRepeated,
          to: &line
        )
        place += 1
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
    JSONWriter.append(Self.number(before.outcome), to: &line)
    switch before.answer {
    case .same: line.append(",0,")
    case .notKept: line.append(",null,")
    case .text(let text), .refusal(let text):
      line.append(",")
      JSONWriter.append(text, to: &line)
      line.append(",")
    }
    pieces.append(before.title, to: &line)
    if case .refusal = before.answer { line.append(",1") }
    line.append("]")
  }

  // MARK: Shared data

  /// Returns the committed versions of a column's baseline, oldest first.
  ///
  /// Each version has its day, commit and prompt. The current version also has a 1.
  private func past(_ suite: HTMLSuite, _ column: HTMLSuite.ShownColumn) -> JSONValue {
    let versions = history.versions(suite: suite.name, backend: column.result.backend)
    return .array(
      versions.map { version in
        [
          .string(String(version.date.iso8601.prefix(10))),
          .string(String(version.commit.prefix(7))),
          .string(version.prompt), .number(version.isCurrent ? 1 : 0),
        ]
      }
    )
  }

  /// Writes the tables that the trials share, as a JSON object that is safe inside a script
  /// element.
  ///
  /// - Parameters:
  ///   - kind: `run` or `compare`.
  ///   - sink: The destination.
  /// - Throws: An error if writing fails.
  func writeShared(kind: String, to sink: inout FileSink) throws(FileError) {
    var object: JSONObject = [
      "kind": .string(kind), "hasCosts": .bool(hasCosts),
      "suites": .array(
        suites.map { suite in
          [
            "name": .string(suite.name), "answers": .string(suite.source.rawValue),
            "dataset": suite.columns.lazy.compactMap(\.result.evidence).first
              .map { .string($0.datasetPath) } ?? .null,
            "columns": .array(
              suite.columns.map { column in
                [
                  "key": .string(column.key), "name": .string(column.name),
                  "prompt": .string(column.result.prompt),
                  "path": .string(column.result.promptPath),
                  "backend": .string(column.result.backend),
                  "past": past(suite, column),
                ]
              }
            ),
          ]
        }
      ),
      "scorers": scorers.json(), "sources": sources.json(), "roles": roles.json(),
      "pieces": pieces.json(),
    ]
    for table in cases.tables.members { object[table.name] = table.value }
    var line = ByteBuffer(capacity: 1 << 16)
    JSONWriter.append(.object(object), to: &line)
    Self.escape(line, to: &sink)
    try sink.spill()
  }
}
