"use strict";

const memory = (values = {}) => ({ getItem: key => values[key] ?? null, setItem: (key, value) => { values[key] = value; }, values });

rule("A mark can be stored, found and removed", () => {
  const storage = memory();
  expectEqual(createMarks(storage).set("s/p/b/c/1", "ab", "scorer"), true);
  const marks = createMarks(storage);
  expectEqual(marks.of("s/p/b/c/1", "ab"), "scorer");
  expectEqual(marks.addresses(), ["s/p/b/c/1"]);
  marks.set("s/p/b/c/1", "ab", null);
  expectEqual(createMarks(storage).of("s/p/b/c/1", "ab"), null);
});

rule("A mark is about one answer, not about the next one to the same case", () => {
  const marks = createMarks(memory());
  marks.set("case", fingerprintOf("fan"), "real");
  expectEqual([marks.of("case", fingerprintOf("fan")), marks.of("case", fingerprintOf("spam"))], ["real", null]);
});

rule("Marks of another tab are not lost", () => {
  const storage = memory();
  const [one, two] = [createMarks(storage), createMarks(storage)];
  one.set("a", "1", "real");
  two.set("b", "2", "label");
  expectEqual(createMarks(storage).addresses(), ["a", "b"]);
});

rule("Missing storage, or foreign data in it, is not an error", () => {
  for (const storage of [null, memory({ "sluice-marks": "[1]" }), memory({ "sluice-marks": "{" }), memory({ "sluice-marks": '{"a":["other","1"],"b":7}' })]) {
    const marks = createMarks(storage);
    expectEqual([marks.of("a", "1"), marks.of("b", "1"), marks.of("toString", "1")], [null, null, null]);
    expectEqual(marks.set("a", "1", "real"), storage !== null);
    expectEqual(marks.of("a", "1"), "real");
  }
});

rule("A labels file is a file of outputs, and comes back", () => {
  const marks = [{ id: "a \"b\"", prompt: "v1", repeat: 1, mark: "real" }, { id: "ü", prompt: "v2", repeat: 3, mark: "label" }];
  const file = labelsFile(marks);
  expectEqual(file, '{"id":"a \\"b\\"","prompt":"v1","text":"real"}\n{"id":"ü","prompt":"v2","repeat":3,"text":"label"}\n');
  expectEqual(readLabels(file), marks);
  expectEqual(readLabels(""), []);
});

rule("A file that is not a labels file is reported with the line", () => {
  const fault = text => { try { readLabels(text); return null; } catch (error) { return error.message; } };
  expectEqual(fault("x"), "line 1 is not JSON");
  expectEqual(fault('\n{"id":"a"}'), "line 2 has no id and prompt");
  expectEqual(fault('{"id":"a","prompt":"v1","text":"fan"}'), "line 1: 'text' is not real, scorer or label");
  expectEqual(fault("null"), "line 1 has no id and prompt");
});

rule("Names of files have no characters that a disk refuses", () => expectEqual(labelsFileName("a/b: c", "x"), "labels-a_b_c-x.jsonl"));
