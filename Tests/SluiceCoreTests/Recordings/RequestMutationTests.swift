import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Changes to every input of a request with all features, one at a time.
///
/// The old recording must answer none of the changed requests, and each change must be named.
@Suite("Mutations of a request")
struct RequestMutationTests {
  typealias Mutation = RequestMutations.Mutation

  private static let hints = Recording.Hints(
    suite: "triage",
    testCase: "where",
    inputDigest: "0123456789abcdef",
    prompt: "v1",
    templateDigest: "fedcba9876543210"
  )

  private static let recorded = Recording(
    key: RequestIdentity.key(of: RequestMutations.original),
    repetition: 1,
    exchange: Exchange(
      request: RequestMutations.original,
      body: Array(#"{"choices":[{"message":{"content":"a"}}]}"#.utf8),
      host: "https://models.test",
      date: RecordingProject.date
    ),
    hints: hints
  )

  /// The recording, written to a file and read from it again.
  private static let stores: [String: RecordingStore] = {
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    file.add(recorded)
    let text = String(decoding: file.bytes, as: UTF8.self)
    let read = RecordingFile(
      reading: RecordingProject.recordingsPath,
      from: InMemoryFileSystem([RecordingProject.recordingsPath.description: text])
    )
    return ["server": RecordingStore(read)]
  }()

  // MARK: Expectations, derived only from the requests

  /// Returns the name and value of each part of a request.
  private static func named(_ request: ModelRequest) -> [(name: String, value: JSONValue)] {
    var named: [(name: String, value: JSONValue)] = [
      ("backend", .string(request.backend)), ("protocol", .string(request.api)),
      ("model", .string(request.model)),
    ]
    if let fingerprint = request.fingerprint { named.append(("fingerprint", .string(fingerprint))) }
    func numbered(_ names: [String], _ list: [JSONValue], _ what: String) {
      var used: [String: Int] = [:]
      var all: [String] = []
      for (name, value) in zip(names, list) {
        used[name, default: 0] += 1
        all.append(used[name] == 1 ? name : "\(name) \(used[name] ?? 0)")
        named.append((all[all.count - 1], value))
      }
      if list.count > 1 {
        named.append(("order of the \(what)", .array(all.map { .string($0) })))
      }
    }
    for (name, value) in request.body.object?.members ?? [] {
      switch (name, value) {
      case ("model", _):
        if value.string != request.model { named.append(("model in the body", value)) }
      case ("messages", .array(let list)):
        numbered(list.map { "\($0["role"]?.string ?? "unknown") message" }, list, "messages")
      case ("tools", .array(let list)):
        numbered(
          list.map { "tool \($0["function"]?["name"]?.string ?? "unnamed")" },
          list,
          "tools"
        )
      case ("response_format", _): named.append(("response schema", value))
      default: named.append((words[name] ?? name, value))
      }
    }
    return named
  }

  private static let words = [
    "top_p": "top-p", "max_tokens": "max-tokens", "max_completion_tokens": "max-completion-tokens",
    "presence_penalty": "presence-penalty", "frequency_penalty": "frequency-penalty",
    "reasoning_effort": "reasoning-effort",
  ]

  private static func expectedParts(_ request: ModelRequest) -> Set<String> {
    let old = Dictionary(uniqueKeysWithValues: named(RequestMutations.original).map { ($0, $1) })
    let new = Dictionary(uniqueKeysWithValues: named(request).map { ($0, $1) })
    var names = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    // A changed order is implied by additions and removals.
    for (what, isOne) in [
      ("messages", { (name: String) in name.contains(" message") }),
      ("tools", { (name: String) in name.hasPrefix("tool ") }),
    ] where names.contains(where: { isOne($0) && (old[$0] == nil || new[$0] == nil) }) {
      names.remove("order of the \(what)")
    }
    return names.isEmpty ? ["body"] : names
  }

  private static func expectedKinds(
    _ parts: Set<String>,
    ofMessages messages: [RecordingMiss.Change.Kind]
  ) -> [RecordingMiss.Change.Kind] {
    var kinds: Set<RecordingMiss.Change.Kind> = []
    for part in parts {
      switch part {
      case "backend", "protocol": kinds.insert(.backend)
      case "model", "model in the body": kinds.insert(.model)
      case "fingerprint": kinds.insert(.fingerprint)
      case "response schema": kinds.insert(.schema)
      case "order of the messages": kinds.formUnion(messages)
      case "order of the tools", "tools": kinds.insert(.tools)
      case let part where part.hasPrefix("tool "): kinds.insert(.tools)
      case let part where part.contains(" message"): kinds.formUnion(messages)
      case "messages": kinds.formUnion(messages)
      default: kinds.insert(.parameters)
      }
    }
    let order: [RecordingMiss.Change.Kind] = [
      .prompt, .testCase, .parameters, .model, .schema, .tools, .fingerprint, .backend,
    ]
    return order.filter(kinds.contains)
  }

  // MARK: The rules

  @Test("Each of the 185 mutations is a different request with a different key")
  func distinct() {
    let mutations = RequestMutations.all
    #expect(mutations.count == 185)
    #expect(Set(mutations.map(\.name)).count == mutations.count)
    let keys = Set(mutations.map { RequestIdentity.key(of: $0.request) })
    #expect(keys.count == mutations.count)
    #expect(!keys.contains(Self.recorded.key))
  }

  @Test("The recording of the original request answers no mutation")
  func answered() throws {
    let store = try #require(Self.stores["server"])
    let file = try #require(store.layer(Self.recorded.slot)?.file)
    #expect(try file.answer(Self.recorded.slot)?.response == Self.recorded.exchange.response)
    for mutation in RequestMutations.all {
      let slot = Recording.Slot(key: RequestIdentity.key(of: mutation.request), repetition: 1)
      #expect(try store.answer(slot) == nil, "\(mutation.name)")
    }
  }

  /// The change of the template and the case that caused a mutation.
  enum Origin: CaseIterable {
    case same, template, input, both

    var hints: Recording.Hints {
      var hints = RequestMutationTests.hints
      if self == .template || self == .both { hints.templateDigest = "0000000000000000" }
      if self == .input || self == .both { hints.inputDigest = "0000000000000000" }
      return hints
    }

    var kinds: [RecordingMiss.Change.Kind] {
      switch self {
      case .same, .template: [.prompt]
      case .input: [.testCase]
      case .both: [.prompt, .testCase]
      }
    }
  }

  @Test(
    "A miss names the changed parts and attributes them to prompt, case or others",
    arguments: Origin.allCases
  )
  func explained(origin: Origin) throws {
    let explainer = MissExplainer(Self.stores)
    for mutation in RequestMutations.all {
      let miss = explainer.miss(mutation.request, repetition: 1, hints: origin.hints)
      guard case .changed(let change) = miss.reason else {
        Issue.record("\(mutation.name): \(miss.message)")
        continue
      }
      let parts = Self.expectedParts(mutation.request)
      // A renamed backend is shown with both names.
      let shown = parts.map { $0 == "backend" ? "server → \(mutation.request.backend)" : $0 }
      #expect(Set(change.parts) == Set(shown), "\(mutation.name)")
      #expect(change.parts.count == parts.count, "\(mutation.name)")
      #expect(
        change.kinds == Self.expectedKinds(parts, ofMessages: origin.kinds),
        "\(mutation.name)"
      )
    }
  }

