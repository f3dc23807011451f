import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Trial storage")
struct TrialStorageTests {
  @Test(
    "A digest is stored unchanged, even if it is not a valid digest",
    arguments: [
      "", "k", String(repeating: "0123456789abcdef", count: 4), String(repeating: "G", count: 64),
      String(repeating: "ABCDEF01", count: 8), String(repeating: "0", count: 63),
    ]
  )
  func digests(text: String) {
    var trial = StatisticsTrials.trial("a")
    trial.caseDigest = text
    trial.requestKey = text
    #expect(trial.caseDigest == text)
    #expect(trial.requestKey == text)
  }

  @Test("Unknown values stay unknown, and known values stay unchanged")
  func unknowns() {
    let usages: [TokenUsage?] = [
      nil, TokenUsage(), TokenUsage(input: 0, cachedInput: nil, output: .max, reasoning: -1),
    ]
    for usage in usages {
      let output = StatisticsTrials.output(usage: usage)
      #expect(output.usage == usage)
    }
    for number in [nil, 0, -1, 0.1, .infinity] as [Double?] {
      var output = StatisticsTrials.output(cost: number, milliseconds: number)
      #expect(output.cost == number)
      #expect(output.timings == ResponseTimings(total: number))
      output.timings.connect = number
      #expect(output.timings == ResponseTimings(connect: number, total: number))
    }
  }

  @Test("Usage and timings are stored and written completely")
  func measurements() throws {
    let usage = TokenUsage(
      input: 1,
      cachedInput: 2,
      output: 3,
      reasoning: 4,
      cacheWrite: 5,
      longCacheWrite: 6
    )
    var timings = ResponseTimings(
      connect: 1.5,
      tls: 2.25,
      firstByte: 3,
      firstText: 3.25,
      longestGap: 0.5,
      total: 4.125,
      server: 2
    )
    timings.user = 7.5
    let fallback = StreamFallback(reason: .serverError, milliseconds: 3.375)
    var response = ModelResponse(text: "", usage: usage, timings: timings)
    response.fallback = fallback
    response.reportedCost = 0.5
    let output = Trial.Output(response, cost: 0.25)
    #expect(output.usage == usage)
    #expect(output.timings == timings)
    #expect(output.fallback == fallback)
    #expect(output.cost == 0.25)
    #expect(output.reportedCost == 0.5)
    var copy = output
    copy.timings = ResponseTimings(total: 4.125)
    copy.usage = nil
    copy.cost = nil
    copy.fallback = nil
    #expect(copy.cost == 0.5)
    #expect(copy.isCostReported)
    copy.reportedCost = nil
    #expect(!copy.hasUncommonFields)
    #expect(output.hasUncommonFields)
    var line = ByteBuffer()
    line.append(#"{"a":0"#)
    usage.appendMember(to: &line)
    timings.appendMember(to: &line)
    line.append("}")
    let json = try JSONReader.value(Array(line.units))
    #expect(json["usage"] == .object(usage.json))
    #expect(json["timings"] == .object(timings.json))
    for empty in [TokenUsage().json, ResponseTimings().json] { #expect(empty.members.isEmpty) }
  }

  @Test("Changing a copy does not affect the trial")
  func copies() {
    let trial = StatisticsTrials.trial("a", output: StatisticsTrials.output(cost: 1))
    var copy = trial
    copy.caseID = "b"
    copy.output?.cost = 2
    copy.scores = [.init(name: "s", score: Score(.failed, isUnusable: true, explanation: "x"))]
    #expect(trial.caseID == "a")
    #expect(trial.output?.cost == 1)
    #expect(!trial.isUnusable)
    #expect(copy.isUnusable)
    #expect(copy != trial)
    copy = trial
    #expect(copy == trial)
  }

  @Test("A trial occupies little memory, whatever its answer")
  func size() {
    #expect(MemoryLayout<Trial.Facts>.size <= 416)
    #expect(MemoryLayout<Trial>.size == 8)
  }
}
