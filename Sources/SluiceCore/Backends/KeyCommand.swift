import SluiceSupport

/// A program that prints a short-lived token for use as a server's key.
package struct KeyCommand: Hashable, Sendable {
  /// The program and its arguments.
  package var words: [String]
  /// The additional environment variables for it.
  package var variables: [String]
  /// The lifetime of a token without a known expiry, in seconds.
  package var lifetime: Int

  /// The default lifetime.
  package static let usualLifetime = 300
  /// The time limit of the program.
  static let timeout = Duration.seconds(30)
  /// The maximum size of its output.
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

  /// The command as typed in the project's folder.
  package var line: String { words.map(ShellText.quoted).joined(separator: " ") }
}
