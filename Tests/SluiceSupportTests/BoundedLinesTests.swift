import Foundation
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Lines of bounded length")
struct BoundedLinesTests {
  /// Returns the lines as received, with the text of those within the bound.
  private func lines(_ contents: FileContents, upTo bound: Int) -> [String] {
    var found: [String] = []
    contents.forEachLine(upTo: bound) { line, start in
      switch line {
      case .whole(let bytes):
        let text =
          bytes.count > 20 ? "\(bytes.count) bytes" : String(decoding: bytes, as: UTF8.self)
        found.append("\(start): \(text)")
      case .tooLong: found.append("\(start): too long")
      }
      return true
    }
    return found
  }

  private func memory(_ text: String) -> FileContents { FileContents(Array(text.utf8)) }

  @Test("Lines are delivered in order with their offsets, including a last line without a break")
  func usual() {
    #expect(lines(memory("a\nbc\n\nd"), upTo: 10) == ["0: a", "2: bc", "5: ", "6: d"])
    #expect(lines(memory("a\n"), upTo: 10) == ["0: a"])
    #expect(lines(memory(""), upTo: 10) == [])
  }

  @Test("A line beyond the bound is delivered without its text")
  func tooLong() {
    let text = "short\n" + String(repeating: "x", count: 11) + "\nend"
    #expect(lines(memory(text), upTo: 10) == ["0: short", "6: too long", "18: end"])
  }

  @Test("A line of many pieces is skipped without being stored", arguments: [true, false])
  func manyPieces(_ endsWithBreak: Bool) throws {
    let long = 3 * FileContents.pieceLength + 17
    let text =
      "a\n" + String(repeating: "x", count: long) + (endsWithBreak ? "\nb\n" : "")
    let bound = FileContents.pieceLength / 2
    #expect(
      lines(memory(text), upTo: bound)
        == ["0: a", "2: too long"] + (endsWithBreak ? ["\(long + 3): b"] : [])
    )
    // Within the bound, the complete line is delivered.
    #expect(lines(memory(text), upTo: long)[1] == "2: \(long) bytes")
  }

  @Test("Lines from disk equal those from memory")
  func disk() throws {
    let folder = try ProjectFolder()
    let text = "first\n" + String(repeating: "y", count: 700_000) + "\nlast\n"
    let files = try #require(DiskFileSystem(root: folder.path))
    try files.write(Array(text.utf8), to: ProjectPath("a.txt"))
    let contents = try files.open(ProjectPath("a.txt"))
    #expect(lines(contents, upTo: 100) == lines(memory(text), upTo: 100))
    #expect(lines(contents, upTo: 1 << 20) == lines(memory(text), upTo: 1 << 20))
  }

  @Test("A closure can stop the reading")
  func stops() {
    var count = 0
    memory("a\nb\nc\n").forEachLine(upTo: 10) { _, _ in
      count += 1
      return count < 2
    }
    #expect(count == 2)
  }
}
