package import SluiceCore
import SluiceSupport

/// The age of a model's prices at the time of the answers that they apply to.
public struct PriceAge: Hashable, Sendable {
  /// The model.
  public var model: String
  /// The date of the prices, in ISO 8601.
  public var day: String
  /// The date of the newest answer that the prices apply to, in ISO 8601.
  public var newestAnswer: String
  /// The number of days from the prices to the newest answer; negative if the prices are newer.
  public var days: Int

  /// The number of days between prices and answers above which the prices are reported.
  package static let limit = 90

  /// True if the prices are more than ``limit`` days older or newer than the newest answer.
  package var isFar: Bool { days.magnitude > Self.limit }

  /// Compares the dates of prices with the dates of the answers that they apply to.
  ///
  /// - Parameters:
  ///   - columns: The columns of a suite.
  ///   - prices: The prices.
  ///   - models: The model of each backend, which is used for answers that do not name their model.
  /// - Returns: The ages of all prices with a date that the costs use, sorted by model.
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
      // Most answers share a source, so check each source once.
      if let source = trial.source, trial.isPriced, seen.insert(ObjectIdentifier(source)).inserted {
        note(source.provenance, trial.backend)
      }
      guard trial.hasUncommonFields else { continue }
      for work in trial.output?.judging ?? [] where work.cost != nil {
        if let provenance = work.provenance { note(provenance, work.backend) }
      }
    }
    return newest.compactMap { model, answered -> PriceAge? in
      guard let day = days[model] else { return nil }
      return PriceAge(
        model: model,
        day: day.iso8601,
        newestAnswer: answered.iso8601,
        days: answered.number - day.number
      )
    }.sorted { $0.model < $1.model }
  }
}
