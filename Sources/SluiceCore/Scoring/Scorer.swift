public import SluiceSupport

/// Judges the answer to a case.
///
/// A scorer is a pure function: the same answer and case always get the same score.
public protocol Scorer: Sendable {
  /// Returns the score of an answer.
  ///
  /// - Parameters:
  ///   - answer: What the model answered.
  ///   - testCase: The case that it answered.
  /// - Returns: What the scorer found.
  func score(_ answer: Answer, for testCase: TestCase) -> Score
}

/// What a scorer found.
public struct Score: Hashable, Sendable {
  /// What a score says about its trial.
  public enum Outcome: String, Sendable {
    case passed, failed
    /// The case asks nothing of this scorer.
    case notApplicable = "not-applicable"
    /// The scorer could not judge, which says nothing about the answer.
    case unscored
  }

  /// What the score says about its trial.
  public var outcome: Outcome
  /// Whether the app could not have used the answer: it is wrong, and counted as unusable too.
  public var isUnusable: Bool
  /// Whether the score is only shown: it fails no trial and decides no gate.
  public var isAdvisory = false
  /// What was expected, what came and where, in one line.
  public var explanation: String
  /// What metrics are made of, by name: truth values, numbers and labels.
  public var measurements: JSONObject

  /// Creates a score.
  ///
  /// - Parameters:
  ///   - outcome: What the score says about its trial.
  ///   - isUnusable: Whether the app could not have used the answer.
  ///   - explanation: What was expected, what came and where, in one line.
  ///   - measurements: What metrics are made of.
  public init(
    _ outcome: Outcome,
    isUnusable: Bool = false,
    explanation: String,
    measurements: JSONObject = [:]
  ) {
    self.outcome = outcome
    self.isUnusable = isUnusable
    self.explanation = explanation
    self.measurements = measurements
  }
}

/// What a model answered, prepared for scorers.
public struct Answer: Sendable {
  /// The response as it came.
  public let response: ModelResponse
  /// The visible text, empty when there is none.
  public let text: String
  /// Why no app could use the answer, whatever it was to do with it; nil when one could.
  public let flaw: String?
  /// What the answer cost in US dollars; nil where its usage or the price of its model is unknown.
  public let cost: Double?
  /// The text read as JSON, or why it cannot be.
  public let json: Result<JSONValue, UnusableAnswer>
  /// The part that the answer has in place of text, where a scorer asks for it; nil for an answer with
  /// text and for an unusable one.
  let substitute: AnswerPart?
  /// True when scorers of text fail an answer without text; false when they don't apply to it.
  var demandsText = false
  /// The extracted part of the answer; nil where it is scored as it came.
  private var part: Part?

  /// A part of an answer, which few have: a reference, so that the others are not larger for it.
  private final class Part: Sendable {
    /// Nil where nothing could be taken out.
    let value: JSONValue?
    let isUndecided: Bool

    init(_ value: JSONValue?, isUndecided: Bool) {
      self.value = value
      self.isUndecided = isUndecided
    }
  }

  /// Why nobody knows what would be scored of the answer; nil where that is known.
  var undecided: String? { part?.isUndecided == true ? flaw : nil }

  /// Prepares a response for a scorer on its own, to which an empty text is a text like others.
  ///
  /// In a run, what else judges the case decides whether an empty answer can be used.
  ///
  /// - Parameters:
  ///   - response: The response as it came.
  ///   - cost: What it cost in US dollars; nil where that is unknown.
  public init(_ response: ModelResponse, cost: Double? = nil) {
    self.init(response, cost: cost, wanting: response.text == nil ? [] : [.emptyText])
  }

  /// Prepares a response.
  ///
  /// - Parameters:
  ///   - response: The response as it came.
  ///   - cost: What it cost in US dollars; nil where that is unknown.
  ///   - parts: What the answer may hold in place of text.
  package init(_ response: ModelResponse, cost: Double? = nil, wanting parts: Set<AnswerPart>) {
    self.response = response
    self.cost = cost
    text = response.text ?? ""
    let isBlank = BlankText.isBlank(text)
    let substitute = isBlank ? AnswerPart.substitute(in: response, among: parts) : nil
    flaw = Self.flaw(in: response, isBlank: isBlank && substitute == nil, wanting: parts)
    self.substitute = flaw == nil ? substitute : nil
    if let flaw {
      json = .failure(UnusableAnswer(reason: flaw))
    } else if substitute != nil {
      json = .failure(UnusableAnswer(reason: "the answer has no text"))
    } else {
      json = Self.json(text, of: "the answer")
    }
  }

