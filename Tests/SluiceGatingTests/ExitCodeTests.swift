import Sluice
import Testing

@Suite("Exit codes")
struct ExitCodeTests {
  @Test(
    "Exit codes distinguish a failed gate, an undecided gate and an invalid command line",
    arguments: [
      (.pass, 0), (.fail, 1), (.inconclusive, 2), (.noVerdict, 3), (.usage, 64), (.failure, 70),
      (.interrupted, 130),
    ] as [(ExitCode, Int32)]
  )
  func codes(_ code: ExitCode, _ number: Int32) {
    #expect(code.rawValue == number)
  }

  @Test(
    "Each verdict has its exit code",
    arguments: [
      (.pass, .pass), (.fail, .fail), (.inconclusive, .inconclusive), (.noVerdict, .noVerdict),
    ] as [(Verdict, ExitCode)]
  )
  func verdicts(_ verdict: Verdict, _ code: ExitCode) {
    #expect(ExitCode(verdict) == code)
  }
}
