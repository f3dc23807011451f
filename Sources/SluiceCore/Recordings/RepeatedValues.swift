import SluiceSupport

/// A cache of values that recur on consecutive lines of a file, so that each is parsed only once.
///
/// The source, the frame and the headers are the same for most answers of a set.
struct RepeatedValues: Sendable {
  private var source = Latest<RecordingSource>()
  private var host = Latest<String>()
  private var date = Latest<Timestamp>()
  private var frame = Latest<String>()
  private var headers = Latest<[HTTPHeader]>()

  /// The value that was parsed last, with its bytes.
  private struct Latest<Value: Sendable>: Sendable {
    private var bytes: [UInt8] = []
    private var value: Value?

    mutating func value(
      of bytes: UnsafeRawBufferPointer,
      _ read: (UnsafeRawBufferPointer) -> Value?
    ) -> Value? {
      if let value, self.bytes.count == bytes.count,
        self.bytes.withUnsafeBytes({ $0.equals(bytes) })
      {
        return value
      }
      value = read(bytes)
      self.bytes = Array(bytes)
      return value
    }
  }

  /// Returns the source that has the digest on a line; nil if the closure does not find it.
  mutating func source(
    of digest: UnsafeRawBufferPointer,
    _ find: (String) -> RecordingSource?
  ) -> RecordingSource? {
    source.value(of: digest) { Self.text($0).flatMap(find) }
  }

  mutating func host(of answeredBy: UnsafeRawBufferPointer) -> String? {
    host.value(of: answeredBy) { bytes in
      JSONMembers.value("host", in: bytes).flatMap {
        Self.text(UnsafeRawBufferPointer(rebasing: bytes[$0]))
      }
    }
  }

  mutating func date(of recorded: UnsafeRawBufferPointer) -> Timestamp? {
    date.value(of: recorded) { bytes in
      Self.text(bytes).flatMap(Timestamp.init(iso8601:))
    }
  }

  /// Returns the digest of a request's frame as a text; nil if the JSON is not a string.
  mutating func frame(of digest: UnsafeRawBufferPointer) -> String? {
    frame.value(of: digest, Self.text)
  }

  mutating func headers(of object: UnsafeRawBufferPointer) -> [HTTPHeader] {
    headers.value(of: object) { bytes in
      (try? JSONReader.value(bytes))?.object.map { [HTTPHeader]($0) }
    } ?? []
  }

  /// Returns the text of a JSON string; nil for other JSON.
  static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    (try? JSONReader.value(bytes))?.string
  }
}
