import SluiceGating

/// The text of confusion matrices.
package enum ConfusionText {
  /// The maximum number of labels for which the complete matrix is shown.
  private static let mostLabels = 12
  private static let mostPairs = 20

  /// Returns a matrix as a table.
  ///
  /// If there are many labels, the table has only the most frequent confusions.
  package static func markdown(_ matrix: ConfusionMatrix) -> String {
    matrix.labels.count <= mostLabels ? table(matrix) : pairs(matrix)
  }

  private static func table(_ matrix: ConfusionMatrix) -> String {
    let others = matrix.others
    let head = matrix.labels.map(MarkdownText.code) + others.map(\.name)
    var text = "| expected | \(head.joined(separator: " | ")) |\n"
    text += "| --- |\(String(repeating: " --- |", count: head.count))\n"
    for (row, label) in matrix.labels.enumerated() {
      let numbers = matrix.counts[row] + others.map { $0.counts[row] }
      let cells = numbers.map { $0 == 0 ? "" : String($0) }
      text += "| \(MarkdownText.code(label)) | \(cells.joined(separator: " | ")) |\n"
    }
    return text
  }

  private static func pairs(_ matrix: ConfusionMatrix) -> String {
    let pairs = matrix.mistakes
    if pairs.isEmpty { return "All given labels are the expected ones.\n" }
    var text = "| expected | given | cases |\n| --- | --- | --- |\n"
    let labels = Set(matrix.labels)
    for pair in pairs.prefix(mostPairs) {
      // A placeholder for an answer without a label is our own text, so it is not shown as code.
      let given = labels.contains(pair.given) ? MarkdownText.code(pair.given) : pair.given
      text += "| \(MarkdownText.code(pair.expected)) | \(given) | \(pair.count) |\n"
    }
    let more = pairs.count - mostPairs
    return more > 0 ? text + "\nand \(more) more pairs, in report.json\n" : text
  }
}
