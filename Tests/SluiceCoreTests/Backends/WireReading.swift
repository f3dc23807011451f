import Foundation

/// An independent reading of an answer with Foundation's JSON, without the code under test.
struct WireReading {
  var text = ""
  var refusal = ""
  /// The last finish reason; empty if there is none.
  var ending = ""
  /// True once the end of the answer was received.
  var hasEnded = false
  /// True for an answer that was filtered although no finish reason says so.
  var isFiltered = false
  /// The name and arguments of each call to a caller's function.
  var calls: [[String]] = []
  var input: Int?
  var cached: Int?
  var cacheWrite: Int?
  var output: Int?
  var reasoning: Int?
  /// The message of the first error; nil if there is none.
  var error: String?
  /// The status of an answer that the server has not finished; nil for any other.
  var unfinished: String?

  /// The values of the vendors' clients, if they differ.
  struct Told {
    var text: String?
    var ending: String?
    var input: Int??
    var output: Int??
  }

  var told = Told()

  init() {}

  /// Reads a body.
  ///
  /// - Parameters:
  ///   - body: The body, as a whole or in pieces.
  ///   - api: The API.
  init(_ body: [UInt8], _ api: WireAPI) {
    var reader = Self.reader(api)
    let json = try? JSONSerialization.jsonObject(with: Data(body))
    if let object = json as? [String: Any] {
      _ = reader.take(object, isWhole: true)
    } else if let list = json as? [[String: Any]] {
      for event in list where reader.take(event, isWhole: false) { break }
    } else {
      for event in Self.events(body) where reader.take(event, isWhole: false) { break }
    }
    self = reader.reading
  }

  private static func reader(_ api: WireAPI) -> any WireReader {
    switch api {
    case .chat: ChatReading()
    case .responses: ResponsesReading()
    case .messages: MessagesReading()
    case .generateContent: ContentReading()
    case .ollama: OllamaReading()
    }
  }

  /// The JSON of the events in a body, up to `[DONE]`.
  static func events(_ body: [UInt8]) -> [[String: Any]] {
    let text = String(decoding: body, as: UTF8.self).replacingOccurrences(of: "\u{FEFF}", with: "")
      .replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
    var events: [String] = []
    if text.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix("{") {
      events = text.components(separatedBy: "\n")
    } else {
      for block in text.components(separatedBy: "\n\n") {
        let lines = block.components(separatedBy: "\n").filter { $0.hasPrefix("data:") }
        events.append(lines.map { String($0.dropFirst(5)) }.joined(separator: "\n"))
      }
    }
    return events.prefix { $0.trimmingCharacters(in: .whitespaces) != "[DONE]" }.compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
    }
  }

  /// The message in an error body.
  static func message(_ body: [UInt8]) -> String? {
    let json = try? JSONSerialization.jsonObject(with: Data(body))
    guard let object = (json as? [Any])?.first as? [String: Any] ?? json as? [String: Any] else {
      return nil
    }
    return (object["error"] as? [String: Any])?["message"] as? String
      ?? object["error"] as? String ?? object["message"] as? String ?? object["detail"] as? String
  }

  /// Returns the wait in seconds that an error's body requests; nil if there is none.
  static func wait(_ body: [UInt8]) -> Double? {
    let json = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    let details = (json?["error"] as? [String: Any])?["details"] as? [[String: Any]] ?? []
    let delay = details.lazy.compactMap { $0["retryDelay"] as? String }.first
    return delay.flatMap { Double($0.dropLast()) }
  }

  /// JSON with sorted members, so that objects can be compared.
  static func sorted(_ json: Any?) -> String {
    let data = try? JSONSerialization.data(
      withJSONObject: json ?? [String: Any](),
      options: [.sortedKeys, .fragmentsAllowed]
    )
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "not JSON"
  }

  /// JSON in a text with sorted members.
  static func sorted(text: String) -> String {
    sorted(
      (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
        ?? "not JSON: \(text)"
    )
  }

  /// Records an error next to an answer or instead of it.
  mutating func takeError(_ object: [String: Any]) {
    if let found = object["error"] as? [String: Any], !found.isEmpty {
      error = error ?? found["message"] as? String ?? ""
    } else if let found = object["error"] as? String, !found.isEmpty {
      error = error ?? found
    }
  }
}

/// A reader of the bodies of one API.
protocol WireReader {
  /// The reading of everything received so far.
  var reading: WireReading { get }

  /// Reads a whole body or the next event; returns true if later events are ignored.
  mutating func take(_ object: [String: Any], isWhole: Bool) -> Bool
}

extension [String: Any] {
  /// Returns the count at a path of members; nil if there is none.
  func count(_ path: String...) -> Int? {
    var value: Any? = self
    for name in path { value = (value as? [String: Any])?[name] }
    return (value as? NSNumber)?.intValue
  }

  func object(_ name: String) -> [String: Any] { self[name] as? [String: Any] ?? [:] }
  func list(_ name: String) -> [[String: Any]] { self[name] as? [[String: Any]] ?? [] }
  func text(_ name: String) -> String { self[name] as? String ?? "" }
}
