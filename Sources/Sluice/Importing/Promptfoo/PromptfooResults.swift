package import SluiceSupport
import SluiceReporting

/// The import of a promptfoo run's results as output files.
package struct PromptfooResults {
  private let context: PromptfooContext
  private var imported: PromptfooImport.Result
  private var outputs: [(key: String, rows: OutputRowsFile)] = []
  private var placed: [JSONValue: Int] = [:]
  private var total = 0
  private var foreign = 0
  private var verdicts = 0
  private var cached = 0
  private var secrets = 0

  /// The maximum size of a results file in bytes.
  private static let maximumBytes = 1 << 30
  private static let maximumFiles = 200

  /// Adds the answers of a results file to an import.
  ///
  /// - Parameters:
  ///   - path: The results file: a JSON document, or one result per line.
  ///   - files: The files of the folder with the results.
  ///   - imported: The imported suite whose cases the results answer.
  /// - Returns: The import, extended by output files.
  /// - Throws: ``PromptfooImport/Failure`` if the file cannot be read.
  package static func add(
    _ path: ProjectPath,
    from files: any FileSystem,
    to imported: PromptfooImport.Result
  ) throws(PromptfooImport.Failure) -> PromptfooImport.Result {
    let context = PromptfooContext(files, configuration: path)
    var results = PromptfooResults(context: context, imported: imported)
    try results.read(path, files)
    return results.finished()
  }

  private init(context: PromptfooContext, imported: PromptfooImport.Result) {
    self.context = context
    self.imported = imported
  }

  // MARK: Reading

  private mutating func read(_ path: ProjectPath, _ files: any FileSystem)
    throws(PromptfooImport.Failure)
  {
    func failure(_ message: String, _ position: SourcePosition? = nil) -> PromptfooImport.Failure {
      .init(diagnostics: [
        Diagnostic(path: path.description, position: position, message: message)
      ])
    }
    guard path.isInsideRoot, files.kind(of: path) == .file else {
      throw failure("file not found: \(path)")
    }
    let contents: FileContents
    do throws(FileError) {
      contents = try files.open(path)
    } catch {
      throw failure("cannot be read: \(error.reason)")
    }
    guard contents.count <= Self.maximumBytes else {
      throw failure("larger than \(Self.maximumBytes >> 20) MiB")
    }
    if path.pathExtension == "jsonl" { return try readLines(contents, failure) }
    let bytes = contents.bytes(0..<contents.count)
    var found = false
    do throws(JSONSyntaxError) {
      try JSONReader.read(bytes.withoutMark) { reader throws(JSONSyntaxError) in
        found = try readEnvelope(&reader, depth: 0)
      }
    } catch {
      throw failure(
        "not valid JSON: \(error.message)",
        SourcePosition(offset: error.offset, in: bytes)
      )
    }
    if !found { throw failure("the file contains no results of a promptfoo run") }
  }

  private mutating func readLines(
    _ contents: FileContents,
    _ failure: (String, SourcePosition?) -> PromptfooImport.Failure
  ) throws(PromptfooImport.Failure) {
    var number = 0
    var fault: (message: String, line: Int)?
    contents.forEachLine { line, _ in
      number += 1
      if fault != nil || line.allSatisfy({ $0 <= 0x20 }) { return }
      guard line.count <= FileLimits.maximumLineBytes else {
        fault = ("the line is longer than \(FileLimits.maximumLineBytes >> 20) MiB", number)
        return
      }
      do throws(JSONSyntaxError) {
        add(try JSONReader.value(line))
      } catch {
        fault = ("not valid JSON: \(error.message)", number)
      }
    }
    if let fault { throw failure(fault.message, SourcePosition(line: fault.line, column: 1)) }
  }

  /// Reads `{results: {results: [...]}}`, `{results: [...]}` or `[...]`, one result at a time.
  private mutating func readEnvelope(_ reader: inout JSONReader, depth: Int) throws(JSONSyntaxError)
    -> Bool
  {
    var found = false
    switch try reader.kind() {
    case .array:
      try reader.readElements { reader throws(JSONSyntaxError) in add(try reader.readValue()) }
      return true
    case .object where depth < 2:
      try reader.readMembers { reader, name throws(JSONSyntaxError) in
        if name == "results" {
          if try readEnvelope(&reader, depth: depth + 1) { found = true }
        } else {
          try reader.skipValue()
        }
      }
    default: try reader.skipValue()
    }
    return found
  }

  // MARK: One result

  private mutating func add(_ result: JSONValue) {
    guard result.object != nil else { return }
    total += 1
    let vars = result["vars"] ?? result.value(at: "testCase.vars") ?? [:]
    guard let ids = imported.casesByVariables[vars], !ids.isEmpty else {
      foreign += 1
      return
    }
    let provider =
      result["provider"]?["label"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      ?? result["provider"]?["id"]?.string ?? result["provider"]?.string ?? "provider"
    let index = result["promptIdx"]?.integer ?? 0
    let names = imported.promptNames
    let prompt = names.indices.contains(index) ? names[index] : "prompt-\(index + 1)"
    // If several tests have the same variables, assume that their results come in the order of the
    // tests.
    let place: JSONValue = [.string(provider), .string(prompt), vars]
    let number = placed[place, default: 0]
    placed[place] = number + 1
    let id = ids[number % ids.count]
    if let component = result["gradingResult"]?["componentResults"]?.array,
      component.contains(where: { $0["assertion"]?["type"]?.string == "human" })
    {
      verdicts += 1
    }
    guard let place = outputs(of: provider, prompt) else { return }
    if outputs[place].rows.add(id, row(result, prompt)) { secrets += 1 }
  }

  private mutating func outputs(of provider: String, _ prompt: String) -> Int? {
    let key = "\(provider)\n\(prompt)"
    if let known = outputs.firstIndex(where: { $0.key == key }) { return known }
    guard outputs.count < Self.maximumFiles else { return nil }
    let stem = Identifier.made(of: "\(provider)-\(prompt)".lowercased()) ?? "outputs"
    var number = 1
    func name() -> String { String(stem.prefix(80)) + (number == 1 ? "" : "-\(number)") }
    while outputs.contains(where: { $0.rows.backend == name() }) { number += 1 }
    let path = ProjectPath("datasets/\(imported.name)/outputs/\(name()).jsonl")
    outputs.append((key, OutputRowsFile(path, backend: name())))
    return outputs.count - 1
  }

  private mutating func row(_ result: JSONValue, _ prompt: String) -> JSONObject {
    let response = result["response"]
    var row: JSONObject = ["prompt": .string(prompt)]
    let output = response?["output"]
    let failure = result["failureReason"]?.integer
    let error = result["error"]?.string ?? response?["error"]?.string
    if failure == 2 || output == nil || output == .null {
      row["error"] = .string(
        error.flatMap { $0.isEmpty ? nil : $0 } ?? "promptfoo has no output for this case"
      )
      return row
    }
    if let output { row["text"] = .string(output.string ?? output.jsonText) }
    if let word = response?["finishReason"]?.string, !word.isEmpty {
      row["finish-reason"] = .string(word)
    }
    let isCached = response?["cached"]?.bool == true
    let tokens = response?["tokenUsage"] ?? result["tokenUsage"]
    var usage: JSONObject = [:]
    for (name, key) in [("prompt", "input"), ("completion", "output")] {
      if let count = tokens?[name]?.integer, count >= 0, !isCached {
        usage[key] = .number(Double(count))
      }
    }
    if let count = tokens?.value(at: "completionDetails.reasoning")?.integer, count > 0, !isCached {
      usage["reasoning"] = .number(Double(count))
    }
    if !usage.members.isEmpty { row["usage"] = .object(usage) }
    // promptfoo's latency includes retries, as users experience them. The latency of a cached
    // answer is meaningless.
    if isCached {
      cached += 1
    } else if let time = result["latencyMs"]?.number, time >= 0 {
      row["timings"] = ["user-ms": .number(time)]
    }
    return row
  }

  // MARK: The end

  private func finished() -> PromptfooImport.Result {
    var result = imported
    for (_, rows) in outputs { result.files.append(rows.file) }
    func report(_ kind: ImportReport.Finding.Kind, _ message: String, nearest: String? = nil) {
      result.report.findings.append(
        .init(
          kind,
          .answer,
          path: context.configuration.description,
          message: message,
          nearest: nearest
        )
      )
    }
    if foreign > 0 {
      report(
        .leftOut,
        "\(foreign) of \(total) results, because no case has the same variables; import the "
          + "configuration that was used for this run"
      )
    }
    if cached > 0 {
      report(
        .note,
        "\(cached) answers came from promptfoo's cache: their times and tokens are unknown"
      )
    }
    if verdicts > 0 {
      report(.leftOut, "\(verdicts) verdicts by people", nearest: "'good:' and 'bad:' of the cases")
    }
    if secrets > 0 { report(.changed, "secrets were removed from \(secrets) answers") }
    if outputs.isEmpty {
      report(.leftOut, "none of the results answers a case")
      return result
    }
    report(
      .note,
      "the run's verdicts and scores are left out; the imported assertions judge its answers again"
    )
    let lost = outputs.reduce(0) { $0 + $1.rows.lost }
    let rows = outputs.reduce(0) { $0 + $1.rows.count }
    result.report.counts.append(.init("answers", whole: rows - lost, notAtAll: foreign))
    if lost > 0 { result.report.counts.append(.init("lost answers", whole: lost)) }
    result.outputLines = OutputRowsFile.lines(outputs.map(\.rows))
    return result
  }
}

extension [UInt8] {
  /// The bytes without a byte-order mark.
  fileprivate var withoutMark: ArraySlice<UInt8> {
    UTF8Text.startsWithByteOrderMark(self) ? dropFirst(3) : self[...]
  }
}
