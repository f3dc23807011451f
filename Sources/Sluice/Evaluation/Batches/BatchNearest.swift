import SluiceReporting

/// The search for the request of the project that is most similar to an unknown request.
///
/// Only requests that share an uncommon line with the unknown request are compared, since such a
/// line comes from the case. If no request shares such a line, the requests with the same
/// instructions are compared, since instructions come from the prompt.
struct BatchNearest {
  /// The most similar request of the project, with its differences from the unknown request.
  struct Found {
    var place: BatchTargets.Place
    var key: Digest
    /// The parts in which the two requests differ.
    var parts: [String]
    var difference: RequestDifference
  }

  private struct Candidate {
    var place: BatchTargets.Place
    var key: Digest
  }

  private let targets: BatchTargets
  private var candidates: [Candidate] = []
  private var byLine: [Int: [Int32]] = [:]
  private var byFrame: [Int: [Int32]] = [:]
  private var identities: [Digest: (request: ModelRequest, identity: RequestIdentity)] = [:]

  /// The maximum number of requests to compare in detail with an unknown request.
  private static let compared = 32
  /// The maximum number of requests that may share a line.
  ///
  /// A more common line is not used to find similar requests.
  private static let common = 256
  /// The maximum number of requests in the index.
  private static let most = 200_000
  /// The maximum number of request bodies to keep in memory.
  private static let kept = 1_000

  /// Indexes the requests of a project.
  ///
  /// - Parameters:
  ///   - targets: The requests of the project.
  ///   - backends: The indices of the backends whose requests are compared.
  init(_ targets: BatchTargets, through backends: Set<Int>) {
    self.targets = targets
    for index in targets.plans.indices {
      let plan = targets.plans[index]
      targets.forEachKey(of: index) { key, prompt, backend, testCase in
        guard backends.contains(backend), candidates.count < Self.most,
          let rendered = try? plan.prompts[prompt].render(plan.cases[testCase].testCase)
        else { return }
        let number = Int32(candidates.count)
        candidates.append(
          Candidate(
            place: BatchTargets.Place(
              plan: index,
              origin: .trial(prompt: prompt, backend: backend, testCase: testCase)
            ),
            key: key
          )
        )
        let marks = Marks(rendered.messages.lazy.map { (role: $0.role.rawValue, text: $0.text) })
        for line in marks.lines where byLine[line, default: []].count <= Self.common {
          byLine[line, default: []].append(number)
        }
        if byFrame[marks.frame, default: []].count < Self.compared {
          byFrame[marks.frame, default: []].append(number)
        }
      }
    }
  }

  /// The hashes for finding similar requests: one hash for each line of the user's messages, and one
  /// hash for all other messages.
  private struct Marks {
    var lines: Set<Int> = []
    var frame: Int

    init(_ messages: some Sequence<(role: String, text: String)>) {
      var hasher = Hasher()
      for (role, text) in messages {
        if role == MessageRole.user.rawValue {
          for line in text.utf8.split(separator: 0x0A) {
            lines.insert(Substring(line).hashValue)
          }
        } else {
          hasher.combine(text)
        }
      }
      frame = hasher.finalize()
    }
  }

