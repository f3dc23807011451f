package import SluiceSupport

/// A file with outputs for cases.
///
/// The rows of the file are indexed. Each row is read only when it is needed.
///
/// The file is used instead of recordings. Answers are looked up by case id, because the original
/// requests are unknown.
package final class OutputsFile: Sendable {
  package let path: ProjectPath
  /// The SHA-256 digest of the whole file, which identifies the file's version.
  package let digest: String
  /// The number of rows.
  package var count: Int { rows.count }
  /// The highest number of a repeat in any row.
  package var repetitions: Int { rows.reduce(1) { max($0, Int($1.repetition)) } }

  /// The rows as JSON Lines: the file itself, or the converted rows of a CSV file.
  private let lines: FileContents
  private let rows: [Row]
  /// The index of the first row of each case, by the id of the case.
  private let first: [String: UInt32]
  /// The prompts that rows name.
  package let prompts: [String]
  private let isCSV: Bool

  /// The location of a row in the file, and the trials that the row answers.
  struct Row: Sendable {
    var start: Int
    var count: UInt32
    var checksum: UInt32
    /// The line number in the file, from 1.
    var number: UInt32
    var repetition: UInt32
    /// The number of the row's prompt in ``OutputsFile/prompts``, from 1; 0 if the row names no
    /// prompt.
    var prompt: UInt32 = 0
    /// The index of the next row of the same case; ``none`` if there is no further row.
    var next = Row.none

    static let none = UInt32.max
  }

  init(
    path: ProjectPath,
    digest: String,
    lines: FileContents,
    rows: [Row],
    first: [String: UInt32],
    prompts: [String],
    isCSV: Bool
  ) {
    self.path = path
    self.digest = digest
    self.lines = lines
    self.rows = rows
    self.first = first
    self.prompts = prompts
    self.isCSV = isCSV
  }

  private static let redaction = Redaction()

  /// The route of answers that come from files.
  static let route = AnswerRoute.files

  // MARK: Asking

  /// Returns the answer to a trial; nil if no row contains it.
  ///
  /// - Parameters:
  ///   - testCase: The id of the case.
  ///   - prompt: The name of the prompt.
  ///   - repetition: The repeat, from 1.
  /// - Returns: The answer, or the error that the row contains.
  package func answer(to testCase: String, prompt: String, repetition: Int) -> StoredAnswer? {
    row(of: testCase, prompt: prompt, repetition: repetition).map { row in
      do throws(BackendError) {
        return StoredAnswer(.success(try response(row)))
      } catch {
        return StoredAnswer(.failure(error))
      }
    }
  }

  /// Returns true if a row contains the answer to a trial, or an error for it.
  package func contains(_ testCase: String, prompt: String, repetition: Int) -> Bool {
    row(of: testCase, prompt: prompt, repetition: repetition) != nil
  }

  /// Returns true if the row that answers a trial names a prompt.
  package func namesPrompt(of testCase: String, prompt: String, repetition: Int) -> Bool {
    row(of: testCase, prompt: prompt, repetition: repetition).map { $0.prompt > 0 } ?? false
  }

  private func row(of testCase: String, prompt: String, repetition: Int) -> Row? {
    rows(of: testCase).first { row in
      row.repetition == UInt32(clamping: repetition)
        && (row.prompt == 0 || prompts[Int(row.prompt) - 1] == prompt)
    }
  }

  private func rows(of testCase: String) -> some Sequence<Row> {
    sequence(state: first[testCase] ?? Row.none) { [rows] (place: inout UInt32) -> Row? in
      if place == Row.none { return nil }
      defer { place = rows[Int(place)].next }
      return rows[Int(place)]
    }
  }

  private func response(_ row: Row) throws(BackendError) -> ModelResponse {
    let range = row.start..<(row.start + Int(row.count))
    let json = lines.withBytes(range) { bytes -> JSONValue? in
      guard QuickChecksum.of(bytes) == row.checksum else { return nil }
      return try? JSONReader.value(bytes)
    }
    guard let json else {
      throw BackendError(.invalidRequest, "\(path) changed while the suite ran")
    }
    if let error = ProgramAnswer.error(in: json, "\(path):\(row.number) has no answer") {
      throw Self.redaction.redacted(error)
    }
    let times = json["timings"].map { ResponseTimings(json: $0) } ?? ResponseTimings()
    let raw = RawResponse(
      status: 0,
      body: [],
      timings: times,
      host: "file:\(path)",
      date: Timestamp(seconds: 0)
    )
    var response = try ProgramAnswer.answer(in: json, raw)
    // The date of the answer is unknown.
    response.provenance.date = nil
    response.provenance.via = Self.route
    response.provenance.statesTimes = times != ResponseTimings()
    if let cost = json["cost"]?.number { response.reportedCost = cost }
    response.provenance.statesCost = response.reportedCost != nil
    // More people see logs and reports than the file, so secrets are removed.
    return Self.redaction.redacted(response) ?? response
  }

  // MARK: Missing

  /// Returns the reason why no row answers a trial.
  package func miss(_ testCase: String, prompt: String, repetition: Int) -> RecordingMiss {
    var reason = RecordingMiss.NoRow(path: path.description)
    let own = Array(rows(of: testCase))
    let named = own.filter { $0.prompt > 0 }.map { prompts[Int($0.prompt) - 1] }
    if !own.isEmpty, named.count == own.count, !named.contains(prompt) {
      reason.prompt = prompt
    } else if !own.isEmpty {
      reason.repetition = repetition
    }
    return RecordingMiss(reason: .noRow(reason))
  }
}
