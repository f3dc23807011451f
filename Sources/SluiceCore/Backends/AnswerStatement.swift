import SluiceSupport

/// The stated origin of an answer that Sluice did not request itself.
public struct AnswerStatement: Hashable, Sendable {
  /// The person or system that answered.
  public var by: String?
  /// The date of the answer, such as `2026-11-23`; nil if unknown.
  public var day: String?
  /// A note for readers.
  public var note: String?

  /// Creates a statement.
  ///
  /// - Parameters:
  ///   - by: The person or system that answered.
  ///   - day: The date of the answer, such as `2026-11-23`.
  ///   - note: A note for readers.
  public init(by: String? = nil, day: String? = nil, note: String? = nil) {
    self.by = by
    self.day = day
    self.note = note
  }

  /// The statement; nil if all of its values are nil.
  package var known: AnswerStatement? { self == AnswerStatement() ? nil : self }
}

extension AnswerStatement {
  /// The members of the statement in a recording.
  var members: [(name: String, value: String?)] { [("by", by), ("day", day), ("note", note)] }

  /// Parses JSON in the format of ``members``.
  init(members json: JSONValue) {
    self.init(by: json["by"]?.string, day: json["day"]?.string, note: json["note"]?.string)
  }
}

extension Provenance {
  /// Sets the known parts of the origin of an answer that Sluice did not request itself.
  mutating func take(_ route: AnswerRoute, _ statement: AnswerStatement?) {
    via = route
    if route.isMeasured { return }
    stated = statement
    if host?.isEmpty == true { host = nil }
    if let day = statement?.day {
      date = day
    } else {
      // Without a stated date, `date` is still the time of the import.
      (imported, date) = (date, nil)
    }
  }

  /// The date from which the age of the answer is counted, if known.
  package var since: String? { date ?? imported }

  /// The provenance with each time shortened to its date, such as `2026-11-23`.
  package var toTheDay: Provenance {
    var provenance = self
    provenance.date = date.map { String($0.prefix(10)) }
    provenance.imported = imported.map { String($0.prefix(10)) }
    return provenance
  }

  /// The provenance without dates.
  package var undated: Provenance {
    var provenance = self
    (provenance.date, provenance.imported) = (nil, nil)
    provenance.stated?.day = nil
    provenance.stated = provenance.stated?.known
    return provenance
  }
}
