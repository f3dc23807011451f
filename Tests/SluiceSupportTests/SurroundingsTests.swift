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

  @Test(
    "The job of a pull or merge request is detected by the variables of CI services",
    arguments: [
      ["GITHUB_EVENT_NAME=pull_request"], ["GITHUB_EVENT_NAME=pull_request_target"],
      ["GITHUB_EVENT_NAME=pull_request_review"], ["GITHUB_EVENT_NAME=merge_group"],
      ["GITHUB_BASE_REF=main"], ["CI_MERGE_REQUEST_IID=7"], ["CI_EXTERNAL_PULL_REQUEST_IID=7"],
      ["CI_OPEN_MERGE_REQUESTS=group/project!7"], ["TRAVIS_PULL_REQUEST=7"],
      ["BITBUCKET_PR_ID=7"], ["BUILDKITE_PULL_REQUEST=7"], ["CHANGE_ID=7"],
      ["CIRCLE_PULL_REQUEST=https://example.org/7"], ["CI_COMMIT_PULL_REQUEST=7"],
      ["DRONE_PULL_REQUEST=7"], ["SYSTEM_PULLREQUEST_PULLREQUESTID=7"],
      ["APPVEYOR_PULL_REQUEST_NUMBER=7"], ["SEMAPHORE_GIT_PR_NUMBER=7"],
    ]
  )
  func pullRequest(_ lines: [String]) {
    var environment = Self.variables(lines)
    #expect(!Surroundings.isPullRequest(environment), "outside of CI")
    environment["CI"] = "true"
    #expect(Surroundings.isPullRequest(environment))
  }

  @Test(
    "Other jobs are not those of a pull request",
    arguments: [
      [], ["GITHUB_EVENT_NAME=push", "GITHUB_BASE_REF=", "GITHUB_HEAD_REF="],
      ["GITHUB_EVENT_NAME=schedule"], ["TRAVIS_PULL_REQUEST=false"],
      ["BUILDKITE_PULL_REQUEST=false"], ["CI_PIPELINE_SOURCE=push", "CI_MERGE_REQUEST_IID="],
    ]
  )
  func otherJob(_ lines: [String]) {
    #expect(!Surroundings.isPullRequest(Self.variables(lines + ["CI=true"])))
  }

  private static func variables(_ lines: [String]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let name = line.prefix { $0 != "=" }
        return (String(name), String(line.dropFirst(name.count + 1)))
      }
    )
  }

  @Test("The clock is the system's by default")
  func clock() {
    let files = InMemoryFileSystem()
    #expect(Surroundings(files: files).now() >= Timestamp(seconds: 1_700_000_000))
    let fixed = Surroundings(files: files, now: { Timestamp(seconds: 3) })
    #expect(fixed.now() == Timestamp(seconds: 3))
  }
}
