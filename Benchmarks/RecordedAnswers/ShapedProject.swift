import Foundation
import Sluice

/// A copy of one suite of another project, with its cases and recordings multiplied.
///
/// Each copy of a case has a different id and text, and so a different request and recording. The
/// copy has the answer of the original case. One copy in seven has the answer of the next case
/// instead, so that some answers are wrong.
struct ShapedProject {
  enum Format: String {
    case yaml, jsonl
  }

  /// The name of the suite in both projects.
  ///
  /// The suite `assertions` has the cases of `smart-reply`, but only their own assertions as
  /// scorers.
  let shape: String
  let count: Int
  let format: Format

  private var suiteName: String { shape == "assertions" ? "smart-reply" : shape }

  /// Creates the project.
  ///
  /// - Parameters:
  ///   - source: The folder of the project whose suite is multiplied.
  ///   - folder: The folder for the project. Its subfolder `plain` has the input of the script that
  ///     Sluice is compared with.
  /// - Returns: The number of recordings.
  /// - Throws: `Trouble` if a folder or a file of the project cannot be used.
  func make(from source: String, in folder: String) throws -> Int {
    let manager = FileManager.default
    try manager.createDirectory(atPath: "\(folder)/plain", withIntermediateDirectories: true)
    guard let original = DiskFileSystem(root: source), let files = DiskFileSystem(root: folder)
    else { throw Trouble("a folder cannot be used") }
    let selection = ProjectLoader.Selection(suites: [suiteName])
    let project = ProjectLoader.load(selection, from: original)
    let (cases, answers) = try multiplied(Self.plan(project), original)
    let prompts = ProjectPath("prompts/\(suiteName)")
    let copied = original.names(in: prompts).map { ProjectPath("\(prompts)/\($0)") }
    // Leave out `mixes`, which names suites that this project does not have.
    let configuration = String(
      decoding: try original.read(ProjectPath("sluice.yaml")),
      as: UTF8.self
    )
    let alone = configuration.split(separator: "\n").prefix { !$0.hasPrefix("mixes:") }
    try files.write(Array(alone.joined(separator: "\n").utf8), to: ProjectPath("sluice.yaml"))
    for path in copied + project.pricePaths {
      try files.write(try original.read(path), to: path)
    }
    if shape == "assertions" {
      let suite =
        "suite: assertions\nprompt: v2.yaml\ndataset: smart-reply\nbackend: stand-in-stream\n"
        + "scorers:\n  - word-count: {max: 90}\ngates:\n  - accuracy >= 50%\n"
        + "  - no regression in accuracy beyond 5 points\n"
      try files.write(Array(suite.utf8), to: ProjectPath("prompts/smart-reply/suite.yaml"))
    }
    try files.write(
      bytes(of: cases),
      to: ProjectPath("datasets/\(suiteName)/cases.\(format.rawValue)")
    )
    let plan = try Self.plan(ProjectLoader.load(from: files))
    let recordings = try recordings(answers, for: plan)
    try files.write(recordings.bytes, to: recordings.path)
    try files.write(Self.lines(cases), to: ProjectPath("plain/cases.jsonl"))
    try files.write(Self.lines(Self.texts(cases, answers)), to: ProjectPath("plain/answers.jsonl"))
    return recordings.count
  }

  /// Returns the multiplied cases and their recordings.
  ///
  /// The cases of the original are repeated in their order.
  private func multiplied(_ plan: SuitePlan, _ files: any FileSystem) throws
    -> ([JSONValue], [Recording])
  {
    let store = RecordingStore.all(of: plan, in: files)
    let recordings = try plan.cases.map(\.testCase).map { testCase in
      let request = try plan.backends[0].request(for: try plan.prompts[0].render(testCase))
      let slot = Recording.Slot(key: RequestIdentity.key(of: request), repetition: 1)
      guard let recording = try store[plan.backends[0].name]?.recording(slot) else {
        throw Trouble("the case '\(testCase.id)' has no recording")
      }
      return recording
    }
    let written = YAMLReader.read(try files.read(plan.datasetPath)).root?.json.array ?? []
    guard written.count == recordings.count else { throw Trouble("the cases cannot be read") }
    let places = (0..<count).map { (copy: $0 / written.count, place: $0 % written.count) }
    return (
      places.map { copy, place in copied(written[place], copy) },
      places.enumerated().map { number, place in
        recordings[number.isMultiple(of: 7) ? (place.place + 1) % written.count : place.place]
      }
    )
  }

