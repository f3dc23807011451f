public import SluiceSupport

/// A type that scores the answer to a case.
///
/// A scorer is a pure function: the same answer and case always get the same score.
public protocol Scorer: Sendable {
  /// Returns the score of an answer.
  ///
  /// - Parameters:
  ///   - answer: The model's answer.
  ///   - testCase: The case of the answer.
  /// - Returns: The score.
  func score(_ answer: Answer, for testCase: TestCase) -> Score
}

/// The result of a scorer.
public struct Score: Hashable, Sendable {
  /// The result of scoring an answer.
  public enum Outcome: String, Sendable {
    /// The answer is right.
    case passed
    /// The answer is wrong or unusable.
    ///
    /// The trial fails, unless the score is advisory or another scorer could not judge the answer.
    case failed
    /// The scorer does not apply to the case.
    case notApplicable = "not-applicable"
    /// The scorer could not judge the answer.
    ///
    /// The trial is lost, unless the score is advisory.
    case unscored
  }

  /// The result: passed, failed, not applicable or unscored.
  public var outcome: Outcome
  /// True if the app could not use the answer.
  ///
  /// Such an answer counts as wrong, and also as unusable.
  public var isUnusable: Bool
  /// True if the score is advisory: it does not make the trial fail, and no gate decides on it.
  public var isAdvisory = false
  /// The expectation, the actual answer and the position of the difference, on one line.
  public var explanation: String
  /// The values from which metrics are computed, by name: Booleans, numbers and labels.
  public var measurements: JSONObject

  /// Creates a score.
  ///
  /// - Parameters:
  ///   - outcome: The result: passed, failed, not applicable or unscored.
  ///   - isUnusable: True if the app could not use the answer.
  ///   - explanation: The expectation, the actual answer and the position of the difference, on one
  ///     line.
  ///   - measurements: The values from which metrics are computed.
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

/// A model's answer, in the form in which scorers receive it.
public struct Answer: Sendable {
  /// The original response.
  public let response: ModelResponse
  /// The visible text; empty if there is none.
  public let text: String
  /// The reason why no app could use the answer; nil if an app could use it.
  public let flaw: String?
  /// The cost of the answer in US dollars; nil if its token usage or the price of its model is
  /// unknown.
  public let cost: Double?
  /// The text parsed as JSON, or the reason why it is not JSON.
  public let json: Result<JSONValue, UnusableAnswer>
  /// The part that a scorer accepts in place of text; nil if the answer has text, or is unusable.
  let substitute: AnswerPart?
  /// True if an answer without text fails the scorers that need text.
  ///
  /// False if these scorers do not apply to such an answer.
  var demandsText = false
  /// True if an empty text is a usable answer to the case.
  private var takesEmptyText: Bool
  /// The extracted part of the answer; nil if the whole answer is scored.
  private var part: Part?

  /// The part of an answer that was extracted.
  ///
  /// It is a class, so that it takes little space in answers without an extracted part.
  private final class Part: Sendable {
    /// The value; nil if nothing could be extracted.
    let value: JSONValue?
    let isUndecided: Bool

    init(_ value: JSONValue?, isUndecided: Bool) {
      self.value = value
      self.isUndecided = isUndecided
    }
  }

  /// The reason why the result of the extraction is unknown; otherwise nil.
  var undecided: String? { part?.isUndecided == true ? flaw : nil }

  /// Prepares a response for a scorer that is used alone.
  ///
  /// For this scorer, an empty text is a valid text.
  ///
  /// In a run, all scorers of a case together determine whether an empty answer is usable.
  ///
  /// - Parameters:
  ///   - response: The original response.
  ///   - cost: The cost in US dollars; nil if unknown.
  public init(_ response: ModelResponse, cost: Double? = nil) {
    self.init(response, cost: cost, wanting: response.text == nil ? [] : [.emptyText])
    takesEmptyText = false
  }

