import SluiceGating

/// The history of one prompt on one backend, as markup: a picture for each metric, and a table.
struct HTMLHistoryLine {
  private let line: History.Line

  init(_ line: History.Line) { self.line = line }

  /// Returns a title such as `clarity: v2 on fast`.
  ///
  /// For the line of the suite's candidates, the title names the newest candidate.
  static func title(_ line: History.Line) -> String {
    let prompt = line.prompt ?? line.points.last?.prompt.name
    return "\(line.suite): \(prompt.map { "\($0) on " } ?? "")\(line.backend)"
  }

  var body: String {
    if line.points.isEmpty { return "<p class=\"quiet\">There are no points to show.</p>" }
    var notes: [String] = []
    if let standing = HistoryText.standing(line) {
      notes.append(standing.prefix(1).uppercased() + standing.dropFirst() + ".")
    }
    if line.hasOlder {
      notes.append(
        "Older runs or baselines are not shown; to show more, use sluice history --limit."
      )
    }
    let courses = line.metrics.indices.map(metric).joined()
    return notes.map { "<p class=\"quiet\">\(HTMLText.escaped($0))</p>\n" }.joined()
      + "<div class=\"courses\">\n\(courses)</div>\n\(changes)"
  }

  private var changes: String {
    let items = line.points.filter { !$0.changes.isEmpty }.map { point in
      let text = HTMLText.escaped(HistoryText.changes(point.changes))
      return "<li><span class=\"num quiet\">\(HistoryText.date(point.date))</span> \(text)</li>"
    }
    if items.isEmpty {
      return line.points.count < 2
        ? "" : "<p class=\"quiet\">Between these points only the answers changed.</p>\n"
    }
    return "<h3>Changes</h3>\n<ul class=\"flips\">\(items.joined())</ul>\n"
  }

  // MARK: A metric

  private func metric(_ index: Int) -> String {
    let metric = line.metrics[index]
    let estimates = line.points.map { $0.estimates[index] }
    let name = HTMLText.escaped(metric.name)
    let picture = HTMLPlot.course(
      course(metric, estimates, index),
      name: self.name(metric, estimates, index)
    )
    let caption = captions(metric, estimates, index).map(HTMLText.escaped).joined(separator: "<br>")
    let figure = "<figure>\(picture)<figcaption>\(caption)</figcaption></figure>"
    return """
      <div><h3><code>\(name)</code></h3>
      \(picture.isEmpty ? "<p class=\"small quiet\">\(caption)</p>" : figure)
      <details><summary><span>\(TerminalLines.count(line.points.count, "point")) of \(name)</span></summary>\
      <div class="body">\(table(metric, estimates, index))</div></details></div>

      """
  }

  /// Returns the text alternative of a picture.
  private func name(_ metric: History.Metric, _ estimates: [Estimate], _ index: Int) -> String {
    let known = estimates.compactMap(\.value).filter(\.isFinite)
    guard let first = known.first, let last = known.last, let least = known.min(),
      let most = known.max()
    else { return "" }
    func text(_ value: Double) -> String { NumberText.text(value, metric.quantity) }
    var parts = ["\(metric.name), \(TerminalLines.count(estimates.count, "point"))"]
    parts.append(known.count > 1 ? "from \(text(first)) to \(text(last))" : text(first))
    if known.count > 2 { parts.append("lowest \(text(least)), highest \(text(most))") }
    if known.count < estimates.count { parts.append("\(estimates.count - known.count) unknown") }
    let changed = line.points.count { !$0.changes.isEmpty }
    if changed > 0 { parts.append("changes before \(TerminalLines.count(changed, "point"))") }
    let missed = line.points.count { !$0.missed(index).isEmpty }
    if missed > 0 { parts.append("\(TerminalLines.count(missed, "point")) missing a gate") }
    return parts.joined(separator: ", ")
  }

  /// Returns the captions of a picture: the newest value, the reasons for unknown values, and the
  /// gates.
  private func captions(_ metric: History.Metric, _ estimates: [Estimate], _ index: Int)
    -> [String]
  {
    var captions: [String] = []
    if let newest = estimates.last, newest.value != nil {
      captions.append("Newest: \(NumberText.text(newest, metric.quantity)), n \(newest.nText)")
    }
    var seen: Set<String> = []
    let reasons = estimates.compactMap(\.unknown).filter { seen.insert($0).inserted }
    if !reasons.isEmpty {
      let count = estimates.count { $0.value == nil }
      let often =
        count == estimates.count ? "" : " at \(count) of \(estimates.count) points"
      captions.append("Unknown\(often): \(reasons.joined(separator: "; "))")
    }
    if !metric.gates.isEmpty {
      let noun = metric.gates.count == 1 ? "Gate" : "Gates"
      captions.append("\(noun): \(metric.gates.map(\.text).joined(separator: "; "))")
    }
    for gate in metric.gates {
      let missed = line.points.filter { $0.missed(index).contains(gate) }
      guard let last = missed.last else { continue }
      let when = last == line.points.last ? ", the newest among them" : ""
      let all = TerminalLines.count(line.points.count, "point")
      let often = "\(missed.count) of \(all)\(when)"
      captions.append("\(HistoryText.missed) \(gate.text) missed at \(often)")
    }
    return captions
  }

