package import SluiceSupport

/// A scorer that suites and cases can use by the name of its type.
package protocol SuiteScorer: Scorer {
  /// Reads the arguments; nil, with errors reported, if they are invalid.
  init?(_ arguments: ScorerArguments)

  /// The metrics of the scorer, and the parts of cases and answers that it reads.
  var traits: ScorerTraits { get }

  /// Reports errors in the expectations of a case.
  func check(_ expectation: Expectation)

  /// Returns the measurements that depend only on the case, not on the answer.
  ///
  /// They show which metrics a lost trial could have changed.
  func given(_ testCase: TestCase) -> JSONObject
}

extension SuiteScorer {
  package var traits: ScorerTraits { ScorerTraits() }
  package func check(_ expectation: Expectation) {}
  package func given(_ testCase: TestCase) -> JSONObject { [:] }
}

/// The arguments of a scorer, with the context for reading them.
package struct ScorerArguments {
  package var spec: ScorerSpec
  package var files: ProjectFiles
  /// The context for scorers that ask questions; nil if scorers must not ask.
  package var asking: Asking?
  /// The scorers written in Swift, by name; nil if they are not supported, as on the command line.
  package var ownScorers: [String: any Scorer]?
  /// The case to which the assertion belongs; nil for a scorer of the suite.
  package var testCase: TestCase?

  /// The parts of the project that scorers need to ask questions.
  package struct Asking {
    /// The environment variables, which may contain the version of a program.
    package var environment: [String: String]
    /// The backends of `sluice.yaml`.
    ///
    /// A backend is nil if it was reported as invalid. The dictionary is nil if `backends:` as a
    /// whole is invalid.
    package var backends: [String: BackendDefinition?]?

    package init(
      environment: [String: String] = [:],
      backends: [String: BackendDefinition?]? = nil
    ) {
      self.environment = environment
      self.backends = backends
    }
  }

  package init(
    spec: ScorerSpec,
    files: ProjectFiles,
    asking: Asking? = nil,
    ownScorers: [String: any Scorer]? = nil,
    testCase: TestCase? = nil
  ) {
    self.spec = spec
    self.files = files
    self.asking = asking
    self.ownScorers = ownScorers
    self.testCase = testCase
  }

  package var diagnostics: DiagnosticCollector { files.diagnostics }

  /// Reads the arguments as a mapping; nil, with an error reported, if they are not a mapping.
  package func fields() -> FieldReader? {
    if case .null = spec.arguments.value {
      error("the scorer '\(spec.type)' needs arguments", fix: "write '\(spec.type): {…}'")
      return nil
    }
    if case .string(let text) = spec.arguments.value, spec.type.hasSuffix("json-path") {
      error(
        "the scorer '\(spec.type)' must be a mapping, not a text",
        fix: "write '\(spec.type): {path: \(ValueSource.doubleQuoted(text))}'"
      )
      return nil
    }
    let fields = FieldReader(
      spec.arguments,
      subject: "the scorer '\(spec.type)'",
      file: spec.file,
      diagnostics: diagnostics
    )
    // For a scorer written in Swift, `name` is an argument of the scorer.
    for key in ScorerSpec.reserved where key != "name" || spec.type != "swift" {
      guard let member = spec.arguments.members?.first(where: { $0.key == key }) else { continue }
      _ = fields?.optional(member.key)
      diagnostics.error(
        "'\(key)' must be next to '\(spec.type)', not among its arguments",
        in: spec.file,
        at: member.keyPosition,
        fix: "move it to a separate line below '- \(spec.type): …'"
      )
    }
    return fields
  }

  /// Reads the path of the value to score.
  ///
  /// If the scorer has extraction steps, the path is optional.
  ///
  /// - Parameters:
  ///   - fields: The scorer's arguments.
  ///   - fix: The fix if there is neither a path nor an extraction; nil for the usual fix.
  /// - Returns: The path; an empty path if it may be left out; nil,
  ///   with an error reported, if it is missing or not a text.
  func path(_ fields: FieldReader, fix: String? = nil) -> String? {
    guard spec.extract != nil else { return fields.text(fields.required("path", fix: fix), "path") }
    guard let node = fields.optional("path") else { return "" }
    return fields.text(node, "path")
  }

  /// Reads the name next to the type.
  ///
  /// Nil if there is none; also nil, with an error reported, if it is invalid.
  func name() -> String? {
    guard let node = spec.name else { return nil }
    let rule = "letters, digits, '-' and '_', and must start with a letter"
    func refuse(_ message: String, fix: String? = nil) -> String? {
      diagnostics.error(message, in: spec.file, at: node.position, fix: fix)
      return nil
    }
    guard case .string(let text) = node.value else {
      return refuse(
        "'name' must be a text, not \(node.kind)",
        fix: ValueSource(spec.file).quoting(node)
      )
    }
    let isName = Identifier.isValid(text) && !text.contains(".") && text.utf8.count <= 64
    guard isName, text.first?.isLetter == true else {
      let better = Identifier.made(of: text.replacing(".", with: "-"))
      return refuse(
        "the name of a scorer must consist of \(rule)",
        fix: better.flatMap { $0.first?.isLetter == true ? "write 'name: \($0)'" : nil }
      )
    }
    if Self.ownNames.contains(text) {
      return refuse("the name '\(text)' is reserved for reports", fix: "choose another name")
    }
    return text
  }

  /// The names that reports and run logs reserve for their own entries.
  ///
  /// A scorer cannot have one of these names.
  private static let ownNames = ["answer", "assert", SuitePlan.emptyAnswerKey]

  /// Reads the selection of cases.
  ///
  /// Nil if all cases are selected; also nil, with an error reported, if it is invalid.
  func selection() -> CaseSelection? {
    guard let node = spec.appliesTo else { return nil }
    guard testCase == nil else {
      diagnostics.error(
        "'applies-to' has no meaning here: an assertion of a case judges only this case",
        in: spec.file,
        at: node.position,
        fix: "remove it, or put the assertion under 'scorers:' of the suite"
      )
      return nil
    }
    return CaseSelection(node, in: spec.file, diagnostics)
  }

  /// Returns the context for a scorer that asks questions; nil, with an error reported, if no
  /// scorer may ask.
  package func whatItAsks() -> Asking? {
    if let asking { return asking }
    diagnostics.error(
      "'\(spec.type)' sends requests, so it can only be used under 'scorers:' of a suite",
      in: spec.file,
      at: spec.position,
      fix: "move it there; it then judges every case"
    )
    return nil
  }

  package func error(_ message: String, fix: String? = nil) {
    diagnostics.error(message, in: spec.file, at: spec.arguments.position, fix: fix)
  }
}

