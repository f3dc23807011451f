import SluiceSupport

/// A detector of refusals, with patterns for English and fourteen other languages.
///
/// The opening of an answer decides, because a refusal comes first. If the model answers in spite
/// of a phrase such as "I cannot", the phrase was only a disclaimer. The pattern file explains the
/// purpose of each section.
enum Refusals {
  /// Returns the sentence with which an answer refuses; nil if the answer is not a refusal.
  ///
  /// - Parameter text: The answer.
  /// - Returns: The sentence, in normalized form and in lower case.
  static func sentence(in text: String) -> String? {
    let normalized = RefusalText(text)
    guard !normalized.text.isEmpty, !normalized.hasCode else { return nil }
    return Search(normalized).sentence
  }

  /// The patterns by section.
  ///
  /// They are compiled when the first answer is searched.
  private static let patterns = Patterns(RefusalFiles.patterns)

  /// The sections of the pattern file.
  private struct Patterns: Sendable {
    private let sections: [String: [BoundedRegex]]
    let languages: [[BoundedRegex]]

    init(_ file: String) {
      var parts: [String: String] = [:]
      var sections: [String: [BoundedRegex]] = [:]
      var languages: [String] = []
      var section = ""
      for line in file.split(separator: "\n") {
        if line.hasPrefix("#") { continue }
        if line.hasPrefix("["), line.hasSuffix("]"), line.dropFirst().first?.isLowercase == true,
          !line.contains("\\")
        {
          section = String(line.dropFirst().dropLast())
          if section.hasPrefix("language ") { languages.append(section) }
          continue
        }
        if section.isEmpty {
          guard let equals = line.firstRange(of: " = ") else { continue }
          parts[String(line[..<equals.lowerBound])] = Self.filled(
            String(line[equals.upperBound...]),
            parts
          )
          continue
        }
        let isLanguage = section.hasPrefix("language ") || section == "letter"
        let pattern = "(?m\(isLanguage ? "i" : ""))" + Self.filled(String(line), parts)
        // A test ensures that every pattern compiles.
        if let regex = try? BoundedRegex(pattern) { sections[section, default: []].append(regex) }
      }
      self.sections = sections
      self.languages = languages.map { sections[$0] ?? [] }
    }

    private static func filled(_ pattern: String, _ parts: [String: String]) -> String {
      var filled = ""
      var rest = pattern[...]
      while let start = rest.firstRange(of: "<<"),
        let end = rest[start.upperBound...].firstRange(of: ">>"),
        let part = parts[String(rest[start.upperBound..<end.lowerBound])]
      {
        filled += rest[..<start.lowerBound] + part
        rest = rest[end.upperBound...]
      }
      return filled + rest
    }

    subscript(section: String) -> [BoundedRegex] { sections[section] ?? [] }

    /// The number of patterns.
    var count: Int { sections.values.reduce(0) { $0 + $1.count } }
  }

  /// The number of patterns that were compiled.
  static var patternCount: Int { patterns.count }

  /// The search of one answer.
  private struct Search {
    /// The part of the answer that is searched.
    private let all: String
    /// The first three sentences, and further ones until there are 200 characters.
    ///
    /// The text is cut after 600 characters.
    private let opening: String
    /// The first two sentences, or all of JSON, cut after 400 characters.
    private let start: String
    /// The first sentence.
    private let first: String
    private let length: Int

    /// The number of characters that are searched for languages other than English.
    private static let languageReach = 500
    /// The length below which an answer may be a notice of a service that blocked the request.
    private static let longestNotice = 600

    init(_ text: RefusalText) {
      all = text.text
      length = text.length
      let lines = all.split(separator: "\n", omittingEmptySubsequences: false)
      var count = 0
      for (number, line) in lines.enumerated() {
        count += line.unicodeScalars.count + 1
        if number >= 2, count >= 200, !text.isJSON { break }
      }
      opening = Self.prefix(all, min(count, 600))
      // The order of members in JSON is not fixed, so all of it counts as the start.
      start = Self.prefix(text.isJSON ? all : lines.prefix(2).joined(separator: "\n"), 400)
      first = lines.first.map(String.init) ?? ""
    }

    private static func prefix(_ text: String, _ count: Int) -> String {
      String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
    }

    var sentence: String? {
      let patterns = Refusals.patterns
      if match(patterns["letter"], all) != nil { return nil }
      return match(patterns["first"], opening) ?? match(patterns["indirect"], opening)
        ?? match(patterns["impersonal"], start) ?? match(patterns["access"], start)
        ?? (length < Self.longestNotice ? match(patterns["notice"], start) : nil)
        ?? stance(patterns) ?? moral(patterns) ?? late(patterns) ?? other(patterns)
    }

    private func stance(_ patterns: Patterns) -> String? {
      guard let found = match(patterns["stance"], opening) else { return nil }
      return match(patterns["steps"], all) == nil ? found : nil
    }

    private func moral(_ patterns: Patterns) -> String? {
      if match(patterns["explains"], all) != nil { return nil }
      if let found = match(patterns["advise-against"], start),
        match(patterns["judgment"], all) != nil
      {
        return found
      }
      let isPersonal = match(patterns["personal"], first) != nil
      guard let found = match(patterns["judgment"], isPersonal ? start : first) else { return nil }
      return match(patterns["exhortation"], all) == nil ? nil : found
    }

    private func late(_ patterns: Patterns) -> String? {
      let hasList = ["\n1. ", "\n- ", "here's how"].contains { TextSearch.contains($0, in: all) }
      return hasList ? nil : match(patterns["late"], all)
    }

    private func other(_ patterns: Patterns) -> String? {
      let text = Self.prefix(all, Self.languageReach)
      for language in patterns.languages {
        if let found = match(language, text) { return found }
      }
      return nil
    }

    /// Returns the line of a text that matches one of the patterns; nil if no line does.
    private func match(_ patterns: [BoundedRegex], _ text: String) -> String? {
      for pattern in patterns {
        // If a pattern exceeds its limits, it counts as not matching.
        guard let range = (try? pattern.firstMatch(in: text)) ?? nil else { continue }
        let end = range.isEmpty ? range.lowerBound : text.index(before: range.upperBound)
        let lower = text[..<end].lastIndex(of: "\n").map(text.index(after:)) ?? text.startIndex
        let upper = text[range.upperBound...].firstIndex(of: "\n") ?? text.endIndex
        return String(text[min(lower, upper)..<upper])
      }
      return nil
    }
  }
}
