package import SluiceSupport

/// The recordings of a dataset through one backend, as a file holds them.
///
/// Lines stay on the disk until they are asked for: in memory is where each of them starts.
package struct RecordingFile: Sendable {
  package let path: ProjectPath
  private(set) var contents = FileContents([])
  /// The places of the exchanges, sorted by slot, each slot once.
  private var places: [Place] = []
  private var index = SlotIndex()
  /// What the exchanges answer, as far as it is kept.
  private var answers = KeptAnswers()
  /// The places of the part lines, by digest.
  private var partPlaces: [String: PartPlace] = [:]
  /// Exchanges that the file holds twice, with different answers.
  private var ambiguous: Set<Recording.Slot> = []
  /// The lines that cannot be used, each with its number.
  private(set) var damages: [(number: Int, range: Range<Int>)] = []
  /// The places in ``damages`` of the lines by the bytes where their keys stand.
  private(set) var damagedKeys: [ByteKey: [Int]] = [:]
  /// Exchanges that refer to texts of messages that the file lacks, each with the first of them.
  private(set) var incomplete: [Recording.Slot: String] = [:]
  /// What was added since the file was read: lines by slot, parts by digest.
  private var addedLines: [Recording.Slot: [UInt8]] = [:]
  private var addedParts: [String: [UInt8]] = [:]
  private var shared = Shared()

  private struct Place: Sendable {
    var slot: Recording.Slot
    var start: Int
    var count: Int
    /// Where its answer is kept; nil where it is not.
    var answer: UInt32?
    var range: Range<Int> { start..<(start + count) }
  }

  private struct PartPlace: Sendable {
    var line: Range<Int>
    var value: Range<Int>
  }

  /// What is made once it is asked for, and then used by every thread.
  private final class Shared: Sendable {
    /// How the answers to requests with a frame are read, by the digest of the frame.
    let forms = Locked<[String: AnswerForm]>([:])
    let sources = Locked<[String: RecordingSource]>([:])
    let finder = Locked<RecordingFinder?>(nil)
  }

  /// Where recordings of a dataset through a backend are kept.
  package static func path(dataset: ProjectPath, backend: String) -> ProjectPath {
    dataset.folder.resolvingChild("recordings").resolvingChild("\(backend).jsonl")
  }

  /// Where recordings of a dataset through a backend are kept before they are accepted.
  package static func pendingPath(dataset: ProjectPath, backend: String) -> ProjectPath {
    dataset.folder.resolvingChild("recordings/pending").resolvingChild("\(backend).jsonl")
  }

  /// Where recordings that are not for git are kept: beside the reports, as no other file is.
  package static func scratchPath(dataset: ProjectPath, backend: String) -> ProjectPath {
    ProjectPath("reports/scratch").resolvingChild(
      path(dataset: dataset, backend: backend).description
    )
  }

  /// The faults of the file and of its lines.
  package private(set) var faults: [Diagnostic] = []

  /// An empty file.
  package init(path: ProjectPath) { self.path = path }

  // MARK: Reading

  /// Reads a file; a missing one is empty.
  ///
  /// Every line is checked against its digest. Lines that cannot be used are reported, each with its
  /// number.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - system: The files that it is one of.
  ///   - isJournal: Whether a recorder adds to it line by line: of an exchange that is there twice the
  ///     later one counts, and a last line that it was stopped in the middle of is nothing.
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

  /// The number of lines that tell how many there are.
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

  /// Sorts what a merge left in another order, and finds what it left twice.
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
            message: "a second recording of the same request and repeat",
            fix: "keep one of the two lines"
          ),
          in: path,
          line: line(of: place)
        )
      )
    }
    places = kept
  }

  /// The number of the line of an exchange, from 1; nil for one that was added.
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

  /// How many exchanges there are.
  package var count: Int {
    places.count + addedLines.keys.count { place($0) == nil }
  }

  /// The size of the file in bytes, without what was added.
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

  /// What the answers of an origin have in common; nil where they have to be read from their lines.
  private func frame(_ origin: KeptAnswers.Origin) -> KeptAnswers.Frame? {
    // A time that the server says is each answer's own.
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

  /// The answer of an exchange that is kept; nil where its line has to be read, or there is none.
  private func keptAnswer(_ slot: Recording.Slot) -> StoredAnswer? {
    guard ambiguous.isEmpty, incomplete.isEmpty, addedLines.isEmpty || addedLines[slot] == nil,
      let place = place(slot)?.answer,
      let (response, date) = answers.answer(at: place, of: contents)
    else { return nil }
    return StoredAnswer(date: date, content: .read(response))
  }

  /// Returns the answers of exchanges that are kept; nil for each whose line has to be read, or that
  /// is not there.
  ///
  /// Slots lie anywhere in memory. Each pass takes up what the one before found, so that the waits
  /// for memory of all slots overlap.
  func keptAnswers(_ slots: [Recording.Slot]) -> [StoredAnswer?] {
    guard ambiguous.isEmpty, incomplete.isEmpty, addedLines.isEmpty else {
      return slots.map { _ in nil }
    }
    let near = slots.map { index.places($0.high) }
    let places = zip(slots, near).map { slot, near in place(slot, in: near)?.answer }
    return answers.answers(at: places, of: contents).map { answer in
      answer.map { StoredAnswer(date: $0.date, content: .read($0.response)) }
    }
  }

  /// Gives the line of an exchange to a closure; nil when there is none.
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

  /// What the recording of a request answers with; nil when there is none.
  ///
  /// - Throws: ``RecordingLines/Problem`` when the line cannot be used.
  package func answer(_ slot: Recording.Slot) throws(RecordingLines.Problem) -> RecordedAnswer? {
    var repeated = RepeatedValues()
    return try answer(slot, &repeated)
  }

  /// What the recording of a request answers with, where many are asked for in a row.
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

  /// The answer of an exchange, from memory where it is kept; nil when there is none.
  ///
  /// - Parameters:
  ///   - slot: The exchange.
  ///   - repeated: What lines before it said.
  /// - Returns: The answer.
  /// - Throws: ``RecordingLines/Problem`` when the line cannot be used.
  func storedAnswer(_ slot: Recording.Slot, _ repeated: inout RepeatedValues)
    throws(RecordingLines.Problem) -> StoredAnswer?
  {
    if let kept = keptAnswer(slot) { return kept }
    return try answer(slot, &repeated).map { StoredAnswer($0) }
  }

  /// The recorded exchange with its request; nil when there is none.
  ///
  /// - Throws: ``RecordingLines/Problem`` when the line cannot be used.
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

  /// When the answer of an exchange was given; nil when there is none that can be used.
  package func date(_ slot: Recording.Slot) -> Timestamp? {
    (try? answer(slot))?.flatMap { $0 }?.response.since
  }

  /// How the answers to the requests with a frame are read.
  private func answerForm(frame: String) -> AnswerForm? {
    if let known = shared.forms.withLock({ $0[frame] }) { return known }
    guard let value = part(frame), let api = value["api"]?.string else { return nil }
    let form = AnswerForm(api: api, places: value["answer"].map { AnswerPlaces(json: $0) })
    shared.forms.withLock { $0[frame] = form }
    return form
  }

  /// What recordings have in common that refer to it.
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

  /// The line of a part as it stands; nil when there is none.
  private func partLine(_ digest: String) -> [UInt8]? {
    if let place = partPlaces[digest] { return contents.bytes(place.line) }
    return addedParts[digest].map { RecordingLines.partLine(digest: digest, value: $0) }
  }

  /// Finds the recordings that explain a miss; made once it is asked for.
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

  /// Adds a recording, or replaces the one of the same request and repetition.
  package mutating func add(_ recording: Recording) {
    let (line, parts) = RecordingLines.line(of: recording)
    addedParts.merge(parts) { old, _ in old }
    addedLines[recording.slot] = line
    shared = Shared()
  }

  /// Writes exchanges as the lines of a file: parts by digest, then exchanges by key and repetition.
  ///
  /// - Parameters:
  ///   - layers: Where the exchanges are; of the same one in several the first counts.
  ///   - isKept: Whether an exchange is written; its parts are then, too.
  ///   - sink: What takes the bytes.
  /// - Throws: Why the sink did not take them.
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
      // Where one layer has lost a part, another may have it.
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

  /// The digests of the parts that an exchange refers to.
  private func references(_ slot: Recording.Slot) -> Set<String> {
    let found = try? withLine(slot) { line -> Set<String> in
      (try? JSONReader.value(line)).map(RecordingLines.references) ?? []
    }
    return found ?? []
  }

  /// The bytes of the file, with what was added.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var sink = FileSink { bytes.append(contentsOf: $0) }
    // A sink in memory takes everything.
    try? Self.write([self], to: &sink)
    try? sink.flush()
    return bytes
  }

  /// The line of an exchange as it stands; nil when there is none.
  package func line(_ slot: Recording.Slot) -> [UInt8]? {
    if let line = addedLines[slot] { return line }
    return place(slot).map { contents.bytes($0.range) }
  }
}