  private func course(_ metric: History.Metric, _ estimates: [Estimate], _ index: Int)
    -> HTMLPlot.Course
  {
    let points = zip(line.points, estimates).map { point, estimate in
      let value = estimate.value == nil ? "unknown" : NumberText.text(estimate, metric.quantity)
      let date = HistoryText.date(point.date)
      return HTMLPlot.Course.Point(
        value: estimate.value,
        interval: estimate.interval,
        shape: Self.shape(point.source),
        missesGate: !point.missed(index).isEmpty,
        name: "\(date), \(HistoryText.source(point)): \(value)"
          + (Self.misses(point, index).map { ", \($0)" } ?? ""),
        labels: date.split(separator: " ").map { String($0) }
      )
    }
    let bounds = metric.gates.compactMap { gate -> HTMLPlot.Course.Bound? in
      guard case .comparison(let comparison, let value, _) = gate.demand else { return nil }
      let bound = NumberText.text(value, metric.quantity)
      return .init(value: value, label: "\(comparison.sign) \(bound)")
    }
    let events = HistoryText.Kind.allCases.compactMap { kind -> HTMLPlot.Course.Event? in
      let places = line.points.indices.filter { index in
        line.points[index].changes.contains { HistoryText.kind($0) == kind }
      }
      return places.isEmpty ? nil : .init(name: kind.rawValue, sign: kind.letter, places: places)
    }
    return HTMLPlot.Course(
      points: points,
      quantity: metric.quantity,
      bounds: bounds,
      events: events
    )
  }

  static func shape(_ source: History.Source) -> HTMLPlot.Course.Shape {
    switch source {
    case .run(_, isLive: false): .disc
    case .run(_, isLive: true): .ring
    case .baseline: .square
    }
  }

  /// Returns the gates that a point misses, such as `misses accuracy >= 80%`, or `nil` if the point
  /// misses no gate.
  private static func misses(_ point: History.Point, _ index: Int) -> String? {
    let gates = point.missed(index).map(\.text)
    return gates.isEmpty ? nil : "misses \(gates.joined(separator: ", "))"
  }

  /// Returns the markup of the gates that a point misses, with the sign of a failure.
  private static func mark(_ point: History.Point, _ index: Int) -> String {
    guard let misses = misses(point, index) else { return "" }
    let sign = "<span class=\"sign fail\" aria-hidden=\"true\">\(HistoryText.missed)</span>"
    return "\(sign) \(HTMLText.escaped(misses))"
  }

  private func table(_ metric: History.Metric, _ estimates: [Estimate], _ index: Int) -> String {
    let marks = line.points.contains { !$0.missed(index).isEmpty }
    let rows = zip(line.points, estimates).map { point, estimate in
      let value = estimate.value.map { NumberText.text($0, metric.quantity) } ?? "unknown"
      let interval = estimate.interval.map { NumberText.text($0, metric.quantity) }
      let rest =
        interval.map { "<span class=\"figure\">\(HTMLText.escaped($0))</span>" }
        ?? HTMLText.escaped(estimate.unknown ?? "")
      let kinds = point.changes.map { HistoryText.kind($0).rawValue }.joined(separator: ", ")
      return "<tr><th scope=\"row\" "
        + "class=\"figure\">\(HistoryText.date(point.date))</th><td>\(HTMLText.escaped(HistoryText.source(point)))</td><td>\(kinds)</td><td "
        + "class=\"num\">\(HTMLText.escaped(value))</td><td>\(rest)</td><td "
        + "class=\"num\">\(estimate.nText)</td>\(marks ? "<td>\(Self.mark(point, index))</td>" : "")</tr>"
    }
    return "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Date, UTC</th><th "
      + "scope=\"col\">Source</th><th scope=\"col\">Changed</th><th scope=\"col\" "
      + "class=\"num\">Value</th><th scope=\"col\">95% interval</th><th scope=\"col\" "
      + "class=\"num\">n</th>\(marks ? "<th scope=\"col\">Gate</th>" : "")</tr></thead><tbody>\(rows.joined())</tbody></table></div>"
  }
}
