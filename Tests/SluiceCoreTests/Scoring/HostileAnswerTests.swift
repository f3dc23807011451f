import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Hostile answers")
struct HostileAnswerTests {
  private static let parts = [
    "<a>", "<a", "<!--", "<a><![CDATA[", "<a><!--", "<a ='", "<a =\"", "<!doctype", "<?a", "&",
    "<a b='&",
    "</a>", "<p>", "<script>", "a. ", "- ", "1. ", "\n", ".", "{\"a\":", "[", "aaaa ", "é",
    "https://", "(",
  ]
  private static let checks = [
    "is-xml", "is-xml: [a.a.a]", "contains-xml", "contains-xml: [a.b]", "is-html", "contains-html",
    "character-count: 1", "sentence-count: 1", "valid-url", "valid-date", "valid-date: D MMMM YYYY",
    "occurrences: {text: a, at-least: 1}", "occurrences: {pattern: '(a|aa)+b', at-least: 1}",
    "expression: len(words(text)) < 3 and len(split(text, 'a')) < 3",
  ]

  @Test("No check hangs or crashes on a long answer", .timeLimit(.minutes(2)), arguments: parts)
  func long(_ part: String) {
    let text = String(repeating: part, count: 100_000 / part.utf8.count)
    // A negation only inverts the check's result, so one kind of answer is enough.
    let prefixes = part == Self.parts.first ? ["", "not-"] : [""]
    for check in Self.checks {
      for prefix in prefixes {
        let outcome = ScoringFixture("- \(prefix)\(check)").score(text)?.outcome
        #expect([.passed, .failed, .unscored].contains(outcome), "\(check)")
      }
    }
  }
}
