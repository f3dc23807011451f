internal import Sluice

/// The arguments of a tool call, checked against the parameters of the tool.
struct AgentArguments: Sendable {
  /// The reason why an argument cannot be used.
  struct Fault: Error {
    var message: String
  }

  /// A parameter of a tool.
  struct Parameter: Sendable {
    enum Kind: Sendable {
      case text
      case texts
      case number
      case count
      case truth
    }

    var name: String
    var kind: Kind
    var about: String
    var isRequired = false
    /// True if the argument is a path, which must stay inside the project.
    var isPath = false

    /// The JSON Schema of the parameter, which is part of the schema of the tool's input.
    var schema: JSONValue {
      var object: JSONObject = ["description": .string(about)]
      switch kind {
      case .text:
        object["type"] = "string"
        object["maxLength"] = .number(Double(AgentArguments.longestText))
      case .texts:
        object["type"] = "array"
        object["items"] = [
          "type": "string", "maxLength": .number(Double(AgentArguments.longestText)),
        ]
        object["maxItems"] = .number(Double(AgentArguments.mostTexts))
      case .number:
        object["type"] = "number"
        object["minimum"] = 0
      case .count:
        object["type"] = "integer"
        object["minimum"] = 1
      case .truth: object["type"] = "boolean"
      }
      return .object(object)
    }
  }

  static let longestText = 500
  static let mostTexts = 100
  private let values: JSONObject

  /// Reads the arguments of a tool call.
  ///
  /// - Parameters:
  ///   - value: The arguments as sent by the client, or `nil` if the client sent none.
  ///   - parameters: The parameters that the tool has.
  /// - Throws: An error about the first argument that cannot be used.
  init(_ value: JSONValue?, for parameters: [Parameter]) throws(Fault) {
    guard let object = (value ?? [:]).object else {
      throw Fault(message: "'arguments' must be an object")
    }
    for (name, value) in object.members {
      guard let parameter = parameters.first(where: { $0.name == name }) else {
        let names = parameters.map(\.name)
        let fix =
          NearestName.suggestion(for: name, among: names)
          ?? "the known arguments are: \(names.joined(separator: ", "))"
        throw Fault(message: "unknown argument '\(Excerpt.cut(name, to: 100))'; \(fix)")
      }
      try Self.check(value, parameter)
    }
    if let missing = parameters.first(where: { $0.isRequired && object[$0.name] == nil }) {
      throw Fault(message: "missing argument '\(missing.name)'")
    }
    values = object
  }

  private static func check(_ value: JSONValue, _ parameter: Parameter) throws(Fault) {
    let name = parameter.name
    func isUsable(_ value: JSONValue) -> Bool {
      guard let text = value.string, !text.isEmpty, text.utf8.count <= longestText else {
        return false
      }
      return !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }
    let lengths = "1 to \(longestText) bytes without control characters"
    switch parameter.kind {
    case .text:
      guard isUsable(value) else {
        throw Fault(message: "'\(name)' must be a string of \(lengths)")
      }
    case .texts:
      guard let texts = value.array, texts.count <= mostTexts, texts.allSatisfy(isUsable) else {
        throw Fault(
          message: "'\(name)' must be a list of up to \(mostTexts) strings, each of \(lengths)"
        )
      }
    case .number:
      guard let number = value.number, number >= 0 else {
        throw Fault(message: "'\(name)' must be a number of 0 or more")
      }
    case .count:
      guard let number = value.integer, (1...1_000_000).contains(number) else {
        throw Fault(message: "'\(name)' must be a whole number of 1 or more")
      }
    case .truth:
      guard value.bool != nil else { throw Fault(message: "'\(name)' must be true or false") }
    }
  }

  func isTrue(_ name: String) -> Bool { values[name]?.bool ?? false }

  /// Returns the texts of an argument that is either one text or a list of texts.
  func texts(_ name: String) -> [String] {
    values[name]?.array?.compactMap(\.string) ?? values[name]?.string.map { [$0] } ?? []
  }

  /// Returns the command-line words for an argument that is passed as an option.
  ///
  /// An option and its value form one word (`--name=value`), so that no value is read as an option.
  func option(_ name: String, as option: String? = nil) -> [String] {
    let word = "--" + (option ?? name)
    if let number = values[name]?.number { return ["\(word)=\(JSONWriter.number(number))"] }
    return texts(name).map { "\(word)=\($0)" }
  }
}
