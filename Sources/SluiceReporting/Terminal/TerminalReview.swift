import SluiceGating

/// Pending answers beside those that they would replace, for a terminal of 80 columns.
package struct TerminalReview {
  private let reviews: [RecordingReview]
  private let limit: Int?
  private let isDrift: Bool
  private let style: TerminalStyle

  /// Creates a text.
  ///
  /// - Parameters:
  ///   - reviews: What to show.
  ///   - limit: How many answers of each set are shown in full; nil for all.
  ///   - isDrift: Whether the answers were asked for again only to be compared.
  ///   - style: How the terminal shows emphasis.
  package init(
    _ reviews: [RecordingReview],
    limit: Int?,
    isDrift: Bool = false,
    style: TerminalStyle
  ) {
    self.reviews = reviews
    self.limit = limit
    self.isDrift = isDrift
    self.style = style
  }

  package var text: String {
    if reviews.isEmpty { return "Nothing was compared.\n" }
    return reviews.map { review in
      (head(review) + TerminalRecordings.origins(review.origins) + body(review)).map { $0 + "\n" }
        .joined()
    }.joined(separator: "\n")
  }

  private func head(_ review: RecordingReview) -> [String] {
    let entries = review.entries
    let same = entries.count { $0.comparison.difference?.isSame == true }
    let fresh = entries.count { $0.comparison.difference == nil }
    let changed = entries.count - same - fresh
    let place = "\(review.dataset.folder.name) on \(review.backend)"
    var counts = [isDrift ? "\(entries.count) asked again" : "\(entries.count) pending"]
    if fresh > 0 { counts.append("\(fresh) new") }
    if changed > 0 { counts.append("\(changed) with another answer") }
    if same > 0 { counts.append("\(same) with the same answer") }
    return [
      style.bold(TerminalText.visible(place)) + "  " + counts.joined(separator: " · ")
    ]
  }

  private func body(_ review: RecordingReview) -> [String] {
    let shown = review.entries.filter { $0.comparison.difference?.isSame != true }
    var lines: [String] = []
    for entry in shown.prefix(limit ?? shown.count) { lines += ["", title(entry)] + detail(entry) }
    if let limit, shown.count > limit {
      lines += ["", "and \(shown.count - limit) more: --limit 0 shows all"]
    }
    return lines
  }

  private func title(_ entry: RecordingReview.Entry) -> String {
    var text = "\(entry.testCase)  \(entry.prompt)"
    if entry.repetition > 1 { text += ", repeat \(entry.repetition)" }
    switch entry.comparison {
    case .replaces: break
    case .follows(_, let parts): text += "  (changed: \(parts.joined(separator: ", ")))"
    case .new: text += "  (new)"
    }
    return TerminalText.visible(text)
  }

  private func detail(_ entry: RecordingReview.Entry) -> [String] {
    guard let difference = entry.comparison.difference else {
      var lines = (entry.text ?? "").split(separator: "\n").map { "+ \($0)" }
      if let refusal = entry.refusal { lines.append("+ refusal: \(refusal)") }
      return DifferenceLines(style).shown(lines.isEmpty ? ["+ no text"] : lines)
    }
    var lines = DifferenceLines(style).shown(difference.lines)
    if !difference.figures.isEmpty {
      lines.append("    " + TerminalText.visible(difference.figures.joined(separator: " · ")))
    }
    return lines
  }
}
