import SluiceGating

/// The wording about recordings in all reports.
enum RecordingText {

  /// Returns sentences that a reader should know before trusting recorded answers.
  static func notes(_ summary: RecordingSummary) -> [String] {
    var notes: [String] = []
    if summary.unaccepted > 0 {
      notes.append(
        "\(answers(summary.unaccepted)) pending, not accepted yet"
      )
    }
    if let old = summary.old {
      notes.append(
        "\(answers(old.count)) from before \(old.limit), the oldest from \(old.oldest): older "
          + "than 'warn-after' in sluice.yaml allows, so record them again"
      )
    }
    if summary.unacceptedVerdicts > 0 {
      notes.append(
        "\(TerminalLines.count(summary.unacceptedVerdicts, "recorded verdict")) pending, not "
          + "accepted yet"
      )
    }
    notes += summary.verdictMisses.map { group in
      "\(TerminalLines.count(group.count, "answer")) unscored by \(group.scorer) (advisory), "
        + "first in \(group.testCase): \(group.reason)"
    }
    return notes + sets(summary.sets)
  }

  /// Returns sentences on rejected sets of recordings, and on answers that were requested again.
  ///
  /// Returns an empty list if no set was rejected and no answer was requested again.
  static func sets(_ sets: RecordingSummary.Sets, since: String = " so far") -> [String] {
    guard sets.rejected > 0 || sets.askedAgain > 0 else { return [] }
    var parts = ["\(TerminalLines.count(sets.accepted + sets.rejected, "recorded set"))\(since)"]
    if sets.rejected > 0 { parts.append("\(sets.rejected) rejected") }
    if sets.askedAgain > 0 {
      parts.append("\(TerminalLines.count(sets.askedAgain, "answer")) requested more than once")
    }
    return [parts.joined(separator: ", ")]
  }

  private static func answers(_ count: Int) -> String {
    count == 1 ? "1 answer is" : "\(count) answers are"
  }

  /// Returns a phrase for the most similar recording, or `nil` if there is none.
  static func nearest(_ group: RecordingSummary.MissGroup) -> String? {
    group.nearest.map { nearest in
      let other = nearest.testCase == group.testCase ? "" : " for \(nearest.testCase)"
      return "the recording most similar to \(group.testCase) is from \(nearest.day)\(other) with "
        + nearest.prompt
    }
  }

  /// Returns a way to keep the recordings, or `nil` if the answers must be recorded again.
  static func keeping(_ nearest: RecordingSummary.MissGroup.Nearest) -> String? {
    nearest.formerBackend.map {
      "to keep these recordings, name the backend '\($0)' again: its name is part of each request's key"
    }
  }

  /// Returns the differences between two requests, part by part.
  ///
  /// - Parameters:
  ///   - difference: The difference.
  ///   - most: The maximum number of lines of each part.
  ///   - width: The maximum number of characters of each line.
  /// - Returns: The lines.
  static func difference(
    _ difference: RequestDifference,
    most: Int = 8,
    width: Int = 200
  ) -> [String] {
    difference.parts.flatMap { part -> [String] in
      let (shown, left) = shown(part.lines, most: most)
      var lines = fitted(shown, to: width)
      if left > 0 { lines.append("  and \(left) more lines") }
      return ["\(part.name):"] + lines.map { "  \($0)" }
    }
  }

  /// Returns the first lines of a part, and the number of lines that are left out.
  ///
  /// If all first lines are removed lines, the last of them are replaced with the first added
  /// lines, and vice versa. Otherwise, a long deletion would hide the text that replaces it.
  private static func shown(_ lines: [String], most: Int) -> (lines: [String], left: Int) {
    let first = lines.prefix(most)
    for sign in ["- ", "+ "] where !first.contains(where: { $0.hasPrefix(sign) }) {
      let others = lines.dropFirst(most).filter { $0.hasPrefix(sign) }.prefix(most / 3)
      if others.isEmpty { continue }
      let kept = most - others.count - 1
      return (first.prefix(kept) + ["  …"] + others, lines.count - kept - others.count)
    }
    return (Array(first), lines.count - first.count)
  }

