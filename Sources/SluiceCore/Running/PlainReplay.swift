import SluiceSupport

/// Judges recorded answers of the usual form, from bytes to the line of the run log without a value
/// of JSON in between.
///
/// It makes the same trials as ``Runner`` and the same lines as ``RunLog``, and is where the time goes
/// when a large suite is run on recordings. What is unusual in any respect, a case, an answer or a
/// score, it leaves to these.
final class PlainReplay: Sendable {
  private let shape: SuitePlan.Shape
  private let cases: SuitePlan.Cases
  private let prices: PriceList
  private let notBefore: Timestamp?
  private let choices: [PresetChoice]
  private let scores: PresetScores
  /// By prompt, then by backend.
  private let columns: [Column?]

  /// Prepares a run; nil where a scorer of the suite has to see values.
  init?(
    _ plan: SuitePlan,
    _ recordings: [String: RecordingStore],
    notBefore: Timestamp?,
    _ sheets: ScoreSheets
  ) {
    var scorers: [any PresetScorer] = []
    for bound in plan.scorers {
      guard let scorer = bound.scorer as? any PresetScorer else { return nil }
      scorers.append(scorer)
    }
    guard
      let scores = PresetScores(
        zip(plan.scorers, scorers).map { ($0.name, $1.presets) },
        sheets
      )
    else { return nil }
    shape = plan.shape
    cases = plan.cases
    prices = plan.prices
    self.notBefore = notBefore
    choices = scorers.map(\.choice)
    self.scores = scores
    let keys = RequestKeys(plan)
    columns = plan.prompts.indices.flatMap { prompt in
      plan.backends.indices.map { backend in
        let name = plan.backends[backend].name
        guard let key = keys.prepared(prompt: prompt, backend: backend),
          let store = recordings[name]
        else { return nil }
        return Column(
          TrialColumn(prompt: plan.prompts[prompt].name, backend: name),
          key,
          store,
          plan.prices,
          asking: plan.backends[backend]
        )
      }
    }
  }

  // MARK: Prepared

  /// A prompt with a backend, with what all its trials have in common.
  private final class Column: Sendable {
    let names: TrialColumn
    /// The members of a line from the prompt to the number of the repeat.
    let members: [UInt8]
    let key: RequestKey
    /// The files of recordings, the one that counts first.
    let layers: [Layer]

    init(
      _ names: TrialColumn,
      _ key: RequestKey,
      _ store: RecordingStore,
      _ prices: PriceList,
      asking backend: BackendDefinition
    ) {
      self.names = names
      self.key = key
      var members: [UInt8] = []
      JSONWriter.append(member: "prompt", names.prompt, to: &members)
      JSONWriter.append(member: "backend", names.backend, to: &members)
      members.append(",\"repeat\":")
      self.members = members
      layers = store.layers.map { Layer($0.file, prices, asking: backend) }
    }
  }

  /// A file of recordings with the origins of its kept answers.
  private final class Layer: Sendable {
    let file: RecordingFile
    /// Nil where answers are unusual.
    let origins: [Origin?]

    init(_ file: RecordingFile, _ prices: PriceList, asking backend: BackendDefinition) {
      self.file = file
      origins = file.plainOrigins.map {
        Origin($0.origin, api: $0.api, $0.source, prices, asking: backend)
      }
    }
  }

  /// Who answered, with the bytes that a line has of it.
  private final class Origin: Sendable {
    let source: AnswerOrigin
    let date: Timestamp
    let model: String
    let hasPrice: Bool
    let finishReason: String?
    /// The meaning of the ending, where the backend has a word of its own for it.
    let ownEnding: Ending?
    /// The member `finish-reason`, with a comma before it.
    let finishMember: [UInt8]

