import SluiceGating

/// The parts of a page about one comparison: the picture, the gates, the configurations, the pairs,
/// and the cases on which configurations differ.
struct HTMLComparisonParts {
  private let comparison: ConfigurationComparison
  private let suite: HTMLSuite
  private let tradeoff: TradeoffText
  private let names: [String]

  struct Part {
    var id: String
    var title: String
    /// The title in the navigation, if it differs.
    var place: String?
    var body: String
  }

  init(_ comparison: ConfigurationComparison, _ suite: HTMLSuite) {
    (self.comparison, self.suite) = (comparison, suite)
    tradeoff = TradeoffText(comparison)
    names = TradeoffText.shortNames(comparison)
  }

  /// The parts that are not empty.
  ///
  /// If gates decide the comparison, the edit and the gates come before the picture, as on the page
  /// of a run.
  var parts: [Part] {
    let picture = Part(
      id: "picture",
      title: tradeoff.measure?.title ?? "Quality",
      body: self.picture
    )
    let verdict = Part(id: "gates", title: verdictTitle, place: "Gates", body: change + gates)
    return [
      comparison.verdict == nil ? picture : verdict,
      comparison.verdict == nil ? verdict : picture,
      Part(id: "configurations", title: "Configurations", body: configurations),
      Part(id: "pairs", title: comparison.pairs.count > 1 ? "All pairs" : "The pair", body: pairs),
      Part(id: "differ", title: "Cases where they differ", body: differences),
      Part(id: "times", title: "Times", body: times),
      Part(
        id: "groups",
        title: "By group",
        body: GroupText.compared(comparison).map(\.html).joined()
      ),
    ].filter { !$0.body.isEmpty }
  }

  // MARK: Picture

  private var dots: [HTMLPlot.Dot] {
    let known = comparison.configurations.indices.compactMap { index -> (Int, QualityAtCost)? in
      guard
        let quality = comparison.estimate("accuracy", of: comparison.configurations[index])?.value,
        let value = tradeoff.values[index]
      else { return nil }
      return (index, QualityAtCost(quality: quality, cost: value))
    }
    return comparison.configurations.enumerated().compactMap { index, configuration in
      guard let accuracy = comparison.estimate("accuracy", of: configuration),
        let quality = accuracy.value
      else { return nil }
      let own = known.first { $0.0 == index }?.1
      return HTMLPlot.Dot(
        letter: ConfigurationComparison.letter(index),
        name: names[index],
        quality: quality,
        interval: accuracy.interval,
        amount: tradeoff.values[index],
        amountText: tradeoff.values[index].flatMap { tradeoff.measure?.text($0) } ?? "",
        isBest: own.map { $0.isOnFront(of: known.map(\.1)) } ?? false
      )
    }
  }

  private var picture: String {
    let dots = dots
    let picture =
      tradeoff.measure.map { HTMLPlot.tradeoff(dots, $0) }.flatMap { $0.isEmpty ? nil : $0 }
    let drawn = picture ?? HTMLPlot.qualities(dots)
    if drawn.isEmpty {
      return "<p class=\"quiet\">No configuration has an accuracy yet.</p>\n"
    }
    var captions: [String] = []
    if picture != nil {
      captions.append(
        "\(tradeoff.measure?.frontText ?? "") Lines are 95% intervals of accuracy."
      )
    } else {
      captions.append("Lines are 95% intervals of accuracy.")
    }
    if let note = tradeoff.note { captions.append(note) }
    captions += millions
    let missing = comparison.configurations.indices.filter { index in
      !dots.contains { $0.letter == ConfigurationComparison.letter(index) }
    }
    if !missing.isEmpty {
      let letters = missing.map(ConfigurationComparison.letter).joined(separator: ", ")
      captions.append("Not shown, because they have no answers: \(letters).")
    }
    return "<figure class=\"tradeoff\">\(drawn)<figcaption>"
      + "\(HTMLText.escaped(captions.joined(separator: " ")))</figcaption></figure>\n"
  }

