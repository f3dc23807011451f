import SluiceSupport

/// A cache of the answers in a recordings file, filled while the lines of the file are checked.
///
/// The lines are checked in the order of their keys, but the answers are requested in the order of
/// the cases. Without the cache, each line would be read from disk twice. The cache needs much less
/// memory than the file, because a line is ten times as long as its answer. If the cache
/// exceeds a limit, which only files that are too large for a git host reach, further texts stay in
/// the file. For a text that stays in the file, the cache contains the range of the text and a
/// checksum. The cache never contains unusual answers, such as errors, refusals, and truncated,
/// streamed or retried answers. They are read again from their lines.
final class KeptAnswers: Sendable {
  /// The parts of a line that many answers have in common.
  struct Origin: Sendable {
    /// The digest of the request's frame (all of the request except its messages).
    var frame: String
    /// The digest of the ``RecordingSource``, which many recordings share.
    var source: String
    var model: String?
    var date: Timestamp
    var finishReason: String?
  }

  /// The response and the time that all answers from one origin have in common.
  struct Frame: Sendable {
    /// A response without the text, the tokens and the timings.
    var response: ModelResponse
    var date: Timestamp
  }

  /// The frame of each origin; nil if the origin's answers must be read from their lines.
  private let frames: [Frame?]
  private let buffer: ByteBuffer

  private init(_ frames: [Frame?], _ buffer: consuming ByteBuffer) {
    self.frames = frames
    self.buffer = buffer
  }

  /// The header stored in front of a text.
  private struct Head {
    var origin: UInt32
    var count: UInt32
    var usage: (input: UInt32, cachedInput: UInt32, output: UInt32, reasoning: UInt32)
    var hasUsage: Bool
    /// True if the text stays in the file.
    ///
    /// The header is then followed by the range of the text instead of the text.
    var isInFile: Bool
    var timings: (connect: Double, tls: Double, firstByte: Double, total: Double)
  }

  /// The offset of a text in its file, and a checksum of the text.
  private struct FilePlace {
    var start: Int
    var checksum: UInt32
  }

  // MARK: Asking

  /// Returns the cached answer at an offset.
  ///
  /// Nil if the line of the answer must be read, or if the answer's text in the file has changed.
  ///
  /// - Parameters:
  ///   - place: The offset of the answer in the cache.
  ///   - contents: The file that contains the answers.
  /// - Returns: The response and its time.
  func answer(at place: UInt32, of contents: FileContents) -> (ModelResponse, Timestamp)? {
    answer(head(at: place), at: place, of: contents)
  }

  /// Returns the cached answers at several offsets.
  ///
  /// A result is nil if the offset is nil, or if ``answer(at:of:)`` would return nil for it.
  func answers(
    at places: [UInt32?],
    of contents: FileContents
  ) -> [(response: ModelResponse, date: Timestamp)?] {
    let heads = places.map { place in place.map(head) }
    return zip(places, heads).map { place, head in
      guard let place, let head else { return nil }
      return answer(head, at: place, of: contents)
    }
  }

  private func head(at place: UInt32) -> Head {
    buffer.bytes.loadUnaligned(fromByteOffset: Int(place), as: Head.self)
  }

  private func answer(_ head: Head, at place: UInt32, of contents: FileContents)
    -> (ModelResponse, Timestamp)?
  {
    let bytes = buffer.bytes
    let start = Int(place) + MemoryLayout<Head>.size
    guard let frame = frames[Int(head.origin)] else { return nil }
    if head.isInFile {
      let text = bytes.loadUnaligned(fromByteOffset: start, as: FilePlace.self)
      return contents.withBytes(text.start..<text.start + Int(head.count)) { units in
        QuickChecksum.of(units) == text.checksum ? answer(frame, head, units) : nil
      }
    }
    let units = UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(head.count)])
    return answer(frame, head, units)
  }

  private func answer(_ frame: Frame, _ head: Head, _ units: UnsafeRawBufferPointer)
    -> (ModelResponse, Timestamp)
  {
    func count(_ kept: UInt32) -> Int? { kept == Collector.unknown ? nil : Int(kept) }
    func time(_ kept: Double) -> Double? { kept.isNaN ? nil : kept }
    var response = frame.response
    if head.hasUsage {
      response.usage = TokenUsage(
        input: count(head.usage.input),
        cachedInput: count(head.usage.cachedInput),
        output: count(head.usage.output),
        reasoning: count(head.usage.reasoning)
      )
    }
    response.timings = ResponseTimings(
      connect: time(head.timings.connect),
      tls: time(head.timings.tls),
      firstByte: time(head.timings.firstByte),
      total: time(head.timings.total)
    )
    response.text =
      JSONReader.RawString(canonical: units.assumingMemoryBound(to: UInt8.self)).text
    return (response, frame.date)
  }
}

extension KeptAnswers {
  /// A cache that is still being filled, while the lines of its file are checked.
  struct Collector: ~Copyable {
    private var origins: [Origin] = []
    private var buffer: ByteBuffer
    /// The key of the previous answer's origin.
    private var latest = ByteKey([])
    private var latestOrigin: UInt32 = 0
    private var known: [ByteKey: UInt32] = [:]
    private var repeated = RepeatedValues()