/// The expectations of a case, with the context for reporting errors in them.
package struct Expectation {
  package var caseID: String
  /// The position of the case.
  package var position: SourcePosition
  package var expected: Node
  /// The values for the prompt; nil if they are unknown.
  package var input: Node?
  package var file: SourceFile
  package var diagnostics: DiagnosticCollector

  package init(
    caseID: String,
    position: SourcePosition,
    expected: Node,
    input: Node? = nil,
    file: SourceFile,
    diagnostics: DiagnosticCollector
  ) {
    self.caseID = caseID
    self.position = position
    self.expected = expected
    self.input = input
    self.file = file
    self.diagnostics = diagnostics
  }

  package init(spec: CaseSpec, file: SourceFile, diagnostics: DiagnosticCollector) {
    self.init(
      caseID: spec.testCase.id,
      position: spec.position,
      expected: spec.expected,
      input: spec.input,
      file: file,
      diagnostics: diagnostics
    )
  }

  /// The case, with the parts that scorers may read.
  var testCase: TestCase {
    TestCase(
      id: caseID,
      input: input?.json ?? [:],
      expected: expected.json
    )
  }

  /// Returns the node under a key of `expected:`.
  ///
  /// An explicit null counts as absent.
  package func node(_ key: String) -> Node? {
    guard let node = expected[key] else { return nil }
    if case .null = node.value { return nil }
    return node
  }

  /// Returns the node under a key of `expected:`.
  ///
  /// Reports an error if there is none.
  package func required(_ key: String, by scorer: String) -> Node? {
    if let node = node(key) { return node }
    reportMissing("expected", key, among: expected, "which the scorer '\(scorer)' compares with")
    return nil
  }

  /// Returns the node of an input.
  ///
  /// Reports an error if there is none.
  package func requiredInput(_ key: String, by scorer: String) -> Node? {
    // If the input as a whole is invalid, that was already reported.
    guard let input else { return nil }
    if let node = input[key] {
      guard case .null = node.value else { return node }
    }
    reportMissing("input", key, among: input, "which the scorer '\(scorer)' reads")
    return nil
  }

  private func reportMissing(_ part: String, _ key: String, among node: Node, _ reason: String) {
    // The key itself may be present, with the value null.
    let others = (node.members ?? []).map(\.key).filter { !$0.isIdentical(to: key) }
    diagnostics.error(
      "the case '\(caseID)' has no '\(part).\(key)', \(reason)",
      in: file,
      at: position,
      fix: NearestName.of(key, among: others).map {
        "did you mean '\(key)' instead of '\($0)'?"
      } ?? "add '\(part): {\(key): …}'"
    )
  }

  package func error(_ message: String, at node: Node, fix: String? = nil) {
    diagnostics.error(message, in: file, at: node.position, fix: fix)
  }
}
