package import SluiceSupport

/// The run log of a suite: a JSONL file that contains a header, a line for each trial, and a
/// footer.
///
/// During a live run, the log is a journal: lines are appended when trials end, and synced to disk.
/// When the run ends, the whole file is rewritten in suite order.
package struct RunLog: Sendable {
  package static let schema = 1
  /// The value of `kind` in the first line of a run log.
  package static let kind = "header"
  private let plan: SuitePlan
  private let start: Timestamp
  private let mode: Mode
  /// The id of a live run.
  ///
  /// The logs of all suites in a live run contain the same id, and so do the logs of runs that
  /// resume it.
  private let run: String?
  /// The number of this log among the suite's logs that were started in the same second, from 1.
  private var number = 1

  package enum Mode: String, Sendable {
    case replay, live
  }

  package init(_ plan: SuitePlan, start: Timestamp, mode: Mode, run: String? = nil) {
    self.plan = plan
    self.start = start
    self.mode = mode
    self.run = run
  }

  /// The folder of run logs.
  package static let folder = ProjectPath("reports/runs")
  /// The folder for the logs of runs with a filter, which do not show the results of the whole
  /// suite.
  package static let filteredFolder = ProjectPath("reports/filtered/runs")

  /// Returns the folder for the log of a run, depending on whether the run has a filter.
  static func folder(filter: CaseFilter?) -> ProjectPath { filter == nil ? folder : filteredFolder }

  /// Returns the suite's name from the file name of a log, such as `clarity-20261121T122019Z.jsonl`
  /// or `clarity-20261121T122019Z_2.jsonl`; nil for other file names.
  package static func suite(ofLog name: String) -> String? {
    guard name.hasSuffix(".jsonl"), let dash = name.lastIndex(of: "-") else { return nil }
    let time = name[name.index(after: dash)...].prefix { $0 != "." && $0 != "_" }
    return time.count == 16 && time.hasSuffix("Z") ? String(name[..<dash]) : nil
  }

  package var path: ProjectPath {
    // An underscore sorts after the dot. So in the order of names, later logs follow the first one.
    let ending = number == 1 ? "" : "_\(number)"
    return Self.folder(filter: plan.filtered?.filter)
      .resolvingChild("\(plan.name)-\(start.compact)\(ending).jsonl")
  }

  /// Reserves the first file name that no log of a finished or current run has.
  ///
  /// - Returns: The lock of the name; nil if 999 names are taken, or after a file error, which is
  ///   reported when the log is written.
  package mutating func takeName(in files: any FileSystem) -> FileLock? {
    let most = 1_000
    while number < most {
      do throws(FileError) {
        if let lock = try files.lock(path), isFree(in: files) { return lock }
      } catch {
        return nil
      }
      number += 1
    }
    return nil
  }

  /// Returns true if no log is stored under the name.
  ///
  /// Locking may have created an empty file.
  private func isFree(in files: any FileSystem) -> Bool {
    files.kind(of: path) == .missing || (try? files.open(path).count) == 0
  }

  /// Returns the log of a finished run.
  package func bytes(_ trials: [JudgedTrial]) -> [UInt8] {
    var bytes = ByteBuffer()
    bytes += header
    for trial in trials { Self.append(trial, to: &bytes) }
    bytes += Self.footer(trials.lazy.map(\.trial))
    return Array(bytes.units)
  }

  /// Returns the last line, which marks the end of the run.
  package static func footer(_ trials: some Sequence<Trial>) -> [UInt8] {
    var (passed, failed, unjudged, lost) = (0, 0, 0, 0)
    for trial in trials {
      switch trial.outcome {
      case .passed: passed += 1
      case .failed: failed += 1
      case .unjudged: unjudged += 1
      case .lost: lost += 1
      }
    }
    var footer: JSONObject = [
      "kind": "footer", "trials": .number(Double(passed + failed + unjudged + lost)),
      "passed": .number(Double(passed)), "failed": .number(Double(failed)),
      "lost": .number(Double(lost)),
    ]
    if unjudged > 0 { footer["unjudged"] = .number(Double(unjudged)) }
    return JSONWriter.line(.object(footer)) + [0x0A]
  }

  /// The first line.
  package var header: [UInt8] {
    var header: JSONObject = [
      "schema": .number(Double(Self.schema)), "kind": .string(Self.kind),
      "version": .string(Version.current), "suite": .string(plan.name),
      "mode": .string(mode.rawValue), "started": .string(start.iso8601),
      "prompts": .array(
        plan.prompts.map { ["name": .string($0.name), "digest": .string($0.digest)] }
      ),
      "backends": .array(plan.backends.map { .string($0.name) }),
      "scorers": plan.scorersJSON,
      "repetitions": .number(Double(plan.repetitions)),
      "cases": .number(Double(plan.cases.count)),
    ]
    header.set("places", Self.places(plan))
    header.set("endings", Self.endings(plan))
    header.set("outputs", Self.outputs(plan))
    if !plan.tried.isEmpty { header["tried"] = .array(plan.tried.map(JSONValue.string)) }
    header.set("filter", plan.filtered?.json)
    header.set("run", run.map(JSONValue.string))
    return JSONWriter.line(.object(header)) + [0x0A]
  }

  /// Returns the paths of the answer's parts, by backend; nil if the protocols determine all paths.
  static func places(_ plan: SuitePlan) -> JSONValue? {
    let places = plan.backends.compactMap { backend in
      backend.places.map { (name: backend.name, value: JSONValue.object($0.json)) }
    }
    return places.isEmpty ? nil : .object(JSONObject(places))
  }

  /// Returns the finish reasons of the backends; nil if all backends have the usual finish reasons.
  static func endings(_ plan: SuitePlan) -> JSONValue? {
    let endings = plan.allBackends.compactMap { backend in
      backend.endings.json.map { (name: backend.name, value: JSONValue.object($0)) }
    }
    return endings.isEmpty ? nil : .object(JSONObject(endings))
  }

  /// Returns the outputs files, by backend; nil if no backend has one.
  static func outputs(_ plan: SuitePlan) -> JSONValue? {
    let outputs = plan.backends.compactMap { backend in
      plan.outputs[backend.name].map { (name: backend.name, value: $0.source.json) }
    }
    return outputs.isEmpty ? nil : .object(JSONObject(outputs))
  }

  /// Returns the line of a trial.
  package static func line(_ judged: JudgedTrial) -> [UInt8] {
    var bytes = ByteBuffer()
    append(judged, to: &bytes)
    return Array(bytes.units)
  }

  private static func append(_ judged: JudgedTrial, to bytes: inout ByteBuffer) {
    var key: [UInt8] = []
    append(judged, to: &bytes, key: &key)
  }

  /// Appends the line of a trial.
  ///
  /// - Parameters:
  ///   - judged: The trial.
  ///   - bytes: The buffer to append to.
  ///   - key: Receives a key. Two trials have the same key if their scores are equal, except for
  ///     explanations.
  /// - Returns: The ranges of the line and of its texts in the buffer.
  @discardableResult
  static func append(
    _ judged: JudgedTrial,
    to bytes: inout ByteBuffer,
    key: inout [UInt8]
  ) -> RunLogPlace {
    let start = bytes.count
    bytes.append(UInt8(ascii: "{"))
    let scores = judged.trial.appendMembers(to: &bytes, key: &key)
    if case .lost(.noAnswer(let error)) = judged.trial.outcome {
      bytes.append(",\"error\":{\"kind\":")
      JSONWriter.append(error.kind.rawValue, to: &bytes)
      if let status = error.status {
        bytes.append(",\"status\":")
        JSONWriter.append(status, to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
    judged.statistics.appendMembers(to: &bytes)
    bytes.append(",\"variables\":")
    JSONWriter.append(judged.variables, to: &bytes)
    // The text of a refusal is stored separately from the text of the answer.
    JSONWriter.append(member: "refusal", judged.refusal, to: &bytes)
    var text = start..<start
    if let answer = judged.text {
      bytes.append(",\"text\":")
      let start = bytes.count
      JSONWriter.append(answer, to: &bytes)
      text = start..<bytes.count
    }
    bytes.append("}\n")
    func inLine(_ range: Range<Int>) -> Range<UInt32> {
      UInt32(range.lowerBound - start)..<UInt32(range.upperBound - start)
    }
    return RunLogPlace(
      start: start,
      length: UInt32(bytes.count - 1 - start),
      scores: inLine(scores),
      text: inLine(text)
    )
  }
}