  private static func plan(_ project: LoadedProject) throws -> SuitePlan {
    guard !project.hasErrors, let plan = project.suites.first?.plan else {
      throw Trouble(project.diagnostics.prefix(3).map(\.description).joined())
    }
    return plan
  }

  /// Returns a copy of a case with a different id and a different input.
  private func copied(_ testCase: JSONValue, _ copy: Int) -> JSONValue {
    var object: JSONObject = [:]
    for (name, value) in testCase.object?.members ?? [] {
      switch name {
      case "id": object.set(name, .string("\(value.string ?? "")-\(copy)"))
      case "input": object.set(name, Self.numbered(value, copy))
      // Leave out patterns that Python does not support; one case in five has some.
      case "assert" where shape == "assertions":
        object.set(name, .array((value.array ?? []).filter(Self.isKnownToPython)))
      case "assert", "good", "bad", "notes", "cluster": break
      default: object.set(name, value)
      }
    }
    return .object(object)
  }

  private static func isKnownToPython(_ assertion: JSONValue) -> Bool {
    guard let member = assertion.object?.members.first else { return false }
    guard let pattern = member.value.string else { return true }
    return !pattern.contains("\\p{")
  }

  /// Returns an input with a number appended to its last text.
  private static func numbered(_ input: JSONValue, _ copy: Int) -> JSONValue {
    guard var object = input.object,
      let name = object.members.last(where: { $0.value.string != nil })?.name,
      let text = object[name]?.string
    else { return input }
    object.set(name, .string("\(text) #\(copy)"))
    return .object(object)
  }

  private func recordings(_ originals: [Recording], for plan: SuitePlan) throws -> RecordingFile {
    let backend = plan.backends[0]
    var file = RecordingFile(
      path: RecordingFile.path(dataset: plan.datasetPath, backend: backend.name)
    )
    for (planned, original) in zip(plan.cases, originals) {
      var recording = original
      let request = try backend.request(for: try plan.prompts[0].render(planned.testCase))
      recording.exchange.request = request
      recording.key = RequestIdentity.key(of: request)
      recording.hints = plan.hints(of: planned.testCase, plan.prompts[0])
      file.add(recording)
    }
    return file
  }

  // MARK: Files

  private func bytes(of cases: [JSONValue]) -> [UInt8] {
    switch format {
    case .jsonl: Self.lines(cases)
    case .yaml:
      Array(
        cases.map { "- " + Self.block($0, indent: 2).dropFirst(2) }.joined(separator: "\n").utf8
      )
    }
  }

  /// Returns the members of a case as YAML that a person could write, with one line for each member.
  private static func block(_ testCase: JSONValue, indent: Int) -> String {
    let space = String(repeating: " ", count: indent)
    return (testCase.object?.members ?? []).map { name, value in
      if let members = value.object?.members, !members.isEmpty {
        return "\(space)\(name):\n\(block(value, indent: indent + 2))"
      }
      return "\(space)\(name): \(String(decoding: JSONWriter.line(value), as: UTF8.self))\n"
    }.joined()
  }

  private static func lines(_ values: [JSONValue]) -> [UInt8] {
    values.reduce(into: []) { bytes, value in
      bytes += JSONWriter.line(value)
      bytes.append(0x0A)
    }
  }

  /// Returns the text of each answer, for the script, which does not read recordings.
  private static func texts(_ cases: [JSONValue], _ answers: [Recording]) throws -> [JSONValue] {
    try zip(cases, answers).map { testCase, answer in
      let response = try ResponseReader.response(in: answer.exchange)
      return ["id": testCase["id"] ?? .null, "content": .string(response.text ?? "")]
    }
  }
}
