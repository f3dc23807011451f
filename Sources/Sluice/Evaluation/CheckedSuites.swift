import SluiceReporting

/// The suites that an earlier run with `--affected` loaded without errors, with the state of every
/// file that was read.
///
/// While all of these files are the same, loading the suite again would give the same result.
struct CheckedSuites {
  /// A suite without errors.
  struct Suite: Hashable {
    var name: String
    var dataset: ProjectPath
    /// True if all answers and verdicts that a run needs were recorded; false if this is unknown.
    var isComplete: Bool
    /// The observed files; their stamps are unknown if the suite was read from a file.
    var listing: FileListing
    /// For each observed path, a text that differs for each state of the file.
    var states: [ProjectPath: String]
  }

  /// The name of the file that remembers the suites from one run to the next.
  static let fileName = "checked-suites.json"
  private static let maximumBytes = 16 << 20

  private let key: String
  private var earlier: [ProjectPath: Suite] = [:]
  private var known: [ProjectPath: Suite] = [:]

  /// Creates an empty set of checked suites.
  ///
  /// - Parameter key: A text that differs for different options, versions and dates, which decide
  ///   the result in addition to the files. Suites that were stored under another key are ignored.
  init(key: String) { self.key = key }

  // MARK: Looking up

  /// Returns the suite at a path, if it was checked and none of its files has changed since then.
  mutating func suite(at path: ProjectPath, _ states: inout FileStates) -> Suite? {
    guard let suite = known[path] else { return nil }
    if suite.listing.entries.allSatisfy({ states.state(of: $0, $1) == suite.states[$0] }) {
      return suite
    }
    known[path] = nil
    return nil
  }

  /// Remembers a suite, unless one of its files changed while it was read.
  ///
  /// - Parameters:
  ///   - path: The suite's file.
  ///   - suite: The suite; its states are ignored.
  ///   - start: A time before any file was read.
  ///   - states: The current states of files.
  mutating func remember(
    _ path: ProjectPath,
    _ suite: Suite,
    since start: Timestamp,
    _ states: inout FileStates
  ) {
    var suite = suite
    suite.states = [:]
    for (path, entry) in suite.listing.entries {
      // A later change within the same second might leave no trace in the time of the file.
      if case .contents(let stamp) = entry, stamp.modified / 1_000_000_000 >= start.seconds {
        return
      }
      guard states.isCurrent(path, entry) else { return }
      suite.states[path] = states.state(of: path, entry)
    }
    known[path] = suite
  }

  // MARK: Storing

  /// Reads the suites that were stored under the same key.
  ///
  /// A file that is missing, damaged or of another version counts as empty.
  mutating func read(_ path: ProjectPath, in files: any FileSystem) {
    guard files.kind(of: path) == .file, files.stamp(of: path).size <= Self.maximumBytes,
      let bytes = try? files.read(path), let stored = try? JSONReader.value(bytes),
      stored["key"]?.string == key, let suites = stored["suites"]?.array
    else { return }
    for value in suites {
      guard let path = value["path"]?.string, let suite = Suite(value) else { continue }
      known[ProjectPath(path)] = suite
    }
    earlier = known
  }

  /// Stores the suites, if they differ from the stored ones.
  ///
  /// An error is ignored, because the file only saves time.
  func write(to path: ProjectPath, in files: any FileSystem) {
    if known == earlier { return }
    let suites = known.sorted { $0.key < $1.key }.map { path, suite in
      JSONValue.object(suite.json(at: path))
    }
    try? files.write(
      JSONWriter.line(["key": .string(key), "suites": .array(suites)]),
      to: path
    )
  }
}

extension CheckedSuites.Suite {
  private static let kinds: [(kind: FileKind, name: String)] = [
    (.file, "file"), (.folder, "folder"), (.missing, "missing"), (.linkOutOfRoot, "link"),
  ]

  /// Reads the format of ``json(at:)``; `nil` for any other value.
  fileprivate init?(_ value: JSONValue) {
    guard let name = value["name"]?.string, let dataset = value["dataset"]?.string,
      let isComplete = value["complete"]?.bool, let files = value["files"]?.object
    else { return nil }
    var listing = FileListing()
    var states: [ProjectPath: String] = [:]
    for (path, value) in files.members {
      guard let parts = value.array, parts.count == 2, let what = parts[0].string,
        let state = parts[1].string, let entry = Self.entry(what)
      else { return nil }
      listing.note(ProjectPath(path), entry)
      states[ProjectPath(path)] = state
    }
    self.init(
      name: name,
      dataset: ProjectPath(dataset),
      isComplete: isComplete,
      listing: listing,
      states: states
    )
  }

  fileprivate func json(at path: ProjectPath) -> JSONObject {
    let files = listing.entries.sorted { $0.key < $1.key }.map { path, entry in
      (
        name: path.description,
        value: JSONValue.array([.string(Self.name(entry)), .string(states[path] ?? "")])
      )
    }
    return [
      "path": .string(path.description), "name": .string(name),
      "dataset": .string(dataset.description), "complete": .bool(isComplete),
      "files": .object(JSONObject(files)),
    ]
  }

  private static func name(_ entry: FileListing.Entry) -> String {
    switch entry {
    case .contents: "contents"
    case .names: "names"
    case .kind(let kind): kinds.first { $0.kind == kind }?.name ?? ""
    }
  }

  private static func entry(_ name: String) -> FileListing.Entry? {
    switch name {
    case "contents": .contents(FileStamp(.file))
    case "names": .names([])
    default: kinds.first { $0.name == name }.map { .kind($0.kind) }
    }
  }
}

/// The current states of files, each as a text that differs for different states.
struct FileStates {
  private let files: any FileSystem
  private let changes: GitChanges
  private var contents: [ProjectPath: String] = [:]

  init(_ files: any FileSystem, _ changes: GitChanges) {
    self.files = files
    self.changes = changes
  }

  /// Returns the state of a file, as far as an observation depends on it.
  mutating func state(of path: ProjectPath, _ entry: FileListing.Entry) -> String {
    switch entry {
    case .kind: return "\(files.kind(of: path))"
    case .names:
      let names = FileListing.lasting(files.names(in: path)).map(JSONValue.string)
      return SHA256.hexadecimal(JSONWriter.line(.array(names)))
    case .contents:
      if let known = contents[path] { return known }
      // Git knows the content of most files, so that they are not read.
      let state = changes.knownContent(of: path).map { "git \($0)" } ?? digest(path)
      contents[path] = state
      return state
    }
  }

  /// Returns true if a file is as it was when it was observed.
  func isCurrent(_ path: ProjectPath, _ entry: FileListing.Entry) -> Bool {
    switch entry {
    case .contents(let stamp): files.stamp(of: path) == stamp
    case .kind(let kind): files.kind(of: path) == kind
    case .names(let names): FileListing.lasting(files.names(in: path)) == names
    }
  }

  private func digest(_ path: ProjectPath) -> String {
    guard let contents = try? files.open(path) else { return "\(files.kind(of: path))" }
    var digest = SHA256()
    let step = 1 << 20
    for start in stride(from: 0, to: contents.count, by: step) {
      contents.withBytes(start..<min(start + step, contents.count)) { digest.update($0) }
    }
    return digest.hexadecimal()
  }
}
