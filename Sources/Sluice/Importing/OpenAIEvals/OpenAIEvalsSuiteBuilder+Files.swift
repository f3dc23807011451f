import SluiceReporting

extension OpenAIEvalsSuiteBuilder {
  // MARK: Outputs

  mutating func readOutputs(of run: Located) {
    guard let id = run.value["id"]?.string else { return }
    let found = items[id] ?? []
    checkCounts(of: run, found)
    if found.isEmpty { return }
    let stem =
      Identifier.made(of: "\(name)-\(label(run))".lowercased().prefix(70).description) ?? id
    var number = 1
    func next() -> String { number == 1 ? stem : "\(stem)-\(number)" }
    while outputs.contains(where: { $0.backend == next() }) { number += 1 }
    var file = OutputRowsFile(
      ProjectPath("datasets/\(name)/outputs/\(next()).jsonl"),
      backend: next()
    )
    var secrets = 0
    for located in found {
      guard let id = caseID(located.value) else {
        answers.notAtAll += 1
        continue
      }
      if file.add(id, Self.row(located.value)) { secrets += 1 }
    }
    if secrets > 0 {
      report(.changed, .answer, run, "secrets were removed from \(secrets) answers")
    }
    answers.whole += file.count - file.lost
    lostAnswers += file.lost
    if file.count > 0 { outputs.append(file) }
  }

  static func row(_ item: JSONValue) -> JSONObject {
    let sample = item["sample"]
    var row: JSONObject = [:]
    let error = sample?["error"]
    let said = error?["message"]?.string ?? error?.string
    let output = sample?["output"]?.array?.last {
      $0["role"]?.string == "assistant" || $0["content"] != nil
    }
    let text = output?["content"]?.string ?? sample?["output_text"]?.string
    if item["status"]?.string == "error" || said.map({ !$0.isEmpty }) ?? false || text == nil {
      row["error"] = .string(said.flatMap { $0.isEmpty ? nil : $0 } ?? "the item has no output")
      return row
    }
    if let text { row["text"] = .string(text) }
    if let model = sample?["model"]?.string, !model.isEmpty { row["model"] = .string(model) }
    if let word = sample?["finish_reason"]?.string, !word.isEmpty {
      row["finish-reason"] = .string(word)
    }
    var usage: JSONObject = [:]
    for (name, key) in [
      ("prompt_tokens", "input"), ("cached_tokens", "cached-input"),
      ("completion_tokens", "output"),
    ] {
      if let count = sample?["usage"]?[name]?.integer, count >= 0 {
        usage[key] = .number(Double(count))
      }
    }
    if !usage.members.isEmpty { row["usage"] = .object(usage) }
    return row
  }

  /// Reports each count in a run's summary that differs from the number of items read.
  mutating func checkCounts(of run: Located, _ found: [Located]) {
    guard let counts = run.value["result_counts"], counts.object != nil else { return }
    let words = [("total", nil), ("passed", "pass"), ("failed", "fail"), ("errored", "error")]
    for (key, status) in words {
      guard let reported = counts[key]?.integer else { continue }
      let counted = found.count { item in
        guard let status else { return true }
        return item.value["status"]?.string == status || item.value["status"]?.string == key
      }
      if reported != counted {
        report(
          .leftOut,
          .answer,
          run,
          "the run '\(label(run))' reports \(reported) \(key), but its items add up to \(counted)",
          nearest:
            "save all pages of GET /v1/evals/E/runs/\(run.value["id"]?.string ?? "R")/output_items"
        )
      }
    }
  }

  // MARK: Files

  func parts(of item: JSONObject) -> (input: JSONObject, expected: JSONObject, notes: JSONObject) {
    var (input, expected, notes): (JSONObject, JSONObject, JSONObject) = ([:], [:], [:])
    let readsNothing = promptFields.isEmpty
    for member in item.members {
      var isRead = false
      if promptFields.contains(member.name) || readsNothing && !expectedFields.contains(member.name)
      {
        input[member.name] = Self.asWritten(member.value)
        isRead = true
      }
      if expectedFields.contains(member.name) {
        let isText = textFields.contains(member.name)
        expected[member.name] =
          isText ? .string(NunjucksTemplate.text(member.value)) : Self.asWritten(member.value)
        isRead = true
      }
      if !isRead { notes[member.name] = member.value }
    }
    return (input, expected, notes)
  }

