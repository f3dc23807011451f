import SluiceSupport

/// The messages of a prompt for an API that separates instructions from the conversation.
package struct PromptParts {
  /// The texts of the system and developer messages that precede the conversation.
  var instructions: [String]
  /// The conversation.
  var turns: [ChatMessage]

  /// Separates the instructions from the conversation.
  ///
  /// - Parameters:
  ///   - messages: The messages of a prompt.
  ///   - api: The API.
  /// - Throws: ``Template/Problem`` if an instruction follows the start of the conversation, which
  ///   the API does not support. Moving the instruction to the front would change the question.
  init(_ messages: [ChatMessage], for api: ModelAPI) throws(Template.Problem) {
    let start = messages.firstIndex { !$0.role.isInstruction } ?? messages.endIndex
    instructions = messages[..<start].map(\.text)
    turns = Array(messages[start...])
    if !api.takesLateInstructions, let late = turns.first(where: \.role.isInstruction) {
      throw Self.problem(late.role, for: api)
    }
  }

  /// Returns the problem with an instruction that follows the start of the conversation.
  package static func problem(_ role: MessageRole, for api: ModelAPI) -> Template.Problem {
    Template.Problem(
      offset: 0,
      message: "a '\(role.rawValue)' message in the middle of the conversation cannot be sent to "
        + api.title,
      fix: "move it before the first 'user' message"
    )
  }
}

extension MessageRole {
  /// True if messages with this role give instructions and are not part of the conversation.
  package var isInstruction: Bool { self == .system || self == .developer }
}
