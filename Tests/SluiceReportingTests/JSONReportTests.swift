import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("report.json")
struct JSONReportTests {
  private func text(_ result: RunResult) -> String {
    String(decoding: JSONReport(result).bytes, as: UTF8.self)
  }

  private var result: RunResult {
    var passed = Trial.fixture("a", .passed)
    passed.split = "held-out"
    passed.cluster = "places"
    passed.requestKey = "0123"
    passed.output?.finishReason = "stop"
    passed.output?.usage = TokenUsage(input: 100, cachedInput: 0, output: 10)
    passed.output?.cost = 0.0003
    var failed = Trial.fixture("b", .failed, repetition: 2)
    failed.scores[0].score = Score(
      .failed,
      isUnusable: true,
      explanation: "not \"JSON\"",
      measurements: ["flagged": false, "hits": 1.5]
    )
    failed.output?.isCut = true
    var lost = Trial.fixture("c", .lost(.noRecording(RecordingMiss(reason: .newCase))))
    lost.output = nil
    var result = RunResult.everywhere("x")
    result.suites[0].path = "prompts/x/suite.yaml"
    result.suites[0].columns[0].trials = [passed, failed, lost]
    result.suites[0].columns[0].metrics = [
      .init(name: "accuracy", quantity: .rate, estimate: Estimate(rate: 0, of: 1)),
      .init(name: "p95(latency)", quantity: .time, estimate: Estimate(250.5, n: 2)),
      .init(name: "mean(cost)", quantity: .money, estimate: Estimate(unknown: "no price", n: 1)),
      .init(name: "mean(tokens)", quantity: .count, estimate: Estimate(110, n: 1)),
    ]
    result.suites[0].columns[0].gates = [.fixture("accuracy >= 85%", .fail, Estimate(0.5, n: 2))]
    result.suites[0].columns[0].goals = [
      .fixture("f1 >= 85%", .noVerdict, Estimate(unknown: "why"))
    ]
    return result
  }

