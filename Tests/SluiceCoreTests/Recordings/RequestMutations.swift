import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport

/// A request with all kinds of content, and every possible change of a single input.
enum RequestMutations {
  static let original = ModelRequest(
    backend: "server",
    api: "openai-chat",
    model: "sorter-1",
    body: [
      "model": "sorter-1",
      "messages": [
        ["role": "system", "content": "Say what kind of message it is."],
        ["role": "user", "content": "Where is it?"],
        ["role": "assistant", "name": "helper", "content": "A question."],
        ["role": "user", "content": [["type": "text", "text": "And this: send it."]]],
      ],
      "temperature": 0, "top_p": 0.5, "max_tokens": 20, "max_completion_tokens": 30, "seed": 7,
      "stop": ["a", "b"], "presence_penalty": 0, "frequency_penalty": 1,
      "reasoning_effort": "low", "user": "tester", "store": false, "metadata": ["team": "a"],
      "tools": [
        [
          "type": "function",
          "function": [
            "name": "find", "description": "Finds a message.",
            "parameters": [
              "type": "object", "properties": ["id": ["type": "string"]], "required": ["id"],
            ],
          ],
        ],
        [
          "type": "function",
          "function": ["name": "send", "description": "Sends a message.", "strict": true],
        ],
      ],
      "response_format": [
        "type": "json_schema",
        "json_schema": [
          "name": "kind", "strict": true,
          "schema": [
            "type": "object", "properties": ["kind": ["type": "string", "enum": ["a", "b"]]],
          ],
        ],
      ],
    ],
    fingerprint: "v7"
  )

  /// A request that differs from the original in one input.
  struct Mutation: Sendable {
    var name: String
    var request: ModelRequest
    /// The position of a changed leaf in the body, with its old and new value, if only one leaf was
    /// changed.
    var leaf: Leaf?

    struct Leaf: Sendable {
      var path: [String]
      var old: JSONValue
      var new: JSONValue
    }
  }

  static let all: [Mutation] = envelopes + leaves + removals + additions + orders

  // MARK: Around the body

  private static func changed(_ name: String, _ change: (inout ModelRequest) -> Void) -> Mutation {
    var request = original
    change(&request)
    return Mutation(name: name, request: request)
  }

  private static let envelopes = [
    changed("backend") { $0.backend = "other" }, changed("api") { $0.api = "other-chat" },
    changed("model") { $0.model = "sorter-2" },
    changed("model everywhere") { request in
      request.model = "sorter-2"
      request.body = replacing(request.body, ["model"], with: "sorter-2")
    },
    changed("fingerprint") { $0.fingerprint = "v8" },
    changed("fingerprint emptied") { $0.fingerprint = "" },
    changed("fingerprint removed") { $0.fingerprint = nil },
  ]

  // MARK: In the body

  private static func body(_ name: String, _ body: JSONValue, leaf: Mutation.Leaf? = nil)
    -> Mutation
  {
    var request = original
    request.body = body
    return Mutation(name: name, request: request, leaf: leaf)
  }

  /// Changes every leaf of the body to another value of its type, and to null.
  private static let leaves: [Mutation] = paths(original.body).flatMap { path -> [Mutation] in
    guard let old = value(original.body, path) else { return [] }
    let other: JSONValue
    switch old {
    case .string(let text): other = .string(text + "!")
    case .number(let number): other = .number(number + 1)
    case .bool(let isTrue): other = .bool(!isTrue)
    default: return []
    }
    return [other, .null].map { new in
      body(
        "\(path.joined(separator: ".")) = \(new.jsonText)",
        replacing(original.body, path, with: new),
        leaf: Mutation.Leaf(path: path, old: old, new: new)
      )
    }
  }

  /// Removes every member and every element.
  private static let removals: [Mutation] = paths(original.body).filter { !$0.isEmpty }.map {
    path in
    body("\(path.joined(separator: ".")) removed", replacing(original.body, path, with: nil))
  }

  /// Adds a member to every object, and an element to every list.
  private static let additions: [Mutation] = paths(original.body).compactMap { path in
    guard let old = value(original.body, path) else { return nil }
    let new: JSONValue
    switch old {
    case .object(var object):
      object["added"] = "x"
      new = .object(object)
    case .array(let list): new = .array(list + [path == ["messages"] ? message : list[0]])
    default: return nil
    }
    return body(
      "\(path.joined(separator: ".")) with one more",
      replacing(original.body, path, with: new)
    )
  }

  private static let message: JSONValue = ["role": "user", "content": ""]

  /// Swaps two neighbors in every list.
  private static let orders: [Mutation] = paths(original.body).flatMap { path -> [Mutation] in
    guard let list = value(original.body, path)?.array, list.count > 1 else { return [] }
    return (1..<list.count).map { index in
      var other = list
      other.swapAt(index - 1, index)
      return body(
        "\(path.joined(separator: ".")) with \(index - 1) and \(index) exchanged",
        replacing(original.body, path, with: .array(other))
      )
    }
  }

  // MARK: JSON by paths

  /// The paths of all values, starting with the root.
  private static func paths(_ value: JSONValue) -> [[String]] {
    let inner: [(String, JSONValue)] =
      switch value {
      case .object(let object): object.members.map { ($0.name, $0.value) }
      case .array(let list): list.enumerated().map { (String($0.offset), $0.element) }
      default: []
      }
    return [[]] + inner.flatMap { name, value in paths(value).map { [name] + $0 } }
  }

  private static func value(_ root: JSONValue, _ path: [String]) -> JSONValue? {
    path.reduce(root as JSONValue?) { value, step in
      value?.array.flatMap { list in Int(step).map { list[$0] } } ?? value?[step]
    }
  }

  /// Returns the value with a replacement at a path, or without that path.
  private static func replacing(_ root: JSONValue, _ path: [String], with new: JSONValue?)
    -> JSONValue
  {
    guard let step = path.first else { return new ?? .null }
    let rest = Array(path.dropFirst())
    switch root {
    case .object(var object):
      object[step] =
        rest.isEmpty ? new : object[step].map { replacing($0, rest, with: new) }
      return .object(object)
    case .array(var list):
      guard let index = Int(step) else { return root }
      if rest.isEmpty, new == nil {
        list.remove(at: index)
      } else {
        list[index] = rest.isEmpty ? new ?? .null : replacing(list[index], rest, with: new)
      }
      return .array(list)
    default: return root
    }
  }
}
