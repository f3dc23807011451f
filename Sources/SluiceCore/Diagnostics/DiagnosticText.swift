import SluiceSupport

/// The printed form of a project's diagnostics.
///
/// The text contains the first 20 diagnostics of each kind, and the number of further ones.
package enum DiagnosticText {
  /// The maximum number of diagnostics of a kind that are printed.
  package static let shownOfAKind = 20

  /// Returns the printed form of diagnostics.
  ///
  /// - Parameter diagnostics: The diagnostics, in printing order.
  /// - Returns: The text.
  package static func list(_ diagnostics: [Diagnostic]) -> String {
    var kinds = Kinds()
    var lines: [(text: String, kind: String)] = []
    for diagnostic in diagnostics where kinds.isShown(diagnostic) {
      lines.append((diagnostic.description, Kinds.name(of: diagnostic)))
    }
    var text = ""
    var shown: [String: Int] = [:]
    for line in lines {
      text += line.text
      shown[line.kind, default: 0] += 1
      let more = (kinds.counts[line.kind] ?? 0) - shownOfAKind
      if more > 0, shown[line.kind] == shownOfAKind {
        text += "and \(more.withThousands) more of this kind\n"
      }
    }
    return text
  }

  /// Returns the line with the numbers of errors and warnings.
  ///
  /// - Parameter diagnostics: The diagnostics, at least one.
  /// - Returns: The line, such as "2 errors, 1 warning".
  package static func counts(_ diagnostics: [Diagnostic]) -> String {
    let errors = diagnostics.count { $0.severity == .error }
    let counts = [count(errors, "error"), count(diagnostics.count - errors, "warning")]
    return "\(counts.compactMap(\.self).joined(separator: ", "))\n"
  }

  private static func count(_ number: Int, _ noun: String) -> String? {
    number == 0 ? nil : "\(number.withThousands) \(noun)\(number == 1 ? "" : "s")"
  }

  /// The number of diagnostics of each kind.
  ///
  /// Diagnostics of one kind differ only in names, numbers and positions.
  struct Kinds {
    private(set) var counts: [String: Int] = [:]

    /// Counts a diagnostic; returns true if it is among the first 20 of its kind.
    mutating func isShown(_ diagnostic: Diagnostic) -> Bool {
      let name = Self.name(of: diagnostic)
      counts[name, default: 0] += 1
      return (counts[name] ?? 0) <= DiagnosticText.shownOfAKind
    }

    /// Returns the kind of a diagnostic: its severity, and its message without quoted texts and
    /// numbers.
    static func name(of diagnostic: Diagnostic) -> String {
      var name = [UInt8(ascii: diagnostic.severity == .error ? "e" : "w")]
      var isQuoted = false
      for byte in diagnostic.message.utf8 {
        if byte == UInt8(ascii: "'") {
          isQuoted.toggle()
        } else if !isQuoted, !(0x30...0x39).contains(byte) {
          name.append(byte)
        }
      }
      return String(decoding: name, as: UTF8.self)
    }
  }
}
