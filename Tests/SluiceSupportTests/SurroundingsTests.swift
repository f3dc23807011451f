import SluiceSupport
import Testing

@Suite("Surroundings")
struct SurroundingsTests {
  @Test(
    "CI is detected by the environment variable CI",
    arguments: [
      (nil, false), ("", false), ("0", false), ("false", false), ("False", false), ("true", true),
      ("1", true), ("yes", true), ("woodpecker", true),
    ] as [(String?, Bool)]
  )
  func continuousIntegration(_ value: String?, _ isCI: Bool) {
    let environment = value.map { ["CI": $0] } ?? ["GITHUB": "true"]
    let surroundings = Surroundings(files: InMemoryFileSystem(), environment: environment)
    #expect(surroundings.isContinuousIntegration == isCI)
  }

  @Test("The clock is the system's by default")
  func clock() {
    let files = InMemoryFileSystem()
    #expect(Surroundings(files: files).now() >= Timestamp(seconds: 1_700_000_000))
    let fixed = Surroundings(files: files, now: { Timestamp(seconds: 3) })
    #expect(fixed.now() == Timestamp(seconds: 3))
  }
}
