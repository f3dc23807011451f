@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("The output of sluice batch")
struct TerminalBatchTests {
  @Test("An export describes the file and the next command")
  func written() {
    #expect(
      TerminalBatch.text(
        TerminalBatch.Written(
          file: "my batch.jsonl",
          backends: ["fast"],
          suites: [("clarity", 1_259), ("tone", 1)],
          asksJudges: false,
          coming: 1_260
        )
      ) == """
        my batch.jsonl: 1,260 requests to fast
          clarity: 1,259 answers
          tone: 1 answer
        Requests to judges depend on these answers: up to 1,260 requests. Export again
        after you import the answers.
        Next: send the file to the batch service, then import the results:
          sluice batch import RESULTS.jsonl --requests 'my batch.jsonl'

        """
    )
    #expect(
      TerminalBatch.text(
        TerminalBatch.Written(
          file: "b.jsonl",
          backends: ["judge"],
          suites: [("clarity", 3)],
          asksJudges: true,
          coming: 0
        )
      ).hasPrefix("b.jsonl: 3 requests to judge\n  clarity: 3 verdicts\nNext:")
    )
  }

  @Test("In 120 columns, no line of an export is wrapped")
  func wide() {
    let text = TerminalLines.$width.withValue(120) {
      TerminalBatch.text(
        TerminalBatch.Written(
          file: "b.jsonl",
          backends: ["fast"],
          suites: [("clarity", 1_259), ("tone", 1)],
          asksJudges: false,
          coming: 1_260
        )
      )
    }
    #expect(
      text == """
        b.jsonl: 1,260 requests to fast
          clarity: 1,259 answers
          tone: 1 answer
        Requests to judges depend on these answers: up to 1,260 requests. Export again after you import the answers.
        Next: send the file to the batch service, then import the results:
          sluice batch import RESULTS.jsonl --requests b.jsonl

        """
    )
  }

  @Test("A file that exceeds the service's limit gives a warning")
  func large() {
    let text = TerminalBatch.text(
      TerminalBatch.Written(
        file: "b.jsonl",
        backends: ["fast"],
        suites: [("clarity", 50_001)],
        asksJudges: false,
        coming: 0
      )
    )
    #expect(
      text.contains(
        "OpenAI accepts at most 50,000 requests per file: export fewer suites at a time.\n"
      )
    )
  }

  @Test("If the lines name no model, the output names it, and each service has its own limit")
  func vendors() {
    func text(_ form: BatchForm?, _ count: Int, model: String? = nil) -> String {
      TerminalBatch.text(
        TerminalBatch.Written(
          file: "b.jsonl",
          backends: ["flash"],
          suites: [("clarity", count)],
          asksJudges: false,
          coming: 0,
          form: form,
          unnamedModel: model
        )
      )
    }
    #expect(
      text(.gemini, 60_000, model: "gemini-3.8-flash") == """
        b.jsonl: 60,000 requests to flash
          clarity: 60,000 answers
        The lines do not name the model: create the batch with the model
        gemini-3.8-flash.
        Next: send the file to the batch service, then import the results:
          sluice batch import RESULTS.jsonl --requests b.jsonl

        """
    )
    #expect(!text(.anthropic, 60_000).contains("at most"))
    #expect(
      text(.anthropic, 100_001).contains("Anthropic accepts at most 100,000 requests per file:")
    )
  }

  private func part(_ suite: String, _ prompt: String, _ imported: Int, _ known: Int)
    -> BatchImportResult.Part
  {
    var part = BatchImportResult.Part(suite: suite, backend: "lm", prompt: prompt)
    (part.imported, part.known) = (imported, known)
    return part
  }

  private func missing(
    _ testCase: String,
    _ reason: String,
    prompt: String = "v2",
    path: String? = nil,
    repetition: Int = 1
  ) -> BatchImportResult.Missing {
    BatchImportResult.Missing(
      suite: "clarity",
      path: ProjectPath("prompts/clarity/suite.yaml"),
      backend: "lm",
      prompt: prompt,
      otherPrompt: path.map { ProjectPath($0) },
      testCase: testCase,
      repetition: repetition,
      reason: reason
    )
  }

  @Test("An import counts answers by suite and missing ones by reason, and suggests commands")
  func imported() {
    var result = BatchImportResult(files: ["a.jsonl"])
    result.lines = 1_310
    result.parts = [
      part("clarity", "v1", 1_000, 0), part("clarity", "v2", 200, 3), part("tone", "v2", 0, 7),
    ]
    result.faults = [
      BatchImportResult.Fault(.duplicate, id: "a", Diagnostic(path: "a.jsonl", message: "m")),
      BatchImportResult.Fault(.failed, id: "b", Diagnostic(path: "a.jsonl", message: "m")),
    ]
    var statement = Provenance(model: "lm-1", date: "2026-11-23")
    statement.via = .files
    statement.stated = AnswerStatement(by: "somebody", day: "2026-11-23")
    result.provenances = [statement]
    result.missing =
      (1...7).map { missing("case-\($0)", "the results have no line for this request") }
      + [missing("case-8", "the server answered 400", repetition: 2)]
    result.missing[0].difference = RequestDifference(parts: [
      RequestDifference.Part(name: "system message", lines: ["- Say what.", "+ Say it."])
    ])
    result.summary = ProjectPath("reports/batch/import.json")
    #expect(
      TerminalBatch.text(result) == """
        clarity on lm: 1,200 answers imported, 3 already recorded (v1 1,000, v2 203)
        tone on lm: 0 answers imported, 7 already recorded
        In total: 1,200 answers imported, 10 already recorded, 1 duplicate, 1 refused,
        of 1,310 lines
        Answers of lm-1 (through files; by: somebody), 2026-11-23.
        Without an answer: 8 requests
          clarity v2 on lm: the results have no line for this request
            case-1, case-2, case-3, case-4, case-5 and 2 more
              system message:
                - Say what.
                + Say it.
          clarity v2 on lm: the server answered 400
            case-8 (repeat 2)
        All problems and all requests without an answer are listed in reports/batch/import.json
        Next: write the missing requests to a new batch file:
          sluice batch export missing.jsonl clarity --backend lm
        The answers are pending until you accept or reject the whole set.
        Next: read them, then accept or reject the whole set:
          sluice recordings review
          sluice recordings accept
          sluice recordings reject

        """
    )
  }

  @Test("Missing answers of other prompts get a separate file and command each")
  func otherPrompts() {
    var result = BatchImportResult(files: ["a.jsonl"])
    result.missing = [
      missing("a", "r"), missing("a", "r", prompt: "v1", path: "prompts/clarity/v1.yaml"),
    ]
    #expect(
      TerminalBatch.text(result).hasSuffix(
        """
        Next: write the missing requests to new batch files:
          sluice batch export missing.jsonl clarity --backend lm
          sluice batch export missing-2.jsonl clarity --backend lm --prompt prompts/clarity/v1.yaml

        """
      )
    )
  }

  @Test("Texts of files cannot control the terminal")
  func hostile() {
    var result = BatchImportResult(files: ["a.jsonl"])
    var provenance = Provenance(model: "m\u{1B}[2J")
    provenance.via = .batch
    result.provenances = [provenance]
    result.missing = [missing("a", "\u{1B}[31mred")]
    let text = TerminalBatch.text(result)
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("m\\u{1b}[2J"))
  }
}
