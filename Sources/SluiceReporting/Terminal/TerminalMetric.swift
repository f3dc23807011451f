import SluiceGating

extension TerminalLines {
  /// The width of names in front of their values.
  ///
  /// The width is smaller in a narrow terminal.
  static var nameWidth: Int { min(34, max(12, width - 46)) }

  /// Returns a name with its value, on separate lines if the name is long.
  static func row(_ name: String, _ rest: String) -> String {
    let visible = opening(name)
    guard TerminalText.width(of: visible) >= nameWidth else {
      return "  \(TerminalText.pad(visible, to: nameWidth))\(rest)"
    }
    let space = String(repeating: " ", count: nameWidth + 2)
    return (wrap(name, indent: 2) + ["\(space)\(rest)"]).joined(separator: "\n")
  }

  /// Returns a name with a text.
  ///
  /// The following lines of a long text are indented.
  static func wrappedRow(_ name: String, _ text: String) -> String {
    row(name, wrap(text, indent: nameWidth + 2).joined(separator: "\n").trimmed)
  }

  /// Returns a metric with its estimate, or with the reason why the estimate is unknown.
  static func metric(_ metric: ColumnResult.NamedEstimate, _ style: TerminalStyle) -> String {
    guard let value = metric.estimate.value else {
      let lines = wrap("unknown: \(metric.estimate.unknown ?? "")", indent: nameWidth + 2)
      return row(metric.name, style.dim(lines.joined(separator: "\n").trimmed))
    }
    let number = TerminalText.pad(NumberText.text(value, metric.quantity), to: 7, right: true)
    let interval = TerminalText.pad(
      metric.estimate.interval.map { NumberText.text($0, metric.quantity) } ?? "",
      to: 17
    )
    let n =
      "n \(metric.estimate.n)\(metric.estimate.clusters.map { "/\($0)" } ?? "")\(metric.isAdvisory ? ", advisory" : "")"
    return row(metric.name, "\(number)  \(style.dim("\(interval) \(n)"))")
  }
}

extension Mix {
  /// The calls of the mix, such as `40 inbox, 6 summary: 46 requests`.
  var callsText: String {
    calls.map { "\($0.count) \($0.suite)" }.joined(separator: ", ")
      + ": \(TerminalLines.count(requestCount, "request"))"
  }
}