    /// Nil where answers have to be looked at more closely.
    init?(
      _ origin: PlainAnswers.Origin,
      api: String?,
      _ from: RecordingSource?,
      _ prices: PriceList,
      asking backend: BackendDefinition
    ) {
      let ownEnding = backend.endings.meaning(of: origin.finishReason)
      // A time that the server says is each answer's own.
      guard api == OpenAIChatEndpoint.api, let from,
        from.headers.allSatisfy(RecordingSource.isCommon),
        ownEnding ?? Ending(word: origin.finishReason) == .done
      else { return nil }
      var provenance = Provenance(
        host: from.host,
        model: origin.model,
        standIn: from.headers.first { $0.name == OpenAIChatBackend.standInHeader }?.value,
        date: origin.date.iso8601
      )
      provenance.hasMeaninglessTimes = backend.hasMeaninglessTimes
      source = AnswerOrigin(provenance)
      date = origin.date
      model = origin.model ?? backend.model ?? ""
      hasPrice = prices.prices[model] != nil
      finishReason = origin.finishReason
      self.ownEnding = ownEnding
      var member: [UInt8] = []
      JSONWriter.append(member: "finish-reason", origin.finishReason, to: &member)
      finishMember = member
    }
  }

  /// Room to work in, which trials that are judged in a row use one after another.
  struct Scratch: ~Copyable {
    fileprivate var key = ByteBuffer()
    fileprivate var text = ByteBuffer()
    fileprivate var input = JSONFields()
    fileprivate var expected = JSONFields()
    fileprivate var answer = PlainAnswerText()
    fileprivate var labels = LabelMembers(CaseLabels())
  }

  /// The labels of a case as a line has them.
  fileprivate struct LabelMembers {
    var labels: CaseLabels
    /// The value of `tags`.
    var tags: [UInt8] = []
    /// The members that follow the outcome, each with a comma before it.
    var others: [UInt8] = []

    init(_ labels: CaseLabels) {
      self.labels = labels
      JSONWriter.append(labels.tags, to: &tags)
      JSONWriter.append(member: "split", labels.split, to: &others)
      JSONWriter.append(member: "cluster", labels.cluster, to: &others)
    }
  }

  // MARK: A trial

  /// What is known of a trial.
  enum Found {
    case judged(Trial)
    /// Its answer, which scorers have to see.
    case found(Runner.KnownAnswer)
  }

  /// Judges the answer of a trial and adds its line.
  ///
  /// - Parameters:
  ///   - index: The place of the trial in the order of the suite.
  ///   - lines: What the line is added to.
  ///   - room: Room to work in.
  /// - Returns: The trial, without what its line has; for what is unusual, with nothing added, its
  ///   answer, or nil where that was not found either.
  func trial(_ index: Int, to lines: inout ByteBuffer, _ room: inout Scratch) -> Found? {
    let slot = shape.slot(index)
    guard let column = columns[slot.prompt * shape.backends + slot.backend],
      !cases.hasAssertions(slot.testCase)
    else { return nil }
    let stored = cases.stored(slot.testCase)
    guard let (file, line) = stored.line else { return nil }
    // A case that was changed meanwhile is lost, which the general way finds, too.
    return try? file.withLine(line) { bytes in
      guard PlainCase.read(bytes, input: &room.input, expected: &room.expected),
        let key = column.key.key(room.input, &room.key)
      else { return nil }
      let wanted = Recording.Slot(key: key, repetition: slot.repetition)
      for layer in column.layers {
        let found = layer.file.plainAnswer(wanted) { answer in
          trial(stored, slot, column, key, answer, layer.origins[answer.origin], to: &lines, &room)
        }
        if found.isHere { return found.result }
      }
      return nil
    }
  }

