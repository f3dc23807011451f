import SluiceSupport

/// The reason why a line of a batch file cannot be used.
package struct BatchLineFault: Error, Hashable, Sendable {
  package var message: String
  package var fix: String?
  /// The column in bytes, from 1.
  package var column = 1
  /// True if the line is JSON and contains the id of a request.
  package var isBatchLine = false

  package init(
    _ message: String,
    fix: String? = nil,
    column: Int = 1,
    isBatchLine: Bool = false
  ) {
    self.message = message
    self.fix = fix
    self.column = column
    self.isBatchLine = isBatchLine
  }
}

/// The limits for reading batch files.
package enum BatchLimits {
  /// The maximum length of a `custom_id` in bytes, which is more than the 64 that services accept.
  package static let idLength = 512
  /// The maximum number of lines that a command reads from all of its files together.
  ///
  /// Services accept 50,000 requests per file.
  package static let lines = 1_000_000
  /// The number of lines that are read to find out if a file is a batch file.
  package static let linesToTell = 1_000
  /// The maximum number of unusable lines that are reported one by one.
  ///
  /// Further unusable lines are only counted.
  package static let faults = 100_000
  /// The maximum number of lines whose requests are compared with the requests of the project.
  package static let compared = 10_000
  /// The length to which messages of other programs are cut, in characters.
  package static let wordLength = 300
}

/// The members that determine the meaning of a line, as raw JSON.
///
/// Other members are checked and skipped, so that even a line with millions of members needs little
/// memory.
struct BatchMembers {
  private(set) var id: String?
  /// True if the line is identified by `key`, as in Gemini's files.
  private(set) var hasKey = false
  private var texts: [(name: String, text: UnsafeBufferPointer<UInt8>)] = []

  private static let names: [StaticString] = [
    "response", "error", "body", "status_code", "choices", "result", "url", "params", "request",
  ]

  /// Reads a line.
  ///
  /// - Parameter line: The line. The members are valid as long as the memory of the line.
  /// - Throws: ``BatchLineFault`` if the line is not a line of a batch file.
  init(_ line: UnsafeBufferPointer<UInt8>) throws(BatchLineFault) {
    if line.isEmpty || line.allSatisfy({ $0 <= 0x20 }) {
      throw BatchLineFault("the line is empty", fix: "remove it")
    }
    var members = Members()
    do throws(JSONSyntaxError) {
      try JSONReader.read(line) { reader throws(JSONSyntaxError) in
        guard try reader.kind() == .object else {
          members.isObject = false
          return try reader.skipValue()
        }
        try reader.readMembers { reader, name throws(JSONSyntaxError) in
          if name == "custom_id" {
            try members.takeID(&reader, "custom_id")
          } else if name == "key" {
            try members.takeID(&reader, "key")
          } else if let known = Self.names.first(where: { name == $0 }) {
            members.add("\(known)", try reader.textOfValue())
          } else {
            try reader.skipValue()
          }
        }
      }
    } catch {
      throw BatchLineFault(
        error.message == "not valid UTF-8" ? error.message : "not valid JSON: \(error.message)",
        fix: error.message == "not valid UTF-8" ? "save the file as UTF-8" : nil,
        column: error.offset + 1
      )
    }
    guard members.isObject else { throw BatchLineFault("the line is not a JSON object") }
    if let name = members.repeated {
      throw BatchLineFault("the line has '\(name)' twice", fix: "remove one of the two")
    }
    let own = members.ids["custom_id"] ?? members.ids["key"]
    hasKey = members.ids["custom_id"] == nil && own != nil
    if let own, own.length > BatchLimits.idLength {
      throw BatchLineFault(
        "the \(hasKey ? "key" : "custom_id") is \(own.length) bytes long; the limit is "
          + "\(BatchLimits.idLength)"
      )
    }
    id = own?.text
    texts = members.texts
  }

  private struct Members {
    var isObject = true
    var ids: [String: (text: String?, length: Int)] = [:]
    var texts: [(name: String, text: UnsafeBufferPointer<UInt8>)] = []
    var repeated: String?

    mutating func takeID(_ reader: inout JSONReader, _ name: String) throws(JSONSyntaxError) {
      if ids[name] != nil { repeated = name }
      guard try reader.kind() == .string else {
        ids[name] = (nil, 0)
        return try reader.skipValue()
      }
      let text = try reader.readRawString()
      let length = text.units.count
      ids[name] = (length <= BatchLimits.idLength ? text.text : nil, length)
    }

    mutating func add(_ name: String, _ text: UnsafeBufferPointer<UInt8>) {
      if texts.contains(where: { $0.name == name }) { repeated = name }
      texts.append((name, text))
    }
  }

  /// Returns the raw JSON of a member's value; nil if the member is missing or null.
  subscript(name: String) -> UnsafeRawBufferPointer? {
    guard let text = texts.first(where: { $0.name == name })?.text else { return nil }
    let bytes = UnsafeRawBufferPointer(text)
    return bytes.equals("null") ? nil : bytes
  }

  /// Returns the `custom_id`, or the `key` of a line in Gemini's format.
  ///
  /// - Throws: ``BatchLineFault`` if the line has no id.
  func requiredID() throws(BatchLineFault) -> String {
    if let id, !id.isEmpty { return id }
    throw BatchLineFault(
      "the line has no custom_id, so its request is unknown"
    )
  }
}

extension UnsafeRawBufferPointer {
  /// The value of the JSON text; nil if the text is not valid JSON.
  var jsonValue: JSONValue? { try? JSONReader.value(self) }
}
