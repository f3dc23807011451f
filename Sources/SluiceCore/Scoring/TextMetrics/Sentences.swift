/// A counter of sentences, for all scripts in which marks end a sentence.
///
/// A sentence ends at `.`, `!`, `?` or `…` before white space. It also ends at the end marks of
/// scripts without spaces, at a blank line, and before and after a list item. A point does not end
/// a sentence before a lower-case letter. Nor does a point that belongs to an abbreviation, an
/// initial, or the number of a list item.
enum Sentences {
  private static let ends: Set<Unicode.Scalar> = [".", "!", "?", "…", "؟", "։"]
  private static let firmEnds: Set<Unicode.Scalar> = ["。", "！", "？", "।", "｡"]
  private static let closings: Set<Unicode.Scalar> = [
    "\"", "'", ")", "]", "”", "’", "»", "«", "“", "*", "_", "`", "」", "』",
  ]
  private static let abbreviations: Set<String> = [
    "approx", "bzw", "ca", "cf", "dr", "e.g", "etc", "evtl", "fig", "ggf", "i.e", "inc", "jr",
    "ltd",
    "mr", "mrs", "ms", "nr", "p.ex", "prof", "sr", "st", "usw", "vs", "z.b", "d.h", "u.a", "no",
  ]

  /// Returns the number of sentences in a text.
  ///
  /// Parts without letters and digits do not count.
  static func count(in text: String) -> Int {
    let scalars = Array(text.unicodeScalars)
    var (count, index, lineStart) = (0, 0, 0)
    var hasWord = false
    var isItem = false
    func end() {
      if hasWord { count += 1 }
      hasWord = false
    }
    while index < scalars.count {
      let scalar = scalars[index]
      if index == lineStart, let marker = marker(scalars, at: index) {
        end()
        isItem = true
        index = marker
        continue
      }
      index += 1
      if scalar == "\n" {
        let isBlank = scalars[index...].first { $0 == "\n" || !$0.properties.isWhitespace } == "\n"
        if isItem || isBlank { end() }
        isItem = false
        lineStart = index
      } else if firmEnds.contains(scalar) {
        end()
      } else if ends.contains(scalar) {
        while index < scalars.count, ends.contains(scalars[index]) { index += 1 }
        if isEnd(scalars, at: index, scalar, hasWord) { end() }
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        hasWord = true
      }
    }
    end()
    return count
  }

  /// Returns true if the mark before an index ends a sentence.
  private static func isEnd(
    _ scalars: [Unicode.Scalar],
    at place: Int,
    _ mark: Unicode.Scalar,
    _ hasWord: Bool
  ) -> Bool {
    var next = place
    while next < scalars.count, closings.contains(scalars[next]) { next += 1 }
    guard next < scalars.count else { return true }
    guard scalars[next].properties.isWhitespace else { return false }
    guard mark == "." || mark == "…" else { return true }
    var following = next
    // Looks ahead only a few characters, because more white space does not change the result.
    while following < scalars.count, following < next + 8,
      scalars[following].properties.isWhitespace, scalars[following] != "\n"
    {
      following += 1
    }
    if following < scalars.count, scalars[following].properties.isLowercase { return false }
    return mark == "…" || !isAbbreviation(scalars, before: place - 1)
  }

  private static func isAbbreviation(_ scalars: [Unicode.Scalar], before place: Int) -> Bool {
    var start = place
    while start > 0, place - start < 8,
      scalars[start - 1].properties.isAlphabetic || scalars[start - 1] == "."
    {
      start -= 1
    }
    guard start < place else { return false }
    let word = String(String.UnicodeScalarView(scalars[start..<place]))
    if abbreviations.contains(word.lowercased()) { return true }
    // A single capital letter is an initial, except for "I", which ends many sentences.
    return place - start == 1 && scalars[start].properties.isUppercase && word != "I"
  }

  /// Returns the index just past the marker of a list item or heading; nil if the line has no
  /// marker.
  private static func marker(_ scalars: [Unicode.Scalar], at start: Int) -> Int? {
    var place = start
    while place < scalars.count, scalars[place] == " " || scalars[place] == "\t" { place += 1 }
    guard place < scalars.count else { return nil }
    let first = place
    if "-*•–+".unicodeScalars.contains(scalars[place]) {
      place += 1
    } else if scalars[place] == "#" {
      while place < scalars.count, scalars[place] == "#" { place += 1 }
    } else {
      while place < scalars.count, place < first + 3, ("0"..."9").contains(scalars[place]) {
        place += 1
      }
      guard place > first, place < scalars.count, scalars[place] == "." || scalars[place] == ")"
      else { return nil }
      place += 1
    }
    guard place < scalars.count, scalars[place] == " " || scalars[place] == "\t" else { return nil }
    return place
  }
}