  /// Judges an answer and adds its line.
  private func trial(
    _ stored: StoredCase,
    _ slot: SuitePlan.Slot,
    _ column: Column,
    _ key: Digest,
    _ answer: PlainAnswers.Answer,
    _ origin: Origin?,
    to lines: inout ByteBuffer,
    _ room: inout Scratch
  ) -> Found? {
    guard let origin, notBefore.map({ origin.date >= $0 }) ?? true else { return nil }
    room.text.removeAll()
    answer.text.appendMeaning(to: &room.text)
    room.answer.set(room.text.units)
    // The case decides if an empty answer can be used.
    guard !BlankText.isBlank(room.text.units),
      let judgement = judgement(&room.answer, room.expected)
    else {
      var response = ModelResponse(
        text: String(decoding: room.text.units, as: UTF8.self),
        finishReason: origin.finishReason,
        usage: answer.usage,
        provenance: origin.source.provenance,
        timings: answer.timings
      )
      response.ownEnding = origin.ownEnding
      return .found(Runner.KnownAnswer(response: response, key: DigestText(key)))
    }
    let facts = LineFacts(
      key: key,
      repetition: slot.repetition,
      response: SHA256.digest(room.text.units),
      cost: origin.hasPrice ? prices.cost(of: answer.usage, model: origin.model) : nil
    )
    let place = append(stored, facts, judgement, column, origin, answer, to: &lines, &room)
    return .judged(
      Trial(
        Trial.Facts(
          caseID: stored.id,
          caseDigest: DigestText(stored.digest),
          labels: stored.labels,
          column: column.names,
          repetition: slot.repetition,
          requestKey: DigestText(key),
          outcome: judgement.outcome,
          sheet: judgement.sheet,
          output: Trial.Output(
            digest: DigestText(facts.response),
            finishReason: origin.finishReason,
            usage: answer.usage,
            cost: facts.cost,
            timings: answer.timings,
            source: origin.source
          ),
          place: place
        )
      )
    )
  }

  /// What tells the line of a trial from that of others, but for the case and the answer.
  private struct LineFacts {
    var key: Digest
    var repetition: Int
    var response: Digest
    var cost: Double?
  }

  /// What the scorers find; nil where one of them has to see values.
  private func judgement(_ answer: inout PlainAnswerText, _ expected: JSONFields)
    -> PresetScores.Judgement?
  {
    var number = 0
    for index in choices.indices {
      guard let preset = choices[index](&answer, expected) else { return nil }
      number = number * scores.counts[index] + preset
    }
    return scores.judgement(number)
  }

  /// Adds the line of a trial, as ``RunLog`` would.
  private func append(
    _ stored: StoredCase,
    _ facts: LineFacts,
    _ judgement: PresetScores.Judgement,
    _ column: Column,
    _ origin: Origin,
    _ answer: PlainAnswers.Answer,
    to lines: inout ByteBuffer,
    _ room: inout Scratch
  ) -> RunLogPlace {
    let start = lines.count
    func inLine(_ place: Int) -> UInt32 { UInt32(place - start) }
    if room.labels.labels !== stored.labels { room.labels = LabelMembers(stored.labels) }
    lines.append("{\"kind\":\"trial\",\"case\":\"")
    lines.appendEscaped(stored.id)
    lines.append("\",\"case-digest\":\"")
    lines.append(stored.digest)
    lines.append("\",\"tags\":")
    lines.append(room.labels.tags)
    lines.append(column.members)
    lines.append(number: Double(facts.repetition))
    lines.append(",\"request\":\"")
    lines.append(facts.key)
    lines.append("\"")
    lines.append(judgement.outcomeMember)
    lines.append(room.labels.others)
    lines.append(",\"scores\":")
    let scores = lines.count
    lines.append(judgement.json)
    let scoresEnd = lines.count
    lines.append(",\"response-digest\":\"")
    lines.append(facts.response)
    lines.append("\"")
    lines.append(origin.finishMember)
    if let usage = answer.usage { lines.append(usage) }
    if let cost = facts.cost {
      lines.append(",\"cost\":")
      lines.append(number: cost)
    }
    lines.append(answer.timings)
    lines.append(",\"answered-by\":")
    lines.append(origin.source.json)
    lines.append(",\"variables\":{")
    var isFirst = true
    for field in room.input.fields {
      lines.append(isFirst ? "\"" : ",\"")
      isFirst = false
      lines.append(field.name)
      lines.append("\":\"")
      if let text = field.text { lines.append(text.units) }
      lines.append("\"")
    }
    lines.append("},\"text\":")
    let text = lines.count
    lines.append("\"")
    lines.append(answer.text.units)
    lines.append("\"")
    let textEnd = lines.count
    lines.append("}\n")
    return RunLogPlace(
      start: start,
      length: inLine(lines.count - 1),
      scores: inLine(scores)..<inLine(scoresEnd),
      text: inLine(text)..<inLine(textEnd)
    )
  }
}
