import SluiceGating

/// The gates that do not pass, as workflow commands.
///
/// GitHub Actions then shows each of these gates next to its prompt.
package struct WorkflowAnnotations {
  private let result: RunResult
  private let folder: ProjectPath

  /// Creates the annotations.
  ///
  /// - Parameters:
  ///   - result: The result of the run.
  ///   - folder: The project's folder, relative to the root of the repository, since GitHub's paths
  ///     start there.
  package init(_ result: RunResult, folder: ProjectPath = ProjectPath(".")) {
    self.result = result
    self.folder = folder
  }

  /// The commands, one per line; empty if every gate passes.
  package var text: String {
    GateFinding.all(of: result).map { finding in
      let path = TerminalText.visible(folder.resolvingChild(finding.path).description)
      let title = TerminalText.visible("Sluice: \(finding.suite)")
      return "::\(finding.severity.rawValue) file=\(Self.property(path)),line=1,"
        + "title=\(Self.property(title))::\(Self.escaped(finding.text))\n"
    }.joined()
  }

  /// Escapes a text for use as the message of a command.
  private static func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  /// Escapes a text for use as a property of a command.
  ///
  /// A comma or a colon would end the property.
  private static func property(_ text: String) -> String {
    escaped(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