  /// The sentences with the cost of a million calls for each configuration, and the dates of the
  /// prices; empty if no cost is known.
  private var millions: [String] {
    let costs = comparison.configurations.enumerated().compactMap { index, configuration in
      comparison.estimate("mean(cost)", of: configuration)?.value
        .flatMap { NumberText.millionCalls(Estimate($0, n: 1)) }
        .map { "\(ConfigurationComparison.letter(index)) \($0)" }
    }
    if costs.isEmpty { return [] }
    let dates = PriceText.dates(comparison.datedPrices).map { "C\($0.dropFirst())." }
    return ["A million calls cost: \(costs.joined(separator: ", "))."] + [dates].compactMap(\.self)
  }

  // MARK: Gates

  private var verdictTitle: String {
    guard comparison.verdict != nil, let pair = comparison.pairs.last else { return "Gates" }
    return "\(names[pair.configuration]) against \(names[pair.reference])"
  }

  /// The edit next to its effect; empty if no gate decides the comparison.
  private var change: String {
    guard comparison.verdict != nil, let pair = comparison.pairs.last else { return "" }
    let column = suite.columns[pair.configuration]
    return HTMLChanges.panel(suite, column, asked: requestChange(pair))
  }

  /// Returns the change in the requests of a pair; `nil` if the requests are the same.
  private func requestChange(_ pair: ConfigurationComparison.Pair) -> RequestChange? {
    RequestChange(
      from: comparison.configurations[pair.reference].column,
      to: comparison.configurations[pair.configuration].column
    )
  }

  /// The gates; below them, the edits of the rules and the notes about recordings.
  ///
  /// The sentence at the top of the page already says that rules were edited.
  private var gates: String {
    var body = ""
    if !comparison.gates.isEmpty, let column = suite.columns.last {
      body += HTMLDecisions.head("Gates", HTMLDecisions.legend(comparison.gates))
      body += HTMLDecisions.list(
        comparison.gates,
        isGoal: false,
        baseline: { column.baseline(of: $0) }
      )
    }
    if !comparison.edits.isEmpty {
      let items = comparison.edits.map { "<li>\(HTMLText.escaped($0.text))</li>" }.joined()
      body +=
        "<p>Also edited in this change; the comparison uses the old gates and labels:</p><ul "
        + "class=\"flips\">\(items)</ul>\n"
    }
    for note in comparison.recorded.map(RecordingText.notes) ?? [] {
      body += "<p>\(HTMLText.escaped(note)).</p>\n"
    }
    return body
  }

  // MARK: Configurations

  private var configurations: String {
    let figures = ConfigurationFigure.all(comparison)
    let heads = figures.map { "<th scope=\"col\" class=\"num\">\($0.name)</th>" }
    let rows = comparison.configurations.enumerated().map { index, configuration in
      let cells = figures.map { figure in
        "<td class=\"num\" data-label=\"\(figure.name)\">\(Self.cell(figure.cells[index]))</td>"
      }
      return
        "<tr><th scope=\"row\"><strong class=\"letter\">\(ConfigurationComparison.letter(index))</strong> "
        + "\(HTMLText.escaped(configuration.name))\(models(configuration))</th>\(cells[0])\(standing(of: index))\(cells.dropFirst().joined())</tr>"
    }
    return
      "<div class=\"scroll\"><table class=\"stack configurations\"><thead><tr><th "
      + "scope=\"col\">Configuration</th>\(heads[0])<th scope=\"col\">Against "
      + "\(ConfigurationComparison.letter(reference))</th>\(heads.dropFirst().joined())</tr></thead><tbody>\(rows.joined())</tbody></table></div>\n"
  }

  /// Returns the markup of the models that answered, below the name of a configuration.
  private func models(_ configuration: ConfigurationComparison.Configuration) -> String {
    comparison.models(of: configuration)
      .map { "<br><span class=\"quiet small\">\(HTMLText.escaped($0))</span>" } ?? ""
  }

  /// Returns the markup of a value with its interval below it.
  private static func cell(_ text: String) -> String {
    guard let start = text.firstRange(of: " [")?.lowerBound else { return HTMLText.escaped(text) }
    return HTMLText.escaped(String(text[..<start]))
      + "<span class=\"range\"> \(HTMLText.escaped(String(text[text.index(after: start)...])))</span>"
  }

