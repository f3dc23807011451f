import SluiceGating

/// The sections of a page that show all figures, such as cost, latency and labels.
enum HTMLFigures {
  static func sections(_ suites: [HTMLSuite]) -> [HTMLPage.Section] {
    [
      section("cost", "Quality against cost", cost(suites)),
      section("latency", "Latency", latency(suites)),
      section("labels", "Labels, expected and given", labels(suites)),
      section("alarms", "False alarms on clean cases", alarms(suites)),
      section("tags", "Figures by tag", tags(suites)),
    ]
  }

  /// The markup of a section, or the reason why the section is empty.
  private enum Part {
    case shown(String)
    case nothing(String)
  }

  private static func section(_ id: String, _ title: String, _ part: Part) -> HTMLPage.Section {
    switch part {
    case .shown(let body): HTMLPage.Section(id: id, title: title, body: body)
    case .nothing(let why): HTMLPage.Section(id: id, title: title, body: "", nothing: why)
    }
  }

  private static func name(_ suite: HTMLSuite, _ column: HTMLSuite.ShownColumn) -> String {
    "\(suite.name): \(column.name)"
  }

  private static func metric(_ name: String, _ column: HTMLSuite.ShownColumn) -> Estimate? {
    column.result.metrics.first { $0.name == name }?.estimate
  }

  /// Returns a table of metrics with their estimates.
  static func table(_ metrics: [ColumnResult.NamedEstimate]) -> String {
    let rows = metrics.map { metric -> String in
      let (estimate, quantity) = (metric.estimate, metric.quantity)
      let value = estimate.value.map { NumberText.text($0, quantity) } ?? "unknown"
      let rest = estimate.interval.map { NumberText.text($0, quantity) } ?? estimate.unknown ?? ""
      return "<tr><th scope=\"row\"><code>\(HTMLText.escaped(metric.name))</code></th>"
        + "<td class=\"num\">\(HTMLText.escaped(value))</td><td>\(HTMLText.escaped(rest))</td>"
        + "<td class=\"num\">\(estimate.nText)</td></tr>"
    }
    return "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Figure</th><th "
      + "scope=\"col\" class=\"num\">Value</th><th scope=\"col\">95% interval</th><th "
      + "scope=\"col\" "
      + "class=\"num\">n</th></tr></thead><tbody>\(rows.joined())</tbody></table></div>\n"
  }

  // MARK: Cost

  private static func cost(_ suites: [HTMLSuite]) -> Part {
    let several = suites.filter { $0.columns.count > 1 }
    guard !several.isEmpty else {
      let suite = suites.first?.name ?? "SUITE"
      return .nothing(
        "each suite has only one configuration; to add another one: <code>sluice compare "
          + "\(HTMLText.escaped(ShellText.quoted(suite))) --backend NAME</code> or <code>--prompt "
          + "FILE</code>"
      )
    }
    return .shown(several.map(front).joined())
  }

  private static func front(_ suite: HTMLSuite) -> String {
    let isPriced = suite.columns.allSatisfy { metric("mean(cost)", $0)?.value != nil }
    let quantity: Quantity = isPriced ? .money : .count
    let candidates = suite.columns.compactMap { column -> HTMLPlot.Candidate? in
      let accuracy = metric("accuracy", column)
      guard let quality = accuracy?.value,
        let cost = metric(isPriced ? "mean(cost)" : "mean(tokens)", column)?.value
      else { return nil }
      return HTMLPlot.Candidate(
        name: column.name,
        quality: quality,
        interval: accuracy?.interval,
        cost: cost
      )
    }
    var text = "<h3>\(HTMLText.escaped(suite.name))</h3>\n"
    let plot =
      candidates.count == suite.columns.count ? HTMLPlot.front(candidates, cost: quantity) : ""
    if !plot.isEmpty {
      let why =
        isPriced
        ? ""
        : " Because prices are unknown, the number of tokens is shown instead of the cost."
      text +=
        "<figure>\(plot)<figcaption>\((isPriced ? TradeoffText.Measure.cost : .tokens).frontText) "
        + "The lines are 95% intervals of accuracy.\(why)</figcaption></figure>\n"
    }
    let rows = suite.columns.enumerated().map { index, column in
      func cell(_ name: String, _ quantity: Quantity) -> String {
        let text = metric(name, column).map { NumberText.text($0, quantity) } ?? "unknown"
        return "<td class=\"num\">\(HTMLText.escaped(text))</td>"
      }
      return "<tr><th scope=\"row\">\(ConfigurationComparison.letter(index)) "
        + "\(HTMLText.escaped(column.name))</th>" + cell("accuracy", .rate)
        + cell("p50(latency)", .time) + cell("p95(latency)", .time) + cell("mean(tokens)", .count)
        + cell("mean(cost)", .money) + "</tr>"
    }
    let heads = ["Accuracy", "p50", "p95", "Tokens per call", "Cost per call"]
      .map { "<th scope=\"col\" class=\"num\">\($0)</th>" }.joined()
    return text + "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Configuration</th>"
      + "\(heads)</tr></thead><tbody>\(rows.joined())</tbody></table></div>\n"
  }

