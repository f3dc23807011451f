/// A message of JSON-RPC 2.0, read from one line.
package enum JSONRPCMessage: Sendable {
  case request(id: JSONValue, method: String, parameters: JSONObject)
  case notification(method: String, parameters: JSONObject)
  /// A response to a request that this side sent.
  case response
  case invalid(Fault)

  /// An error in a message, as reported to its sender.
  package struct Fault: Error, Hashable, Sendable {
    /// The id of the request, or null if it is unknown.
    package var id: JSONValue
    package var code: Int
    package var message: String

    package init(id: JSONValue = .null, _ code: Int, _ message: String) {
      (self.id, self.code, self.message) = (id, code, message)
    }
  }

  /// The codes of JSON-RPC 2.0, section 5.1.
  package enum Code {
    package static let parseError = -32_700
    package static let invalidRequest = -32_600
    package static let methodNotFound = -32_601
    package static let invalidParameters = -32_602
    package static let internalError = -32_603
  }

  /// The maximum length of a line, in bytes.
  package static let maximumBytes = 1 << 20
  private static let maximumDepth = 32
  private static let maximumName = 200
  /// The end of the range in which a number of 64 bits has the value that its text has (2^53).
  private static let idLimit = 9_007_199_254_740_992.0

  /// Reads a message.
  ///
  /// - Parameter line: The line without its end.
  package init(_ line: some Collection<UInt8>) {
    guard line.count <= Self.maximumBytes else {
      self = .invalid(
        Fault(Code.invalidRequest, "the message is longer than \(Self.maximumBytes) bytes")
      )
      return
    }
    do throws(JSONSyntaxError) {
      self = Self.read(try JSONReader.value(line))
    } catch {
      self = .invalid(Fault(Code.parseError, "not JSON: \(error.message)"))
    }
  }

  private static func read(_ value: JSONValue) -> JSONRPCMessage {
    func refuse(_ message: String, _ id: JSONValue = .null) -> JSONRPCMessage {
      .invalid(Fault(id: id, Code.invalidRequest, message))
    }
    guard let object = value.object else {
      return refuse("a message must be an object; batches are not supported")
    }
    var id: JSONValue?
    switch object["id"] {
    case .string(let text)? where text.utf8.count <= maximumName: id = .string(text)
    case .number(let number)? where number == number.rounded() && abs(number) < idLimit:
      id = .number(number)
    case nil: id = nil
    default:
      return refuse(
        "'id' must be a whole number between -2^53 and 2^53, or a string of up to \(maximumName) "
          + "bytes"
      )
    }
    guard object["jsonrpc"]?.string == "2.0" else {
      return refuse("'jsonrpc' must be \"2.0\"", id ?? .null)
    }
    guard let method = object["method"] else {
      if object["result"] != nil || object["error"] != nil { return .response }
      return refuse("'method' is missing", id ?? .null)
    }
    guard let method = method.string, method.utf8.count <= maximumName else {
      return refuse("'method' must be a string of up to \(maximumName) bytes", id ?? .null)
    }
    let parameters = object["params"] ?? [:]
    guard let parameters = parameters.object else {
      return refuse("'params' must be an object", id ?? .null)
    }
    guard depth(.object(parameters), isWithin: maximumDepth) else {
      return refuse("'params' is nested more than \(maximumDepth) levels deep", id ?? .null)
    }
    guard let id else { return .notification(method: method, parameters: parameters) }
    return .request(id: id, method: method, parameters: parameters)
  }

  private static func depth(_ value: JSONValue, isWithin limit: Int) -> Bool {
    guard limit > 0 else { return false }
    return switch value {
    case .array(let values): values.allSatisfy { depth($0, isWithin: limit - 1) }
    case .object(let object): object.members.allSatisfy { depth($0.value, isWithin: limit - 1) }
    default: true
    }
  }

  // MARK: Answering

  /// Returns the line that answers a request.
  package static func result(_ result: JSONObject, id: JSONValue) -> [UInt8] {
    line(["jsonrpc": "2.0", "id": id, "result": .object(result)])
  }

  /// Returns the line that refuses a message.
  package static func refusal(_ fault: Fault) -> [UInt8] {
    line([
      "jsonrpc": "2.0", "id": fault.id,
      "error": ["code": .number(Double(fault.code)), "message": .string(fault.message)],
    ])
  }

  private static func line(_ value: JSONValue) -> [UInt8] {
    JSONWriter.line(value)
  }
}
