import SluiceReporting

/// The export of a batch file with the requests that have no recording, one request per line.
package struct BatchExport: Sendable {
  /// The requests of a suite.
  package struct Entry: Sendable {
    package var suite: String
    package var requests: [RecordingRequest]
    /// True if the requests ask a judge to grade recorded answers.
    package var asksJudges: Bool
  }

  package let entries: [Entry]
  /// An upper bound on the number of requests to judges that can be exported after the answers are
  /// recorded.
  package let coming: Int

  /// The reason why no batch file can be written.
  package struct Refusal: Error, Hashable {
    package var message: String
    package var fix: String?

    package init(_ message: String, fix: String?) {
      self.message = message
      self.fix = fix
    }
  }

  /// Collects the requests that `sluice record` would send.
  ///
  /// Requests to judges are included only if no answer is missing.
  ///
  /// - Parameters:
  ///   - plan: The plan of the recording.
  ///   - backends: The backends of `sluice.yaml`, for suggestions in errors.
  ///   - redaction: The redaction, which finds secrets that must not be written to a file.
  /// - Throws: ``Refusal`` if a batch file cannot contain the requests.
  package init(
    _ plan: RecordingPlan,
    backends: [BackendDefinition],
    redaction: Redaction
  ) throws(Refusal) {
    var answers: [Entry] = []
    var verdicts: [Entry] = []
    // Suites of different datasets may have the same request. A batch contains it only once.
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

  /// The names of the backends in the requests, without duplicates.
  package var backendNames: [String] {
    Set(entries.flatMap { $0.requests.map(\.request.backend) }).sorted()
  }

  // MARK: Limits of a batch

  private func check(
    _ plan: RecordingPlan,
    _ backends: [BackendDefinition],
    _ redaction: Redaction
  ) throws(Refusal) {
    let usable = backends.filter { $0.batchFault == nil }.map(\.name)
    let option =
      usable.isEmpty
      ? BackendDefinition.batchFix : "choose another backend: --backend \(usable[0])"
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
          "the request of case '\(request.hints.testCase)' of \(entry.suite) contains a secret, "
            + "which must not be written to a file",
          fix: "remove the secret from the case or the prompt"
        )
      }
    }
  }

  /// Returns the error for requests that need several files.
  private static func severalRefusal(_ noun: String, _ backends: [String: String]) -> Refusal {
    Refusal(
      "all requests of a batch file must use the same \(noun), but these suites use "
        + "\(backends.count): "
        + backends.sorted { $0.value < $1.value }.map { "\($0.key) (\($0.value))" }
        .joined(separator: ", "),
      fix:
        "write separate files: name the suites for one file, or add --backend \(backends.values.min() ?? "")"
    )
  }

  /// The format of the file, or `nil` if there are no requests.
  package var form: BatchForm? {
    entries.first?.requests.first.flatMap { ModelAPI(name: $0.request.api) }
      .flatMap(BatchForm.init)
  }

  /// The model that the user must choose for the batch, because the lines of this format do not
  /// name one.
  ///
  /// Nil if the lines name the model.
  package var unnamedModel: String? {
    form == .gemini ? entries.first?.requests.first?.request.model : nil
  }

  // MARK: Writing

  /// Writes the batch file.
  ///
  /// An existing file is replaced only if an export wrote it, or if `overwrites` is true.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - name: The file's name as given on the command line.
  ///   - files: The file system.
  ///   - overwrites: True to replace even a file that no export wrote.
  /// - Throws: ``Refusal`` if an existing file must not be replaced, or if writing fails.
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
      throw Refusal("'\(name)' is a link that leads outside the project", fix: "name another file")
    case .file:
      if overwrites { break }
      guard try Self.isOwn(files.open(path)) else {
        throw Refusal(
          "'\(name)' already exists and is not a batch file written by Sluice",
          fix: "name another file, or add --overwrite to replace this one"
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

  /// Returns true if all lines of a file are requests that an export wrote.
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
  /// A placeholder for the response to a request that was not sent.
  fileprivate static var none: RawResponse {
    RawResponse(body: [], host: "", date: Timestamp(seconds: 0))
  }
}

extension BackendDefinition {
  /// The reason why a batch cannot use the backend; `nil` if it can.
  ///
  /// The text continues a sentence that begins with the backend's name.
  package var batchFault: String? {
    guard let endpoint, BatchForm(endpoint.api) != nil else {
      return "has the type '\(typeName)', which batch files do not support"
    }
    return endpoint.isStreamed
      ? "streams answers ('stream'), which batch files do not support" : nil
  }

  /// The fix to suggest if no backend supports batches.
  static var batchFix: String {
    "add to sluice.yaml a backend of a type that batch files support: "
      + BatchForm.types.joined(separator: ", ")
  }
}