  /// A text read as JSON, or why it cannot be.
  private static func json(_ text: String, of subject: String) -> Result<JSONValue, UnusableAnswer>
  {
    do throws(JSONSyntaxError) {
      return .success(try JSONReader.value(text))
    } catch {
      let reason = CodeFence.reason(text) ?? "\(subject) is not valid JSON: \(error.message)"
      return .failure(UnusableAnswer(reason: reason))
    }
  }

  /// An answer of which a part is scored.
  private init(_ answer: Answer, _ part: Result<JSONValue, UnusableAnswer>) {
    response = answer.response
    cost = answer.cost
    substitute = nil
    demandsText = answer.demandsText
    switch part {
    case .failure(let unusable):
      text = ""
      flaw = unusable.reason
      json = .failure(unusable)
    case .success(let value):
      flaw = nil
      self.part = Part(value, isUndecided: false)
      text = value.string ?? value.jsonText
      json =
        value.string.map { Self.json($0, of: Excerpt.subject("")) } ?? .success(value)
    }
  }

  /// The answer of which a part is scored: what was taken out of it, or why nothing could be.
  func extracted(_ part: Result<JSONValue, UnusableAnswer>, isUndecided: Bool = false) -> Answer {
    var answer = Answer(self, part)
    if isUndecided { answer.part = Part(nil, isUndecided: true) }
    return answer
  }

  /// Returns true when it depends on what is asked for whether the response can be used.
  static func needsWanting(_ response: ModelResponse) -> Bool {
    response.refusal != nil || BlankText.isBlank(response.text ?? "")
  }

  private static func flaw(
    in response: ModelResponse,
    isBlank: Bool,
    wanting parts: Set<AnswerPart>
  ) -> String? {
    if response.refusal != nil, !parts.contains(.refusal) { return "the model refused to answer" }
    // A run loses a trial with an unknown ending. Whoever judges without one must not pass it.
    guard let ending = response.ending else { return "the answer \(response.unknownEnding)" }
    if let flaw = ending.flaw { return flaw }
    guard isBlank, !parts.contains(.emptyText) else { return nil }
    if !response.toolCalls.isEmpty {
      return "the answer has no text, only a tool call that no scorer asks for"
    }
    return response.text == nil ? "the answer has no text" : "the answer is empty"
  }

  /// Why the times of the answer say nothing about it; nil where a scorer may judge them.
  var timesFault: String? {
    let provenance = response.provenance
    if provenance.hasMeaninglessTimes { return "the times of its backend are meaningless" }
    guard let via = provenance.via, !via.isMeasured else { return nil }
    return "it was given elsewhere (via: \(via.rawValue)), so its times are unknown"
  }

  /// The value at a path of the answer's JSON.
  ///
  /// - Parameter path: Member names and array indices joined by dots; empty for what was extracted as a
  ///   whole.
  /// - Returns: The value, or why an app could not have used the answer.
  func value(at path: String) -> Result<JSONValue, UnusableAnswer> {
    if path.isEmpty, let value = part?.value { return .success(value) }
    return json.flatMap { json in
      json.value(at: path).map(Result.success)
        ?? .failure(UnusableAnswer(reason: "the answer has no '\(path)'"))
    }
  }
}

/// Why an app could not have used an answer.
public struct UnusableAnswer: Error, Hashable, Sendable {
  /// The reason, as a clause.
  public var reason: String

  /// Creates a reason.
  ///
  /// - Parameter reason: The reason, as a clause.
  public init(reason: String) { self.reason = reason }
}

extension Score {
  /// The score of an answer that the app could not have used.
  static func unusable(_ reason: String, measurements: JSONObject = [:]) -> Score {
    Score(.failed, isUnusable: true, explanation: reason, measurements: measurements)
  }
}
