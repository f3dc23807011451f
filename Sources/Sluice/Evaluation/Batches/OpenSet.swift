import SluiceReporting

/// A set of pending recordings, which is written in chunks.
struct OpenSet {
  /// The suite, the backend and the prompt under which an answer is counted.
  struct Name: Hashable {
    var suite: String
    var backend: String
    var prompt: String
  }

  private let session: RecordingSession
  private let backend: String
  private let prompts: [String]
  private let files: any FileSystem
  private var opened: RecordingSession.Opened?
  private var parts: Set<String> = []
  private var askedAgain = 0
  private var piece: [UInt8] = []
  private var waiting: [(name: Name, slot: Recording.Slot)] = []
  /// For each name, the requests whose recordings are already on disk.
  private(set) var written: [Name: [Recording.Slot]] = [:]

  /// The maximum number of recordings in a chunk.
  private static let pieceCount = 256
  private static let pieceLength = 1 << 20

  init(
    _ session: RecordingSession,
    backend: String,
    prompts: [String],
    _ files: any FileSystem
  ) {
    self.session = session
    self.backend = backend
    self.prompts = prompts
    self.files = files
  }

  /// True before the set is created, and after it is closed.
  var isClosed: Bool { opened == nil }

  /// Creates the set if it does not exist yet.
  ///
  /// Returns true if this call created it.
  mutating func open() throws(PendingRecordings.Refusal) -> Bool {
    if opened != nil { return false }
    let opened = try session.open([backend], prompts: prompts)
    parts = opened.journals[backend]?.recorded.partDigests ?? []
    self.opened = opened
    return true
  }

  /// Adds a recording to the set.
  ///
  /// Call ``open()`` first.
  mutating func add(_ recording: Recording, of name: Name) throws(PendingRecordings.Refusal) {
    if opened?.journals[backend]?.recorded.contains(recording.slot) == true { askedAgain += 1 }
    piece += RecordingLines.entry(of: recording, besides: &parts)
    waiting.append((name, recording.slot))
    if waiting.count >= Self.pieceCount || piece.count >= Self.pieceLength { try flush() }
  }

  /// Writes the current chunk and waits until it is on disk.
  mutating func flush() throws(PendingRecordings.Refusal) {
    guard !piece.isEmpty, let journal = opened?.journals[backend] else { return }
    do throws(FileError) {
      try files.append(piece, to: journal.path, isSynced: true)
    } catch {
      // A part of the chunk may be on disk. The next import repairs the file.
      (piece, waiting) = ([], [])
      throw .file(error)
    }
    for (name, slot) in waiting { written[name, default: []].append(slot) }
    (piece, waiting) = ([], [])
  }

  /// Updates the ledger and releases the lock, if the set was created.
  mutating func close() throws(PendingRecordings.Refusal) {
    guard let opened else { return }
    self.opened = nil
    _ = try session.close(opened, askedAgain: [backend: askedAgain])
  }
}
