package import SluiceSupport

/// The outcomes of cases in the committed versions of baselines.
package struct BaselineHistory: Sendable {
  private var versions: [ProjectPath: [BaselineVersion]]

  /// Creates a history.
  ///
  /// - Parameter versions: For each file, its versions, oldest first.
  package init(_ versions: [ProjectPath: [BaselineVersion]] = [:]) { self.versions = versions }

  /// Returns the committed versions of a suite's baseline on a backend, oldest first.
  package func versions(suite: String, backend: String) -> [BaselineVersion] {
    versions[Baseline.path(suite: suite, backend: backend)] ?? []
  }
}

/// A committed version of a baseline, with each case's outcome and the digest of its answer.
package struct BaselineVersion: Sendable {
  /// The outcome of one repeat of a case.
  package struct Entry: Sendable {
    /// The outcome, as baselines name it, such as `passed`.
    package var outcome: String
    /// True if the answer equals the answer of the trial that was passed to
    /// ``BaselineVersion/entry(of:)``.
    package var hasSameAnswer: Bool
    /// True if the case had other contents in this version.
    package var isOtherCase: Bool
  }

  private struct Place: Hashable {
    var caseID: ExactString
    var repetition: Int
  }

  private struct Line {
    var caseVersion: DigestText
    var outcome: String
    var answer: DigestText?
  }

  /// The full id of the commit.
  package let commit: String
  /// The time of the commit.
  package let date: Timestamp
  /// The name of the prompt.
  package let prompt: String
  /// True if the file in the working tree is equal to this version.
  package let isCurrent: Bool
  private let lines: [Place: Line]

  /// Reads a committed baseline; returns `nil` if the file is not a baseline.
  ///
  /// Only a few members of each line are parsed, because a page shows many versions.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - commit: The full id of the commit.
  ///   - date: The time of the commit.
  ///   - isCurrent: True if the file in the working tree is equal to this version.
  package init?(_ bytes: [UInt8], commit: String, date: Timestamp, isCurrent: Bool) {
    var (prompt, lines): (String?, [Place: Line]) = (nil, [:])
    var isFirst = true
    var isReadable = true
    FileContents(bytes).forEachLine { (line, _) throws(Never) in
      guard isReadable else { return }
      let text = line.assumingMemoryBound(to: UInt8.self)
      if isFirst {
        isFirst = false
        let header = try? JSONReader.value(text)
        if header?["kind"]?.string != Baseline.kind {
          isReadable = false
        } else {
          prompt = header?["prompts"]?.array?.first?["name"]?.string
        }
      } else if let (place, entry) = Self.entry(text) {
        lines[place] = entry
      }
    }
    guard isReadable, let prompt else { return nil }
    (self.commit, self.date, self.isCurrent) = (commit, date, isCurrent)
    (self.prompt, self.lines) = (prompt, lines)
  }

  /// The error that stops reading a line before its scores, which are the largest part of the line.
  private static let stop = JSONSyntaxError(offset: 0, message: "nothing else is needed")
  private static let answerMember = Array(",\"response-digest\":\"".utf8)

  private static func entry(_ text: UnsafeBufferPointer<UInt8>) -> (Place, Line)? {
    var (id, version, outcome): (String?, String?, String?)
    var repetition = 1
    _ = JSONReader.readFirst(of: text) { reader throws(JSONSyntaxError) in
      try reader.readMembers { reader, name throws(JSONSyntaxError) in
        if name == "case" {
          id = try reader.readStringIfPresent()
        } else if name == "case-digest" {
          version = try reader.readStringIfPresent()
        } else if name == "outcome" {
          outcome = try reader.readStringIfPresent()
        } else if name == "repeat" {
          repetition = try reader.readValue().integer ?? 1
        } else if name == "scores" {
          throw stop
        } else {
          try reader.skipValue()
        }
      }
    }
    guard let id, let version, let outcome else { return nil }
    return (
      Place(caseID: ExactString(id), repetition: repetition),
      Line(caseVersion: DigestText(version), outcome: outcome, answer: answer(in: text))
    )
  }

  /// Returns the digest of the answer on a line, or `nil` if the line contains none.
  ///
  /// Searches the bytes for the member's name in quotes. Inside of a text, these quotes would be
  /// escaped.
  private static func answer(in text: UnsafeBufferPointer<UInt8>) -> DigestText? {
    let bytes = UnsafeRawBufferPointer(text)
    return answerMember.withUnsafeBytes { member -> DigestText? in
      var start = 0
      while start + member.count < bytes.count {
        if bytes[start] == member[0],
          UnsafeRawBufferPointer(rebasing: bytes[start..<(start + member.count)]).equals(member)
        {
          let rest = bytes[(start + member.count)...]
          return DigestText(
            String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
          )
        }
        start += 1
      }
      return nil
    }
  }

  /// Returns the outcome of a trial's case in this version, or `nil` if the version does not
  /// contain the case.
  package func entry(of trial: Trial) -> Entry? {
    let place = Place(caseID: ExactString(trial.caseID), repetition: trial.repetition)
    guard let line = lines[place] else { return nil }
    return Entry(
      outcome: line.outcome,
      hasSameAnswer: line.answer != nil && line.answer == trial.output?.storedDigest,
      isOtherCase: line.caseVersion != trial.caseVersion
    )
  }
}