  static func asWritten(_ value: JSONValue) -> JSONValue {
    if case .string(let text) = value, text.hasPrefix("file://") { return ["literal": value] }
    return value
  }

  var dataset: ImportPlan.File {
    let folder = ProjectPath("datasets/\(name)")
    let objects = cases.map { entry -> JSONObject in
      let (input, expected, notes) = parts(of: entry.item)
      var object: JSONObject = ["id": .string(entry.id), "input": .object(input)]
      if !expected.members.isEmpty { object["expected"] = .object(expected) }
      if !notes.members.isEmpty { object["notes"] = .object(notes) }
      return object
    }
    if objects.count > Self.longestYAML {
      let lines = objects.map { JSONValue.object($0).jsonText + "\n" }
      return .init(folder.resolvingChild("cases.jsonl"), lines.joined())
    }
    return .init(
      folder.resolvingChild("cases.yaml"),
      YAMLWriter.text(
        .list(objects.map { .init(.json(.object($0))) }),
        head: ["Imported from OpenAI's hosted Evals."]
      )
    )
  }

  var suite: ImportPlan.File {
    var members: [YAMLWriter.Member] = [.init("suite", .string(name))]
    let files = prompts.map { "\($0.name).yaml" }
    members.append(
      files.count == 1
        ? .init("prompt", .string(files[0])) : .init("prompts", .array(files.map(JSONValue.string)))
    )
    members.append(.init("dataset", .string(name)))
    let names = backends.map(\.name)
    members.append(
      names.count == 1
        ? .init("backend", .string(names[0]))
        : .init("backends", .array(names.map(JSONValue.string)))
    )
    let written = scorers.filter { $0.json != .null }
    let comments = scorers.flatMap(\.comments)
    if written.isEmpty {
      members[members.count - 1].comments = comments
    } else {
      members.append(
        .init("scorers", .list(written.map { .init(.json($0.json)) }), comments: comments)
      )
    }
    if !goals.isEmpty { members.append(.init("goals", .array(goals.map(JSONValue.string)))) }
    return .init(
      ProjectPath("prompts/\(name)/suite.yaml"),
      YAMLWriter.text(.mapping(members), head: ["Imported from OpenAI's hosted Evals."])
    )
  }

  func file(of prompt: Prompt) -> ImportPlan.File {
    var members: [YAMLWriter.Member] = []
    if let list = prompt.list {
      members.append(.init("messages", .string("{{\(list)}}")))
    } else {
      members.append(.init("messages", .list((prompt.messages ?? []).map { .init(.json($0)) })))
    }
    return .init(
      ProjectPath("prompts/\(name)/\(prompt.name).yaml"),
      YAMLWriter.text(.mapping(members))
    )
  }

  func add(to result: inout OpenAIEvalsImport.Result, _ rows: inout [OutputRowsFile]) {
    result.names.append(name)
    var files = [suite] + prompts.map { file(of: $0) } + extraFiles + [dataset]
    let redaction = Redaction()
    for index in files.indices {
      let text = String(decoding: files[index].bytes, as: UTF8.self)
      let clean = redaction.redactedJudged(text)
      if clean == text { continue }
      files[index].bytes = Array(clean.utf8)
      result.report.findings.append(
        .init(
          .changed,
          .testCase,
          path: eval.path.description,
          message: "a secret was left out of the new file \(files[index].path)"
        )
      )
    }
    result.files += files + outputs.map(\.file)
    for backend in backends + judges
    where !result.backends.contains(where: { $0.name == backend.name }) {
      result.backends.append(backend)
    }
    rows += outputs
    result.report.findings += findings
    result.report.fillIns += fillIns
    let isPlaceholder = cases.first?.id == "fill-in"
    var counts = [
      ImportReport.Count("evals", whole: 1),
      .init("cases", whole: isPlaceholder ? 0 : cases.count), graderCount, runCount, answers,
    ]
    if lostAnswers > 0 { counts.append(.init("lost answers", whole: lostAnswers)) }
    for count in counts {
      if let index = result.report.counts.firstIndex(where: { $0.name == count.name }) {
        result.report.counts[index].whole += count.whole
        result.report.counts[index].inPart += count.inPart
        result.report.counts[index].notAtAll += count.notAtAll
      } else {
        result.report.counts.append(count)
      }
    }
  }
}
