import CPCRE2

/// A regular expression whose search cannot run away, over the system's PCRE2.
///
/// Compiled once, to machine code where the system allows it, and shared by all threads. `\w`, `\d`
/// and `\b` know Unicode, and a line ends at a line feed, a carriage return or both.
package struct BoundedRegex: Sendable {
  /// What is wrong with a pattern, and where.
  package struct PatternError: Error, Hashable {
    /// The offset in Unicode scalars from the start of the pattern.
    package var offset: Int
    package var message: String
  }

  /// The number of matches that are counted; in a longer list each took no more than a byte or two.
  static let maximumCount = 10_000_000
  /// The search was given up because it took too many steps: whether the text matches is not known.
  package struct TooExpensive: Error, Hashable, CustomStringConvertible {
    package var description: String { "pattern too expensive" }
  }

  /// How many steps a search may take from one place of the text.
  ///
  /// Some milliseconds; more than any pattern needs that does not try the same text over and over.
  static let maximumSteps: UInt32 = 1_000_000
  /// How much memory a search may take.
  static let maximumMemory = 64 << 20
  /// How much memory a compiled pattern may use as its stack; the 32 KB that it has by default are
  /// used up by `(a|b)*` after 10,000 characters.
  static let maximumStack = 8 << 20

  package let pattern: String
  private let code: Code

  /// Compiles a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern in Perl's syntax, except `\C`, which tears characters apart.
  ///   - ignoringCase: Whether upper and lower case are the same.
  /// - Throws: ``PatternError`` for what PCRE2 refuses.
  package init(_ pattern: String, ignoringCase: Bool = false) throws(PatternError) {
    self.pattern = pattern
    code = try Code.compile(pattern, ignoringCase: ignoringCase).get()
  }

  /// Returns a pattern that matches a text as it is.
  package static func quoted(_ text: String) -> String {
    var pattern = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      if scalar.isASCII, !isWord, scalar.value >= 0x20 { pattern.append("\\") }
      pattern.append(scalar)
    }
    return String(pattern)
  }

  /// Whether the pattern occurs anywhere in a text.
  package func matches(_ text: String) throws(TooExpensive) -> Bool {
    try code.search(text).get() != nil
  }

  /// The number of groups of the pattern.
  package var groupCount: Int { code.groupCount }

  /// Returns what a group holds where the pattern occurs.
  ///
  /// - Parameters:
  ///   - group: The number of the group, 0 for the whole.
  ///   - text: The text that is searched.
  ///   - isLast: True for the last place, false for the first.
  /// - Returns: The text of the group; nil where the pattern does not occur, or the group has no part in it.
  /// - Throws: ``TooExpensive`` when the search was given up.
  package func capture(_ group: Int, in text: String, isLast: Bool) throws(TooExpensive) -> String?
  {
    try code.capture(group, text, isLast: isLast).get()
  }

  /// Returns the number of places where the pattern occurs, of which none overlap.
  ///
  /// - Throws: ``TooExpensive`` when the search was given up.
  package func count(in text: String) throws(TooExpensive) -> Int {
    let count = try code.count(text).get()
    if count >= Self.maximumCount { throw TooExpensive() }
    return count
  }

  /// Returns the first place of a text where the pattern occurs.
  package func firstMatch(in text: String) throws(TooExpensive) -> Range<String.Index>? {
    guard let offsets = try code.search(text).get() else { return nil }
    let lower = text.utf8.index(text.startIndex, offsetBy: offsets.lowerBound)
    return lower..<text.utf8.index(lower, offsetBy: offsets.count)
  }
}

extension BoundedRegex {
  private final class Code: @unchecked Sendable {
    // Safe to share: PCRE2 does not change a pattern once it is compiled.
    private let code: OpaquePointer

    private init(_ code: OpaquePointer) {
      self.code = code
      // Without machine code, where the system forbids it, PCRE2 interprets the pattern.
      pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
    }

    deinit {
      pcre2_code_free_8(code)
    }

    static func compile(_ pattern: String, ignoringCase: Bool) -> Result<Code, PatternError> {
      // The default end of a line is chosen when the library is built.
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
        let (low, high) = (offsets[2 * group], offsets[2 * group + 1])
        // A group without a part in the match has offsets below zero.
        found =
          low >= 0 && low <= high ? String(decoding: units[low..<high], as: UTF8.self) : nil
        return isLast
      }.map { found }
    }

    func count(_ text: String) -> Result<Int, TooExpensive> {
      var count = 0
      return forEachMatch(text) { _, _ in
        count += 1
        return count < BoundedRegex.maximumCount
      }.map { count }
    }

    /// Passes each match that does not overlap an earlier one, until the body returns false.
    private func forEachMatch(
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
              // The next search starts a whole character behind an empty match.
              repeat { start += 1 } while start < units.count && units[start] & 0xC0 == 0x80
            }
          }
          return .success(())
        }
      }
    }

    /// Returns where the pattern first occurs, in bytes.
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
        // Beside the limits there is endless recursion, and memory that ran out; whatever it is, it
        // does not say that the text does not match.
        guard result >= 0, let offsets = pcre2_get_ovector_pointer_8(scratch.match) else {
          return .failure(TooExpensive())
        }
        // `\K` can put the start behind the end.
        return .success(min(offsets[0], offsets[1])..<offsets[1])
      }
    }
  }

  private static let scratch = PerThread { Scratch() }

  /// What a search needs to itself: the limits, a stack and a place for the result.
  private final class Scratch {
    let context = pcre2_match_context_create_8(nil)
    /// One range: only the whole match is asked for, whatever groups a pattern has.
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
