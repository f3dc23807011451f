import Foundation
package import Sluice
import Testing

/// A written page, split into its parts.
package struct HTMLPageFixture {
  package let text: String

  package init(
    _ result: RunResult,
    page: Int = 0,
    history: BaselineHistory = BaselineHistory(),
    casesOnPage: Int = HTMLPaging.most
  ) {
    text = Self.text { (sink) throws(FileError) in
      try HTMLReport(result, history: history, casesOnPage: casesOnPage)
        .write(page: page, to: &sink)
    }
  }

  package init(_ result: SluiceReporting.ComparisonResult, page: Int = 0) {
    text = Self.text { (sink) throws(FileError) in
      try HTMLComparison(result).write(page: page, to: &sink)
    }
  }

  package init(_ history: History) {
    text = Self.text { (sink) throws(FileError) in try HTMLHistory(history).write(to: &sink) }
  }

  private static func text(_ write: (inout FileSink) throws(FileError) -> Void) -> String {
    String(decoding: FileSink.bytes(write), as: UTF8.self)
  }

  /// Returns the part between two texts.
  package func between(_ start: String, _ end: String) throws -> String {
    let first = try #require(text.range(of: start))
    let last = try #require(text.range(of: end, range: first.upperBound..<text.endIndex))
    return String(text[first.upperBound..<last.lowerBound])
  }

  /// The page without its style, script and data.
  package var markup: String {
    get throws {
      var rest = text
      for (start, end) in [
        ("<style>", "</style>"), ("id=\"trials\">", "</script>"),
        ("id=\"cases-data\">", "</script>"), ("id=\"data\">", "</script>"),
        ("<script>", "</script>"),
      ] where rest.contains(start) {
        let first = try #require(rest.range(of: start))
        let last = try #require(rest.range(of: end, range: first.upperBound..<rest.endIndex))
        rest.removeSubrange(first.upperBound..<last.lowerBound)
      }
      return rest
    }
  }

  /// The cases, each as an array.
  package var cases: [[JSONValue]] {
    get throws {
      let data = try between("id=\"cases-data\">", "</script>")
      return try #require(try JSONReader.value(Array(data.utf8)).array).compactMap(\.array)
    }
  }

  /// The case id of each trial.
  package var caseIDs: [String] {
    get throws {
      let cases = try cases
      return try trials.compactMap { trial in trial[0].integer.flatMap { cases[$0][1].string } }
    }
  }

  /// The trials, each as an array.
  package var trials: [[JSONValue]] {
    get throws {
      let data = try between("id=\"trials\">", "</script>")
      return try #require(try JSONReader.value(Array(data.utf8)).array).compactMap(\.array)
    }
  }

  /// The values shared by the trials.
  package var shared: JSONValue {
    get throws { try JSONReader.value(Array(try between("id=\"data\">", "</script>").utf8)) }
  }
}
