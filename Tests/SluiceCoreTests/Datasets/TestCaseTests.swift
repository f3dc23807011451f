import Sluice
import Testing

@Suite("Test case")
struct TestCaseTests {
  private let testCase = TestCase(
    id: "a",
    tags: ["clean"],
    split: "held-out",
    cluster: "c",
    input: ["message": "x", "n": 1],
    expected: ["flagged": false],
    assertions: [["contains": "y"]]
  )

  @Test("The digest is the SHA-256 of the canonical JSON of ID, input, expectation and assertions")
  func digest() {
    let canonical =
      #"{"assert":[{"contains":"y"}],"expected":{"flagged":false},"id":"a","input":{"message":"x","n":1}}"#
    #expect(testCase.digest == SHA256.hexadecimal(Array(canonical.utf8)))
  }

  @Test("ID, input, expectation and assertions each change the digest")
  func changes() {
    let others = [
      TestCase(
        id: "b",
        input: testCase.input,
        expected: testCase.expected,
        assertions: [["contains": "y"]]
      ),
      TestCase(
        id: "a",
        input: ["message": "x"],
        expected: testCase.expected,
        assertions: [["contains": "y"]]
      ),
      TestCase(
        id: "a",
        input: testCase.input,
        expected: ["flagged": true],
        assertions: [["contains": "y"]]
      ),
      TestCase(id: "a", input: testCase.input, expected: testCase.expected),
    ]
    #expect(Set(others.map(\.digest) + [testCase.digest]).count == 5)
  }

  @Test("Tags, split, cluster and key order do not change the digest")
  func unchanged() {
    let other = TestCase(
      id: "a",
      input: ["n": 1, "message": "x"],
      expected: testCase.expected,
      assertions: [["contains": "y"]]
    )
    #expect(other.digest == testCase.digest)
  }
}
