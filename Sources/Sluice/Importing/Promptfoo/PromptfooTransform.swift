import SluiceReporting

/// The conversion of a one-line JavaScript transform to the steps of `extract:`.
enum PromptfooTransform {
  /// Returns the steps, or `nil` if the code is unsupported.
  static func steps(_ code: String, outputIsText: Bool?) -> [JSONValue]? {
    guard let script = try? ScriptParser.parse(code, .javaScript) else { return nil }
    return steps(script, outputIsText)
  }

  static func steps(_ script: Script, _ outputIsText: Bool?) -> [JSONValue]? {
    if let path = path(script, outputIsText) {
      return path.isEmpty ? [] : [["json-path": .string(path)]]
    }
    switch script {
    case .name("output"): return []
    case .call(.member(let inner, let name, _), let arguments) where arguments.isEmpty:
      guard let step = ["trim": "trim", "toLowerCase": "lower"][name],
        let steps = steps(inner, outputIsText)
      else { return nil }
      return steps + [.string(step)]
    default: return nil
    }
  }

  /// Returns the path in the answer's JSON that a script reads, or `nil` if the script does
  /// anything else.
  static func path(_ script: Script, _ outputIsText: Bool?) -> String? {
    switch script {
    case .call(.member(.name("JSON"), "parse", _), let arguments):
      guard outputIsText != false, arguments.count == 1, case .name("output") = arguments[0] else {
        return nil
      }
      return "$"
    case .member(.name("output"), let key, _) where outputIsText == false: return "$.\(key)"
    case .member(let inner, let key, _):
      guard key.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil, key != "length",
        let path = path(inner, outputIsText)
      else { return nil }
      return "\(path).\(key)"
    case .index(let inner, .literal(.number(let number))):
      guard let index = Int(exactly: number), index >= 0, let path = path(inner, outputIsText)
      else {
        return nil
      }
      return "\(path)[\(index)]"
    default: return nil
    }
  }
}