  /// The index of the reference, which is the configuration that all others are compared with.
  private var reference: Int { comparison.pairs.first?.reference ?? 0 }

  private func standing(of index: Int) -> String {
    let label = "Against \(ConfigurationComparison.letter(reference))"
    let pair = comparison.pairs.first { $0.configuration == index && $0.reference == reference }
    guard let pair else {
      let text = index == reference ? "reference" : "not compared"
      return "<td data-label=\"\(label)\"><span class=\"quiet\">\(text)</span></td>"
    }
    guard let judged = pair.changes.first(where: { $0.name == "accuracy" }) else {
      return "<td data-label=\"\(label)\"><span class=\"quiet\">not compared</span></td>"
    }
    return "<td data-label=\"\(label)\">\(Self.standing(judged, comparison.margin))</td>"
  }

  /// Returns the result of a comparison, such as credibly better, as a colored sign and words.
  static func standing(_ judged: ConfigurationComparison.Judged, _ margin: Double) -> String {
    let text = StandingText(judged, margin: margin)
    return
      "<span class=\"standing \(judged.standing.rawValue)\"><span class=\"sign\" "
      + "aria-hidden=\"true\">\(text.sign)</span> \(HTMLText.escaped(text.phrase))</span>"
  }

  // MARK: Pairs

  /// A row in the table of accuracy changes.
  struct ChangeRow {
    var title: String
    var detail: String
    var address: String?
    var isIdentical: Bool
    var judged: ConfigurationComparison.Judged?
    var margin: Double
  }

  /// Returns a table of accuracy changes, with pictures on the same scale.
  static func changes(_ rows: [ChangeRow], _ head: String) -> String {
    let scale = HTMLPlot.changeScale(rows.compactMap(\.judged?.change))
    let lines = rows.map { row in
      let title = HTMLText.escaped(row.title)
      let link = row.address.map { "<a href=\"#\($0)\">\(title)</a>" } ?? title
      let detail =
        row.detail.isEmpty
        ? "" : "<br><span class=\"quiet small\">\(HTMLText.escaped(row.detail))</span>"
      guard let judged = row.judged else {
        let text =
          row.isIdentical
          ? "all answers are identical" : "no case has an answer on both sides"
        return
          "<tr><th scope=\"row\">\(link)\(detail)</th><td></td><td class=\"quiet\">\(text)</td><td></td></tr>"
      }
      let picture = scale.map { HTMLPlot.change(judged.change, judged.quantity, on: $0) } ?? ""
      let size = HTMLText.escaped(ChangeText.size(judged.change, judged.quantity))
      return "<tr><th scope=\"row\">\(link)\(detail)</th><td>\(picture)</td>"
        + "<td class=\"figure\" data-label=\"Change\">\(size)</td>"
        + "<td data-label=\"Verdict\">\(standing(judged, row.margin))</td></tr>"
    }
    return "<div class=\"scroll\"><table class=\"stack\"><thead><tr><th scope=\"col\">\(head)</th>"
      + "<th scope=\"col\"><span class=\"hidden-text\">Picture</span></th><th scope=\"col\">Change of accuracy, 95% interval</th>"
      + "<th scope=\"col\">Verdict</th></tr></thead><tbody>\(lines.joined())</tbody></table></div>\n"
      + legend(scale, Set(rows.map(\.margin)))
  }

  /// Returns the legend of pictures of changes: the better side, the margin and the ends.
  private static func legend(_ scale: HTMLPlot.Scale?, _ margins: Set<Double>) -> String {
    guard let scale else { return "" }
    let margin =
      margins.count == 1
      ? margins.first.map { "the margin of \(NumberText.margin($0))" } ?? "" : "the margin"
    return "<p class=\"quiet small\">Left of the solid line is worse, right of it is better. The "
      + "dashed line is \(margin). \(ends(scale))</p>\n"
  }

  /// Returns a sentence with the ends of the scale of changes.
  private static func ends(_ scale: HTMLPlot.Scale) -> String {
    let (low, high) = (ChangeText.signed(points: scale.low), ChangeText.signed(points: scale.high))
    return "The scale goes from \(low) to \(high) points."
  }

