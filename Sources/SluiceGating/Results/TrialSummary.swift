import SluiceCore

/// A summary of a column's trials, computed in one pass.
struct TrialSummary: Sendable {
  private(set) var passed = 0
  private(set) var failed = 0
  private(set) var lost = 0
  private(set) var unjudged = 0
  /// The numbers of failed and lost trials outside quarantine.
  private(set) var counted = (failed: 0, lost: 0)
  private(set) var hasMisses = false
  /// The number of answers with a cost that the server reported, and the number of answers with a
  /// cost from the price file.
  private(set) var costs = (reported: 0, priced: 0)
  private(set) var hasCountedMisses = false
  /// The models and servers that gave the answers, without duplicates, in order of first
  /// appearance.
  private(set) var provenances: [Provenance] = []
  private(set) var flakyCases: [ColumnResult.FlakyCase] = []
  /// The distinct sets of scores that the trials share, in order of first appearance.
  private(set) var sheets: [ScoreSheet] = []
  /// The trials whose answers have uncommon fields, such as a judge's work.
  private(set) var unusual: [Trial] = []

  init(_ trials: [Trial], quarantine: [String: Exemption]) {
    var origins: Set<ObjectIdentifier> = []
    var seen: Set<Provenance> = []
    var latest: ObjectIdentifier?
    var isRepeated = false
    var seenSheets: Set<ObjectIdentifier> = []
    for trial in trials {
      let counts = quarantine.isEmpty || quarantine[trial.caseID] == nil
      switch trial.outcome {
      case .passed: passed += 1
      case .failed:
        failed += 1
        counted.failed += counts ? 1 : 0
      case .unjudged: unjudged += 1
      case .lost:
        lost += 1
        counted.lost += counts ? 1 : 0
        if trial.isMiss {
          hasMisses = true
          if counts { hasCountedMisses = true }
        }
      }
      if trial.repetition > 1 { isRepeated = true }
      let sheet = trial.sheet
      if seenSheets.insert(ObjectIdentifier(sheet)).inserted { sheets.append(sheet) }
      if trial.hasUncommonFields { unusual.append(trial) }
      if trial.isCostReported {
        costs.reported += 1
      } else if trial.cost != nil {
        costs.priced += 1
      }
      guard let source = trial.source, latest != ObjectIdentifier(source) else { continue }
      latest = ObjectIdentifier(source)
      guard origins.insert(ObjectIdentifier(source)).inserted else { continue }
      let provenance = source.provenance.toTheDay
      if seen.insert(provenance).inserted { provenances.append(provenance) }
    }
    // A case with a single trial cannot be flaky.
    if isRepeated { flakyCases = Self.flakyCases(trials) }
  }

  /// The key that identifies a request and its case.
  private struct Request: Hashable {
    var caseID: String
    var key: DigestText
  }

  private static func flakyCases(_ trials: [Trial]) -> [ColumnResult.FlakyCase] {
    var cases: [ColumnResult.FlakyCase] = []
    var places: [Request: Int] = [:]
    for trial in trials {
      guard let isPassed = trial.isPassed else { continue }
      let request = Request(caseID: trial.caseID, key: trial.request)
      let place = places[request] ?? cases.count
      if place == cases.count {
        places[request] = place
        cases.append(ColumnResult.FlakyCase(caseID: trial.caseID, passed: 0, of: 0))
      }
      cases[place].of += 1
      if isPassed { cases[place].passed += 1 }
    }
    return cases.filter { $0.passed > 0 && $0.passed < $0.of }
  }
}
