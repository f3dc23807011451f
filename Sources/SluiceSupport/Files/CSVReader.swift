/// The reader of tables of comma-separated values (RFC 4180), as cells with source positions.
///
/// Lines end with CRLF or LF, the last line break may be missing, and a byte-order mark at the
/// start is skipped. A cell keeps its spaces and, within quotes, its line breaks.
package enum CSVReader {
  /// A field of a row.
  package struct Cell: Hashable, Sendable {
    package var text: String
    package var position: SourcePosition
  }

  /// A problem in a table, with its position.
  package struct Problem: Hashable, Sendable {
    package var position: SourcePosition
    package var message: String
    package var fix: String?
  }

  /// Reads a table.
  ///
  /// - Parameter bytes: The text of the file.
  /// - Returns: The header row, every row that has the same number of cells as the header, and the
  ///   problems with all other rows. There are no rows if the bytes are not valid UTF-8.
  package static func read(_ bytes: [UInt8]) -> (rows: [[Cell]], problems: [Problem]) {
    if let offset = UTF8Text.firstInvalidByte(in: bytes) {
      let position = SourcePosition(offset: offset, in: bytes)
      let fix = "save the file as UTF-8"
      return ([], [Problem(position: position, message: "not valid UTF-8", fix: fix)])
    }
    return bytes.withUnsafeBufferPointer { buffer in
      var scanner = Scanner(buffer)
      scanner.readRows()
      return (scanner.rows, scanner.problems)
    }
  }

  private struct Scanner {
    var rows: [[Cell]] = []
    var problems: [Problem] = []

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index: Int
    private var tracker = PositionTracker(line: 1)
    /// True if the closing quote of a cell is missing, so that the rest of the file is unreadable.
    private var isCutShort = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      self.bytes = bytes
      index = UTF8Text.startsWithByteOrderMark(bytes) ? 3 : 0
    }

    mutating func readRows() {
      while index < bytes.count {
        let start = here()
        let isBlank = lineBreakLength(at: index) > 0
        let before = problems.count
        let row = readRow()
        guard !isCutShort else { return }
        let width = rows.first?.count ?? row.count
        // Misplaced quotes also make the number of cells wrong; one report per row is enough.
        if problems.count > before + 1 { problems.removeLast(problems.count - before - 1) }
        guard row.count == width else {
          if problems.count == before { report(row, width, at: start, isBlank: isBlank) }
          continue
        }
        rows.append(row)
      }
    }

    private mutating func report(
      _ row: [Cell],
      _ width: Int,
      at start: SourcePosition,
      isBlank: Bool
    ) {
      if isBlank {
        return report("the line is empty", at: start, fix: "remove it")
      }
      let message = "the row has \(cells(row.count)), but the header has \(width) columns"
      guard row.count > width else {
        let fix = "add the missing cells; an empty cell also needs its ','"
        return report(message, at: start, fix: fix)
      }
      // A comma within prose is usually followed by a space.
      let extra = row.count - width
      let parts = row.indices.filter { row[$0].text.hasPrefix(" ") }
      guard parts.count == extra, let first = parts.first, first > 0,
        parts == Array(first..<(first + extra))
      else {
        let fix = "put the cell that contains a ',' in double quotes"
        return report(message, at: start, fix: fix)
      }
      let cell = row[(first - 1)..<(first + extra)].map(\.text).joined(separator: ",")
      report(message, at: row[first - 1].position, fix: "put the cell in quotes: \"\(cell)\"")
    }

    /// Reads a row and the line break at its end.
    private mutating func readRow() -> [Cell] {
      var row: [Cell] = []
      while true {
        row.append(readCell())
        guard index < bytes.count, bytes[index] == comma else { break }
        index += 1
      }
      index += lineBreakLength(at: index)
      return row
    }

    private mutating func readCell() -> Cell {
      let start = here()
      guard index < bytes.count, bytes[index] == quote else {
        return Cell(text: String(decoding: readPlainText(), as: UTF8.self), position: start)
      }
      var text = readQuotedText(from: start)
      if !isCutShort, !isAtEndOfCell {
        report(
          "text after the closing quote",
          at: here(),
          fix: "put the whole cell in quotes, and write each quote inside it twice"
        )
        text.append(contentsOf: readPlainText(reportsProblems: false))
      }
      return Cell(text: String(decoding: text, as: UTF8.self), position: start)
    }

    private mutating func readPlainText(reportsProblems: Bool = true) -> Slice<
      UnsafeBufferPointer<UInt8>
    > {
      let start = index
      var reports = reportsProblems
      while !isAtEndOfCell {
        // Quotes come in pairs, and one fix covers all quotes of a cell. So each cell gets one
        // report.
        if reports, bytes[index] == quote {
          report(
            "a quotation mark inside an unquoted cell",
            at: here(),
            fix: "put the whole cell in quotes, and write each quote inside it twice"
          )
          reports = false
        } else if reports, bytes[index] == carriageReturn {
          report(
            "a carriage return without a line feed",
            at: here(),
            fix: "end the lines with a line feed, or put the cell in quotes"
          )
          reports = false
        }
        index += 1
      }
      return bytes[start..<index]
    }

    private mutating func readQuotedText(from start: SourcePosition) -> [UInt8] {
      var text: [UInt8] = []
      index += 1
      var runStart = index
      while index < bytes.count {
        guard bytes[index] == quote else {
          index += 1
          continue
        }
        text.append(contentsOf: bytes[runStart..<index])
        guard index + 1 < bytes.count, bytes[index + 1] == quote else {
          index += 1
          return text
        }
        // The second quote of a doubled quote is part of the text.
        runStart = index + 1
        index += 2
      }
      report("the quote is not closed", at: start, fix: "add the closing quote")
      isCutShort = true
      return text
    }

    private var isAtEndOfCell: Bool {
      index >= bytes.count || bytes[index] == comma || lineBreakLength(at: index) > 0
    }

    private func lineBreakLength(at index: Int) -> Int {
      guard index < bytes.count else { return 0 }
      if bytes[index] == lineFeed { return 1 }
      guard bytes[index] == carriageReturn, index + 1 < bytes.count, bytes[index + 1] == lineFeed
      else { return 0 }
      return 2
    }

    private mutating func here() -> SourcePosition { tracker.advance(to: index, in: bytes) }

    private mutating func report(_ message: String, at position: SourcePosition, fix: String?) {
      problems.append(Problem(position: position, message: message, fix: fix))
    }

    private func cells(_ count: Int) -> String { count == 1 ? "1 cell" : "\(count) cells" }
  }
}

private let comma = UInt8(ascii: ",")
private let quote = UInt8(ascii: "\"")
private let carriageReturn: UInt8 = 0x0D
private let lineFeed: UInt8 = 0x0A
