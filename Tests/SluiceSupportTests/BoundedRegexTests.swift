import Testing

@testable import SluiceSupport

@Suite("Bounded regular expressions")
struct BoundedRegexTests {
  @Test(
    "The first match follows Perl's syntax",
    arguments: [
      (#"b+"#, "abbbc", "bbb"),
      (#"^\d{4}-\d\d"#, "2026-11-21", "2026-11"),
      (#"a|ab"#, "xab", "a"),
      (#"(?<=€)\d+"#, "for €25 each", "25"),
      (#"x*"#, "abc", ""),
      (#"(\w)\1"#, "hello", "ll"),
      (#"foo\Kbar"#, "foobar", "bar"),
      (#""#, "", ""),
      (#"^b$"#, "b", "b"),
      (#"(?m)^b$"#, "a\r\nb\r\nc", "b"),
      (#"(?s)a.*z"#, "a\nz", "a\nz"),
    ]
  )
  func firstMatches(pattern: String, text: String, expected: String) throws {
    let range = try #require(try BoundedRegex(pattern).firstMatch(in: text))
    #expect(text[range] == expected)
    #expect(try BoundedRegex(pattern).matches(text))
  }

  @Test(
    "A text without the pattern has no match",
    arguments: [
      (#"a"#, ""), (#"A"#, "a"), (#"^b"#, "ab"), (#"a.z"#, "a\nz"), (#"\bin\b"#, "find"),
      (#"\bna\b"#, "naïve"),
    ]
  )
  func noMatch(pattern: String, text: String) throws {
    #expect(try BoundedRegex(pattern).firstMatch(in: text) == nil)
    #expect(try !BoundedRegex(pattern).matches(text))
  }

  @Test(
    "Matching, counting and case folding work on characters, not bytes",
    arguments: [
      (#"^.$"#, "é", "é"),
      (#"^.{3}$"#, "日本語", "日本語"),
      (#"\w+"#, "¡señor!", "señor"),
      (#"😀+"#, "a😀😀b", "😀😀"),
      (#"(?<=ß)."#, "Straße", "e"),
      (#"\p{Greek}+"#, "abγδε", "γδε"),
      ("e\u{301}", "cafe\u{301}s", "e\u{301}"),
    ]
  )
  func unicode(pattern: String, text: String, expected: String) throws {
    let range = try #require(try BoundedRegex(pattern).firstMatch(in: text))
    #expect(text[range].unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  @Test("Letter case is ignored if the caller requests it")
  func ignoringCase() throws {
    let regex = try BoundedRegex("ÄRGER im büro", ignoringCase: true)
    #expect(try regex.matches("Kein ärger IM BÜRO!"))
    #expect(try !BoundedRegex("ÄRGER im büro").matches("Kein ärger IM BÜRO!"))
  }

  @Test(
    "An invalid pattern is an error with its position and reason",
    arguments: [
      ("a(b", 3, "missing closing parenthesis"),
      ("a)b", 1, "unmatched closing parenthesis"),
      ("*a", 0, "quantifier does not follow a repeatable item"),
      ("ü😀[a", 4, "missing terminating ] for character class"),
      ("[z-a]", 3, "range out of order in character class"),
      (#"é(?<n>a)\k<m>"#, 11, "reference to non-existent subpattern"),
      (#"a\"#, 2, #"\ at end of pattern"#),
      (#"a\Cb"#, 3, #"using \C is disabled by the application"#),
    ]
  )
  func badPattern(pattern: String, offset: Int, message: String) {
    #expect(throws: BoundedRegex.PatternError(offset: offset, message: message)) {
      try BoundedRegex(pattern)
    }
  }

  @Test(
    "A pattern with excessive backtracking is given up, not reported as a mismatch",
    arguments: [
      #"(a+)+$"#, #"(a*)*[bc]"#, #"^(?:a|aa)+$"#, #"(?:a?){40}a{40}[bc]"#, #"(.*)*\d"#, #"(a|a)*$"#,
    ]
  )
  func tooExpensive(pattern: String) throws {
    let regex = try BoundedRegex(pattern)
    let text = String(repeating: "a", count: 5000) + "!"
    let elapsed = ContinuousClock().measure {
      #expect(throws: BoundedRegex.TooExpensive()) { try regex.matches(text) }
      #expect(throws: BoundedRegex.TooExpensive()) { try regex.firstMatch(in: text) }
    }
    #expect(elapsed < .seconds(5))
  }

  @Test("A search that was given up is described as too expensive")
  func description() {
    #expect(String(describing: BoundedRegex.TooExpensive()) == "pattern too expensive")
  }

  @Test("A pattern with endless recursion is given up")
  func endlessRecursion() throws {
    let regex = try BoundedRegex("(?:(?1)|x)(a(?1)*b?|a)+$")
    #expect(throws: BoundedRegex.TooExpensive()) {
      try regex.matches(String(repeating: "a", count: 5000) + "!")
    }
  }

  @Test("A pattern cannot raise its own limits")
  func ownLimits() throws {
    let regex = try BoundedRegex("(*LIMIT_MATCH=4000000000)(a+)+$")
    #expect(throws: BoundedRegex.TooExpensive()) {
      try regex.matches(String(repeating: "a", count: 5000) + "!")
    }
  }

  @Test("A repeated group on a long text does not overflow the stack")
  func longText() throws {
    let text = String(repeating: "ab", count: 50_000)
    let range = try #require(try BoundedRegex("(a|b)*").firstMatch(in: text))
    #expect(range == text.startIndex..<text.endIndex)
  }

  @Test("Threads can share a pattern, and one that gives up does not affect the others")
  func threads() async throws {
    let word = try BoundedRegex(#"\b(\w+)ing\b"#)
    let bad = try BoundedRegex("(a+)+$")
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<16 {
        group.addTask {
          (0..<20).allSatisfy { round in
            let text = String(repeating: "é", count: task * round) + " matching \(task)"
            guard let range = try? word.firstMatch(in: text) else { return false }
            let isGivenUp = (try? bad.matches(String(repeating: "a", count: 2000) + "!")) == nil
            return text[range] == "matching" && isGivenUp
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test(
    "A group captures its part of the first or last match, or nothing if it has none",
    arguments: [
      ("(a)|b", 1, "ab", "a", nil), ("(a)|b", 1, "b", nil, nil), ("(a)|(b)", 2, "ab", nil, "b"),
      ("[0-9]+", 0, "1 é 22", "1", "22"), ("x*", 0, "é🙂", "", ""), ("x", 0, "", nil, nil),
      ("(?=(é))", 1, "éaé", "é", "é"), ("a\\Kb", 0, "abab", "b", "b"), ("$", 0, "a\n", "", ""),
    ] as [(String, Int, String, String?, String?)]
  )
  func capture(_ row: (String, Int, String, String?, String?)) throws {
    let (pattern, group, text, first, last) = row
    let regex = try BoundedRegex(pattern)
    #expect(regex.groupCount >= group)
    #expect(try regex.capture(group, in: text, isLast: false) == first)
    #expect(try regex.capture(group, in: text, isLast: true) == last)
  }
}
