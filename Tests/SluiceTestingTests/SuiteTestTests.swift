import Sluice
import SluiceTesting
import Testing

@Suite("SuiteTest")
struct SuiteTestTests {
  @Test(
    "Each suite of this project passes on its committed recordings",
    arguments: ["action-items", "category", "clarity", "tone"]
  )
  func committedSuites(name: String) throws {
    try SuiteTest(name, in: #filePath).check()
  }

  @Test("A run returns every trial with its outcome")
  func everyTrial() throws {
    let result = try SuiteTest("clarity", in: #filePath).run()
    #expect(result.source == .recorded)
    #expect(result.columns.map(\.trials.count) == [result.caseCount])
    #expect(result.columns[0].lost == 0)
  }

  @Test("A suite that does not exist is named, with the nearest one")
  func unknownSuite() {
    #expect(throws: SuiteTestError.self) { try SuiteTest("clarty", in: #filePath).run() }
    do throws(SuiteTestError) {
      _ = try SuiteTest("clarty", in: #filePath).run()
    } catch {
      #expect(
        error.description == """
          command line: error: there is no suite 'clarty'
            fix: did you mean 'clarity'?

          """
      )
    }
  }

  @Test("A folder without a project is said to be none")
  func noProject() {
    do throws(SuiteTestError) {
      _ = try SuiteTest("clarity", in: "/").run()
      Issue.record("there is no project at the root of the disk")
    } catch {
      #expect(error.description == "there is no sluice.yaml in a folder above /")
    }
  }
}
