/// Confusion matrices in words.
package enum ConfusionText {
  /// Up to how many labels a whole matrix can be read.
  private static let mostLabels = 12
  private static let mostPairs = 20

  /// A matrix as a table; of many labels, the pairs that were taken for each other most often.
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
    var pairs: [(expected: String, given: String, count: Int)] = []
    for (row, label) in matrix.labels.enumerated() {
      let expected = MarkdownText.code(label)
      for (column, count) in matrix.counts[row].enumerated() where count > 0 && column != row {
        pairs.append((expected, MarkdownText.code(matrix.labels[column]), count))
      }
      for other in matrix.others where other.counts[row] > 0 {
        pairs.append((expected, other.name, other.counts[row]))
      }
    }
    if pairs.isEmpty { return "Every label is the expected one.\n" }
    let order = pairs.indices.sorted { (pairs[$1].count, $0) < (pairs[$0].count, $1) }
    var text = "| expected | given | cases |\n| --- | --- | --- |\n"
    for place in order.prefix(mostPairs) {
      text += "| \(pairs[place].expected) | \(pairs[place].given) | \(pairs[place].count) |\n"
    }
    let more = pairs.count - mostPairs
    return more > 0 ? text + "\nand \(more) more pairs, in report.json\n" : text
  }
}
