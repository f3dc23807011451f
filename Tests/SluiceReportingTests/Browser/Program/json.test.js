"use strict";

const textOf = parts => parts === null ? null : parts.map(part => part[1]).join("");

rule("JSON has a line for each member, and short values stay on one", () => {
  expectEqual(textOf(prettyJSON('{"kind":"fan","notes":["a","b"],"empty":{}}')), '{\n  "kind": "fan",\n  "notes": ["a", "b"],\n  "empty": {}\n}');
  expectEqual(prettyJSON('{"a":1}'), [["", "{\n  "], ["key", '"a"'], ["", ": "], ["word", "1"], ["", "\n}"]]);
});

rule("Long lists have a line for each item", () => {
  const pretty = textOf(prettyJSON(JSON.stringify({ a: ["x".repeat(40), "y".repeat(40)] })));
  expectEqual(pretty.split("\n").length, 6);
});

rule("Numbers and texts stay as they are written", () => {
  expectEqual(textOf(prettyJSON('{"n": 12345678901234567890.10, "t": "\\u00e9\\n\\"", "n": 1e2}')), '{\n  "n": 12345678901234567890.10,\n  "t": "\\u00e9\\n\\"",\n  "n": 1e2\n}');
});

rule("Text that is not JSON is not formatted as JSON", () => {
  for (const text of ["", "fan", "12", '"a"', "{", '{"a":1} and more', "[1, 2", "{a: 1}", "```json\n{}\n```"]) {
    expectEqual(prettyJSON(text), null);
    expectEqual(compactJSON(text), null);
  }
});

rule("JSON that is nested too deeply stays unchanged", () => expectEqual(prettyJSON("[".repeat(100) + "]".repeat(100)), null));

rule("A cell has names and values without punctuation", () => {
  expectEqual(textOf(compactJSON('{"kind":"fan","who":{"id":"ana"},"list":[1,"b"],"none":null,"e":[]}')), "kind: fan · who: id: ana · list: 1; b · none: null · e: []");
  expectEqual(compactJSON('{"a":"b"}'), [["key", "a: "], ["", "b"]]);
});

rule("Messages of a conversation are found in lists of them alone", () => {
  expectEqual(conversationOf('[{"role":"user","content":"hi"},{"from":{"id":"ana"},"text":"ho","sent":"9:00"}]'), [["user", "hi", ""], ["ana", "ho", "sent 9:00"]]);
  for (const text of ["[]", '["a"]', '[{"role":"user"}]', '{"role":"user","content":"hi"}', "hi"]) expectEqual(conversationOf(text), null);
});

rule("Marks lie over kinds wherever both are cut", () => {
  expectEqual(overlaid([["key", "a: "], ["", "bc"]], [["", "a"], ["ins", ": b"], ["", "c"]]), [["key", "", "a"], ["key", "ins", ": "], ["", "ins", "b"], ["", "", "c"]]);
});
