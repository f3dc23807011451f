package import SluiceSupport

/// A reader of the parts of trials that only the run log stores: explanations and texts.
///
/// If trials are read in the order of the log, a piece of the file is read once and then reused.
package struct RunLogReader {
  private let file: FileContents
  /// The piece of the file that was read last, with its offset.
  @usableFromInline
  private(set) var piece: (bytes: [UInt8], start: Int) = ([], 0)
  private let pieceLength: Int

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - file: The log.
  ///   - readsAll: True if most trials will be read; false if only some trials will be read.
  package init(_ file: FileContents, readsAll: Bool = false) {
    self.file = file
    pieceLength = readsAll ? 1 << 17 : 0
  }

  /// The texts of a trial in the log, as JSON values.
  ///
  /// They are valid only until the closure that receives them returns.
  @usableFromInline
  package struct Texts {
    package var scores: UnsafeRawBufferPointer
    /// The text value; empty if there is no text.
    package var text: UnsafeRawBufferPointer

    @usableFromInline
    init(_ place: RunLogPlace, in line: UnsafeRawBufferPointer) {
      func part(_ range: Range<UInt32>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: line[Int(range.lowerBound)..<Int(range.upperBound)])
      }
      scores = part(place.scores)
      text = part(place.text)
    }
  }

  /// Passes the texts of a trial to a closure.
  ///
  /// - Returns: The result of the closure. Nil if all parts of the trial are in memory, or if the
  ///   log was truncated.
  @inlinable
  package mutating func withTexts<Result>(of trial: Trial, _ body: (Texts) -> Result) -> Result? {
    guard let place = trial.place, let line = read(place) else { return nil }
    return piece.bytes.withUnsafeBytes { bytes in
      body(Texts(place, in: UnsafeRawBufferPointer(rebasing: bytes[line])))
    }
  }

  /// Reads the line at a location into the piece, unless the piece already contains it.
  ///
  /// - Returns: The range of the line in the piece; nil if the log was truncated.
  @usableFromInline
  mutating func read(_ place: RunLogPlace) -> Range<Int>? {
    let length = Int(place.length)
    if place.start < piece.start || place.start + length > piece.start + piece.bytes.count {
      let end = min(file.count, place.start + max(pieceLength, length))
      // The old piece is freed first, so that the next one can reuse its memory.
      piece.bytes = []
      piece = (file.bytes(place.start..<max(end, place.start)), place.start)
    }
    let start = place.start - piece.start
    return start + length <= piece.bytes.count ? start..<start + length : nil
  }

  /// Returns the trial with the parts that only the log stores.
  package mutating func whole(_ trial: Trial) -> Trial {
    guard trial.place != nil else { return trial }
    var facts = trial.facts
    let explained = withTexts(of: trial) { texts in
      (
        scores: Self.explained(trial.scores, by: texts.scores),
        text: texts.text.isEmpty ? "" : (try? JSONReader.value(texts.text))?.string
      )
    }
    if let scores = explained?.scores, let text = explained?.text {
      facts.sheet = ScoreSheet(scores)
      let excerpt = Trial.Output.excerpt(of: text)
      facts.output?.excerpt = excerpt
      facts.output?.isCut = excerpt.utf8.count != text.utf8.count
    } else {
      facts.sheet = ScoreSheet(
        trial.scores.map { named in
          var named = named
          named.score.explanation = "the run log can no longer be read"
          return named
        }
      )
    }
    facts.place = nil
    return Trial(facts)
  }

  /// Returns scores with their explanations from the log.
  ///
  /// Nil if the log cannot be read, or contains a different number of scores.
  private static func explained(
    _ scores: [Trial.NamedScore],
    by text: UnsafeRawBufferPointer
  ) -> [Trial.NamedScore]? {
    guard let explanations = explanations(in: text), explanations.count == scores.count else {
      return nil
    }
    return zip(scores, explanations).map { named, explanation in
      var named = named
      if !explanation.isEmpty { named.score.explanation = explanation }
      return named
    }
  }

  /// Returns the explanations of the scores in the log.
  ///
  /// If a score has no explanation, the element is empty. Nil if the scores cannot be read.
  package static func explanations(in scores: UnsafeRawBufferPointer) -> [String]? {
    var explanations: [String] = []
    do throws(JSONSyntaxError) {
      try JSONReader.read(scores) { reader throws(JSONSyntaxError) in
        try reader.readElements { reader throws(JSONSyntaxError) in
          var explanation = ""
          try reader.readMembers { reader, name throws(JSONSyntaxError) in
            if name == "explanation" {
              explanation = try reader.readString()
            } else {
              try reader.skipValue()
            }
          }
          explanations.append(explanation)
        }
      }
    } catch {
      return nil
    }
    return explanations
  }
}
