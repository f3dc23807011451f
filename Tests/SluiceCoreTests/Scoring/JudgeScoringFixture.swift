import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// A scorer with a judge and its replies.
struct JudgeScoringFixture {
  static let prompt = "messages:\n  - user: '{{message}} {{answer}}'\n"

  static func fixture(_ yaml: String, prompt: String = prompt) -> ScoringFixture {
    let configuration = """
      backends:
        judge: {type: openai, base-url: "https://judges.test/v1", model: judge-1}
        app: {type: http, url: "https://app.test/reply", body: {}, fingerprint: {version: "1"}}
        program: {type: exec, command: [judge], fingerprint: {env: JUDGE_VERSION}}
      """
    let loaded = ProjectLoader.backends(from: InMemoryFileSystem(["sluice.yaml": configuration]))
    var backends: [String: BackendDefinition?] = [:]
    backends.updateValue(nil, forKey: "broken")
    for backend in loaded.backends { backends[backend.name] = backend }
    return ScoringFixture("- \(yaml)", files: ["judge.yaml": prompt], backends: backends)
  }

  let scorer: any JudgeScorer

  init(_ yaml: String, prompt: String = prompt) throws {
    let fixture = Self.fixture(yaml, prompt: prompt)
    #expect(fixture.said == "")
    scorer = try #require(fixture.scorers.first?.scorer as? any JudgeScorer)
  }

  static let testCase = TestCase(
    id: "case",
    input: ["message": "Where?"],
    expected: ["reply": "Here."]
  )

  func score(_ replies: [String], to response: ModelResponse = ModelResponse(text: "There."))
    -> Score
  {
    scorer.score(
      Answer(response),
      for: Self.testCase,
      inquiry: replies.map { .answer(ModelResponse(text: $0)) }
    )
  }

  /// Returns the texts that are sent to the judge about an answer.
  func asked(_ response: ModelResponse, _ testCase: TestCase = testCase) -> [String] {
    scorer.questions(about: Answer(response), for: testCase).map { question in
      guard case .model(let question) = question else { return "" }
      return question.request.body["messages"]?.array?.last?["content"]?.string ?? ""
    }
  }
}
