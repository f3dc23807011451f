"use strict";

rule("Texts come from the row, from the table of texts, or from the input of the case", () => {
  const data = { kind: "run", names: ["text", "more"], pieces: ["Sort it. ", "long"], scorers: [], suites: [{ name: "s", dataset: "d.yaml", columns: [{ key: "p/b", name: "p on b" }] }], tags: [], classes: [], splits: [] };
  const trial = [0, 0, 1, 1, 0, null, null, [[0, 1, "no", 0], [0, 1, "aside", 1], [0, 0, "yes", 0]], [[0, [0, -2, "!"]]], "fan"];
  trial[TRIAL.loss] = null;
  const report = readReport(data, [[0, "it's", 7, [], -1, -1, [0, "short", 1, 1], []]], [trial]);
  const row = report.rows[0];
  expectEqual(report.inputOf(row), [["text", "short"], ["more", "long"]]);
  expectEqual(report.messageOf(row, [0, -1, -2, "!"]), "Sort it. shortlong!");
  expectEqual(report.placeOf(row), "d.yaml:7");
  expectEqual(report.addressOf(report.trials[0]), "s/p/b/it%27s/1");
  expectEqual([report.find("s/p/b/it%27s/1"), report.find("s/p/b/it%27s"), report.find("s/p/b/gone/1")], [0, 0, -1]);
  // Advisory scores are not a reason.
  expectEqual(report.faultOf(report.trials[0]), "no");
  expectEqual([report.width, report.hasExpected], [1, false]);
});

rule("The past of a case lists the versions of the baseline with the case, its outcome, and whether the answer is the current one", () => {
  const past = [["2026-11-21", "e9cb860", "v1", 0], ["2026-11-22", "808df02", "v1", 0], ["2026-11-23", "085840b", "v2", 0], ["2026-11-24", "bd6b73f", "v2", 1]];
  const data = { kind: "run", names: [], pieces: [], scorers: [], suites: [{ name: "s", dataset: "d.yaml", columns: [{ key: "p/b", name: "p on b", past }] }], tags: [], classes: [], splits: [] };
  const trial = [0, 0, 1, 0];
  trial[TRIAL.past] = ".1fP";
  const report = readReport(data, [[0, "a", 7, [], -1, -1, [], []]], [trial]);
  const seen = report.pastOf(report.trials[0]).map(version => [version.day, OUTCOMES[version.outcome], version.isOtherCase, version.isSameAnswer, version.isCurrent]);
  expectEqual(seen, [["2026-11-22", "failed", true, false, false], ["2026-11-23", "failed", false, false, false], ["2026-11-24", "passed", false, true, true]]);
});
