import SluiceSupport

/// The scorer `json-schema`, which checks that an answer is JSON that matches a schema.
package struct JSONSchemaScorer: SuiteScorer {
  private let schema: JSONSchema
  private let content: JSONValue

  package var traits: ScorerTraits { ScorerTraits(content: content) }

  package init?(_ arguments: ScorerArguments) {
    let spec = arguments.spec
    switch spec.arguments.value {
    case .string, .mapping, .bool: break
    default:
      arguments.error(
        "'json-schema' needs a schema, or the path of a schema file",
        fix: "write 'json-schema: name.schema.json'"
      )
      return nil
    }
    guard let read = JSONSchema.read(spec.arguments, in: spec.file, files: arguments.files) else {
      return nil
    }
    (schema, content) = read
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    switch answer.json {
    case .failure(let unusable): return .unusable(unusable.reason)
    case .success(let value):
      switch schema.outcome(of: value) {
      case .fits:
        return Score(.passed, explanation: "the answer matches the schema")
      case .breaks(let violations):
        return .unusable("the answer violates the schema at \(violations.summary)")
      case .undecided(let reason):
        return Score(.unscored, explanation: reason.description)
      }
    }
  }
}
