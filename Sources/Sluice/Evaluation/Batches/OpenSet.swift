import SluiceReporting

/// A pending set that takes recordings in pieces, and is begun with the first of them.
struct OpenSet {
  /// Where an answer is counted.
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
  /// The slots that are on the disk, by what they are counted as.
  private(set) var written: [Name: [Recording.Slot]] = [:]

  /// The most recordings and bytes that are held before they are written.
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

  /// True until the set is begun.
  var isClosed: Bool { opened == nil }

  /// Begins the set, unless it is begun; true where it was not.
  mutating func open() throws(PendingRecordings.Refusal) -> Bool {
    if opened != nil { return false }
    let opened = try session.open([backend], prompts: prompts)
    parts = opened.journals[backend]?.recorded.partDigests ?? []
    self.opened = opened
    return true
  }

  /// Adds a recording to a set that was begun.
  mutating func add(_ recording: Recording, of name: Name) throws(PendingRecordings.Refusal) {
    if opened?.journals[backend]?.recorded.contains(recording.slot) == true { askedAgain += 1 }
    piece += RecordingLines.entry(of: recording, besides: &parts)
    waiting.append((name, recording.slot))
    if waiting.count >= Self.pieceCount || piece.count >= Self.pieceLength { try flush() }
  }

  /// Writes what is held, and waits until it is on the disk.
  mutating func flush() throws(PendingRecordings.Refusal) {
    guard !piece.isEmpty, let journal = opened?.journals[backend] else { return }
    do throws(FileError) {
      try files.append(piece, to: journal.path, isSynced: true)
    } catch {
      // A part of it may be there, which the next import mends.
      (piece, waiting) = ([], [])
      throw .file(error)
    }
    for (name, slot) in waiting { written[name, default: []].append(slot) }
    (piece, waiting) = ([], [])
  }

  /// Ends the set, if it was begun.
  mutating func close() throws(PendingRecordings.Refusal) {
    guard let opened else { return }
    self.opened = nil
    _ = try session.close(opened, askedAgain: [backend: askedAgain])
  }
}
