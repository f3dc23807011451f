import CPCRE2

/// A regular expression with bounded search effort, using the system's PCRE2.
///
/// The expression is compiled once and shared by all threads. It is compiled to machine code if the
/// system allows that. `\w`, `\d` and `\b` are Unicode-aware, and a line ends at a line feed, a
/// carriage return or both.
package struct BoundedRegex: Sendable {
  /// An error in a pattern, with its position.
  package struct PatternError: Error, Hashable {
    /// The offset in Unicode scalars from the start of the pattern.
    package var offset: Int
    package var message: String
  }

  /// The maximum number of matches that are counted.
  ///
  /// Only very large texts with matches of one or two bytes have more matches.
  static let maximumCount = 10_000_000
  /// The search exceeded a limit, so it is unknown whether the text matches.
  package struct TooExpensive: Error, Hashable, CustomStringConvertible {
    package var description: String { "pattern too expensive" }
  }

  /// The maximum number of steps of a search from one position of the text.
  ///
  /// A search with so many steps takes a few milliseconds. Only patterns that try the same text
  /// again and again need more steps.
  static let maximumSteps: UInt32 = 1_000_000
  /// The maximum memory of a search, in bytes.
  static let maximumMemory = 64 << 20
  /// The maximum stack of a compiled pattern, in bytes.
  ///
  /// With the default of 32 KB, `(a|b)*` runs out of stack after 10,000 characters.
  static let maximumStack = 8 << 20

  package let pattern: String
  private let code: Code

  /// Compiles a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern in Perl's syntax, except for `\C`, which would split characters.
  ///   - ignoringCase: True to ignore case.
  /// - Throws: ``PatternError`` if PCRE2 rejects the pattern.
  package init(_ pattern: String, ignoringCase: Bool = false) throws(PatternError) {
    self.pattern = pattern
    code = try Code.compile(pattern, ignoringCase: ignoringCase).get()
  }

  /// Returns a pattern that matches exactly the given text.
  package static func quoted(_ text: String) -> String {
    var pattern = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      if scalar.isASCII, !isWord, scalar.value >= 0x20 { pattern.append("\\") }
      pattern.append(scalar)
    }
    return String(pattern)
  }

  /// Returns true if the pattern matches anywhere in a text.
  package func matches(_ text: String) throws(TooExpensive) -> Bool {
    try code.search(text).get() != nil
  }

  /// The number of groups of the pattern.
  package var groupCount: Int { code.groupCount }

  /// Returns the contents of a group in the first or last match.
  ///
  /// - Parameters:
  ///   - group: The number of the group, 0 for the whole match.
  ///   - text: The text to search.
  ///   - isLast: True for the last match, false for the first.
  /// - Returns: The text of the group; nil if the pattern does not match, or the group is not part
  ///   of the match.
  /// - Throws: ``TooExpensive`` if the search exceeded its limits.
  package func capture(_ group: Int, in text: String, isLast: Bool) throws(TooExpensive) -> String?
  {
    try code.capture(group, text, isLast: isLast).get()
  }

  /// Returns the contents of all groups of each match, in order.
  ///
  /// The first element of a match is the whole match. A group that is not part of the match is nil.
  ///
  /// - Throws: ``TooExpensive`` if the search exceeded its limits.
  package func groups(in text: String) throws(TooExpensive) -> [[String?]] {
    var matches: [[String?]] = []
    try code.forEachMatch(text) { units, offsets in
      matches.append((0...groupCount).map { Code.contents(of: $0, units, offsets) })
      return true
    }.get()
    return matches
  }

  /// Returns the number of nonoverlapping matches.
  ///
  /// - Throws: ``TooExpensive`` if the search exceeded its limits.
  package func count(in text: String) throws(TooExpensive) -> Int {
    let count = try code.count(text).get()
    if count >= Self.maximumCount { throw TooExpensive() }
    return count
  }

  /// Returns the range of the first match.
  package func firstMatch(in text: String) throws(TooExpensive) -> Range<String.Index>? {
    guard let offsets = try code.search(text).get() else { return nil }
    let lower = text.utf8.index(text.startIndex, offsetBy: offsets.lowerBound)
    return lower..<text.utf8.index(lower, offsetBy: offsets.count)
  }
}

extension BoundedRegex {
  private final class Code: @unchecked Sendable {
    // Safe to share: PCRE2 does not modify a compiled pattern.
    private let code: OpaquePointer

    private init(_ code: OpaquePointer) {
      self.code = code
      // If the system forbids machine code, PCRE2 interprets the pattern.
      pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
    }

    deinit {
      pcre2_code_free_8(code)
    }

    static func compile(_ pattern: String, ignoringCase: Bool) -> Result<Code, PatternError> {
      // Sets the line ending, because PCRE2's default depends on how the library was built.
      let context = pcre2_compile_context_create_8(nil)
      defer { pcre2_compile_context_free_8(context) }
      pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANYCRLF))

