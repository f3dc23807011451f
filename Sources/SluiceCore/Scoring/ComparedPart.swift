import SluiceSupport

/// The part of an answer that is compared with the same part of another answer.
package struct ComparedPart: Sendable {
  private enum Source: Sendable {
    case whole
    case path(JSONPath)
    case extraction(Extraction)
  }

  private let source: Source

  /// The name of the part, such as `label`.
  package let name: String

  /// The whole text, without spaces around it.
  package static let whole = ComparedPart(source: .whole, name: "the whole text")

  private init(source: Source, name: String) {
    self.source = source
    self.name = name
  }

  /// The reason why a text does not describe a part.
  package struct Problem: Error, Hashable {
    package var message: String
    package var fix: String?
  }

  /// Parses the description of a part.
  ///
  /// It is a path into the answer's JSON, or the steps of an `extract` in YAML, such as `[number]`.
  ///
  /// - Throws: ``Problem`` if the text is neither a path nor a valid list of steps.
  package init(_ text: String) throws(Problem) {
    name = text
    guard text.hasPrefix("[") || text.hasPrefix("{") else {
      do throws(JSONPath.Problem) {
        source = .path(try JSONPath(text))
      } catch {
        throw Problem(
          message: error.message,
          fix: "write, for example, --by label or --by '[number]'"
        )
      }
      return
    }
    let (root, problems) = YAMLReader.read(Array(text.utf8))
    let diagnostics = DiagnosticCollector()
    let file = SourceFile(path: "--by", bytes: Array(text.utf8))
    guard let root, problems.isEmpty, let extraction = Extraction(root, in: file, diagnostics)
    else {
      let first = diagnostics.diagnostics.first
      throw Problem(
        message: problems.first?.message ?? first?.message ?? "the list of steps is empty",
        fix: problems.isEmpty ? first?.fix : problems.first?.fix
      )
    }
    source = .extraction(extraction)
  }

  /// Returns the described part of an answer, or the reason why the answer lacks it.
  package func value(in response: ModelResponse) -> Result<String, UnusableAnswer> {
    let answer = Answer(response)
    if let flaw = answer.flaw { return .failure(UnusableAnswer(reason: flaw)) }
    if BlankText.isBlank(answer.text) {
      return .failure(UnusableAnswer(reason: "the answer is empty"))
    }
    switch source {
    case .whole: return .success(answer.text.trimmed)
    case .path(let path):
      switch answer.json {
      case .failure(let unusable): return .failure(unusable)
      case .success(let json):
        let found = path.values(in: json)
        if path.hasWildcard { return .success(JSONValue.array(found).text) }
        guard let first = found.first else {
          return .failure(
            UnusableAnswer(reason: "there is no value at '\(Excerpt.cut(path.text))'")
          )
        }
        return .success(first.text)
      }
    case .extraction(let extraction):
      let extracted = extraction.answer(from: answer)
      if let flaw = extracted.flaw { return .failure(UnusableAnswer(reason: flaw)) }
      return .success(extracted.text.trimmed)
    }
  }
}

extension JSONValue {
  /// The value as text: a string without the spaces around it, a number as it is written, or any
  /// other value as canonical JSON.
  fileprivate var text: String {
    switch self {
    case .string(let text): text.trimmed
    default: String(decoding: JSONWriter.canonical(self, isExact: true), as: UTF8.self)
    }
  }
}
