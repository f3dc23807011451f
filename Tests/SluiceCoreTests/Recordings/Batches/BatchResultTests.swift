@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Line of batch results")
struct BatchResultTests {
  private func read(_ text: String) throws(BatchLineFault) -> BatchResult {
    let units = Array(text.utf8)
    let result = units.withUnsafeBufferPointer { line in
      Result { () throws(BatchLineFault) in try BatchResult(line) }
    }
    return try result.get()
  }

  private func fault(_ text: String) -> String? {
    do throws(BatchLineFault) {
      _ = try read(text)
      return nil
    } catch {
      return error.message
    }
  }

  private static let completion = #"{"choices":[{"message":{"content":"Hi"}}]}"#

  @Test(
    "A completion is read in each of its usual positions",
    arguments: [
      #"{"id":"b1","custom_id":"a","response":{"status_code":200,"request_id":"r","body":BODY},"error":null}"#,
      #"{"custom_id":"a","response":{"status_code":200,"body":BODY}}"#,
      #"{"custom_id":"a","response":{"body":BODY},"error":{}}"#,
      #"{"custom_id":"a","response":BODY}"#, #"{"custom_id":"a","body":BODY}"#,
      #" { "custom_id" : "a" , "status_code" : 200, "body" : BODY } "#,
    ]
  )
  func forms(_ form: String) throws {
    let result = try read(form.replacing("BODY", with: Self.completion))
    #expect(result.id == "a")
    #expect(result.content == .response(status: 200, body: Array(Self.completion.utf8)))
    #expect(result.failure == nil)
  }

