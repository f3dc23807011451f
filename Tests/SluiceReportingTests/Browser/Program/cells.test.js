"use strict";

rule("A cell marks what another answer does not have", () => {
  expectEqual(markedCell("a b c", "a x c"), [["", "", "a "], ["", "ins", "b"], ["", "", " c"]]);
  expectEqual(markedCell("a b", "a b"), [["", "", "a b"]]);
  expectEqual(markedCell("a b", null), [["", "", "a b"]]);
});

rule("JSON is compared by its values", () => {
  expectEqual(markedCell('{"kind":"spam"}', '{ "kind": "fan" }'), [["key", "", "kind: "], ["", "ins", "spam"]]);
  expectEqual(markedCell('{"kind":"fan"}', '{ "kind": "fan" }'), [["key", "", "kind: "], ["", "", "fan"]]);
});

rule("A long answer starts shortly before the first difference", () => {
  const parts = markedCell("word ".repeat(100) + "new end", "word ".repeat(100) + "old end");
  expectEqual(parts[0], ["", "", "… "]);
  expectEqual(parts[1][2].length, 40);
  expectEqual(parts[2], ["", "ins", "new"]);
});

rule("A cell has as much text as can be seen", () => {
  expectEqual(markedCell("x".repeat(10_000), null).map(part => part[2].length), [320]);
});

rule("A question is the longest text of the input, or the last message of a conversation", () => {
  expectEqual(questionParts([["sent", "2026-11-26T11:35:00"], ["talk", '[{"role":"user","content":"Hi"},{"role":"ana","content":"Ho ho"}]']]), [["key", "ana: "], ["", "Ho ho"]]);
  expectEqual(questionParts([["sent", "9:00"], ["message", "Can you\nfix it?"], ["list", "[1, 2, 3, 4, 5, 6, 7, 8, 9]"]]), [["", "Can you fix it?"]]);
  expectEqual(questionParts([["list", '["a"]']]), [["", "a"]]);
  expectEqual(questionParts([]), []);
});

rule("A single expectation needs no name, several have theirs", () => {
  expectEqual(fieldParts([["kind", "fan"]]), [["", "fan"]]);
  expectEqual(fieldParts([["kind", "fan"], ["n", "1"]]), [["key", "kind: "], ["", "fan"], ["", " · "], ["key", "n: "], ["", "1"]]);
});
