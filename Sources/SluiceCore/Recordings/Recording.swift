package import SluiceSupport

/// A recorded exchange, which is a line of a recordings file.
package struct Recording: Hashable, Sendable {
  /// The version of the schema in which lines are written.
  package static let schema = 3
  /// The versions of the schema that can be read.
  package static let readableSchemas = 1...3

  /// The key of the request as it was sent.
  ///
  /// The key is computed before secrets are removed from the request.
  package var key: String
  /// The number of this answer among the answers to the same request, from 1.
  package var repetition: Int
  package var exchange: Exchange
  package var hints: Hints
  /// The version of Sluice that made the recording, such as `sluice 0.1.0`.
  package var recorder: String

  /// Information that helps to explain why a request has no recording.
  ///
  /// It is not part of the key.
  package struct Hints: Hashable, Sendable {
    package var suite: String
    package var testCase: String
    /// A short digest of the case's input; empty if the recording does not contain it.
    package var inputDigest: String
    package var prompt: String
    /// A short digest of the prompt's message templates before they are filled in; empty if the
    /// recording does not contain it.
    package var templateDigest: String

    package init(
      suite: String,
      testCase: String,
      inputDigest: String,
      prompt: String,
      templateDigest: String
    ) {
      self.suite = suite
      self.testCase = testCase
      self.inputDigest = inputDigest
      self.prompt = prompt
      self.templateDigest = templateDigest
    }
  }

  package init(
    key: String,
    repetition: Int,
    exchange: Exchange,
    hints: Hints,
    recorder: String = "sluice \(Version.current)"
  ) {
    self.key = key
    self.repetition = repetition
    self.exchange = exchange
    self.hints = hints
    self.recorder = recorder
  }

  /// The identity of a recording: the key of its request, and the number of the repeat.
  package struct Slot: Hashable, Comparable, Sendable {
    /// The first 8 bytes of the key.
    package var high: UInt64
    /// The next 8 bytes of the key.
    ///
    /// The key has 32 bytes. The first 16 are enough to identify a request.
    package var low: UInt64
    package var repetition: Int

    /// Creates a slot from a hexadecimal key.
    ///
    /// If the key is invalid, the slot matches no recording.
    package init(key: String, repetition: Int) {
      var key = key
      self = key.withUTF8 { Self(key: UnsafeRawBufferPointer($0), repetition: repetition) }
    }

    /// Creates a slot from a key that is given as a digest.
    package init(key: Digest, repetition: Int) {
      (high, low) = key.halves
      self.repetition = repetition
    }

    init(key: UnsafeRawBufferPointer, repetition: Int) {
      high = Self.hexadecimal(key, from: 0)
      low = Self.hexadecimal(key, from: 16)
      self.repetition = repetition
    }

    private static func hexadecimal(_ key: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
      guard key.count == 64 else { return 0 }
      var value: UInt64 = 0
      for index in start..<(start + 16) {
        let byte = key[index]
        value = value << 4 | UInt64(byte <= 0x39 ? byte &- 0x30 : byte &- 0x61 &+ 10) & 15
      }
      return value
    }

    package static func < (left: Self, right: Self) -> Bool {
      if left.high != right.high { return left.high < right.high }
      if left.low != right.low { return left.low < right.low }
      return left.repetition < right.repetition
    }
  }

  package var slot: Slot { Slot(key: key, repetition: repetition) }
}

/// The answer of a recording: everything except the request.
package struct RecordedAnswer: Hashable, Sendable {
  /// The protocol of the request.
  package var api: String
  package var response: RawResponse
  /// The paths at which the answer's parts were found at the time of recording; nil if the protocol
  /// determines the paths.
  package var places: AnswerPlaces?

  package init(api: String, response: RawResponse, places: AnswerPlaces? = nil) {
    self.api = api
    self.response = response
    self.places = places
  }
}
