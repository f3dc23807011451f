import SluiceSupport

/// The check that the answer is XML, or contains XML.
struct XMLCheck: AnswerCheck {
  private let isWhole: Bool
  private let elements: [String]
  /// The required paths.
  ///
  /// Each is a list of element names, beginning with the root, in UTF-8.
  private let paths: [[[UInt8]]]
  let claim: String

  init?(_ arguments: ScorerArguments, isWhole: Bool) {
    self.isWhole = isWhole
    if case .null = arguments.spec.arguments.value {
      elements = []
    } else {
      guard let texts = arguments.texts() else { return nil }
      elements = texts
    }
    paths = elements.map { $0.split(separator: ".").map { Array($0.utf8) } }
    let names = Excerpt.list(elements.map { "'\($0)'" })
    let what = elements.isEmpty ? "" : " with \(names)"
    claim = (isWhole ? "be well-formed XML" : "contain XML") + what
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    var text = answer.text
    let result: Result<Finding, Undecided> = text.withUTF8 { units in
      isWhole ? .success(whole(units)) : part(units)
    }
    return try result.get()
  }

  private func whole(_ units: UnsafeBufferPointer<UInt8>) -> Finding {
    var reader = XMLReader(units, wanting: paths)
    do throws(XMLReader.Fault) {
      try reader.readDocument()
    } catch {
      if let reason = CodeFence.reason(String(decoding: units, as: UTF8.self)) {
        return Finding(false, detail: reason)
      }
      let before = units.prefix(min(error.offset, units.count))
      let line = before.count { $0 == 0x0A } + 1
      let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
      return Finding(false, detail: "line \(line), column \(column): \(error.message)")
    }
    return found(reader.found)
  }

  private func found(_ found: [Bool]) -> Finding {
    let missing = zip(elements, found).filter { !$0.1 }.map { "'\($0.0)'" }
    if missing.isEmpty { return Finding(true) }
    return Finding(false, detail: "it has no \(Excerpt.list(missing, separator: " and no "))")
  }

  private func part(_ units: UnsafeBufferPointer<UInt8>) -> Result<Finding, Undecided> {
    var index = 0
    // Some text starts like XML but is not. It is read up to the error, and then again from a point
    // further inside.
    var budget = units.count * 16 + 1_000_000
    var last: Finding?
    while index + 1 < units.count {
      guard units[index] == UInt8(ascii: "<"), XMLReader.startsName(units[index + 1]) else {
        index += 1
        continue
      }
      if budget < 0 {
        return .failure(
          Undecided(
            reason: "too many parts of the answer start like XML but are not valid XML"
          )
        )
      }
      var reader = XMLReader(units, at: index, wanting: paths)
      do throws(XMLReader.Fault) {
        let end = try reader.readElement()
        budget -= end - index
        let finding = found(reader.found)
        if finding.holds { return .success(finding) }
        last = finding
        index = end
      } catch {
        budget -= max(1, reader.index - index)
        index += 1
      }
    }
    return .success(last ?? Finding(false))
  }
}

/// The check that the answer is HTML, or contains HTML.
struct HTMLCheck: AnswerCheck {
  private let isWhole: Bool
  var claim: String { isWhole ? "be only HTML" : "contain an HTML element" }

  init?(_ arguments: ScorerArguments, isWhole: Bool) {
    if !arguments.isBare() { return nil }
    self.isWhole = isWhole
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    guard isWhole else { return Finding(try HTMLReader.isPart(of: answer.text)) }
    if let reason = CodeFence.reason(answer.text) { return Finding(false, detail: reason) }
    let reason = try HTMLReader.fault(in: answer.text)
    return Finding(reason == nil, detail: reason)
  }
}
