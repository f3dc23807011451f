"use strict";

rule("Characters that hide or turn a line are shown by their number", () => {
  expectEqual(visible("a\u202Eb\u0000c\u200Bd\u{1F600}"), "a⟨U+202E⟩b⟨U+0000⟩c⟨U+200B⟩d\u{1F600}");
  expectEqual(visible("tab\tand\nline"), "tab\tand\nline");
});

rule("Counts have separators, and nouns their plural", () => {
  expectEqual(plural(1, "case"), "1 case");
  expectEqual(plural(0, "case"), "0 cases");
  expectEqual(plural(12345, "case"), "12,345 cases");
});

rule("Times have the unit that reads best", () => {
  expectEqual([null, 0.5, 9.99, 10, 999, 1000, 61_234].map(timeText), ["unknown", "0.50 ms", "9.99 ms", "10 ms", "999 ms", "1.00 s", "61.23 s"]);
});

rule("Amounts of money have as many decimals as tell them apart", () => {
  expectEqual([null, 0, 12.345, 0.25, 0.0004, 0.0000004].map(moneyText), ["unknown", "$0.00000", "$12.35", "$0.25000", "$0.000400", "$0.000000400"]);
});

rule("A search is split into words in lower case", () => {
  expectEqual(wordsOf("  CASE-10\tSpam "), ["case-10", "spam"]);
  expectEqual(wordsOf(" "), []);
});
