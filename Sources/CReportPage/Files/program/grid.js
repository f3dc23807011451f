"use strict";
// The grid: a row for each case, and columns with answers. The document contains only the visible rows.

function outcomeWord(outcome, text) {
  return make("span", { class: OUTCOMES[outcome] }, make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[outcome] + " "), text ?? OUTCOMES[outcome]);
}

// Returns elements for the parts [kind, mark, text] of a text.
const partElements = parts => parts.map(([kind, mark, text]) => {
  const words = visible(text);
  const inner = kind ? make("span", { class: "json-" + kind }, words) : words;
  return mark ? make(mark, {}, inner) : inner;
});

// `options`: report, marks (of trials), open(trial), mark(trial, name), hasSuites.
function createGrid(options) {
  const { report, open } = options;
  const { rows, trials } = report;
  const box = byId("rows"), body = byId("row-list"), table = byId("case-table"), head = byId("grid-head");
  const isNarrow = matchMedia("(max-width: 44rem)");
  const EXPECTED = report.hasExpected ? 1 : 0;
  let shown = [], width = report.width, mode = "off", isPrinting = false, searched = [], isLookedAt = () => true;
  // The cell that has or gets the focus: `place` is the index of its shown row, `at` that of its column.
  let active = { place: 0, at: 0 }, drawn = [-1, -1];
  const reach = () => 1 + EXPECTED + width;

  // The height of a row, which must agree with the style.
  const rowHeight = () => isNarrow.matches ? 64 + EXPECTED * 30 + width * 64 : 76;

  // The height of all rows, with the frame and a scroll bar.
  const room = () => head.offsetHeight + shown.length * rowHeight() + box.offsetHeight - box.clientHeight + 1 + "px";

  function layOut() {
    table.style.setProperty("--row", rowHeight() + "px");
    table.style.minWidth = isNarrow.matches ? "" : 13 + EXPECTED * 9 + width * 13 + "rem";
    table.setAttribute("aria-colcount", reach());
    byId("cases").classList.toggle("wide", width > 1);
  }

  // Suites share the columns of the grid. Returns the name of a column if it is the same in all suites, and "Answer" otherwise.
  function columnTitle(at, suites) {
    const names = new Set(suites.map(suite => suite.columns[at]?.name).filter(Boolean));
    if (names.size === 1 && (width > 1 || suites.length === 1)) return [...names][0];
    return width === 1 ? "Answer" : `Answer ${at + 1}`;
  }

  // Returns the text of a case in which a search found a word, if no cell of the row shows that word; else null.
  function hiddenHit(row, question, expected) {
    if (searched.length === 0) return null;
    // About as much as a cell shows if its head takes two lines.
    const cut = parts => plainOf(parts).slice(0, 40);
    const seen = [row.values[CASE.id], cut(question), cut(expected), ...row.trials.map(index => cut(cellParts(report.wordsOf(trials[index]))))].join("\n").toLowerCase();
    const word = searched.find(one => !seen.includes(one));
    if (word === undefined) return null;
    const texts = [...report.inputOf(row), ...report.expectedOf(row), ...row.trials.map(index => ["answer", report.wordsOf(trials[index])])];
    const field = texts.find(([, text]) => text.toLowerCase().includes(word));
    if (!field) return null;
    const at = field[1].toLowerCase().indexOf(word), start = Math.max(0, at - 16);
    const piece = field[1].slice(start, at + 160).replace(/\s+/g, " ");
    return [["key", field[0] + ": "], ["", (start > 0 ? "… " : "") + piece]];
  }

  let isNamed = true;
  function drawHead() {
    const suites = [...new Set(shown.map(place => rows[place].values[CASE.suite]))].map(place => report.data.suites[place]);
    width = Math.max(1, ...suites.map(suite => suite.columns.length));
    active.at = Math.min(active.at, reach() - 1);
    const titles = Array.from({ length: width }, (none, at) => columnTitle(at, suites));
    isNamed = suites.every(suite => suite.columns.every((column, at) => column.name === titles[at]));
    // Columns that the chosen filters do not look at are faint.
    const isAside = at => suites.every(suite => suite.columns[at] && !isLookedAt(suite.columns[at]));
    const title = (name, kind) => make("th", { scope: "col", role: "columnheader", class: kind }, visible(name));
    head.replaceChildren(make("tr", { role: "row", "aria-rowindex": 1 }, title("Case", "c-case"), EXPECTED ? title("Expected", "c-expected") : null,
      titles.map((name, at) => title(name, isAside(at) ? "c-answer aside" : "c-answer"))));
    layOut();
  }

  // Returns the text to compare an answer with, and a name for it; null if there is none.
  function comparedWith(cells, at, index) {
    const trial = trials[index];
    if (trial[TRIAL.answer] === null) return null;
    if (mode === "columns" && at > 0) {
      const first = cells.findIndex(cell => cell.length > 0);
      if (first < 0 || first >= at) return null;
      const same = cells[first].find(other => trials[other][TRIAL.repeat] === trial[TRIAL.repeat]) ?? cells[first][0];
      if (trials[same][TRIAL.answer] === null) return null;
      return [report.wordsOf(trials[same]), report.suiteOf(report.rowOf(trial)).columns[first].name];
    }
    const before = trial[TRIAL.before];
    if (mode !== "baseline" || before === null) return null;
    return before[1] === 0 ? [report.wordsOf(trial), report.piece(before[2])] : before[1] === null ? null : [before[1], report.piece(before[2])];
  }

  function verdictLine(cell, index, other) {
    const trial = trials[index], outcome = trial[TRIAL.outcome];
    const fault = report.faultOf(trial);
    const mark = options.markOf(index);
    const passed = cell.filter(one => trials[one][TRIAL.outcome] === 0).length;
    const flip = trial[TRIAL.flip];
    const same = other === null ? null : other[0] === report.wordsOf(trial);
    const latency = report.latencyOf(trial);
    const facts = make("span", { class: "cell-facts" },
      cell.length > 1 ? make("span", { class: "badge", title: `${passed} of ${cell.length} repeats passed` }, `${passed}/${cell.length}`) : null,
      flip === 1 || flip === 2 ? make("span", { class: "badge " + (flip === 1 ? "failed" : "passed") }, report.flips[flip]) : null,
      mark ? make("span", { class: "badge marked" }, markTitle(mark)) : null,
      same === null ? null : make("span", { class: "quiet compared", title: visible((same ? "the same as " : "differs from ") + other[1]) }, same ? "=" : "≠", make("span", { class: "hidden-text" }, visible((same ? " the same as " : " differs from ") + other[1]))),
      latency !== null ? make("span", { class: "quiet num latency" }, timeText(latency)) : null);
    // The reason of a failure flows around the facts, so it comes after them.
    return make("span", { class: "cell-head " + OUTCOMES[outcome] },
      make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[outcome]), fault ? make("span", { class: "hidden-text" }, OUTCOMES[outcome]) : " " + OUTCOMES[outcome], facts,
      fault ? make("span", { class: "why", title: visible(fault) }, " " + visible(fault.length > 200 ? fault.slice(0, 200) + "…" : fault)) : null);
  }

  // The text below the head of a cell.
  const cellRest = (kind, ...parts) => make("span", { class: "cell-rest" }, make("span", { class: "cell-text" + kind, dir: "auto" }, ...parts));

  function answerCell(row, cells, at, place) {
    const cell = cells[at];
    // A narrow grid has no column heads, so its cells show the names.
    const name = (!isNamed || isNarrow.matches) && cells.length > 1 && cells[at] ? report.suiteOf(row).columns[at].name : null;
    const kind = report.suiteOf(row).columns[at] && !isLookedAt(report.suiteOf(row).columns[at]) ? "c-answer aside" : "c-answer";
    const attributes = { class: kind, role: "gridcell", "aria-colindex": 2 + EXPECTED + at };
    if (!cell || cell.length === 0) return make("td", { ...attributes, tabindex: -1, "data-at": 1 + EXPECTED + at, class: kind + " absent" }, cell ? "no answer" : "");
    const index = report.shownOf(cell), trial = trials[index];
    const other = comparedWith(cells, at, index);
    const words = report.wordsOf(trial);
    const parts = words ? markedCell(words, other ? other[0] : null) : [["", "", trial[TRIAL.answer] === null ? "" : "(an empty text)"]];
    const isSame = mode === "columns" && other !== null && other[0] === words;
    return make("td", attributes, make("a", { href: "#case=" + report.addressOf(trial), class: "cell", tabindex: -1, "data-at": 1 + EXPECTED + at, "data-trial": index },
      verdictLine(cell, index, other),
      cellRest(isSame ? " quiet" : "", name ? make("span", { class: "column-name" }, visible(name) + " ") : null, trial[TRIAL.refusal] && !trial[TRIAL.answer] ? make("span", { class: "quiet" }, "refusal: ") : null, partElements(parts))));
  }

  function rowElement(place) {
    const row = rows[shown[place]], cells = report.cellsOf(row);
    const first = row.trials.length ? report.addressOf(trials[report.shownOf(row.trials)]) : "";
    const expected = EXPECTED ? fieldParts(report.expectedOf(row)) : [];
    const question = questionParts(report.inputOf(row));
    const short = parts => partElements(parts.reduce((list, [kind, text]) => list.length > 40 ? list : [...list, [kind, "", text.slice(0, 240)]], []));
    return make("tr", { class: "row", role: "row", "aria-rowindex": place + 2, "data-place": place },
      make("th", { scope: "row", role: "rowheader", class: "c-case", "aria-colindex": 1 }, make("a", { href: "#case=" + first, class: "cell", tabindex: -1, "data-at": 0, "data-trial": row.trials.length ? report.shownOf(row.trials) : null },
        make("span", { class: "cell-head id", title: visible(row.values[CASE.id]) }, visible(row.values[CASE.id]) || "(no name)"),
        cellRest(" quiet", report.data.suites.length > 1 ? make("span", { class: "column-name" }, visible(report.suiteOf(row).name) + " ") : null, short(hiddenHit(row, question, expected) ?? question)))),
      EXPECTED ? make("td", { class: "c-expected", role: "gridcell", tabindex: -1, "data-at": 1, "aria-colindex": 2 }, make("span", { class: "cell-text", dir: "auto" }, short(expected))) : null,
      Array.from({ length: width }, (none, at) => answerCell(row, cells, at, place)));
  }

  const cellAt = (place, at) => body.querySelector(`tr[data-place="${place}"] [data-at="${at}"]`);

  function draw(isForced = true, keepsFocus = true) {
    const count = shown.length, height = rowHeight();
    const first = isPrinting ? 0 : Math.max(0, Math.floor(box.scrollTop / height) - 4);
    const last = isPrinting ? Math.min(count, 200) : Math.min(count, Math.ceil((box.scrollTop + (box.clientHeight || 600)) / height) + 4);
    if (!isForced && first === drawn[0] && last === drawn[1]) return;
    drawn = [first, last];
    const hasFocus = keepsFocus && body.contains(document.activeElement);
    const space = pixels => {
      const row = make("tr", { class: "space", role: "presentation", "aria-hidden": "true" }, make("td", { colspan: reach() }));
      row.style.height = pixels + "px";
      return row;
    };
    const list = [];
    if (first > 0) list.push(space(first * height));
    for (let place = first; place < last; place += 1) list.push(rowElement(place));
    if (last < count && !isPrinting) list.push(space((count - last) * height));
    body.replaceChildren(...list);
    highlightWords("rows", body, searched);
    // The Tab key reaches one cell: the active one, or else the first visible one.
    const stop = cellAt(active.place, active.at) ?? body.querySelector("[data-at]");
    if (stop) stop.tabIndex = 0;
    if (hasFocus) cellAt(active.place, active.at)?.focus({ preventScroll: true });
  }

  function moveTo(place, at = active.at) {
    if (shown.length === 0) return;
    active = { place: Math.max(0, Math.min(shown.length - 1, place)), at: Math.max(0, Math.min(reach() - 1, at)) };
    const height = rowHeight(), top = active.place * height, end = top + height + head.offsetHeight;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (end > box.scrollTop + box.clientHeight) box.scrollTop = end - box.clientHeight;
    draw(true, false);
    const cell = cellAt(active.place, active.at);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // Returns the trial of the active cell. A cell that is not an answer stands for the row's most important trial.
  function activeTrial() {
    const row = rows[shown[active.place]];
    if (!row || row.trials.length === 0) return -1;
    const cell = report.cellsOf(row)[active.at - 1 - EXPECTED];
    return cell?.length ? report.shownOf(cell) : report.shownOf(row.trials);
  }

  box.addEventListener("scroll", () => requestAnimationFrame(() => draw(false)), { passive: true });
  box.addEventListener("focusin", event => {
    const cell = event.target.closest?.("[data-at]");
    if (!cell) return;
    for (const other of body.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
    active = { place: Number(cell.closest("tr").dataset.place), at: Number(cell.dataset.at) };
  });
  box.addEventListener("click", event => {
    const cell = event.target.closest?.("td, th"), inner = cell?.querySelector("a.cell") ?? cell;
    if (!cell || !body.contains(cell) || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (getSelection().toString() && !event.target.closest("a")) return;
    active = { place: Number(cell.closest("tr").dataset.place), at: Number((inner.dataset.at ?? cell.dataset.at) || 0) };
    open(activeTrial());
  });
  box.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(box.clientHeight / rowHeight()) - 1);
    const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [page, 0], PageUp: [-page, 0], Home: [-1e9, 0], End: [1e9, 0] }[event.key];
    const mark = MARKS.find(known => known.key === event.key);
    if (step) moveTo(active.place + step[0], active.at + step[1]);
    else if (event.key === "Enter") open(activeTrial());
    else if (mark && activeTrial() >= 0) options.mark(activeTrial(), mark.name);
    else return;
    event.preventDefault();
  });
  isNarrow.addEventListener("change", () => { layOut(); box.style.maxHeight = room(); draw(); });
  window.addEventListener("resize", () => draw(false));
  // While printing, `draw` shows all rows up to a limit, since ten thousand would need too much paper.
  window.addEventListener("beforeprint", () => { isPrinting = true; draw(); });
  window.addEventListener("afterprint", () => { isPrinting = false; draw(); });

  return {
    box, draw, moveTo, activeTrial,
    setMode(name) { mode = name; draw(); },
    // Shows rows, and highlights the words of a search. Scrolls to the first row unless `keepsPlace` is true.
    // `looks` returns whether the filters look at a column.
    show(places, keepsPlace, words = [], looks = () => true) {
      shown = places;
      searched = words;
      isLookedAt = looks;
      if (!keepsPlace) { box.scrollTop = 0; active = { place: 0, at: active.at }; }
      active.place = Math.max(0, Math.min(active.place, shown.length - 1));
      box.hidden = shown.length === 0;
      table.setAttribute("aria-rowcount", shown.length + 1);
      drawHead();
      // A few rows leave no empty space below them.
      box.style.maxHeight = room();
      draw();
    },
    // Makes the cell of a trial the active one, without moving the focus. Returns the index of its row, or -1.
    activate(trial) {
      const place = shown.indexOf(trials[trial][TRIAL.case]);
      if (place >= 0) active = { place, at: 1 + EXPECTED + trials[trial][TRIAL.column] };
      return place;
    },
  };
}
