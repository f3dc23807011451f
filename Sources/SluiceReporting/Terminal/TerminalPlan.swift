import SluiceGating

/// The output of `sluice plan`: the requests, costs and possible decisions of runs, for a terminal.
package struct TerminalPlan {
  private let forecasts: [RunForecast]
  private let style: TerminalStyle

  private let overrides: CommandLineOverrides
  private let isVerbose: Bool

  /// Creates the text.
  ///
  /// - Parameters:
  ///   - forecasts: The forecasts of the suites.
  ///   - style: The colors of the terminal.
  ///   - overrides: The command line's overrides, which suggested commands repeat.
  ///   - isVerbose: True to show every suite in full.
  package init(
    _ forecasts: [RunForecast],
    style: TerminalStyle,
    overrides: CommandLineOverrides = CommandLineOverrides(),
    isVerbose: Bool = false
  ) {
    self.forecasts = forecasts
    self.style = style
    self.overrides = overrides
    self.isVerbose = isVerbose
  }

  package var text: String {
    var lines = total.map(style.bold) + [""]
    if forecasts.count > 1, !isVerbose {
      lines += table + [""]
    } else {
      for forecast in forecasts { lines += block(forecast) + [""] }
    }
    return TerminalLines.text(
      TerminalLines.concluded(lines + explanation, total.map(style.bold)) + next
    )
  }

  /// A table with a line for each suite.
  private var table: [String] {
    ScreenTable(
      [
        .init(title: "suite"), .init(title: "requests", isNumber: true),
        .init(title: "to record", isNumber: true), .init(title: "a live run", isNumber: true),
        .init(title: "drop found", isNumber: true, isDispensable: true),
      ],
      forecasts.map { forecast in
        let counts = forecast.counts
        return [
          forecast.suite, counts.all.withThousands, counts.missing.withThousands,
          Self.sum(
            forecast.columns.filter { $0.outputs == nil }.map(\.wholeCost)
              + forecast.judges.map(\.wholeCost)
          ),
          forecast.gates.contains(where: \.isRegression)
            ? forecast.smallestDrop.map(NumberText.points) ?? "none" : "",
        ]
      },
      style
    ).lines
  }

  private var next: [String] {
    guard !forecasts.isEmpty else { return [] }
    let missing = forecasts.filter { $0.counts.missing > 0 }
    let named = missing.isEmpty ? forecasts : missing
    let isAll = named.count == forecasts.count && forecasts.count > 1
    let names =
      isAll ? "" : named.map { " " + ShellText.quoted(SuiteName.short($0.path)) }.joined()
    let step = MissingAnswersStep(
      isAll ? [] : named.map(\.path),
      areAskedThroughFiles: named.allSatisfy(\.isAskedThroughFiles),
      overrides
    )
    let (advice, command) =
      missing.isEmpty
      ? ("run the gates on the recorded answers", "sluice run\(names)\(overrides.options)")
      : (step.advice, step.command)
    return TerminalLines.wrap("Next: \(advice):", indent: 0) + [
      "  \(TerminalText.visible(command))"
    ]
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
    let name = TerminalLines.opening(forecast.suite)
    let width = TerminalText.width(of: name) + 2 + TerminalText.width(of: size)
    var lines =
      width <= TerminalLines.width
      ? ["\(style.bold(name))  \(style.dim(size))"]
      : TerminalLines.wrap(forecast.suite, indent: 0).map(style.bold)
        + TerminalLines.wrap(size, indent: 2).map(style.dim)
    for column in forecast.columns { lines += self.column(column) }
    for judge in forecast.judges { lines += self.judge(judge) }
    for (title, list) in [("gates", forecast.gates), ("goals", forecast.goals)] where !list.isEmpty
    {
      lines.append("  \(style.dim(title))")
      for gate in list { lines += self.gate(gate) }
    }
    for (backend, share) in forecast.measuredDiscordance {
      lines += TerminalLines.wrap(
        "compared with the baseline on \(backend), \(NumberText.text(share, .rate)) of the cases "
          + "flip now",
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
        "\(name): \(rows), \(column.missing) missing; nothing is sent",
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
    let source = column.costIsOf.map { ", estimated from \($0)" } ?? ""
    var text = "\(NumberText.text(each, .money)) per answer\(source): "
    if let missing = column.missingCost, column.missing > 0 {
      text += "\(NumberText.text(missing, .money)) to record the missing answers, "
    }
    text += "\(NumberText.text(whole, .money)) for a whole live run"
    lines += TerminalLines.wrap(text, indent: 4)
    return lines
  }

  private func judge(_ judge: RunForecast.Judge) -> [String] {
    let lines = TerminalLines.wrap(
      "judge \(judge.backend) (advisory): \(TerminalLines.count(judge.recorded, "verdict")) "
        + "recorded, \(judge.missing > 0 ? "up to " : "")\(judge.missing) to record",
      indent: 2
    )
    guard let each = judge.costPerVerdict, let whole = judge.wholeCost else {
      return lines
        + TerminalLines.wrap(
          "cost unknown: there is no recorded verdict to estimate it from",
          indent: 4
        )
    }
    var text = "\(NumberText.text(each, .money)) per verdict: "
    if let missing = judge.missingCost, judge.missing > 0 {
      text += "\(NumberText.text(missing, .money)) to record the missing verdicts, "
    }
    text += "\(NumberText.text(whole, .money)) for a whole live run"
    return lines + TerminalLines.wrap(text, indent: 4)
  }

  private func gate(_ gate: GateForecast) -> [String] {
    TerminalLines.wrap(gate.condition.text, indent: 4)
      + facts(gate).flatMap { TerminalLines.wrap($0, indent: 6) } + powers(gate)
  }

  private func facts(_ gate: GateForecast) -> [String] {
    let live = gate.condition.isLive ? ["decided only on live answers"] : []
    switch gate.basis {
    case .estimate(let cases, let halfWidth):
      return live + [
        "\(TerminalLines.count(cases, "case")): at the threshold the 95% interval is "
          + "±\(NumberText.points(halfWidth))"
      ]
    case .claim(let cases, let most, let needed, let plan):
      let list = needed.map(String.init).joined(separator: ", ")
      let now =
        most.map { "passes with at most \(TerminalLines.count($0, "case")) against it" }
        ?? "cannot pass, whatever the answers are"
      return live + [
        "\(TerminalLines.count(cases, "case")): \(now)"
      ]
        + (needed.isEmpty ? [] : ["cases needed if 0, 1, 2, 3 of them are against it: \(list)"])
        + (plan.map {
          [
            "\($0.cases) cases prove the claim four times out of five if the true error rate is "
              + "half of the allowed one"
          ]
        } ?? [])
    case .percentile(let cases, let needed):
      let enough = cases >= needed ? "enough" : "too few"
      return live + ["\(TerminalLines.count(cases, "case")): \(enough), \(needed) needed"]
    case .spread(let cases):
      return live + [
        "\(TerminalLines.count(cases, "case")): the smallest visible change depends on how much "
          + "answers vary"
      ]
    case .regression(let cases, let least, _, _):
      let without =
        least.map {
          cases >= $0 ? "" : "; at least \($0) are needed, unless all answers stay the same"
        } ?? ""
      return live + ["\(TerminalLines.count(cases, "case"))\(without)"]
    }
  }

  /// Returns a table with the power of a regression gate for several shares of cases that flip.
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

  /// Returns a table with the chance that an unchanged prompt passes, by margin, cases and repeats.
  private func trade(_ trade: [GateForecast.RegressionTrade]) -> [String] {
    guard let first = trade.first else { return [] }
    func percent(_ share: Double) -> String { NumberText.fixed(share * 100, decimals: 0) + "%" }
    func row(_ name: String, _ cells: [String]) -> String {
      "      " + TerminalText.pad(name, to: 17)
        + cells.dropLast().map { TerminalText.pad($0, to: 11) }.joined() + (cells.last ?? "")
    }
    let flips = percent(GateReach.tradedDiscordance)
    return [
      style.dim(
        "      unchanged passes if \(flips) flip, by margin and cases × repeats"
      )
    ]
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

  private static func sum(_ costs: [Double?]) -> String {
    let known = costs.compactMap(\.self)
    if known.count < costs.count { return "unknown" }
    return NumberText.text(known.reduce(0, +), .money)
  }

  /// The line with the number of requests and their cost over all suites.
  private var total: [String] {
    let columns = forecasts.flatMap(\.columns).filter { $0.outputs == nil }
    let judges = forecasts.flatMap(\.judges)
    let requests = forecasts.reduce(0) { $0 + $1.counts.all }
    let missing = forecasts.reduce(0) { $0 + $1.counts.missing }
    let live = Self.sum(columns.map(\.wholeCost) + judges.map(\.wholeCost))
    if requests == 0, !forecasts.isEmpty {
      return ["Nothing is sent, because all answers come from files"]
    }
    var text = "\(requests.withThousands) request\(requests == 1 ? "" : "s")"
    if forecasts.count > 1 { text += " in \(forecasts.count) suites" }
    if missing == 0 {
      text += requests == 0 ? "" : ", all recorded"
    } else {
      let cost = Self.sum(columns.map(\.missingCost) + judges.map(\.missingCost))
      text += ", \(missing.withThousands) to record (cost \(cost))"
    }
    let whole =
      live == "unknown" ? "cost of a whole live run unknown" : "a whole live run costs \(live)"
    return TerminalLines.wrap("\(text); \(whole)", indent: 0)
  }

  private var explanation: [String] {
    let hasTable = forecasts.count > 1 && !isVerbose
    let decided = hasTable ? forecasts.flatMap(\.gates) : forecasts.flatMap { $0.gates + $0.goals }
    guard decided.contains(where: \.isRegression) else { return [] }
    let text =
      hasTable
      ? "Drop found: the smallest drop that a regression gate finds four times out of five if 5% "
        + "of the cases flip. To see one suite in full, name it; to see all of them, use "
        + "--verbose."
      : "'finds a drop of' is the drop that the gate finds four times out of five (one-sided 5%). "
        + "An unchanged prompt has as many flips for the better as for the worse; the last column "
        + "is the number of cases with which it passes four times out of five. If all flips come "
        + "from the model's noise, a repeat is worth as much as another case. If they come from "
        + "differences between cases, only more cases help."
    return TerminalLines.wrap(text, indent: 0).map(style.dim) + [""]
  }
}

extension RunForecast {
  /// The number of requests to models and judges, and the number of requests without a recording.
  fileprivate var counts: (all: Int, missing: Int) {
    let asked = columns.filter { $0.outputs == nil }
    let missing =
      asked.reduce(0) { $0 + $1.missing } + judges.reduce(0) { $0 + $1.missing }
    let recorded =
      asked.reduce(0) { $0 + $1.recorded } + judges.reduce(0) { $0 + $1.recorded }
    return (recorded + missing, missing)
  }

  /// The smallest drop that a regression gate detects, at the lowest assumed share of flips.
  fileprivate var smallestDrop: Double? {
    gates.compactMap { gate -> Double? in
      guard case .regression(_, _, let powers, _) = gate.basis else { return nil }
      return powers.first { $0.discordance >= 0.0499 }?.detectable
    }.min()
  }
}

extension GateForecast {
  fileprivate var isRegression: Bool { if case .regression = basis { true } else { false } }
}
