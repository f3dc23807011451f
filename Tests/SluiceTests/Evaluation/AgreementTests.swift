import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Agreement between columns")
struct ColumnAgreementTests {
  private func agreement(
    by part: ComparedPart = .whole,
    _ scale: ColumnAgreement.Scale = .nominal,
    _ project: OutputsProject = OutputsProject()
  ) throws -> ColumnAgreement {
    let suite = try project.suite(ProjectLoader.Selection(backends: ["given", "sheet"]))
    return AgreementReader(part: part, scale: scale)
      .agreement(of: suite, [:], now: RecordingProject.date, concurrency: 2)
  }

  private func text(_ agreement: ColumnAgreement, shown: Int = 10) -> String {
    TerminalAgreement(agreement, style: TerminalStyle(isColored: false), shown: shown).text
  }

  @Test("The table shows what is compared, every figure with its n, and the disagreements")
  func whole() throws {
    let project = OutputsProject()
    func digest(_ path: String) -> Substring {
      SHA256.hexadecimal(OutputsProject.texts[path]!.utf8).prefix(12)
    }
    #expect(
      text(try agreement(by: .whole, .nominal, project)) == """
        answers from a file; request unknown
          given: outputs.jsonl, SHA-256 \(digest("outputs.jsonl"))
          sheet: sheet.csv, SHA-256 \(digest("sheet.csv"))

        triage  2 columns · 4 cases
          compared: the whole text, nominal scale
          A  v1 on given
          B  v1 on sheet

          A and B
          agreement                           75.0%  [30.1%, 95.4%]    n 4
          Cohen's kappa                        0.64                    n 4
                                            no interval: fewer than 10 cases

          both columns
          Fleiss' kappa                        0.62                    n 4
                                            no interval: fewer than 10 cases
          Krippendorff's alpha                 0.67                    n 4
                                            no interval: fewer than 10 cases

          Values with 95% intervals. They do not show which column is right: columns
          that make the same mistakes agree.

          1 of 4 cases with different values:
            polite
              A  question
              B  request

        """
    )
  }

  @Test("Missing and unusable answers are counted and listed, but left out of the figures")
  func lacks() throws {
    let project = OutputsProject()
    try project.write("id,text\nwhere,question\nsend,\nthanks,OTHER\n", to: "sheet.csv")
    let result = try agreement(by: .whole, .ordinal(["other", "request", "question"]), project)
    #expect(result.lacks[0] == [])
    #expect(
      result.lacks[1] == [
        .init(reason: "the answer is empty", isMissing: false, cases: ["send"]),
        .init(
          reason: "'OTHER' is not one of other, request, question",
          isMissing: false,
          cases: ["thanks"]
        ),
        .init(reason: "no row in sheet.csv", isMissing: true, cases: ["polite"]),
      ]
    )
    #expect(result.pairs[0].figures.map(\.estimate.n) == [1, 1, 1, 1])
    #expect(
      result.pairs[0].figures.map(\.name)
        == ["agreement", "Cohen's kappa", "kappa, linear weights", "kappa, quadratic weights"]
    )
    #expect(
      text(result).contains(
        """
          B  v1 on sheet
             1 unusable (the answer is empty): send
             1 unusable ('OTHER' is not one of other, request, question): thanks
             1 missing (no row in sheet.csv): polite
        """
      )
    )
    #expect(result.hasAny)
  }

  @Test("The compared part is a path into JSON or the steps of an extract")
  func parts() throws {
    let response = ModelResponse(
      text: #"The answer: {"label": " high ", "score": 3.0, "all": [1]}"#
    )
    func value(_ part: String, of text: String) throws -> String? {
      try? ComparedPart(part).value(in: ModelResponse(text: text)).get()
    }
    let json = #"{"label": " high ", "score": 3.0, "all": [1, 2], "deep": {"a": [5]}}"#
    #expect(try value("label", of: json) == "high")
    #expect(try value("score", of: json) == "3")
    #expect(try value("deep.a[0]", of: json) == "5")
    #expect(try value("all", of: json) == "[1,2]")
    #expect(try value("none", of: json) == nil)
    #expect(try value("label", of: "high") == nil)
    #expect(try value("[number]", of: "It is 12, I think.") == "12")
    #expect(try value("[code-fence, {json-path: label}]", of: "```json\n\(json)\n```") == "high")
    #expect(
      try ComparedPart("[{after: 'answer:'}, {json-path: label}]").value(in: response).get()
        == "high"
    )
    #expect(throws: ComparedPart.Problem.self) { try ComparedPart("[nonsense]") }
    #expect(throws: ComparedPart.Problem.self) { try ComparedPart("[") }
    #expect(throws: ComparedPart.Problem.self) { try ComparedPart("a[") }
  }

  @Test("Cut-off and refused answers have no value")
  func unusable() {
    #expect(
      ComparedPart.whole.value(in: ModelResponse(text: "half", finishReason: "length"))
        == .failure(UnusableAnswer(reason: "the answer was cut off at the token limit"))
    )
    #expect(
      ComparedPart.whole.value(in: ModelResponse(text: nil, refusal: "no"))
        == .failure(UnusableAnswer(reason: "the model refused to answer"))
    )
  }

  @Test("Run logs are compared by case, without cases that differ between the logs")
  func logs() throws {
    func log(_ name: String, _ lines: [(String, String, String)]) -> AgreementReader.Log {
      let header = #"{"schema":1,"kind":"header","suite":"triage"}"#
      let trials = lines.map { id, digest, text in
        #"{"kind":"trial","case":"\#(id)","case-digest":"\#(digest)","prompt":"v1","backend":"b","#
          + #""repeat":1,"response-digest":"x","text":"\#(text)"}"#
      }
      let text = ([header] + trials + [#"{"kind":"footer"}"#, "{half"]).joined(separator: "\n")
      return .init(name: name, contents: FileContents(Array(text.utf8)))
    }
    let result = try AgreementReader(part: .whole, scale: .nominal).agreement(of: [
      log("a.jsonl", [("one", "1", "x"), ("two", "2", "y"), ("three", "3", "z")]),
      log("b.jsonl", [("one", "1", "x"), ("two", "2", "n"), ("three", "4", "z")]),
    ])
    #expect(result.columns.map(\.name) == ["v1 on b in a.jsonl", "v1 on b in b.jsonl"])
    #expect(result.pairs[0].figures[0].estimate.value == 0.5)
    #expect(
      result.lacks[1].map(\.reason) == [
        "another log has a different case with this id"
      ]
    )
    #expect(throws: AgreementReader.Problem.self) {
      try AgreementReader(part: .whole, scale: .nominal).agreement(of: [
        .init(name: "c.jsonl", contents: FileContents(Array("{}".utf8)))
      ])
    }
  }

  @Test("Long values are compared whole but stored shortened")
  func longValues() throws {
    let project = OutputsProject()
    let long = String(repeating: "word ", count: 400)
    try project.write(
      "id,text\nwhere,\(long)a\nsend,\(long)b\nthanks,other\npolite,request\n",
      to: "sheet.csv"
    )
    try project.edit(OutputsProject.outputsPath, replacing: "question", with: "\(long)a")
    let result = try agreement(by: .whole, .nominal, project)
    #expect(result.disagreements.map(\.caseID) == ["send", "polite"])
    #expect(result.disagreements[0].values[1]?.utf8.count ?? 0 < 400)
  }

  @Test("The JSON has every figure with its n, and the reason for a missing interval")
  func json() throws {
    let bytes = AgreementJSON([try agreement()], shown: 10).bytes
    let json = try JSONReader.value(bytes)
    #expect(json["notice"] == "answers from a file; request unknown")
    let pair = json["agreements"]?.array?.first?["pairs"]?.array?.first
    #expect(pair?["figures"]?.array?.map { $0["n"] } == [4, 4])
    #expect(pair?["figures"]?.array?[1]["no-interval"] == "fewer than 10 cases")
    #expect(
      json["agreements"]?.array?.first?["disagreements"]?["cases"]
        == [["case": "polite", "repeat": 1, "values": ["question", "request"]]]
    )
  }
}
