package import SluiceSupport

/// A scorer with its name in a suite.
package struct BoundScorer: Sendable {
  /// The name of the scorer in scores, metrics and conditions.
  package var name: String
  package var type: String
  package var scorer: any SuiteScorer
  /// The SHA-256 digest of everything that determines the scores of an answer.
  ///
  /// This is canonical JSON of the type, the arguments, `extract`, `applies-to`, and the contents
  /// of other files.
  package var digest: String
  /// True if the scores are advisory: they do not make a trial fail, and no gate decides on them.
  package let isAdvisory: Bool
  /// The steps that extract a part of an answer before it is scored; nil if the whole answer is
  /// scored.
  package private(set) var extraction: Extraction?
  /// The rule that selects the cases to score; nil if all cases are scored.
  package private(set) var selection: CaseSelection?

  package var traits: ScorerTraits { scorer.traits }

  /// The prefix of the names of scorers that belong to a single case.
  package static let casePrefix = "assert."

  package init(name: String, type: String, scorer: any SuiteScorer, arguments: JSONValue) {
    let digest = Self.digest(type, arguments, scorer)
    self.init(name: name, type: type, scorer: scorer, digest: digest)
  }

  private init(
    name: String,
    type: String,
    scorer: any SuiteScorer,
    digest: String,
    extraction: Extraction? = nil,
    selection: CaseSelection? = nil
  ) {
    self.name = name
    self.type = type
    self.scorer = scorer
    self.digest = digest
    self.extraction = extraction
    self.selection = selection
    isAdvisory = scorer.traits.isAdvisory
  }

  private static func digest(
    _ type: String,
    _ arguments: JSONValue,
    _ scorer: any SuiteScorer,
    _ extraction: Extraction? = nil,
    _ selection: CaseSelection? = nil
  ) -> String {
    var object: JSONObject = [
      "type": .string(type), "arguments": arguments, "content": scorer.traits.content,
    ]
    object.set("extract", extraction?.json)
    object.set(CaseSelection.name, selection?.json)
    return SHA256.hexadecimal(JSONWriter.canonical(.object(object)))
  }

  /// Returns true if the scorer applies to a case.
  package func applies(to testCase: TestCase) -> Bool { selection?.contains(testCase) ?? true }

  /// Returns true if the scorer applies to a case with the given tags and expectations.
  package func applies(tags: [String], expected: JSONValue) -> Bool {
    selection?.contains(tags: tags, expected: expected) ?? true
  }

  /// Scores an answer, or only the part that ``extraction`` extracts.
  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    if let selection, !selection.contains(testCase) { return selection.score }
    func score(_ answer: Answer) -> Score {
      scorer.scoreWithoutText(answer) ?? scorer.score(answer, for: testCase)
    }
    return extraction.map { score($0.answer(from: answer)) } ?? score(answer)
  }

  /// A cache of scorers by their specs, since many cases of a dataset have the same scorers.
  package struct Made {
    private var scorers: [ByteKey: Entry] = [:]
    private var lists: [[Int]: [BoundScorer]] = [:]
    private var extractions: [ByteKey: Extraction] = [:]
    private static let limit = 4_096

    package init() {}

    /// A scorer with its name, before equal names are numbered.
    ///
    /// `number` identifies the scorer in the cache; nil if the scorer is not cached.
    fileprivate struct Entry {
      var bound: BoundScorer
      var number: Int?
    }

    /// Returns the cached scorer with the same spec, or creates it; nil, with errors reported, if
    /// the spec is invalid.
    fileprivate mutating func scorer(_ arguments: ScorerArguments) -> Entry? {
      let (spec, reported) = (arguments.spec, arguments.diagnostics.count)
      let (json, steps) = (spec.arguments.json, spec.extract?.json)
      let text = JSONWriter.canonical(
        [
          "type": .string(spec.type), "arguments": json, "long": .bool(spec.isLong),
          "extract": steps ?? .null, "name": spec.name?.json ?? .null,
        ],
        isExact: true
      )
      let key = ByteKey(text)
      // In an assertion of a case, these two keys are errors, which must be reported for each case.
      let isPlain = spec.weight == nil && spec.appliesTo == nil
      if isPlain, let known = scorers[key] { return known }
      let extraction = extraction(arguments)
      let selection = arguments.selection()
      let name = arguments.name()
      guard let scorer = ScorerCatalog.make(arguments), (extraction == nil) == (steps == nil),
        (selection == nil) == (spec.appliesTo == nil), (name == nil) == (spec.name == nil)
      else { return nil }
      let bound = BoundScorer(
        name: name ?? scorer.traits.name ?? spec.type,
        type: spec.type,
        scorer: scorer,
        digest: BoundScorer.digest(spec.type, json, scorer, extraction, selection),
        extraction: extraction,
        selection: selection
      )
      var made = Entry(bound: bound)
      // A scorer with templates is not cached, because it belongs to one case. A scorer with errors
      // is not cached, because the errors must be reported for each case.
      let isFilled = bound.fillsNames || Array("{{".utf8).isPresent(in: text)
      if !isFilled, arguments.diagnostics.count == reported, scorers.count < Self.limit,
        isPlain
      {
        made.number = scorers.count
        scorers[key] = made
      }
      return made
    }

    /// Returns the extraction steps of a spec.
    ///
    /// They are cached, because the steps of a suite apply to the assertions of every case.
    private mutating func extraction(_ arguments: ScorerArguments) -> Extraction? {
      guard let node = arguments.spec.extract else { return nil }
      let key = ByteKey(JSONWriter.canonical(node.json, isExact: true))
      if let known = extractions[key] { return known }
      let read = Extraction(node, in: arguments.spec.file, arguments.diagnostics)
      if extractions.count < Self.limit { extractions[key] = read }
      return read
    }

    /// Returns the cached list that has the same scorers as the given list.
    ///
    /// If there is none, caches the given list and returns it.
    fileprivate mutating func shared(_ list: [BoundScorer], _ numbers: [Int]) -> [BoundScorer] {
      guard numbers.count == list.count else { return list }
      if let known = lists[numbers] { return known }
      if lists.count < Self.limit { lists[numbers] = list }
      return list
    }
  }

  /// True if the scorer is an assertion with templates that refer to values of its case.
  package var fillsNames: Bool {
    guard let assertion = scorer as? Assertion else { return false }
    return !assertion.inputKeys.isEmpty || !assertion.expectedKeys.isEmpty
  }

  /// Returns the scorer, filled in with the values of a case.
  package func bound(to testCase: TestCase) -> BoundScorer {
    guard let assertion = scorer as? Assertion, assertion.isTemplated else { return self }
    var bound = self
    bound.scorer = assertion.bound(to: testCase)
    return bound
  }

  /// The scorer, as run logs and baselines contain it.
  package var json: JSONValue {
    ["name": .string(name), "type": .string(type), "digest": .string(digest)]
  }

  /// Creates the scorers of a list.
  ///
  /// Invalid specs are reported and left out.
  ///
  /// A scorer without a name is named after its type. If a name occurs several times, the scorers
  /// are numbered.
  ///
  /// - Parameters:
  ///   - specs: The scorers as a file contains them.
  ///   - prefix: The prefix of all names, which distinguishes the scorers of cases from those of
  ///     the suite.
  ///   - files: Gives access to the files that arguments name, and collects errors.
  ///   - asking: The context for scorers that ask questions; nil if no scorer may ask.
  ///   - ownScorers: The scorers written in Swift, by name; nil if they are not supported.
  /// - Returns: The scorers, in list order.
  package static func bind(
    _ specs: [ScorerSpec],
    prefix: String = "",
    files: ProjectFiles,
    asking: ScorerArguments.Asking? = nil,
    ownScorers: [String: any Scorer]? = nil
  ) -> [BoundScorer] {
    var made = Made()
    return bind(specs, prefix: prefix, files, asking, ownScorers, testCase: nil, &made)
  }

  /// Creates the scorers that belong to a case.
  ///
  /// - Parameters:
  ///   - specs: The scorers as the case contains them.
  ///   - testCase: The case.
  ///   - files: Gives access to the files that arguments name, and collects errors.
  ///   - ownScorers: The scorers written in Swift, by name; nil if they are not supported.
  ///   - made: The cache of the scorers of other cases.
  /// - Returns: The scorers, in list order.
  package static func bind(
    _ specs: [ScorerSpec],
    of testCase: TestCase,
    files: ProjectFiles,
    ownScorers: [String: any Scorer]?,
    _ made: inout Made
  ) -> [BoundScorer] {
    bind(specs, prefix: casePrefix, files, nil, ownScorers, testCase: testCase, &made)
  }

  private static func bind(
    _ specs: [ScorerSpec],
    prefix: String,
    _ files: ProjectFiles,
    _ asking: ScorerArguments.Asking?,
    _ ownScorers: [String: any Scorer]?,
    testCase: TestCase?,
    _ made: inout Made
  ) -> [BoundScorer] {
    var counts: [String: Int] = [:]
    var numbers: [Int] = []
    let given = Set(specs.compactMap(\.givenName))
    reportTwins(specs, files.diagnostics)
    func numbered(_ name: String) -> String {
      while true {
        let count = counts[name, default: 0] + 1
        counts[name] = count
        let numbered = count == 1 ? name : "\(name)-\(count)"
        if !given.contains(numbered) { return numbered }
      }
    }
    let bound: [BoundScorer] = specs.compactMap { spec in
      guard let spec = CellAssertion.resolved(spec, files.diagnostics) else { return nil }
      let arguments = ScorerArguments(
        spec: spec,
        files: files,
        asking: asking,
        ownScorers: ownScorers,
        testCase: testCase
      )
      guard let entry = made.scorer(arguments) else { return nil }
      if let number = entry.number { numbers.append(number) }
      var bound = entry.bound
      bound.name = prefix + (spec.givenName ?? numbered(bound.name))
      return bound
    }
    return made.shared(bound, numbers)
  }

  /// Reports names that a list gives to several scorers.
  private static func reportTwins(_ specs: [ScorerSpec], _ diagnostics: DiagnosticCollector) {
    var seen: Set<String> = []
    for spec in specs {
      guard let name = spec.givenName, let node = spec.name, !seen.insert(name).inserted else {
        continue
      }
      diagnostics.error(
        "two scorers are named '\(name)'",
        in: spec.file,
        at: node.position,
        fix: "rename one of the two"
      )
    }
  }
}
