package import SluiceSupport

/// A live run of one or more suites that ended before all of its trials had an answer.
///
/// It is read from the logs of its suites.
package struct UnfinishedRun: Hashable, Sendable {
  /// The id of the run, which all of its logs contain.
  package let id: String
  /// The start time of the newest log, such as `2026-11-21T12:20:19Z`.
  package let started: String
  /// The newest log of each suite, by the suite's name.
  package let logs: [String: ProjectPath]

  /// Returns the newest unfinished live run of some suites.
  ///
  /// - Parameters:
  ///   - suites: The names of the suites.
  ///   - filter: The filter for cases; nil for runs of all cases.
  ///   - files: The project's files.
  /// - Returns: The run; nil if all runs were finished.
  package static func newest(
    of suites: [String],
    filter: CaseFilter? = nil,
    in files: any FileSystem
  ) -> UnfinishedRun? {
    let logs = suites.flatMap { Self.logs(of: $0, filter, in: files) }
    guard
      let newest = logs.filter({ !$0.isFinished }).max(by: { $0.started < $1.started })
    else { return nil }
    let own = logs.filter { $0.run == newest.run }
    return UnfinishedRun(
      id: newest.run,
      started: newest.started,
      logs: Dictionary(own.map { ($0.suite, $0.path) }, uniquingKeysWith: { first, _ in first })
    )
  }

  /// Returns the path of a log that another process is still writing; nil if there is none.
  package func busyLog(in files: any FileSystem) throws(FileError) -> ProjectPath? {
    for path in logs.values.sorted(by: { $0.description < $1.description })
    where try files.lock(path) == nil {
      return path
    }
    return nil
  }

  /// The log of one suite in a live run.
  private struct Log {
    var path: ProjectPath
    var suite: String
    var run: String
    var started: String
    /// True if every trial has an answer.
    var isFinished: Bool
  }

  /// Returns the newest log of a suite for each live run.
  private static func logs(
    of suite: String,
    _ filter: CaseFilter?,
    in files: any FileSystem
  ) -> [Log] {
    let folder = RunLog.folder(filter: filter)
    let options = filter.map { JSONValue.array($0.words.map(JSONValue.string)) }
    var seen: Set<String> = []
    var logs: [Log] = []
    // Names end with the time, so the last name is the newest.
    for name in files.names(in: folder).reversed()
    where name.hasPrefix("\(suite)-") && name.hasSuffix(".jsonl") {
      let path = folder.resolvingChild(name)
      guard let file = try? files.open(path), let header = header(of: file),
        header["kind"]?.string == RunLog.kind, header["schema"]?.integer == RunLog.schema,
        header["suite"]?.string == suite, header["filter"]?["options"] == options,
        let run = header["run"]?.string,
        let started = header["started"]?.string,
        // An older log of the same run was continued in the newer log.
        seen.insert(run).inserted
      else { continue }
      logs.append(
        Log(path: path, suite: suite, run: run, started: started, isFinished: isFinished(file))
      )
    }
    return logs
  }

  /// The maximum size of the first line, in bytes.
  private static let longestHeader = 1 << 20
  private static let longestFooter = 1 << 10

  private static func header(of file: FileContents) -> JSONValue? {
    let start = file.bytes(0..<min(file.count, longestHeader))
    guard let end = start.firstIndex(of: 0x0A) else { return nil }
    return try? JSONReader.value(Array(start[..<end]))
  }

  private static func isFinished(_ file: FileContents) -> Bool {
    let end = file.bytes(max(0, file.count - longestFooter)..<file.count)
    guard let line = end.split(separator: 0x0A).last, end.last == 0x0A,
      let footer = try? JSONReader.value(Array(line)), footer["kind"]?.string == "footer"
    else { return false }
    return footer["lost"]?.integer == 0
  }
}
