import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Streams that end too early, at any byte.
@Suite("Cut streams")
struct CutStreamTests {
  /// The maximum number of bytes to read for all cuts of a stream.
  ///
  /// Each cut stream is read from the start, so testing each byte would take too long.
  private static let budget = 400_000

  /// The positions at which to cut a stream of this length: every tenth byte, or fewer for a long
  /// stream.
  private func places(_ length: Int) -> StrideTo<Int> {
    let step = max(1, (length * length / 20 + Self.budget - 1) / Self.budget) * 10
    return stride(from: 0, to: length, by: step)
  }

  @Test(
    "A cut stream is either a lost trial that can be retried, or the complete answer",
    arguments: WireAPI.allCases
  )
  func cut(_ api: WireAPI) throws {
    var check = WireCheck()
    var (cuts, answers) = (0, 0)
    check.check(
      try WireSet.streams(api),
      as: { exchange in
        exchange.body.count * exchange.body.count / 20 <= Self.budget
          ? "streams cut at every tenth byte" : "long ones at fewer places"
      }
    ) { exchange in
      let whole = try WireCheck.response(exchange.body, api)
      var differences: [String] = []
      for place in places(exchange.body.count) {
        cuts += 1
        do throws(BackendError) {
          let answer = try WireCheck.response(Array(exchange.body[..<place]), api)
          answers += 1
          if answer.text != whole.text || answer.toolCalls != whole.toolCalls
            || answer.finishReason != whole.finishReason || answer.refusal != whole.refusal
            || answer.ending != whole.ending
          {
            differences.append("cut at \(place): counts as an answer")
          }
        } catch {
          if !error.canRetry { differences.append("cut at \(place): \(error.message)") }
        }
      }
      return differences
    }
    print("CutStreamTests: \(api.rawValue): \(check.summary): \(cuts) cuts, \(answers) whole")
    for difference in check.differences { Issue.record("\(difference)") }
    #expect(cuts > 50)
    #expect(answers < cuts / 4)
  }

  @Test(
    "A cut body is a lost trial that can be retried",
    arguments: VendorServer.all
  )
  func cutWhole(_ server: VendorServer) throws {
    let body = JSONWriter.line(server.whole("It is “here”. 🙂"))
    for end in 0..<body.count {
      var response = RawResponse(
        body: Array(body[..<end]),
        host: "https://models.test",
        date: Timestamp(seconds: 0)
      )
      response.status = 200
      let error = #expect(throws: BackendError.self) { try AnswerReader.read(response, server.api) }
      #expect(error?.canRetry == true)
      #expect(error?.kind == .brokenAnswer)
    }
  }
}
