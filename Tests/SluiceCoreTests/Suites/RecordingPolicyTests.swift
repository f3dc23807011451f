import SampleProjects
import Sluice
import Testing

@Suite("Age of recordings")
struct RecordingPolicyTests {
  @Test(
    "A duration is a number of days from 1 to 36500",
    arguments: [
      ("90 days", 90), ("1 day", 1), ("1 days", 1), ("90d", 90), ("90 d", 90), ("90   days", 90),
      ("36500 days", 36_500), ("007 days", 7), ("36501 days", nil), ("0 days", nil), ("90", nil),
      ("days", nil), ("", nil), ("-1 days", nil), ("1.5 days", nil), ("90 Days", nil),
      ("90 days ", nil), (" 90 days", nil), ("2 weeks", nil), ("90 daysx", nil), ("٩٠ days", nil),
      ("99999999999999999999 days", nil), ("1e2 days", nil), ("90\tdays", nil),
    ] as [(String, Int?)]
  )
  func durations(text: String, days: Int?) {
    #expect(RecordingPolicy.days(text) == days)
  }

  @Test(
    "A day is converted to its start in UTC",
    arguments: [
      ("2026-11-21", "2026-11-21T00:00:00Z"), ("2026-02-29", nil), ("2026-1-1", nil), ("", nil),
      ("2026-11-21T12:00:00Z", nil), ("today", nil),
    ] as [(String, String?)]
  )
  func days(text: String, moment: String?) {
    #expect(Timestamp(day: text)?.iso8601 == moment)
  }

  @Test("Ages are counted back from now in days")
  func moments() {
    let policy = RecordingPolicy(warnAfter: 1, expireAfter: 365)
    #expect(policy.warnsBefore(RecordingProject.date)?.iso8601 == "2026-11-20T12:00:19Z")
    #expect(policy.expiresBefore(RecordingProject.date)?.iso8601 == "2025-11-21T12:00:19Z")
    #expect(RecordingPolicy().warnsBefore(RecordingProject.date) == nil)
    #expect(RecordingPolicy().expiresBefore(RecordingProject.date) == nil)
  }

  /// Returns the report for a project whose configuration ends with this text.
  private func report(_ text: String) -> String { project(text).report() }

  private func project(_ text: String) -> ProjectFixture {
    let path = ProjectFixture.configuration
    return ProjectFixture().adding([path: (ProjectFixture().files[path] ?? "") + text + "\n"])
  }

  @Test(
    "The project sets the ages for warnings and for expiry",
    arguments: [
      ("", RecordingPolicy()),
      ("recordings: {warn-after: 60 days}", RecordingPolicy(warnAfter: 60)),
      ("recordings: {expire-after: 1 day}", RecordingPolicy(expireAfter: 1)),
      (
        "recordings: {warn-after: 60 days, expire-after: 61d}",
        RecordingPolicy(warnAfter: 60, expireAfter: 61)
      ),
    ]
  )
  func read(text: String, policy: RecordingPolicy) {
    #expect(report(text) == "")
    #expect(project(text).load().suites.first?.plan.recordings == policy)
  }

  @Test(
    "A duration that is not a number of days is an error with an example",
    arguments: [
      ("90", "warn-after"), ("2 weeks", "warn-after"), ("0 days", "expire-after"),
      ("[1]", "expire-after"), ("true", "warn-after"),
    ]
  )
  func wrongDuration(text: String, key: String) {
    #expect(
      report("recordings: {\(key): \(text)}") == """
        sluice.yaml:7:\(16 + key.count): error: '\(key)' must be a number of days, from 1 to 36500
          7 | recordings: {\(key): \(text)}
            | \(String(repeating: " ", count: 15 + key.count))^
          fix: write, for example, '\(key): 90 days'

        """
    )
  }

  @Test("'warn-after' must be shorter than 'expire-after'", arguments: [60, 30])
  func lateWarning(expires: Int) {
    #expect(
      report("recordings:\n  warn-after: 60 days\n  expire-after: \(expires) days") == """
        sluice.yaml:8:15: error: 'warn-after' must be less than 'expire-after'
          8 |   warn-after: 60 days
            |               ^

        """
    )
  }

  @Test("Unknown keys and other types of values are errors")
  func wrongKeys() {
    #expect(
      report("recordings: {expires-after: 9 days}") == """
        sluice.yaml:7:14: error: unknown key 'expires-after' in 'recordings'
          7 | recordings: {expires-after: 9 days}
            |              ^
          fix: did you mean 'expire-after'?

        """
    )
    #expect(
      report("recordings: 90 days") == """
        sluice.yaml:7:13: error: 'recordings' must be a mapping, not a text
          7 | recordings: 90 days
            |             ^

        """
    )
  }
}
