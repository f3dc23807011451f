extension TokenUsage {
  package var json: JSONObject {
    var object: JSONObject = [:]
    object.set("input", input.map { .number(Double($0)) })
    object.set("cached-input", cachedInput.map { .number(Double($0)) })
    object.set("output", output.map { .number(Double($0)) })
    object.set("reasoning", reasoning.map { .number(Double($0)) })
    return object
  }
}

extension ResponseTimings {
  package var json: JSONObject {
    var object: JSONObject = [:]
    object.set("connect-ms", connect.map(JSONValue.number))
    object.set("first-byte-ms", firstByte.map(JSONValue.number))
    object.set("total-ms", total.map(JSONValue.number))
    return object
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
}
