import Foundation
@testable import SluiceCore
import SluiceSupport
import Testing

/// A folder of recorded exchanges, each with its expected result.
struct WireSet {
  /// An exchange to check.
  struct Exchange {
    var name: String
    var vendor: String
    var api: WireAPI
    var status: Int
    var isStream: Bool
    var headers: [HTTPHeader]
    var body: [UInt8]
    var expected: JSONValue

    /// True for an exchange without an answer, whatever its status.
    var isError: Bool { status != 200 || expected["error"] != nil }
  }

  /// The exchanges with APIs that Sluice supports, in the order of the index.
  private(set) var exchanges: [Exchange] = []
  /// The files that are not checked, each with the reason.
  private(set) var skipped: [(file: String, reason: String)] = []
  /// The entries that cannot be checked, each with the reason: a defect of the set.
  private(set) var unreadable: [(name: String, reason: String)] = []

  /// Reads `INDEX.jsonl` and `exchanges.jsonl`.
  ///
  /// - Parameter folder: The folder.
  /// - Throws: The reason why the set cannot be read.
  init(folder: String) throws {
    let root = URL(fileURLWithPath: folder)
    func lines(_ name: String) throws -> [ArraySlice<UInt8>] {
      Array(try Data(contentsOf: root.appending(path: name))).split(separator: 0x0A)
    }
    var recorded: [String: JSONValue] = [:]
    for (number, line) in try lines("exchanges.jsonl").enumerated() {
      if let json = try? JSONReader.value(line), let name = Self.name(json) {
        recorded[name] = json
      } else {
        unreadable.append(("exchanges.jsonl:\(number + 1)", "is not an exchange"))
      }
    }
    var files: Set<String> = []
    for (number, line) in try lines("INDEX.jsonl").enumerated() {
      guard let entry = try? JSONReader.value(line), let name = Self.name(entry),
        let file = entry["file"]?.string
      else {
        unreadable.append(("INDEX.jsonl:\(number + 1)", "is not an entry"))
        continue
      }
      files.insert(file)
      let apiName = entry["api"]?.string ?? ""
      guard let api = WireAPI(rawValue: apiName) else {
        skipped.append((name, "Sluice does not ask models through the API '\(apiName)'"))
        continue
      }
      let response = recorded[name]?["response"]
      guard let status = entry["status"]?.integer, let expected = entry["expected"],
        let body = response?["body"]?.string.map({ Array($0.utf8) })
          ?? response?["body_base64"]?.string.flatMap({ Data(base64Encoded: $0) }).map({
            [UInt8]($0)
          })
      else {
        unreadable.append((name, "has no status, no expectation or no body"))
        continue
      }
      exchanges.append(
        Exchange(
          name: name,
          vendor: entry["vendor"]?.string ?? "",
          api: api,
          status: status,
          isStream: entry["stream"] == true,
          headers: (response?["headers"]?.object?.members ?? []).flatMap { header in
            (header.value.array ?? []).compactMap(\.string).map {
              HTTPHeader(header.name.lowercased(), $0)
            }
          },
          body: body,
          expected: expected
        )
      )
    }
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for file in found.sorted() where file.hasSuffix(".yaml") && !files.contains(file) {
      skipped.append((file, "INDEX.jsonl does not name it"))
    }
  }

  private static func name(_ line: JSONValue) -> String? {
    guard let file = line["file"]?.string, let interaction = line["interaction"]?.integer else {
      return nil
    }
    return "\(file)#\(interaction)"
  }

  // MARK: The two sets

  /// The folder with our own exchanges.
  static let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/wire").path

  /// The set that `SLUICE_WIRE_DIR` names, or else our own; all tests share it because it is large.
  static let shared = Result {
    let named = ProcessInfo.processInfo.environment["SLUICE_WIRE_DIR"] ?? ""
    return try WireSet(folder: named.isEmpty ? own : named)
  }

  /// The streams with an answer, from the shared set and our own.
  static func streams(_ api: WireAPI) throws -> [Exchange] {
    let all = try shared.get().exchanges
    let more = try WireSet(folder: own).exchanges
    var names: Set<String> = []
    return (all + more).filter {
      $0.api == api && $0.isStream && !$0.isError && names.insert($0.name).inserted
    }
  }
}

/// The APIs, with their names in the set's index.
enum WireAPI: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case chat, responses, messages, generateContent
  case ollama = "ollama-native"

  var model: ModelAPI {
    switch self {
    case .chat: .chatCompletions
    case .responses: .responses
    case .messages: .messages(ModelAPI.MessagesVersion())
    case .generateContent: .generateContent
    case .ollama: .ollamaChat
    }
  }

  /// True if the arguments of a call are an object instead of a text.
  var hasArgumentObjects: Bool {
    switch self {
    case .chat, .responses: false
    case .messages, .generateContent, .ollama: true
    }
  }

  var testDescription: String { rawValue }
}
