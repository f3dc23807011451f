import SluiceGating

/// The results by split of a dataset, in the wording that all reports use.
enum SplitText {
  /// Returns the name of a split, or a label for the cases without a split.
  static func name(_ part: SplitResult.Part) -> String { part.name ?? SplitResult.Part.unnamed }

  /// Returns the accuracy of each part: `without a split 83.1% of 104 · held-out 78.8% of 52`.
  static func accuracy(_ splits: SplitResult) -> String {
    splits.parts.map { part in
      let estimate = part.metrics.first { $0.name == "accuracy" }?.estimate
      let value = estimate?.value.map { NumberText.text($0, .rate) } ?? "unknown"
      return "\(name(part)) \(value) of \(estimate?.nText ?? "0")"
    }
    .joined(separator: " · ")
  }

  /// Returns a warning for each metric that is credibly worse on held-out cases.
  static func warnings(_ splits: SplitResult) -> [String] {
    splits.gaps.map { gap in
      let ends = [gap.interval.low, gap.interval.high].map { NumberText.points($0) }
      return "\(gap.name) of \(SplitResult.heldOut) cases is worse by "
        + "\(NumberText.points(gap.difference)), \(ends[0]) to \(ends[1]): the prompt may be "
        + "overfitted to the cases that were used to tune it"
    }
  }

  /// Returns a table with all metrics of all splits.
  static func markdown(_ splits: SplitResult) -> String {
    let names = splits.parts.map { part in
      "\(MarkdownText.plain(name(part))), \(TerminalLines.count(part.caseCount, "case"))"
    }
    var text = "| metric | \(names.joined(separator: " | ")) |\n"
    text += "| --- |\(String(repeating: " --- |", count: names.count))\n"
    for (place, metric) in (splits.parts.first?.metrics ?? []).enumerated() {
      let values = splits.parts.map { part in
        NumberText.text(part.metrics[place].estimate, metric.quantity)
      }
      text += "| \(MarkdownText.code(metric.name)) | \(values.joined(separator: " | ")) |\n"
    }
    return text
  }
}

extension SplitResult {
  /// The object for `report.json`.
  var json: JSONValue {
    [
      "parts": .array(
        parts.map { part in
          [
            "name": part.name.map(JSONValue.string) ?? .null,
            "cases": .number(Double(part.caseCount)),
            "metrics": .array(part.metrics.map(JSONReport.metric)),
          ]
        }
      ),
      "gaps": .array(
        gaps.map { gap in
          [
            "metric": .string(gap.name), "difference": .number(gap.difference),
            "interval": [.number(gap.interval.low), .number(gap.interval.high)],
          ]
        }
      ),
    ]
  }
}
