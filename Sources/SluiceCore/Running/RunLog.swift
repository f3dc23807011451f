package import SluiceSupport

/// The run log of a suite: one JSONL file with a header, a line for each trial and a footer.
///
/// While a live run goes on it is the journal: lines are appended and synced as trials end. When the
/// run ends it is written anew as a whole, in the order of the suite.
package struct RunLog: Sendable {
  package static let schema = 1
  /// What the first line says that the file is.
  package static let kind = "header"
  private let plan: SuitePlan
  private let start: Timestamp
  private let mode: Mode
  /// What the logs of one live call have in common, and of those that go on with it.
  private let run: String?
  /// Which of the suite's logs that began within the same second it is, from 1.
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

  /// Where run logs lie.
  package static let folder = ProjectPath("reports/runs")
  /// The folder of the logs of filtered runs, which say nothing about the suite as a whole.
  package static let filteredFolder = ProjectPath("reports/filtered/runs")

  /// The folder of the logs of runs with a filter, or without.
  static func folder(filter: CaseFilter?) -> ProjectPath { filter == nil ? folder : filteredFolder }

  /// The suite that a log is of by its name: `clarity-20261121T122019Z.jsonl`, or `…Z_2.jsonl`.
  package static func suite(ofLog name: String) -> String? {
    guard name.hasSuffix(".jsonl"), let dash = name.lastIndex(of: "-") else { return nil }
    let time = name[name.index(after: dash)...].prefix { $0 != "." && $0 != "_" }
    return time.count == 16 && time.hasSuffix("Z") ? String(name[..<dash]) : nil
  }

  package var path: ProjectPath {
    // In the order of names an underscore comes after the point, as the log does after the first.
    let ending = number == 1 ? "" : "_\(number)"
    return Self.folder(filter: plan.filtered?.filter)
      .resolvingChild("\(plan.name)-\(start.compact)\(ending).jsonl")
  }

  /// Takes the first name that no other log has, whether it is finished or about to be written.
  ///
  /// - Returns: What keeps others away from the name; nil where the disk refuses, which is left to be
  ///   told by whoever writes the log.
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

  /// Whether nothing is written under the name; to lock it may have made the file.
  private func isFree(in files: any FileSystem) -> Bool {
    files.kind(of: path) == .missing || (try? files.open(path).count) == 0
  }

  /// The log of a finished run.
  package func bytes(_ trials: [JudgedTrial]) -> [UInt8] {
    var bytes = ByteBuffer()
    bytes += header
    for trial in trials { Self.append(trial, to: &bytes) }
    bytes += Self.footer(trials.lazy.map(\.trial))
    return Array(bytes.units)
  }

  /// The last line, which says that the run ended.
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

  /// Where the parts of answers stand, by backend; nil where the protocols say it.
  static func places(_ plan: SuitePlan) -> JSONValue? {
    let places = plan.backends.compactMap { backend in
      backend.places.map { (name: backend.name, value: JSONValue.object($0.json)) }
    }
    return places.isEmpty ? nil : .object(JSONObject(places))
  }

  /// The words of backends for the endings of answers, by backend; nil where they are the usual ones.
  static func endings(_ plan: SuitePlan) -> JSONValue? {
    let endings = plan.allBackends.compactMap { backend in
      backend.endings.json.map { (name: backend.name, value: JSONValue.object($0)) }
    }
    return endings.isEmpty ? nil : .object(JSONObject(endings))
  }

  /// The files that answer for backends, by backend; nil where none does.
  static func outputs(_ plan: SuitePlan) -> JSONValue? {
    let outputs = plan.backends.compactMap { backend in
      plan.outputs[backend.name].map { (name: backend.name, value: $0.source.json) }
    }
    return outputs.isEmpty ? nil : .object(JSONObject(outputs))
  }

  /// The line of a trial.
  package static func line(_ judged: JudgedTrial) -> [UInt8] {
    var bytes = ByteBuffer()
    append(judged, to: &bytes)
    return Array(bytes.units)
  }

  private static func append(_ judged: JudgedTrial, to bytes: inout ByteBuffer) {
    var key: [UInt8] = []
    append(judged, to: &bytes, key: &key)
  }

  /// Adds the line of a trial.
  ///
  /// - Parameters:
  ///   - judged: The trial.
  ///   - bytes: What is added to.
  ///   - key: Added to what tells the scores from others, whatever their explanations.
  /// - Returns: Where the line and its texts came to stand in the bytes.
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
    judged.effort.appendMembers(to: &bytes)
    bytes.append(",\"variables\":")
    JSONWriter.append(judged.variables, to: &bytes)
    // The words of a refusal are never the text of the answer.
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
