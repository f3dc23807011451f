public import SluiceCore
import SluiceSupport

/// Prices that are much older or newer than the answers that they price.
public struct PriceAge: Hashable, Sendable {
  /// The model.
  public var model: String
  /// The day of the prices, as an ISO 8601 date.
  public var day: String
  /// The day of the newest answer that they price, as an ISO 8601 date.
  public var newestAnswer: String
  /// The number of days from the prices to the newest answer; negative where the prices are newer.
  public var days: Int

  /// The most days between prices and answers that go without a note.
  package static let limit = 90

  /// Compares the days of prices with those of the answers that they price.
  ///
  /// - Parameters:
  ///   - columns: The columns of a suite.
  ///   - prices: The prices.
  ///   - models: The model of each backend, for answers that do not name one.
  /// - Returns: The prices that are further from their newest answer than ``limit``, by model.
  package static func all(
    of columns: [ColumnResult],
    _ prices: PriceList,
    models: [String: String]
  ) -> [PriceAge] {
    let days = prices.prices.compactMapValues(\.asOf)
    if days.isEmpty { return [] }
    var newest: [String: CivilDay] = [:]
    func note(_ provenance: Provenance, _ backend: String) {
      let model = prices.name(of: provenance.model, asking: models[backend] ?? "")
      guard days[model] != nil,
        let day = provenance.date.flatMap(CivilDay.init(iso8601:))
      else { return }
      if newest[model].map({ $0.number < day.number }) ?? true { newest[model] = day }
    }
    var seen: Set<ObjectIdentifier> = []
    for trial in columns.lazy.flatMap(\.trials) {
      // Most answers have the source of others.
      if let source = trial.source, trial.isPriced, seen.insert(ObjectIdentifier(source)).inserted {
        note(source.provenance, trial.backend)
      }
      guard trial.hasRarities else { continue }
      for work in trial.output?.judging ?? [] where work.cost != nil {
        if let provenance = work.provenance { note(provenance, work.backend) }
      }
    }
    return newest.compactMap { model, answered -> PriceAge? in
      guard let day = days[model] else { return nil }
      let age = answered.number - day.number
      return age.magnitude <= limit
        ? nil
        : PriceAge(
          model: model,
          day: day.iso8601,
          newestAnswer: answered.iso8601,
          days: age
        )
    }.sorted { $0.model < $1.model }
  }
}
