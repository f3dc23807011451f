import SluiceSupport

/// The messages of a prompt for an API that takes instructions apart from the conversation.
package struct PromptParts {
  /// The texts of the system's and developer's messages before the conversation.
  var instructions: [String]
  /// The conversation.
  var turns: [ChatMessage]

  /// Divides messages.
  ///
  /// - Parameters:
  ///   - messages: The messages of a prompt.
  ///   - api: The API.
  /// - Throws: ``Template/Problem`` for instructions after the conversation has begun, which the API has
  ///   no place for: to send them first would ask something else.
  init(_ messages: [ChatMessage], for api: ModelAPI) throws(Template.Problem) {
    let start = messages.firstIndex { !$0.role.isInstruction } ?? messages.endIndex
    instructions = messages[..<start].map(\.text)
    turns = Array(messages[start...])
    if !api.takesLateInstructions, let late = turns.first(where: \.role.isInstruction) {
      throw Self.problem(late.role, for: api)
    }
  }

  /// The problem of instructions that come too late.
  package static func problem(_ role: MessageRole, for api: ModelAPI) -> Template.Problem {
    Template.Problem(
      offset: 0,
      message: "a '\(role.rawValue)' message after the conversation began cannot be sent to "
        + api.title,
      fix: "move it before the first 'user' message"
    )
  }
}

extension MessageRole {
  /// True for messages of the app itself.
  package var isInstruction: Bool { self == .system || self == .developer }
}
