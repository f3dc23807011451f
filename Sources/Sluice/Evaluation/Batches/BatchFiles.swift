import SluiceReporting

/// The batch files of an import, with the id and the position of each line.
///
/// The text of a line is not kept, but read again when it is needed.
struct BatchFiles {
  /// The position of a line, with its `custom_id`.
  struct Line: Sendable {
    var file: Int
    var number: Int
    var start: Int
    var count: Int
    var id: String
  }

  /// A line in a file of results.
  struct Result: Sendable {
    var line: Line
    /// The reason why the line has no answer; `nil` if the line may have an answer.
    var failure: String?
  }

  /// A request in a file of requests.
  struct Asked: Sendable {
    var line: Line
    /// The types of backends (the values of `type:`) that can send the request.
    var types: [String]
    /// The model, or an empty string if the body does not name a model.
    var model: String
    /// The keys of the request, one for each backend that would send exactly this body.
    var keys: [(backend: Int, key: Digest)]
  }

  private let system: any FileSystem
  private var sources: [(source: BatchImport.Source, contents: FileContents)] = []
  private(set) var results: [Result] = []
  private(set) var asked: [String: Asked] = [:]
  private(set) var order: [String] = []
  private(set) var faults: [BatchImportResult.Fault] = []
  /// The number of further faults, which are not listed because there are too many.
  private(set) var unlisted = 0
  /// The faults of whole files.
  ///
  /// If there is any such fault, nothing is imported.
  private(set) var refusals: [Diagnostic] = []
  private var lineCount = 0

  init(_ system: any FileSystem) { self.system = system }

  func diagnostic(
    _ line: Line,
    _ message: String,
    fix: String? = nil,
    _ severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    Diagnostic(
      severity,
      path: sources[line.file].source.name,
      position: SourcePosition(line: line.number, column: 1),
      message: message,
      fix: fix
    )
  }

  /// The names of the files, as given on the command line.
  var names: [String] { sources.map(\.source.name) }

  func name(_ line: Line) -> String { "\(sources[line.file].source.name):\(line.number)" }

  // MARK: Reading

  /// Reads the lines of a file of results.
  mutating func addResults(_ source: BatchImport.Source) {
    read(source, "results") { files, line, text throws(BatchLineFault) in
      let result = try BatchResult(text)
      var line = line
      line.id = result.id
      files.results.append(Result(line: line, failure: result.failure))
    }
  }

  /// Reads the lines of a file of requests.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - backends: The backends that may have sent the requests.
  mutating func addRequests(_ source: BatchImport.Source, _ backends: [BackendDefinition]) {
    read(source, "requests") { files, line, text throws(BatchLineFault) in
      let request = try BatchRequest(text)
      var line = line
      line.id = request.id
      let model = request.body["model"]?.string ?? ""
      let keys = backends.indices.filter { index in
        request.types.contains(backends[index].typeName)
          && (model.isEmpty || backends[index].model == model)
      }.compactMap { index in
        let key = RequestIdentity.key(of: Self.request(request.body, through: backends[index]))
        return Digest(hexadecimal: key.utf8).map { (backend: index, key: $0) }
      }
      guard let first = files.asked[request.id] else {
        files.asked[request.id] = Asked(
          line: line,
          types: request.types,
          model: model,
          keys: keys
        )
        files.order.append(request.id)
        return
      }
      let isSame =
        first.model == model && first.types == request.types
        && first.keys.map(\.key) == keys.map(\.key)
        && (!keys.isEmpty || files.request(first.line)?.body == request.body)
      if isSame { return }
      throw BatchLineFault(
        "the custom_id '\(request.id)' already has a different request on \(files.name(first.line))",
        fix: "give each request a different custom_id",
        isBatchLine: true
      )
    }
  }

  /// Returns the request that a backend would send with a body.
  static func request(_ body: JSONValue, through backend: BackendDefinition) -> ModelRequest {
    ModelRequest(
      backend: backend.name,
      api: (backend.endpoint?.api ?? .chatCompletions).name(),
      model: backend.model ?? "",
      body: body
    )
  }

