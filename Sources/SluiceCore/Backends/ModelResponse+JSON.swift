package import SluiceSupport

extension TokenUsage {
  package var json: JSONObject {
    var object: JSONObject = [:]
    object.set("input", input.map { .number(Double($0)) })
    object.set("cached-input", cachedInput.map { .number(Double($0)) })
    object.set("cache-write", cacheWrite.map { .number(Double($0)) })
    object.set("long-cache-write", longCacheWrite.map { .number(Double($0)) })
    object.set("output", output.map { .number(Double($0)) })
    object.set("reasoning", reasoning.map { .number(Double($0)) })
    object.set("doubt", doubt.map { .string($0.rawValue) })
    return object
  }

  /// Parses JSON in the format of the property ``json``.
  package init(json: JSONValue) {
    self =
      TokenUsage(
        input: json["input"]?.integer,
        cachedInput: json["cached-input"]?.integer,
        output: json["output"]?.integer,
        reasoning: json["reasoning"]?.integer,
        cacheWrite: json["cache-write"]?.integer,
        longCacheWrite: json["long-cache-write"]?.integer
      ).possible
    doubt = json["doubt"]?.string.flatMap(UsageDoubt.init) ?? doubt
  }

  /// The counts without impossible values.
  ///
  /// A count below 0 or above 2^53 becomes nil, because a sum of several could overflow.
  var possible: TokenUsage {
    func possible(_ count: Int?) -> Int? {
      count.flatMap { (0...(1 << 53)).contains($0) ? $0 : nil }
    }
    var usage = TokenUsage(
      input: possible(input),
      cachedInput: possible(cachedInput),
      output: possible(output),
      reasoning: possible(reasoning),
      cacheWrite: possible(cacheWrite),
      longCacheWrite: possible(longCacheWrite)
    )
    usage.doubt = doubt
    if usage != self { usage.doubt = .invalid }
    return usage
  }
}

extension ResponseTimings {
  package var json: JSONObject {
    var object: JSONObject = [:]
    object.set("connect-ms", connect.map(JSONValue.number))
    object.set("tls-ms", tls.map(JSONValue.number))
    object.set("first-byte-ms", firstByte.map(JSONValue.number))
    object.set("first-text-ms", firstText.map(JSONValue.number))
    object.set("longest-gap-ms", longestGap.map(JSONValue.number))
    object.set("total-ms", total.map(JSONValue.number))
    object.set("server-ms", server.map(JSONValue.number))
    object.set("user-ms", user.map(JSONValue.number))
    return object
  }

  /// Parses JSON in the format of the property ``json``.
  package init(json: JSONValue) {
    self.init(
      connect: json["connect-ms"]?.number,
      tls: json["tls-ms"]?.number,
      firstByte: json["first-byte-ms"]?.number,
      firstText: json["first-text-ms"]?.number,
      longestGap: json["longest-gap-ms"]?.number,
      total: json["total-ms"]?.number,
      server: json["server-ms"]?.number
    )
    user = json["user-ms"]?.number
  }
}

extension Provenance {
  package var json: JSONObject {
    var object: JSONObject = [:]
    object.set("host", host.map(JSONValue.string))
    object.set("model", model.map(JSONValue.string))
    object.set("stand-in", standIn.map(JSONValue.string))
    object.set("date", date.map(JSONValue.string))
    object.set("via", via.map { .string($0.rawValue) })
    object.set("by", stated?.by.map(JSONValue.string))
    object.set("note", stated?.note.map(JSONValue.string))
    object.set("imported", imported.map(JSONValue.string))
    if hasMeaninglessTimes {
      object["times"] = .string(BackendDefinition.meaninglessTimes)
    } else if statesTimes {
      object["times"] = .string(Self.stated)
    }
    if statesCost { object["cost"] = .string(Self.stated) }
    return object
  }

  /// Parses JSON in the format of the property ``json``.
  package init(json: JSONValue) {
    self.init(
      host: json["host"]?.string,
      model: json["model"]?.string,
      standIn: json["stand-in"]?.string,
      date: json["date"]?.string
    )
    via = json["via"]?.string.flatMap(AnswerRoute.init)
    imported = json["imported"]?.string
    if let via, !via.isMeasured {
      let day = date.map { String($0.prefix(10)) }
      stated = AnswerStatement(by: json["by"]?.string, day: day, note: json["note"]?.string).known
    }
    hasMeaninglessTimes = json["times"]?.string == BackendDefinition.meaninglessTimes
    statesTimes = json["times"]?.string == Self.stated
    statesCost = json["cost"]?.string == Self.stated
  }

  /// The marker for an answer from a file that also states the answer's times or cost.
  private static let stated = "stated"
}
