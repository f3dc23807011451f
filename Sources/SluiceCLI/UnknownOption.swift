/// Words on the command line that mean nothing, without the parser's guesses that would cost money.
enum UnknownOption {
  /// Options that send requests, spend money or change what is committed: never a guess.
  private static let costly = [
    "--live", "--network", "--write", "--all", "--resume", "--scratch", "--max-cost",
    "--max-requests",
  ]
  /// Options that people try who want to judge some cases alone.
  private static let filters = [
    "--cases", "--tags", "--filter", "--only", "--limit", "--sample", "--id", "--ids", "--test",
  ]
  /// Options that take some of the cases, where they are known.
  private static let knownFilters = ["--case", "--tag", "--first", "--failed"]
  /// Commands by the names that other tools have for them.
  private static let commands = [
    "test": "run", "eval": "run", "evaluate": "run", "check": "validate", "lint": "validate",
    "start": "init", "new": "init", "view": "history", "diff": "compare",
  ]

  /// Returns the message in place of the parser's; `nil` where the parser's is fine.
  static func text(_ message: String) -> String? {
    if let match = message.firstMatch(
      of: /Unexpected argument '(\w+)'\nUsage: sluice <subcommand>/
    ),
      let command = commands[String(match.1)]
    {
      return "Error: There is no command '\(match.1)'.\n  fix: sluice \(command)"
    }
    let pattern = /Unknown option '(-{1,2}[^' ]+)[^']*'(?:\. Did you mean '(-{1,2}[^' ]+)[^']*'\?)?/
    guard let match = message.firstMatch(of: pattern) else { return nil }
    let option = String(match.1)
    let command = message.firstMatch(of: /Usage: sluice (\S+)/).map { String($0.1) }
    var better = "Unknown option '\(option)'"
    if let command, ["run", "compare", "try"].contains(command), filters.contains(option) {
      let failed = command == "run" ? ", --failed" : ""
      better += ".\n  fix: choose cases with --case ID, --tag TAG, --first N\(failed)"
    } else if command == "baseline", (filters + knownFilters).contains(option) {
      better += ": a baseline is made of every case of a suite.\n  fix: leave it out"
    } else if let guess = match.2, costly.contains(String(guess)) {
      better += "."
    } else {
      return nil
    }
    return message.replacing(match.output.0, with: better)
  }
}
