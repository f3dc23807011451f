package import SluiceGating

/// The output of `sluice batch`.
package enum TerminalBatch {
  /// The maximum number of cases that are listed by id.
  private static let shownCases = 5
  /// The maximum number of groups of missing requests to show.
  private static let shownGroups = 12

  // MARK: Export

  /// A batch file that was written.
  package struct Written {
    /// The file's name, as given on the command line.
    package var file: String
    package var backends: [String]
    /// The number of requests of each suite.
    package var suites: [(name: String, count: Int)]
    package var asksJudges: Bool
    /// The number of requests to judges if all answers are usable.
    ///
    /// These requests can be sent once the answers are known.
    package var coming: Int
    /// The format of the file.
    package var form: BatchForm?
    /// The model, if the file does not name it; `nil` if the file names the model.
    package var unnamedModel: String?
    /// True if the answers come through files from somebody other than a batch service.
    package var isThroughFiles: Bool

    package init(
      file: String,
      backends: [String],
      suites: [(name: String, count: Int)],
      asksJudges: Bool,
      coming: Int,
      form: BatchForm? = .openAI,
      unnamedModel: String? = nil,
      isThroughFiles: Bool = false
    ) {
      self.file = file
      self.backends = backends
      self.suites = suites
      self.asksJudges = asksJudges
      self.coming = coming
      self.form = form
      self.unnamedModel = unnamedModel
      self.isThroughFiles = isThroughFiles
    }
  }

  /// Returns the text after an export: the requests in the file, and the next step.
  package static func text(_ written: Written) -> String {
    let total = written.suites.reduce(0) { $0 + $1.count }
    let noun = written.asksJudges ? "verdict" : "answer"
    let backends = written.backends.map(TerminalText.visible).joined(separator: ", ")
    var lines = [
      "\(TerminalText.visible(written.file)): \(requests(total)) to \(backends)"
    ]
    for suite in written.suites {
      let count = "\(suite.count.withThousands) \(noun)\(suite.count == 1 ? "" : "s")"
      lines.append("  \(TerminalText.visible(suite.name)): \(count)")
    }
    if written.coming > 0 {
      lines += TerminalLines.wrap(
        "Requests to judges depend on these answers: up to \(requests(written.coming)). Export "
          + "again after you import the answers.",
        indent: 0
      )
    }
    if let form = written.form, let limit = form.mostRequests, total > limit {
      lines.append(
        "\(form.vendor) accepts at most \(limit.withThousands) requests per file: export fewer "
          + "suites at a time."
      )
    }
    if let model = written.unnamedModel {
      lines += TerminalLines.wrap(
        "The lines do not name the model: create the batch with the model "
          + "\(TerminalText.visible(model)).",
        indent: 0
      )
    }
    let file = ShellText.quoted(written.file)
    let command = "  sluice batch import RESULTS.jsonl --requests \(TerminalText.visible(file))"
    return TerminalLines.text(
      lines
        + (written.isThroughFiles
          ? ["Next: have the requests answered, then import the answers:"]
            + ["\(command) --answered-by WHO"]
          : ["Next: send the file to the batch service, then import the results:", command])
    )
  }

  private static func requests(_ count: Int) -> String {
    "\(count.withThousands) request\(count == 1 ? "" : "s")"
  }

  // MARK: Import

  /// Returns the text after an import: the result, the missing requests and the next steps.
  package static func text(_ result: BatchImportResult) -> String {
    var lines = imported(result)
    lines += totals(result)
    for provenance in result.provenances {
      lines += TerminalLines.wrap(
        "Answers of \(TerminalText.visible(provenance.phrase)).",
        indent: 0
      )
    }
    lines += missing(result)
    if let path = result.summary, !result.faults.isEmpty || !result.missing.isEmpty {
      lines.append("All problems and all requests without an answer are listed in \(path)")
    }
    return TerminalLines.text(lines + next(result))
  }

  /// Returns a line for each suite with the number of its imported answers.
  private static func imported(_ result: BatchImportResult) -> [String] {
    var lines: [String] = []
    var order: [String] = []
    var parts: [String: [BatchImportResult.Part]] = [:]
    for part in result.parts {
      let name = TerminalText.visible("\(part.suite) on \(part.backend)")
      if parts[name] == nil { order.append(name) }
      parts[name, default: []].append(part)
    }
    for name in order {
      let parts = parts[name] ?? []
      let added = parts.reduce(0) { $0 + $1.imported }
      let known = parts.reduce(0) { $0 + $1.known }
      var text = "\(name): \(answers(added)) imported"
      if known > 0 { text += ", \(known.withThousands) already recorded" }
      if parts.count > 1 {
        let prompts = parts.map { part in
          "\(TerminalText.visible(part.prompt)) \((part.imported + part.known).withThousands)"
        }
        text += " (\(prompts.joined(separator: ", ")))"
      }
      lines += TerminalLines.wrap(text, indent: 0)
    }
    return lines
  }

  private static func totals(_ result: BatchImportResult) -> [String] {
    var counts = ["\(answers(result.imported)) imported"]
    func add(_ count: Int, _ what: String) {
      if count > 0 { counts.append("\(count.withThousands) \(what)") }
    }
    add(result.known, "already recorded")
    add(result.duplicates, result.duplicates == 1 ? "duplicate" : "duplicates")
    add(result.refused, "refused")
    let lines = "\(result.lines.withThousands) line\(result.lines == 1 ? "" : "s")"
    return TerminalLines.wrap("In total: \(counts.joined(separator: ", ")), of \(lines)", indent: 0)
  }

  private static func answers(_ count: Int) -> String {
    "\(count.withThousands) answer\(count == 1 ? "" : "s")"
  }

  /// Returns the requests without an answer, by reason.
  private static func missing(_ result: BatchImportResult) -> [String] {
    if result.missing.isEmpty { return [] }
    var order: [String] = []
    var groups: [String: [BatchImportResult.Missing]] = [:]
    for entry in result.missing {
      let title = "\(entry.suite) \(entry.prompt) on \(entry.backend): \(entry.reason)"
      if groups[title] == nil { order.append(title) }
      groups[title, default: []].append(entry)
    }
    var lines = ["Without an answer: \(requests(result.missing.count))"]
    for title in order.prefix(shownGroups) {
      let group = groups[title] ?? []
      lines += TerminalLines.wrap(TerminalText.visible(title), indent: 2)
      let names = group.prefix(shownCases).map { entry in
        TerminalText.visible(entry.testCase)
          + (entry.repetition > 1 ? " (repeat \(entry.repetition))" : "")
      }
      let rest = group.count - names.count
      lines += TerminalLines.wrap(
        names.joined(separator: ", ") + (rest > 0 ? " and \(rest.withThousands) more" : ""),
        indent: 4
      )
      if let difference = group.lazy.compactMap(\.difference).first {
        lines += RecordingText.difference(difference).map { "      \(TerminalText.visible($0))" }
      }
    }
    if order.count > shownGroups {
      lines.append("  and \((order.count - shownGroups).withThousands) more reasons")
    }
    return lines
  }

  private static func next(_ result: BatchImportResult) -> [String] {
    var lines: [String] = []
    if !result.missing.isEmpty {
      let commands = exports(result.missing)
      let files = commands.count == 1 ? "a new batch file" : "new batch files"
      lines += ["Next: write the missing requests to \(files):"] + commands
    }
    if result.imported > 0 {
      lines += [
        "The answers are pending until you accept or reject the whole set.",
        "Next: read them, then accept or reject the whole set:",
        "  sluice recordings review",
        "  sluice recordings accept",
        "  sluice recordings reject",
      ]
    }
    return lines
  }

  /// Returns the commands that export the missing requests.
  ///
  /// The suites' own prompts need one command per backend. Any other prompt needs one command for
  /// each suite and backend.
  private static func exports(_ missing: [BatchImportResult.Missing]) -> [String] {
    var order: [String] = []
    var suites: [String: [String]] = [:]
    for entry in missing {
      let suite = ShellText.quoted(SuiteName.short(entry.path))
      var options = " --backend \(ShellText.quoted(entry.backend))"
      if let prompt = entry.otherPrompt {
        options += " --prompt \(ShellText.quoted(prompt.description))"
      }
      // The option `--prompt` applies to one suite, so name that suite.
      let name = entry.otherPrompt == nil ? options : "\(suite)\(options)"
      if suites[name] == nil { order.append(name) }
      if suites[name]?.contains(suite) != true { suites[name, default: []].append(suite) }
    }
    return order.enumerated().map { number, name in
      let names = (suites[name] ?? []).joined(separator: " ")
      let options = name.drop { $0 != " " }
      let file = number == 0 ? "missing.jsonl" : "missing-\(number + 1).jsonl"
      return "  sluice batch export \(file) \(names)\(TerminalText.visible(String(options)))"
    }
  }
}
