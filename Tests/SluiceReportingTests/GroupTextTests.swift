import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
import Testing

@Suite("Figures by group")
struct GroupTextTests {
  private var table: GroupTable {
    let trials = [
      StatisticsTrials.trial("a", tags: ["short"]),
      StatisticsTrials.trial("b", .failed, tags: ["short", "a|b"]),
      StatisticsTrials.trial("c", tags: ["<long>"]), StatisticsTrials.trial("d"),
      StatisticsTrials.trial("e", .unjudged, tags: ["short"]),
    ]
    return GroupTable(.tag, trials, metrics: SuiteMetrics([]).quality) { $0.tags }
  }

  @Test("A case counts for each of its tags, and groups are sorted by name")
  func groups() {
    #expect(table.groups.map(\.name) == ["<long>", "a|b", "short"])
    #expect(table.groups.map(\.caseCount) == [1, 1, 3])
    #expect(table.groups.map { $0.metrics[0].estimate.value } == [1, 0, 0.5])
  }

  @Test("A terminal shows the accuracy of each group with its interval and n")
  func terminal() {
    #expect(
      GroupText.terminal(table, limit: 2, TerminalStyle(isColored: false)) == [
        "  accuracy by tag:",
        "    <long>                    100.0% [20.7%, 100.0%]   n 1",
        "    a|b                       0.0% [0.0%, 79.3%]       n 1",
        "    and 1 more, in the report",
      ]
    )
  }

  @Test("Markdown and HTML have a table of all figures with escaped names")
  func tables() {
    #expect(
      GroupText.table(table).markdown == #"""
        | tag | cases | accuracy | unusable-rate |
        | --- | --- | --- | --- |
        | &lt;long&gt; | 1 | 100.0% \[20.7%, 100.0%\] | 0.0% \[0.0%, 79.3%\] |
        | a\|b | 1 | 0.0% \[0.0%, 79.3%\] | 0.0% \[0.0%, 79.3%\] |
        | short | 3 | 50.0% \[9.5%, 90.5%\] of 2 | 0.0% \[0.0%, 56.1%\] |

        """#
    )
    let html = GroupText.html(table)
    #expect(html.contains("<th scope=\"row\">&lt;long&gt;</th><td class=\"num\">1</td>"))
    #expect(html.contains("<summary>Figures by tag</summary>"))
  }
}
