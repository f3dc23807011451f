import Foundation
import Testing

/// A Markdown page of this repository.
struct DocumentPage: CustomTestStringConvertible, Sendable {
  /// The path relative to the root of the repository.
  var path: String
  var lines: [Line]

  var testDescription: String { path }

  struct Line: Sendable {
    var number: Int
    var text: String
    /// True inside a fenced block of code, including its fences.
    var isCode: Bool
  }

  /// A fenced block of code.
  struct Block {
    var language: String
    var text: String
    /// The number of the line of its opening fence.
    var line: Int
    /// The number of the line of its closing fence.
    var end: Int
  }

  /// Reads a page.
  init(_ path: String) throws {
    self.path = path
    let url = ScratchProject.repository.appending(path: path)
    var isCode = false
    lines = try String(contentsOf: url, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
      .map { index, text in
        let isFence = text.drop { $0 == " " }.hasPrefix("```")
        defer { if isFence { isCode.toggle() } }
        return Line(number: index + 1, text: String(text), isCode: isCode || isFence)
      }
  }

  /// The pages of the repository, starting with those under `docs/`.
  static let all: [DocumentPage] = {
    let roots = ["docs", "", "prompts", "datasets", "reports", "Benchmarks"]
    return roots.flatMap { root in
      paths(in: root).compactMap { try? DocumentPage($0) }
    }
  }()

  /// The pages directly in `docs/`.
  static var guides: [DocumentPage] {
    all.filter { $0.path.hasPrefix("docs/") && $0.path.split(separator: "/").count == 2 }
  }

  /// Returns the paths of a folder's Markdown files; for the root, only those directly in it.
  private static func paths(in root: String) -> [String] {
    let folder = ScratchProject.repository.appending(path: root)
    let manager = FileManager.default
    let names =
      root.isEmpty
      ? (try? manager.contentsOfDirectory(atPath: folder.path)) ?? []
      : (try? manager.subpathsOfDirectory(atPath: folder.path)) ?? []
    // Reports of runs are not committed.
    return names.filter { $0.hasSuffix(".md") && !$0.hasPrefix("latest/") }.sorted()
      .map { root.isEmpty ? $0 : "\(root)/\($0)" }
  }

  /// The fenced blocks of code, in order.
  var blocks: [Block] {
    var blocks: [Block] = []
    var open: Block?
    for line in lines where line.isCode {
      let text = line.text.drop { $0 == " " }
      if var block = open {
        if text.hasPrefix("```") {
          block.end = line.number
          blocks.append(block)
          open = nil
        } else {
          open?.text += line.text + "\n"
        }
      } else {
        open = Block(language: String(text.dropFirst(3)), text: "", line: line.number, end: 0)
      }
    }
    return blocks
  }

  /// The text outside fenced blocks, with a line break after each line.
  var prose: String { lines.filter { !$0.isCode }.map { $0.text + "\n" }.joined() }

  /// The anchors of the page's headings, as GitHub generates them.
  var anchors: Set<String> {
    var anchors: Set<String> = []
    for line in lines where !line.isCode && line.text.hasPrefix("#") {
      let title = line.text.drop { $0 == "#" }.lowercased().trimmingCharacters(in: .whitespaces)
      let kept = title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
      let anchor = kept.replacingOccurrences(of: " ", with: "-")
      var unique = anchor
      var count = 0
      while !anchors.insert(unique).inserted {
        count += 1
        unique = "\(anchor)-\(count)"
      }
    }
    return anchors
  }
}
