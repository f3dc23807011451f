/// A scorer that gives most answers one of few scores, which are made before any answer comes.
///
/// A run has as many scores as cases, of which some dozens are different. To tell by its number which
/// one an answer gets takes neither a value of the answer nor one of the case.
protocol PresetScorer: SuiteScorer {
  /// The scores that are ready.
  var presets: [Score] { get }

  /// Tells which of the scores ``score(_:for:)`` would return.
  ///
  /// - Parameters:
  ///   - answer: An answer that any app could use.
  ///   - expected: What its case expects.
  /// - Returns: The score's place in ``presets``; nil where it is none of them, or this way cannot
  ///   tell.
  func preset(_ answer: inout PlainAnswerText, expecting expected: JSONFields) -> Int?
}

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

  func preset(_ answer: inout PlainAnswerText, expecting expected: JSONFields) -> Int? {
    guard !known.isEmpty, let plainPath, let right = expected.text(expectedName),
      let row = place(right), let given = answer.text(plainPath), let column = place(given)
    else { return nil }
    return row * labels.count + column
  }

  /// The place of a label in the list.
  private func place(_ label: JSONReader.RawString) -> Int? {
    if label.hasEscapes { return nil }
    return labelBytes.firstIndex { known in
      known.withUnsafeBytes { $0.equals(UnsafeRawBufferPointer(label.units)) }
    }
  }
}

extension Assertion: PresetScorer {
  var presets: [Score] { [passed] }

  func preset(_ answer: inout PlainAnswerText, expecting expected: JSONFields) -> Int? {
    guard let holds = try? holds(for: answer.units) else { return nil }
    return holds == isNegated ? nil : 0
  }
}
