import SluiceSupport

/// The origin of an answer that Sluice did not ask for itself, in the words of whoever brought it.
public struct AnswerStatement: Hashable, Sendable {
  /// Who or what answered.
  public var by: String?
  /// The day on which the answer was given, such as `2026-11-23`; nil where nobody knows.
  public var day: String?
  /// Anything else that a reader should know.
  public var note: String?

  /// Creates a statement.
  ///
  /// - Parameters:
  ///   - by: Who or what answered.
  ///   - day: The day on which the answer was given, such as `2026-11-23`.
  ///   - note: Anything else that a reader should know.
  public init(by: String? = nil, day: String? = nil, note: String? = nil) {
    self.by = by
    self.day = day
    self.note = note
  }

  /// The statement; nil where it says nothing.
  package var known: AnswerStatement? { self == AnswerStatement() ? nil : self }
}

extension AnswerStatement {
  /// The members that say it in a recording.
  var members: [(name: String, value: String?)] { [("by", by), ("day", day), ("note", note)] }

  /// Reads what ``members`` are written as.
  init(members json: JSONValue) {
    self.init(by: json["by"]?.string, day: json["day"]?.string, note: json["note"]?.string)
  }
}

extension Provenance {
  /// Takes over what is known of an answer that Sluice did not ask for itself.
  mutating func take(_ route: AnswerRoute, _ statement: AnswerStatement?) {
    via = route
    if route.isMeasured { return }
    stated = statement
    if host?.isEmpty == true { host = nil }
    if let day = statement?.day {
      date = day
    } else {
      // The moment that the recording has is that of the import.
      (imported, date) = (date, nil)
    }
  }

  /// The moment from which the age of the answer counts, as far as it is known.
  package var since: String? { date ?? imported }

  /// The same with days in place of times.
  package var toTheDay: Provenance {
    var provenance = self
    provenance.date = date.map { String($0.prefix(10)) }
    provenance.imported = imported.map { String($0.prefix(10)) }
    return provenance
  }

  /// The same without any date.
  package var undated: Provenance {
    var provenance = self
    (provenance.date, provenance.imported) = (nil, nil)
    provenance.stated?.day = nil
    provenance.stated = provenance.stated?.known
    return provenance
  }
}