      var options = PCRE2_UTF | PCRE2_UCP | PCRE2_NO_UTF_CHECK | PCRE2_NEVER_BACKSLASH_C
      if ignoringCase { options |= PCRE2_CASELESS }
      var error: CInt = 0
      var offset = 0
      var pattern = pattern
      return pattern.withUTF8 { units in
        if let code = pcre2_compile_8(
          units.baseAddress,
          units.count,
          options,
          &error,
          &offset,
          context
        ) {
          return .success(Code(code))
        }
        let before = units.prefix(offset).count { $0 & 0xC0 != 0x80 }
        return .failure(PatternError(offset: before, message: message(of: error)))
      }
    }

    private static func message(of error: CInt) -> String {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { units in
        let length = pcre2_get_error_message_8(error, units.baseAddress, units.count)
        guard length >= 0 else { return "not a regular expression (\(error))" }
        return String(decoding: units.prefix(Int(length)), as: UTF8.self)
      }
    }

    var groupCount: Int {
      var count: UInt32 = 0
      pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_CAPTURECOUNT), &count)
      return Int(count)
    }

    func capture(_ group: Int, _ text: String, isLast: Bool) -> Result<String?, TooExpensive> {
      var found: String?
      return forEachMatch(text) { units, offsets in
        found = Self.contents(of: group, units, offsets)
        return isLast
      }.map { found }
    }

    static func contents(
      of group: Int,
      _ units: UnsafeBufferPointer<UInt8>,
      _ offsets: UnsafeMutablePointer<Int>
    ) -> String? {
      let (low, high) = (offsets[2 * group], offsets[2 * group + 1])
      // A group that is not part of the match has negative offsets.
      return low >= 0 && low <= high ? String(decoding: units[low..<high], as: UTF8.self) : nil
    }

    func count(_ text: String) -> Result<Int, TooExpensive> {
      var count = 0
      return forEachMatch(text) { _, _ in
        count += 1
        return count < BoundedRegex.maximumCount
      }.map { count }
    }

    /// Calls a closure for each nonoverlapping match, until it returns false.
    func forEachMatch(
      _ text: String,
      _ body: (UnsafeBufferPointer<UInt8>, UnsafeMutablePointer<Int>) -> Bool
    ) -> Result<Void, TooExpensive> {
      var text = text
      return text.withUTF8 { units in
        BoundedRegex.scratch.withObject { scratch in
          let match = pcre2_match_data_create_from_pattern_8(code, nil)
          defer { pcre2_match_data_free_8(match) }
          var start = 0
          while start <= units.count {
            let result = pcre2_match_8(
              code,
              units.baseAddress,
              units.count,
              start,
              PCRE2_NO_UTF_CHECK,
              match,
              scratch.context
            )
            if result == PCRE2_ERROR_NOMATCH { break }
            guard result >= 0, let offsets = pcre2_get_ovector_pointer_8(match) else {
              return .failure(TooExpensive())
            }
            if !body(units, offsets) { break }
            if offsets[1] > start {
              start = offsets[1]
            } else {
              // After an empty match, the next search starts one character later.
              repeat { start += 1 } while start < units.count && units[start] & 0xC0 == 0x80
            }
          }
          return .success(())
        }
      }
    }

    /// Returns the range of the first match, in bytes.
    func search(_ text: String) -> Result<Range<Int>?, TooExpensive> {
      var text = text
      return text.withUTF8(search)
    }

    func search(_ units: UnsafeBufferPointer<UInt8>) -> Result<Range<Int>?, TooExpensive> {
      BoundedRegex.scratch.withObject { scratch in
        let result = pcre2_match_8(
          code,
          units.baseAddress,
          units.count,
          0,
          PCRE2_NO_UTF_CHECK,
          scratch.match,
          scratch.context
        )
        if result == PCRE2_ERROR_NOMATCH { return .success(nil) }
        // Other errors, such as endless recursion or lack of memory, do not mean that the text does
        // not match.
        guard result >= 0, let offsets = pcre2_get_ovector_pointer_8(scratch.match) else {
          return .failure(TooExpensive())
        }
        // `\K` can move the start of the match past its end.
        return .success(min(offsets[0], offsets[1])..<offsets[1])
      }
    }
  }

  private static let scratch = PerThread { Scratch() }

  /// The per-thread state of a search: limits, a stack and the match data.
  private final class Scratch {
    let context = pcre2_match_context_create_8(nil)
    /// The range of the whole match; groups are not needed here.
    let match = pcre2_match_data_create_8(1, nil)
    private let stack = pcre2_jit_stack_create_8(32 << 10, BoundedRegex.maximumStack, nil)

    init() {
      pcre2_set_match_limit_8(context, BoundedRegex.maximumSteps)
      pcre2_set_depth_limit_8(context, BoundedRegex.maximumSteps)
      pcre2_set_heap_limit_8(context, UInt32(BoundedRegex.maximumMemory >> 10))
      pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack))
    }

    deinit {
      pcre2_match_context_free_8(context)
      pcre2_match_data_free_8(match)
      pcre2_jit_stack_free_8(stack)
    }
  }
}
