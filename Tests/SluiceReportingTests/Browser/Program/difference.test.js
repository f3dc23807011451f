"use strict";

rule("Equal texts have no marks", () => {
  expectEqual(markedDifference("a b", "a b"), [[["", "a b"]], [["", "a b"]]]);
  expectEqual(markedDifference("", ""), [[], []]);
});

rule("Words that only one text has are marked in it", () => {
  expectEqual(markedDifference("the red fox", "the blue fox"), [
    [["", "the "], ["del", "red"], ["", " fox"]], [["", "the "], ["ins", "blue"], ["", " fox"]],
  ]);
  expectEqual(markedDifference("", "new"), [[], [["ins", "new"]]]);
  expectEqual(markedDifference("gone", ""), [[["del", "gone"]], []]);
});

rule("Both texts are complete whatever is marked", () => {
  const texts = ["", "a", "a b c d", "b c e", "日本 語, a b", "{\"a\": 1}", "{\"a\": 2, \"b\": 1}", "  c   a "];
  for (const before of texts) {
    for (const after of texts) {
      const [left, right] = markedDifference(before, after);
      expectEqual(left.map(part => part[1]).join(""), before);
      expectEqual(right.map(part => part[1]).join(""), after);
    }
  }
});

rule("Texts that would take long to compare are not compared", () => {
  const [a, b] = ["a ".repeat(3_000), "b ".repeat(3_000)];
  expectEqual(markedDifference(a, b), null);
  expectEqual(markedDifference("a b c", "d e f", 8), null);
});
