"use strict";
// Reads the data of the page into a report for the grid and the case view. This file does not use the document.

// The indexes of values in the arrays for a case and a trial. HTMLCaseTable and HTMLTrials write them in this order.
const CASE = { suite: 0, id: 1, line: 2, tags: 3, class: 4, split: 5, input: 6, expected: 7 };
const TRIAL = {
  case: 0, column: 1, repeat: 2, outcome: 3, flip: 4, cost: 5, tokens: 6, scores: 7, request: 8, answer: 9, cut: 10, timings: 11, usage: 12,
  finish: 13, source: 14, before: 15, loss: 16, exempt: 17, key: 18, refusal: 19, past: 20, edit: 21,
};
const OUTCOMES = ["passed", "failed", "lost", "unjudged"];
const SIGNS = ["✓", "✗", "?", "·"];

// A report has a row for each case. It has a column for each pair of a prompt and a backend, or for each compared configuration.
function readReport(data, cases, trials) {
  const rows = cases.map((values, place) => ({ place, values, trials: [] }));
  trials.forEach((trial, index) => rows[trial[TRIAL.case]].trials.push(index));
  const piece = part => typeof part === "number" ? data.pieces[part] : part;
  const fields = list => {
    const named = [];
    for (let place = 0; place < list.length; place += 2) named.push([data.names[list[place]], piece(list[place + 1])]);
    return named;
  };
  const isComparison = data.kind === "compare";
  const other = isComparison ? data.suites[0]?.columns[0]?.key : null;
  const report = {
    data, rows, trials, isComparison, piece,
    // The name of each kind of change against the baseline or the first configuration, by number.
    flips: ["", other ? `fails, ${other} passes` : "newly failing", other ? `passes, ${other} fails` : "newly passing", "wrong in another way", "not compared"],
    // The largest number of columns of any suite.
    width: Math.max(0, ...data.suites.map(suite => suite.columns.length)),
    hasExpected: cases.some(values => values[CASE.expected].length > 0),
    rowOf: trial => rows[trial[TRIAL.case]],
    suiteOf: row => data.suites[row.values[CASE.suite]],
    columnOf: trial => data.suites[rows[trial[TRIAL.case]].values[CASE.suite]].columns[trial[TRIAL.column]],
    inputOf: row => fields(row.values[CASE.input]),
    expectedOf: row => fields(row.values[CASE.expected]),
    // The path and line of a case in its dataset, such as datasets/clarity/cases.yaml:41, or null if unknown.
    placeOf: row => {
      const [path, line] = [report.suiteOf(row).dataset, row.values[CASE.line]];
      return path && line !== null ? `${path}:${line}` : null;
    },
    // The indexes of a row's trials: a list for each column, in the order of repeats.
    cellsOf: row => {
      const cells = report.suiteOf(row).columns.map(() => []);
      for (const index of row.trials) cells[trials[index][TRIAL.column]].push(index);
      return cells;
    },
    // The trial of a cell that is shown first: the first failed one, else the first lost one, else the first.
    shownOf: cell => cell.find(index => trials[index][TRIAL.outcome] === 1) ?? cell.find(index => trials[index][TRIAL.outcome] === 2) ?? cell[0],
    wordsOf: trial => trial[TRIAL.answer] || trial[TRIAL.refusal] || "",
    // The reason why a trial failed or was lost; empty if there is none.
    faultOf: trial => trial[TRIAL.loss] !== null ? piece(trial[TRIAL.loss])
      : (trial[TRIAL.scores] || []).filter(score => score[1] === 1 && !score[3]).map(score => piece(score[2])).filter(Boolean).join("; "),
    // The committed versions of the baseline that contain the trial's case, oldest first.
    pastOf: trial => {
      const versions = report.columnOf(trial).past || [], letters = trial[TRIAL.past] || "";
      return versions.map(([day, commit, prompt, isCurrent], place) => {
        const letter = letters[place] ?? ".", isOtherCase = letter >= "0" && letter <= "9";
        const outcome = isOtherCase ? Number(letter) : "pflu".indexOf(letter.toLowerCase());
        return { day, commit, prompt, isCurrent: isCurrent === 1, outcome, isOtherCase, isSameAnswer: letter !== letter.toLowerCase() };
      }).filter(version => version.outcome >= 0);
    },
    latencyOf: trial => trial[TRIAL.timings]?.[5] ?? null,
    // The text of a message. Its parts are texts, indexes into the table of pieces, or negative indexes into the case's input.
    messageOf: (row, parts) => parts.map(part => typeof part === "number" && part < 0 ? piece(row.values[CASE.input][-part * 2 - 1]) : piece(part)).join(""),
    // All messages of a request as one text, or null if the page does not contain the request.
    requestOf: trial => trial[TRIAL.request] && trial[TRIAL.request].map(([, parts]) => report.messageOf(report.rowOf(trial), parts)).join("\n"),
    addressOf: trial => {
      const row = report.rowOf(trial);
      return [encodedPart(report.suiteOf(row).name), report.columnOf(trial).key, encodedPart(row.values[CASE.id]), trial[TRIAL.repeat]].join("/");
    },
    // The index of the trial with an address, or -1. An address without a repeat means the first repeat.
    find: address => {
      if (!places) {
        places = new Map();
        trials.forEach((trial, index) => {
          const own = report.addressOf(trial);
          if (!places.has(own)) places.set(own, index);
        });
      }
      return places.get(address) ?? places.get(address + "/1") ?? -1;
    },
  };
  let places = null;
  return report;
}
