import SluiceGating

/// `compare.html`: a comparison for people, as an HTML page.
///
/// The first screen says in a sentence and a picture which configuration is better, by how much,
/// and at what cost. Below are the table of configurations, all pairs, and the cases on which
/// configurations differ.
package struct HTMLComparison {
  private let result: ComparisonResult
  private let suites: [HTMLSuite]
  private let paging: HTMLPaging
  package static let baseName = "compare"

  package init(_ result: ComparisonResult) {
    self.result = result
    suites = result.comparisons.map { HTMLSuite($0) }
    paging = HTMLPaging(suites)
  }

  /// The number of pages.
  ///
  /// Each page is a file.
  package var pageCount: Int { paging.count }

  /// Writes a page.
  ///
  /// Every page has cases; the first page also has the picture and the figures.
  package func write(page: Int = 0, to sink: inout FileSink) throws(FileError) {
    let word = result.verdict.map { $0.word } ?? "compared"
    try HTMLPage(
      title: "Sluice compare: \(word)",
      head: HTMLPage.head(
        title,
        outputs: OutputsText.sentence(result.columns),
        reason: ComparisonHeadline(result, hasTitle: result.comparisons.count == 1).text,
        facts: page == 0 ? facts : [],
        next: page == 0 ? result.next.map { ($0.advice, $0.command) } : nil,
        notes: [],
        warnings: page == 0 ? result.notes : []
      ),
      sections: page == 0 ? sections : [],
      cases: HTMLCases(
        kind: "compare",
        suites: suites,
        paging: paging,
        page: page,
        base: Self.baseName
      )
    ).write(to: &sink)
  }

  private var order: [Int] { result.order }

  private var isLive: Bool { result.comparisons.contains { $0.source == .live } }

  private var title: String {
    if let verdict = result.verdict {
      let word = verdict.word
      return HTMLText.verdict(verdict, text: word.prefix(1).uppercased() + word.dropFirst())
    }
    let names = Set(result.comparisons.map(\.suite))
    guard names.count == 1, let name = names.first else { return "Comparison" }
    return "Comparison of suite \(HTMLText.escaped(name))"
  }

  /// Phrases for the size of the comparison and the models that answered.
  private var facts: [String] {
    var facts: [String] = []
    if result.comparisons.count == 1, let comparison = result.comparisons.first {
      let repeats = comparison.repetitions > 1 ? ", \(comparison.repetitions) answers each" : ""
      facts.append(TerminalLines.count(comparison.caseCount, "case") + repeats)
    } else if !result.comparisons.isEmpty {
      let count = Set(result.comparisons.map(\.suite)).count
      facts.append(TerminalLines.count(count, "suite"))
    }
    let columns = result.columns
    let comparesBackends = result.comparisons.count == 1 && Set(columns.map(\.backend)).count > 1
    let short = Provenance.short(of: columns, isLive: isLive, namesBackends: comparesBackends)
    if let short { facts.append(short) }
    return facts
  }

  // MARK: Sections

  private var sections: [HTMLPage.Section] {
    let places = order
    if places.isEmpty {
      let body = "<p class=\"quiet\">Nothing was compared.</p>\n"
      return [HTMLPage.Section(id: "picture", title: "Nothing to compare", body: body)]
    }
    let main = places.count == 1 ? parts(places[0]) : [overview(places), blocks(places)]
    // Leave out empty parts without a note, since the table and the pairs show the figures.
    let figures = HTMLFigures.sections(suites).filter {
      $0.nothing == nil && !["cost", "latency"].contains($0.id)
    }
    return main + figures + [sources]
  }

  /// Returns a section for each part of the only comparison.
  private func parts(_ place: Int) -> [HTMLPage.Section] {
    HTMLComparisonParts(result.comparisons[place], suites[place]).parts.map {
      HTMLPage.Section(id: $0.id, title: $0.title, place: $0.place, body: $0.body)
    }
  }

  /// Returns a section with the changes of several suites on the same scale.
  private func overview(_ places: [Int]) -> HTMLPage.Section {
    let rows = places.flatMap { place -> [HTMLComparisonParts.ChangeRow] in
      let comparison = result.comparisons[place]
      let names = TradeoffText.shortNames(comparison)
      return comparison.pairs.map { pair in
        let sides = [pair.configuration, pair.reference].map { names[$0] }
        return .init(
          title: comparison.suite,
          detail: sides.joined(separator: " against "),
          address: Self.address(place),
          isIdentical: pair.comparison.isIdentical,
          judged: pair.changes.first { $0.name == "accuracy" },
          margin: comparison.margin
        )
      }
    }
    return HTMLPage.Section(
      id: "picture",
      title: "Change in accuracy, by suite",
      place: "By suite",
      body: HTMLComparisonParts.changes(rows, "Suite")
    )
  }

  private static func address(_ place: Int) -> String { "suite-\(place + 1)" }

  /// Returns a section with a collapsible block for each suite.
  private func blocks(_ places: [Int]) -> HTMLPage.Section {
    let blocks = places.map { place in
      let comparison = result.comparisons[place]
      let sign =
        comparison.verdict.map { HTMLText.verdict($0) }
        ?? (comparison.isQuiet ? "<span class=\"quiet\">unchanged</span>" : "")
      let body =
        comparison.isQuiet
        ? HTMLComparisonParts(comparison, suites[place]).unchanged
        : HTMLComparisonParts(comparison, suites[place]).parts
          .map { "<h3>\(HTMLText.escaped($0.title))</h3>\n\($0.body)" }.joined()
      return
        "<details id=\"\(Self.address(place))\"\(comparison.isQuiet ? "" : " open")><summary>"
        + "<span>\(sign)</span><span class=\"name\">\(HTMLText.escaped(comparison.suite))</span>"
        + "</summary><div class=\"body\">\n\(body)</div></details>\n"
    }
    return HTMLPage.Section(id: "suites", title: "Suites", body: blocks.joined())
  }

  /// A section on the origin of the answers and the meaning of the intervals.
  private var sources: HTMLPage.Section {
    var notes: [String] = []
    if let sentence = Provenance.sentence(of: result.columns, isLive: isLive) {
      notes.append(sentence)
    }
    notes += result.comparisons.compactMap { $0.pairs.isEmpty ? nil : "\($0.convention)." }
    notes += result.comparisons.flatMap { comparison in
      comparison.remarks.map {
        result.comparisons.count == 1 ? "\($0)." : "\(comparison.suite): \($0)."
      }
    }
    if let alarms = result.falseAlarms.flatMap(CorrectionText.falseAlarms) { notes.append(alarms) }
    var seen: Set<String> = []
    let items = notes.filter { seen.insert($0).inserted }
      .map { "<li>\(HTMLText.escaped($0.prefix(1).uppercased() + $0.dropFirst()))</li>" }
    return HTMLPage.Section(
      id: "sources",
      title: "Sources and intervals",
      place: "Sources",
      body: "<ul class=\"notes\">\(items.joined())</ul>\n"
    )
  }
}
