import Foundation
@testable import Sluice
@testable import SluiceSupport
import Testing
import TestSupport

/// A folder of a project that git would take for a repository, because it has `HEAD`, `config`,
/// `objects` and `refs`.
///
/// A commit can contain these files, so a branch can bring them.
@Suite("Git traps", .enabled(if: Git.isInstalled, "git is not installed"))
struct GitTrapTests {
  private let repository: ScratchRepository
  private let markers: ProjectFolder

  init() throws {
    (repository, markers) = (try ScratchRepository(), try ProjectFolder())
    try repository.commit([
      "evals/a.txt": "old", "evals/reports/clarity.x.jsonl": "1", "b": "1",
      ".gitattributes": "* diff=trap filter=trap merge=trap\n",
    ])
    try repository.commit(["evals/reports/clarity.x.jsonl": "2"])
  }

  /// The settings of git that name programs, from git-config(1) and gitattributes(5).
  ///
  /// `CMD` stands for a command that leaves a marker.
  static let settings = [
    "core.fsmonitor=CMD; false", "core.hooksPath=HOOKS", "core.sshCommand=CMD",
    "core.gitProxy=PROGRAM", "core.pager=CMD", "core.editor=CMD", "core.askPass=PROGRAM",
    "core.alternateRefsCommand=CMD", "pager.log=CMD", "pager.diff=CMD", "pager.status=CMD",
    "diff.external=CMD", "diff.trap.command=CMD", "diff.trap.textconv=CMD",
    "filter.trap.clean=CMD", "filter.trap.smudge=CMD", "filter.trap.process=CMD",
    "merge.trap.driver=CMD", "gpg.program=PROGRAM", "gpg.ssh.program=PROGRAM",
    "gpg.ssh.defaultKeyCommand=CMD", "credential.helper=!CMD", "uploadpack.packObjectsHook=CMD",
    "remote.origin.uploadpack=CMD;", "remote.origin.receivepack=CMD;", "remote.origin.vcs=trap",
    "remote.origin.url=ext::sh -c CMD%S", "interactive.diffFilter=CMD", "sequence.editor=CMD",
    "web.browser=trap", "browser.trap.cmd=CMD", "man.viewer=trap", "man.trap.cmd=CMD",
    "difftool.trap.cmd=CMD", "mergetool.trap.cmd=CMD", "guitool.trap.cmd=CMD",
    "submodule.trap.update=!CMD", "alias.log=!CMD", "alias.status=!CMD", "alias.rev-parse=!CMD",
    "sendemail.smtpServer=PROGRAM", "sendemail.toCmd=CMD", "imap.tunnel=CMD",
    "instaweb.httpd=CMD", "trailer.trap.cmd=CMD", "tar.trap.command=CMD", "core.worktree=../..",
    "include.path=more", "includeIf.gitdir:**.path=more", "extensions.worktreeConfig=true",
    "hook.trap.command=CMD",
  ]

  /// Files with the given names, in a folder that git takes for a repository.
  private func trap(_ settings: [String], in folder: String) throws {
    let program = markers.path + "/program"
    let command = "touch '\(markers.path)/marker'"
    try markers.write(["program": "#!/bin/sh\n\(command)\n"], under: "")
    let hooks = [
      "post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman",
    ]
    for name in hooks { try markers.write(["hooks/\(name)": "#!/bin/sh\n\(command)\n"], under: "") }
    for name in ["program"] + hooks.map({ "hooks/\($0)" }) { try markers.makeExecutable(name) }
    let trapped = repository.path + "/" + folder
    for name in ["HEAD", "objects", "refs", "index"] where name != folder {
      try FileManager.default.copyItem(
        atPath: repository.path + "/.git/" + name,
        toPath: trapped + "/" + name
      )
    }
    let base = """
      [core]
        repositoryformatversion = 1
        bare = false
        worktree = .
      [extensions]
        partialClone = origin
      [remote "origin"]
        promisor = true
        url = ext::true
      [protocol]
        allow = always
      [log]
        showSignature = true
      [hook "trap"]
        event = post-index-change

      """
    try repository.folder.write(
      ["config": base, "more": base, "config.worktree": ""],
      under: folder
    )
    for setting in settings {
      let name = String(setting.prefix { $0 != "=" })
      let value = String(setting.dropFirst(name.count + 1))
      let text = value.replacing("CMD", with: command).replacing("PROGRAM", with: program)
        .replacing("HOOKS", with: markers.path + "/hooks")
      for file in ["config", "more", "config.worktree"] {
        try repository.git("config", "--file", "\(folder)/\(file)", "--add", "\(name)", text)
      }
    }
    // An edit makes git compare contents.
    try repository.folder.write(["a.txt": "new"], under: "evals")
  }

