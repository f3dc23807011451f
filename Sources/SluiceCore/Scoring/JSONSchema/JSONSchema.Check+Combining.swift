import SluiceSupport

/// The rules that apply several subschemas to one value, or one subschema to several values.
///
/// The logic has three values (Kleene 1938). If an alternative is undecided and the other
/// alternatives do not determine the result, the result is undecided.
extension JSONSchema.Check {
  /// The maximum number of alternatives that a message lists.
  private static let shownAlternatives = 4

  mutating func check(_ value: JSONValue, fitsOneOf alternatives: [Int]) {
    var reasons: [String] = []
    var doubt: JSONSchema.Violation?
    for alternative in alternatives {
      switch outcome(of: value, alternative) {
      case .fits: return
      case .undecided(let reason): doubt = doubt ?? reason
      case .breaks(let violations): reasons.append(brief(violations))
      }
    }
    settle(doubt) { $0.report($0.noneFits(reasons)) }
  }

  mutating func check(_ value: JSONValue, fitsExactlyOneOf alternatives: [Int]) {
    var reasons: [String] = []
    var fitting: Int?
    var doubt: JSONSchema.Violation?
    for (place, alternative) in alternatives.enumerated() {
      switch outcome(of: value, alternative) {
      case .fits:
        if let fitting {
          return report(
            "must match exactly one schema under 'oneOf', but matches "
              + "oneOf[\(fitting)] and oneOf[\(place)]"
          )
        }
        fitting = place
      case .undecided(let reason): doubt = doubt ?? reason
      case .breaks(let violations): reasons.append(brief(violations))
      }
    }
    settle(doubt) { if fitting == nil { $0.report($0.noneFits(reasons)) } }
  }

  mutating func check(_ value: JSONValue, doesNotFit schema: Int) {
    switch outcome(of: value, schema) {
    case .breaks: break
    case .undecided(let reason): found.leaveUndecided(reason)
    case .fits:
      report(
        "must not match the schema under 'not', but does: got \(Self.name(of: value))"
      )
    }
  }

  mutating func check(_ value: JSONValue, _ condition: Int, then: Int?, otherwise: Int?) {
    let branch: Int?
    let remark: String
    switch outcome(of: value, condition) {
    case .fits: (branch, remark) = (then, ", because 'if' matches")
    case .breaks: (branch, remark) = (otherwise, ", because 'if' does not match")
    case .undecided(let reason): return found.leaveUndecided(reason)
    }
    guard let branch else { return }
    let before = found.violations.count
    apply(branch, to: value)
    found.append(remark, from: before)
  }

  mutating func check(_ elements: [JSONValue], contain schema: Int, atLeast: Int, atMost: Int?) {
    var fitting = 0
    var reasons: [String] = []
    var doubts = 0
    var doubt: JSONSchema.Violation?
    for (index, element) in elements.enumerated() {
      // The other elements cannot change the result.
      if atMost.map({ fitting > $0 }) ?? (fitting >= atLeast) { break }
      inside(.element(index)) { check in
        switch check.outcome(of: element, schema) {
        case .fits: fitting += 1
        case .undecided(let reason):
          doubts += 1
          doubt = doubt ?? reason
        case .breaks(let violations):
          if reasons.count <= Self.shownAlternatives {
            reasons.append(Excerpt.cut(violations.first?.description ?? "", to: 100))
          }
        }
      }
    }
    if let atMost, fitting > atMost {
      return report("expected at most \(Self.fitting(atMost)) 'contains', got more")
    }
    if fitting + doubts < atLeast {
      let why = reasons.isEmpty ? "" : ": \(Self.brief(reasons))"
      return report("expected at least \(Self.fitting(atLeast)) 'contains', got \(fitting)\(why)")
    }
    if fitting < atLeast || atMost.map({ fitting + doubts > $0 }) ?? false {
      settle(doubt) { _ in }
    }
  }

  /// Leaves the value undecided if a reason for doubt is given.
  ///
  /// Otherwise runs a closure.
  private mutating func settle(_ doubt: JSONSchema.Violation?, _ body: (inout Self) -> Void) {
    if let doubt { found.leaveUndecided(doubt) } else { body(&self) }
  }

  private func noneFits(_ reasons: [String]) -> String {
    reasons.count == 1
      ? "does not match the only alternative: \(reasons[0])"
      : "matches none of \(reasons.count) alternatives: \(Self.brief(reasons))"
  }

  private static func brief(_ reasons: [String]) -> String {
    reasons.prefix(shownAlternatives).joined(separator: "; ")
      + (reasons.count > shownAlternatives ? "; …" : "")
  }

  private static func fitting(_ count: Int) -> String {
    count == 1 ? "1 element that matches" : "\(count) elements that match"
  }
}
