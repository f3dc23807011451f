import Dispatch
import Subprocess

import SluiceSystem

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The git program in a folder, run without a shell, network access, prompts, pager or localized
/// messages.
package struct GitCommand: Sendable {
  /// The output and exit status of a command.
  struct Answer: Sendable {
    package var bytes: [UInt8]
    package var errors: [UInt8]
    package var status: TerminationStatus

    var isSuccess: Bool { status.isSuccess }
  }

  /// The result of a request for objects.
  struct Objects: Sendable {
    /// The objects that were read, in the order of the request; fewer than requested if git gave
    /// up.
    var read: [GitObjectReader.Object]
    /// The fault of the first object that was not read, if git gave up because of that object.
    ///
    /// It counts as missing if a partial clone lacks it: versions of git that do not know
    /// GIT_NO_LAZY_FETCH try to fetch it.
    var next: GitObjectReader.Object?
    var errors: [UInt8]
    var status: TerminationStatus
  }

  /// The folder as the caller named it, for messages.
  private let folder: String
  /// The folder in which git starts.
  private var start: String
  /// The parts of the path from there to the folder.
  private let below: [Substring.UTF8View]
  private let environment: Environment

  /// Creates a value that runs git in the repository of a folder.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of a folder in the repository.
  ///   - variables: The environment; nil for the environment of this process.
  ///   - location: Variables of the user that give the location of the repository; without them, it
  ///     is the nearest `.git` in the folder or above it.
  /// - Throws: ``GitError/notARepository(folder:)`` if there is no `.git`.
  init(folder: String, variables: [String: String]?, location: [String: String] = [:])
    throws(GitError)
  {
    self.folder = folder
    // If the folder does not exist, git says so.
    let real = DiskFileSystem.realPath(folder)
    let found = real == nil ? folder : location.isEmpty ? real.flatMap(GitDiscovery.start) : real
    guard let found else { throw .notARepository(folder: folder) }
    start = found
    below = (real ?? folder).utf8.dropFirst(found.utf8.count).split(separator: UInt8(ascii: "/"))
    var changes: [Environment.Key: String?] = [
      "GIT_NO_LAZY_FETCH": "1",
      // For versions of git that do not know GIT_NO_LAZY_FETCH. No protocol is called "none", so
      // git cannot fetch.
      "GIT_ALLOW_PROTOCOL": "none",
      "GIT_TERMINAL_PROMPT": "0",
      "GIT_OPTIONAL_LOCKS": "0",
      // A program could make another commit stand in for the base.
      "GIT_NO_REPLACE_OBJECTS": "1",
      // Errors are recognized by git's English messages.
      "LC_ALL": "C",
    ]
    // For its hooks, git sets these variables to the hook's own repository. They are removed, so
    // that the repository depends only on the folder.
    for name in Self.locationVariables { changes[.init(stringLiteral: name)] = .some(nil) }
    for (name, value) in location { changes[.init(stringLiteral: name)] = value }
    let base: Environment
    if let variables {
      base = .custom(
        Dictionary(uniqueKeysWithValues: variables.map { (.init(stringLiteral: $0), $1) })
      )
    } else {
      base = .inherit
    }
    environment = base.updating(changes)
  }

  /// Moves git to the top of the working tree.
  ///
  /// - Parameter prefix: The path from the top to the folder in which git starts now.
  /// - Returns: The moved value, and the path from the top to the caller's folder.
  func atTop(_ prefix: [UInt8]) -> (git: GitCommand, path: [UInt8]) {
    let inside = prefix.split(separator: UInt8(ascii: "/"))
    var git = self
    git.start = ProjectPath(start + String(repeating: "/..", count: inside.count)).description
    let path = inside + below.map { ArraySlice($0) }
    return (git, Array(path.joined(separator: [UInt8(ascii: "/")])))
  }

  /// The variables listed by `git rev-parse --local-env-vars` that redirect git to other objects.
  ///
  /// Variables that set configuration, such as safe.directory in CI, are kept.
  private static let locationVariables = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
  ]

  // MARK: Running

  /// Runs a command to its end.
  func run(_ arguments: [String]) async throws(GitError) -> Answer {
    do {
      let result = try await Subprocess.run(
        .name("git"),
        arguments: Arguments(leading + arguments),
        environment: environment,
        input: .none,
        output: .bytes(limit: .max),
        error: .bytes(limit: .max)
      )
      return Answer(
        bytes: result.standardOutput,
        errors: result.standardError,
        status: result.terminationStatus
      )
    } catch {
      throw failure(arguments, error)
    }
  }

  /// Runs a command that must succeed.
  ///
  /// - Parameters:
  ///   - command: The name of the command.
  ///   - arguments: Its arguments.
  ///   - settings: The settings of git for this command, such as `core.quotePath=false`.
  /// - Returns: The output.
  /// - Throws: The ``GitError`` that git's message says.
  func output(of command: String, _ arguments: [String], settings: [String] = [])
    async throws(GitError) -> [UInt8]
  {
    let answer = try await run(settings.flatMap { ["-c", $0] } + [command] + arguments)
    guard answer.isSuccess else { throw failure(command, answer.status, answer.errors) }
    return answer.bytes
  }

  /// Reads objects by their ids in a single run of `git cat-file --batch`.
  func objects(_ ids: [String], maximumBytes: Int) async throws(GitError) -> Objects {
    let arguments = ["cat-file", "--batch", "--buffer"]
    let sockets = try InputSocket(for: arguments)
    let request = Array(ids.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
    do {
      let result = try await Subprocess.run(
        .name("git"),
        arguments: Arguments(leading + arguments),
        environment: environment,
        input: .fileDescriptor(sockets.other, closeAfterSpawningProcess: true),
        output: .sequence,
        error: .bytes(limit: .max)
      ) { execution in
        // Git may write more than a pipe can buffer before it has read all ids. So writing and
        // reading run concurrently.
        sockets.beginWriting(request)
        var reader = GitObjectReader(maximumBytes: maximumBytes)
        for try await part in execution.standardOutput {
          part.withUnsafeBytes { reader.read($0) }
        }
        return reader
      }
      sockets.stop()
      var next: GitObjectReader.Object?
      // If git is stopped or runs out of memory, a signal ends it, so the object is not the cause.
      if case .exited(1...) = result.terminationStatus {
        if result.closureResult.isWithinObject { next = .damaged }
        if Self.complaint(result.standardError)?.hasSuffix("from promisor remote") == true {
          next = .missing
        }
      }
      return Objects(
        read: result.closureResult.objects,
        next: next,
        errors: result.standardError,
        status: result.terminationStatus
      )
    } catch {
      sockets.stop()
      throw failure(arguments, error)
    }
  }

  /// The options of git itself, which override the settings of every repository that name programs.
  ///
  /// No command here sends, signs, merges or edits. What remains are the filters of the user's own
  /// configuration: without them, each file that they convert would count as edited.
  private var leading: [String] {
    [
      "--no-pager", "-C", start, "-c", "safe.bareRepository=explicit",
      // Before version 2.36, "false" would be the name of a program.
      "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null",
      "-c", "core.warnAmbiguousRefs=true",
    ]
  }

  // MARK: Failures

  /// Returns the error for a command that failed.
  func failure(_ command: String, _ status: TerminationStatus, _ errors: [UInt8]) -> GitError {
    guard let said = Self.complaint(errors) ?? Self.lines(errors).first else {
      switch status {
      case .exited(let code):
        return .failed(command: command, reason: "it ended with exit code \(code) and no message")
      case .signaled(let signal):
        return .failed(command: command, reason: "it was ended by signal \(signal)")
      }
    }
    if said.contains("not a git repository") || said.contains("must be run in a work tree")
      || said.contains("safe.bareRepository")
    {
      return .notARepository(folder: folder)
    }
    // git 2.35.2 says "unsafe repository".
    if said.contains("dubious ownership") || said.contains("unsafe repository") {
      let quoted = said.split(separator: "'", omittingEmptySubsequences: false)
      return .unsafeRepository(folder: quoted.count > 2 ? String(quoted[1]) : folder)
    }
    return .failed(command: command, reason: String(said))
  }

  /// Returns true if git warned that a name has several meanings.
  static func isAmbiguous(_ errors: [UInt8]) -> Bool {
    lines(errors).contains { $0.hasPrefix("warning: refname '") && $0.hasSuffix("' is ambiguous.") }
  }

  /// Returns the first line that is an error message, without its prefix; nil if there is no such
  /// line.
  static func complaint(_ errors: [UInt8]) -> Substring? {
    let lines = lines(errors)
    for word in ["fatal: ", "error: "] {
      if let line = lines.first(where: { $0.hasPrefix(word) }) { return line.dropFirst(word.count) }
    }
    return nil
  }

  private static func lines(_ errors: [UInt8]) -> [Substring] {
    String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
  }

  private func failure(_ arguments: [String], _ error: any Error) -> GitError {
    if let error = error as? SubprocessError, error.code == .executableNotFound {
      return .notInstalled
    }
    return .failed(command: arguments[0], reason: "\(error)")
  }
}

