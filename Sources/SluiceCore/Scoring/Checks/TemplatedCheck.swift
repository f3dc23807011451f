import SluiceSupport

/// A check that contains templates.
///
/// A case must fill them in before the check can be used.
struct TemplatedCheck: AnswerCheck {
  private let type: String
  private let template: AssertionTemplate
  private let path: String
  private let position: SourcePosition
  /// The position of the arguments.
  private let place: SourcePosition

  init(_ template: AssertionTemplate, _ spec: ScorerSpec, type: String) {
    self.type = type
    self.template = template
    path = spec.file.path
    position = spec.position
    place = spec.arguments.position
  }

  let claim = "meet the assertion with the values of the case filled in"
  var needsUsableAnswer: Bool { AssertionCatalog.needsText(type) }
  var isGraded: Bool { AssertionCatalog.isGraded(type) }
  var templates: [AssertionTemplate.Text] { template.texts }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    throw Undecided(reason: "the assertion was not filled in")
  }

  func bound(to testCase: TestCase) -> any AnswerCheck {
    let unheard = DiagnosticCollector()
    do throws(Template.Problem) {
      if let check = make(try template.filled(testCase), unheard) { return check }
      return Unfilled(reason: unheard.diagnostics.first?.message ?? "the assertion cannot be used")
    } catch {
      return Unfilled(reason: "the case has no '\(error.message)'")
    }
  }

  private func make(_ node: Node, _ diagnostics: DiagnosticCollector) -> (any AnswerCheck)? {
    let spec = ScorerSpec(
      type: type,
      arguments: node,
      position: position,
      file: SourceFile(path: path, bytes: [])
    )
    // Types that support templates do not read files.
    let files = ProjectFiles(InMemoryFileSystem(), diagnostics: diagnostics)
    return AssertionCatalog.makePlain(type, ScorerArguments(spec: spec, files: files))
  }

  func check(_ expectation: Expectation) {
    // Missing names are reported later, together with the missing names of all cases.
    guard let node = try? template.filled(expectation.testCase) else { return }
    let unheard = DiagnosticCollector()
    if make(node, unheard) != nil { return }
    for fault in unheard.diagnostics {
      expectation.diagnostics.error(
        "with the values of the case '\(expectation.caseID)', the assertion at "
          + "\(path):\(place.line):\(place.column) is invalid: \(fault.message)",
        in: expectation.file,
        at: expectation.position,
        fix: "correct the value in the case, or the assertion"
      )
    }
  }

  /// The check that is used if the arguments are invalid after a case has filled them in.
  private struct Unfilled: AnswerCheck {
    var reason: String
    let claim = "meet the assertion with the values of the case filled in"
    let needsUsableAnswer = false

    func finding(_ answer: Answer) throws(Undecided) -> Finding { throw Undecided(reason: reason) }
  }
}
