import Foundation
import SluiceSupport
import Testing
import TestSupport

@Suite("File contents")
struct FileContentsTests {
  private let folder: ProjectFolder
  private let system: DiskFileSystem
  private let path = ProjectPath("a")

  init() throws {
    folder = try ProjectFolder()
    system = try #require(DiskFileSystem(root: folder.path))
  }

  /// The same bytes in memory and on disk.
  private func both(_ bytes: [UInt8]) throws -> [FileContents] {
    try system.write(bytes, to: path)
    return [FileContents(bytes), try system.open(path)]
  }

  private func lines(_ contents: FileContents, from start: Int = 0) -> [(text: String, start: Int)]
  {
    var lines: [(String, Int)] = []
    contents.forEachLine(from: start) { line, start in
      lines.append((String(decoding: line, as: UTF8.self), start))
    }
    return lines
  }

  @Test(
    "Lines are delivered without line breaks, each with its offset",
    arguments: [
      ("", [], []), ("\n", [""], [0]), ("a", ["a"], [0]), ("a\n", ["a"], [0]),
      ("a\nbc", ["a", "bc"], [0, 2]), ("\n\na\r\n", ["", "", "a\r"], [0, 1, 2]),
    ] as [(String, [String], [Int])]
  )
  func lines(text: String, expected: [String], starts: [Int]) throws {
    for contents in try both(Array(text.utf8)) {
      #expect(contents.count == text.utf8.count)
      #expect(lines(contents).map(\.text) == expected)
      #expect(lines(contents).map(\.start) == starts)
    }
  }

  @Test(
    "Lines are complete across all piece borders and at any length",
    arguments: [
      [1 << 18], [(1 << 18) - 1, 5], [(1 << 18) - 2, 0, 5], [1 << 18, 1 << 18], [1 << 20, 3],
      [3, 700_000, 3, 0, 300_000], Array(repeating: 1_000, count: 600),
    ]
  )
  func pieces(lengths: [Int]) throws {
    let texts = lengths.enumerated().map { index, length in
      String(repeating: Character(Unicode.Scalar(UInt8(97 + index % 26))), count: length)
    }
    for end in ["", "\n"] {
      let whole = Array((texts.joined(separator: "\n") + end).utf8)
      for contents in try both(whole) {
        let found = lines(contents)
        #expect(found.map(\.text) == texts)
        #expect(
          found.allSatisfy {
            Array(whole[$0.start...].prefix($0.text.utf8.count)) == Array($0.text.utf8)
          }
        )
      }
    }
  }

  @Test("Lines can be read from an offset")
  func from() throws {
    for contents in try both(Array("ab\ncd\nef".utf8)) {
      #expect(lines(contents, from: 3).map(\.text) == ["cd", "ef"])
      #expect(lines(contents, from: 8).isEmpty)
    }
  }

  @Test("A range of bytes is read up to the end of the file")
  func parts() throws {
    for contents in try both(Array("abcdef".utf8)) {
      #expect(contents.bytes(0..<6) == Array("abcdef".utf8))
      #expect(contents.bytes(2..<4) == Array("cd".utf8))
      #expect(contents.bytes(3..<3) == [])
      #expect(contents.bytes(4..<9) == Array("ef".utf8))
      #expect(contents.bytes(8..<9) == [])
      #expect(throws: FileError(path: path, reason: "why")) {
        try contents.withBytes(0..<2) { (_) throws(FileError) in
          throw FileError(path: path, reason: "why")
        }
      }
    }
  }

  @Test("An error of the closure stops the reading")
  func thrown() throws {
    for contents in try both(Array("a\nb\nc\n".utf8)) {
      var count = 0
      #expect(throws: FileError(path: path, reason: "why")) {
        try contents.forEachLine { (_, _) throws(FileError) in
          count += 1
          if count == 2 { throw FileError(path: path, reason: "why") }
        }
      }
      #expect(count == 2)
    }
  }

  @Test("A file that is replaced after it was opened keeps its old contents")
  func replaced() throws {
    try system.write(Array("old\nlines\n".utf8), to: path)
    let contents = try system.open(path)
    try system.write(Array("new".utf8), to: path)
    #expect(lines(contents).map(\.text) == ["old", "lines"])
    try system.remove(path)
    #expect(lines(contents).map(\.text) == ["old", "lines"])
  }

  @Test("A file that is truncated while open ends at its new end", arguments: [0, 2, 3, 7])
  func cutShort(length: Int) throws {
    let text = "ab\n" + String(repeating: "c", count: 600_000) + "\nd\n"
    try system.write(Array(text.utf8), to: path)
    let contents = try system.open(path)
    try FileHandle(forWritingTo: folder.url("a")).truncate(atOffset: UInt64(length))
    let expected = text.prefix(length).split(separator: "\n").map(String.init)
    #expect(lines(contents).map(\.text) == expected)
    #expect(contents.bytes(0..<contents.count).count == length)
  }
}
