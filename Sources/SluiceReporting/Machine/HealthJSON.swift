import SluiceGating

/// The health of suites as JSON, for programs; described in `docs/health.md`.
package struct HealthJSON {
  /// The version of the format.
  ///
  /// It increases when a member is removed or changes its meaning.
  package static let schema = 1
  private let reports: [SuiteHealthReport]
  private let isRevealed: Bool

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - reports: The suites.
  ///   - isRevealed: True to include the ids, labels and answers of suspect cases.
  package init(_ reports: [SuiteHealthReport], isRevealed: Bool = false) {
    self.reports = reports
    self.isRevealed = isRevealed
  }

  package var bytes: [UInt8] {
    JSONWriter.pretty([
      "schema": .number(Double(Self.schema)), "generator": .string("sluice \(Version.current)"),
      "suites": .array(reports.map(suite)),
    ])
  }

  private func suite(_ report: SuiteHealthReport) -> JSONValue {
    let health = report.health
    var object: JSONObject = [
      "suite": .string(health.suite), "path": .string(health.path.description),
      "prompt": .string(health.prompt),
      "standing": .string(HealthText.Standing(health).rawValue),
      "cases": Self.number(health.cases.count), "quarantined": Self.number(health.quarantined),
      "headroom": health.headroom.map { .object(Self.headroom($0)) } ?? .null,
    ]
    let newest = health.newest.flatMap { newest in
      health.columns.firstIndex {
        $0.name == newest.name && $0.origin == newest.origin && $0.isOwn && $0.day == newest.day
      }
    }
    object["newest"] = newest.map(Self.number) ?? .null
    object["columns"] = .array(health.columns.map(column))
    object["disagreements"] = .array(
      health.disagreements.map { entry in
        [
          "case": .string(health.cases[entry.testCase].id),
          "passing": .array(entry.passing.map(Self.number)),
          "failing": .array(entry.failing.map(Self.number)),
        ]
      }
    )
    object["classes"] = .array(health.classes.map(group))
    object["tags"] = .array(health.tags.map(group))
    object["items"] = items(health)
    object.set("items-unknown", HealthText.tooFew(health).map(JSONValue.string))
    object["suspects"] = .array(
      report.suspects.enumerated().map { suspect($0 + 1, $1, report) }
    )
    object["skipped-logs"] = .array(
      health.skippedLogs.map { ["name": .string($0.name), "reason": .string($0.reason)] }
    )
    return .object(object)
  }

  /// Returns the headroom of a column, in the format that `report.json` also uses.
  static func headroom(_ headroom: Headroom) -> JSONObject {
    func share(_ estimate: Estimate) -> JSONValue {
      [
        "value": estimate.value.map(JSONValue.number) ?? .null,
        "interval": estimate.interval.map { [.number($0.low), .number($0.high)] } ?? .null,
      ]
    }
    return [
      "level": .string(headroom.level.rawValue), "cases": number(headroom.cases),
      "passing": number(headroom.passing), "failing": number(headroom.failing),
      "ceiling": share(headroom.ceiling), "floor": share(headroom.floor),
      "visible-loss": headroom.visibleLoss.map(JSONValue.number) ?? .null,
      "visible-gain": headroom.visibleGain.map(JSONValue.number) ?? .null,
    ]
  }

  private func column(_ column: SuiteHealth.Column) -> JSONValue {
    [
      "prompt": .string(column.prompt), "backend": .string(column.backend),
      "answers": .string(column.origin.rawValue), "own": .bool(column.isOwn),
      "real": .bool(column.isReal), "models": .array(column.models.map(JSONValue.string)),
      "stand-ins": .array(column.standIns.map(JSONValue.string)),
      "day": column.day.map(JSONValue.string) ?? .null,
      "cases": Self.number(column.answered),
      "passing": Self.number(column.headroom?.passing ?? 0),
      "failing": Self.number(column.headroom?.failing ?? 0),
    ]
  }

  private func group(_ group: SuiteHealth.Group) -> JSONValue {
    [
      "name": .string(group.name), "cases": Self.number(group.cases),
      "answered": Self.number(group.answered), "failing": Self.number(group.failing),
      "small": .bool(group.isSmall),
    ]
  }

  private func items(_ health: SuiteHealth) -> JSONValue {
    guard let items = health.items else { return .null }
    return [
      "cases": .array(
        health.cases.indices.map { place in
          [
            "case": .string(health.cases[place].id),
            "difficulty": items.difficulty[place].map(JSONValue.number) ?? .null,
            "discrimination": items.discrimination[place].map(JSONValue.number) ?? .null,
          ]
        }
      ),
      "redundant": .array(
        items.redundant.map { .array($0.map { .string(health.cases[$0].id) }) }
      ),
    ]
  }

  private func suspect(
    _ number: Int,
    _ entry: SuiteHealthReport.SuspectCase,
    _ report: SuiteHealthReport
  ) -> JSONValue {
    func fields(_ fields: [CaseView.Field]) -> JSONValue {
      .array(fields.map { ["name": .string($0.name), "text": .string($0.text)] })
    }
    var object: JSONObject = [
      "number": Self.number(number), "question": fields(entry.view.question),
    ]
    if isRevealed {
      object["case"] = .string(entry.view.id)
      object["expected"] = fields(entry.view.expected)
      object["models"] = .array(entry.suspect.models.map(JSONValue.string))
      object["people"] = .bool(entry.suspect.isByPeople)
      object["answers"] = .array(
        report.answers(to: entry.suspect).map { column, text in
          ["column": .string(column.name), "text": .string(text)]
        }
      )
    }
    return .object(object)
  }

  private static func number(_ number: Int) -> JSONValue { .number(Double(number)) }
}
