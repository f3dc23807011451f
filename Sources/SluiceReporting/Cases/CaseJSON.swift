import SluiceGating

/// The output of `sluice show --output json`: a case with its requests, answers and scores.
package struct CaseJSON {
  private let id: String
  private let views: [(view: CaseView, path: String)]

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - id: The id of the case.
  ///   - views: The views of the case, one for each suite that has it, with the path of the suite's
  ///     file.
  package init(_ id: String, _ views: [(view: CaseView, path: String)]) {
    self.id = id
    self.views = views
  }

  package var text: String {
    let object: JSONObject = [
      "schema": .number(Double(JSONReport.schema)),
      "generator": .string("sluice \(Version.current)"), "case": .string(id),
      "suites": .array(views.map { suite($0.view, $0.path) }),
    ]
    return String(decoding: JSONWriter.pretty(.object(object)), as: UTF8.self)
  }

  private func suite(_ view: CaseView, _ path: String) -> JSONValue {
    var object: JSONObject = ["name": .string(view.suite), "path": .string(path)]
    object.set("place", view.place.map(JSONValue.string))
    object["tags"] = .array(view.tags.map(JSONValue.string))
    object["outcome"] = .string(view.outcome.rawValue)
    object["expected"] = fields(view.expected)
    object["columns"] = .array(view.columns.map(column))
    return .object(object)
  }

  private func fields(_ fields: [CaseView.Field]) -> JSONValue {
    .array(fields.map { ["name": .string($0.name), "text": .string($0.text)] })
  }

  private func column(_ column: AnswerColumn) -> JSONValue {
    var object: JSONObject = [
      "prompt": .string(column.prompt), "backend": .string(column.backend),
    ]
    object.set("request", column.request?.body)
    object["answers"] = .array(column.answers.map(answer))
    object["baselines"] = .array(column.past.map(\.json))
    return .object(object)
  }

  private func answer(_ answer: ShownAnswer) -> JSONValue {
    var object = JSONReport.result(answer.trial)
    // These members are already in the case's object, and `text` is replaced by the whole text.
    for name in ["case", "tags", "split", "cluster", "text-cut"] { object[name] = nil }
    object.set("recordings", answer.source.map { .string($0.rawValue) })
    if answer.trial.isAnswered { object["text"] = answer.text.map(JSONValue.string) ?? .null }
    object.set("refusal", answer.refusal.map(JSONValue.string))
    if !answer.toolCalls.isEmpty { object["tool-calls"] = fields(answer.toolCalls) }
    object.set("answered-by", (answer.trial.output?.provenance.json).map(JSONValue.object))
    object.set("nearest", answer.miss.flatMap(JSONReport.nearest))
    return .object(object)
  }
}
