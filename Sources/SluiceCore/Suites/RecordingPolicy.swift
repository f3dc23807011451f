package import SluiceSupport

/// The age limits of recordings, as set in `sluice.yaml`.
///
/// The age is counted from the time of recording, not from the last use.
package struct RecordingPolicy: Hashable, Sendable {
  /// The number of days after which a recording causes a warning.
  package var warnAfter: Int?
  /// The number of days after which a recording is no longer used.
  package var expireAfter: Int?

  package init(warnAfter: Int? = nil, expireAfter: Int? = nil) {
    self.warnAfter = warnAfter
    self.expireAfter = expireAfter
  }

  /// Returns the time before which recordings cause a warning.
  ///
  /// Nil if there is no limit.
  package func warnsBefore(_ now: Timestamp) -> Timestamp? { warnAfter.map { now - $0 } }

  /// Returns the time before which recordings are too old to be used.
  ///
  /// Nil if there is no limit.
  package func expiresBefore(_ now: Timestamp) -> Timestamp? { expireAfter.map { now - $0 } }

  private static let longest = 36_500

  /// Reads `recordings:` of `sluice.yaml`.
  static func read(_ node: Node, in file: SourceFile, diagnostics: DiagnosticCollector)
    -> RecordingPolicy
  {
    guard
      let fields = FieldReader(
        node,
        subject: "'recordings'",
        file: file,
        diagnostics: diagnostics
      )
    else { return RecordingPolicy() }
    func days(_ key: String) -> Int? {
      guard let value = fields.optional(key) else { return nil }
      if case .string(let text) = value.value, let days = Self.days(text) { return days }
      diagnostics.error(
        "'\(key)' must be a number of days, from 1 to \(longest)",
        in: file,
        at: value.position,
        fix: "write, for example, '\(key): 90 days'"
      )
      return nil
    }
    let policy = RecordingPolicy(warnAfter: days("warn-after"), expireAfter: days("expire-after"))
    if let warn = policy.warnAfter, let expire = policy.expireAfter, warn >= expire {
      diagnostics.error(
        "'warn-after' must be less than 'expire-after'",
        in: file,
        at: fields.optional("warn-after")?.position
      )
    }
    fields.finish()
    return policy
  }

  /// Returns the number of days in a text such as `90 days` or `90d`.
  package static func days(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard let days = Int(digits), (1...longest).contains(days),
      ["d", "day", "days"].contains(unit)
    else { return nil }
    return days
  }
}

extension Timestamp {
  /// Returns the moment that is a number of days earlier.
  package static func - (moment: Timestamp, days: Int) -> Timestamp {
    Timestamp(seconds: moment.seconds - days * 86_400)
  }

  /// Creates the start of a day such as `2026-11-21`, in UTC; nil for any other text.
  package init?(day text: String) { self.init(iso8601: "\(text)T00:00:00Z") }
}
