/// A noun that names a kind of thing but not which one, such as "the bug".
struct VagueReference {
  let noun: String
  let written: String
  /// True if the words after the noun specify which one: "the page for invoices".
  let isExplainedBehind: Bool

  /// Creates the reference at an index.
  ///
  /// `evenIfRare` includes nouns that are rarely vague.
  init?(at index: Int, in words: ArraySlice<Word>, evenIfRare: Bool = false) {
    guard Self.determiners.contains(words[index].text), !words[index].endsClause else { return nil }
    var noun = index + 1
    while noun < words.endIndex, Self.emptyAdjectives.contains(words[noun].text),
      !words[noun].endsClause
    {
      noun += 1
    }
    guard noun < words.endIndex else { return nil }
    let name = words[noun].stem
    guard Self.nouns.contains(name) || evenIfRare && ClarityBorders.nouns.contains(name) else {
      return nil
    }
    let behind = noun + 1 < words.endIndex && !words[noun].endsClause ? words[noun + 1] : nil
    if let behind {
      // In "the bug report", the noun only starts the name of something else.
      if !Self.mayFollow.contains(behind.text), behind.text.allSatisfy(\.isLetter),
        Self.nouns.contains(behind.text) || behind.isCapitalised
      {
        return nil
      }
    }
    self.noun = name
    written = words[index...noun].map(\.written).joined(separator: " ")
    isExplainedBehind =
      (behind.map {
        Self.explaining.contains($0.text) || $0.isIdentifier || $0.written.first == "\""
      })
      ?? false || words[noun].after.hasPrefix(":") || words[noun].after.hasPrefix(" (")
  }

  private static let determiners: Set<String> = ["the", "that", "those", "these", "this", "same"]
  private static let emptyAdjectives: Set<String> = [
    "other", "same", "new", "old", "last", "latest", "second", "first", "third", "whole", "right",
    "final", "updated", "previous", "next",
  ]
  private static let explaining: Set<String> = [
    "of", "for", "about", "in", "from", "called", "named", "with", "at", "where", "between",
    "under", "below", "above",
  ]
  private static let mayFollow: Set<String> = [
    "is", "was", "are", "were", "i", "you", "we", "he", "she", "they", "today", "tomorrow", "again",
    "now", "by", "before", "after", "and", "or", "but", "please", "on", "to", "that", "which",
    "has",
  ]
  static let nouns: Set<String> = [
    "bug", "bugs", "issue", "problem", "error", "errors", "file", "files", "doc", "document",
    "documents", "link", "meeting", "call", "thing", "things", "stuff", "page", "screen", "script",
    "ticket", "tickets", "task", "deadline", "numbers", "report", "version", "change", "changes",
    "update", "fix", "deploy", "feature", "mockup", "mockups", "email", "mail", "message", "data",
    "folder", "list", "one", "ones", "part", "point", "points", "place", "button", "image",
    "client", "customer", "request", "project", "build", "test", "tests", "branch", "slides",
    "deck", "form", "spreadsheet", "sheet", "server", "dashboard", "review", "process", "plan",
    "approach", "idea", "channel", "copy", "text", "wording", "commit", "colours", "colors", "logo",
    "banner", "others", "table", "chart", "account", "design", "spec", "invoice", "draft",
    "figures", "option",
  ]
}
