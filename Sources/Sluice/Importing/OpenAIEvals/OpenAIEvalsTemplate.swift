import SluiceReporting

/// A template of the hosted Evals, which uses the namespaces `item` and `sample`.
struct OpenAIEvalsTemplate {
  enum Part: Equatable {
    case text(String)
    /// A field of the item.
    ///
    /// For `{{item.a.b}}`, the path is `a`, `b`.
    case item([String])
    /// The answer, `{{sample.output_text}}`.
    case output
  }

  let parts: [Part]

  /// Reads a template, or returns `nil` if the text contains a tag other than a field of the item
  /// or the answer.
  init?(_ text: String) {
    var parts: [Part] = []
    var rest = text[...]
    while let open = rest.firstRange(of: "{{") {
      guard let close = rest[open.upperBound...].firstRange(of: "}}") else { return nil }
      if open.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<open.lowerBound]))) }
      let tag = String(rest[open.upperBound..<close.lowerBound]).trimmed
      let path = tag.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard path.allSatisfy({ $0.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_-]*/) != nil }) else {
        return nil
      }
      if path == ["sample", "output_text"] {
        parts.append(.output)
      } else if path.count > 1, path[0] == "item" {
        parts.append(.item(Array(path.dropFirst())))
      } else {
        return nil
      }
      rest = rest[close.upperBound...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  var isOutput: Bool { parts == [.output] }
  var readsOutput: Bool { parts.contains(.output) }

  /// The paths of the item's fields that the template reads.
  var fields: [[String]] {
    parts.compactMap { if case .item(let path) = $0 { path } else { nil } }
  }

  /// Converts the template to Sluice's template language.
  ///
  /// - Parameters:
  ///   - prefix: A closure that returns the prefix for the name of a field.
  ///   - output: The name to use for the answer.
  /// - Returns: The text.
  func text(_ prefix: (String) -> String, output: String = "answer") -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .item(let path): "{{\(prefix(path[0]))\(path.joined(separator: "."))}}"
      case .output: "{{\(output)}}"
      }
    }
    .joined()
  }
}

/// A message of a prompt or of a grader.
struct OpenAIEvalsMessage {
  var role: String
  var template: OpenAIEvalsTemplate

  /// Reads a message, or returns `nil` if its content contains anything except text.
  init?(_ json: JSONValue) {
    guard let role = json["role"]?.string, MessageRole(rawValue: role) != nil,
      let text = Self.text(json["content"]), let template = OpenAIEvalsTemplate(text)
    else { return nil }
    self.role = role
    self.template = template
  }

  private static func text(_ content: JSONValue?) -> String? {
    switch content {
    case .string(let text)?: return text
    case .object(let object)?:
      let type = object["type"]?.string ?? ""
      return ["input_text", "output_text", "text"].contains(type) ? object["text"]?.string : nil
    case .array(let parts)?:
      let texts = parts.compactMap { text($0) }
      return texts.count == parts.count && !texts.isEmpty ? texts.joined(separator: "\n") : nil
    default: return nil
    }
  }
}
