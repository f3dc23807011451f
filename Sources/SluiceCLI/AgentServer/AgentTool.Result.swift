internal import Sluice

extension AgentTool {
  /// The result of a tool call: the exit code, the command's JSON and its messages.
  struct Result: Sendable {
    private var code: Sluice.ExitCode
    private var output: JSONValue?
    private var messages: [String]

    /// The maximum size in bytes of the line that answers a call.
    ///
    /// The size is limited since agents read the whole result.
    static let longestLine = 200_000
    /// The bytes of the line that are reserved for the request's id and the names around the result.
    private static let frame = 2_000

    /// The limits for the lengths of texts and lists, and for the number of messages.
    private struct Extent {
      var texts: Int
      var elements: Int
      var messages: Int

      /// The server tries these in order until the result fits.
      static let all = [
        Extent(texts: 4_000, elements: 100, messages: 200),
        Extent(texts: 1_000, elements: 20, messages: 100),
        Extent(texts: 300, elements: 5, messages: 50), least,
      ]
      static let least = Extent(texts: 100, elements: 1, messages: 20)
    }

    /// Reads the result of a command.
    ///
    /// - Parameters:
    ///   - code: The exit code.
    ///   - transcript: The output of the command.
    ///   - failure: An additional message, or `nil` if there is none.
    init(_ code: Sluice.ExitCode, _ transcript: CommandTranscript, _ failure: String? = nil) {
      self.code = code
      output = transcript.result.flatMap { try? JSONReader.value($0) }
      messages = transcript.errors.split(separator: "\n").map(String.init)
      if let failure { messages.append(failure) }
    }

    private init(refusal: String) {
      (code, messages) = (.usage, [refusal])
    }

    /// Returns the result of a tool call that the server refuses.
    static func refusal(_ message: String) -> Result { Result(refusal: message) }

    /// True if the tool could not do its work.
    ///
    /// A verdict other than a pass is not an error.
    private var isError: Bool { [.usage, .failure, .interrupted].contains(code) }

    private var outcome: String {
      switch code {
      case .pass: "pass"
      case .fail: "fail"
      case .inconclusive: "inconclusive"
      case .noVerdict: "no-verdict"
      case .usage: "usage-error"
      case .failure: "failure"
      case .interrupted: "interrupted"
      }
    }

    /// The result in the format of `tools/call`, with long texts and lists cut as far as the size
    /// limit requires.
    var json: JSONObject {
      let output = self.output.map(Self.withoutPassed)
      for extent in Extent.all {
        let json = json(content(output.map { Self.cut($0, extent) }, extent))
        if JSONWriter.line(.object(json)).count <= Self.longestLine - Self.frame { return json }
      }
      let summary: JSONValue = [
        "verdict": output?["verdict"] ?? .null,
        "omitted": "the result is too long; name fewer suites, or read reports/latest/",
      ]
      return json(content(Self.cut(summary, .least), .least))
    }

    /// Returns the result with its content, which it contains twice: for clients that read structured
    /// content, and as a text for others.
    private func json(_ content: JSONValue) -> JSONObject {
      let text = String(decoding: JSONWriter.line(content), as: UTF8.self)
      return [
        "content": [["type": "text", "text": .string(text)]], "structuredContent": content,
        "isError": .bool(isError),
      ]
    }

    private func content(_ output: JSONValue?, _ extent: Extent) -> JSONValue {
      var object: JSONObject = [
        "exit-code": .number(Double(code.rawValue)), "outcome": .string(outcome),
      ]
      object.set("output", output)
      object["messages"] = .array(
        messages.prefix(extent.messages).map { .string(Excerpt.cut($0, to: extent.texts)) }
      )
      return .object(object)
    }

    /// Returns the JSON of a run without the trials that passed, since agents do not need these.
    private static func withoutPassed(_ value: JSONValue) -> JSONValue {
      switch value {
      case .array(let values): return .array(values.map(withoutPassed))
      case .object(let object):
        var result = JSONObject()
        for (name, value) in object.members {
          guard name == "results", let trials = value.array else {
            result[name] = withoutPassed(value)
            continue
          }
          let others = trials.filter { $0["outcome"]?.string != "passed" }
          result[name] = .array(others)
          if others.count < trials.count {
            result["passed-omitted"] = .number(Double(trials.count - others.count))
          }
        }
        return .object(result)
      default: return value
      }
    }

    private static func cut(_ value: JSONValue, _ extent: Extent) -> JSONValue {
      switch value {
      case .string(let text): return .string(Excerpt.cut(text, to: extent.texts))
      case .array(let values):
        return .array(values.prefix(extent.elements).map { cut($0, extent) })
      case .object(let object):
        var result = JSONObject()
        for (name, value) in object.members {
          result[name] = cut(value, extent)
          if let count = value.array?.count, count > extent.elements {
            result["\(name)-omitted"] = .number(Double(count - extent.elements))
          }
        }
        return .object(result)
      default: return value
      }
    }

    /// The JSON Schema of the structured content.
    static let schema: JSONValue = [
      "type": "object",
      "properties": [
        "exit-code": [
          "type": "integer",
          "description": .string(
            "0 pass, 1 fail, 2 inconclusive, 3 no verdict, 64 wrong files or arguments, "
              + "70 internal or I/O error, 130 interrupted."
          ),
        ],
        "outcome": [
          "enum": [
            "pass", "fail", "inconclusive", "no-verdict", "usage-error", "failure", "interrupted",
          ]
        ],
        "output": [
          "type": "object",
          "description": .string(
            "The JSON output of the command, without the trials that passed. A member "
              + "'NAME-omitted' counts the items left out of the list NAME."
          ),
        ],
        "messages": [
          "type": "array", "items": ["type": "string"],
          "description": "The warnings and errors, with their fixes.",
        ],
      ],
      "required": ["exit-code", "outcome", "messages"],
    ]
  }
}
