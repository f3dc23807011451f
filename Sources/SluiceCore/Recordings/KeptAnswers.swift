import SluiceSupport

/// The answers of recordings of the usual form, kept from the moment when their lines were checked.
///
/// The lines of a file are checked in the order of their keys and asked for in that of the cases, so
/// each would be read from the disk a second time, and is ten times as long as its answer. Of a file
/// as large as any that is kept in git all texts are kept; beyond a limit they stay in the file, and
/// their place is kept with a checksum. Lines are read again where an answer is unusual in any respect:
/// errors, refusals, answers that were cut off or streamed, or asked for again.
final class KeptAnswers: Sendable {
  /// Who answered through what, which answers have in common.
  struct Origin: Sendable {
    /// The digest of the request's frame.
    var frame: String
    /// The digest of what the recording has in common with others.
    var source: String
    var model: String?
    var date: Timestamp
    var finishReason: String?
  }

  /// What all answers of an origin have in common.
  struct Frame: Sendable {
    /// A response without the text, the tokens and the times.
    var response: ModelResponse
    var date: Timestamp
  }

  /// By the index of the origin; nil where answers have to be read from their lines.
  private let frames: [Frame?]
  private let buffer: ByteBuffer

  /// Nothing kept.
  init() {
    frames = []
    buffer = ByteBuffer(capacity: 0)
  }

  private init(_ frames: [Frame?], _ buffer: consuming ByteBuffer) {
    self.frames = frames
    self.buffer = buffer
  }

  /// What precedes a text.
  private struct Head {
    var origin: UInt32
    var count: UInt32
    var usage: (input: UInt32, cachedInput: UInt32, output: UInt32, reasoning: UInt32)
    var hasUsage: Bool
    /// Whether a place in the file follows instead of the text.
    var isInFile: Bool
    var timings: (connect: Double, tls: Double, firstByte: Double, total: Double)
  }

  /// Where a text stands in the file that it was read from.
  private struct FilePlace {
    var start: Int
    var checksum: UInt32
  }

  // MARK: Asking

  /// The answer that is kept at a place; nil where its line has to be read, or its text has changed in
  /// the file meanwhile.
  ///
  /// - Parameters:
  ///   - place: Where the answer is kept.
  ///   - contents: The file that the answers were read from.
  /// - Returns: The response and when it came.
  func answer(at place: UInt32, of contents: FileContents) -> (ModelResponse, Timestamp)? {
    answer(head(at: place), at: place, of: contents)
  }

  /// The answers that are kept at some places; nil for each that has none, or as of a single one.
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
  /// Collects the answers of a file while its lines are checked.
  struct Collector: ~Copyable {
    private var origins: [Origin] = []
    private var buffer: ByteBuffer
    /// What tells the origin of the last answer from others.
    private var latest = ByteKey([])
    private var latestOrigin: UInt32 = 0
    private var known: [ByteKey: UInt32] = [:]
    private var repeated = RepeatedValues()

    /// The room from which on texts stay in the file, in bytes: some 200,000 answers of the usual length.
    private let limit: Int
    private static let usualLimit = 40 << 20
    /// The room for origins, which are many where a slow model was asked for a long time.
    private static let originLimit = 4_096
    /// The longest text, in bytes.
    private static let textLimit = 4_000

    /// Makes room for the answers of a file.
    ///
    /// - Parameters:
    ///   - fileSize: The size of the file in bytes.
    ///   - limit: The room from which on texts stay in the file, in bytes.
    init(fileSize: Int, limit: Int = Self.usualLimit) {
      self.limit = limit
      buffer = ByteBuffer(capacity: min(limit, fileSize / 4))
    }

    /// The answers that were kept.
    ///
    /// - Parameter frame: Makes what the answers of an origin have in common; nil where they have to
    ///   be read from their lines.
    /// - Returns: The answers, and what each origin's have in common.
    consuming func finish(_ frame: (Origin) -> Frame?) -> KeptAnswers {
      KeptAnswers(origins.map(frame), buffer)
    }

    /// Keeps the answer of a line whose digest fits.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - start: Where it starts in the file.
    /// - Returns: Where it is kept; nil where it is not, as it is unusual.
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
      // A text without bytes has no place in the file.
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

    /// The parts of a line that decide an answer, found by going over the line once.
    private struct Parts {
      // As they stand in the line.
      var source = UnsafeRawBufferPointer(start: nil, count: 0)
      var recorded = UnsafeRawBufferPointer(start: nil, count: 0)
      var frame = UnsafeRawBufferPointer(start: nil, count: 0)
      var completion: PlainCompletion?
      /// In milliseconds, not a number where they are not known.
      var timings = (connect: Double.nan, tls: Double.nan, firstByte: Double.nan, total: Double.nan)
      private var hasStatus = false
      private var hasTimings = false

      /// Nil where one is missing, stands there twice, or something unusual is with them.
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

      /// Takes a value that was not taken before, and returns where it ends.
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
          // Headers of its own, as an answer that was cut off or streamed, are unusual.
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

      /// Calls a closure with what decides the origin of an answer, part by part, until it returns false.
      @inline(__always)
      private func forEachPart(
        _ completion: PlainCompletion,
        _ body: (UnsafeRawBufferPointer) -> Bool
      ) -> Bool {
        func text(_ string: JSONReader.RawString?) -> UnsafeRawBufferPointer {
          UnsafeRawBufferPointer(string?.units ?? UnsafeBufferPointer(start: nil, count: 0))
        }
        // No text that is there is empty, but for the model.
        return body(source) && body(recorded) && body(frame)
          && body(text(completion.finishReason)) && body(text(completion.model))
      }

      /// What tells the origin from others: the parts, each with a line break after it, as no line has
      /// one.
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

      /// Whether the origin is the one of a key.
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

    /// Stands for a count that is not known.
    fileprivate static let unknown = UInt32.max

    /// A count as it is kept; nil where it is too large for that.
    private static func kept(_ count: Int?) -> UInt32? {
      guard let count else { return unknown }
      return count < Int(unknown) ? UInt32(count) : nil
    }
  }
}
