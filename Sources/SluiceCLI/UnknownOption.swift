/// Options that a command does not have, without the parser's guesses that would cost money.
enum UnknownOption {
  /// Options that send requests, spend money or change what is committed: never a guess.
  private static let costly = [
    "--live", "--network", "--write", "--all", "--resume", "--scratch", "--max-cost", "--max-requests",
  ]
  /// What people ask for who want to judge some cases alone.
  private static let filters = [
    "--case", "--cases", "--tag", "--tags", "--first", "--failed", "--filter", "--only", "--limit",
    "--sample", "--id", "--ids", "--test",
  ]

  /// Returns the message in place of the parser's; `nil` where the parser's is fine.
  static func text(_ message: String) -> String? {
    let pattern = /Unknown option '(-{1,2}[^' ]+)[^']*'(?:\. Did you mean '(-{1,2}[^' ]+)[^']*'\?)?/
    guard let match = message.firstMatch(of: pattern) else { return nil }
    let option = String(match.1)
    let usage = message.firstMatch(of: /Usage: sluice (\S+)/).map { String($0.1) }
    var better = "Unknown option '\(option)'"
    if let command = usage, ["run", "compare", "try"].contains(command), filters.contains(option) {
      better += ": 'sluice \(command)' judges every case of a suite, since a verdict on some would mislead."
      better += "\n  fix: leave it out, and look the case up in reports/latest/report.html"
    } else if let guess = match.2.map(String.init), costly.contains(guess) {
      better += "."
    } else {
      return nil
    }
    return message.replacing(match.output.0, with: better)
  }
}
