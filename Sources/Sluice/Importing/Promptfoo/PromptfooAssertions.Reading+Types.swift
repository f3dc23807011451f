import SluiceReporting

extension PromptfooAssertions.Reading {
  typealias Written = PromptfooAssertions.Written

  // MARK: Types

  func one(_ arguments: JSONValue, type: String? = nil) -> [Written] {
    [Written(type: (isNegated ? "not-" : "") + (type ?? plain), arguments: arguments)]
  }

  /// Returns Sluice's equivalent assertions.
  ///
  /// If there are none, reports the reason and returns `nil`.
  mutating func written() -> [Written]? {
    switch plain {
    case "contains", "icontains", "starts-with": return text().map { one($0) }
    case "contains-any", "contains-all", "icontains-any", "icontains-all":
      return texts().map { one($0) }
    case "equals": return equals()
    case "regex": return pattern()
    case "is-json": return json()
    case "is-xml": return xml()
    case "levenshtein":
      guard let text = text(), let limit = threshold(5) else { return nil }
      var written = one(["value": text, "threshold": limit])
      written[0].isGraded = true
      return written
    case "word-count": return wordCount()
    case "latency", "cost": return threshold().map { one($0) }
    case "finish-reason":
      guard let text = text()?.string else { return nil }
      return one(.string(text.lowercased()))
    case "javascript", "python": return script()
    default:
      refuse("it has no counterpart")
      return nil
    }
  }

  mutating func equals() -> [Written]? {
    guard let found = value else {
      refuse("it has no value, so promptfoo compares the output with 'undefined'")
      return nil
    }
    _ = found
    guard let value = resolvedValue() else { return nil }
    switch value {
    case .object, .array:
      let isTagged = value.jsonText.contains("{{") || value.jsonText.contains("{%")
      if isTagged, case .array = value {
        refuse("its value is a list that contains templates")
        return nil
      }
      // Sluice reads `{literal: VALUE}` as VALUE. So wrap an object whose only key is `literal`.
      let hasLiteral = value["literal"] != nil && value.object?.members.count == 1
      return one(isTagged || hasLiteral ? ["literal": value] : value)
    case .null:
      refuse("it has no value")
      return nil
    default: return text(mayBeEmpty: true).map { one($0) }
    }
  }

  mutating func pattern() -> [Written]? {
    guard let text = text(keepsNames: false) else { return nil }
    let source = text.string ?? text["literal"]?.string ?? ""
    do throws(ECMAScriptPattern.Fault) {
      return one(Self.literal(try ECMAScriptPattern.translated(source)))
    } catch {
      refuse(error.reason)
      return nil
    }
  }

  mutating func json() -> [Written]? {
    guard value != nil else { return one(.null) }
    guard var schema = resolvedValue() else { return nil }
    if case .string(let text) = schema {
      guard let filled = filled(text, keepsNames: false) else { return nil }
      let plain = filled.string ?? filled["literal"]?.string ?? ""
      if plain.trimmed.isEmpty { return one(.null) }
      let (root, problems) = YAMLReader.read(Array(plain.utf8), mergesKeys: true)
      guard problems.isEmpty, let root else {
        refuse("its schema cannot be read")
        return nil
      }
      schema = root.json
    }
    guard schema.object != nil else {
      refuse("its schema is not an object")
      return nil
    }
    return one(schema)
  }

  mutating func xml() -> [Written]? {
    note("malformed XML fails in Sluice; earlier versions of promptfoo accepted some of it")
    guard let value else { return one(.null) }
    var names: [JSONValue] = []
    let found = value["requiredElements"] ?? value
    switch found.value {
    case .string(let text):
      names = text.split(separator: ",").map { .string(String($0).trimmed) }
    case .sequence(let nodes): names = nodes.map(\.json)
    default: break
    }
    guard !names.isEmpty, names.allSatisfy({ $0.string.map { !$0.isEmpty } ?? false }) else {
      refuse("its value is not a list of elements")
      return nil
    }
    return one(.array(names))
  }

  mutating func wordCount() -> [Written]? {
    guard let value = resolvedValue() else { return nil }
    switch value {
    case .number: return one(value)
    case .string(let text):
      guard let number = Double(text.trimmed), number == number.rounded() else {
        refuse("its value is not a number")
        return nil
      }
      return one(.number(number))
    case .object(let object):
      var range = JSONObject()
      for key in ["min", "max"] {
        guard let bound = object[key] else { continue }
        guard case .number = bound else {
          refuse("'min' or 'max' is not a number")
          return nil
        }
        range[key] = bound
      }
      return one(.object(range))
    default:
      refuse("its value is not a number")
      return nil
    }
  }

  mutating func script() -> [Written]? {
    guard let value else {
      refuse("it has no code")
      return nil
    }
    guard var code = value.string else {
      refuse("its code is not a string")
      return nil
    }
    if code.hasPrefix("file://") {
      _ = file(code)
      return nil
    }
    let language: Script.Language = plain == "python" ? .python : .javaScript
    if NunjucksTemplate.hasTags(code) {
      guard let filled = filled(code, keepsNames: false) else { return nil }
      code = filled.string ?? filled["literal"]?.string ?? code
    }
    let vars = test.vars
    let surroundings = ScriptTranslator.Surroundings(
      outputIsText: owner.outputIsText,
      kindOfVariable: { name in
        switch vars[name] {
        case .string?: .text
        case .number?, .exact?: .number
        case .bool?: .truth
        default: nil
        }
      },
      threshold: node.number("threshold")
    )
    do throws(Script.Untranslatable) {
      let found = try ScriptTranslator.translate(code, language, surroundings)
      for text in found.notes { note(text) }
      if found.expression == "true" || found.expression == "false" {
        refuse(
          "the result of the script is always \(found.expression)",
          nearest: "remove the assertion"
        )
        return nil
      }
      let expression = Written(
        type: isNegated ? "not-expression" : "expression",
        arguments: .string(found.expression)
      )
      return found.needsJSON
        ? [Written(type: "is-json", arguments: .null), expression] : [expression]
    } catch {
      refuse(error.reason)
      return nil
    }
  }
}
