@testable import SluiceSupport
import Testing

@Suite("Git revision")
struct GitRevisionTests {
  private static let id = "686b0efb8eafd33ea2ca1a8ef351712c4c11fd72"

  @Test(
    "The revision is read from the entries of git status",
    arguments: [
      (["# branch.oid \(id)", "# branch.head main"], "main 686b0ef"),
      (
        ["# branch.oid \(id)", "# branch.head main", "# branch.upstream origin/main"],
        "main 686b0ef"
      ),
      (
        ["# branch.oid \(id)", "# branch.head fix/a b", "1 .M N... 100644 100644 100644 a b x"],
        "fix/a b 686b0ef edited"
      ),
      (["# branch.oid \(id)", "# branch.head (detached)"], "- 686b0ef"),
      (["# branch.oid (initial)", "# branch.head main"], "none"),
      ([], "none"),
    ]
  )
  func reading(entries: [String], expected: String) {
    let status = entries.flatMap { entry -> [UInt8] in Array(entry.utf8) + [0] }
    let revision = GitRevision(status: status)
    let text =
      revision.map { "\($0.branch ?? "-") \($0.commit)\($0.isEdited ? " edited" : "")" } ?? "none"
    #expect(text == expected)
  }

  @Test("Outside of a repository, there is no revision")
  func nowhere() async {
    #expect(await GitRevision.read(projectRoot: "/") == nil)
  }
}
