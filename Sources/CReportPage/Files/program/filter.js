"use strict";
// Finds and sorts cases, by chosen values of groups and by words. This file does not use the document.

const NOT_MARKED = "not marked";
const DIFFERS = "differs from the baseline", COLUMNS_DIFFER = "columns differ";

// The orders of rows as [name in the address, title]. The first is the default.
const ORDERS = [["", "Failures first"], ["suite", "Order of the suite"], ["case", "Case id"], ["latency", "Slowest first"], ["tokens", "Most tokens first"], ["cost", "Most expensive first"]];

function createFilter(report, markOf = () => null) {
  const { data, rows, trials } = report;
  const list = value => value === null || value === undefined ? [] : [value];
  // The columns of a row that differ from its first column, and that first column; null if the answers are the same.
  const differing = rows.map(row => {
    if (report.suiteOf(row).columns.length < 2) return null;
    // Compare the first repeats of the columns without creating a list, since there may be ten thousand rows.
    let first = null, columns = null;
    for (const index of row.trials) {
      const trial = trials[index];
      if (trial[TRIAL.repeat] !== 1 || trial[TRIAL.answer] === null) continue;
      first ??= trial;
      if (report.wordsOf(trial) !== report.wordsOf(first)) (columns ??= new Set([first[TRIAL.column]])).add(trial[TRIAL.column]);
    }
    return columns;
  });
  const known = {
    outcome: OUTCOMES, flip: report.flips.slice(1), mark: [...MARKS.map(mark => mark.title), NOT_MARKED], answer: [DIFFERS, COLUMNS_DIFFER],
    suite: data.suites.map(suite => suite.name), class: data.classes,
    configuration: [...new Set(data.suites.flatMap(suite => suite.columns.map(column => column.name)))],
  };
  // A group has numbered values, and a trial has any number of them. If `isOfRow` is true, all trials of a row have the same values.
  const groups = [
    ["outcome", report.isComparison ? "Outcome of any" : "Outcome", t => [OUTCOMES[t[TRIAL.outcome]]]],
    ["flip", "Change", t => t[TRIAL.flip] ? [report.flips[t[TRIAL.flip]]] : []],
    ["answer", "Answer", (t, row) => {
      const before = t[TRIAL.before];
      return [...(before && before[1] !== 0 ? [DIFFERS] : []), ...(differing[row.place]?.has(t[TRIAL.column]) ? [COLUMNS_DIFFER] : [])];
    }],
    ["mark", "Mark", (t, row, index) => {
      const mark = markOf(index);
      return mark ? [markTitle(mark)] : t[TRIAL.outcome] === 1 ? [NOT_MARKED] : [];
    }],
    ["suite", "Suite", row => [report.suiteOf(row).name], true],
    ...(report.isComparison ? [["configuration", "Look at", t => [report.columnOf(t).name]]] : []),
    ["prompt", "Prompt", t => [report.columnOf(t).prompt]],
    ["backend", "Backend", t => [report.columnOf(t).backend]],
    ["class", "Class", row => row.values[CASE.class] < 0 ? [] : list(data.classes[row.values[CASE.class]]), true],
    ["split", "Split", row => row.values[CASE.split] < 0 ? [] : list(data.splits[row.values[CASE.split]]), true],
    ["tag", "Tag", row => row.values[CASE.tags].map(tag => data.tags[tag]), true],
  ].map(([key, name, of, isOfRow = false]) => ({ key, name, of, isOfRow, values: [], numbers: new Map(), codes: new Int32Array(trials.length), lists: [] }));

  const number = (group, value) => {
    let at = group.numbers.get(value);
    if (at === undefined) {
      at = group.values.length;
      group.values.push(value);
      group.numbers.set(value, at);
    }
    return at;
  };
  // Returns the code for values: the number of the only value, -1 for none, or a lower number that refers to one of `lists`.
  const codeOf = (group, values) => {
    if (values.length === 0) return -1;
    if (values.length === 1) return number(group, values[0]);
    group.lists.push(values.map(value => number(group, value)));
    return -1 - group.lists.length;
  };
  const codesOf = (group, index) => {
    const code = group.codes[index];
    return code >= 0 ? [code] : code === -1 ? [] : group.lists[-2 - code];
  };
  const encode = (group, index) => { group.codes[index] = codeOf(group, group.of(trials[index], report.rowOf(trials[index]), index)); };
  for (const group of groups) {
    for (const value of known[group.key] ?? []) number(group, value);
    if (group.isOfRow) {
      for (const row of rows) {
        const code = codeOf(group, group.of(row));
        for (const index of row.trials) group.codes[index] = code;
      }
    } else for (let index = 0; index < trials.length; index += 1) encode(group, index);
    const counts = new Uint32Array(group.values.length);
    for (let index = 0; index < trials.length; index += 1) {
      const code = group.codes[index];
      if (code >= 0) counts[code] += 1; else for (const one of codesOf(group, index)) counts[one] += 1;
    }
    // Known values keep their order. Other values are sorted by frequency, the most frequent first.
    const used = group.values.filter((value, code) => counts[code] > 0);
    const count = value => counts[group.numbers.get(value)];
    group.shown = known[group.key] ? used : used.sort((a, b) => count(b) - count(a) || (a < b ? -1 : 1));
  }
  const groupOf = new Map(groups.map(group => [group.key, group]));
  // Readers set marks later, so show all marks even if none is set yet.
  if (trials.some(t => t[TRIAL.outcome] === 1)) groupOf.get("mark").shown = known.mark;

  // A search looks in the id, the input, the expected values and the answers of a case.
  let texts = null;
  const searched = () => texts ??= rows.map(row => [
    row.values[CASE.id], ...report.inputOf(row).map(field => field[1]), ...report.expectedOf(row).map(field => field[1]),
    ...row.trials.map(index => report.wordsOf(trials[index])),
  ].join("\n").toLowerCase());

  // The default order: newly failing trials, other failed ones, lost ones, newly passing ones, and then the rest.
  const rankOf = t => t[TRIAL.outcome] === 1 ? (t[TRIAL.flip] === 1 ? 0 : 1) : t[TRIAL.outcome] === 2 ? 2 : t[TRIAL.flip] === 2 ? 3 : 4;
  const ranks = rows.map(row => row.trials.reduce((best, index) => Math.min(best, rankOf(trials[index])), 5));
  const ranked = rows.map(row => row.place).sort((a, b) => ranks[a] - ranks[b] || a - b);
  const most = (row, of) => row.trials.reduce((best, index) => Math.max(best, of(trials[index]) ?? -1), -1);
  const orders = {
    suite: () => (a, b) => a - b,
    case: () => (a, b) => rows[a].values[CASE.id] < rows[b].values[CASE.id] ? -1 : rows[a].values[CASE.id] > rows[b].values[CASE.id] ? 1 : a - b,
    ...Object.fromEntries([["latency", report.latencyOf], ["tokens", t => t[TRIAL.tokens]], ["cost", t => t[TRIAL.cost]]].map(([name, of]) => [name, () => {
      const keys = rows.map(row => most(row, of));
      return (a, b) => keys[b] - keys[a] || a - b;
    }])),
  };

  // The rows of the last search. If more letters are typed, only these rows are searched.
  let found = { words: null, rows: null };
  function matching(words) {
    if (words.length === 0) return null;
    const isNarrower = found.words !== null && words.length >= found.words.length && found.words.every((word, at) => words[at].includes(word));
    const all = searched();
    const among = isNarrower ? found.rows : rows.keys();
    const matched = new Set();
    for (const place of among) if (words.every(word => all[place].includes(word))) matched.add(place);
    found = { words, rows: matched };
    return matched;
  }

  return {
    groups, groupOf, prepare: () => { searched(); },
    // True if a column is among the chosen configurations, prompts and backends. A filter looks only at such columns.
    isLookedAt(column, chosen) {
      const parts = { configuration: column.name, prompt: column.prompt, backend: column.backend };
      return Object.entries(parts).every(([key, value]) => !chosen.get(key)?.size || chosen.get(key).has(value));
    },
    hasOrder: name => name === "" || Object.hasOwn(orders, name),
    // Updates the filter after the mark of a trial changed.
    remark: index => encode(groupOf.get("mark"), index),
    // Returns the rows for a state {chosen: Map of Sets, words, sort, hidden}. Also counts, for each value, the rows that would remain if it were
    // the only chosen value of its group. A row is found if one of its trials has a chosen value in each group with chosen values.
    run(state) {
      const chosen = groups.map(group => {
        const values = state.chosen.get(group.key);
        if (!values || values.size === 0) return null;
        const isChosen = new Uint8Array(group.values.length);
        // A link from another page or an older report may choose a value that no case here has. Then no row is found.
        for (const value of values) if (group.numbers.has(value)) isChosen[group.numbers.get(value)] = 1;
        return isChosen;
      });
      const active = chosen.flatMap((isChosen, at) => isChosen ? [at] : []);
      const counts = groups.map(group => new Uint32Array(group.values.length + 1));
      const stamps = groups.map(group => new Int32Array(group.values.length + 1).fill(-1));
      const stamp = (at, code, place) => {
        if (stamps[at][code] === place) return;
        stamps[at][code] = place;
        counts[at][code] += 1;
      };
      const count = (at, index, place) => {
        const group = groups[at], code = group.codes[index];
        stamp(at, group.values.length, place);
        if (code >= 0) stamp(at, code, place); else if (code < -1) for (const one of group.lists[-2 - code]) stamp(at, one, place);
      };
      const hasChosen = (at, index) => {
        const code = groups[at].codes[index];
        return code >= 0 ? chosen[at][code] === 1 : code < -1 && groups[at].lists[-2 - code].some(one => chosen[at][one] === 1);
      };
      const matched = matching(state.words);
      const shown = [];
      for (const place of ranked) {
        if (state.hidden.has(place) || (matched && !matched.has(place))) continue;
        let isShown = false;
        for (const index of rows[place].trials) {
          let missed = -1, misses = 0;
          for (const at of active) {
            if (hasChosen(at, index)) continue;
            missed = at;
            misses += 1;
            if (misses > 1) break;
          }
          if (misses > 1) continue;
          if (misses === 1) { count(missed, index, place); continue; }
          // Count the values of a row only for its first trial that is found.
          for (let at = 0; at < groups.length; at += 1) if (!isShown || !groups[at].isOfRow) count(at, index, place);
          isShown = true;
        }
        if (isShown) shown.push(place);
      }
      if (state.sort) shown.sort(orders[state.sort]());
      return {
        shown,
        countOf: (key, value) => {
          const at = groups.findIndex(group => group.key === key);
          const code = groups[at].numbers.get(value);
          return code === undefined ? 0 : counts[at][code];
        },
        countAll: key => {
          const at = groups.findIndex(group => group.key === key);
          return counts[at][groups[at].values.length];
        },
      };
    },
  };
}
