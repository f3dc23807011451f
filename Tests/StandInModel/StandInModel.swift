/// A stand-in for a language model, which performs the tasks of this repository's prompts by fixed
/// rules.
///
/// It lets tests and the demo run without a key. It follows the instructions in the system text, so
/// prompt changes have effects. It makes enough mistakes for meaningful reports. Its answers do not
/// measure any real model.
public struct StandInModel: Sendable {
  /// The name in its answers, unless the weaker stand-in was requested.
  public static let name = "stand-in-1"

  /// The name of a weaker stand-in.
  ///
  /// It ignores the second bullet of the system text and every fifth bullet after it, and writes
  /// JSON without spaces.
  public static let smallName = "stand-in-small-1"

  private let noise: Noise?
  private var isSmall = false

  /// Creates a stand-in model.
  ///
  /// - Parameter noise: The noise that inverts answers in the tasks that look for problems, which
  ///   are clarity and tone. Without it, only the rules decide.
  public init(noise: Noise? = nil) { self.noise = noise }

  /// Returns the name under which a requested model answers.
  ///
  /// - Parameter asked: The name in the request.
  /// - Returns: ``smallName`` if that is requested, and ``name`` otherwise.
  public static func name(for asked: String) -> String { asked == smallName ? smallName : name }

  /// Returns the stand-in with a name.
  ///
  /// - Parameter name: ``name`` or ``smallName``.
  /// - Returns: The same stand-in, or the weaker one.
  public func named(_ name: String) -> StandInModel {
    var model = self
    model.isSmall = name == Self.smallName
    return model
  }

  /// Answers a request.
  ///
  /// The same request always gets the same answer.
  ///
  /// - Parameters:
  ///   - system: The system text, which names the task and gives the instructions.
  ///   - user: The user text, in the layout of this repository's prompts.
  /// - Returns: JSON that conforms to the task's schema, or plain text if the task is unknown.
  public func answer(system: String, user: String) -> String {
    guard isSmall else { return fullAnswer(system: system, user: user) }
    let read = overlookingSomeBullets(of: system)
    return JSONText.withoutSpaces(fullAnswer(system: read, user: user))
  }

  private func fullAnswer(system: String, user: String) -> String {
    let layout = ChatLayout(user)
    let isStruck = noise?.strikes(system: system, user: user) ?? false
    let answer: String
    switch Rules.of(system) {
    case .clarity(let rules): answer = rules.answer(to: layout, opposite: isStruck)
    case .tone(let rules): answer = rules.answer(to: layout, opposite: isStruck)
    case .actionItems(let rules): answer = rules.answer(to: layout)
    case .category(let rules): answer = rules.answer(to: layout)
    case .mailbox(let rules): answer = rules.answer(to: layout)
    case .callInstead(let rules): answer = rules.answer(to: layout)
    case .summary(let rules): answer = rules.answer(to: ThreadLayout(user))
    case .feedback(let rules): answer = rules.answer(to: FeedbackLayout(user))
    case .decisions(let rules): answer = rules.answer(to: ThreadLayout(user))
    case .sentiment(let rules): answer = rules.answer(to: layout)
    case .analysis(let rules): answer = rules.answer(to: layout)
    case .smartReply(let rules): return rules.answer(to: ReplyLayout(user))
    case .faq(let rules): answer = rules.answer(to: layout)
    case .opportunity(let rules): answer = rules.answer(to: layout)
    case nil:
      return "I am a stand-in that answers by rules, and this is none of the tasks that I know."
    }
    // Real models sometimes put JSON into a code fence, especially if the text contains one.
    return Self.hasCodeFence(layout.message) ? "```json\n\(answer)\n```" : answer
  }

  /// Returns true if the message contains a closed code block that names its language.
  private static func hasCodeFence(_ message: String) -> Bool {
    let parts = message.split(separator: "```", omittingEmptySubsequences: false)
    return parts.count >= 3 && parts[1].first?.isLetter ?? false
  }
}