  @Test("A difference shows exactly the changed parts, each with its changed lines")
  func differences() {
    for mutation in RequestMutations.all {
      let difference = RequestDifference(from: RequestMutations.original, to: mutation.request)
      let parts = Self.expectedParts(mutation.request)
      #expect(Set(difference.parts.map(\.name)) == parts, "\(mutation.name)")
      for part in difference.parts {
        #expect(
          part.lines.contains { $0.hasPrefix("- ") || $0.hasPrefix("+ ") },
          "\(mutation.name): \(part)"
        )
      }
      let back = RequestDifference(from: mutation.request, to: RequestMutations.original)
      #expect(Set(back.parts.map(\.name)) == parts, "\(mutation.name)")
    }
  }

  /// Returns the lines that show a leaf before and after, with its path.
  private func expectedLines(_ leaf: Mutation.Leaf) -> [String] {
    // Messages with only a role and a text are shown as text, everything else as JSON.
    if leaf.path[0] == "messages", ["0", "1"].contains(leaf.path[1]), let new = leaf.new.string {
      return ["- \(leaf.old.string ?? "")", "+ \(new)"]
    }
    let above = ["messages", "tools"].contains(leaf.path[0]) ? 2 : 1
    let path = leaf.path.dropFirst(above).joined(separator: ".")
    let place = path.isEmpty ? "" : "\(path): "
    return ["- \(place)\(leaf.old.jsonText)", "+ \(place)\(leaf.new.jsonText)"]
  }

  @Test("A changed value is shown before and after, with its path in the part")
  func leaves() throws {
    var count = 0
    for mutation in RequestMutations.all {
      // A changed tool name or message role makes it another part.
      guard let leaf = mutation.leaf, leaf.path.last != "role",
        leaf.path.prefix(1) + leaf.path.suffix(2) != ["tools", "function", "name"],
        leaf.path != ["model"]
      else { continue }
      count += 1
      let difference = RequestDifference(from: RequestMutations.original, to: mutation.request)
      try #require(difference.parts.count == 1, "\(mutation.name)")
      #expect(difference.parts[0].lines == expectedLines(leaf), "\(mutation.name)")
    }
    #expect(count == 68)
  }

  @Test(
    "A repeat beyond the recorded ones is used up, also if an earlier repeat is missing",
    arguments: [([1], 2, 1), ([1, 2, 3], 4, 3), ([1, 3], 2, 1), ([2], 1, 1), ([2, 3], 1, 2)]
  )
  func repeats(recorded: [Int], asked: Int, count: Int) {
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    for repetition in recorded {
      var recording = Self.recorded
      recording.repetition = repetition
      file.add(recording)
    }
    let miss = MissExplainer(["server": RecordingStore(file)])
      .miss(RequestMutations.original, repetition: asked, hints: Self.hints)
    #expect(miss.reason == .usedUp(recorded: count))
  }

  @Test("A case without recordings is new, unless another case has the same user message")
  func newCase() {
    let explainer = MissExplainer(Self.stores)
    var hints = Self.hints
    hints.testCase = "whence"
    var request = RequestMutations.original
    request.model = "sorter-2"
    let sameQuestion = explainer.miss(request, repetition: 1, hints: hints)
    #expect(sameQuestion.message == "no recording: model changed (model, model in the body)")
    hints.inputDigest = "fedcba9876543210"
    let other = ModelRequest.fixture(user: "Whence?")
    #expect(explainer.miss(other, repetition: 1, hints: hints).reason == .newCase)
  }

  @Test("A new case without a user message is new, even if other requests resemble it")
  func noQuestion() {
    func request(_ system: String) -> ModelRequest {
      var request = ModelRequest.fixture()
      request.body = [
        "model": "sorter-1", "messages": [["role": "system", "content": .string(system)]],
      ]
      return request
    }
    var recording = Self.recorded
    recording.exchange.request = request("Where is it?")
    recording.key = RequestIdentity.key(of: recording.exchange.request)
    var file = RecordingFile(path: RecordingProject.recordingsPath)
    file.add(recording)
    let explainer = MissExplainer(["server": RecordingStore(file)])
    var hints = Self.hints
    #expect(
      explainer.miss(request("Whence?"), repetition: 1, hints: hints).message
        == "no recording: prompt changed (system message)"
    )
    hints.testCase = "whence"
    hints.inputDigest = "fedcba9876543210"
    #expect(explainer.miss(request("Whence?"), repetition: 1, hints: hints).reason == .newCase)
  }
}