  // MARK: Latency

  private static func latency(_ suites: [HTMLSuite]) -> Part {
    let figures = suites.flatMap { suite in
      suite.columns.map { column -> String in
        let times = column.result.trials.compactMap(\.latency)
        let plot = HTMLPlot.times(times, name: name(suite, column))
        if plot.isEmpty { return "" }
        let how = suite.source == .recorded ? ", as recorded" : ""
        let caption = "\(name(suite, column)), \(TerminalLines.count(times.count, "answer"))\(how)"
        return "<figure>\(plot)<figcaption>\(HTMLText.escaped(caption))</figcaption></figure>\n"
      }
    }.filter { !$0.isEmpty }
    let columns = suites.flatMap(\.columns)
    let why = columns.lazy.compactMap { metric("p50(latency)", $0)?.unknown }.first
    return figures.isEmpty
      ? .nothing(
        "the times of all answers are unknown" + (why.map { ": \(HTMLText.escaped($0))" } ?? "")
      )
      : .shown("<div class=\"plots\">\(figures.joined())</div>\n")
  }

  // MARK: Labels

  /// The maximum number of labels for which the complete confusion matrix is shown.
  private static let mostLabels = 12
  private static let mostPairs = 20

  private static func labels(_ suites: [HTMLSuite]) -> Part {
    let blocks = suites.flatMap { suite in
      suite.columns.flatMap { column in
        column.result.confusions.filter { !$0.isEmpty }.map { matrix in
          let title = HTMLText.escaped("\(name(suite, column)), \(matrix.scorer)")
          let body = matrix.labels.count <= mostLabels ? whole(matrix) : pairs(matrix)
          return "<details><summary><span class=\"name\">\(title)</span></summary>"
            + "<div class=\"body\">\(body)</div></details>\n"
        }
      }
    }
    if !blocks.isEmpty { return .shown(blocks.joined()) }
    let hasScorer = suites.contains { $0.columns.contains { !$0.result.confusions.isEmpty } }
    return .nothing(hasScorer ? "no answer has a label" : "no scorer reads labels")
  }

  private static func whole(_ matrix: ConfusionMatrix) -> String {
    let others = matrix.others
    let heads = (matrix.labels + others.map(\.name)).map {
      "<th scope=\"col\">\(HTMLText.escaped($0))</th>"
    }
    let rows = matrix.labels.enumerated().map { row, label in
      let counts = matrix.counts[row] + others.map { $0.counts[row] }
      let cells = counts.enumerated().map { column, count in
        let kind = count == 0 ? "nothing" : column == row ? "right" : "wrong"
        return "<td class=\"\(kind)\">\(count)</td>"
      }
      return "<tr><th scope=\"row\">\(HTMLText.escaped(label))</th>\(cells.joined())</tr>"
    }
    return
      "<div class=\"scroll\"><table class=\"matrix\"><caption>Each row is an expected label, each "
      + "column a given label. The framed cells count right answers.</caption><thead><tr><th "
      + "scope=\"col\">Expected</th>\(heads.joined())</tr></thead><tbody>\(rows.joined())</tbody></table></div>"
  }

  private static func pairs(_ matrix: ConfusionMatrix) -> String {
    let pairs = matrix.mistakes
    if pairs.isEmpty { return "<p class=\"quiet\">All given labels are the expected ones.</p>\n" }
    let rows = pairs.prefix(mostPairs).map {
      "<tr><td>\(HTMLText.escaped($0.expected))</td><td>\(HTMLText.escaped($0.given))</td>"
        + "<td class=\"num\">\($0.count)</td></tr>"
    }
    let more = pairs.count - mostPairs
    return
      "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Expected</th><th "
      + "scope=\"col\">Given</th><th scope=\"col\" "
      + "class=\"num\">Cases</th></tr></thead><tbody>\(rows.joined())</tbody></table></div>"
      + (more > 0 ? "<p class=\"quiet\">and \(more) more pairs, in report.json</p>\n" : "")
  }

  // MARK: False alarms