    /// The size of the cache in bytes beyond which texts stay in the file.
    private let limit: Int
    /// The default of ``limit``, which is enough for about 200,000 answers of the usual length.
    private static let usualLimit = 40 << 20
    /// The maximum number of origins.
    ///
    /// Answers share an origin only if they arrived in the same second, so a slow model has many
    /// origins.
    private static let originLimit = 4_096
    /// The maximum length of a cached text, in bytes.
    private static let textLimit = 4_000

    /// Allocates the cache for a file.
    ///
    /// - Parameters:
    ///   - fileSize: The size of the file in bytes.
    ///   - limit: The size of the cache in bytes beyond which texts stay in the file.
    init(fileSize: Int, limit: Int = Self.usualLimit) {
      self.limit = limit
      buffer = ByteBuffer(capacity: min(limit, fileSize / 4))
    }

    /// Returns the finished cache.
    ///
    /// - Parameter frame: Returns the frame of an origin; nil if the origin's answers must be read
    ///   from their lines.
    /// - Returns: The cached answers, with the frame of each origin.
    consuming func finish(_ frame: (Origin) -> Frame?) -> KeptAnswers {
      KeptAnswers(origins.map(frame), buffer)
    }

    /// Caches the answer that a line contains.
    ///
    /// The digest of the line must be valid.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - start: The offset of the line in the file.
    /// - Returns: The offset of the answer in the cache; nil if the cache cannot hold the answer,
    ///   such as a refusal or a very long text.
    mutating func add(_ line: UnsafeRawBufferPointer, at start: Int) -> UInt32? {
      guard let place = UInt32(exactly: buffer.count),
        let parts = Parts(line), let completion = parts.completion, let text = completion.content,
        text.units.count <= Self.textLimit, text.isCanonical, completion.refusal == nil
      else { return nil }
      let usage = completion.usage ?? TokenUsage()
      guard let input = Self.kept(usage.input), let cached = Self.kept(usage.cachedInput),
        let output = Self.kept(usage.output), let reasoning = Self.kept(usage.reasoning),
        let origin = origin(parts, completion)
      else { return nil }
      let units = UnsafeRawBufferPointer(text.units)
      // An empty text needs no range in the file.
      let isInFile = !units.isEmpty && buffer.count + units.count > limit
      let head = Head(
        origin: origin,
        count: UInt32(text.units.count),
        usage: (input, cached, output, reasoning),
        hasUsage: completion.usage != nil,
        isInFile: isInFile,
        timings: parts.timings
      )
      withUnsafeBytes(of: head) { buffer.append($0) }
      if isInFile, let base = line.baseAddress, let text = units.baseAddress {
        let place = FilePlace(start: start + (text - base), checksum: QuickChecksum.of(units))
        withUnsafeBytes(of: place) { buffer.append($0) }
      } else {
        buffer.append(text.units)
      }
      return place
    }

    /// The parts of a line that determine its answer, found in one pass.
    private struct Parts {
      // These parts are stored as they are written on the line.
      var source = UnsafeRawBufferPointer(start: nil, count: 0)
      var recorded = UnsafeRawBufferPointer(start: nil, count: 0)
      var frame = UnsafeRawBufferPointer(start: nil, count: 0)
      var completion: PlainCompletion?
      /// The times in milliseconds; NaN if unknown.
      var timings = (connect: Double.nan, tls: Double.nan, firstByte: Double.nan, total: Double.nan)
      private var hasStatus = false
      private var hasTimings = false

      /// Parses a line.
      ///
      /// Nil if a part is missing or repeated, or if the cache cannot hold the answer, such as a
      /// truncated one.
      init?(_ line: UnsafeRawBufferPointer) {
        let end = JSONMembers.walk(line) { name, start in
          if name.equals("source") {
            return Self.take(line, start, &source)
          } else if name.equals("recorded") {
            return Self.take(line, start, &recorded)
          } else if name.equals("request") {
            return takeRequest(line, start)
          } else if name.equals("response") {
            return takeResponse(line, start)
          } else if name.equals("timings") {
            return takeTimings(line, start)
          } else if name.equals("via") {
            return nil
          }
          let end = JSONMembers.valueEnd(line, start)
          return end <= line.count ? end : nil
        }
        guard end == line.count, hasStatus, hasTimings, completion != nil, !source.isEmpty,
          !recorded.isEmpty, !frame.isEmpty
        else { return nil }
      }

      private static func rest(_ text: UnsafeRawBufferPointer, _ start: Int)
        -> UnsafeRawBufferPointer
      {
        UnsafeRawBufferPointer(rebasing: text[min(start, text.count)...])
      }

      /// Reads a value that must not occur twice, and returns the offset at which the value ends.
      private static func take(
        _ text: UnsafeRawBufferPointer,
        _ start: Int,
        _ part: inout UnsafeRawBufferPointer
      ) -> Int? {
        let end = JSONMembers.valueEnd(text, start)
        guard part.isEmpty, start < end, end <= text.count else { return nil }
        part = UnsafeRawBufferPointer(rebasing: text[start..<end])
        return end
      }

