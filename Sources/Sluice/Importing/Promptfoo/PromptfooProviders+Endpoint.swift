import SluiceReporting

extension PromptfooProviders {
  // MARK: An app's own endpoint

  mutating func addEndpoint(
    _ id: String,
    _ config: Node?,
    _ label: String?,
    at place: PromptfooContext.Place,
    _ node: Node?
  ) {
    let url = config?.text("url") ?? (id.contains("://") ? id : nil)
    guard let url, !url.contains("{{") else {
      return leaveOut(
        "the provider '\(id)': its address is missing or contains a template",
        at: place
      )
    }
    let known = [
      "url", "method", "headers", "body", "transformResponse", "responseParser", "queryParams",
    ]
    if let other = config?.members?.first(where: { !known.contains($0.key) }) {
      return leaveOut(
        "the provider '\(url)': its setting '\(other.key)' is not supported",
        at: place,
        nearest: "'type: http' for one POST with a JSON body"
      )
    }
    guard (config?.text("method") ?? "POST").uppercased() == "POST",
      let body = config?.present("body")?.json, let object = body.object
    else {
      return leaveOut(
        "the provider '\(url)': it is not a POST whose JSON body is in the configuration",
        at: place,
        nearest: "'type: http'"
      )
    }
    func hasOnlyNames(_ value: JSONValue) -> Bool {
      switch value {
      case .string(let text):
        guard let template = try? NunjucksTemplate(text) else { return false }
        return (try? template.counterpart())
          == text.replacing(/\{\{\s*([\w.]+)\s*\}\}/) { "{{\($0.1)}}" }
      case .array(let elements): return elements.allSatisfy(hasOnlyNames)
      case .object(let object): return object.members.allSatisfy { hasOnlyNames($0.value) }
      default: return true
      }
    }
    guard hasOnlyNames(body) else {
      return leaveOut(
        "the provider '\(url)': its body has templates other than {{names}}",
        at: place,
        nearest: "'type: http'"
      )
    }
    var entry: JSONObject = ["type": "http", "url": .string(url)]
    for header in config?["headers"]?.members ?? [] {
      guard case .string(let text) = header.value.value else { continue }
      let name = header.key.lowercased()
      if name == "content-type" { continue }
      if name == "authorization",
        let match = text.wholeMatch(of: /Bearer \{\{\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/)
      {
        entry["key"] = ["env": .string(String(match.1))]
      } else if text.contains("{{")
        || ["authorization", "cookie", "api-key", "x-api-key"].contains(name)
      {
        return leaveOut(
          "the provider '\(url)': its header '\(header.key)' contains a template or a key",
          at: place,
          nearest: "'key: {env: NAME, header: …}'"
        )
      } else {
        var headers = entry["headers"]?.object ?? [:]
        headers[header.key] = .string(text)
        entry["headers"] = .object(headers)
      }
    }
    if let query = config?["queryParams"]?.json.object {
      guard query.members.allSatisfy({ $0.value.string.map { !$0.contains("{{") } ?? false }) else {
        return leaveOut("the provider '\(url)': 'queryParams' contains a template", at: place)
      }
      entry["query"] = .object(query)
    }
    var answer = "."
    if let parser = (config?.present("transformResponse") ?? config?.present("responseParser")) {
      guard let text = parser.string,
        let match = text.trimmed.wholeMatch(of: /json((?:\.[A-Za-z_]\w*|\[\d+\])*)/)
      else {
        return leaveOut(
          "the provider '\(url)': 'transformResponse' is not a plain path",
          at: place,
          nearest: "'answer: {text: …}'"
        )
      }
      let path = String(match.1).replacing("[", with: ".").replacing("]", with: "")
      answer = path.hasPrefix(".") ? String(path.dropFirst()) : path
      if answer.isEmpty { answer = "." }
    }
    entry["body"] = .object(object)
    entry["answer"] = ["text": .string(answer)]
    entry["fingerprint"] = ["version": "1"]
    forms.insert("unknown")
    backends.append(
      Backend(
        name: name(label ?? ProjectPath(url).stem),
        entry: entry,
        parameters: [:],
        comments: [
          "Change the version in the fingerprint whenever the app behind this backend changes."
        ]
      )
    )
  }
}
