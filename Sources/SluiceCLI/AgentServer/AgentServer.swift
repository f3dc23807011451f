internal import Dispatch
internal import Sluice

internal import SluiceSystem

/// A server for the Model Context Protocol, revision 2025-06-18, on standard input and output.
///
/// The server answers messages in the order in which they arrive, except tool calls. Tool calls run
/// one after the other, so that no two calls write the same reports at once. Other messages are
/// answered even while a tool call runs.
final class AgentServer: Sendable {
  /// The supported revisions of the protocol, newest first.
  ///
  /// 2025-03-26 is missing, because it requires servers to accept batches of messages.
  static let revisions = ["2025-06-18", "2024-11-05"]
  /// The maximum number of tool calls that may wait while another one runs.
  private static let mostWaiting = 16
  /// The maximum number of lines that are read before the server processes them.
  private static let mostLines = 64
  private static let instructions = """
    Sluice decides whether a prompt change may ship. After you edit a prompt, call the tool \
    'validate' and then 'try', which compares the change with main on recorded answers. Exit \
    codes: 0 pass, 1 a gate failed, 2 inconclusive, 3 no verdict, 64 wrong files. The tool \
    'explain' tells why a gate fails, and 'show' returns one case with its answers. Never edit \
    gates, datasets or recordings to make a change pass.
    """

  private struct Call: Sendable {
    var id: JSONValue
    var tool: AgentTool
    var arguments: AgentArguments
  }

  private struct State {
    var isInitialized = false
    /// The ids of waiting and running tool calls.
    var open: Set<JSONValue> = []
    var running: (id: JSONValue, task: Task<AgentTool.Result, Never>)?
    /// True if the server was cancelled, so that no further call starts.
    var isEnding = false
  }

  private let state = Locked(State())
  private let output = Locked(())
  private let tools: [AgentTool]

  /// Creates a server.
  ///
  /// - Parameter allowsLive: True if tool calls may send requests to backends.
  init(allowsLive: Bool) { tools = AgentTool.all(allowsLive: allowsLive) }

  /// Serves until the input ends and all tool calls are answered.
  ///
  /// If the task is cancelled, the server cancels the running call and does not start the waiting
  /// ones.
  func serve() async {
    // The calls are cancelled at once, before a signal handler cancels their operations: an
    // interrupted call must not be answered, and must not let the next one start.
    await withTaskCancellationHandler {
      await serveLines()
    } onCancel: {
      cancelAll()
    }
  }

  private func serveLines() async {
    let (calls, queue) = AsyncStream.makeStream(of: Call.self)
    let worker = Task { for await call in calls { await run(call) } }
    let (lines, input) = AsyncStream.makeStream(of: BoundedLineSplitter.Line.self)
    // Stop reading from a client that sends faster than the server answers.
    let room = DispatchSemaphore(value: Self.mostLines)
    OwnThread.start { Self.receive(into: input, room) }
    for await line in lines {
      switch line {
      case .tooLong:
        let limit = JSONRPCMessage.maximumBytes
        refuse(.init(Code.invalidRequest, "the message is longer than \(limit) bytes"))
      case .whole(let bytes):
        if !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { take(JSONRPCMessage(bytes), queue) }
      }
      room.signal()
    }
    queue.finish()
    await worker.value
  }

  private typealias Code = JSONRPCMessage.Code

