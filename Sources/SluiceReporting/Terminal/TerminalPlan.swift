import SluiceGating

/// What runs would send, cost and decide, for a terminal of 80 columns.
package struct TerminalPlan {
  private let forecasts: [RunForecast]
  private let style: TerminalStyle

  package init(_ forecasts: [RunForecast], style: TerminalStyle) {
    self.forecasts = forecasts
    self.style = style
  }

  package var text: String {
    (forecasts.flatMap { block($0) + [""] } + total).map { $0 + "\n" }.joined()
  }

  private func block(_ forecast: RunForecast) -> [String] {
    let requests =
      forecast.caseCount * forecast.promptCount * forecast.backendCount * forecast.repetitions
    let noun = forecast.columns.allSatisfy { $0.outputs != nil } ? "answer" : "request"
    let factors = [
      TerminalLines.count(forecast.caseCount, "case"),
      TerminalLines.count(forecast.promptCount, "prompt"),
      TerminalLines.count(forecast.backendCount, "backend"),
      TerminalLines.count(forecast.repetitions, "repetition"),
    ].joined(separator: " × ")
    let size = "\(factors) = \(TerminalLines.count(requests, noun))"
    let name = TerminalText.cut(
      TerminalLines.opening(forecast.suite),
      to: max(8, TerminalLines.width - 2 - TerminalText.width(of: size))
    )
    var lines = ["\(style.bold(name))  \(style.dim(size))"]
    for column in forecast.columns { lines += self.column(column) }
    for judge in forecast.judges { lines += self.judge(judge) }
    for (title, list) in [("gates", forecast.gates), ("goals", forecast.goals)] where !list.isEmpty
    {
      lines.append("  \(style.dim(title))")
      for gate in list { lines += self.gate(gate) }
    }
    for (backend, share) in forecast.measuredDiscordance {
      lines += TerminalLines.wrap(
        "against the baseline on \(backend), \(NumberText.text(share, .rate)) of the cases flip now",
        indent: 2
      )
    }
    return lines
  }

  private func column(_ column: RunForecast.ColumnForecast) -> [String] {
    let name = "\(column.prompt) on \(column.backend)"
    if let path = column.outputs {
      let rows = "\(TerminalLines.count(column.recorded, "answer")) in \(path)"
      return TerminalLines.wrap(
        "\(name): \(rows), \(column.missing) without a row; nothing is sent",
        indent: 2
      )
    }
    var lines = TerminalLines.wrap(
      "\(name): \(column.recorded) recorded, \(column.missing) to record",
      indent: 2
    )
    guard let whole = column.wholeCost, let each = column.costPerAnswer.value else {
      let reason = column.costPerAnswer.unknown ?? "not measured"
      return lines + TerminalLines.wrap("cost unknown: \(reason)", indent: 4)
    }
    let source = column.costIsOf.map { ", as \($0) used" } ?? ""
    var text = "\(NumberText.text(each, .money)) an answer\(source): "
    if let missing = column.missingCost, column.missing > 0 {
      text += "\(NumberText.text(missing, .money)) to record what is missing, "
    }
    text += "\(NumberText.text(whole, .money)) for a whole live run"
    lines += TerminalLines.wrap(text, indent: 4)
    return lines
  }

  private func judge(_ judge: RunForecast.Judge) -> [String] {
    let lines = TerminalLines.wrap(
      "judge \(judge.backend) (advisory): \(TerminalLines.count(judge.recorded, "verdict")) recorded, "
        + "\(judge.missing > 0 ? "up to " : "")\(judge.missing) to record",
      indent: 2
    )
    guard let each = judge.costPerVerdict, let whole = judge.wholeCost else {
      return lines + TerminalLines.wrap("cost unknown: no verdict tells it", indent: 4)
    }
    var text = "\(NumberText.text(each, .money)) a verdict: "
    if let missing = judge.missingCost, judge.missing > 0 {
      text += "\(NumberText.text(missing, .money)) to record what is missing, "
    }
    text += "\(NumberText.text(whole, .money)) for a whole live run"
    return lines + TerminalLines.wrap(text, indent: 4)
  }

  private func gate(_ gate: GateForecast) -> [String] {
    TerminalLines.wrap(gate.condition.text, indent: 4)
      + facts(gate).flatMap { TerminalLines.wrap($0, indent: 6) } + powers(gate)
  }

  private func facts(_ gate: GateForecast) -> [String] {
    let live = gate.condition.isLive ? ["decided on live answers alone"] : []
    switch gate.basis {
    case .estimate(let cases, let halfWidth):
      return live + [
        "\(TerminalLines.count(cases, "case")): at the threshold the 95% interval reaches "
          + "±\(NumberText.points(halfWidth))"
      ]
    case .claim(let cases, let most, let needed, let plan):
      let list = needed.map(String.init).joined(separator: ", ")
      let now =
        most.map { "passes with at most \($0) against it" } ?? "cannot pass, whatever is answered"
      return live + [
        "\(TerminalLines.count(cases, "case")): \(now)"
      ]
        + (needed.isEmpty ? [] : ["cases needed with 0, 1, 2, 3 against it: \(list)"])
        + (plan.map {
          ["\($0.cases) cases earn it four times of five if half of what it allows is true"]
        } ?? [])
    case .percentile(let cases, let needed):
      let enough = cases >= needed ? "enough" : "too few"
      return live + ["\(TerminalLines.count(cases, "case")): \(enough), it takes \(needed)"]
    case .spread(let cases):
      return live + [
        "\(TerminalLines.count(cases, "case")): what it can tell rests on how much answers vary"
      ]
    case .regression(let cases, let least, _, _):
      let without = least.map { cases >= $0 ? "" : ", and without a flip it takes \($0)" } ?? ""
      return live + ["\(TerminalLines.count(cases, "case"))\(without)"]
    }
  }

  /// What a regression gate can tell, by how many cases flip.
  private func powers(_ gate: GateForecast) -> [String] {
    guard case .regression(_, _, let powers, let trade) = gate.basis else { return [] }
    func row(_ cells: [String]) -> String {
      let widths = [17, 17, 18, 8]
      let padded = zip(cells, widths).map { TerminalText.pad($0, to: $1) }
      return "      " + (padded + cells.dropFirst(widths.count)).joined()
    }
    func percent(_ share: Double) -> String { NumberText.fixed(share * 100, decimals: 0) + "%" }
    return [
      style.dim(
        row([
          "cases that flip", "finds a drop of", "unchanged passes", "fails", "4 of 5 with",
        ])
      )
    ]
      + powers.map { power in
        row([
          percent(power.discordance), power.detectable.map(NumberText.points) ?? "none",
          percent(power.passes), NumberText.text(power.falseAlarm, .rate),
          power.casesToPass.map(String.init) ?? "-",
        ])
      } + self.trade(trade)
  }

  /// The chance that an unchanged prompt passes, by margin, cases and repeats.
  private func trade(_ trade: [GateForecast.RegressionTrade]) -> [String] {
    guard let first = trade.first else { return [] }
    func percent(_ share: Double) -> String { NumberText.fixed(share * 100, decimals: 0) + "%" }
    func row(_ name: String, _ cells: [String]) -> String {
      "      " + TerminalText.pad(name, to: 17)
        + cells.dropLast().map { TerminalText.pad($0, to: 11) }.joined() + (cells.last ?? "")
    }
    let flips = percent(GateReach.tradedDiscordance)
    return [style.dim("      unchanged passes where \(flips) flip, by margin and cases × repeats")]
      + [
        style.dim(
          row(
            "margin",
            first.options.map { "\($0.cases)\($0.repeats > 1 ? " × \($0.repeats)" : "")" }
          )
        )
      ]
      + trade.map { row(NumberText.points($0.margin), $0.options.map { percent($0.passes) }) }
  }

  private var total: [String] {
    let columns = forecasts.flatMap(\.columns).filter { $0.outputs == nil }
    let judges = forecasts.flatMap(\.judges)
    let requests =
      columns.reduce(0) { $0 + $1.recorded + $1.missing }
      + judges.reduce(0) { $0 + $1.recorded + $1.missing }
    let missing =
      columns.reduce(0) { $0 + $1.missing } + judges.reduce(0) { $0 + $1.missing }
    func sum(_ costs: [Double?]) -> String {
      let known = costs.compactMap(\.self)
      if known.count < costs.count { return "unknown" }
      return NumberText.text(known.reduce(0, +), .money)
    }
    var lines = [
      "\(TerminalLines.count(requests, "request")) in all, cost of a whole live run: "
        + sum(columns.map(\.wholeCost) + judges.map(\.wholeCost))
    ]
    if missing > 0 {
      lines.append(
        "\(missing) to record: \(sum(columns.map(\.missingCost) + judges.map(\.missingCost)))"
      )
    }
    if forecasts.flatMap({ $0.gates + $0.goals }).contains(where: \.isRegression) {
      lines += TerminalLines.wrap(
        "A drop is found four times of five (one-sided 5%). Where nothing changed, cases flip for "
          + "the better and the worse alike; the last column says how many cases let such a prompt "
          + "pass four times of five. Repeats count like cases where all flips are the model's "
          + "noise; where cases differ, only more cases help.",
        indent: 0
      )
    }
    return lines
  }
}

extension GateForecast {
  fileprivate var isRegression: Bool { if case .regression = basis { true } else { false } }
}