  /// Returns the most similar request, or `nil` if no request shares a line or the instructions
  /// with the unknown request.
  ///
  /// - Parameters:
  ///   - body: The body of the unknown request.
  ///   - model: The model of the unknown request, or an empty string if the body names no model.
  ///   - types: The types of backends (the values of `type:`) that can send the unknown request.
  ///   - isAnswered: A closure that returns true for the key of an answered request. Of two equally
  ///     similar requests, the unanswered one is preferred.
  /// - Returns: The most similar request.
  mutating func nearest(
    to body: JSONValue,
    model: String,
    types: [String],
    isAnswered: (Digest) -> Bool
  ) -> Found? {
    let api = types.lazy.compactMap(ModelAPI.init(type:)).first ?? .chatCompletions
    let texts = Self.texts(of: body, api.name())
    let marks = Marks(texts)
    var best: (candidate: Candidate, parts: [RequestIdentity.Part], rank: (Int, Int, Int))?
    for number in found(by: marks) {
      let candidate = candidates[Int(number)]
      guard let (request, identity) = identity(of: candidate) else { continue }
      let foreign = Self.request(body, model, like: request)
      let parts = RequestDifference.changedParts(from: RequestIdentity(foreign), to: identity)
      let rank = (
        parts.count, isAnswered(candidate.key) ? 1 : 0,
        -Self.likeness(texts, Self.texts(of: request.body, request.api))
      )
      if best.map({ rank < $0.rank }) ?? true { best = (candidate, parts, rank) }
    }
    guard let best, let request = identity(of: best.candidate)?.request else { return nil }
    return Found(
      place: best.candidate.place,
      key: best.candidate.key,
      parts: best.parts.map(\.name),
      difference: RequestDifference(from: Self.request(body, model, like: request), to: request)
    )
  }

  /// Returns the indices of the requests that share the largest number of uncommon lines with the
  /// unknown request.
  ///
  /// If no request shares a line, returns the requests with the same instructions.
  private func found(by marks: Marks) -> [Int32] {
    var votes: [Int32: Int] = [:]
    for line in marks.lines {
      guard let numbers = byLine[line], numbers.count <= Self.common else { continue }
      for number in numbers { votes[number, default: 0] += 1 }
    }
    guard let most = votes.values.max() else { return byFrame[marks.frame] ?? [] }
    return Array(votes.filter { $0.value == most }.keys.sorted().prefix(Self.compared))
  }

  private static func request(_ body: JSONValue, _ model: String, like other: ModelRequest)
    -> ModelRequest
  {
    ModelRequest(
      backend: other.backend,
      api: other.api,
      model: model.isEmpty ? other.model : model,
      body: body
    )
  }

  private mutating func identity(of candidate: Candidate) -> (
    request: ModelRequest, identity: RequestIdentity
  )? {
    if let known = identities[candidate.key] { return known }
    let entry = targets.request(candidate.place, key: candidate.key, repetition: 1)
    guard let request = entry?.request else { return nil }
    if identities.count >= Self.kept { identities = [:] }
    let made = (request, RequestIdentity(request))
    identities[candidate.key] = made
    return made
  }

  /// Returns the texts of a request with their roles.
  ///
  /// Instructions come first.
  private static func texts(of body: JSONValue, _ api: String) -> [(role: String, text: String)] {
    func text(_ content: JSONValue?) -> String {
      content?.string
        ?? (content?.array ?? []).compactMap { $0["text"]?.string }.joined(separator: "\n")
    }
    let names = ModelAPI.messageNames(in: api)
    let instructions =
      (body["system"].map { [$0] } ?? body["systemInstruction"]?["parts"]?.array ?? [])
      .map { (role: "system", text: $0.string ?? $0["text"]?.string ?? "") }
    let messages = (body[names.list]?.array ?? []).map { message in
      (role: message["role"]?.string ?? "", text: text(message[names.content]))
    }
    return instructions + messages
  }

  /// Returns the similarity of two requests: the number of bytes in common prefixes and suffixes of
  /// their texts.
  private static func likeness(
    _ left: [(role: String, text: String)],
    _ right: [(role: String, text: String)]
  ) -> Int {
    zip(left, right).reduce(0) { sum, pair in
      let (left, right) = (pair.0.text, pair.1.text)
      let start = zip(left.utf8, right.utf8).prefix { $0 == $1 }.count
      if start == left.utf8.count, start == right.utf8.count { return sum + start }
      let end = zip(left.utf8.reversed(), right.utf8.reversed()).prefix { $0 == $1 }.count
      return sum + start + end
    }
  }
}
