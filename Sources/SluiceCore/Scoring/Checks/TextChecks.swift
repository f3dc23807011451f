import SluiceSupport

/// The check that the answer contains texts, compared by their Unicode scalars.
///
/// If case is ignored, both sides are converted by Unicode's full lower-case mapping.
struct ContainsCheck: AnswerCheck {
  enum Quantity: Sendable {
    case one, any, all
  }

  private let parts: [String]
  /// The texts, in lower case if case is ignored.
  private let needles: [String]
  private let quantity: Quantity
  private let ignoresCase: Bool
  let claim: String

  init?(_ arguments: ScorerArguments, _ quantity: Quantity, ignoringCase: Bool = false) {
    let parts: [String]?
    switch quantity {
    case .one: parts = arguments.text().map { [$0] }
    case .any, .all: parts = arguments.texts()
    }
    guard let parts else { return nil }
    self.parts = parts
    self.quantity = quantity
    ignoresCase = ignoringCase
    needles = ignoringCase ? parts.map { $0.lowercased() } : parts
    let number =
      switch quantity {
      case .one: ""
      case .any: "one of "
      case .all: "all of "
      }
    claim =
      "contain "
      + "\(number)\(Excerpt.list(parts.map(Excerpt.quoted)))\(ignoringCase ? " in any letter case" : "")"
  }

  func finding(_ answer: Answer) -> Finding {
    let text = ignoresCase ? answer.text.lowercased() : answer.text
    switch quantity {
    case .one, .any: return Finding(needles.contains { TextSearch.contains($0, in: text) })
    case .all: return Finding(needles.allSatisfy { TextSearch.contains($0, in: text) })
    }
  }

  func came(_ answer: Answer, isNegated: Bool) -> String {
    let got = "got \(Excerpt.quoted(answer.text))"
    let text = ignoresCase ? answer.text.lowercased() : answer.text
    if isNegated {
      guard let found = needles.first(where: { TextSearch.contains($0, in: text) }),
        let place = TextSearch.place(of: found, in: text)
      else { return got }
      // Converting to lower case may change lengths, so the position in the original text is
      // unknown.
      return ignoresCase ? got : "found at \(Excerpt.place(place, in: text))"
    }
    let missing = zip(parts, needles).filter { !TextSearch.contains($0.1, in: text) }
    let alike = missing.lazy.map { Excerpt.lookAlike(of: $0.1, in: text) }.first { !$0.isEmpty }
    guard case .all = quantity, missing.count < parts.count else { return got + (alike ?? "") }
    return "\(got) without \(Excerpt.list(missing.map { Excerpt.quoted($0.0) }))\(alike ?? "")"
  }
}

/// The check that the answer starts or ends with a text, compared by its Unicode scalars.
struct AffixCheck: AnswerCheck {
  enum Side: Sendable {
    case start, end
  }

  private let part: [UInt8]
  private let side: Side
  let claim: String

  init?(_ arguments: ScorerArguments, _ side: Side) {
    guard let text = arguments.text() else { return nil }
    part = Array(text.utf8)
    self.side = side
    claim = "\(side == .start ? "start" : "end") with \(Excerpt.quoted(text))"
  }

  func finding(_ answer: Answer) -> Finding {
    var text = answer.text
    return Finding(text.withUTF8(isMet))
  }

  func came(_ answer: Answer, isNegated: Bool) -> String {
    let got = side == .start ? Excerpt.quoted(answer.text) : Excerpt.quotedEnd(answer.text)
    let part = String(decoding: part, as: UTF8.self)
    if isNegated { return "got \(got)" }
    return "got \(got)"
      + (side == .end
        ? Excerpt.lookAlike(of: part, in: answer.text)
        : Excerpt.difference(answer.text, from: part, isOnlyAlike: true))
  }

  private func isMet(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch side {
    case .start: text.starts(with: part)
    case .end: text.count >= part.count && text.suffix(part.count).elementsEqual(part)
    }
  }
}

/// The check that a pattern matches anywhere in the answer.
struct RegexCheck: AnswerCheck {
  private let regex: BoundedRegex
  let claim: String

  init?(_ arguments: ScorerArguments) {
    guard let pattern = arguments.text() else { return nil }
    do throws(BoundedRegex.PatternError) {
      regex = try BoundedRegex(pattern)
    } catch {
      arguments.report(error, in: pattern)
      return nil
    }
    claim = "match /\(Excerpt.cut(pattern))/"
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    do throws(BoundedRegex.TooExpensive) {
      return Finding(try regex.matches(answer.text))
    } catch {
      throw Undecided(reason: "it is too expensive to \(claim)")
    }
  }

  func came(_ answer: Answer, isNegated: Bool) -> String {
    guard isNegated, let place = try? regex.firstMatch(in: answer.text) else {
      return "got \(Excerpt.quoted(answer.text))"
    }
    return "found at \(Excerpt.place(place, in: answer.text))"
  }
}
