/// Texts that have a special meaning for a terminal, a log, a parser or a code hosting service.
package enum HostileText {
  package static let all: [String] = [
    "", " ", "a b", "\u{0}\u{1}\u{8}\u{B}\u{C}\u{E}\u{1F}\u{7F}\u{85}\u{9F}", "\r\n\t\n",
    "]]>", "<![CDATA[x]]>", "&amp;&#0;&lt;", "<failure message=\"x\"/>", "\"'", "🙂👩‍👩‍👧‍👦❤️",
    "\u{FFFD}\u{FFFE}\u{FFFF}\u{1FFFE}\u{10FFFF}", "\u{202E}\u{2066}\u{200B}\u{FEFF}",
    "\u{2028}\u{2029}", "\u{1B}[31mred\u{1B}[0m \u{1B}]8;;https://evil.test\u{7}x", "`",
    "``` \n```",
    "a`b``c", "|a|b|", "\\", "**bold** _it_ ~~s~~ $x$", "<b>@team</b>", "@team fixes #1 GH-1",
    "![x](https://evil.test/x.png)", "[x](javascript:alert(1))", "<img src=x onerror=alert(1)>",
    "</details><script>alert(1)</script>", "<!-- sluice-report -->", "# heading\n- item\n> quote",
    "::error file=x::boo", "x\n::error::boo", "x ::stop-commands::y", "##[error]boo",
    "x ##[group]y", "x ##vso[task.complete]y", "e\u{301}日本語العربية", "--------", "1. a\n\n    code",
  ]
}