  /// The markup for a comparison in which no answer or figure changed: the edits without effect.
  var unchanged: String {
    change.isEmpty ? comparison.pairs.map { figures($0) + edits($0) }.joined() : change
  }

  private func title(_ pair: ConfigurationComparison.Pair) -> String {
    [pair.configuration, pair.reference]
      .map { "\(ConfigurationComparison.letter($0)) \(names[$0])" }.joined(separator: " against ")
  }

  private var pairs: String {
    let all = comparison.pairs
    if all.count == 1, let pair = all.first {
      return "<h3>\(HTMLText.escaped(title(pair)))</h3>\n\(figures(pair))\(edits(pair))"
    }
    if all.isEmpty { return "" }
    let rows = all.map { pair in
      ChangeRow(
        title: title(pair),
        detail: "",
        isIdentical: pair.comparison.isIdentical,
        judged: pair.changes.first { $0.name == "accuracy" },
        margin: comparison.margin
      )
    }
    let folds = all.filter { !$0.changes.isEmpty }.map { pair in
      "<details><summary><span class=\"name\">\(HTMLText.escaped(title(pair)))</span>"
        + "<span class=\"quiet\">all figures and cases</span></summary><div class=\"body\">"
        + "\(figures(pair))\(edits(pair))</div></details>\n"
    }
    return Self.changes(rows, "Pair") + folds.joined()
  }

  private func figures(_ pair: ConfigurationComparison.Pair) -> String {
    if pair.comparison.isIdentical {
      return UnchangedAnswers.edit(comparison) == nil
        ? "<p>All answers are identical.</p>\n"
        : "<p>The edit changed no answer: all are identical.</p>\n"
    }
    if pair.changes.isEmpty { return "<p>No case has an answer on both sides.</p>\n" }
    let letters = [pair.reference, pair.configuration].map(ConfigurationComparison.letter)
    let scale = HTMLPlot.changeScale(
      pair.changes.filter { $0.quantity == .rate }.map(\.change)
    )
    let rows = pair.changes.map { judged -> String in
      let (change, quantity) = (judged.change, judged.quantity)
      let picture =
        quantity == .rate ? scale.map { HTMLPlot.change(change, quantity, on: $0) } ?? "" : ""
      let sides = [change.baseline, change.candidate].map { NumberText.text($0, quantity) }
      let facts = "n \(change.nText), p \(NumberText.p(judged.adjustedP))"
      return "<tr><th scope=\"row\"><code>\(HTMLText.escaped(judged.name))</code></th><td "
        + "data-label=\"\(letters.joined(separator: " → "))\" "
        + "class=\"figure\">\(HTMLText.escaped(sides.joined(separator: " → ")))</td><td>\(picture)</td><td "
        + "class=\"figure\" data-label=\"Change, 95% "
        + "interval\">\(HTMLText.escaped(ChangeText.size(change, quantity)))</td><td "
        + "data-label=\"Verdict\">\(Self.standing(judged, comparison.margin)) <span class=\"quiet "
        + "small\">\(HTMLText.escaped(facts))</span></td></tr>"
    }
    let p = comparison.pairs.count > 1 ? "two-sided p, corrected for the pairs" : "two-sided p"
    return
      "<div class=\"scroll\"><table class=\"stack\"><thead><tr><th scope=\"col\">Figure</th><th "
      + "scope=\"col\">\(letters.joined(separator: " → "))</th><th scope=\"col\"><span "
      + "class=\"hidden-text\">Picture</span></th><th scope=\"col\">Change, 95% interval</th><th scope=\"col\">Verdict, n, "
      + "\(p)</th></tr></thead><tbody>\(rows.joined())</tbody></table></div>\n"
      + Self.legend(scale, [comparison.margin])
  }