      private mutating func takeRequest(_ line: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        let request = Self.rest(line, start)
        let count = JSONMembers.walk(request) { name, start in
          if name.equals("frame") { return Self.take(request, start, &frame) }
          let end = JSONMembers.valueEnd(request, start)
          return end <= request.count ? end : nil
        }
        return count.map { start + $0 }
      }

      private mutating func takeResponse(_ line: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        let response = Self.rest(line, start)
        let count = JSONMembers.walk(response) { name, start in
          if name.equals("status") {
            let end = JSONMembers.valueEnd(response, start)
            guard !hasStatus, end == start + 3, end <= response.count,
              response[start..<end].allSatisfy({ $0 &- 0x30 < 10 })
            else { return nil }
            hasStatus = true
            return end
          }
          // An answer with other members, such as a truncated or streamed one, is unusual.
          guard name.equals("body"), completion == nil else { return nil }
          let body = Self.rest(response, start).assumingMemoryBound(to: UInt8.self)
          let read = JSONReader.readFirst(of: body) { reader throws(JSONSyntaxError) in
            try PlainCompletion(&reader)
          }
          completion = read?.result
          return read.map { start + $0.count }
        }
        return count.map { start + $0 }
      }

      private mutating func takeTimings(_ line: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        if hasTimings { return nil }
        let rest = Self.rest(line, start).assumingMemoryBound(to: UInt8.self)
        let read = JSONReader.readFirst(of: rest) { reader throws(JSONSyntaxError) in
          try reader.readMembers { reader, name throws(JSONSyntaxError) in
            guard try reader.kind() == .number else {
              throw JSONSyntaxError(offset: 0, message: "not the usual form")
            }
            let time = try reader.readNumber()
            if name == "total-ms" {
              timings.total = time
            } else if name == "first-byte-ms" {
              timings.firstByte = time
            } else if name == "connect-ms" {
              timings.connect = time
            } else if name == "tls-ms" {
              timings.tls = time
            } else {
              throw JSONSyntaxError(offset: 0, message: "not the usual form")
            }
          }
        }
        hasTimings = read != nil
        return read.map { start + $0.count }
      }

      /// Calls a closure with each part that determines the origin of an answer, until the closure
      /// returns false.
      @inline(__always)
      private func forEachPart(
        _ completion: PlainCompletion,
        _ body: (UnsafeRawBufferPointer) -> Bool
      ) -> Bool {
        func text(_ string: JSONReader.RawString?) -> UnsafeRawBufferPointer {
          UnsafeRawBufferPointer(string?.units ?? UnsafeBufferPointer(start: nil, count: 0))
        }
        // Only the model can be present but empty. The other parts are either missing or not empty.
        return body(source) && body(recorded) && body(frame)
          && body(text(completion.finishReason)) && body(text(completion.model))
      }

      /// Returns the key of the origin.
      ///
      /// It consists of the parts, each followed by a line break, which the parts never contain.
      func key(_ completion: PlainCompletion) -> ByteKey {
        var bytes: [UInt8] = []
        _ = forEachPart(completion) { part in
          bytes.append(contentsOf: part)
          bytes.append(0x0A)
          return true
        }
        if completion.model != nil { bytes.append(0x0A) }
        return ByteKey(bytes)
      }

      /// Returns true if ``key(_:)`` would return this key.
      func areThose(of key: ByteKey, _ completion: PlainCompletion) -> Bool {
        key.bytes.withUnsafeBytes { bytes in
          var index = 0
          let isSame = forEachPart(completion) { part in
            let end = index + part.count
            guard end < bytes.count, bytes[end] == 0x0A,
              UnsafeRawBufferPointer(rebasing: bytes[index..<end]).equals(part)
            else { return false }
            index = end + 1
            return true
          }
          return isSame && bytes.count - index == (completion.model == nil ? 0 : 1)
        }
      }
    }

    private mutating func origin(_ parts: Parts, _ completion: PlainCompletion) -> UInt32? {
      if parts.areThose(of: latest, completion) { return latestOrigin }
      let key = parts.key(completion)
      if let index = known[key] {
        (latest, latestOrigin) = (key, index)
        return index
      }
      guard origins.count < Self.originLimit, let source = RepeatedValues.text(parts.source),
        let date = repeated.date(of: parts.recorded), let frame = repeated.frame(of: parts.frame)
      else { return nil }
      let index = UInt32(origins.count)
      origins.append(
        Origin(
          frame: frame,
          source: source,
          model: completion.model?.text,
          date: date,
          finishReason: completion.finishReason?.text
        )
      )
      known[key] = index
      (latest, latestOrigin) = (key, index)
      return index
    }

    /// The value that represents an unknown count.
    fileprivate static let unknown = UInt32.max

    /// Returns the stored form of a count; nil if the count is too large.
    private static func kept(_ count: Int?) -> UInt32? {
      guard let count else { return unknown }
      return count < Int(unknown) ? UInt32(count) : nil
    }
  }
}
