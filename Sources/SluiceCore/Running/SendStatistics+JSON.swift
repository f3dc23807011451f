import SluiceSupport

extension SendStatistics {
  /// The minimum queue time that is reported, in milliseconds.
  ///
  /// Shorter waits are not caused by a queue.
  private static let shortestQueue = 1.0

  /// Appends the members `attempts` and `queued-ms` to the line of a trial, each after a comma.
  ///
  /// Members without anything to report are left out.
  func appendMembers(to bytes: inout ByteBuffer) {
    for (index, attempt) in failures.enumerated() {
      bytes.append(index == 0 ? ",\"attempts\":[" : ",")
      attempt.append(to: &bytes)
    }
    if !failures.isEmpty { bytes.append(UInt8(ascii: "]")) }
    if queued >= Self.shortestQueue {
      bytes.append(",\"queued-ms\":")
      JSONWriter.append(queued, to: &bytes)
    }
  }

  /// Reads the statistics from the line of a trial.
  init(json line: JSONValue) {
    self.init(
      failures: (line["attempts"]?.array ?? []).compactMap(FailedAttempt.init),
      queued: line["queued-ms"]?.number ?? 0
    )
  }
}

extension FailedAttempt {
  fileprivate func append(to bytes: inout ByteBuffer) {
    bytes.append("{\"kind\":")
    JSONWriter.append(kind.rawValue, to: &bytes)
    if let status {
      bytes.append(",\"status\":")
      JSONWriter.append(status, to: &bytes)
    }
    bytes.append(",\"took-ms\":")
    JSONWriter.append(took, to: &bytes)
    bytes.append(",\"back-off-ms\":")
    JSONWriter.append(backOff, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
  }

  fileprivate init?(_ json: JSONValue) {
    guard let kind = json["kind"]?.string.flatMap(BackendError.Kind.init),
      let took = json["took-ms"]?.number
    else { return nil }
    self.init(
      kind: kind,
      status: json["status"]?.integer,
      took: took,
      backOff: json["back-off-ms"]?.number ?? 0
    )
  }
}
