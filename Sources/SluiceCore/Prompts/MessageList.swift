import SluiceSupport

/// A position in a prompt where a case inserts a list of messages: `- messages: "{{history}}"`.
///
/// Inserted messages are not templates. They are sent exactly as they are.
package struct MessageList: Sendable {
  /// The key of an entry that inserts a list of messages, used instead of a role.
  package static let key = "messages"

  /// The template, which consists of a single variable.
  package var template: Template
  package var position: TextPosition
  /// The YAML to write instead if the value should be sent as a text.
  package var textForm: String

  /// Creates the list from a template.
  ///
  /// Returns nil, without an error, if the text is not a single variable.
  ///
  /// - Parameters:
  ///   - text: The template as written.
  ///   - position: The position of the template.
  ///   - isWhole: True if the template replaces the list of all messages.
  /// - Throws: The first error in the template.
  init?(_ text: String, at position: TextPosition, isWhole: Bool) throws(Template.Problem) {
    let template = try Template(text)
    guard template.onlyName != nil else { return nil }
    self.template = template
    self.position = position
    let user = "user: \(ValueSource.doubleQuoted(text))"
    textForm = isWhole ? "\(Self.key): [{\(user)}]" : "- \(user)"
  }

  /// The name of the input that contains the messages.
  package var name: String { template.onlyName ?? "" }

  /// The reason why a value is not a list of messages.
  package struct Fault: Error, Hashable {
    /// The invalid part: an entry of the list, or the whole value (a text or something else).
    package enum Part: Hashable { case entry, text, other }

    package var part = Part.entry
    package var message: String
    package var fix: String
  }

  // MARK: Filling

  /// Returns the messages that an object contains under the name of the input.
  ///
  /// - Throws: A problem if the object does not supply the name, or if the value is not a list of
  ///   messages.
  package func messages(in context: JSONValue) throws(Template.Problem) -> [ChatMessage] {
    if let missing = template.problems(filling: context).first { throw missing }
    let value = try template.value(context)
    do throws(Fault) {
      return try Self.messages(value, named: name)
    } catch {
      throw Template.Problem(offset: 0, message: error.message, fix: error.fix)
    }
  }

  /// Returns the error for a prompt that has no messages because the inserted list is empty.
  ///
  /// - Parameter owner: The name of the prompt for error messages.
  /// - Returns: The error.
  package func emptyFault(in owner: String) -> Fault {
    Fault(
      message: "'\(name)' is empty, so \(owner) would have no message",
      fix: "add a message to '\(name)' or to \(owner)"
    )
  }

  /// Returns the messages that a value contains.
  ///
  /// - Parameters:
  ///   - value: A list of `{user: "text"}` or `{role: user, content: "text"}`.
  ///   - name: The name of the value, for error messages.
  /// - Returns: The messages.
  /// - Throws: ``Fault`` for the first entry that is not a message.
  package static func messages(_ value: JSONValue, named name: String) throws(Fault)
    -> [ChatMessage]
  {
    guard case .array(let elements) = value else {
      throw Fault(
        part: value.string == nil ? .other : .text,
        message: "'\(name)' must be a list of messages, not \(kind(value))",
        fix: value.string.map { "write [\(written("user", $0))]" } ?? "write [\(usualForm)]"
      )
    }
    var messages: [ChatMessage] = []
    for (index, element) in elements.enumerated() {
      messages.append(try message(element, named: "\(name)[\(index)]"))
    }
    return messages
  }

  private static func message(_ value: JSONValue, named name: String) throws(Fault) -> ChatMessage {
    guard case .object(let object) = value else {
      throw Fault(
        message: "'\(name)' must be a message, not \(kind(value))",
        fix: value.string.map { "write \(written("user", $0))" } ?? "write \(usualForm)"
      )
    }
    let members = object.members
    let (word, content): (String, JSONValue)
    if members.count == 2, let role = object["role"]?.string, let text = object["content"] {
      (word, content) = (role, text)
    } else if members.count == 1 {
      (word, content) = (members[0].name, members[0].value)
    } else {
      throw Fault(
        message: "'\(name)' is not a message: it must have only a role and a text",
        fix: "write \(usualForm), or {\"role\": \"user\", \"content\": \"…\"}"
      )
    }
    guard let role = MessageRole(rawValue: word) else {
      throw Fault(
        message: "'\(name)' has the unknown role '\(word)'",
        fix: PromptReader.roleFix(word, writing: { "write '\($0)'" }) ?? "write \(usualForm)"
      )
    }
    guard let text = content.string else {
      throw Fault(
        message: "the content of '\(name)' must be a text, not \(kind(content))",
        fix: "write \(usualForm.replacing("user", with: word))"
      )
    }
    return ChatMessage(role: role, text: text)
  }

  private static let usualForm = #"{"user": "…"}"#

  /// Returns a message in a form that is valid in both YAML and JSON.
  private static func written(_ role: String, _ text: String) -> String {
    "{\"\(role)\": \(ValueSource.doubleQuoted(text))}"
  }

  private static func kind(_ value: JSONValue) -> String {
    Node(value, at: SourcePosition(line: 1, column: 1)).kind
  }
}
