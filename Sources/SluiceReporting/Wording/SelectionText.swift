import SluiceGating

/// The suites that `--affected` chose and skipped, in words.
struct SelectionText {
  private let selection: SuiteSelection
  private let plain: (String) -> String
  private let code: (String) -> String
  /// The maximum number of files to name for each suite.
  private static let shownReasons = 3
  /// The maximum number of suites to name.
  ///
  /// `report.json` names all suites.
  private static let shownSuites = 30

  /// Creates the text.
  ///
  /// - Parameters:
  ///   - selection: The chosen and the skipped suites.
  ///   - plain: A closure that escapes names for the output format.
  ///   - code: A closure that formats paths as code for the output format.
  init(
    _ selection: SuiteSelection,
    _ plain: @escaping (String) -> String = { $0 },
    _ code: @escaping (String) -> String = { $0 }
  ) {
    (self.selection, self.plain, self.code) = (selection, plain, code)
  }

  /// Returns the text if no suite is affected: `no suite is affected since origin/main; 13
  /// skipped`.
  static func nothing(_ selection: SuiteSelection) -> String {
    "no suite is affected since \(selection.revision); \(selection.skipped.count) skipped"
  }

  /// Returns the reason that reports give for a skipped suite.
  static func skipReason(_ selection: SuiteSelection) -> String {
    "not affected since \(selection.revision)"
  }

  /// The title, such as `1 of 13 suites affected since origin/main`.
  var title: String {
    let all = selection.chosen.count + selection.skipped.count
    return "\(selection.chosen.count) of \(TerminalLines.count(all, "suite")) affected since "
      + plain(selection.revision)
  }

  /// A line for each chosen suite, such as `clarity: prompts/clarity/v2.yaml edited`.
  var chosen: [String] {
    let lines = selection.chosen.prefix(Self.shownSuites).map { chosen in
      let shown = chosen.reasons.prefix(Self.shownReasons).map(text)
      let more = chosen.reasons.count - shown.count
      return "\(plain(chosen.suite.name)): \(shown.joined(separator: ", "))"
        + (more > 0 ? " and \(more) more" : "")
    }
    let more = selection.chosen.count - lines.count
    return lines + (more > 0 ? ["and \(TerminalLines.count(more, "suite")) more"] : [])
  }

  /// One line with the skipped suites; `nil` if there are none.
  var skipped: String? {
    if selection.skipped.isEmpty { return nil }
    let names = selection.skipped.prefix(Self.shownSuites).map { plain($0.name) }
    let more = selection.skipped.count - names.count
    return "Skipped: \(names.joined(separator: ", "))" + (more > 0 ? " and \(more) more" : "")
  }

  /// One line with the removed suites; `nil` if there are none.
  var removed: String? {
    if selection.removed.isEmpty { return nil }
    return "Removed since \(plain(selection.revision)): "
      + selection.removed.map { code($0.description) }.joined(separator: ", ")
  }

  private func text(_ reason: SuiteSelection.Reason) -> String {
    switch reason {
    case .file(let path, .outside):
      "\(code(path.description)) is outside the repository, so Sluice cannot tell whether it "
        + "changed"
    case .file(let path, .submodule):
      "\(code(path.description)) is in a submodule, so Sluice cannot tell whether it changed"
    case .file(let path, let change): "\(code(path.description)) \(change.rawValue)"
    case .missingRecordings(let count):
      "\(TerminalLines.count(count, "recording")) \(count == 1 ? "is" : "are") missing"
    }
  }
}

extension SuiteSelection {
  /// The object for `report.json`.
  var json: JSONValue {
    func json(_ suite: Suite) -> JSONObject {
      ["name": .string(suite.name), "path": .string(suite.path.description)]
    }
    return .object([
      "since": .string(revision),
      "chosen": .array(
        chosen.map { chosen in
          var object = json(chosen.suite)
          object["reasons"] = .array(chosen.reasons.map(\.json))
          return .object(object)
        }
      ),
      "skipped": .array(skipped.map { .object(json($0)) }),
      "removed": .array(removed.map { .string($0.description) }),
    ])
  }
}

extension SuiteSelection.Reason {
  fileprivate var json: JSONValue {
    switch self {
    case .file(let path, let change):
      ["file": .string(path.description), "change": .string(change.rawValue)]
    case .missingRecordings(let count): ["missing-recordings": .number(Double(count))]
    }
  }
}
