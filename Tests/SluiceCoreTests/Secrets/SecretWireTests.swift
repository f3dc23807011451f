import Foundation
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Real recordings in which the scanner must not find anything.
@Suite("Secrets: real recordings")
struct SecretWireTests {
  private static let variable = "SLUICE_WIRE_DIR"
  private let scanner = SecretScanner()

  /// Returns the folder of recordings of other projects; nil, with a message, if there is none.
  private func folder() -> URL? {
    guard let folder = ProcessInfo.processInfo.environment[Self.variable], !folder.isEmpty else {
      print("SecretWireTests: skipped, because \(Self.variable) is not set")
      return nil
    }
    return URL(fileURLWithPath: folder)
  }

  @Test("Redacted exchanges from other projects contain no secrets")
  func exchanges() throws {
    guard let folder = folder() else { return }
    let data = try Data(contentsOf: folder.appending(path: "exchanges.jsonl"))
    var count = 0
    for line in data.split(separator: 0x0A) {
      let exchange = try JSONReader.value(line)
      let name = exchange["file"]?.string ?? ""
      count += 1
      for side in ["request", "response"] {
        let part = try #require(exchange[side])
        for header in part["headers"]?.object?.members ?? [] {
          for value in header.value.array ?? [] {
            let found = scanner.search(
              Array((value.string ?? "").utf8),
              at: SecretSearch.Place(header: header.name, reading: .everything, name: header.name)
            )
            #expect(found.findings.map(\.message) == [], "\(name)")
          }
        }
        let reading = side == "request" ? SecretReading.judged : .response
        for member in ["body", "body_base64", "recorded_body_base64"] {
          guard let body = part[member]?.string else { continue }
          let found = scanner.findings(in: Array(body.utf8), as: reading)
          #expect(found.map(\.message) == [], "\(name) \(side) \(member)")
        }
      }
      #expect(scanner.findings(in: part("url", of: exchange)).map(\.message) == [], "\(name)")
    }
    print("SecretWireTests: \(count) exchanges searched")
    #expect(count > 0)
  }

  private func part(_ name: String, of exchange: JSONValue) -> String {
    exchange["request"]?[name]?.string ?? ""
  }

  @Test("The files of other projects contain no secrets, also if read as plain text")
  func files() throws {
    guard let folder = folder() else { return }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".yaml") }
    for name in names {
      let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
      #expect(scanner.findings(in: bytes, as: .everything).map(\.message) == [], "\(name)")
    }
    print("SecretWireTests: \(names.count) files searched")
    #expect(!names.isEmpty)
  }
}
