import SluiceSupport

/// A committed entry that temporarily excludes a case or a gate from the verdict, with a reason.
public struct Exemption: Hashable, Sendable {
  /// The reason for the exemption.
  public var reason: String
  /// The last day on which the exemption applies, as an ISO 8601 date in UTC, such as `2026-12-31`.
  public var until: String

  /// Creates an exemption.
  ///
  /// - Parameters:
  ///   - reason: The reason.
  ///   - until: The last day on which the exemption applies, as an ISO 8601 date in UTC.
  public init(reason: String, until: String) {
    self.reason = reason
    self.until = until
  }
}

/// An exemption as it is written in a suite.
package struct ExemptionSpec {
  /// The exempted case or gate, as it is written.
  package var subject: SuiteSpec.Reference
  package var exemption: Exemption

  /// Reads the entries of a list such as `- {case: x, reason: …, until: 2026-12-31}`.
  ///
  /// Reports invalid entries and leaves them out.
  ///
  /// - Parameters:
  ///   - key: The key of the list: `quarantine` or `waivers`.
  ///   - subject: The key under which an entry names the exempted case or gate: `case` or `gate`.
  ///   - fields: The fields of the suite.
  /// - Returns: The valid entries.
  static func read(_ key: String, subject: String, _ fields: FieldReader) -> [ExemptionSpec] {
    (fields.optionalList(key) ?? []).compactMap { node in
      if case .string(let text) = node.value {
        let day = "2026-12-31"
        fields.wrongType(
          "an entry of '\(key)'",
          "a mapping",
          node,
          fix: "write {\(subject): \(text), reason: \"…\", until: \(day)}"
        )
        return nil
      }
      guard
        let entry = FieldReader(
          node,
          subject: "an entry of '\(key)'",
          file: fields.file,
          diagnostics: fields.diagnostics
        )
      else { return nil }
      let subjectNode = entry.required(subject)
      let text = entry.text(subjectNode, subject)
      let reason = entry.requiredText("reason")
      let dayNode = entry.required("until")
      let day = entry.text(dayNode, "until")
      entry.finish()
      if let day, let dayNode, Timestamp(iso8601: "\(day)T00:00:00Z") == nil {
        fields.diagnostics.error(
          "'\(day)' is not a date",
          in: fields.file,
          at: dayNode.position,
          fix: "write the last day of the exemption, such as 2026-12-31"
        )
        return nil
      }
      guard let text, let subjectNode, let reason, let day else { return nil }
      return ExemptionSpec(
        subject: SuiteSpec.Reference(text: text.trimmed, position: subjectNode.position),
        exemption: Exemption(reason: reason, until: day)
      )
    }
  }
}
