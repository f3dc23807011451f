import SluiceSupport
import Testing

@Suite("Project path")
struct ProjectPathTests {
  @Test(
    "A path is normalized",
    arguments: [
      ("a/b", "a/b"), ("a//b/", "a/b"), ("./a/./b", "a/b"), ("a/../b", "b"), ("a/b/../../c", "c"),
      ("", "."), (".", "."), ("a/..", "."), ("..", ".."), ("../a", "../a"), ("a/../../b", "../b"),
      ("../../a/../b", "../../b"), ("/", "/"), ("/a/../..", "/"), ("/../a", "/a"),
      ("//a/b/", "/a/b"),
      ("a b/ö", "a b/ö"), ("...", "..."), ("..a/b", "..a/b"), ("a/.b", "a/.b"),
    ]
  )
  func normalForm(_ text: String, _ path: String) {
    #expect(ProjectPath(text).description == path)
    #expect(ProjectPath(text) == ProjectPath(path))
    #expect(ProjectPath(path).description == path)
  }

  @Test(
    "A reference is relative to the folder of its file",
    arguments: [
      ("prompts/tone/suite.yaml", "v1.yaml", "prompts/tone/v1.yaml"),
      ("prompts/tone/suite.yaml", "../../datasets/tone/cases.yaml", "datasets/tone/cases.yaml"),
      ("prompts/tone/suite.yaml", "../../../x", "../x"),
      ("sluice.yaml", "prices.json", "prices.json"),
      ("sluice.yaml", "../prices.json", "../prices.json"), ("sluice.yaml", "/etc/x", "/etc/x"),
      ("../shared/v1.yaml", "a.json", "../shared/a.json"), ("a/b", "", "a"), ("a/b", ".", "a"),
    ]
  )
  func resolving(_ file: String, _ reference: String, _ path: String) {
    #expect(ProjectPath(file).resolving(reference).description == path)
  }

  @Test(
    "A path has a folder, a name, a stem and an extension",
    arguments: [
      ("a/b/c.yaml", "a/b", "c.yaml", "c", "yaml"), ("c.JSON", ".", "c.JSON", "c", "json"),
      ("a/c.test.csv", "a", "c.test.csv", "c.test", "csv"), ("a", ".", "a", "a", ""),
      (".hidden", ".", ".hidden", ".hidden", "hidden"), (".", "..", ".", ".", ""),
      ("..", "../..", "..", ".", ""), ("/a/b", "/a", "b", "b", ""), ("a.", ".", "a.", "a", ""),
    ]
  )
  func parts(_ text: String, _ folder: String, _ name: String, _ stem: String, _ ending: String) {
    let path = ProjectPath(text)
    #expect(path.folder.description == folder)
    #expect(path.name == name)
    #expect(path.stem == stem)
    #expect(path.pathExtension == ending)
  }

  @Test(
    "A path that starts with '..' or '/' is outside of the root",
    arguments: [
      ("a", true), (".", true), ("a/../b", true), ("..a", true), ("..", false), ("../a", false),
      ("a/../../b", false), ("/a", false), ("/", false),
    ]
  )
  func insideRoot(_ path: String, _ isInside: Bool) {
    #expect(ProjectPath(path).isInsideRoot == isInside)
  }

  @Test(
    "A path is inside a folder only by complete components",
    arguments: [
      ("a/b", "a", true), ("a", "a", true), ("ab", "a", false), ("a/b", "a/b/c", false),
      ("a", ".", true), (".", ".", true), ("../a", ".", false), ("/a", ".", false),
      ("../a", "..", true), ("..", "..", true), ("../..", "..", false), ("../../a", "..", false),
      ("../../a", "../..", true), ("../a/b", "../a", true), ("../ab", "../a", false),
      ("a", "..", false),
      ("/a", "/", true), ("/", "/", true), ("a", "/", false), ("/a/b", "/a", true),
    ]
  )
  func isInside(_ path: String, _ folder: String, _ isInside: Bool) {
    #expect(ProjectPath(path).isInside(ProjectPath(folder)) == isInside)
  }

  @Test(
    "A relative reference leads from a folder to the path",
    arguments: [
      ("prompts/tone/v1.yaml", "prompts/tone", "v1.yaml"),
      ("datasets/a", "prompts/tone", "../../datasets/a"),
      ("prompts/a/v1", "prompts/b", "../a/v1"), ("a", ".", "a"), ("a/b", "a/b", "."),
      (".", "a", ".."),
      ("ab/c", "a", "../ab/c"), ("../shared/a", "prompts", "../../shared/a"),
      ("../shared/a", "../shared", "a"), ("/etc/x", "prompts", "/etc/x"),
    ]
  )
  func reference(_ path: String, _ folder: String, _ reference: String) {
    #expect(ProjectPath(path).reference(from: ProjectPath(folder)) == reference)
    #expect(ProjectPath(folder).resolvingChild("file").resolving(reference) == ProjectPath(path))
  }

  @Test("Paths are sorted by their texts")
  func order() {
    let paths = ["b", "a/b", "a", "B"].map { ProjectPath($0) }
    #expect(paths.sorted().map(\.description) == ["B", "a", "a/b", "b"])
  }
}