  private static func alarms(_ suites: [HTMLSuite]) -> Part {
    var items: [String] = []
    var hasScorer = false
    for suite in suites {
      for column in suite.columns {
        let rates = column.result.metrics.filter {
          $0.name.hasSuffix(ConfigurationComparison.falsePositiveSuffix)
        }
        if !rates.isEmpty { hasScorer = true }
        for rate in rates where rate.estimate.value != nil {
          let scorer = rate.name.dropLast(ConfigurationComparison.falsePositiveSuffix.count)
          let ids = falseAlarms(column, String(scorer))
          let number = NumberText.text(rate.estimate, .rate)
          items.append(
            "<tr><th "
              + "scope=\"row\">\(HTMLText.escaped(name(suite, column)))</th><td>\(HTMLPlot.share(rate.estimate))</td><td "
              + "class=\"num\" data-label=\"Rate, 95% "
              + "interval\">\(HTMLText.escaped(number))</td><td class=\"num\" data-label=\"Clean "
              + "cases\">\(rate.estimate.nText)</td><td data-label=\"Flagged though "
              + "clean\">\(ids.isEmpty ? "none" : suite.links(ids, column, most: 8))</td></tr>"
          )
        }
      }
    }
    if items.isEmpty {
      return .nothing(hasScorer ? "no clean case has an answer" : "no scorer counts false alarms")
    }
    return .shown(
      "<div class=\"scroll\"><table class=\"stack\"><thead><tr><th scope=\"col\">Of</th><th "
        + "scope=\"col\">0 to 100%</th><th scope=\"col\" class=\"num\">Rate, 95% interval</th><th "
        + "scope=\"col\" class=\"num\">Clean cases</th><th scope=\"col\">Flagged though "
        + "clean</th></tr></thead><tbody>\(items.joined())</tbody></table></div>\n"
    )
  }

  private static func falseAlarms(_ column: HTMLSuite.ShownColumn, _ scorer: String) -> [String] {
    var ids: [String] = []
    for trial in column.result.trials where trial.outcome == .failed {
      let measurements = trial.scores.first { $0.name == scorer }?.score.measurements
      if measurements?["clean"]?.bool == true, measurements?["false-alarm"]?.bool == true,
        ids.last != trial.caseID
      {
        ids.append(trial.caseID)
      }
    }
    return ids
  }

  // MARK: Tags

  private static let mostTags = 40

  private static func tags(_ suites: [HTMLSuite]) -> Part {
    let blocks = suites.flatMap { suite in suite.columns.compactMap { tags(suite, $0) } }
    return blocks.isEmpty ? .nothing("no answered case has a tag") : .shown(blocks.joined())
  }

  private static func tags(_ suite: HTMLSuite, _ column: HTMLSuite.ShownColumn) -> String? {
    let trials = column.result.countedTrials
    var counts: [String: Int] = [:]
    for trial in trials { for tag in trial.tags { counts[tag, default: 0] += 1 } }
    if counts.isEmpty || trials.allSatisfy(\.isLost) { return nil }
    let evaluator = MetricEvaluator(trials)
    let names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(mostTags).map(
      \.key
    )
    let estimates = names.map { ($0, evaluator.estimate(Metric(.accuracy, tag: $0))) }
      .sorted { ($0.1.value ?? 2, $0.0) < ($1.1.value ?? 2, $1.0) }
    let rows = estimates.map { tag, estimate in
      let choice =
        "suite=\(HTMLText.addressComponent(suite.name))&tag=\(HTMLText.addressComponent(tag))"
      let number = NumberText.text(estimate, .rate)
      return
        "<tr><th scope=\"row\"><button type=\"button\" class=\"chip\" "
        + "data-choose=\"\(HTMLText.escaped(choice))\">\(HTMLText.escaped(tag))</button></th><td>\(HTMLPlot.share(estimate))</td><td "
        + "class=\"num\">\(HTMLText.escaped(number))</td><td "
        + "class=\"num\" data-label=\"n\">\(estimate.nText)</td></tr>"
    }
    let more = counts.count > mostTags ? ", the \(mostTags) most used of \(counts.count)" : ""
    return "<details><summary><span "
      + "class=\"name\">\(HTMLText.escaped(name(suite, column)))</span><span "
      + "class=\"quiet\">\(TerminalLines.count(names.count, "tag"))\(more)</span></summary><div "
      + "class=\"body\"><div class=\"scroll\"><table class=\"stack\"><thead><tr><th scope=\"col\">Tag</th><th "
      + "scope=\"col\">0 to 100%</th><th scope=\"col\" class=\"num\">Accuracy, 95% "
      + "interval</th><th scope=\"col\" "
      + "class=\"num\">n</th></tr></thead><tbody>\(rows.joined())</tbody></table></div></div></details>\n"
  }
}