  /// Prepares a response.
  ///
  /// - Parameters:
  ///   - response: The original response.
  ///   - cost: The cost in US dollars; nil if unknown.
  ///   - parts: The parts that scorers accept in place of text.
  package init(_ response: ModelResponse, cost: Double? = nil, wanting parts: Set<AnswerPart>) {
    self.response = response
    self.cost = cost
    takesEmptyText = parts.contains(.emptyText)
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

  /// Returns a text parsed as JSON, or the reason why it is not JSON.
  private static func json(_ text: String, of subject: String) -> Result<JSONValue, UnusableAnswer>
  {
    do throws(JSONSyntaxError) {
      return .success(try JSONReader.value(text))
    } catch {
      let reason = CodeFence.reason(text) ?? "\(subject) is not valid JSON: \(error.message)"
      return .failure(UnusableAnswer(reason: reason))
    }
  }

  /// Creates an answer of which only a part is scored.
  private init(_ answer: Answer, _ part: Result<JSONValue, UnusableAnswer>) {
    response = answer.response
    cost = answer.cost
    substitute = nil
    demandsText = answer.demandsText
    takesEmptyText = answer.takesEmptyText
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

  /// Returns the answer, reduced to an extracted part.
  ///
  /// If there is no such part, the answer contains the reason.
  func extracted(_ part: Result<JSONValue, UnusableAnswer>, isUndecided: Bool = false) -> Answer {
    var answer = Answer(self, part)
    if isUndecided { answer.part = Part(nil, isUndecided: true) }
    return answer
  }

  /// Returns the reason why the extracted part is not a usable text; nil if it is.
  ///
  /// - Parameters:
  ///   - takesNull: True if null is a usable value.
  ///   - takesEmpty: True if an empty text is a usable value.
  /// - Returns: The reason.
  func flawOfPart(takingNull takesNull: Bool, empty takesEmpty: Bool) -> String? {
    guard let value = part?.value, !takesEmptyText, !takesEmpty else { return nil }
    if case .null = value { return takesNull ? nil : "\(Excerpt.subject("")) is null" }
    return BlankText.isBlank(text) ? "\(Excerpt.subject("")) is empty" : nil
  }

  /// Returns true for a refusal, and for a response without text.
  ///
  /// Such a response is usable only if a scorer accepts its kind (``AnswerPart``).
  static func isUsableOnlyIfAccepted(_ response: ModelResponse) -> Bool {
    response.refusal != nil || BlankText.isBlank(response.text ?? "")
  }

  private static func flaw(
    in response: ModelResponse,
    isBlank: Bool,
    wanting parts: Set<AnswerPart>
  ) -> String? {
    if response.refusal != nil, !parts.contains(.refusal) { return "the model refused to answer" }
    // In a run, a trial with an unknown finish reason is lost. A scorer that is used alone must not
    // pass such an answer.
    guard let ending = response.ending else { return "the answer \(response.unknownEnding)" }
    if let flaw = ending.flaw { return flaw }
    guard isBlank, !parts.contains(.emptyText) else { return nil }
    if !response.toolCalls.isEmpty {
      return "the answer has no text, only a tool call that no scorer checks"
    }
    return response.text == nil ? "the answer has no text" : "the answer is empty"
  }

  /// The reason why the times of the answer have no meaning; nil if scorers may use them.
  var timesFault: String? {
    let provenance = response.provenance
    if provenance.hasMeaninglessTimes { return "the times of its backend are meaningless" }
    guard let via = provenance.via, !via.isMeasured, !provenance.statesTimes else { return nil }
    return "the answer came \(via.phrase)"
  }

  /// Returns the value at a path of the answer's JSON.
  ///
  /// - Parameter path: Member names and array indices joined by dots. An empty path means the whole
  ///   extracted value.
  /// - Returns: The value, or the reason why an app could not use the answer.
  func value(at path: String) -> Result<JSONValue, UnusableAnswer> {
    if path.isEmpty, let value = part?.value { return .success(value) }
    if case .failure(var unusable) = json, let hint = hintAtText {
      unusable.reason += hint
      return .failure(unusable)
    }
    return json.flatMap { json in
      json.value(at: path).map(Result.success)
        ?? .failure(UnusableAnswer(reason: "the answer has no '\(path)'"))
    }
  }

  /// A clause that says why the scorer reads plain text as JSON; nil if the answer looks like JSON.
  private var hintAtText: String? {
    guard flaw == nil, substitute == nil, CodeFence.reason(text) == nil,
      let first = text.utf8.first(where: { $0 > 0x20 }),
      first != UInt8(ascii: "{"), first != UInt8(ascii: "["), first != UInt8(ascii: "\"")
    else { return nil }
    let subject = part == nil ? "the answer" : Excerpt.subject("")
    return "; the scorer reads JSON because it has a 'path', and \(subject) is "
      + Excerpt.quoted(text)
  }
}

/// The reason why an app could not use an answer.
public struct UnusableAnswer: Error, Hashable, Sendable {
  /// The reason, as a clause.
  public var reason: String

  /// Creates a reason.
  ///
  /// - Parameter reason: The reason, as a clause.
  public init(reason: String) { self.reason = reason }
}

extension Score {
  /// Returns the score of an unusable answer.
  static func unusable(_ reason: String, measurements: JSONObject = [:]) -> Score {
    Score(.failed, isUnusable: true, explanation: reason, measurements: measurements)
  }
}
