package import SluiceSupport

/// A file with a dataset's recordings from one backend.
///
/// Lines stay on disk until they are needed. Only their offsets and a cache of answers are in
/// memory.
package struct RecordingFile: Sendable {
  package let path: ProjectPath
  private(set) var contents = FileContents([])
  /// The locations of the exchanges in the file, sorted by slot and without duplicates.
  private var places: [Place] = []
  private var index = SlotIndex()
  /// The cached answers of the exchanges; nil if nothing is cached.
  private var answers: KeptAnswers?
  /// The locations of the parts (see ``RecordingLines``), by digest.
  private var partPlaces: [String: PartPlace] = [:]
  /// The exchanges that occur twice in the file, with different answers.
  private var ambiguous: Set<Recording.Slot> = []
  /// The unusable lines, each with its number.
  private(set) var damages: [(number: Int, range: Range<Int>)] = []
  /// The indices of damaged lines in ``damages``, by the bytes where the key should be.
  private(set) var damagedKeys: [ByteKey: [Int]] = [:]
  /// For each exchange that refers to a missing part, the digest of its first missing part.
  private(set) var incomplete: [Recording.Slot: String] = [:]
  /// The lines that were added after the file was read, by slot.
  ///
  /// Their parts are in `addedParts`, by digest.
  private var addedLines: [Recording.Slot: [UInt8]] = [:]
  private var addedParts: [String: [UInt8]] = [:]
  private var shared = Shared()

  private struct Place: Sendable {
    var slot: Recording.Slot
    var start: Int
    var count: Int
    /// The offset of the answer in the cache; nil if the answer is not cached.
    var answer: UInt32?
    var range: Range<Int> { start..<(start + count) }
  }

  private struct PartPlace: Sendable {
    var line: Range<Int>
    var value: Range<Int>
  }

  /// Values that are computed when they are first needed, and then shared by all threads.
  private final class Shared: Sendable {
    /// The formats of answers, by the digest of the request's frame.
    ///
    /// The frame is all of a request except its messages.
    let forms = Locked<[String: AnswerForm]>([:])
    let sources = Locked<[String: RecordingSource]>([:])
    let finder = Locked<RecordingFinder?>(nil)
  }

  /// A copy of the file that reads each answer from its line, because it has no cache.
  var withoutCachedAnswers: RecordingFile {
    var file = self
    file.answers = nil
    return file
  }

  /// Returns the path of the accepted recordings for a dataset and a backend.
  package static func path(dataset: ProjectPath, backend: String) -> ProjectPath {
    dataset.folder.resolvingChild("recordings").resolvingChild("\(backend).jsonl")
  }

  /// Returns the path of the recordings that are not accepted yet.
  package static func pendingPath(dataset: ProjectPath, backend: String) -> ProjectPath {
    dataset.folder.resolvingChild("recordings/pending").resolvingChild("\(backend).jsonl")
  }

  /// Returns the path of the scratch recordings, which are stored next to the reports and not in
  /// git.
  package static func scratchPath(dataset: ProjectPath, backend: String) -> ProjectPath {
    ProjectPath("reports/scratch").resolvingChild(
      path(dataset: dataset, backend: backend).description
    )
  }

  /// The errors in the file and its lines.
  package private(set) var faults: [Diagnostic] = []

  /// Creates an empty file.
  package init(path: ProjectPath) { self.path = path }

  // MARK: Reading

  /// Reads a file.
  ///
  /// A missing file counts as empty.
  ///
  /// Every line is checked against its digest. Unusable lines are reported with their numbers.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - system: The file system.
  ///   - isJournal: True if a recorder appends to the file line by line. In such a file, the later
  ///     of two lines for the same exchange counts, and a truncated last line is ignored.
  package init(
    reading path: ProjectPath,
    from system: any FileSystem,
    isJournal: Bool = false
  ) {
    self.init(path: path)
    guard system.kind(of: path) != .missing else { return }
    do throws(FileError) {
      contents = try system.open(path)
    } catch {
      faults = [Diagnostic(path: path.description, message: "cannot be read: \(error.reason)")]
      return
    }
    var answers = KeptAnswers.Collector(fileSize: contents.count)
    var parts = MessageParts()
    var number = 0
    var isSorted = true
    contents.forEachLine { line, start in
      number += 1
      if line.isEmpty { return }
      do throws(RecordingLines.Problem) {
        switch try RecordingLines.kind(of: line) {
        case .recording(let slot):
          if let last = places.last, !(last.slot < slot) { isSorted = false }
          parts.check(line, slot)
          if places.count == Self.sampleSize {
            places.reserveCapacity(contents.expectedLines(places.count, before: start))
          }
          places.append(
            Place(slot: slot, start: start, count: line.count, answer: answers.add(line, at: start))
          )
        case .part(let digest, let value):
          parts.add(digest)
          partPlaces[digest] = PartPlace(
            line: start..<(start + line.count),
            value: (start + value.lowerBound)..<(start + value.upperBound)
          )
        }
      } catch {
        if isJournal, start + line.count == contents.count { return }
        if let key = Self.keyPlace(on: line) { damagedKeys[key, default: []].append(damages.count) }
        damages.append((number, start..<(start + line.count)))
        faults.append(Self.fault(error, in: path, line: number))
      }
    }
    if !isSorted { sort(isJournal: isJournal) }
    index = SlotIndex(count: places.count) { places[$0].slot.high }
    self.answers = answers.finish(frame)
    incomplete = parts.incomplete
  }

  /// The number of lines that are read before the total number of lines is estimated.
  private static let sampleSize = 256

  private static func fault(
    _ problem: RecordingLines.Problem,
    in path: ProjectPath,
    line: Int
  ) -> Diagnostic {
    Diagnostic(
      path: path.description,
      position: SourcePosition(line: line, column: 1),
      message: problem.message,
      fix: problem.fix
    )
  }

  /// Sorts the lines of a journal or of a merged file, and finds duplicates.
  private mutating func sort(isJournal: Bool) {
    places.sort { ($0.slot, $0.start) < ($1.slot, $1.start) }
    var kept: [Place] = []
    kept.reserveCapacity(places.count)
    for place in places {
      guard let last = kept.last, last.slot == place.slot else {
        kept.append(place)
        continue
      }
      if isJournal {
        kept[kept.count - 1] = place
        continue
      }
      if contents.bytes(last.range) == contents.bytes(place.range) { continue }
      ambiguous.insert(place.slot)
      faults.append(
        Self.fault(
          RecordingLines.Problem(
            message: "another line already records this repeat of the request",
            fix: "keep one of the two lines"
          ),
          in: path,
          line: line(of: place)
        )
      )
    }
    places = kept
  }

  /// Returns the line number of an exchange, from 1; nil for an exchange that was added after
  /// reading.
  package func lineNumber(_ slot: Recording.Slot) -> Int? { place(slot).map(line) }

  private func line(of place: Place) -> Int {
    var number = 0
    var found = 0
    contents.forEachLine { _, start in
      number += 1
      if start == place.start { found = number }
    }
    return found
  }

  // MARK: Looking up

  /// The number of exchanges.
  package var count: Int {
    places.count + addedLines.keys.count { place($0) == nil }
  }

  /// The size in bytes that the file had when it was read.
  package var size: Int { contents.count }

  /// The digests of all parts.
  package var partDigests: Set<String> { Set(partPlaces.keys).union(addedParts.keys) }

  /// The slots of all exchanges, sorted.
  package var slots: [Recording.Slot] {
    if addedLines.isEmpty { return places.map(\.slot) }
    return Set(places.map(\.slot)).union(addedLines.keys).sorted()
  }

  package func contains(_ slot: Recording.Slot) -> Bool {
    addedLines[slot] != nil || place(slot) != nil
  }

  package func contains(key: String, repetition: Int) -> Bool {
    contains(Recording.Slot(key: key, repetition: repetition))
  }

  private func place(_ slot: Recording.Slot) -> Place? {
    place(slot, in: index.places(slot.high))
  }

  private func place(_ slot: Recording.Slot, in near: Range<Int>) -> Place? {
    var (low, high) = (near.lowerBound, near.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].slot < slot { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low].slot == slot ? places[low] : nil
  }

  /// Returns the frame of an origin; nil if the origin's answers must be read from their lines.
  private func frame(_ origin: KeptAnswers.Origin) -> KeptAnswers.Frame? {
    // If a source has headers with server times, its answers cannot share a frame.
    guard answerForm(frame: origin.frame)?.api == ModelAPI.chatCompletions.name(),
      let source = source(origin.source), source.headers.allSatisfy(RecordingSource.isCommon)
    else { return nil }
    let provenance = Provenance(
      host: source.host,
      model: origin.model,
      standIn: source.headers.first { $0.name == ModelServerBackend.standInHeader }?.value,
      date: origin.date.iso8601
    )
    return KeptAnswers.Frame(
      response: ModelResponse(
        text: nil,
        finishReason: origin.finishReason,
        origin: AnswerOrigin(provenance)
      ),
      date: origin.date
    )
  }

  /// Returns the cached answer of an exchange; nil if its line must be read, or if the exchange
  /// does not exist.
  private func keptAnswer(_ slot: Recording.Slot) -> StoredAnswer? {
    guard let answers, ambiguous.isEmpty, incomplete.isEmpty,
      addedLines.isEmpty || addedLines[slot] == nil, let place = place(slot)?.answer,
      let (response, date) = answers.answer(at: place, of: contents)
    else { return nil }
    return StoredAnswer(date: date, content: .read(response))
  }

  /// Returns the cached answers of several exchanges.
  ///
  /// A result is nil if the exchange does not exist, or if its line must be read.
  ///
  /// The entries of the slots are scattered over memory. Working in passes lets the processor fetch
  /// many of them at the same time.
  func keptAnswers(_ slots: [Recording.Slot]) -> [StoredAnswer?] {
    guard let answers, ambiguous.isEmpty, incomplete.isEmpty, addedLines.isEmpty else {
      return slots.map { _ in nil }
    }
    let near = slots.map { index.places($0.high) }
    let places = zip(slots, near).map { slot, near in place(slot, in: near)?.answer }
    return answers.answers(at: places, of: contents).map { answer in
      answer.map { StoredAnswer(date: $0.date, content: .read($0.response)) }
    }
  }

  /// Passes the line of an exchange to a closure; returns nil if the exchange does not exist.
  private func withLine<Result>(
    _ slot: Recording.Slot,
    _ body: (UnsafeRawBufferPointer) throws(RecordingLines.Problem) -> Result
  ) throws(RecordingLines.Problem) -> Result? {
    if ambiguous.contains(slot) {
      throw RecordingLines.Problem(
        message: "the request was recorded twice, with different answers",
        fix: "keep one of the two lines"
      )
    }
    if let line = addedLines[slot] {
      return try FileContents(line).withBytes(0..<line.count, body)
    }
    guard let place = place(slot) else { return nil }
    return try contents.withBytes(place.range, body)
  }

  /// Returns the recorded answer of an exchange; nil if the exchange does not exist.
  ///
  /// - Throws: ``RecordingLines/Problem`` if the line cannot be used.
  package func answer(_ slot: Recording.Slot) throws(RecordingLines.Problem) -> RecordedAnswer? {
    var repeated = RepeatedValues()
    return try answer(slot, &repeated)
  }

  /// Returns the recorded answer of an exchange, reusing parsed values of previous lines.
  func answer(_ slot: Recording.Slot, _ repeated: inout RepeatedValues)
    throws(RecordingLines.Problem) -> RecordedAnswer?
  {
    if !incomplete.isEmpty, addedLines[slot] == nil, let digest = incomplete[slot] {
      throw RecordingLines.missingPart(digest)
    }
    return try withLine(slot) { (line) throws(RecordingLines.Problem) in
      let parts = RecordingLines.Parts(form: answerForm, source: source)
      return try RecordingLines.answer(line, &repeated, parts)
    }
  }

  /// Returns the answer of an exchange, from the cache if possible; nil if the exchange does not
  /// exist.
  ///
  /// - Parameters:
  ///   - slot: The exchange.
  ///   - repeated: The parsed values of previous lines.
  /// - Returns: The answer.
  /// - Throws: ``RecordingLines/Problem`` if the line cannot be used.
  func storedAnswer(_ slot: Recording.Slot, _ repeated: inout RepeatedValues)
    throws(RecordingLines.Problem) -> StoredAnswer?
  {
    if let kept = keptAnswer(slot) { return kept }
    return try answer(slot, &repeated).map { StoredAnswer($0) }
  }

  /// Returns a recorded exchange with its request; nil if the exchange does not exist.
  ///
  /// - Throws: ``RecordingLines/Problem`` if the line cannot be used.
  package func recording(_ slot: Recording.Slot) throws(RecordingLines.Problem) -> Recording? {
    try withLine(slot) { (line) throws(RecordingLines.Problem) in
      try RecordingLines.recording(line, part: part)
    }
  }

  package func recording(key: String, repetition: Int) throws(RecordingLines.Problem)
    -> Recording?
  {
    try recording(Recording.Slot(key: key, repetition: repetition))
  }

  /// Returns the time of an exchange's answer; nil if there is no usable answer.
  package func date(_ slot: Recording.Slot) -> Timestamp? {
    (try? answer(slot))?.flatMap { $0 }?.response.since
  }

  /// Returns the format of answers, given the digest of the request's frame; nil if the file does
  /// not contain the frame.
  ///
  /// The frame is all of a request except its messages.
  private func answerForm(frame: String) -> AnswerForm? {
    if let known = shared.forms.withLock({ $0[frame] }) { return known }
    guard let value = part(frame), let api = value["api"]?.string else { return nil }
    let form = AnswerForm(api: api, places: value["answer"].map { AnswerPlaces(json: $0) })
    shared.forms.withLock { $0[frame] = form }
    return form
  }

  /// Returns the source that has a digest; nil if the file does not contain the source.
  private func source(_ digest: String) -> RecordingSource? {
    if let known = shared.sources.withLock({ $0[digest] }) { return known }
    guard let source = part(digest).flatMap(RecordingSource.init(json:)) else { return nil }
    shared.sources.withLock { $0[digest] = source }
    return source
  }

  private func part(_ digest: String) -> JSONValue? {
    if let bytes = addedParts[digest] { return try? JSONReader.value(bytes) }
    guard let place = partPlaces[digest] else { return nil }
    return contents.withBytes(place.value) { try? JSONReader.value($0) }
  }

  /// Returns the stored line of the part with a digest; nil if the file does not contain the part.
  private func partLine(_ digest: String) -> [UInt8]? {
    if let place = partPlaces[digest] { return contents.bytes(place.line) }
    return addedParts[digest].map { RecordingLines.partLine(digest: digest, value: $0) }
  }

  /// The finder for the recordings that explain a miss, created when it is first needed.
  package var finder: RecordingFinder {
    if let finder = shared.finder.withLock({ $0 }) { return finder }
    var finder = RecordingFinder()
    for slot in slots {
      _ = try? withLine(slot) { line in
        if let value = try? JSONReader.value(line) { finder.add(slot, line: value) }
      }
    }
    return shared.finder.withLock { known in
      if let known { return known }
      known = finder
      return finder
    }
  }

  // MARK: Writing

  /// Adds a recording.
  ///
  /// It replaces the recording with the same request and repetition, if there is one.
  package mutating func add(_ recording: Recording) {
    let (line, parts) = RecordingLines.line(of: recording)
    addedParts.merge(parts) { old, _ in old }
    addedLines[recording.slot] = line
    shared = Shared()
  }

  /// Writes exchanges as the lines of a file: first the parts, sorted by digest, then the
  /// exchanges, sorted by key and repetition.
  ///
  /// - Parameters:
  ///   - layers: The sources of the exchanges. If several layers contain an exchange, the first of
  ///     them counts.
  ///   - isKept: Returns true if an exchange is to be written. The parts of the exchange are then
  ///     written, too.
  ///   - sink: Receives the bytes.
  /// - Throws: The error that the sink throws.
  package static func write(
    _ layers: [RecordingFile],
    keeping isKept: (Recording.Slot) -> Bool = { _ in true },
    to sink: inout FileSink
  ) throws(FileError) {
    let slots = Set(layers.flatMap(\.slots)).filter(isKept).sorted()
    func layer(_ slot: Recording.Slot) -> RecordingFile? { layers.first { $0.contains(slot) } }
    var parts: Set<String> = []
    for slot in slots { if let file = layer(slot) { parts.formUnion(file.references(slot)) } }
    for digest in parts.sorted() {
      // If one layer has lost a part, another layer may still contain it.
      guard let line = layers.lazy.compactMap({ $0.partLine(digest) }).first else { continue }
      sink.buffer += line
      sink.buffer.append(0x0A)
      try sink.spill()
    }
    for slot in slots {
      guard let file = layer(slot) else { continue }
      _ = try? file.withLine(slot) { sink.buffer.append($0) }
      sink.buffer.append(0x0A)
      try sink.spill()
    }
  }

  /// Returns the digests of the parts that an exchange refers to.
  private func references(_ slot: Recording.Slot) -> Set<String> {
    let found = try? withLine(slot) { line -> Set<String> in
      (try? JSONReader.value(line)).map(RecordingLines.references) ?? []
    }
    return found ?? []
  }

  /// The bytes of the file, including the recordings that were added after reading.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var sink = FileSink { bytes.append(contentsOf: $0) }
    // A sink in memory never throws.
    try? Self.write([self], to: &sink)
    try? sink.flush()
    return bytes
  }

  /// Returns the line of an exchange as it is stored; nil if the exchange does not exist.
  package func line(_ slot: Recording.Slot) -> [UInt8]? {
    if let line = addedLines[slot] { return line }
    return place(slot).map { contents.bytes($0.range) }
  }
}
