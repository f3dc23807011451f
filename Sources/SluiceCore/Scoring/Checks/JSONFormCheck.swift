import SluiceSupport

/// The check that the answer is JSON, or contains JSON.
///
/// If there is a schema, the JSON must match it.
struct JSONFormCheck: AnswerCheck {
  private let isWhole: Bool
  private let schema: JSONSchema?
  let content: JSONValue
  let claim: String
  let readsJSON = true

  init?(_ arguments: ScorerArguments, isWhole: Bool) {
    if !arguments.hasValueAlone() { return nil }
    self.isWhole = isWhole
    let spec = arguments.spec
    if case .null = spec.arguments.value {
      (schema, content) = (nil, .null)
    } else {
      guard let read = JSONSchema.read(spec.arguments, in: spec.file, files: arguments.files) else {
        return nil
      }
      (schema, content) = read
    }
    let form = schema == nil ? "" : " that matches the schema"
    claim = isWhole ? "be valid JSON\(form)" : "contain JSON\(form)"
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    if isWhole {
      guard let value = try? answer.json.get() else {
        return Finding(false, detail: CodeFence.reason(answer.text))
      }
      let violation = try violation(in: value)
      return Finding(violation == nil, detail: violation)
    }
    var search = EmbeddedJSON(answer.text)
    var last: String?
    var count = 0
    while let value = try search.next() {
      count += 1
      guard let violation = try violation(in: value) else { return Finding(true) }
      last = violation
    }
    guard let last else { return Finding(false) }
    let which =
      count == 1
      ? "the only JSON value in the answer"
      : "none of the \(count) JSON values in the answer matches the schema; the last"
    return Finding(false, detail: "\(which) violates it at \(last)")
  }

  /// Returns the first violation of the schema by a value; nil if there is none.
  private func violation(in value: JSONValue) throws(Undecided) -> String? {
    switch schema?.outcome(of: value) {
    case .fits, nil: return nil
    case .breaks(let violations): return violations.summary
    case .undecided(let reason): throw Undecided(reason: reason.description)
    }
  }
}

/// The outermost JSON objects and arrays in a text, in order.
struct EmbeddedJSON {
  private let units: [UInt8]
  private var index = 0
  private var budget: Int

  init(_ text: String) {
    units = Array(text.utf8)
    // Some text starts like JSON but is not. It is read up to the error, and then again from a
    // point further inside.
    budget = units.count * 16 + 1_000_000
  }

  /// Returns the next value; nil if there are no more.
  ///
  /// - Throws: ``Undecided`` if too much of the text starts like JSON but is not JSON.
  mutating func next() throws(Undecided) -> JSONValue? {
    while index < units.count {
      if units[index] != UInt8(ascii: "{"), units[index] != UInt8(ascii: "[") {
        index += 1
        continue
      }
      if budget < 0 {
        throw Undecided(
          reason: "too many parts of the answer start like JSON but are not valid JSON"
        )
      }
      let (value, end) = units.withUnsafeBufferPointer { units in
        JSONReader.readValue(in: UnsafeBufferPointer(rebasing: units[index...]))
      }
      budget -= end
      if let value {
        index += end
        return value
      }
      index += 1
    }
    return nil
  }
}
