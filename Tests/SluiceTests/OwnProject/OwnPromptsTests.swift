import Foundation
@testable import Sluice
@testable import SluiceSupport
import Testing

/// The comparison of the requests of this project's prompts with requests that a real API accepted.
///
/// The real requests are recorded traffic of other projects in the folder that `SLUICE_WIRE_DIR`
/// names.
@Suite("This project's prompts")
struct OwnPromptsTests {
  private let project: OwnProject

  init() throws { project = try OwnProject.loaded.get() }

  /// The bodies that each suite sends, computed once for all tests.
  private static let bodies = Result {
    let project = try OwnProject.loaded.get()
    return try project.features.flatMap { try bodies($0, project) }
  }

  /// Returns the bodies that a suite sends for all its cases, for each version of its prompt.
  private static func bodies(
    _ suite: ResolvedSuite,
    _ project: OwnProject
  ) throws -> [(name: String, body: JSONValue)] {
    let name = suite.plan.name
    let versions = project.prompts(name)
    let loaded = ProjectLoader.load(
      ProjectLoader.Selection(suites: [name], prompts: versions),
      from: project.files
    )
    let plan = try #require(loaded.suites.first, "\(loaded.diagnostics)").plan
    #expect(plan.prompts.count == versions.count)
    return try plan.prompts.flatMap { prompt in
      try plan.cases.map { planned in
        let request = try plan.backends[0].request(for: try prompt.render(planned.testCase))
        return ("\(name) \(prompt.name) \(planned.testCase.id)", request.body)
      }
    }
  }

  @Test("A prompt with a second version also has a first one, and one without an instruction")
  func versions() throws {
    var second = 0
    for suite in project.features {
      let names = project.prompts(suite.plan.name).compactMap(\.description.lastPart)
      guard names.contains("v2.yaml") else { continue }
      second += 1
      #expect(names.contains("v1.yaml"), "\(suite.plan.name): \(names)")
      #expect(names.contains { $0.hasPrefix("without-") }, "\(suite.plan.name): \(names)")
    }
    #expect(second >= 13)
  }

  @Test("A prompt that lacks an instruction equals another prompt without one of its lines")
  func dropped() throws {
    for suite in project.features {
      let paths = project.prompts(suite.plan.name)
      func bullets(_ path: ProjectPath) throws -> Set<Substring> {
        Set(
          try project.text(path).split(separator: "\n").drop { !$0.contains("system:") }
            .filter { $0.hasPrefix("      - ") }
        )
      }
      func isDropped(_ path: ProjectPath) -> Bool { path.description.contains("/without-") }
      let whole = try paths.filter { !isDropped($0) }.map(bullets)
      for path in paths where isDropped(path) {
        let left = try bullets(path)
        let isOneLess = whole.contains { $0.isSuperset(of: left) && $0.count == left.count + 1 }
        #expect(isOneLess, "\(path)")
      }
    }
  }

  @Test("Messages are not empty, and schemas meet OpenAI's strict mode")
  func strict() throws {
    for (name, body) in try Self.bodies.get() {
      let messages = try #require(body["messages"]?.array)
      #expect(messages.map { $0["role"]?.string } == ["system", "user"], "\(name)")
      #expect(messages.allSatisfy { $0["content"]?.string?.isEmpty == false }, "\(name)")
      guard let format = body["response_format"] else { continue }
      let schema = try #require(format["json_schema"]?["schema"], "\(name)")
      #expect(format["json_schema"]?["strict"] == true, "\(name)")
      #expect(Self.isStrict(schema), "\(name)")
    }
  }

  /// Returns true if all members of all objects are required and no others are allowed.
  private static func isStrict(_ schema: JSONValue) -> Bool {
    var parts = schema["properties"]?.object?.members.map(\.value) ?? []
    if let items = schema["items"] { parts.append(items) }
    parts += schema["anyOf"]?.array ?? []
    guard parts.allSatisfy(isStrict) else { return false }
    guard let properties = schema["properties"]?.object else { return true }
    let required = schema["required"]?.array?.compactMap(\.string) ?? []
    return schema["additionalProperties"] == false
      && Set(required) == Set(properties.members.map(\.name))
  }

  @Test("Requests have only members and types that the real API accepted")
  func accepted() throws {
    guard let real = try Self.acceptedRequests() else { return }
    let known = Set(real.flatMap { Self.shape($0, "") })
    #expect(!known.isEmpty)
    let bodies = try Self.bodies.get()
    for (name, body) in bodies {
      let strange = Self.shape(body, "").filter { !known.contains($0) }
      #expect(strange == [], "\(name)")
    }
    print("checked \(bodies.count) requests against \(real.count) that were accepted")
  }

  /// Returns the members of a request with their types, without the contents of a schema.
  private static func shape(_ value: JSONValue, _ place: String) -> [String] {
    if place.hasSuffix(".schema") || place.hasSuffix(".stream_options") { return [place] }
    if let object = value.object {
      return object.members.flatMap { shape($0.value, "\(place).\($0.name)") }
    }
    if let array = value.array { return array.flatMap { shape($0, place + "[]") } }
    return ["\(place): \(value.typeName)"]
  }

  /// Returns the chat requests that OpenAI answered with 200, or `nil` and a printed message if
  /// there are none.
  private static func acceptedRequests() throws -> [JSONValue]? {
    guard let folder = ProcessInfo.processInfo.environment["SLUICE_WIRE_DIR"], !folder.isEmpty,
      let data = try? Data(contentsOf: URL(fileURLWithPath: folder + "/exchanges.jsonl"))
    else {
      print("OwnPromptsTests: skipped, because SLUICE_WIRE_DIR names no recorded traffic")
      return nil
    }
    return try data.split(separator: 0x0A).compactMap { line in
      let exchange = try JSONReader.value(Array(line))
      guard exchange["response"]?["status"] == 200,
        let url = (exchange["request"]?["url"] ?? exchange["request"]?["uri"])?.string,
        url.contains("openai.com"), url.hasSuffix("/chat/completions"),
        let body = exchange["request"]?["body"]?.string
      else { return nil }
      return try? JSONReader.value(Array(body.utf8))
    }
  }
}

extension String {
  /// The part after the last slash.
  fileprivate var lastPart: String? { split(separator: "/").last.map(String.init) }
}
