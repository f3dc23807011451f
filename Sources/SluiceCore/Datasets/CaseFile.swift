import SluiceSupport

/// A JSONL file whose cases are read again when they are needed.
///
/// The required memory grows with the number of cases, but not with their length.
package final class CaseFile: Sendable {
  private let path: String
  private let contents: FileContents
  /// The texts of the files that cases reference, which stay in memory.
  let texts: CaseTexts

  init(_ file: SourceFile, texts: CaseTexts) {
    path = file.path
    contents = file.contents
    self.texts = texts
  }

  /// A line of the file.
  struct Line: Sendable {
    /// The offset of the line in bytes.
    var offset: Int
    /// The length of the line in bytes.
    var count: UInt32
    /// A checksum that detects whether the line changed after it was checked.
    var checksum: UInt32
    /// The line number in the file, from 1.
    var number: UInt32

    init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, number: Int) {
      self.offset = offset
      self.number = UInt32(clamping: number)
      count = UInt32(clamping: bytes.count)
      checksum = QuickChecksum.of(UnsafeRawBufferPointer(bytes))
    }
  }

  /// The reason why a case cannot be read again.
  package struct Changed: Error, CustomStringConvertible {
    package var path: String

    package var description: String { "\(path) changed while the suite ran" }
  }

  /// Passes a line to a closure.
  ///
  /// - Throws: ``Changed`` if the line has changed.
  func withLine<Result>(_ line: Line, _ body: (UnsafeBufferPointer<UInt8>) -> Result?)
    throws(Changed) -> Result
  {
    let result = Self.window.withObject { window in
      window.withBytes(of: line, in: self) { bytes in
        QuickChecksum.of(UnsafeRawBufferPointer(bytes)) == line.checksum ? body(bytes) : nil
      }
    }
    guard let result else { throw Changed(path: path) }
    return result
  }

  /// Returns the content of the case on a line, from the cache if that case was read last.
  func content(at line: Line) throws(Changed) -> CaseLine.Content {
    let content: CaseLine.Content? = Self.window.withObject { window in
      if window.file === self, window.contentOffset == line.offset, let known = window.content {
        return known
      }
      window.content = window.withBytes(of: line, in: self) { bytes in
        QuickChecksum.of(UnsafeRawBufferPointer(bytes)) == line.checksum
          ? CaseLine.Content(bytes, texts, &window.expected) : nil
      }
      window.contentOffset = line.offset
      return window.content
    }
    guard let content else { throw Changed(path: path) }
    return content
  }

  // MARK: Window

  // Cases are read in order, and each case several times: for its request, its scorers and every
  // trial. So each thread keeps a part of the file and the last case.
  private static let window = PerThread { Window() }

  /// The part of a file that a thread is reading, and the last case that was read from it.
  private final class Window {
    var file: CaseFile?
    var content: CaseLine.Content?
    var contentOffset = 0
    /// The expectations whose text occurs in several cases, each stored once.
    var expected = KnownTexts<JSONValue>()
    private var start = 0
    private var bytes: [UInt8] = []
    private static let length = 1 << 16

    func withBytes<Result>(
      of line: Line,
      in wanted: CaseFile,
      _ body: (UnsafeBufferPointer<UInt8>) -> Result?
    ) -> Result? {
      let count = Int(line.count)
      if file !== wanted || line.offset < start || line.offset + count > start + bytes.count {
        file = wanted
        content = nil
        start = line.offset
        let end = min(wanted.contents.count, start + max(count, Self.length))
        // The old part is freed first, so that the next one can reuse its memory.
        bytes = []
        bytes = wanted.contents.bytes(start..<max(start, end))
      }
      let first = line.offset - start
      guard first + count <= bytes.count else { return nil }
      return bytes.withUnsafeBufferPointer {
        body(UnsafeBufferPointer(rebasing: $0[first..<(first + count)]))
      }
    }
  }
}
