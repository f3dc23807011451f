internal import Sluice

/// A folder that has a promptfoo configuration but no Sluice project.
struct PromptfooFolder {
  private let configuration: String

  private static let names = ["yaml", "yml", "json", "js", "cjs", "mjs", "ts", "cts", "mts"].map {
    "promptfooconfig.\($0)"
  }

  /// Looks for a configuration in a folder and its parents, or returns `nil` if there is none.
  ///
  /// - Parameter folder: The working directory of the command.
  init?(_ folder: String) {
    let found = Self.names.first { DiskFileSystem.folder(holding: $0, from: folder) != nil }
    guard let found else { return nil }
    configuration = found
  }

  /// True if `sluice import` can read the configuration.
  ///
  /// `sluice import` cannot read a configuration that is a program.
  private var isRead: Bool {
    ["yaml", "yml", "json"].contains(ProjectPath(configuration).pathExtension)
  }

  /// The message about the configuration, and the fix.
  var advice: (explanation: String, fix: String) {
    if isRead {
      return (
        "  \(configuration) is a promptfoo configuration\n",
        "import it as a project in this folder:\n  sluice import promptfoo \(configuration)"
      )
    }
    return (
      """
        \(configuration) is a promptfoo configuration written as a program, which Sluice does not \
      run. Move its parts by hand:
          prompts              prompts/NAME/v1.yaml; {{variables}} stay as they are
          providers            'backends:' in sluice.yaml, one named by 'backend:' of \
      prompts/NAME/suite.yaml
          tests, vars          datasets/NAME/cases.yaml: a case with an 'id' for each test, its \
      vars under 'input:'
          assert               'assert:' of the case: '- type: contains' with 'value:' stays as it \
      is
          defaultTest.assert   'scorers:' of prompts/NAME/suite.yaml; they judge every case

      """,
      "write it as YAML and import that (docs/promptfoo.md), or create a new project:\n  sluice "
        + "init"
    )
  }
}
