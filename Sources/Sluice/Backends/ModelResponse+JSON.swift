extension TokenUsage {
  package var json: JSONObject {
    var object: JSONObject = [:]
    object.set("input", input.map { .number(Double($0)) })
    object.set("cached-input", cachedInput.map { .number(Double($0)) })
    object.set("output", output.map { .number(Double($0)) })
    object.set("reasoning", reasoning.map { .number(Double($0)) })
    return object
  }

  /// Reads what ``json`` writes.
  package init(json: JSONValue) {
    self.init(
      input: json["input"]?.integer,
      cachedInput: json["cached-input"]?.integer,
      output: json["output"]?.integer,
      reasoning: json["reasoning"]?.integer
    )
  }
}

extension ResponseTimings {
  package var json: JSONObject {
    var object: JSONObject = [:]
    object.set("connect-ms", connect.map(JSONValue.number))
    object.set("tls-ms", tls.map(JSONValue.number))
    object.set("first-byte-ms", firstByte.map(JSONValue.number))
    object.set("total-ms", total.map(JSONValue.number))
    return object
  }

  /// Reads what ``json`` writes.
  package init(json: JSONValue) {
    self.init(
      connect: json["connect-ms"]?.number,
      tls: json["tls-ms"]?.number,
      firstByte: json["first-byte-ms"]?.number,
      total: json["total-ms"]?.number
    )
  }
}

extension Provenance {
  package var json: JSONObject {
    var object: JSONObject = [:]
    object.set("host", host.map(JSONValue.string))
    object.set("model", model.map(JSONValue.string))
    object.set("stand-in", standIn.map(JSONValue.string))
    object.set("date", date.map(JSONValue.string))
    return object
  }

  /// Reads what ``json`` writes.
  package init(json: JSONValue) {
    self.init(
      host: json["host"]?.string,
      model: json["model"]?.string,
      standIn: json["stand-in"]?.string,
      date: json["date"]?.string
    )
  }
}
