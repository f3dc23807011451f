import SluiceGating

extension Condition.Comparison {
  /// The mathematical sign of the comparison, as in `≥ 95%`.
  var sign: String {
    switch self {
    case .atLeast: "≥"
    case .atMost: "≤"
    case .above: ">"
    case .below: "<"
    }
  }
}
