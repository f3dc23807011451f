import SluiceSupport

/// The check of the number of words, characters or sentences in an answer.
struct CountCheck: AnswerCheck {
  /// The units that are counted.
  enum Unit: Sendable {
    /// Words: sequences of characters that white space separates.
    case words
    /// Characters as users perceive them (Unicode's grapheme clusters, UAX #29).
    case characters
    /// Sentences, by the rules of ``Sentences``.
    case sentences
  }

  private let unit: Unit
  private let range: CountRange
  let claim: String

  init?(_ arguments: ScorerArguments, _ unit: Unit) {
    guard let range = CountRange(arguments) else { return nil }
    self.unit = unit
    self.range = range
    let (one, many) =
      switch unit {
      case .words: ("word", "words")
      case .characters: ("character", "characters")
      case .sentences: ("sentence", "sentences")
      }
    claim = "have \(range.describe(one, many))"
  }

  func finding(_ answer: Answer) -> Finding {
    let count =
      switch unit {
      case .words: answer.text.unicodeScalars.split { $0.properties.isWhitespace }.count
      case .characters: answer.text.count
      case .sentences: Sentences.count(in: answer.text)
      }
    return Finding(range.contains(count), detail: "it has \(count)")
  }
}

/// The check of the number of times that a text or a pattern occurs in the answer.
///
/// Occurrences that overlap count only once.
struct OccurrencesCheck: AnswerCheck {
  private let regex: BoundedRegex
  private let shown: String
  private let least: Int
  private let most: Int?
  let claim: String

  init?(_ arguments: ScorerArguments) {
    guard let fields = arguments.fields() else { return nil }
    let before = arguments.diagnostics.count
    let text = fields.optionalText("text")
    let patternNode = fields.optional("pattern")
    let pattern = fields.optionalText("pattern")
    let ignoresCase = fields.optionalBool("ignore-case") ?? false
    let limit = 0...Int(Int32.max)
    let exactly = fields.optionalInteger("exactly", in: limit)
    let least = fields.optionalInteger("at-least", in: limit)
    let most = fields.optionalInteger("at-most", in: limit)
    fields.finish { key in
      ["min": "write 'at-least:'", "max": "write 'at-most:'", "count": "write 'exactly:'"][key]
    }
    if arguments.diagnostics.count > before { return nil }
    guard (text == nil) != (pattern == nil), text != "", pattern != "" else {
      arguments.error(
        "'\(arguments.spec.type)' needs either 'text' or 'pattern'",
        fix: "write, for example, '\(arguments.spec.type): {text: \"- \", at-least: 3}'"
      )
      return nil
    }
    let hasRange = least != nil || most != nil
    guard hasRange != (exactly != nil), least ?? 0 <= most ?? .max else {
      arguments.error(
        "'\(arguments.spec.type)' needs either 'exactly' or a range ('at-least', 'at-most')",
        fix: "write, for example, 'at-least: 1'"
      )
      return nil
    }
    do throws(BoundedRegex.PatternError) {
      regex = try BoundedRegex(
        pattern ?? BoundedRegex.quoted(text ?? ""),
        ignoringCase: ignoresCase
      )
    } catch {
      var inner = arguments
      inner.spec.arguments = patternNode ?? arguments.spec.arguments
      inner.report(error, in: pattern ?? "")
      return nil
    }
    shown = pattern.map { "/\(Excerpt.cut($0))/" } ?? Excerpt.quoted(text ?? "")
    self.least = exactly ?? least ?? 0
    self.most = exactly ?? most
    let times = CountRange(least: self.least, most: self.most).describe("time", "times")
    claim = "contain \(shown) \(times)"
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    let count: Int
    do throws(BoundedRegex.TooExpensive) {
      count = try regex.count(in: answer.text)
    } catch {
      throw Undecided(reason: "the pattern is too expensive: \(shown)")
    }
    let isFine = count >= least && most.map { count <= $0 } ?? true
    return Finding(isFine, detail: "found \(count) \(count == 1 ? "time" : "times")")
  }
}
