import SluiceSupport

/// A program that prints a short-lived token, which is the key of a server.
package struct KeyCommand: Hashable, Sendable {
  /// The program and its arguments.
  package var words: [String]
  /// The environment variables that it gets beside the usual ones.
  package var variables: [String]
  /// The time that a token is used where nothing says when it expires, in seconds.
  package var lifetime: Int

  /// The lifetime where `sluice.yaml` gives none.
  package static let usualLifetime = 300
  /// The time that the program has.
  static let timeout = Duration.seconds(30)
  /// The longest output that is taken.
  static let maximumBytes = 64 << 10

  package init(
    _ words: [String],
    variables: [String] = [],
    lifetime: Int = Self.usualLifetime
  ) {
    self.words = words
    self.variables = variables
    self.lifetime = lifetime
  }

  /// The name of the program in lists and messages.
  package var program: String { words.first ?? "" }

  /// The command as a person types it in the folder of the project.
  package var line: String { words.map(ShellText.quoted).joined(separator: " ") }
}
