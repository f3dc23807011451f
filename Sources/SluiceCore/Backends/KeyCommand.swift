import SluiceSupport

/// A program that prints a short-lived token, which is used as a server's key.
package struct KeyCommand: Hashable, Sendable {
  /// The program and its arguments.
  package var words: [String]
  /// The environment variables that the program receives in addition to the usual ones.
  package var variables: [String]
  /// The lifetime, in seconds, of a token whose expiry is unknown.
  package var lifetime: Int

  /// The default lifetime, in seconds.
  package static let usualLifetime = 300
  /// The maximum running time of the program.
  static let timeout = Duration.seconds(30)
  /// The maximum size of the program's output, in bytes.
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

  /// The name of the program, as lists and messages show it.
  package var program: String { words.first ?? "" }

  /// The command as a user would type it in the project's folder.
  package var line: String { words.map(ShellText.quoted).joined(separator: " ") }
}
