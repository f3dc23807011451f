"use strict";

// Three cases in two columns: [answer, outcome, flip] of each.
function sample() {
  const data = {
    kind: "run", names: ["text", "kind"], pieces: [], scorers: [], tags: ["short", "odd"], classes: ["fan", "spam"], splits: [],
    suites: [{ name: "s", columns: [{ key: "v1/b", name: "v1 on b", prompt: "v1", backend: "b" }, { key: "v2/b", name: "v2 on b", prompt: "v2", backend: "b" }] }],
  };
  const cases = [
    [0, "one", 1, [0], 0, -1, [0, "Hello there"], [1, "fan"]],
    [0, "two", 2, [0, 1], 1, -1, [0, "Buy now"], [1, "spam"]],
    [0, "three", 3, [], -1, -1, [0, "Why"], [1, "fan"]],
  ];
  const answers = [[["fan", 0, 0], ["fan", 0, 0]], [["spam", 0, 0], ["ham", 1, 1]], [["fan", 0, 2], ["fan", 0, 0]]];
  const trials = [0, 1].flatMap(column => answers.map((columns, place) => {
    const [answer, outcome, flip] = columns[column];
    const trial = [place, column, 1, outcome, flip, null, 10 * place + column, [], [[0, ["SYSTEM PROMPT"]]], answer, 0, null];
    trial[TRIAL.before] = flip ? [0, "other", "the baseline"] : null;
    trial[TRIAL.loss] = null;
    return trial;
  }));
  return readReport(data, cases, trials);
}
const find = (filter, chosen, words = [], more = {}) => filter.run({ chosen: new Map(Object.entries(chosen).map(([key, values]) => [key, new Set(values)])), words, sort: "", hidden: new Set(), ...more });

rule("Failures come first, beginning with the newly failing cases", () => {
  expectEqual(find(createFilter(sample()), {}).shown, [1, 2, 0]);
  expectEqual(find(createFilter(sample()), {}, [], { sort: "suite" }).shown, [0, 1, 2]);
  expectEqual(find(createFilter(sample()), {}, [], { sort: "case" }).shown, [0, 2, 1]);
  expectEqual(find(createFilter(sample()), {}, [], { sort: "tokens" }).shown, [2, 1, 0]);
});

rule("A case is found if one of its answers has a value of every group", () => {
  const filter = createFilter(sample());
  expectEqual(find(filter, { outcome: ["failed"] }).shown, [1]);
  expectEqual(find(filter, { outcome: ["failed"], prompt: ["v1"] }).shown, []);
  expectEqual(find(filter, { outcome: ["failed", "passed"], prompt: ["v1"] }).shown, [1, 2, 0]);
  expectEqual(find(filter, { answer: [COLUMNS_DIFFER] }).shown, [1]);
  expectEqual(find(filter, { answer: [DIFFERS] }).shown, [1, 2]);
  expectEqual(find(filter, { tag: ["nobody has this"] }).shown, []);
});

rule("A filter looks only at the columns of the chosen prompts and backends", () => {
  const [v1, v2] = sample().data.suites[0].columns;
  const looks = (column, chosen) => createFilter(sample()).isLookedAt(column, new Map(Object.entries(chosen).map(([key, values]) => [key, new Set(values)])));
  expectEqual([looks(v1, {}), looks(v1, { prompt: [] }), looks(v1, { tag: ["odd"] })], [true, true, true]);
  expectEqual([looks(v1, { prompt: ["v2"] }), looks(v2, { prompt: ["v2"] }), looks(v2, { prompt: ["v2"], backend: ["other"] })], [false, true, false]);
});

rule("The count of a value is the number of cases if only this value were chosen in its group", () => {
  const found = find(createFilter(sample()), { outcome: ["failed"] });
  expectEqual([found.countAll("outcome"), found.countOf("outcome", "passed"), found.countOf("outcome", "failed")], [3, 3, 1]);
  expectEqual([found.countOf("tag", "short"), found.countOf("tag", "odd"), found.countOf("prompt", "v1"), found.countOf("prompt", "v2")], [1, 1, 0, 1]);
});

rule("The search covers input, expectation, answers and id, but not the text that all cases share", () => {
  const filter = createFilter(sample());
  expectEqual(find(filter, {}, ["hello"]).shown, [0]);
  expectEqual(find(filter, {}, ["spam"]).shown, [1]);
  expectEqual(find(filter, {}, ["ham"]).shown, [1]);
  expectEqual(find(filter, {}, ["three"]).shown, [2]);
  expectEqual(find(filter, {}, ["fan", "why"]).shown, [2]);
  expectEqual(find(filter, {}, ["system"]).shown, []);
});

rule("Typing more narrows the search, and deleting widens it", () => {
  const filter = createFilter(sample());
  expectEqual([["h"], ["he"], ["he", "x"], ["h"], ["w"]].map(words => find(filter, {}, words).shown.length), [3, 1, 0, 3, 2]);
});

rule("Marks are a group of failures, and change while the page is read", () => {
  let mark = null;
  const filter = createFilter(sample(), index => index === 4 ? mark : null);
  expectEqual(find(filter, { mark: [NOT_MARKED] }).shown, [1]);
  mark = "label";
  filter.remark(4);
  expectEqual(find(filter, { mark: [NOT_MARKED] }).shown, []);
  expectEqual(find(filter, { mark: ["Label's fault"] }).shown, [1]);
});

rule("Hidden cases are not found", () => expectEqual(find(createFilter(sample()), {}, [], { hidden: new Set([1]) }).shown, [2, 0]));
