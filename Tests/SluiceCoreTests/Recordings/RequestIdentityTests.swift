import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Request identity")
struct RequestIdentityTests {
  // MARK: The key

  @Test("The key is the SHA-256 of the canonical JSON of backend, protocol, model and body")
  func key() {
    let canonical = #"""
      {"api":"openai-chat","backend":"server","body":{"messages":[{"content":"Where is it?",\#
      "role":"user"}],"model":"sorter-1","temperature":0},"model":"sorter-1"}
      """#
    #expect(
      SHA256.hexadecimal(canonical.utf8)
        == "404c13ad3c5a2990a977ca6892af9e7607d766a915a38232da6a4cf2d7b3ed80"
    )
    #expect(
      RequestIdentity(.fixture()).key
        == "404c13ad3c5a2990a977ca6892af9e7607d766a915a38232da6a4cf2d7b3ed80"
    )
  }

  @Test("A fingerprint, if there is one, is part of the key")
  func fingerprint() {
    #expect(
      RequestIdentity(.fixture(fingerprint: "v7")).key
        == "2d843e334f6975e315283602ddd07a3d365f13b0cdeb4413c11c42f68a2e72c1"
    )
  }

  @Test("The order of members in the body affects neither the key nor the digests of parts")
  func memberOrder() {
    let one = RequestIdentity(.fixture(parameters: ["temperature": 0, "seed": 1]))
    let other = RequestIdentity(.fixture(parameters: ["seed": 1, "temperature": 0]))
    #expect(one.key == other.key)
    #expect(Set(one.parts) == Set(other.parts))
  }

  private static let changed: [(String, ModelRequest)] = {
    func changed(_ change: (inout ModelRequest) -> Void) -> ModelRequest {
      var request = ModelRequest.fixture()
      change(&request)
      return request
    }
    return [
      ("backend", changed { $0.backend = "other" }), ("protocol", changed { $0.api = "other" }),
      ("model", changed { $0.model = "other" }),
      ("fingerprint", changed { $0.fingerprint = "" }),
      ("user message", .fixture(user: "Where is he?")),
      ("a space", .fixture(user: "Where is it? ")),
      ("composed and decomposed", .fixture(user: "caf\u{E9}")),
      ("decomposed", .fixture(user: "cafe\u{301}")), ("system message", .fixture(system: "")),
      ("temperature", .fixture(parameters: ["temperature": 0.1])),
      ("a parameter more", .fixture(parameters: ["temperature": 0, "seed": 0])),
      ("a parameter less", .fixture(parameters: [:])),
      ("another type", .fixture(parameters: ["temperature": "0"])),
      ("null for absent", .fixture(parameters: ["temperature": 0, "seed": nil])),
    ]
  }()

  @Test("Every single change of a request gives another key")
  func everyChange() {
    let keys = [RequestIdentity(.fixture()).key] + Self.changed.map { RequestIdentity($0.1).key }
    #expect(Set(keys).count == keys.count)
  }

  // MARK: Parts

  @Test("Each part has a readable name and the digest of its canonical JSON")
  func parts() {
    let parts = RequestIdentity(.fixture()).parts
    #expect(
      parts.map { "\($0.name) \($0.kind) \($0.digest)" } == [
        "backend backend \(RequestIdentity.digest("server"))",
        "protocol backend ec00976bdbeaba98", "model model 777c2bd9cd3cb1f9",
        "user message message 4c56b63554ad7c9c", "temperature parameters 5feceb66ffc86f38",
      ]
    )
  }

  @Test("Parameters are named as in prompt files, and messages by role and number")
  func names() {
    let request = ModelRequest(
      backend: "server",
      api: "openai-chat",
      model: "sorter-1",
      body: [
        "model": "sorter-1",
        "messages": [
          ["role": "system", "content": "a"], ["role": "user", "content": "b"],
          ["role": "assistant", "content": "c"], ["role": "user", "content": "d"],
          ["role": "user", "content": "e"], ["content": "f"],
        ],
        "temperature": 0, "top_p": 1, "max_tokens": 20, "max_completion_tokens": 20, "seed": 1,
        "stop": [], "presence_penalty": 0, "frequency_penalty": 0, "reasoning_effort": "low",
        "response_format": ["type": "json_object"], "house_parameter": true,
      ],
      fingerprint: "v7"
    )
    #expect(
      RequestIdentity(request).parts.map(\.name) == [
        "backend", "protocol", "model", "fingerprint", "system message", "user message",
        "assistant message", "user message 2", "user message 3", "unknown message",
        "order of the messages", "temperature", "top-p",
        "max-tokens", "max-completion-tokens", "seed", "stop", "presence-penalty",
        "frequency-penalty", "reasoning-effort", "response schema", "house_parameter",
      ]
    )
  }
}