  @Test("The file contains everything in a fixed order and nothing about the machine")
  func whole() {
    #expect(
      text(result) == """
        {
          "schema": 1,
          "generator": "sluice \(Version.current)",
          "verdict": "fail",
          "false-alarms": {
            "family": "suite",
            "suites": 0,
            "gates": 0,
            "chance": 0
          },
          "mixes": [
            {
              "name": "x",
              "backend": "x",
              "calls": [
                {
                  "suite": "x",
                  "calls": 40
                },
                {
                  "suite": "b",
                  "calls": 6
                }
              ],
              "requests": 46,
              "metrics": [
                {
                  "name": "cost",
                  "unit": "usd",
                  "value": 0.25,
                  "interval": [
                    0.2,
                    0.3
                  ],
                  "n": 12
                },
                {
                  "name": "tokens",
                  "unit": "count",
                  "value": null,
                  "n": 0,
                  "unknown": "x"
                }
              ],
              "goals": [
                {
                  "condition": "x",
                  "verdict": "pass",
                  "reason": "met",
                  "explanation": "x",
                  "unit": "usd",
                  "bound": 0.4,
                  "value": 0.25,
                  "interval": [
                    0.2,
                    0.3
                  ],
                  "n": 12
                }
              ]
            }
          ],
          "suites": [
            {
              "name": "x",
              "path": "prompts/x/suite.yaml",
              "verdict": "fail",
              "answers": "recorded",
              "cases": 3,
              "repetitions": 2,
              "columns": [
                {
                  "prompt": "x",
                  "prompt-path": "prompts/x.yaml",
                  "backend": "x",
                  "candidate": true,
                  "verdict": "fail",
                  "answered-by": [
                    {
                      "host": "a",
                      "model": "a",
                      "date": "2026-11-21"
                    },
                    {
                      "host": "b",
                      "model": "b",
                      "date": "2026-11-21"
                    }
                  ],
                  "trials": {
                    "passed": 1,
                    "failed": 1,
                    "lost": 1
                  },
                  "metrics": [
                    {
                      "name": "accuracy",
                      "unit": "share",
                      "value": 0,
                      "interval": [
                        0,
                        0.7934506856227626
                      ],
                      "n": 1
                    },
                    {
                      "name": "p95(latency)",
                      "unit": "ms",
                      "value": 250.5,
                      "n": 2
                    },
                    {
                      "name": "mean(cost)",
                      "unit": "usd",
                      "value": null,
                      "n": 1,
                      "unknown": "no price"
                    },
                    {
                      "name": "mean(tokens)",
                      "unit": "count",
                      "value": 110,
                      "n": 1
                    }
                  ],
                  "gates": [
                    {
                      "condition": "accuracy >= 85%",
                      "verdict": "fail",
                      "reason": "met",
                      "explanation": "accuracy >= 85%",
                      "unit": "share",
                      "bound": 0.85,
                      "value": 0.5,
                      "n": 2
                    }
                  ],
                  "goals": [
                    {
                      "condition": "f1 >= 85%",
                      "verdict": "no-verdict",
                      "reason": "met",
                      "explanation": "unknown: why",
                      "unit": "share",
                      "bound": 0.85,
                      "value": null,
                      "n": 0,
                      "unknown": "why"
                    }
                  ],
                  "results": [
                    {"case":"a","repeat":1,"tags":["a","plain"],"outcome":"passed",\
        "unusable":false,"request":"0123","split":"held-out","cluster":"places",\
        "scores":[{"scorer":"a","outcome":"passed","explanation":"a"}],"text":"a",\
        "text-digest":"\(SHA256.hexadecimal("a".utf8))","finish-reason":"stop",\
        "usage":{"input":100,"cached-input":0,"output":10},"cost":0.0003,\
        "timings":{"total-ms":250.5}},
                    {"case":"b","repeat":2,"tags":["b","plain"],"outcome":"failed",\
        "unusable":true,"request":"",\
        "scores":[{"scorer":"b","outcome":"failed","explanation":"not \\"JSON\\"",\
        "unusable":true,"measurements":{"flagged":false,"hits":1.5}}],"text":"b",\
        "text-cut":true,"text-digest":"\(SHA256.hexadecimal("b".utf8))",\
        "finish-reason":"stop","cost":null,"timings":{"total-ms":250.5}},
                    {"case":"c","repeat":1,"tags":["c","plain"],"outcome":"lost",\
        "unusable":false,"request":"","reason":"no recording: new case"}
                  ]
                }
              ]
            }
          ]
        }

        """
    )
  }

  @Test("Without suites, the file contains only no verdict")
  func empty() {
    #expect(
      text(RunResult(suites: [])) == """
        {
          "schema": 1,
          "generator": "sluice \(Version.current)",
          "verdict": "no-verdict",
          "false-alarms": {
            "family": "suite",
            "suites": 0,
            "gates": 0,
            "chance": 0
          },
          "suites": []
        }

        """
    )
  }

  @Test("Every text is read back unchanged", arguments: HostileText.all)
  func hostile(text: String) throws {
    let json = try JSONReader.value(JSONReport(.everywhere(text)).bytes)
    let column = try #require(json.value(at: "suites.0.columns.0"))
    for path in [
      "prompt", "backend", "answered-by.0.model", "metrics.1.name", "metrics.2.unknown",
      "gates.0.condition", "results.0.case", "results.0.text", "results.0.tags.0",
    ] {
      #expect(column.value(at: path) == .string(text), "\(path)")
    }
    // An empty explanation is left out.
    #expect(
      column.value(at: "results.1.scores.0.explanation") == (text.isEmpty ? nil : .string(text))
    )
    #expect(column.value(at: "results.2.reason") == .string("unusable recording: \(text)"))
  }

  @Test("Live answers are marked as live")
  func live() throws {
    let json = try JSONReader.value(JSONReport(.everywhere("x", source: .live)).bytes)
    #expect(json.value(at: "suites.0.answers") == "live")
  }
}
