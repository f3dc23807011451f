import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Backend reader")
struct BackendReaderTests {
  private let path = ProjectFixture.configuration
  private let fast = "{type: openai, model: small-1, key: {env: FAST_KEY}}"

  private func report(_ backend: String) throws -> String {
    try ProjectFixture().replacing(fast, with: backend, in: path).report()
  }

  private func endpoint(_ backend: String) throws -> (ModelEndpoint, SendingPolicy) {
    let loaded = try ProjectFixture().replacing(fast, with: backend, in: path).load()
    let definition = try #require(loaded.suites.first?.plan.backends.first)
    #expect(loaded.diagnostics == [])
    #expect(definition.name == "fast")
    guard case .model(let endpoint) = definition.kind else {
      throw WrongKind(kind: definition.kind)
    }
    return (endpoint, definition.sending)
  }

  private struct WrongKind: Error { var kind: BackendDefinition.Kind }

  @Test("A model backend needs only a type and a model")
  func least() throws {
    let (endpoint, sending) = try endpoint("{type: openai, model: small-1}")
    #expect(endpoint.model == "small-1")
    #expect(
      endpoint.server.address("/chat/completions") == "https://api.openai.com/v1/chat/completions"
    )
    #expect(endpoint.server.key?.variable == nil)
    #expect(sending.timeout == .seconds(60))
    #expect(sending.maximumInFlight == 16)
    #expect(endpoint.parameters == [:])
  }

  @Test("Every key of a model backend is read")
  func most() throws {
    let (endpoint, sending) = try endpoint(
      """

          type: openai
          model: small-1
          base-url: http://127.0.0.1:8089/v1/
          key: {env: _KEY_2}
          timeout: 0.25
          max-in-flight: 3
          parameters: {temperature: 0.5, stop: END, reasoning-effort: low}
      """
    )
    #expect(
      endpoint.server.address("/chat/completions") == "http://127.0.0.1:8089/v1/chat/completions"
    )
    #expect(endpoint.server.key?.variable == "_KEY_2")
    #expect(sending.timeout == .milliseconds(250))
    #expect(sending.maximumInFlight == 3)
    #expect(
      endpoint.parameters
        == ["temperature": 0.5, "stop": ["END"], "reasoning_effort": "low"]
    )
  }

  @Test("Members of 'extra' are sent unchanged")
  func extra() throws {
    let (endpoint, _) = try endpoint(
      "{type: openai, model: small-1, parameters: {seed: 1}, extra: {verbosity: low, tools: [{a: 1}]}}"
    )
    #expect(endpoint.parameters == ["seed": 1])
    #expect(endpoint.extra == ["verbosity": "low", "tools": [["a": 1]]])
    let request = try endpoint.request(for: RenderedPrompt(messages: []), backend: "server")
    #expect(
      request.body.jsonText == #"""
        {"model":"small-1","messages":[],"seed":1,"verbosity":"low","tools":[{"a":1}]}
        """#
    )
  }

  @Test(
    "A member with its own setting is refused in 'extra'",
    arguments: [
      (
        "top_p: 1", "'top_p' in 'extra' is set by Sluice itself",
        "write it under 'parameters:', as 'top-p: …'"
      ),
      ("model: m", "'model' in 'extra' is set by Sluice itself", "remove it"),
    ]
  )
  func extraElsewhere(_ member: String, _ message: String, _ fix: String) throws {
    let report = try report("{type: openai, model: small-1, extra: {\(member)}}")
    #expect(report.contains(": error: \(message)\n"))
    #expect(report.contains("  fix: \(fix)\n"))
  }

  @Test("'endings' is read for every backend type, and its words match in any letter case")
  func endings() throws {
    let loaded = try ProjectFixture().replacing(
      fast,
      with:
        "{type: openai, model: small-1, endings: {Finished: done, no_more: cut-off, 3: paused}}",
      in: path
    ).load()
    #expect(loaded.diagnostics == [])
    let endings = try #require(loaded.suites.first?.plan.backends.first).endings
    #expect(endings.meanings == ["finished": .done, "no_more": .cutOff, "3": .paused])
    #expect(endings.meaning(of: "FINISHED") == .done)
    #expect(endings.meaning(of: "stop") == nil)
  }

  @Test(
    "An invalid 'endings' is an error with a fix",
    arguments: [
      (
        "{finished: cutoff}",
        """
        sluice.yaml:2:60: error: unknown meaning 'cutoff' of 'finished' in 'endings'
          2 |   fast: {type: openai, model: small-1, endings: {finished: cutoff}}
            |                                                            ^
          fix: did you mean 'cut-off'?

        """
      ),
      (
        "{finished: gone}",
        """
        sluice.yaml:2:60: error: unknown meaning 'gone' of 'finished' in 'endings'
          2 |   fast: {type: openai, model: small-1, endings: {finished: gone}}
            |                                                            ^
          fix: did you mean 'done'?

        """
      ),
      (
        "{finished: lost}",
        """
        sluice.yaml:2:60: error: unknown meaning 'lost' of 'finished' in 'endings'
          2 |   fast: {type: openai, model: small-1, endings: {finished: lost}}
            |                                                            ^
          fix: known: done, cut-off, filtered, paused, broken-call

        """
      ),
      (
        "{finished: 1}",
        """
        sluice.yaml:2:60: error: 'finished' in 'endings' must be a text, not a number
          2 |   fast: {type: openai, model: small-1, endings: {finished: 1}}
            |                                                            ^
          fix: put it in quotes

        """
      ),
      (
        "{Length: done}",
        """
        sluice.yaml:2:50: error: 'Length' in 'endings' always means 'cut-off'
          2 |   fast: {type: openai, model: small-1, endings: {Length: done}}
            |                                                  ^
          fix: remove it; 'endings' may list only words that Sluice does not know

        """
      ),
      (
        "{\"\": done}",
        """
        sluice.yaml:2:50: error: a word in 'endings' is an empty string
          2 |   fast: {type: openai, model: small-1, endings: {"": done}}
            |                                                  ^
          fix: remove it; an answer without a finish reason counts as complete

        """
      ),
      (
        "{a: done, A: done}",
        """
        sluice.yaml:2:59: error: 'A' appears twice in 'endings', where letter case is ignored
          2 |   fast: {type: openai, model: small-1, endings: {a: done, A: done}}
            |                                                           ^
          fix: remove one of the two

        """
      ),
      (
        "[finished]",
        """
        sluice.yaml:2:49: error: 'endings' must be a mapping of words to their meanings, not a list
          2 |   fast: {type: openai, model: small-1, endings: [finished]}
            |                                                 ^

        """
      ),
    ]
  )
  func wrongEndings(endings: String, expected: String) throws {
    #expect(try report("{type: openai, model: small-1, endings: \(endings)}") == expected)
  }

  @Test("A misspelled 'endings' is an error that suggests the correct key")
  func misspeltEndings() throws {
    #expect(
      try report("{type: openai, model: small-1, ending: {}}").contains("did you mean 'endings'?")
    )
  }

  @Test("An unknown type is one error, with no further errors for the suites that use it")
  func unknownType() throws {
    #expect(
      try report("{type: openia, model: small-1}") == """
        sluice.yaml:2:16: error: unknown backend type 'openia'
          2 |   fast: {type: openia, model: small-1}
            |                ^
          fix: did you mean 'openai'?

        """
    )
  }

  @Test("A missing type or model is an error")
  func missing() throws {
    #expect(
      try report("{model: small-1}") == """
        sluice.yaml:2:9: error: the backend 'fast' needs 'type'
          2 |   fast: {model: small-1}
            |         ^
          fix: add 'type: …'

        """
    )
    #expect(
      try report("{type: openai}") == """
        sluice.yaml:2:9: error: the backend 'fast' needs 'model'
          2 |   fast: {type: openai}
            |         ^
          fix: add 'model: …'

        """
    )
  }

  @Test("An empty backend is an error: it must be a mapping")
  func empty() throws {
    #expect(
      try report("") == """
        sluice.yaml:2:8: error: the backend 'fast' must be a mapping, not nothing
          2 |   fast: 
            |        ^

        """
    )
  }

  @Test("An unknown key is an error that suggests the nearest known key")
  func unknownKey() throws {
    #expect(
      try report("{type: openai, model: small-1, time-out: 3}") == """
        sluice.yaml:2:40: error: unknown key 'time-out' in the backend 'fast'
          2 |   fast: {type: openai, model: small-1, time-out: 3}
            |                                        ^
          fix: did you mean 'timeout'?

        """
    )
  }

  @Test("An unknown parameter is an error that suggests the nearest known parameter")
  func unknownParameter() throws {
    #expect(
      try report("{type: openai, model: small-1, parameters: {max_tokens: 3}}") == """
        sluice.yaml:2:53: error: unknown key 'max_tokens' in 'parameters'
          2 |   fast: {type: openai, model: small-1, parameters: {max_tokens: 3}}
            |                                                     ^
          fix: did you mean 'max-tokens'?

        """
    )
  }

  @Test("A model that is not a text is an error")
  func wrongType() throws {
    #expect(
      try report("{type: openai, model: 4.1}") == """
        sluice.yaml:2:31: error: 'model' must be a text, not a number
          2 |   fast: {type: openai, model: 4.1}
            |                               ^
          fix: put it in quotes

        """
    )
  }

  @Test("A base URL without a scheme is an error")
  func baseURL() throws {
    #expect(
      try report("{type: openai, model: small-1, base-url: localhost:8089}") == """
        sluice.yaml:2:50: error: the base-url 'localhost:8089' must start with https:// or http://
          2 |   fast: {type: openai, model: small-1, base-url: localhost:8089}
            |                                                  ^

        """
    )
  }

  @Test("A timeout must be more than 0 seconds and at most a day", arguments: ["0", "-1", "86401"])
  func timeout(_ value: String) throws {
    let line = "  fast: {type: openai, model: small-1, timeout: \(value)}"
    #expect(
      try report("{type: openai, model: small-1, timeout: \(value)}") == """
        sluice.yaml:2:49: error: 'timeout' must be between 0.001 and 86400 seconds
          2 | \(line)
            |                                                 ^

        """
    )
  }

  @Test("'max-in-flight' must be at least 1")
  func inFlight() throws {
    #expect(
      try report("{type: openai, model: small-1, max-in-flight: 0}") == """
        sluice.yaml:2:55: error: 'max-in-flight' must be between 1 and 10000, not 0
          2 |   fast: {type: openai, model: small-1, max-in-flight: 0}
            |                                                       ^

        """
    )
  }

  @Test("Headers, query, retries and time limits are read")
  func server() throws {
    let (endpoint, sending) = try endpoint(
      """

          type: openai
          model: small-1
          base-url: https://models.test/v1
          key: {env: KEY, header: api-key}
          headers: {X-Title: Sluice, X-Version: 2}
          query: {api-version: "2024-10-21"}
          organization: org-1
          retries: 0
          total-timeout: 90
          stream: {timeout: 1.5, fallback: false}
      """
    )
    #expect(
      endpoint.server
        == ServerAccess(
          url: "https://models.test/v1",
          key: ServerAccess.KeyReference(variable: "KEY", header: "api-key"),
          headers: [
            HTTPHeader("X-Title", "Sluice"), HTTPHeader("X-Version", "2"),
            HTTPHeader("OpenAI-Organization", "org-1"),
          ],
          query: [HTTPHeader("api-version", "2024-10-21")]
        )
    )
    #expect(endpoint.isStreamed)
    #expect(
      sending
        == SendingPolicy(
          timeout: .seconds(60),
          streamTimeout: .milliseconds(1_500),
          totalTimeout: .seconds(90),
          fallsBack: false,
          retries: 0
        )
    )
  }

  @Test(
    "'stream' decides whether answers are streamed",
    arguments: [("true", true), ("false", false), ("{}", true), ("{timeout: 3}", true)]
  )
  func stream(value: String, isStreamed: Bool) throws {
    let (endpoint, sending) = try endpoint("{type: openai, model: small-1, stream: \(value)}")
    #expect(endpoint.isStreamed == isStreamed)
    #expect(sending.fallsBack)
  }

  @Test(
    "Every backend type can declare its times meaningless",
    arguments: [
      "type: openai, model: small-1",
      "type: http, url: 'https://app.test', body: {a: '{{message}}'}, fingerprint: {version: '1'}",
      "type: exec, command: [sh], fingerprint: {version: '1'}",
    ]
  )
  func times(backend: String) throws {
    for (text, isMeaningless) in [("", false), (", times: meaningless", true)] {
      let loaded = try ProjectFixture().replacing(fast, with: "{\(backend)\(text)}", in: path)
        .load()
      let definition = try #require(loaded.suites.first?.plan.backends.first)
      #expect(definition.hasMeaninglessTimes == isMeaningless)
    }
  }

  @Test("A backend can declare that it is asked through files")
  func asked() throws {
    for (text, isThroughFiles) in [("", false), (", asked: through-files", true)] {
      let loaded = try ProjectFixture()
        .replacing(fast, with: "{type: openai, model: small-1\(text)}", in: path).load()
      let definition = try #require(loaded.suites.first?.plan.backends.first)
      #expect(definition.isAskedThroughFiles == isThroughFiles)
    }
  }

  /// An invalid value, with its expected report: position and message.
  static let wrongValues: [(value: String, said: String)] = [
    ("stream: maybe", "48: error: 'stream' must be true, false or a mapping, not a text"),
    ("stream: {time-out: 3}", "49: error: unknown key 'time-out' in 'stream'"),
    (
      "stream: {timeout: 0}", "58: error: 'timeout' must be between 0.001 and 86400 seconds"
    ),
    ("stream: {fallback: 1}", "59: error: 'fallback' must be true or false, not a number"),
    (
      "total-timeout: 90000",
      "55: error: 'total-timeout' must be between 0.001 and 86400 seconds"
    ),
    ("total-timeout: long", "55: error: 'total-timeout' must be a number, not a text"),
    ("retries: -1", "49: error: 'retries' must be between 0 and 20, not -1"),
    ("retries: 1.5", "49: error: 'retries' must be a whole number, not 1.5"),
    ("headers: [a]", "49: error: 'headers' must be a mapping of names to texts, not a list"),
    ("headers: {A: [b]}", "53: error: 'A' in 'headers' must be a text, not a list"),
    ("query: a=b", "47: error: 'query' must be a mapping of names to texts, not a text"),
    ("query: {a: true}", "51: error: 'a' in 'query' must be a text, not true or false"),
    ("organization: 7", "54: error: 'organization' must be a text, not a number"),
    ("times: measured", "47: error: 'times' can only be 'meaningless', not 'measured'"),
    ("times: 3", "47: error: 'times' must be a text, not a number"),
    ("asked: rarely", "47: error: 'asked' can only be 'through-files', not 'rarely'"),
  ]

  @Test("An invalid value is an error at its position", arguments: wrongValues)
  func wrongValue(value: String, said: String) throws {
    let report = try report("{type: openai, model: small-1, \(value)}")
    let first = report.split(separator: "\n").first.map(String.init)
    #expect(first == "sluice.yaml:2:\(said)")
  }

  @Test(
    "A header for a secret is an error that hides the value",
    arguments: ["Authorization", "api-key", "X-Api-Key", "Cookie", "Proxy-Authorization"]
  )
  func secretHeader(name: String) throws {
    #expect(
      try report("{type: openai, model: small-1, headers: {\(name): sk-secret}}") == """
        sluice.yaml:2:50: error: the header '\(name)' contains a secret, which must not be written into a file
          2 |   fast: {type: openai, model: small-1, headers: {\(name): …
            |                                                  ^
          fix: store it in an environment variable and write 'key: {env: NAME, header: \(name)}'

        """
    )
  }

  // MARK: Keys

  @Test("A key in the file is an error that hides the key")
  func key() throws {
    #expect(
      try report("{key: sk-secret, type: openai, model: small-1}") == """
        sluice.yaml:2:15: error: a key must not be written into a file
          2 |   fast: {key: …
            |               ^
          fix: store it in an environment variable and write 'key: {env: NAME}'

        """
    )
    #expect(
      try report("{key: 123456, type: openai, model: small-1}") == """
        sluice.yaml:2:15: error: a key must not be written into a file
          2 |   fast: {key: …
            |               ^
          fix: store it in an environment variable and write 'key: {env: NAME}'

        """
    )
  }

  @Test("A key instead of a variable name is hidden, also in other errors on its line")
  func keyAsVariable() throws {
    #expect(
      try report("{type: openai, key: {env: sk-secret}, time-out: 3, model: small-1}") == """
        sluice.yaml:2:35: error: 'env' must be the name of an environment variable, not a key
          2 |   fast: {type: openai, key: {env: …
            |                                   ^
          fix: store it in an environment variable and write 'key: {env: NAME}'
        sluice.yaml:2:47: error: unknown key 'time-out' in the backend 'fast'
          2 |   fast: {type: openai, key: {env: …
            |                                    ^
          fix: did you mean 'timeout'?

        """
    )
  }

  @Test(
    "An invalid name of an environment variable is an error",
    arguments: ["1KEY", "A KEY", "A-KEY", "KÉY", "''", "$KEY"]
  )
  func variable(_ name: String) throws {
    let said = try report("{type: openai, model: small-1, key: {env: \(name)}}")
    #expect(said.contains("error: 'env' must be the name of an environment variable, not a key\n"))
    #expect(!said.contains(name == "''" ? "''" : name))
  }

  @Test("A misspelled 'env' is an error")
  func misspeltKey() throws {
    #expect(
      try report("{type: openai, model: small-1, key: {evn: FAST_KEY}}") == """
        sluice.yaml:2:46: error: unknown key 'evn' in 'key'
          2 |   fast: {type: openai, model: small-1, key: {evn: FAST_KEY}}
            |                                              ^
          fix: did you mean 'env'?

        """
    )
  }

  // MARK: Secrets in wrong places

  @Test(
    "A secret under an unknown key is hidden, and the fix shows where it belongs",
    arguments: ["api-key", "api_key", "apikey", "token", "auth-token", "password", "authorization"]
  )
  func secretKey(name: String) throws {
    #expect(
      try report("{type: openai, model: small-1, \(name): hunter2}") == """
        sluice.yaml:2:40: error: unknown key '\(name)' in the backend 'fast'
          2 |   fast: {type: openai, model: small-1, \(name): …
            |                                        ^
          fix: write 'key: {env: NAME}' and set the variable NAME

        """
    )
  }

  /// A value that looks like a vendor's key.
  private static let key = "sk-proj-" + String(repeating: "aB3dE6gH9", count: 5)

  /// A position of a secret in a file, with the complete expected report.
  static let hidden: [(value: String, report: String)] = [
    (
      "key: {evn: \(key)}",
      """
      sluice.yaml:2:46: error: unknown key 'evn' in 'key'
        2 |   fast: {type: openai, model: small-1, key: {evn: …
          |                                              ^
        fix: did you mean 'env'?

      """
    ),
    (
      "key: {env: A, value: hunter2}",
      """
      sluice.yaml:2:54: error: unknown key 'value' in 'key'
        2 |   fast: {type: openai, model: small-1, key: {env: A, value: …
          |                                                      ^
        fix: known: env, command, header, lifetime

      """
    ),
    (
      "key: [hunter2]",
      """
      sluice.yaml:2:45: error: 'key' must be a mapping, not a list
        2 |   fast: {type: openai, model: small-1, key: […
          |                                             ^

      """
    ),
    (
      "key: {\(key): }",
      """
      sluice.yaml:2:45: error: 'key' needs 'env' or 'command'
        2 |   fast: {type: openai, model: small-1, key: {…
          |                                             ^
        fix: write 'key: {env: NAME}', or 'key: {command: [PROGRAM, ARGUMENT]}'
      sluice.yaml:2:46: error: unknown key '…' in 'key'
        2 |   fast: {type: openai, model: small-1, key: {…
          |                                              ^
        fix: known: env, command, header, lifetime

      """
    ),
    (
      "headers: Authorization Bearer hunter2",
      """
      sluice.yaml:2:49: error: 'headers' must be a mapping of names to texts, not a text
        2 |   fast: {type: openai, model: small-1, headers: …
          |                                                 ^

      """
    ),
    (
      "headers: [\"Authorization: Bearer hunter2\"]",
      """
      sluice.yaml:2:49: error: 'headers' must be a mapping of names to texts, not a list
        2 |   fast: {type: openai, model: small-1, headers: […
          |                                                 ^

      """
    ),
    (
      "base-url: \"ws://user:hunter2secret@host\"",
      """
      sluice.yaml:2:50: error: the base-url '…' must start with https:// or http://
        2 |   fast: {type: openai, model: small-1, base-url: …
          |                                                  ^

      """
    ),
    (
      "organisation: \(key)",
      """
      sluice.yaml:2:40: error: unknown key 'organisation' in the backend 'fast'
        2 |   fast: {type: openai, model: small-1, organisation: …
          |                                        ^
        fix: did you mean 'organization'?

      """
    ),
    (
      "retries: 99} # \(key)",
      """
      sluice.yaml:2:49: error: 'retries' must be between 0 and 20, not 99
        2 |   fast: {type: openai, model: small-1, retries: 99} # …
          |                                                 ^

      """
    ),
  ]

  @Test("No error shows a secret that is in the wrong position", arguments: hidden)
  func hiddenSecret(value: String, text: String) throws {
    let ending = value.contains("#") ? "" : "}"
    #expect(try report("{type: openai, model: small-1, \(value)\(ending)") == text)
  }

  @Test("A value in the list of variable names is not shown")
  func variableWithValue() throws {
    #expect(
      try report("{type: exec, command: [sh], fingerprint: {version: '1'}, env: [A_KEY=hunter2]}")
        .split(separator: "\n").prefix(2) == [
          "sluice.yaml:2:72: error: 'A_KEY=…' is not a name of an environment variable",
          "  2 | … fingerprint: {version: '1'}, env: […",
        ]
    )
  }

  // MARK: Unusable backends

  /// An invalid part of a backend, with the complete expected report.
  static let unusable: [(value: String, report: String)] = [
    (
      "model: \"\"",
      """
      sluice.yaml:2:31: error: 'model' is empty
        2 |   fast: {type: openai, model: ""}
          |                               ^
        fix: write the model name that the server expects

      """
    ),
    (
      "model: m, headers: {\"\": x}",
      """
      sluice.yaml:2:44: error: '' in 'headers' is not a name of an HTTP header
        2 |   fast: {type: openai, model: m, headers: {"": x}}
          |                                            ^
        fix: write a name of letters, digits, '-' and '_', without spaces

      """
    ),
    (
      "model: m, headers: {X Title: x}",
      """
      sluice.yaml:2:44: error: 'X Title' in 'headers' is not a name of an HTTP header
        2 |   fast: {type: openai, model: m, headers: {X Title: x}}
          |                                            ^
        fix: write a name of letters, digits, '-' and '_', without spaces

      """
    ),
    (
      "model: m, headers: {X-Title: \"a\\nb\"}",
      """
      sluice.yaml:2:53: error: 'X-Title' in 'headers' must not contain line breaks or control characters
        2 |   fast: {type: openai, model: m, headers: {X-Title: "a\\nb"}}
          |                                                     ^
        fix: write it on one line

      """
    ),
    (
      "model: m, key: {env: A, header: X Key}",
      """
      sluice.yaml:2:56: error: 'header' must be the name of a header, not 'X Key'
        2 |   fast: {type: openai, model: m, key: {env: A, header: X Key}}
          |                                                        ^
        fix: write a name of letters, digits, '-' and '_', without spaces

      """
    ),
    (
      "model: m, base-url: \"http://\"",
      """
      sluice.yaml:2:44: error: the base-url 'http://' has no host
        2 |   fast: {type: openai, model: m, base-url: "http://"}
          |                                            ^

      """
    ),
    (
      "model: m, base-url: \"http://a b/v1\"",
      """
      sluice.yaml:2:44: error: the base-url 'http://a b/v1' must not contain spaces or control characters
        2 |   fast: {type: openai, model: m, base-url: "http://a b/v1"}
          |                                            ^

      """
    ),
    (
      "model: m, base-url: \"http://host:99999/v1\"",
      """
      sluice.yaml:2:44: error: the base-url 'http://host:99999/v1' must have a port between 1 and 65535, or no port
        2 |   fast: {type: openai, model: m, base-url: "http://host:99999/v1"}
          |                                            ^

      """
    ),
  ]

  @Test("A value that makes requests impossible is an error at its position", arguments: unusable)
  func unusableValue(value: String, text: String) throws {
    #expect(try report("{type: openai, \(value)}") == text)
  }

  @Test("An empty program name in 'command' is an error")
  func emptyCommand() throws {
    #expect(
      try report("{type: exec, command: [\"\"], fingerprint: {version: \"1\"}}") == """
        sluice.yaml:2:32: error: 'command' names no program
          2 |   fast: {type: exec, command: [""], fingerprint: {version: "1"}}
            |                                ^
          fix: begin the list with the program's name or path

        """
    )
  }

  @Test(
    "A URL may contain a user, a port and an IPv6 address",
    arguments: [
      "https://models.test", "http://127.0.0.1:8089/v1", "https://[::1]:65535/v1", "http://[::1]",
      "https://me:word@models.test:1/v1?a=b:c@d", "https://models.test?x=http://other:0",
    ]
  )
  func usableURL(url: String) {
    #expect(HTTPSyntax.fault(ofURL: url) == nil)
  }

  @Test(
    "A URL without a host or with an invalid port is refused",
    arguments: [
      ("https://", "has no host"), ("https://:80", "has no host"),
      ("http://me@", "has no host"),
      ("http:///v1", "has no host"), ("http://[]", "has no host"),
      ("http://a:0", "must have a port between 1 and 65535, or no port"),
      ("http://a:65536", "must have a port between 1 and 65535, or no port"),
      ("http://a:x", "must have a port between 1 and 65535, or no port"),
      ("http://a:", "must have a port between 1 and 65535, or no port"),
      ("http://[::1]80", "must have a port between 1 and 65535, or no port"),
      ("ftp://a", "must start with https:// or http://"),
      ("http://a\tb", "must not contain spaces or control characters"),
    ]
  )
  func unusableURL(url: String, fault: String) {
    #expect(HTTPSyntax.fault(ofURL: url) == fault)
  }
}
