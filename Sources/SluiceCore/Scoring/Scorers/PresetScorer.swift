import SluiceSupport

/// A scorer that gives most answers one of few scores, which are made before any answer comes.
///
/// A run has as many scores as cases, of which some dozens are different. To tell by its number which
/// one an answer gets takes neither a value of the answer nor one of the case.
protocol PresetScorer: SuiteScorer {
  /// The scores that are ready.
  var presets: [Score] { get }

  /// What tells which of the scores ``score(_:for:)`` would return.
  ///
  /// It is asked for once, and then used for every answer.
  var choice: PresetChoice { get }
}

/// Tells the place of a score in ``PresetScorer/presets``; nil where it is none of them, or this way
/// cannot tell.
///
/// It is told an answer that any app could use, and what its case expects.
typealias PresetChoice = @Sendable (_ answer: inout PlainAnswerText, _ expected: JSONFields) -> Int?

/// The text of an answer as bytes, with its members where it is a JSON object.
struct PlainAnswerText {
  /// The text in UTF-8; valid as long as the buffer that it stands in.
  private(set) var units = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var fields = JSONFields()
  private var isRead = false
  private var isObject = false

  /// Takes the text of another answer.
  mutating func set(_ units: UnsafeBufferPointer<UInt8>) {
    self.units = units
    isRead = false
  }

  /// The string at a name of the answer's JSON; nil where there is none, or values have to tell.
  mutating func text(_ name: [UInt8]) -> JSONReader.RawString? {
    if !isRead { read() }
    return isObject ? fields.text(name) : nil
  }

  private mutating func read() {
    isRead = true
    do throws(JSONSyntaxError) {
      try JSONReader.read(units) { reader throws(JSONSyntaxError) in try fields.read(&reader) }
      isObject = true
    } catch {
      isObject = false
    }
  }
}

extension ClassificationScorer: PresetScorer {
  var presets: [Score] { known }

  var choice: PresetChoice {
    guard !known.isEmpty, let plainPath else { return { _, _ in nil } }
    let (name, labels) = (expectedName, labelBytes)
    @Sendable func place(_ label: JSONReader.RawString) -> Int? {
      if label.hasEscapes { return nil }
      for (place, known) in labels.enumerated() {
        let isSame = known.withUnsafeBytes { $0.equals(UnsafeRawBufferPointer(label.units)) }
        if isSame { return place }
      }
      return nil
    }
    return { answer, expected in
      guard let right = expected.text(name), let row = place(right),
        let given = answer.text(plainPath), let column = place(given)
      else { return nil }
      return row * labels.count + column
    }
  }
}

extension Assertion: PresetScorer {
  var presets: [Score] { [passed] }

  var choice: PresetChoice {
    let (check, isNegated) = (check, isNegated)
    return { answer, _ in
      guard let holds = check.holds(for: answer.units) else { return nil }
      return holds == isNegated ? nil : 0
    }
  }
}