  /// Truncates the lines of a difference to a width.
  ///
  /// If truncation would hide the difference between two lines, their common start is left out.
  private static func fitted(_ lines: [String], to width: Int) -> [String] {
    var lines = lines
    var index = 0
    while index < lines.count {
      let removed = lines[index...].prefix { $0.hasPrefix("- ") }.count
      let added = lines[(index + removed)...].prefix { $0.hasPrefix("+ ") }.count
      for old in index..<(index + min(removed, added)) {
        let new = old + removed
        let shared = zip(lines[old].dropFirst(2), lines[new].dropFirst(2)).prefix { $0 == $1 }.count
        let hidden = shared - width / 3
        guard hidden > 0, max(lines[old].count, lines[new].count) > width else { continue }
        for place in [old, new] {
          lines[place] = lines[place].prefix(2) + "…" + lines[place].dropFirst(2 + hidden)
        }
      }
      index += max(1, removed + added)
    }
    return lines.map { $0.count > width ? $0.prefix(width) + "…" : $0 }
  }

  /// Returns sentences on the answers that were recorded since a revision.
  static func notes(_ change: RecordedChange) -> [String] {
    let own = sets(change.sets, since: "").map { "in this change: \($0)" }
    if change.added + change.again == 0 { return own }
    var text = "recorded in this change: \(change.added + change.again) of "
    text += TerminalLines.count(change.answers, "answer")
    if change.again > 0 {
      text +=
        ", \(change.again) of them again for a request that already had a recording"
    }
    return [text] + own
  }
}

extension JSONReport {
  /// Returns the summary of recordings, or `nil` if there is nothing to report.
  static func recordings(_ summary: RecordingSummary) -> JSONValue? {
    if summary == RecordingSummary() { return nil }
    var object: JSONObject = [
      "unaccepted": .number(Double(summary.unaccepted)), "sets": sets(summary.sets),
    ]
    object.set(
      "old",
      summary.old.map { old in
        [
          "count": .number(Double(old.count)), "oldest": .string(old.oldest),
          "limit": .string(old.limit),
        ]
      }
    )
    if !summary.misses.isEmpty { object["misses"] = .array(summary.misses.map(miss)) }
    if summary.unacceptedVerdicts > 0 {
      object["unaccepted-verdicts"] = .number(Double(summary.unacceptedVerdicts))
    }
    if !summary.verdictMisses.isEmpty {
      object["verdict-misses"] = .array(
        summary.verdictMisses.map { group in
          [
            "scorer": .string(group.scorer), "reason": .string(group.reason),
            "count": .number(Double(group.count)), "case": .string(group.testCase),
          ]
        }
      )
    }
    return .object(object)
  }

  private static func miss(_ group: RecordingSummary.MissGroup) -> JSONValue {
    var object: JSONObject = [
      "reason": .string(group.reason), "count": .number(Double(group.count)),
      "prompt": .string(group.prompt), "backend": .string(group.backend),
      "case": .string(group.testCase),
    ]
    object.set("nearest", nearest(group))
    return .object(object)
  }

  /// Returns the most similar recording and its differences from the request, or `nil` if there is
  /// no recording.
  static func nearest(_ group: RecordingSummary.MissGroup) -> JSONValue? {
    group.nearest.map { nearest in
      [
        "recorded": .string(nearest.day), "case": .string(nearest.testCase),
        "prompt": .string(nearest.prompt),
        "difference": .array(
          nearest.difference.parts.map { part in
            ["part": .string(part.name), "lines": .array(part.lines.map(JSONValue.string))]
          }
        ),
      ]
    }
  }

  static func sets(_ sets: RecordingSummary.Sets) -> JSONValue {
    [
      "accepted": .number(Double(sets.accepted)), "rejected": .number(Double(sets.rejected)),
      "asked-again": .number(Double(sets.askedAgain)),
    ]
  }

  static func recorded(_ change: RecordedChange) -> JSONValue {
    [
      "answers": .number(Double(change.answers)), "added": .number(Double(change.added)),
      "again": .number(Double(change.again)),
      "cases": .array(change.cases.map(JSONValue.string)), "sets": sets(change.sets),
    ]
  }
}
