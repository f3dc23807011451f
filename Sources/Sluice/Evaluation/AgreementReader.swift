import SluiceReporting

/// A reader of columns of answers from a suite or from run logs, which computes their agreement.
package struct AgreementReader: Sendable {
  private let part: ComparedPart
  private let scale: ColumnAgreement.Scale

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - part: The part of each answer to compare.
  ///   - scale: The scale of the compared values.
  package init(part: ComparedPart, scale: ColumnAgreement.Scale) {
    self.part = part
    self.scale = scale
  }

  private func value(_ response: ModelResponse) -> ColumnAgreement.Value {
    switch part.value(in: response) {
    case .success(let value): .value(Self.kept(value))
    case .failure(let unusable): .unusable(unusable.reason)
    }
  }

  /// Returns a short value unchanged, and a long value as its beginning with a digest.
  ///
  /// This saves memory. Because of the digest, two different values still have different results.
  private static func kept(_ value: String) -> String {
    guard value.utf8.count > 400 else { return value }
    let digest = SHA256.hexadecimal(value.utf8).prefix(16)
    return "\(value.prefix(200))… (\(value.utf8.count) bytes, SHA-256 \(digest))"
  }

  // MARK: Suites

  /// Returns the agreement between a suite's columns, from recordings and output files.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - recordings: The recordings of the dataset, by backend.
  ///   - now: The current time, which decides which recordings are too old.
  ///   - concurrency: The maximum number of threads to use.
  /// - Returns: The agreement.
  package func agreement(
    of suite: ResolvedSuite,
    _ recordings: [String: RecordingStore],
    now: Timestamp,
    concurrency: Int
  ) -> ColumnAgreement {
    let plan = suite.plan
    let answers = Runner(plan).readAnswers(
      recordings,
      notBefore: plan.recordings.expiresBefore(now),
      concurrency: concurrency
    ) { value($0) }
    var entries: [[ColumnAgreement.Entry]] = plan.columns.map { _ in [] }
    for (index, answer) in answers.enumerated() {
      let slot = plan.slot(index)
      let stored = plan.cases[slot.testCase].stored
      let value: ColumnAgreement.Value =
        switch answer {
        case .answered(let value): value
        case .missing(let reason): .missing(reason)
        }
      entries[slot.prompt * plan.backends.count + slot.backend].append(
        ColumnAgreement.Entry(
          caseID: stored.id,
          repetition: slot.repetition,
          cluster: stored.labels.cluster,
          value: value
        )
      )
    }
    return ColumnAgreement(
      suite: plan.name,
      part: part.name,
      scale: scale,
      columns: zip(plan.columns, entries).map { column, entries in
        ColumnAgreement.Column(
          name: "\(column.prompt) on \(column.backend)",
          backend: column.backend,
          outputs: plan.outputs[column.backend]?.source,
          entries: entries
        )
      }
    )
  }

  // MARK: Run logs

  /// A run log with its file name.
  package struct Log: Sendable {
    package var name: String
    package var contents: FileContents

    package init(name: String, contents: FileContents) {
      self.name = name
      self.contents = contents
    }
  }

  /// The reason why a log cannot be read.
  package struct Problem: Error, Hashable {
    package var name: String
    package var line: Int
    package var message: String
  }

  /// Returns the agreement between the columns of run logs.
  ///
  /// - Throws: ``Problem`` for the first line that is not from a run log, or if the logs are from
  ///   several suites.
  package func agreement(of logs: [Log]) throws(Problem) -> ColumnAgreement {
    var columns: [ColumnAgreement.Column] = []
    var suites: [String] = []
    // If a case changed between two logs, count its two versions as two cases.
    var digests: [String: String] = [:]
    for log in logs {
      var places: [String: Int] = [:]
      var outputs: [String: OutputsSource] = [:]
      var number = 0
      try log.contents.forEachLine { (line, start) throws(Problem) in
        number += 1
        let isLast = start + line.count >= log.contents.count
        guard let json = try? JSONReader.value(line) else {
          // If the run was killed, the last line may be incomplete.
          if number > 1, isLast || line.isEmpty { return }
          throw Problem(name: log.name, line: number, message: "the line is not valid JSON")
        }
        if number == 1 {
          guard json["kind"]?.string == "header", let suite = json["suite"]?.string else {
            throw Problem(
              name: log.name,
              line: 1,
              message: "the first line is not the header of a run log"
            )
          }
          if !suites.contains(suite) { suites.append(suite) }
          for member in json["outputs"]?.object?.members ?? [] {
            outputs[member.name] = OutputsSource(json: member.value)
          }
          return
        }
        guard json["kind"]?.string == "trial", let id = json["case"]?.string,
          let prompt = json["prompt"]?.string, let backend = json["backend"]?.string
        else { return }
        let name = "\(prompt) on \(backend)"
        let place =
          places[name]
          ?? {
            columns.append(
              ColumnAgreement.Column(
                name: "\(name) in \(log.name)",
                backend: backend,
                outputs: outputs[backend],
                entries: []
              )
            )
            places[name] = columns.count - 1
            return columns.count - 1
          }()
        let digest = json["case-digest"]?.string ?? ""
        let isSame = digests[id].map { $0 == digest } ?? true
        digests[id] = digests[id] ?? digest
        columns[place].entries.append(
          ColumnAgreement.Entry(
            caseID: id,
            repetition: json["repeat"]?.integer ?? 1,
            cluster: json["cluster"]?.string,
            value: isSame
              ? value(of: json)
              : .missing(
                "another log has a different case with this id"
              )
          )
        )
      }
    }
    guard suites.count == 1 else {
      throw Problem(
        name: logs.last?.name ?? "",
        line: 1,
        message: "the logs are of different suites: \(suites.sorted().joined(separator: ", "))"
      )
    }
    return ColumnAgreement(suite: suites[0], part: part.name, scale: scale, columns: columns)
  }

  /// Returns the value of the answer in a line of a log.
  private func value(of line: JSONValue) -> ColumnAgreement.Value {
    if line["response-digest"] == nil {
      return .missing(line["reason"]?.string ?? "no answer")
    }
    return value(
      ModelResponse(
        text: line["text"]?.string,
        refusal: line["refusal"]?.string,
        finishReason: line["finish-reason"]?.string
      )
    )
  }
}