  /// Returns the difference between the requests, and the cases that changed.
  private func edits(_ pair: ConfigurationComparison.Pair) -> String {
    let changes = pair.comparison
    var text = ""
    let shown = suite.columns[pair.configuration]
    // If gates decide the comparison, the edit is shown next to them.
    if comparison.verdict == nil, let asked = requestChange(pair) {
      text += RequestChangeText(asked).markup(
        address: suite.address(shown, asked.caseID),
        isOpen: changes.isIdentical
      )
    }
    // If there is only one pair, another part of the page lists its flipped cases.
    let flips = comparison.pairs.count == 1 ? changes.flips.map(\.flip) : []
    let letter = ConfigurationComparison.letter(pair.reference)
    var items = ChangeText.cases(changes, against: letter).compactMap { cases -> String? in
      if !flips.isEmpty, cases.ids.allSatisfy({ id in changes.flips.contains { $0.caseID == id } })
      {
        return nil
      }
      let names =
        cases.isHere
        ? suite.links(cases.ids, shown) : HTMLText.list(cases.ids, most: HTMLSuite.mostLinks)
      return "\(cases.ids.count) \(cases.what): \(names)"
    }
    for (names, what) in [
      (changes.changedScorers, "scorers changed; their metrics cannot be compared"),
      (changes.changedAdvisoryScorers, ChangeText.advisoryScorers),
    ] where !names.isEmpty {
      items.append(
        "\(names.count) \(what): \(HTMLText.list(names, most: HTMLSuite.mostLinks))"
      )
    }
    let tags = ChangeText.lostTags(changes)
    if !tags.isEmpty {
      items.append("A hint: tags with more losses than gains: \(HTMLText.list(tags, most: 4))")
    }
    if let shortened = ChangeText.shortened(changes) { items.append(HTMLText.escaped(shortened)) }
    let list = items.map { "<li>\($0)</li>" }.joined()
    return text + (items.isEmpty ? "" : "<ul class=\"flips\">\(list)</ul>\n")
  }

  // MARK: Cases

  private var differences: String {
    let patterns = CasePattern.all(comparison)
    if patterns.isEmpty { return "" }
    let letters = comparison.configurations.indices.map(ConfigurationComparison.letter)
    let heads = letters.map { "<th scope=\"col\">\($0)</th>" }.joined()
    let rows = patterns.map { pattern in
      let signs = zip(letters, pattern.signs).map { letter, sign in
        "<td class=\"\(Self.kind(sign))\" data-label=\"\(letter)\">\(sign)</td>"
      }
      // Link to the first configuration that fails.
      let failing = pattern.signs.firstIndex(of: "✗") ?? 0
      let links = suite.links(pattern.ids, suite.columns[failing], most: 20)
      return
        "<tr><th scope=\"row\" class=\"num\">\(pattern.ids.count)<span class=\"unit\"> "
        + "\(pattern.ids.count == 1 ? "case" : "cases")</span></th>\(signs.joined())<td "
        + "data-label=\"Cases\">\(links)</td></tr>"
    }
    return "<p class=\"quiet small\">✓ passes, ✗ fails, ? has no judged answer.</p>\n<div "
      + "class=\"scroll\"><table class=\"stack patterns\"><thead><tr><th scope=\"col\" "
      + "class=\"num\">Cases</th>\(heads)<th "
      + "scope=\"col\"></th></tr></thead><tbody>\(rows.joined())</tbody></table></div>\n"
  }

  private static func kind(_ sign: String) -> String {
    switch sign {
    case "✓": "passed"
    case "✗": "failed"
    default: "unjudged"
    }
  }

  // MARK: Times

  private var times: String {
    let rows = comparison.configurations.enumerated().compactMap {
      index,
      configuration -> (title: String, median: Double, high: Double)? in
      guard let median = comparison.estimate("p50(latency)", of: configuration)?.value,
        let high = comparison.estimate("p95(latency)", of: configuration)?.value
      else { return nil }
      return ("\(ConfigurationComparison.letter(index)) \(names[index])", median, high)
    }
    let picture = HTMLPlot.percentiles(rows)
    if picture.isEmpty { return "" }
    let how = comparison.source == .recorded ? ", as recorded" : ""
    return
      "<figure class=\"tradeoff\">\(picture)<figcaption>The filled dot is the median (p50), the "
      + "ring the 95th percentile\(how).</figcaption></figure>\n"
  }
}