  private mutating func read(
    _ source: BatchImport.Source,
    _ what: String,
    _ take: (inout BatchFiles, Line, UnsafeBufferPointer<UInt8>) throws(BatchLineFault) -> Void
  ) {
    let contents: FileContents
    do throws(FileError) {
      contents = try system.open(source.path)
    } catch {
      return refuse(source, "cannot be read: \(error.reason)")
    }
    if contents.count == 0 { return refuse(source, "the file is empty") }
    if contents.count > FileLimits.maximumBytes {
      return refuse(
        source,
        "the file is larger than the limit of \(FileLimits.maximumBytes >> 20) MiB",
        fix: "split the file"
      )
    }
    if let fault = Self.encodingFault(contents) {
      return refuse(source, fault.message, fix: fault.fix)
    }
    let file = sources.count
    sources.append((source, contents))
    let before = faults.count
    var (number, found, isRefused) = (0, false, false)
    contents.forEachLine(upTo: FileLimits.maximumLineBytes) { text, start in
      number += 1
      lineCount += 1
      if lineCount > BatchLimits.lines {
        refuse(
          source,
          "the file has more than \(BatchLimits.lines.withThousands) lines",
          fix: "split the file"
        )
        isRefused = true
        return false
      }
      do throws(BatchLineFault) {
        switch text {
        case .tooLong:
          throw BatchLineFault(
            "the line is longer than the limit of \(FileLimits.maximumLineBytes >> 20) MiB"
          )
        case .whole(let bytes):
          let mark = number == 1 && UTF8Text.startsWithByteOrderMark(bytes) ? 3 : 0
          let whole = UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[mark...])
          guard let units = BatchForm.unframed(whole) else { return true }
          // Ignore blank lines at the end of a file.
          if start + bytes.count == contents.count, units.allSatisfy({ $0 <= 0x20 }) { return true }
          let line = Line(
            file: file,
            number: number,
            start: start + mark,
            count: units.count,
            id: ""
          )
          try take(&self, line, units)
          found = true
        }
      } catch {
        if error.isBatchLine { found = true }
        note(error, text, number, source)
      }
      return found || number < BatchLimits.linesToTell
    }
    if found || isRefused { return }
    let first = faults.count > before ? faults[before].diagnostic : nil
    faults.removeSubrange(before...)
    refuse(
      source,
      "not a file of batch \(what): "
        + (number == 1
          ? "its only line does not have the format of a batch"
          : "none of its "
            + "\(number < BatchLimits.linesToTell ? "" : "first ")\(number.withThousands) lines "
            + "has the format of a batch"),
      fix: "export JSON lines, each with a custom_id"
    )
    if let first { refusals.append(first) }
  }

  /// Returns an error if the first bytes of a file show that the file is compressed or not UTF-8.
  ///
  /// Otherwise returns `nil`.
  private static func encodingFault(_ contents: FileContents) -> (message: String, fix: String)? {
    let start = contents.bytes(0..<min(4, contents.count))
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
      return ("the file is UTF-16, not UTF-8", "save the file as UTF-8")
    }
    if start.starts(with: [0x1F, 0x8B]) || start.starts(with: Array("PK".utf8) + [3, 4]) {
      return ("the file is compressed", "unpack it")
    }
    return nil
  }

  private mutating func refuse(_ source: BatchImport.Source, _ message: String, fix: String? = nil)
  {
    refusals.append(Diagnostic(path: source.name, message: message, fix: fix))
  }

  private mutating func note(
    _ fault: BatchLineFault,
    _ text: BoundedLine,
    _ number: Int,
    _ source: BatchImport.Source
  ) {
    guard faults.count < BatchLimits.faults else {
      unlisted += 1
      return
    }
    var diagnostic = Diagnostic(
      path: source.name,
      position: SourcePosition(line: number, column: 1),
      message: fault.message,
      fix: fault.fix
    )
    // Show the line with the position of the error only if the line is short.
    if case .whole(let bytes) = text, fault.column > 1, fault.column <= Self.shownLength {
      let shown = bytes.prefix(Self.shownLength)
      diagnostic.position?.column =
        String(decoding: shown.prefix(fault.column - 1), as: UTF8.self).unicodeScalars.count + 1
      diagnostic.sourceLine = String(decoding: shown, as: UTF8.self)
    } else if fault.column > 1 {
      diagnostic.position?.column = fault.column
    }
    faults.append(BatchImportResult.Fault(.broken, id: nil, diagnostic))
  }

  private static let shownLength = 2_000

  // MARK: Reading again

  /// Returns the result on a line, or `nil` if the file changed in the meantime.
  func result(_ line: Line) -> BatchResult? {
    withLine(line) { try? BatchResult($0) }.flatMap { $0.id == line.id ? $0 : nil }
  }

  /// Returns the request on a line, or `nil` if the file changed in the meantime.
  func request(_ line: Line) -> BatchRequest? {
    withLine(line) { try? BatchRequest($0) }.flatMap { $0.id == line.id ? $0 : nil }
  }

  private func withLine<Value>(_ line: Line, _ body: (UnsafeBufferPointer<UInt8>) -> Value?)
    -> Value?
  {
    sources[line.file].contents.withBytes(line.start..<(line.start + line.count)) {
      body($0.bindMemory(to: UInt8.self))
    }
  }
}
