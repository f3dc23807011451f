import SluiceReporting

/// The requests without a recording, as the lines of a batch file.
package struct BatchExport: Sendable {
  /// The requests of a suite.
  package struct Entry: Sendable {
    package var suite: String
    package var requests: [RecordingRequest]
    /// True where they ask a judge about answers that are there.
    package var asksJudges: Bool
  }

  package let entries: [Entry]
  /// The most requests to judges that can follow once the answers are there.
  package let coming: Int

  /// Why nothing can be written.
  package struct Refusal: Error, Hashable {
    package var message: String
    package var fix: String?

    package init(_ message: String, fix: String?) {
      self.message = message
      self.fix = fix
    }
  }

  /// Takes over what a recording would send: answers first, and verdicts once no answer is missing.
  ///
  /// - Parameters:
  ///   - plan: What a recording would send.
  ///   - backends: The backends of `sluice.yaml`, to name those that can be used.
  ///   - redaction: Finds secrets, which no file may hold.
  /// - Throws: ``Refusal`` where a batch file cannot hold it.
  package init(
    _ plan: RecordingPlan,
    backends: [BackendDefinition],
    redaction: Redaction
  ) throws(Refusal) {
    var answers: [Entry] = []
    var verdicts: [Entry] = []
    // Suites of other datasets may ask the same: a batch has each request once.
    var seen: Set<Recording.Slot> = []
    for entry in plan.entries {
      func add(_ requests: [RecordingRequest], asksJudges: Bool, to entries: inout [Entry]) {
        let own = requests.filter { seen.insert($0.slot).inserted }
        if own.isEmpty { return }
        entries.append(
          Entry(suite: entry.suite.plan.name, requests: own, asksJudges: asksJudges)
        )
      }
      add(entry.answers.requests, asksJudges: false, to: &answers)
      add(entry.judges.known.requests, asksJudges: true, to: &verdicts)
    }
    entries = answers.isEmpty ? verdicts : answers
    let known = answers.isEmpty ? 0 : verdicts.reduce(0) { $0 + $1.requests.count }
    coming = plan.entries.reduce(known) { $0 + $1.judges.coming }
    try check(plan, backends, redaction)
  }

  /// The number of requests.
  package var count: Int { entries.reduce(0) { $0 + $1.requests.count } }

  /// The backends that are asked, each once.
  package var backendNames: [String] {
    Set(entries.flatMap { $0.requests.map(\.request.backend) }).sorted()
  }

  // MARK: What a batch can hold

  private func check(
    _ plan: RecordingPlan,
    _ backends: [BackendDefinition],
    _ redaction: Redaction
  ) throws(Refusal) {
    let usable = backends.filter { $0.batchFault == nil }.map(\.name)
    let option =
      usable.isEmpty
      ? BackendDefinition.batchFix : "name another: --backend \(usable[0])"
    let asked = plan.entries.flatMap(\.suite.plan.allBackends)
    for name in backendNames {
      guard let backend = asked.first(where: { $0.name == name }), let fault = backend.batchFault
      else { continue }
      throw Refusal("the backend '\(name)' \(fault)", fix: option)
    }
    let requests = entries.lazy.flatMap(\.requests)
    let apis = Dictionary(
      requests.map { ($0.request.api, $0.request.backend) },
      uniquingKeysWith: { first, _ in first }
    )
    if apis.count > 1 {
      throw Self.severalRefusal("API", apis)
    }
    let models = Dictionary(
      requests.map { ($0.request.model, $0.request.backend) },
      uniquingKeysWith: { first, _ in first }
    )
    if models.count > 1, form?.mixesModels != true {
      throw Self.severalRefusal("model", models)
    }
    for entry in entries {
      for request in entry.requests
      where redaction.redacted(Exchange(request: request.request, response: .none)).exchange
        .request.body != request.request.body
      {
        throw Refusal(
          "the request of case '\(request.hints.testCase)' of \(entry.suite) holds a secret, which "
            + "no file may hold",
          fix: "take the secret out of the case or the prompt"
        )
      }
    }
  }

  /// The refusal of requests that cannot be in one file.
  private static func severalRefusal(_ noun: String, _ backends: [String: String]) -> Refusal {
    Refusal(
      "a batch asks one \(noun), and these suites ask \(backends.count): "
        + backends.sorted { $0.value < $1.value }.map { "\($0.key) (\($0.value))" }
        .joined(separator: ", "),
      fix:
        "export them one by one: name the suites, or add --backend \(backends.values.min() ?? "")"
    )
  }

  /// The form of the file; nil where there are no requests.
  package var form: BatchForm? {
    entries.first?.requests.first.flatMap { ModelAPI(name: $0.request.api) }
      .flatMap(BatchForm.init)
  }

  /// The model that no line of the file names; nil where the lines do.
  package var unnamedModel: String? {
    form == .gemini ? entries.first?.requests.first?.request.model : nil
  }

  // MARK: Writing

  /// Writes the lines, in place of a file of such lines only.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - name: The file as it was named.
  ///   - files: Where it lies.
  ///   - overwrites: True to write in place of any file.
  /// - Throws: ``Refusal`` where another file is in the way, or why it cannot be written.
  package func write(
    to path: ProjectPath,
    named name: String,
    in files: any FileSystem,
    overwrites: Bool = false
  ) throws {
    switch files.kind(of: path) {
    case .missing: break
    case .folder: throw Refusal("'\(name)' is a folder, not a file", fix: "name a file in it")
    case .linkOutOfRoot:
      throw Refusal("'\(name)' is a link that leads out of the project", fix: "name another file")
    case .file:
      if overwrites { break }
      guard try Self.isOwn(files.open(path)) else {
        throw Refusal(
          "'\(name)' exists, and is not a batch file that sluice wrote",
          fix: "name another file, or replace this one with --overwrite"
        )
      }
    }
    let frame = form?.frame
    try files.write(to: path) { (sink) throws(FileError) in
      if let frame { sink.buffer.append(frame.start) }
      var isFirst = true
      for request in entries.lazy.flatMap(\.requests) {
        guard let key = Digest(hexadecimal: request.key.utf8),
          let api = ModelAPI(name: request.request.api)
        else { continue }
        let id = BatchRequestID(key: key, repetition: request.repetition)
        BatchRequest(id: id.text, body: request.request.body, api: api)
          .append(to: &sink.buffer, isFirst: isFirst)
        isFirst = false
        try sink.spill()
      }
      if let frame { sink.buffer.append(frame.end) }
    }
  }

  /// True for a file all of whose lines are requests that an export wrote.
  private static func isOwn(_ contents: FileContents) throws -> Bool {
    var isOwn = true
    contents.forEachLine(upTo: FileLimits.maximumLineBytes) { line, _ in
      if case .whole(let bytes) = line {
        isOwn = BatchRequest.isOwn(bytes.bindMemory(to: UInt8.self))
      } else {
        isOwn = false
      }
      return isOwn
    }
    return isOwn
  }
}

extension RawResponse {
  /// Stands beside a request that was not sent.
  fileprivate static var none: RawResponse {
    RawResponse(body: [], host: "", date: Timestamp(seconds: 0))
  }
}

extension BackendDefinition {
  /// Why a batch cannot ask it, after its name; nil where one can.
  package var batchFault: String? {
    guard let endpoint, BatchForm(endpoint.api) != nil else {
      return "has the type '\(typeName)', which no batch file can ask"
    }
    return endpoint.isStreamed
      ? "asks for answers in pieces ('stream'), which batch files cannot do" : nil
  }

  /// The fix where no backend can be asked by a batch.
  static var batchFix: String {
    "add a backend that a batch can ask to sluice.yaml, of one of these types: "
      + BatchForm.types.joined(separator: ", ")
  }
}