  @Test("A line that is a completion itself is read")
  func direct() throws {
    let result = try read(#"{"custom_id":"a","choices":[{"message":{"content":"Hi"}}]}"#)
    guard case .response(200, let body) = result.content else {
      Issue.record("there was no response")
      return
    }
    #expect(
      String(decoding: body, as: UTF8.self).hasSuffix(#""choices":[{"message":{"content":"Hi"}}]}"#)
    )
  }

  @Test("Escapes and spaces are normalized, and a lone surrogate is kept")
  func normalized() throws {
    let escaped =
      #"{"custom_id":"a","body":{"choices": [{"message": {"content": "\u00e4 \ud83d\ude00"}}]}}"#
    #expect(
      try read(escaped).content
        == .response(
          status: 200,
          body: Array(#"{"choices":[{"message":{"content":"ä 😀"}}]}"#.utf8)
        )
    )
    let lone = #"{"choices": [{"message": {"content": "\ud83d"}}]}"#
    #expect(
      try read(#"{"custom_id":"a","body":\#(lone)}"#).content
        == .response(status: 200, body: Array(lone.utf8))
    )
  }

  @Test(
    "A missing answer is explained in the words of the service or the server",
    arguments: [
      (
        #"{"custom_id":"a","response":null,"error":{"code":"batch_expired","message":"Not in time."}}"#,
        "the batch service gave no answer: batch_expired: Not in time."
      ),
      (#"{"custom_id":"a","error":"gone"}"#, "the batch service gave no answer: gone"),
      (#"{"custom_id":"a","error":{"x":1}}"#, #"the batch service gave no answer: {"x":1}"#),
      (
        #"{"custom_id":"a","response":{"status_code":400,"body":{"error":{"message":"Bad schema"}}}}"#,
        "the server answered 400: Bad schema"
      ),
      (
        #"{"custom_id":"a","response":{"status_code":500,"body":{}}}"#, "the server answered 500"
      ),
    ]
  )
  func failures(_ line: String, _ reason: String) throws {
    #expect(try read(line).failure == reason)
  }

  @Test(
    "Each vendor's answer is read at its own position",
    arguments: [
      (
        #"{"custom_id":"a","result":{"type":"succeeded","message":BODY}}"#,
        #"{"content":[],"stop_reason":"end_turn"}"#, "anthropic"
      ),
      (#"{"key":"a","response":BODY}"#, #"{"candidates":[]}"#, "gemini"),
      (#"{"key":"a","response":BODY}"#, #"{"promptFeedback":{}}"#, "gemini"),
      (#"{"custom_id":"a","response":{"body":BODY}}"#, #"{"output":[]}"#, "openai-responses"),
      (#"{"custom_id":"a","response":BODY}"#, #"{"output":[]}"#, "openai-responses"),
      (#"{"custom_id":"a","response":{"body":BODY}}"#, #"{"choices":[]}"#, "openai"),
    ]
  )
  func vendors(_ form: String, _ body: String, _ type: String) throws {
    let result = try read(form.replacing("BODY", with: body))
    #expect(result.id == "a")
    #expect(result.content == .response(status: 200, body: Array(body.utf8)))
    #expect(result.api?.type == type)
  }

  @Test("A custom_id has priority over a key, which other tools may use for themselves")
  func keys() throws {
    #expect(try read(#"{"key":"k","custom_id":"a","body":{"choices":[]}}"#).id == "a")
    #expect(try read(#"{"key":7,"custom_id":"a","body":{"choices":[]}}"#).id == "a")
    #expect(fault(#"{"key":"k","key":"l","response":{}}"#) == "the line has 'key' twice")
    let id = String(repeating: "x", count: 600)
    #expect(fault(#"{"key":"\#(id)"}"#) == "the key is 600 bytes long; the limit is 512")
  }

  @Test("Long error messages of a service are truncated")
  func longWords() throws {
    let words = String(repeating: "x", count: 5_000)
    let failure = try read(#"{"custom_id":"a","error":"\#(words)"}"#).failure
    #expect(failure == "the batch service gave no answer: " + String(repeating: "x", count: 300))
  }

  @Test(
    "An invalid line is an error with the reason",
    arguments: [
      ("", "the line is empty"), ("   ", "the line is empty"),
      ("nonsense", "not valid JSON: expected a JSON value"),
      (#"{"custom_id":"a""#, "not valid JSON: expected ',' or '}'"),
      ("[1]", "the line is not a JSON object"),
      (#"{"id":"b1"}"#, "the line has no custom_id, so its request is unknown"),
      (
        #"{"custom_id":7,"body":{}}"#,
        "the line has no custom_id, so its request is unknown"
      ),
      (#"{"custom_id":"a","custom_id":"b"}"#, "the line has 'custom_id' twice"),
      (#"{"custom_id":"a","response":{},"response":{}}"#, "the line has 'response' twice"),
      (#"{"custom_id":"a"}"#, "'a': the line has neither a response nor an error"),
      (#"{"custom_id":"a","response":7}"#, "'a': 'response' is not an object"),
      (#"{"custom_id":"a","response":{}}"#, "'a': 'response' has no body"),
      (
        #"{"custom_id":"a","response":{"body":"text"}}"#,
        "'a': the body of 'response' is not an object"
      ),
      (
        #"{"custom_id":"a","response":{"status_code":"ok","body":{}}}"#,
        "'a': 'status_code' is not an HTTP status"
      ),
      (
        #"{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"messages":[]}}"#,
        "'a': the line is a request, not a result"
      ),
      (
        #"{"custom_id":"a","params":{"messages":[]}}"#,
        "'a': the line is a request, not a result"
      ),
      (#"{"key":"a","request":{"contents":[]}}"#, "'a': the line is a request, not a result"),
      (#"{"custom_id":"a","result":7}"#, "'a': 'result' is not an object"),
      (#"{"custom_id":"a","result":{}}"#, "'a': 'result' has no type"),
      (#"{"custom_id":"a","result":{"type":"succeeded"}}"#, "'a': 'result' has no message"),
      (
        #"{"custom_id":"a","result":{"type":"succeeded","message":"Hi"}}"#,
        "'a': the message of 'result' is not an object"
      ),
    ]
  )
  func broken(_ line: String, _ message: String) { #expect(fault(line) == message) }

  @Test("Nesting depth, encoding and the length of a custom_id are checked")
  func bounds() {
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    #expect(
      fault(#"{"custom_id":"a","body":\#(deep)}"#)
        == "not valid JSON: nested more than 128 levels deep"
    )
    let id = String(repeating: "x", count: 600)
    #expect(
      fault(#"{"custom_id":"\#(id)"}"#) == "the custom_id is 600 bytes long; the limit is 512"
    )
    let bytes = Array(#"{"custom_id":"a","x":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
    let message = bytes.withUnsafeBufferPointer { line -> String? in
      do throws(BatchLineFault) {
        _ = try BatchResult(line)
        return nil
      } catch {
        return "\(error.column): \(error.message)"
      }
    }
    #expect(message == "23: not valid UTF-8")
  }

  @Test("A line with 100,000 members is read")
  func manyMembers() throws {
    let members = (0..<100_000).map { #""m\#($0)":\#($0),"# }.joined()
    let result = try read(#"{\#(members)"custom_id":"a","body":\#(Self.completion)}"#)
    #expect(result.failure == nil)
  }

  @Test("The stated day of an answer is used, or else the day in the completion")
  func days() throws {
    let now = Timestamp(seconds: 1_800_000_000)
    func day(_ created: String, _ stated: String? = nil) throws -> String? {
      let body = #"{"created":\#(created),"choices":[{"message":{"content":"Hi"}}]}"#
      let result = try read(#"{"custom_id":"a","body":\#(body)}"#)
      return result.response(.batch, AnswerStatement(day: stated), now: now)?.stated?.day
    }
    #expect(try day("1763985600") == "2025-11-24")
    #expect(try day("1763985600", "2025-11-20") == "2025-11-20")
    // Placeholders and times in the future.
    for created in ["0", "null", "1234", "1900000000", #""soon""#] {
      #expect(try day(created) == nil)
    }
  }
}

@Suite("Line of batch requests")
struct BatchRequestTests {
  private func read(_ text: String) throws(BatchLineFault) -> BatchRequest {
    let units = Array(text.utf8)
    let result = units.withUnsafeBufferPointer { line in
      Result { () throws(BatchLineFault) in try BatchRequest(line) }
    }
    return try result.get()
  }

  @Test("A request is written on one line and can be read back")
  func roundTrip() throws {
    let id = BatchRequestID(key: SHA256.digest("a".utf8), repetition: 1).text
    let request = BatchRequest(id: id, body: ["model": "m", "messages": [["role": "user"]]])
    var buffer = ByteBuffer()
    request.append(to: &buffer)
    let text = String(decoding: buffer.units, as: UTF8.self)
    #expect(
      text == #"{"custom_id":"\#(id)","method":"POST","url":"/v1/chat/completions","#
        + #""body":{"model":"m","messages":[{"role":"user"}]}}"# + "\n"
    )
    #expect(try read(text.trimmed) == request)
    Array(text.trimmed.utf8).withUnsafeBufferPointer { #expect(BatchRequest.isOwn($0)) }
    Array(#"{"custom_id":"a","body":{"messages":[]}}"#.utf8).withUnsafeBufferPointer {
      #expect(!BatchRequest.isOwn($0))
    }
  }

  @Test(
    "A line that is not a chat request is an error with the reason",
    arguments: [
      (
        #"{"custom_id":"a","url":"/v1/embeddings","body":{"input":"x"}}"#,
        "'a': the line is a request to '/v1/embeddings'; Sluice reads only requests to the "
          + "Chat Completions and Responses APIs"
      ),
      (#"{"custom_id":"a","url":"/chat/completions"}"#, "'a': the line has no body"),
      (#"{"custom_id":"a","body":{"prompt":"x"}}"#, "'a': the body has no messages"),
      (#"{"custom_id":"a","params":{"prompt":"x"}}"#, "'a': the body has no messages"),
      (#"{"key":"a","request":{"messages":[]}}"#, "'a': the body has no messages"),
      (
        #"{"custom_id":"a","response":{"status_code":200,"body":{}}}"#,
        "'a': the line is a result, not a request"
      ),
      ("{", "not valid JSON: expected a member name in double quotes"),
    ]
  )
  func broken(_ line: String, _ message: String) {
    let fault = #expect(throws: BatchLineFault.self) { try read(line) }
    #expect(fault?.message == message)
  }
}
