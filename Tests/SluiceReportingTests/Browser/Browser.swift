import Foundation
@testable import SluiceReporting
@testable import SluiceSupport
import TestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A headless Chromium, controlled through its debugging pipe.
///
/// The pipe carries JSON messages that end with a zero byte. No port is open.
final class Browser {
  /// The browser program, or `nil` if these tests are disabled.
  static var program: String? { ProcessInfo.processInfo.environment["SLUICE_BROWSER"] }

  struct Problem: Error, CustomStringConvertible {
    var description: String
  }

  private let process: ChildProcess
  private let folder: URL
  private let input: FileHandle
  private let output: FileHandle
  private var received: [UInt8] = []
  /// The number of received bytes that are known to contain no end of a message.
  private var searched = 0
  private var lastID = 0
  private var session: String?
  /// The events of the page: console messages, exceptions, requests.
  private(set) var events: [JSONValue] = []

  /// Starts the browser with an empty page.
  ///
  /// - Throws: The reason why it could not start.
  init() throws {
    guard let program = Self.program else {
      throw Problem(description: "SLUICE_BROWSER is not set")
    }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "sluice-\(UUID().uuidString)")
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let pipes = ["in", "out"].map { folder.appending(path: $0).path }
    for pipe in pipes where mkfifo(pipe, 0o600) != 0 {
      throw Problem(description: "no pipe can be made at \(pipe)")
    }
    // The browser reads messages from descriptor 3 and writes them to descriptor 4.
    let script = """
      exec "$0" --headless=new --no-sandbox --disable-gpu --no-first-run --remote-debugging-pipe \
      --user-data-dir="$3" about:blank 3<"$1" 4>"$2" 2>/dev/null
      """
    process = try ChildProcess(
      ["sh", "-c", script, program] + pipes + [folder.appending(path: "profile").path],
      in: folder.path,
      environment: ProcessInfo.processInfo.environment
    )
    input = try FileHandle(forWritingTo: URL(fileURLWithPath: pipes[0]))
    output = try FileHandle(forReadingFrom: URL(fileURLWithPath: pipes[1]))
    let targets = try send("Target.getTargets")["targetInfos"]?.array ?? []
    guard let page = targets.first(where: { $0["type"] == "page" })?["targetId"] else {
      throw Problem(description: "the browser has no page")
    }
    session = try send("Target.attachToTarget", ["targetId": page, "flatten": true])["sessionId"]?
      .string
    for domain in ["Page", "Runtime", "Log", "Network", "Accessibility"] {
      try send("\(domain).enable")
    }
  }

  /// Ends the browser and removes its profile.
  func close() {
    try? input.close()
    process.send(SIGTERM)
    _ = try? process.wait()
    try? output.close()
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: Messages

  /// Sends a command and returns its result.
  @discardableResult
  func send(_ method: String, _ parameters: JSONValue = .object([:])) throws -> JSONValue {
    lastID += 1
    var message: JSONObject = [
      "id": .number(Double(lastID)), "method": .string(method), "params": parameters,
    ]
    message.set("sessionId", session.map(JSONValue.string))
    try input.write(contentsOf: Data(JSONWriter.line(.object(message)) + [0]))
    while true {
      let reply = try next()
      guard reply["id"]?.integer == lastID else {
        if reply["method"] != nil { events.append(reply) }
        continue
      }
      if let error = reply["error"] { throw Problem(description: "\(method): \(error.jsonText)") }
      return reply["result"] ?? .null
    }
  }

  private func next() throws -> JSONValue {
    while true {
      // A URL in a message can take megabytes, so no byte is searched twice.
      if let end = received[searched...].firstIndex(of: 0) {
        let message = Array(received[..<end])
        received.removeSubrange(...end)
        searched = 0
        return try JSONReader.value(message)
      }
      searched = received.count
      let piece = output.availableData
      if piece.isEmpty { throw Problem(description: "the browser has ended") }
      received += piece
    }
  }

  private func wait(for event: String) throws {
    if events.contains(where: { $0["method"]?.string == event }) { return }
    while true {
      let message = try next()
      events.append(message)
      if message["method"]?.string == event { return }
    }
  }

  // MARK: The page

  /// Writes the pages of a report and opens the first one.
  ///
  /// - Parameters:
  ///   - pages: The bytes of each page.
  ///   - fragment: The URL fragment.
  /// - Throws: ``Problem`` if the browser has ended.
  func open(_ pages: [[UInt8]], fragment: String = "") throws {
    for (number, page) in pages.enumerated() {
      let name = HTMLPaging.fileName(number, of: HTMLReport.baseName)
      try Data(page).write(to: folder.appending(path: name))
    }
    try open(address: "file://\(folder.appending(path: "report.html").path)\(fragment)")
  }

  /// Opens a URL, and reloads it if it is already open.
  ///
  /// - Throws: ``Problem`` if the browser has ended.
  func open(address: String) throws {
    events = []
    try send("Page.navigate", ["url": "about:blank"])
    try wait(for: "Page.loadEventFired")
    events = []
    try send("Page.navigate", ["url": .string(address)])
    try wait(for: "Page.loadEventFired")
    try settle()
  }

  /// Waits until an expression is true, on the browser's current page.
  ///
  /// - Throws: ``Problem`` if it does not become true.
  func wait(until expression: String) throws {
    for _ in 0..<2_000 {
      // During navigation, the page has no value to return.
      if (try? value(expression)) == true { return try settle() }
      try send("Target.getTargets")
    }
    let place = try value("location.href").jsonText
    throw Problem(description: "never true: \(expression), at \(place)")
  }

  /// Opens all collapsed sections.
  func unfold() throws {
    try value("document.querySelectorAll('details').forEach(d => d.open = true)")
    try settle()
  }

  func reload() throws {
    events = []
    try send("Page.reload")
    try wait(for: "Page.loadEventFired")
    try settle()
  }

  /// Returns the value of an expression on the page, and awaits it if it is a promise.
  @discardableResult
  func value(_ expression: String) throws -> JSONValue {
    let result = try send(
      "Runtime.evaluate",
      [
        "expression": .string(expression), "returnByValue": true, "awaitPromise": true,
        "userGesture": true,
      ]
    )
    if let exception = result["exceptionDetails"] {
      throw Problem(description: exception.jsonText)
    }
    return result["result"]?["value"] ?? .null
  }

  func text(_ expression: String) throws -> String { try value(expression).string ?? "" }

  /// Waits until the page has been rendered.
  func settle() throws {
    try value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
  }

  /// Presses a key and waits until the page has rendered the result.
  func press(_ key: String, shift: Bool = false) throws {
    let codes = [
      "Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowRight": 39, "ArrowLeft": 37,
      "Tab": 9, "End": 35, "Home": 36, "PageDown": 34,
    ]
    let text = key == "Enter" ? "\r" : key.count == 1 ? key : ""
    for type in ["keyDown", "keyUp"] {
      var event: JSONObject = [
        "type": .string(type), "key": .string(key), "code": .string(key),
        "windowsVirtualKeyCode": .number(Double(codes[key] ?? 0)), "modifiers": shift ? 8 : 0,
      ]
      if type == "keyDown", !text.isEmpty { event["text"] = .string(text) }
      try send("Input.dispatchKeyEvent", .object(event))
    }
    try settle()
  }

  /// Types a text into the focused element.
  func type(_ text: String) throws {
    try send("Input.insertText", ["text": .string(text)])
    try settle()
  }

  func resize(_ width: Int, _ height: Int) throws {
    try send(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(Double(width)), "height": .number(Double(height)), "deviceScaleFactor": 1,
        "mobile": false,
      ]
    )
    try settle()
  }

  /// Emulates system preferences for the page.
  func prefer(_ features: [String: String], media: String = "") throws {
    try send(
      "Emulation.setEmulatedMedia",
      [
        "media": .string(media),
        "features": .array(
          features.sorted { $0.key < $1.key }
            .map { ["name": .string($0.key), "value": .string($0.value)] }
        ),
      ]
    )
    try settle()
  }

  /// The errors and warnings of the page.
  var complaints: [String] {
    events.filter {
      [
        "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded",
        "Page.javascriptDialogOpening",
      ]
      .contains($0["method"]?.string)
    }.map(\.jsonText)
  }

  /// The requests of the page, except for the page itself.
  var requests: [String] {
    events.filter { $0["method"] == "Network.requestWillBeSent" }
      .compactMap { $0["params"]?["request"]?["url"]?.string }
      .filter { !$0.hasPrefix("file:") || !$0.contains("/report") }
  }
}
