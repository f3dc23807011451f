/// Checks that an answer is JSON of a given form.
package struct JSONSchemaScorer: SuiteScorer {
  private let schema: JSONSchema
  package let content: JSONValue

  package init?(_ arguments: ScorerArguments) {
    guard case .string(let reference) = arguments.spec.arguments.value else {
      arguments.error(
        "'json-schema' needs the path of a schema",
        fix: "write 'json-schema: name.schema.json'"
      )
      return nil
    }
    guard let read = JSONSchema.read(reference, arguments) else { return nil }
    (schema, content) = read
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    switch answer.json {
    case .failure(let unusable): return .unusable(unusable.reason)
    case .success(let value):
      let violations = schema.violations(in: value)
      if let undecided = violations.first(where: \.isUndecided) {
        return Score(.unscored, explanation: "\(undecided.path): \(undecided.message)")
      }
      guard let first = violations.first else {
        return Score(.passed, explanation: "the answer has the form of the schema")
      }
      let more = violations.count > 1 ? " (and \(violations.count - 1) more)" : ""
      return .unusable("the answer breaks the schema at \(first.path): \(first.message)\(more)")
    }
  }
}

extension JSONSchema {
  /// Reads the schema of a file that a scorer names; nil, with errors reported, when it cannot be used.
  static func read(_ reference: String, _ arguments: ScorerArguments) -> (JSONSchema, JSONValue)? {
    guard
      let path = arguments.files.resolve(
        reference,
        in: arguments.spec.file,
        at: arguments.spec.arguments.position
      ), let (root, file) = arguments.files.readTree(path),
      let schema = JSONSchema.compile(root, file: file, diagnostics: arguments.diagnostics)
    else { return nil }
    return (schema, root.json)
  }
}
