import SampleProjects
import Sluice
import Testing
import TestSupport

@Suite("Project files")
struct ProjectFilesTests {
  private let suite = ProjectFixture.suite

  private func report(_ old: String, _ new: String, adding files: [String: String?] = [:]) throws
    -> String
  {
    try ProjectFixture().replacing(old, with: new, in: suite).adding(files).report()
  }

  // MARK: References

  @Test("A missing file is an error that suggests the nearest path, relative to the referring file")
  func notFound() throws {
    #expect(
      try report("prompt: v1.yaml", "prompt: v2.yaml") == """
        prompts/tone/suite.yaml:2:9: error: file not found: prompts/tone/v2.yaml
          2 | prompt: v2.yaml
            |         ^
          fix: did you mean 'v1.yaml'?

        """
    )
    #expect(
      try report("dataset: tone", "dataset: ../../datasets/tone/case.yaml") == """
        prompts/tone/suite.yaml:3:10: error: file not found: datasets/tone/case.yaml
          3 | dataset: ../../datasets/tone/case.yaml
            |          ^
          fix: did you mean '../../datasets/tone/cases.yaml'?

        """
    )
  }

  @Test("Without a similar path, there is no suggestion")
  func nothingNear() throws {
    #expect(
      try report("prompt: v1.yaml", "prompt: somewhere/else.yaml") == """
        prompts/tone/suite.yaml:2:9: error: file not found: prompts/tone/somewhere/else.yaml
          2 | prompt: somewhere/else.yaml
            |         ^

        """
    )
  }

  @Test("A folder in place of a file is an error")
  func folder() throws {
    #expect(
      try report("prompt: v1.yaml", "prompt: ../tone") == """
        prompts/tone/suite.yaml:2:9: error: '../tone' is a folder, not a file
          2 | prompt: ../tone
            |         ^

        """
    )
  }

  @Test("An empty reference is an error")
  func emptyReference() throws {
    #expect(
      try report("prompt: v1.yaml", #"prompt: """#) == """
        prompts/tone/suite.yaml:2:9: error: an empty string is not the name of a file
          2 | prompt: ""
            |         ^

        """
    )
  }

  @Test("A reference out of the project is an error, whether or not the file exists")
  func outside() throws {
    let shared = ["../shared/v1.yaml": "messages: [{user: '{{message}}'}]"]
    #expect(
      try report("prompt: v1.yaml", "prompt: ../../../shared/v1.yaml", adding: shared) == """
        prompts/tone/suite.yaml:2:9: error: '../../../shared/v1.yaml' is outside the project
          2 | prompt: ../../../shared/v1.yaml
            |         ^
          fix: move the file into the project, or list its folder under 'allow-folders' in sluice.yaml

        """
    )
    #expect(
      try report("prompt: v1.yaml", "prompt: /etc/passwd") == """
        prompts/tone/suite.yaml:2:9: error: '/etc/passwd' is outside the project
          2 | prompt: /etc/passwd
            |         ^
          fix: move the file into the project, or list its folder under 'allow-folders' in sluice.yaml

        """
    )
  }

  @Test(
    "A reference into a folder under 'allow-folders' is followed",
    arguments: [
      ("../shared", "../../../shared/v1.yaml", "../shared/v1.yaml"),
      ("../shared/", "../../../shared/deep/v1.yaml", "../shared/deep/v1.yaml"),
      ("..", "../../../v1.yaml", "../v1.yaml"),
      ("/opt/prompts", "/opt/prompts/v1.yaml", "/opt/prompts/v1.yaml"),
      ("/", "/opt/v1.yaml", "/opt/v1.yaml"),
    ]
  )
  func allowed(_ folder: String, _ reference: String, _ file: String) throws {
    let fixture = try ProjectFixture()
      .replacing("prompt: v1.yaml", with: "prompt: \(reference)", in: suite)
      .replacing("prices:", with: "allow-folders: [\(folder)]\nprices:", in: "sluice.yaml")
      .adding([
        file: "messages: [{user: '{{sender.role}} {{message}} {{#conversation}}{{/conversation}}'}]"
      ])
    #expect(fixture.report() == "")
    #expect(fixture.load().suites.first?.plan.prompts.map(\.path.description) == [file])
  }

  @Test(
    "An allowed folder does not allow other folders",
    arguments: [
      ("../shared", "../../../shared-too/v1.yaml"), ("../shared", "../../../shared/../v1.yaml"),
      ("..", "../../../../v1.yaml"), ("/opt/prompts", "/opt/v1.yaml"), (".", "../../../v1.yaml"),
    ]
  )
  func notAllowed(_ folder: String, _ reference: String) throws {
    let fixture = try ProjectFixture()
      .replacing("prompt: v1.yaml", with: "prompt: \(reference)", in: suite)
      .replacing("prices:", with: "allow-folders: [\(folder)]\nprices:", in: "sluice.yaml")
    #expect(
      fixture.report() == """
        prompts/tone/suite.yaml:2:9: error: '\(reference)' is outside the project
          2 | prompt: \(reference)
            |         ^
          fix: move the file into the project, or list its folder under 'allow-folders' in sluice.yaml

        """
    )
  }

  @Test("'allow-folders' must be a list of texts")
  func wrongAllowedFolders() throws {
    let fixture = try ProjectFixture()
      .replacing("prices:", with: "allow-folders: ../shared\nprices:", in: "sluice.yaml")
    #expect(
      fixture.report() == """
        sluice.yaml:6:16: error: 'allow-folders' must be a list, not a text
          6 | allow-folders: ../shared
            |                ^

        """
    )
  }

  @Test("If sluice.yaml is invalid, outside references cause no further errors")
  func unknownAllowedFolders() throws {
    let fixture = try ProjectFixture()
      .replacing("prompt: v1.yaml", with: "prompt: ../../../shared/v1.yaml", in: suite)
      .replacing("prices:", with: "allow-folders: ../shared\nprices:", in: "sluice.yaml")
    #expect(
      fixture.report() == """
        sluice.yaml:6:16: error: 'allow-folders' must be a list, not a text
          6 | allow-folders: ../shared
            |                ^

        """
    )
    #expect(
      fixture.adding(["sluice.yaml": "["]).report() == """
        sluice.yaml:1:1: error: not valid YAML: the '[' is not closed
          1 | [
            | ^
          fix: add ']'

        """
    )
  }

  // MARK: Links

  @Test("A link within the project is followed; a link out of it is an error")
  func links() throws {
    let folder = try ProjectFolder()
    try folder.write(ProjectFixture().files, under: "project")
    try folder.write(["v1.yaml": "messages: [{user: '{{message}}'}]"], under: "elsewhere")
    try folder.link("project/prompts/tone/v0.yaml", to: "v1.yaml")
    try folder.link("project/prompts/tone/v2.yaml", to: "../../../elsewhere/v1.yaml")
    let system = try #require(DiskFileSystem(root: folder.path + "/project"))
    func report(_ prompt: String) throws -> String {
      let suite = try ProjectFixture()
        .replacing("prompt: v1.yaml", with: "prompt: \(prompt)", in: suite).files[suite]
      try folder.write([self.suite: suite ?? ""], under: "project")
      return ProjectLoader.load(from: system).diagnostics.map(\.description).joined()
    }
    #expect(try report("v0.yaml") == "")
    #expect(
      try report("v2.yaml") == """
        prompts/tone/suite.yaml:2:9: error: 'v2.yaml' is a link that leads outside the project
          2 | prompt: v2.yaml
            |         ^
          fix: copy the file into the project, or list the folder that contains the link under 'allow-folders' in sluice.yaml

        """
    )
    try folder.link("project/prompts/elsewhere", to: "../../elsewhere")
    #expect(
      try report("../elsewhere/v1.yaml") == """
        prompts/tone/suite.yaml:2:9: error: '../elsewhere/v1.yaml' is a link that leads outside the project
          2 | prompt: ../elsewhere/v1.yaml
            |         ^
          fix: copy the file into the project, or list the folder that contains the link under 'allow-folders' in sluice.yaml

        """
    )
    try folder.link("project/prompts/tone/gone.yaml", to: "nowhere.yaml")
    #expect(
      try report("gone.yaml") == """
        prompts/tone/suite.yaml:2:9: error: file not found: prompts/tone/gone.yaml
          2 | prompt: gone.yaml
            |         ^

        """
    )
  }

  @Test("A suite behind a link out of the project is an error and is not silently skipped")
  func linkedSuite() throws {
    let folder = try ProjectFolder()
    try folder.write(ProjectFixture().files, under: "project")
    try folder.write(["suite.yaml": "suite: other"], under: "elsewhere")
    try folder.link("project/prompts/all", to: "../../elsewhere")
    try folder.link("project/prompts/tone/more/suite.yaml", to: "../../../../elsewhere/suite.yaml")
    let system = try #require(DiskFileSystem(root: folder.path + "/project"))
    let report = ProjectLoader.load(from: system).diagnostics.map(\.description).joined()
    #expect(
      report == """
        prompts/all/suite.yaml: error: 'prompts/all/suite.yaml' is a link that leads outside the project
          fix: copy the file into the project, or list the folder that contains the link under 'allow-folders' in sluice.yaml
        prompts/tone/more/suite.yaml: error: 'prompts/tone/more/suite.yaml' is a link that leads outside the project
          fix: copy the file into the project, or list the folder that contains the link under 'allow-folders' in sluice.yaml

        """
    )
  }

  @Test("A named pipe is an error and is not read")
  func pipe() throws {
    let folder = try ProjectFolder()
    try folder.write(ProjectFixture().files, under: "")
    try folder.makePipe("prompts/tone/v1.yaml")
    let system = try #require(DiskFileSystem(root: folder.path))
    let report = ProjectLoader.load(from: system).diagnostics.map(\.description).joined()
    #expect(
      report == """
        prompts/tone/v1.yaml: error: cannot be read: is not a regular file

        """
    )
  }

  // MARK: Contents

  @Test("Invalid UTF-8 is an error at its first byte")
  func badUTF8() throws {
    let system = ProjectFixture().system
    let latin1: [UInt8] = Array("messages:\n  - user: Sch".utf8) + [0xF6] + Array("n\n".utf8)
    try system.write(latin1, to: ProjectPath(ProjectFixture.prompt))
    try system.append([0xFF], to: ProjectPath(ProjectFixture.schema))
    let report = ProjectLoader.load(from: system).diagnostics.map(\.description).joined()
    #expect(
      report == """
        prompts/tone/v1.yaml:2:14: error: not valid UTF-8
          2 |   - user: Sch�n
            |              ^
          fix: save the file as UTF-8
        prompts/tone/answer.schema.json:6:1: error: not valid UTF-8
          6 | �
            | ^
          fix: save the file as UTF-8

        """
    )
  }

  @Test("Aliases that expand to too many values are an error")
  func aliasBomb() throws {
    let bomb = """
      a: &a [x, x, x, x, x, x, x, x, x]
      b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
      c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
      d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
      e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]
      f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]
      """
    #expect(
      ProjectFixture().adding([ProjectFixture.prompt: bomb]).report() == """
        prompts/tone/v1.yaml:6:8: error: aliases expand to more than 100000 values
          6 | f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]
            |        ^
          fix: write out the values, or split the file

        """
    )
  }

  @Test("Nesting that is too deep is an error")
  func nesting() throws {
    let deep = String(repeating: "[", count: 101) + String(repeating: "]", count: 101)
    #expect(
      ProjectFixture().adding([ProjectFixture.dataset: deep]).report() == """
        datasets/tone/cases.yaml:1:101: error: nested more than 100 levels deep
          1 | …[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]…
            |                                      ^

        """
    )
    let deeper = String(repeating: "[", count: 129) + String(repeating: "]", count: 129)
    #expect(
      ProjectFixture().adding([ProjectFixture.prices: deeper]).report() == """
        prices.json:1:129: error: not valid JSON: nested more than 128 levels deep
          1 | …[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]…
            |                                      ^

        """
    )
  }

  @Test("A file that cannot be read is an error without a position")
  func unreadable() throws {
    let system = UnreadableFileSystem(
      files: ProjectFixture().system,
      path: ProjectPath(ProjectFixture.prompt)
    )
    let report = ProjectLoader.load(from: system).diagnostics.map(\.description).joined()
    #expect(
      report == """
        prompts/tone/v1.yaml: error: cannot be read: permission denied

        """
    )
  }

  @Test("A duplicate key in a JSON object is an error at any depth")
  func duplicateKeys() throws {
    let schema = """
      {
        "type": "object",
        "properties": {"a": {"enum": [{"b": 1, "b": 2}]}}
      }
      """
    #expect(
      ProjectFixture().adding([ProjectFixture.schema: schema]).report() == """
        prompts/tone/answer.schema.json:3:42: error: duplicate key 'b', first on line 3
          3 |   "properties": {"a": {"enum": [{"b": 1, "b": 2}]}}
            |                                          ^
          fix: remove one of the two

        """
    )
  }

  @Test("A byte-order mark at the start of a JSON file is ignored")
  func byteOrderMark() throws {
    let fixture = ProjectFixture()
    let prices = try #require(fixture.files[ProjectFixture.prices])
    #expect(fixture.adding([ProjectFixture.prices: "\u{FEFF}" + prices]).report() == "")
    #expect(
      fixture.adding([ProjectFixture.prices: "\u{FEFF}{,}"]).report() == """
        prices.json:1:2: error: not valid JSON: expected a member name in double quotes
          1 | {,}
            |  ^

        """
    )
  }

  @Test("A file that several suites use is read once, and its errors are reported once")
  func once() throws {
    let fixture = ProjectFixture()
    let other = try #require(fixture.files[suite])
    let report = try fixture.replacing(
      "- id: rude",
      with: "- id: terse",
      in: ProjectFixture.dataset
    )
    .adding([
      "prompts/other/suite.yaml": other.replacing("suite: tone", with: "suite: other")
        .replacing(": v1.yaml", with: ": ../tone/v1.yaml")
        .replacing(": answer", with: ": ../tone/answer")
    ])
    .report()
    #expect(
      report == """
        datasets/tone/cases.yaml:8:7: error: duplicate case id 'terse', first on line 1
          8 | - id: terse
            |       ^
          fix: rename one of the two

        """
    )
  }
}

/// A file system with a file that cannot be read.
private struct UnreadableFileSystem: FileSystem {
  var files: InMemoryFileSystem
  var path: ProjectPath

  func read(_ path: ProjectPath) throws(FileError) -> [UInt8] {
    guard path != self.path else { throw FileError(path: path, reason: "permission denied") }
    return try files.read(path)
  }

  func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    try files.write(bytes, to: path)
  }

  func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    try files.append(bytes, to: path)
  }

  func kind(of path: ProjectPath) -> FileKind { files.kind(of: path) }

  func names(in folder: ProjectPath) -> [String] { files.names(in: folder) }
}
