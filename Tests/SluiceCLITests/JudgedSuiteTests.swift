import Foundation
import Testing
import TestSupport

/// Suites with judges on the command line.
///
/// The backend and the judge are scripts of the test.
@Suite("Suites with judges")
struct JudgedSuiteTests {
  private let project: ScratchProject

  init() throws {
    project = try ScratchProject()
    let files = [
      "sluice.yaml": """
      backends:
        app: {type: exec, command: [sh, answer.sh], model: m, fingerprint: {version: "1"}}
        judge: {type: exec, command: [sh, judge.sh], model: j, fingerprint: {version: "1"}}
      prices: prices.json
      """,
      "prices.json": """
      {"m": {"input_cost_per_token": 0.000001, "output_cost_per_token": 0.000001},
       "j": {"input_cost_per_token": 0.00001, "output_cost_per_token": 0.00001}}
      """,
      "answer.sh": """
      cat > /dev/null
      echo '{"text": "Please wait.", "usage": {"prompt_tokens": 90, "completion_tokens": 10}}'
      """,
      "judge.sh": """
      cat > /dev/null
      echo '{"text": "{\\"score\\": 4}", "usage": {"prompt_tokens": 90, "completion_tokens": 10}}'
      """,
      "prompts/reply/suite.yaml": """
      suite: reply
      prompt: v1.yaml
      dataset: reply
      backend: app
      scorers:
        - contains: wait
        - llm-rubric: {backend: judge, prompt: judge.yaml, scale: [1, 5], at-least: 4}
      gates:
        - accuracy >= 50%
      goals:
        - mean-score >= 4
      """,
      "prompts/reply/v1.yaml": "messages:\n  - user: \"{{message}}\"\n",
      "prompts/reply/judge.yaml": "messages:\n  - user: \"{{message}} {{answer}}\"\n",
      "datasets/reply/cases.yaml": """
      - {id: where, input: {message: "Where?"}}
      - {id: when, input: {message: "When?"}}

      """,
    ]
    for (path, text) in files { try project.write(text, to: path) }
  }

  @Test("record sends requests for missing answers, then for verdicts on all answers")
  func recordTwice() async throws {
    let forecast = try await project.sluice("record", "--dry-run")
    #expect(
      forecast.output == """
        reply: 2 requests, cost unknown: 'app' has no recordings with a known usage
          to app: where, when
        reply, judges: up to 2 requests for answers still to come, cost unknown: 'judge'
        has no recordings with a known usage

        """
    )
    let recorded = try await project.sluice("record")
    #expect(recorded.exitCode == 0)
    #expect(
      recorded.output.hasPrefix(
        """
        reply: recorded 2 of 2 answers, cost $0.00020
        reply: recorded 2 of 2 verdicts, cost $0.00200
        PENDING: 4 recordings, until you accept or reject the whole set

        """
      )
    )
    #expect(try await project.sluice("record").output == "reply: no answer is missing\n")
    let accepted = try await project.sluice("recordings", "accept")
    #expect(accepted.exitCode == 0)
    let run = try await project.sluice("run")
    #expect(run.exitCode == 0)
    #expect(run.output.contains("judge (advisory): 2 requests, 200 tokens, $0.00200"))
    #expect(run.output.contains("✓ mean-score >= 4  4.00, 0.00 to spare, advisory"))
    #expect(try await project.sluice("recordings", "verify").exitCode == 0)
    #expect(
      try await project.sluice("recordings", "status").output.contains("2 recordings · 2 in use")
    )
    #expect(
      try await project.sluice("recordings", "prune").output.contains("judge.jsonl") == false
    )
  }

  @Test("If answers are missing, verdicts are not reported as complete")
  func answersMissing() async throws {
    try project.write("cat > /dev/null\nexit 3\n", to: "answer.sh")
    let recorded = try await project.sluice("record")
    #expect(recorded.exitCode == 3)
    #expect(
      recorded.output.hasPrefix(
        """
        reply: recorded 0 of 2 answers
        reply: no verdicts to record: 2 answers missing

        """
      )
    )
  }

  @Test("Missing verdicts are reported even after a pass, with the command that records them")
  func missingVerdicts() async throws {
    _ = try await project.sluice("record")
    _ = try await project.sluice("recordings", "accept")
    try project.edit("prompts/reply/judge.yaml", replacing: "{{message}}", with: "Q: {{message}}")
    let run = try await project.sluice("run")
    #expect(run.exitCode == 0)
    #expect(
      run.output.contains(
        """
          2 answers unscored by llm-rubric (advisory), first in where: no recorded
          verdict: prompt changed (user message)

        """
      )
    )
    #expect(
      run.output.hasSuffix(
        """
        Next: record the missing verdicts of judges (this sends requests):
          sluice record reply

        """
      )
    )
    let forecast = try await project.sluice("record", "--dry-run")
    #expect(
      forecast.output == """
        reply, judges: 2 requests, about $0.00200 at today's prices
          to judge: where, when

        """
    )
    let refused = try await project.sluice("record", "--max-cost", "0.001")
    #expect(refused.exitCode == 64)
    #expect(
      refused.error.contains("the answers would cost about $0.00200, more than $0.00100")
    )
    let recorded = try await project.sluice("record", "--max-cost", "0.01")
    #expect(recorded.exitCode == 0)
    #expect(recorded.output.contains("reply: recorded 2 of 2 verdicts, cost $0.00200"))
  }

  @Test("A live run also asks the judge, and counts its requests and cost")
  func live() async throws {
    let run = try await project.sluice("run", "--live")
    #expect(run.exitCode == 0)
    #expect(run.output.contains("4 requests for 2 answers and 2 verdicts; $0.0022; 400 tokens"))
    #expect(run.output.contains("judge (advisory): 2 requests, 200 tokens, $0.00200"))
  }

  @Test("plan, noise, baseline accept and run work with judges")
  func otherCommands() async throws {
    _ = try await project.sluice("record")
    _ = try await project.sluice("recordings", "accept")
    let plan = try await project.sluice("plan")
    #expect(plan.exitCode == 0)
    #expect(
      plan.output.contains(
        """
          judge judge (advisory): 2 verdicts recorded, 0 to record
            $0.00100 per verdict: $0.00200 for a whole live run

        """
      )
    )
    #expect(plan.output.contains("a whole live run costs $0.00220"))
    #expect(try await project.sluice("noise", "--draws", "10").exitCode == 0)
    #expect(try await project.sluice("baseline", "accept").exitCode == 0)
    let baseline = try project.read("reports/baselines/reply.app.jsonl")
    #expect(baseline.contains("\"advisory\":true"))
    #expect(!baseline.contains("\"judging\""))
    let again = try await project.sluice("run")
    #expect(again.exitCode == 0)
    #expect(again.output.contains("identical to the baseline"))
  }
}
