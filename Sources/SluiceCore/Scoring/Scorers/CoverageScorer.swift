import SluiceSupport

/// The scorer `coverage`, which checks that a text contains the critical facts of its source.
///
/// The scorer can also check that the text is not too long compared with the source, and that
/// numbers and names in the text occur in the source.
package struct CoverageScorer: SuiteScorer {
  /// The path of the text; nil for the whole answer.
  private let path: String?
  private let expectedKey: String
  /// The minimum share of the facts that the text must contain.
  private let leastShare: Double
  /// The paths of the inputs that form the source.
  private let sources: [String]
  /// The maximum length of the text, as a share of the length of the source.
  private let mostLength: Double?
  private let allowsUnsupported: Bool

  package init?(_ arguments: ScorerArguments) {
    guard let fields = arguments.fields() else { return nil }
    path = fields.optionalText("path")
    let expectedKey = fields.requiredText("expected")
    let atLeast = fields.optional("at-least")
    let atMost = fields.optional("at-most-length")
    let unsupported = fields.optional("allow-unsupported")
    allowsUnsupported = fields.optionalBool("allow-unsupported") ?? true
    let sourceNode = fields.optional("source")
    let sources = Self.sources(sourceNode, fields)
    let leastShare = atLeast.map { fields.share($0, "at-least", upTo: 1) } ?? 1
    mostLength = atMost.flatMap { fields.share($0, "at-most-length", upTo: .infinity) }
    fields.finish()
    if sourceNode == nil {
      for (node, key) in [(atMost, "at-most-length"), (unsupported, "allow-unsupported")] {
        guard let node else { continue }
        fields.diagnostics.error(
          "'\(key)' needs a source to compare with",
          in: fields.file,
          at: node.position,
          fix: "add 'source: …' with the name of an input"
        )
      }
      if atMost != nil || unsupported != nil { return nil }
    }
    guard let expectedKey, let leastShare, let sources, (atMost == nil) == (mostLength == nil)
    else { return nil }
    self.expectedKey = expectedKey
    self.leastShare = leastShare
    self.sources = sources
  }

  private static func sources(_ node: Node?, _ fields: FieldReader) -> [String]? {
    guard let node else { return [] }
    switch node.value {
    case .string(let text) where !text.isEmpty: return [text]
    case .sequence(let nodes) where !nodes.isEmpty:
      let texts = nodes.compactMap { fields.text($0, "an entry of 'source'") }
      return texts.count == nodes.count ? texts : nil
    default:
      fields.wrongType("source", "the name of an input, or a list of names", node)
      return nil
    }
  }

  package var traits: ScorerTraits {
    ScorerTraits(
      metrics: metrics,
      expectedKeys: [expectedKey],
      inputKeys: sources.map { String($0.prefix { $0 != "." }) }
    )
  }

  private var metrics: [MetricDefinition] {
    [
      MetricDefinition("coverage", .ratio(of: [.init("covered")], to: [.init("facts")])),
      MetricDefinition("full-rate", .share(of: .init("full"))),
    ]
      + (sources.isEmpty
        ? []
        : [
          MetricDefinition(
            "length-ratio",
            .mean(of: "length-ratio", in: .share),
            prefersSmall: true
          ),
          MetricDefinition(
            "unsupported-rate",
            .ratio(of: [.init("unsupported")], to: [.init("claims")]),
            prefersSmall: true
          ),
        ])
  }

  package func check(_ expectation: Expectation) {
    for source in sources {
      let key = String(source.prefix { $0 != "." })
      guard let node = expectation.requiredInput(key, by: "coverage") else { continue }
      let texts = TextsAtPath.texts(at: String(source.dropFirst(key.count + 1)), in: node.json)
      if texts.contains(where: { !$0.isEmpty }) { continue }
      expectation.error("'input.\(source)' contains no text to compare with", at: node)
    }
    guard let node = expectation.required(expectedKey, by: "coverage") else { return }
    guard case .sequence(let facts) = node.value else {
      expectation.error(
        "'expected.\(expectedKey)' must be a list, not \(node.kind)",
        at: node,
        fix: ValueSource(expectation.file).wrapping(node)
      )
      return
    }
    ExpectedText.check(facts, called: "a fact", of: expectation)
  }

  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    let facts = (testCase.expected[expectedKey]?.array ?? []).map(ExpectedText.init)
    if facts.isEmpty, mostLength == nil, allowsUnsupported {
      return Score(.notApplicable, explanation: "the case expects no fact")
    }
    let text: String
    switch self.text(of: answer) {
    case .failure(let unusable):
      return .unusable(
        unusable.reason,
        measurements: ["facts": .number(Double(facts.count)), "covered": 0, "full": false]
      )
    case .success(let found): text = found
    }
    let searched = [SearchedText(text)]
    let missed = facts.filter { !$0.occurs(in: searched) }
    let covered = facts.count - missed.count
    let share = facts.isEmpty ? 1 : Double(covered) / Double(facts.count)
    var measurements: JSONObject = [
      "facts": .number(Double(facts.count)), "covered": .number(Double(covered)),
      "full": .bool(missed.isEmpty),
    ]
    var isRight = share >= leastShare - 1e-12
    var parts: [String] = []
    if !facts.isEmpty {
      parts = ["contains \(covered) of \(facts.count) \(facts.count == 1 ? "fact" : "facts")"]
    }
    if !missed.isEmpty {
      parts[0] += ", but not \(Excerpt.list(missed.map(\.shown), limit: 5, separator: ", "))"
    }
    if !sources.isEmpty {
      let source = sources.flatMap { TextsAtPath.texts(at: $0, in: testCase.input) }
      let length = text.unicodeScalars.count
      let sourceLength = source.reduce(0) { $0 + $1.unicodeScalars.count }
      let ratio = sourceLength > 0 ? Double(length) / Double(sourceLength) : 0
      measurements["length-ratio"] = .number(ratio)
      let percent = JSONWriter.number((ratio * 1_000).rounded() / 10)
      var line = "\(percent)% of the source's length"
      if let mostLength, ratio > mostLength {
        isRight = false
        line += ", more than \(JSONWriter.number((mostLength * 1_000).rounded() / 10))%"
      }
      parts.append(line)
      let claims = Claims(text)
      let unsupported = claims.missing(in: TextsAtPath.texts(at: "", in: testCase.input))
      measurements["claims"] = .number(Double(claims.count))
      measurements["unsupported"] = .number(Double(unsupported.count))
      if !unsupported.isEmpty {
        if !allowsUnsupported { isRight = false }
        let list = Excerpt.list(unsupported, limit: 5, separator: ", ", shown: Excerpt.quoted)
        parts.append("not in the source: \(list)")
      }
    }
    return Score(
      isRight ? .passed : .failed,
      explanation: parts.joined(separator: "; "),
      measurements: measurements
    )
  }

  /// Returns the text to score.
  ///
  /// With a path, it consists of all texts at this path of the JSON. Without a path, it consists of
  /// all texts in a JSON object or list; any other answer is used as it is.
  private func text(of answer: Answer) -> Result<String, UnusableAnswer> {
    if let flaw = answer.flaw { return .failure(UnusableAnswer(reason: flaw)) }
    guard let path else {
      switch answer.json {
      case .success(let json) where json.array != nil || json.object != nil:
        return .success(TextsAtPath.texts(at: "", in: json).joined(separator: "\n"))
      default: return .success(answer.text)
      }
    }
    return answer.value(at: path).map {
      TextsAtPath.texts(at: "", in: $0).joined(separator: "\n")
    }
  }
}

/// The texts in a JSON value.
enum TextsAtPath {
  /// Returns all texts at a path, in order, including texts that are nested further inside.
  ///
  /// - Parameters:
  ///   - path: Member names joined by dots. If a name leads to a list, the path continues in each
  ///     element.
  ///   - value: The value to search.
  /// - Returns: The texts.
  static func texts(at path: String, in value: JSONValue) -> [String] {
    var found: [String] = []
    collect(path.split(separator: ".").map(String.init)[...], value, &found)
    return found
  }

  private static func collect(
    _ path: ArraySlice<String>,
    _ value: JSONValue,
    _ found: inout [String]
  ) {
    switch value {
    case .array(let elements):
      for element in elements { collect(path, element, &found) }
    case .object(let object):
      if let step = path.first {
        if let child = object[step] { collect(path.dropFirst(), child, &found) }
      } else {
        for member in object.members { collect(path, member.value, &found) }
      }
    case .string(let text): if path.isEmpty { found.append(text) }
    case .null, .bool, .number, .exact: break
    }
  }
}