// MARK: - Input

/// The standard input of a child process, as a pair of sockets.
///
/// Subprocess itself uses a pipe. If the child ends before it has read everything, writing to a
/// pipe raises SIGPIPE, which would end this program, too. If SIGPIPE is ignored, Subprocess 1.0.2
/// traps (issue 367 of Subprocess). Writing to a socket can be done without raising a signal.
private final class InputSocket: Sendable {
  #if canImport(System)
  let other: System.FileDescriptor
  #else
  let other: SystemPackage.FileDescriptor
  #endif
  private let own: CInt

  init(for arguments: [String]) throws(GitError) {
    #if canImport(Glibc)
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
    let type = SOCK_STREAM | SOCK_CLOEXEC
    #else
    let type = SOCK_STREAM
    #endif
    var pair: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, type, 0, &pair) == 0 else {
      throw .failed(command: arguments[0], reason: String(cString: strerror(errno)).lowercased())
    }
    #if canImport(Darwin)
    for descriptor in pair { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var yes: CInt = 1
    setsockopt(pair[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<CInt>.size))
    #endif
    own = pair[0]
    other = .init(rawValue: pair[1])
  }

  deinit {
    close(own)
  }

  /// Writes on a separate thread, then closes the input.
  func beginWriting(_ bytes: [UInt8]) {
    // Keeps the socket alive until the write ends, so that its number is not reused for another
    // file.
    DispatchQueue.global().async { [self] in
      #if canImport(Darwin)
      let flags: CInt = 0
      #else
      let flags = CInt(MSG_NOSIGNAL)
      #endif
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(own, $0.baseAddress, $0.count, flags) }
        if count < 0, errno == EINTR { continue }
        // The reader has ended; its error output says why.
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
      }
      shutdown(own, CInt(SHUT_WR))
    }
  }

  /// Stops writing, even if the child process does not read.
  func stop() {
    shutdown(own, CInt(SHUT_RDWR))
  }
}
