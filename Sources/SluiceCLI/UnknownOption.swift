/// Better messages for unknown words on the command line.
///
/// The parser's own messages might suggest an option that costs money.
enum UnknownOption {
  /// Options that send requests, cost money or change committed files, which are never suggested.
  private static let costly = [
    "--live", "--network", "--write", "--all", "--resume", "--scratch", "--max-cost",
    "--max-requests",
  ]
  /// Options that run only some cases in other tools, and that users may try here.
  private static let filters = [
    "--cases", "--tags", "--filter", "--only", "--limit", "--sample", "--id", "--ids", "--test",
  ]
  /// The options that select cases, which are suggested if the command has them.
  private static let knownFilters = ["--case", "--tag", "--first", "--failed"]
  /// Commands of Sluice, by the names of similar commands in other tools.
  private static let commands = [
    "test": "run", "eval": "run", "evaluate": "run", "check": "validate", "lint": "validate",
    "start": "init", "new": "init", "view": "history", "diff": "compare",
  ]

  /// Returns a message to show instead of the parser's message, or `nil` to keep the parser's
  /// message.
  static func text(_ message: String) -> String? {
    if let match = message.firstMatch(
      of: /Unexpected argument '(\w+)'\nUsage: sluice <subcommand>/
    ),
      let command = commands[String(match.1)]
    {
      return "Error: Unknown command '\(match.1)'.\n  fix: sluice \(command)"
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
      better += ": a baseline contains every case of a suite.\n  fix: leave it out"
    } else if let guess = match.2, costly.contains(String(guess)) {
      better += "."
    } else {
      return nil
    }
    return message.replacing(match.output.0, with: better)
  }
}