  private var isTriggered: Bool {
    FileManager.default.fileExists(atPath: markers.path + "/marker")
  }

  /// Calls git in all ways and expects the results of the repository above the folder.
  private func expectOrdinaryResults(in folder: String, _ environment: [String: String])
    async throws
  {
    let root = repository.path + "/" + folder
    let commit = try repository.git("rev-parse", "HEAD")
    let snapshot = try await GitSnapshot.open(
      revision: "HEAD",
      projectRoot: root,
      environment: environment
    )
    #expect(snapshot.commit == commit)
    try await snapshot.prefetch([ProjectPath(".")])
    #expect(String(decoding: try snapshot.read(ProjectPath("a.txt")), as: UTF8.self) == "old")
    let changes = try await GitChanges.since("HEAD~1", projectRoot: root, environment: environment)
    #expect(changes.change(at: ProjectPath("a.txt"), .contents(FileStamp(.file))) == .edited)
    #expect(
      changes.change(at: ProjectPath("reports/clarity.x.jsonl"), .contents(FileStamp(.file)))
        == .edited
    )
    #expect(changes.change(at: ProjectPath("../b"), .contents(FileStamp(.file))) == nil)
    let private_ = try #require(changes.privateFile("x"))
    #expect(private_.files.root.hasSuffix("/.git"))
    #expect(private_.path == ProjectPath("sluice/\(folder)/x"))
    let named = try await GitHistory.versions(
      of: [ProjectPath("reports/clarity.x.jsonl")],
      projectRoot: root,
      commits: 10,
      limit: 10,
      environment: environment
    )
    let alike = try await GitHistory.versions(
      in: ProjectPath("reports"),
      like: "clarity.*.jsonl",
      projectRoot: root,
      limit: 10,
      environment: environment
    )
    for versions in [named, alike] {
      #expect(
        versions.map { $0.path.description }
          == Array(repeating: "reports/clarity.x.jsonl", count: 2)
      )
      #expect(versions.compactMap(\.bytes) == [[0x32], [0x31]])
    }
    #expect(
      await GitIndex.files(
        among: [ProjectPath("a.txt"), ProjectPath("none")],
        projectRoot: root,
        environment: environment
      ) == [ProjectPath("a.txt")]
    )
    let revision = await GitRevision.read(projectRoot: root, environment: environment)
    #expect(revision?.branch == "main")
    #expect(revision?.commit == String(commit.prefix(7)))
    #expect(revision?.isEdited == true)
  }

  // MARK: Folders that look like repositories

  @Test("Git itself runs a program of such a folder")
  func control() async throws {
    try trap(["core.fsmonitor=CMD; false"], in: "evals")
    _ = try? Git.run(["status"], in: repository.path + "/evals")
    #expect(isTriggered)
  }

  @Test("A project that looks like a repository is an ordinary folder", arguments: settings)
  func project(_ setting: String) async throws {
    try trap([setting], in: "evals")
    try await expectOrdinaryResults(in: "evals", Git.environment)
    #expect(!isTriggered)
  }

  @Test("A folder between the project and its repository is an ordinary folder")
  func between() async throws {
    try repository.commit(["evals/deep/one/reports/clarity.x.jsonl": "1"])
    try repository.commit([
      "evals/deep/one/reports/clarity.x.jsonl": "2", "evals/deep/one/a.txt": "old",
      "evals/deep/b": "1",
    ])
    try trap(Self.settings, in: "evals/deep")
    try trap(["core.fsmonitor=CMD; false"], in: "evals")
    try repository.folder.write(["a.txt": "new"], under: "evals/deep/one")
    let folder = "evals/deep/one"
    let root = repository.path + "/" + folder
    let snapshot = try await GitSnapshot.open(
      revision: "HEAD",
      projectRoot: root,
      environment: Git.environment
    )
    #expect(snapshot.names(in: ProjectPath(".")) == ["a.txt", "reports"])
    #expect(snapshot.names(in: ProjectPath("..")) == ["b", "one"])
    #expect(await GitRevision.read(projectRoot: root, environment: Git.environment) != nil)
    #expect(!isTriggered)
  }

  @Test("The top of the repository may look like a repository itself")
  func top() async throws {
    try FileManager.default.moveItem(
      atPath: repository.path + "/evals",
      toPath: repository.path + "/other"
    )
    try repository.commit(["a": "1"])
    try FileManager.default.createDirectory(
      atPath: repository.path + "/evals",
      withIntermediateDirectories: true
    )
    try trap(Self.settings, in: ".")
    for folder in ["", "/other"] {
      let root = repository.path + folder
      #expect(await GitRevision.read(projectRoot: root, environment: Git.environment) != nil)
      let changes = try await GitChanges.since(
        "HEAD",
        projectRoot: root,
        environment: Git.environment
      )
      #expect(changes.base.names(in: ProjectPath(".")).isEmpty == false)
    }
    #expect(!isTriggered)
  }

  @Test("Names with characters of patterns do not match other folders")
  func patterns() async throws {
    for folder in ["[ab]*?\\", "a"] {
      try repository.commit([
        "\(folder)/reports/clarity.x.jsonl": "1", "\(folder)/HEAD": "", "\(folder)/a.txt": "old",
      ])
    }
    let versions = try await GitHistory.versions(
      in: ProjectPath("reports"),
      like: "clarity.*.jsonl",
      projectRoot: repository.path + "/[ab]*?\\",
      limit: 10,
      environment: Git.environment
    )
    #expect(versions.map(\.path) == [ProjectPath("reports/clarity.x.jsonl")])
  }

  @Test("Without a .git above, a folder that looks like a repository has none")
  func alone() async throws {
    try trap(Self.settings, in: "evals")
    try FileManager.default.removeItem(atPath: repository.path + "/.git")
    let root = repository.path + "/evals"
    await #expect(throws: GitError.notARepository(folder: root)) {
      _ = try await GitSnapshot.open(
        revision: "HEAD",
        projectRoot: root,
        environment: Git.environment
      )
    }
    #expect(await GitRevision.read(projectRoot: root, environment: Git.environment) == nil)
    #expect(!isTriggered)
  }

  @Test(
    "A .git that leads to files of its own tree is not followed",
    arguments: ["file", "absolute file", "link"]
  )
  func gitFile(kind: String) async throws {
    try trap(["core.fsmonitor=CMD; false"], in: "evals")
    let (root, inside) = (repository.path + "/evals", repository.path + "/evals/inside")
    try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
    for name in ["HEAD", "objects", "refs", "index", "config"] {
      try FileManager.default.moveItem(atPath: "\(root)/\(name)", toPath: "\(inside)/\(name)")
    }
    try repository.git("config", "--file", "evals/inside/config", "core.worktree", "..")
    switch kind {
    case "link": try repository.folder.link("evals/.git", to: "inside")
    case "file": try repository.folder.write([".git": "gitdir: inside\n"], under: "evals")
    default: try repository.folder.write([".git": "gitdir: \(inside)\n"], under: "evals")
    }
    _ = try? Git.run(["status"], in: root)
    #expect(isTriggered, "git itself follows it")
    try FileManager.default.removeItem(atPath: markers.path + "/marker")
    try await expectOrdinaryResults(in: "evals", Git.environment)
    #expect(!isTriggered)
  }

  @Test("Every version of git starts where it cannot meet such a folder")
  func start() throws {
    let real = try #require(DiskFileSystem(root: repository.path)).root
    try repository.folder.write(["c/d/x": "", "c/HEAD": "", "c/d/e/HEAD": ""], under: "")
    for (folder, expected) in [
      ("", ""), ("/evals", "/evals"), ("/c", ""), ("/c/d", ""), ("/c/d/e", ""),
    ] {
      #expect(GitDiscovery.start(real + folder) == real + expected)
    }
    try repository.folder.link("c/dangling/.git", to: "none")
    try repository.folder.write(
      ["c/empty/.git/HEAD": "", "c/bad/.git": "gitdir: none\n"],
      under: ""
    )
    #expect(GitDiscovery.start(real + "/c/dangling") == real)
    #expect(GitDiscovery.start(real + "/c/empty") == real)
    #expect(GitDiscovery.start(real + "/c/bad") == real + "/c/bad", "git complains about it")
    #expect(GitDiscovery.start(real + "/.git") == nil)
    #expect(GitDiscovery.start(real + "/.git/refs") == nil)
    #expect(GitDiscovery.start("/") == nil)
  }

  // MARK: The user's own repository

  @Test("An ordinary project sees the same as before", arguments: ["evals"])
  func ordinary(folder: String) async throws {
    try repository.folder.write(["a.txt": "new"], under: folder)
    try await expectOrdinaryResults(in: folder, Git.environment)
  }

  @Test(
    "In the user's own repository, only filters run",
    arguments: settings.filter { setting in
      !["filter.trap.clean", "filter.trap.process", "core.worktree"].contains {
        setting.hasPrefix($0)
      }
    }
  )
  func ownSettings(_ setting: String) async throws {
    try trap([setting], in: "evals")
    let config = try repository.folder.text("evals/more")
      .replacing("repositoryformatversion = 1\n", with: "").replacing("worktree = .\n", with: "")
      .replacing("partialClone = origin\n", with: "")
    for name in ["HEAD", "objects", "refs", "index", "config"] {
      try FileManager.default.removeItem(atPath: repository.path + "/evals/" + name)
    }
    let own = try repository.folder.text(".git/config")
    try repository.folder.write([".git/config": own + config], under: "")
    var environment = Git.environment
    environment["GIT_EXTERNAL_DIFF"] = markers.path + "/program"
    environment["GIT_PAGER"] = markers.path + "/program"
    environment["GIT_SSH"] = markers.path + "/program"
    let root = repository.path + "/evals"
    _ = try await GitSnapshot.open(revision: "HEAD", projectRoot: root, environment: environment)
    _ = try await GitChanges.since("HEAD~1", projectRoot: root, environment: environment)
    #expect(
      try await GitHistory.versions(
        of: [ProjectPath("reports/clarity.x.jsonl")],
        projectRoot: root,
        commits: 10,
        limit: 10,
        environment: environment
      ).count == 2
    )
    #expect(await GitRevision.read(projectRoot: root, environment: environment) != nil)
    #expect(!isTriggered)
  }

  @Test("The filters and line endings of the user's configuration still apply")
  func filters() async throws {
    let configuration = """
      [core]
        autocrlf = true
      [filter "case"]
        clean = tr a-z A-Z
        smudge = tr A-Z a-z
        required = true

      """
    try markers.write(["configuration": configuration], under: "")
    var environment = Git.environment
    environment["GIT_CONFIG_GLOBAL"] = markers.path + "/configuration"
    func git(_ arguments: String...) async throws {
      let identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
      let process = try ChildProcess(
        ["git"] + identity + arguments,
        in: repository.path,
        environment: environment
      )
      #expect(try await process.outcome().exitCode == 0)
    }
    try repository.folder.write(
      [
        "evals/lower": "abc\n", "evals/lines": "a\r\nb\r\n",
        ".gitattributes": "lower filter=case\n",
      ],
      under: ""
    )
    try await git("add", "--all")
    try await git("commit", "--quiet", "--message=filtered")
    #expect(try repository.git("show", "HEAD:evals/lower") == "ABC")
    // Git compares the contents of files whose times changed.
    for name in ["lower", "lines"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
        ofItemAtPath: repository.path + "/evals/" + name
      )
    }
    let root = repository.path + "/evals"
    let changes = try await GitChanges.since("HEAD", projectRoot: root, environment: environment)
    for name in ["lower", "lines"] {
      #expect(changes.change(at: ProjectPath(name), .contents(FileStamp(.file))) == nil, "\(name)")
    }
    let revision = await GitRevision.read(projectRoot: root, environment: environment)
    #expect(revision?.isEdited == false)
  }

  @Test("A project in a submodule belongs to the submodule's repository")
  func submodule() async throws {
    let other = try ScratchRepository()
    let commit = try other.commit(["project/a": "own"])
    try repository.git(
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      other.path,
      "sub"
    )
    try repository.commit()
    let root = repository.path + "/sub/project"
    let snapshot = try await GitSnapshot.open(
      revision: "HEAD",
      projectRoot: root,
      environment: Git.environment
    )
    #expect(snapshot.commit == commit)
    // A new commit of the submodule is an edit of the outer repository; an edited file is not.
    func isEdited() async -> Bool? {
      await GitRevision.read(projectRoot: repository.path, environment: Git.environment)?.isEdited
    }
    try repository.folder.write(["sub/project/a": "edited"], under: "")
    #expect(await isEdited() == false)
    try Git.run(["commit", "--quiet", "--all", "--message=x"], in: repository.path + "/sub")
    #expect(await isEdited() == true)
  }
}