  private static func receive(
    into lines: AsyncStream<BoundedLineSplitter.Line>.Continuation,
    _ room: DispatchSemaphore
  ) {
    var splitter = BoundedLineSplitter(limit: JSONRPCMessage.maximumBytes)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { buffer in
        read(STDIN_FILENO, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      for line in splitter.take(buffer[..<count]) {
        room.wait()
        lines.yield(line)
      }
    }
    if let line = splitter.finish() { lines.yield(line) }
    lines.finish()
  }

  // MARK: Messages

  private func take(_ message: JSONRPCMessage, _ queue: AsyncStream<Call>.Continuation) {
    switch message {
    case .invalid(let fault): refuse(fault)
    case .response: break
    case .notification(let method, let parameters):
      if method == "notifications/cancelled", let id = parameters["requestId"] { cancel(id) }
    case .request(let id, let method, let parameters):
      do throws(JSONRPCMessage.Fault) {
        if let result = try answer(id, method, parameters, queue) {
          send(JSONRPCMessage.result(result, id: id))
        }
      } catch {
        refuse(error)
      }
    }
  }

  /// Returns the answer to a request.
  ///
  /// Adds a tool call to the queue, and returns `nil` for it.
  private func answer(
    _ id: JSONValue,
    _ method: String,
    _ parameters: JSONObject,
    _ queue: AsyncStream<Call>.Continuation
  ) throws(JSONRPCMessage.Fault) -> JSONObject? {
    switch method {
    case "ping": return [:]
    case "initialize":
      guard let wanted = parameters["protocolVersion"]?.string else {
        throw .init(id: id, Code.invalidParameters, "'protocolVersion' is missing")
      }
      state.withLock { $0.isInitialized = true }
      return [
        // A client knows older revisions than the one it requests, rather than newer ones.
        "protocolVersion": .string(Self.revisions.first { $0 <= wanted } ?? Self.revisions[0]),
        "capabilities": ["tools": ["listChanged": false]],
        "serverInfo": [
          "name": "sluice", "title": "Sluice", "version": .string(Version.current),
        ],
        "instructions": .string(Self.instructions),
      ]
    default: break
    }
    guard state.withLock({ $0.isInitialized }) else {
      throw .init(id: id, Code.invalidRequest, "the first request must be 'initialize'")
    }
    switch method {
    case "tools/list":
      guard parameters["cursor"] == nil else {
        throw .init(
          id: id,
          Code.invalidParameters,
          "there is only one page of tools; leave out the cursor"
        )
      }
      return ["tools": .array(tools.map(\.json))]
    case "tools/call":
      try enqueue(id, parameters, queue)
      return nil
    default:
      let method = Excerpt.cut(method, to: 100)
      throw .init(id: id, Code.methodNotFound, "unknown method '\(method)'")
    }
  }

  private func enqueue(
    _ id: JSONValue,
    _ parameters: JSONObject,
    _ queue: AsyncStream<Call>.Continuation
  ) throws(JSONRPCMessage.Fault) {
    guard let name = parameters["name"]?.string else {
      throw .init(id: id, Code.invalidParameters, "'name' is missing")
    }
    guard let tool = tools.first(where: { $0.name == name }) else {
      let names = tools.map(\.name)
      let fix =
        NearestName.suggestion(for: name, among: names)
        ?? "name one of: \(names.joined(separator: ", "))"
      let text = Excerpt.cut(name, to: 100)
      throw .init(id: id, Code.invalidParameters, "unknown tool '\(text)'; \(fix)")
    }
    let arguments: AgentArguments
    do throws(AgentArguments.Fault) {
      arguments = try AgentArguments(parameters["arguments"], for: tool.parameters)
    } catch {
      throw .init(id: id, Code.invalidParameters, "\(name): \(error.message)")
    }
    let refusal = state.withLock { state -> String? in
      if state.open.contains(id) { return "a call with this id is still running" }
      if state.open.count >= Self.mostWaiting {
        return "\(Self.mostWaiting) calls are already waiting; call again when one has been "
          + "answered"
      }
      state.open.insert(id)
      return nil
    }
    if let refusal { throw .init(id: id, Code.invalidRequest, refusal) }
    queue.yield(Call(id: id, tool: tool, arguments: arguments))
  }

  private func cancel(_ id: JSONValue) {
    state.withLock { state in
      guard state.open.remove(id) != nil else { return }
      if let running = state.running, running.id == id { running.task.cancel() }
    }
  }

  private func cancelAll() {
    state.withLock { state in
      state.isEnding = true
      state.open = []
      state.running?.task.cancel()
    }
  }

  // MARK: Calls

  private func run(_ call: Call) async {
    // Start the call under the lock, so that a cancellation either prevents it or reaches it.
    let task = state.withLock { state -> Task<AgentTool.Result, Never>? in
      guard !state.isEnding, state.open.contains(call.id) else { return nil }
      let task = Task { await call.tool.call(call.arguments) }
      state.running = (call.id, task)
      return task
    }
    guard let task else { return }
    let result = await task.value
    let isWanted = state.withLock { state in
      state.running = nil
      return state.open.remove(call.id) != nil
    }
    // A request that was cancelled gets no answer.
    if isWanted { send(JSONRPCMessage.result(result.json, id: call.id)) }
  }

  // MARK: Output

  private func refuse(_ fault: JSONRPCMessage.Fault) { send(JSONRPCMessage.refusal(fault)) }

  private func send(_ line: [UInt8]) {
    output.withLock { _ in
      _ = (line + [UInt8(ascii: "\n")]).withUnsafeBytes {
        FileDescriptor.write($0, to: STDOUT_FILENO)
      }
    }
  }
}
