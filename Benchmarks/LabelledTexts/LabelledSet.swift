import Sluice

/// A suite of labeled texts, with predictions for the test split.
///
/// The predictions are those of a classifier that was trained on the training split.
struct LabelledSet {
  var name: String
  /// The labels, in order of first appearance.
  let labels: [String]
  private let cases: [LabelledText]
  private let answers: [String]
  private let abstains: Bool

  /// The answer if the classifier is uncertain.
  private static let open = "unsure"
  /// The answer if the classifier knows no word of the text.
  ///
  /// It is not one of the labels.
  private static let unknown = "unknown"

  /// Trains the classifier and predicts labels.
  ///
  /// - Parameters:
  ///   - name: The name of the suite.
  ///   - texts: All texts.
  ///   - doubt: The probability below which the answer is `unsure`, or `nil` to always answer with
  ///     a label.
  init(_ name: String, _ texts: [LabelledText], doubt: Double?) {
    self.name = name
    var seen: Set<String> = []
    labels = texts.map(\.label).filter { seen.insert($0).inserted }
    var classifier = NaiveBayes()
    for text in texts where text.split.hasSuffix("train") {
      classifier.learn(text.text, as: text.label)
    }
    cases = texts.filter { $0.split.hasSuffix("test") }
    abstains = doubt != nil
    answers = cases.map { text in
      guard let guess = classifier.guess(text.text) else { return Self.unknown }
      return guess.probability < doubt ?? 0 ? Self.open : guess.label
    }
  }

  /// The files of the suite, with their paths.
  var files: [(path: String, bytes: [UInt8])] {
    let list = labels.map { "        - \"\($0)\"\n" }.joined()
    let open = abstains ? "      abstain: \(Self.open)\n" : ""
    let suite = """
      suite: \(name)
      prompt: v1.yaml
      dataset: \(name)
      backend: naive-bayes
      scorers:
        - classification:
            path: label
            expected: label
      \(open)      labels:
      \(list)gates:
        - accuracy >= 50%
        - mcc >= 0.5

      """
    let dataset = cases.reduce(into: [UInt8]()) { bytes, text in
      bytes += JSONWriter.line([
        "id": .string(text.id), "split": .string(text.split),
        "input": ["text": .string(text.text)], "expected": ["label": .string(text.label)],
      ])
      bytes.append(0x0A)
    }
    return [
      ("prompts/\(name)/suite.yaml", Array(suite.utf8)),
      ("prompts/\(name)/v1.yaml", Array("messages:\n  - user: '{{text}}'\n".utf8)),
      ("datasets/\(name)/cases.jsonl", dataset),
    ]
  }

  /// Returns the classifier's answers as a recordings file.
  func recordings(for plan: SuitePlan) throws -> RecordingFile {
    let backend = plan.backends[0]
    var file = RecordingFile(
      path: RecordingFile.path(dataset: plan.datasetPath, backend: backend.name)
    )
    var done: Set<String> = []
    for (planned, answer) in zip(plan.cases, answers) {
      let request = try backend.request(for: try plan.prompts[0].render(planned.testCase))
      let key = RequestIdentity.key(of: request)
      // If a text occurs twice, there is only one request.
      guard done.insert("\(key)").inserted else { continue }
      file.add(
        Recording(
          key: key,
          repetition: 1,
          exchange: Self.exchange(request, answer),
          hints: plan.hints(of: planned.testCase, plan.prompts[0])
        )
      )
    }
    return file
  }

  private static func exchange(_ request: ModelRequest, _ answer: String) -> Exchange {
    let content = JSONValue.object(["label": .string(answer)]).jsonText
    let body: JSONValue = [
      "object": "chat.completion", "created": 0, "model": "naive-bayes",
      "choices": [
        [
          "index": 0, "message": ["role": "assistant", "content": .string(content)],
          "finish_reason": "stop",
        ]
      ],
    ]
    return Exchange(
      request: request,
      headers: [
        HTTPHeader("content-type", "application/json"),
        HTTPHeader("x-sluice-stand-in", "naive Bayes classifier"),
      ],
      body: JSONWriter.line(body),
      timings: ResponseTimings(),
      host: "http://127.0.0.1",
      date: Timestamp(seconds: 1_700_000_000)
    )
  }
}
