"use strict";
// Connects the parts of a report: tools, chips, grid, case and address.

if (document.getElementById("data")) (() => {
  const parsed = id => JSON.parse(byId(id).textContent);
  const report = readReport(parsed("data"), parsed("cases-data"), parsed("trials"));
  const { rows, trials, data } = report;
  const suiteNames = data.suites.map(suite => suite.name);
  let storage = null;
  try { storage = window.localStorage; } catch { /* If the browser forbids storage, marks are lost when the page is closed. */ }
  const marks = createMarks(storage);
  const fingerprint = index => fingerprintOf(report.wordsOf(trials[index]));
  // The marks of this page's trials.
  const marked = new Map();
  for (const address of marks.addresses()) {
    const index = report.find(address);
    const name = index < 0 ? null : marks.of(address, fingerprint(index));
    if (name) marked.set(index, name);
  }
  const markOf = index => marked.get(index) ?? null;
  const filter = createFilter(report, markOf);
  const state = { chosen: new Map(filter.groups.map(group => [group.key, new Set()])), words: [], sort: "", hidden: new Set(), shown: [] };

  // Notes that disappear

  const note = byId("note");
  let undo = null, timer = 0;
  function say(text, act) {
    byId("note-text").textContent = text;
    undo = act ?? null;
    byId("undo").hidden = !act;
    note.hidden = false;
    // While the dialog of a case is open, only its descendants can be above it.
    (caseView.dialog.open ? caseView.dialog : document.body).append(note);
    wait();
  }
  function wait() { clearTimeout(timer); timer = setTimeout(() => { if (!note.matches(":hover, :focus-within")) note.hidden = true; else wait(); }, 8000); }
  byId("undo").addEventListener("click", () => { note.hidden = true; undo?.(); });

  // Grid and case

  const grid = createGrid({ report, markOf, open: index => { if (index >= 0) caseView.open(index); }, mark });
  const caseView = createCaseView({
    report, markOf, mark, words: () => state.words,
    onChange: () => { grid.activate(caseView.shown()); writeAddress(); },
    placeOf: index => [state.shown.indexOf(trials[index][TRIAL.case]), state.shown.length],
    stepTo: by => {
      const own = trials[caseView.shown()];
      const row = rows[state.shown[state.shown.indexOf(own[TRIAL.case]) + by]];
      if (!row || !state.shown.includes(own[TRIAL.case])) return;
      // Stay in the same column if it has an answer to the other case.
      const cell = report.cellsOf(row)[own[TRIAL.column]];
      caseView.open(cell?.length ? report.shownOf(cell) : report.shownOf(row.trials));
    },
    onClose: (last, opener) => {
      writeAddress();
      // The browser moves the focus back to the cell that opened the dialog, but the reader may have stepped to another case.
      const place = state.shown.indexOf(trials[last][TRIAL.case]);
      if (opener && opener.isConnected && opener !== document.body && !grid.box.contains(opener)) opener.focus();
      else if (!grid.box.hidden) {
        const at = document.querySelector("#row-list a.cell") ? undefined : 0;
        grid.activate(last);
        grid.moveTo(Math.max(0, place), at);
      }
    },
  });

  // Marks

  function setMark(index, name) {
    if (name) marked.set(index, name); else marked.delete(index);
    filter.remark(index);
    return marks.set(report.addressOf(trials[index]), fingerprint(index), name);
  }
  // Sets a mark, or removes it if it is set already.
  function mark(index, name) {
    const current = markOf(index);
    const next = current === name ? null : name;
    const isKept = setMark(index, next);
    caseView.remark();
    update(true);
    const id = visible(report.rowOf(trials[index]).values[CASE.id]);
    say(next ? `${id}: ${markTitle(next).toLowerCase()}.${isKept ? "" : " This browser keeps no marks; save them before you close the page."}` : `${id}: not marked.`, () => {
      setMark(index, current);
      caseView.remark();
      update(true);
    });
  }

  // Returns the marks of this page by suite and backend. Each group becomes a labels file.
  function markedGroups() {
    const groups = new Map();
    for (const [index, name] of [...marked].sort(([a], [b]) => a - b)) {
      const trial = trials[index];
      const row = report.rowOf(trial), column = report.columnOf(trial), suite = report.suiteOf(row).name;
      const key = JSON.stringify([suite, column.backend]);
      if (!groups.has(key)) groups.set(key, { suite, backend: column.backend, marks: [] });
      groups.get(key).marks.push({ id: row.values[CASE.id], prompt: column.prompt, repeat: trial[TRIAL.repeat], mark: name });
    }
    return [...groups.values()];
  }
  function save(group) {
    const url = URL.createObjectURL(new Blob([labelsFile(group.marks)], { type: "application/jsonl" }));
    const link = make("a", { href: url, download: labelsFileName(group.suite, group.backend) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
  const picker = byId("labels-file");
  let target = null;
  picker.addEventListener("change", async () => {
    const file = picker.files[0];
    if (!file) return;
    try {
      const labels = readLabels(await file.text());
      let count = 0;
      for (const { id, prompt, repeat, mark: name } of labels) {
        const index = trials.findIndex(trial => trial[TRIAL.repeat] === repeat && report.rowOf(trial).values[CASE.id] === id && report.columnOf(trial).prompt === prompt && report.suiteOf(report.rowOf(trial)).name === target.suite && report.columnOf(trial).backend === target.backend);
        if (index < 0) continue;
        setMark(index, name);
        count += 1;
      }
      update(true);
      say(`${plural(count, "mark")} read from ${visible(file.name)}` + (count < labels.length ? `; ${labels.length - count} are about answers that this page does not have.` : "."));
    } catch (error) {
      say(`${visible(file.name)} is not a labels file: ${visible(error.message)}.`);
    }
    picker.value = "";
  });
  function drawLabels() {
    const groups = markedGroups();
    const count = groups.reduce((sum, group) => sum + group.marks.length, 0);
    byId("labels-count").textContent = count ? plural(count, "mark") : "Marks";
    const places = new Map();
    for (const suite of data.suites) for (const column of suite.columns) places.set(JSON.stringify([suite.name, column.backend]), { suite: suite.name, backend: column.backend });
    byId("labels-list").replaceChildren(...[...places].map(([key, place]) => {
      const group = groups.find(one => JSON.stringify([one.suite, one.backend]) === key);
      return make("li", {}, make("span", {}, visible(`${place.suite} on ${place.backend}`), group ? make("span", { class: "quiet" }, " " + plural(group.marks.length, "mark")) : null),
        make("button", { type: "button", "data-save": key, disabled: !group, on: { click: () => save(group) } }, "Save"),
        make("button", { type: "button", "data-load": key, on: { click: () => { target = place; picker.click(); } } }, "Load"));
    }));
  }

  // Chips

  const LONG = 14;
  // Groups that most readers need; all other groups are in a fold.
  const FIRST = new Set(["outcome", "flip", "answer", "mark", "suite", "configuration"]);
  const unfolded = new Set();
  function drawChips(found) {
    const focused = document.activeElement?.dataset?.chip;
    const [first, more] = [byId("chips"), byId("more-chips")];
    first.replaceChildren();
    more.replaceChildren();
    let chosenBehind = 0, behind = [];
    for (const group of filter.groups) {
      const chosen = state.chosen.get(group.key);
      // Show the group only after a mark was set or chosen.
      if (group.key === "mark" && marked.size === 0 && chosen.size === 0) continue;
      const isTold = group.shown.length > 1 || chosen.size > 0 || (group.shown.length === 1 && ["flip", "answer", "mark", "tag", "class", "split"].includes(group.key) && found.countOf(group.key, group.shown[0]) !== rows.length);
      if (!isTold) continue;
      const chip = (name, count, isOn, act) => make("button", {
        type: "button", class: "chip" + (count === 0 && !isOn ? " none" : ""), "aria-pressed": String(isOn), "data-chip": group.key + "\n" + name, title: visible(name), on: { click: act },
      }, visible(name), make("span", { class: "count" }, countText(count)));
      const names = [...group.shown, ...[...chosen].filter(value => !group.shown.includes(value))];
      const isLong = names.length > LONG && !unfolded.has(group.key);
      const listed = isLong ? names.filter((name, at) => at < LONG || chosen.has(name)) : names;
      const isFirst = FIRST.has(group.key);
      // In a comparison, an outcome is looked for in any of its columns, or in the chosen ones.
      const looked = report.isComparison && group.key === "outcome" ? [...state.chosen.get("configuration")] : [];
      const title = looked.length === 1 ? "Outcome of " + visible(looked[0]) : looked.length > 1 ? "Outcome of the chosen columns" : group.name;
      if (!isFirst) { behind.push(group.name.toLowerCase()); chosenBehind += chosen.size; }
      (isFirst ? first : more).append(make("fieldset", { class: "chips" }, make("legend", {}, title),
        chip(group.key === "configuration" ? "All columns" : "All", found.countAll(group.key), chosen.size === 0, () => { chosen.clear(); update(); }),
        listed.map(name => chip(name, found.countOf(group.key, name), chosen.has(name), () => {
          if (chosen.has(name)) chosen.delete(name); else chosen.add(name);
          update();
        })),
        isLong ? make("button", { type: "button", class: "chip", "data-chip": group.key + "\nmore", on: { click: () => { unfolded.add(group.key); update(true); } } }, `${names.length - listed.length} more`) : null));
    }
    const fold = byId("more-filters");
    fold.hidden = behind.length === 0;
    if (chosenBehind > 0) fold.open = true;
    byId("more-names").textContent = "By " + behind.join(", ");
    if (focused) [...document.querySelectorAll("[data-chip]")].find(button => button.dataset.chip === focused)?.focus({ preventScroll: true });
  }

  // Everything that depends on the chosen values

  function update(keepsPlace) {
    const found = filter.run(state);
    state.shown = found.shown;
    drawChips(found);
    drawLabels();
    const [count, all] = [found.shown.length, rows.length];
    byId("shown").textContent = count === all ? plural(all, "case") : `${countText(count)} of ${plural(all, "case")}`;
    byId("none").hidden = count > 0;
    byId("none-text").textContent = all === 0 ? "There are no cases in this report." : "No case matches all that is chosen" + (state.words.length ? " and typed." : ".");
    byId("clear").hidden = all === 0 || (state.words.length === 0 && [...state.chosen.values()].every(chosen => chosen.size === 0));
    byId("show-hidden").hidden = state.hidden.size === 0;
    byId("show-hidden").textContent = `Show ${plural(state.hidden.size, "hidden case")}`;
    grid.show(found.shown, keepsPlace, state.words, column => filter.isLookedAt(column, state.chosen));
    writeAddress();
  }

  const search = byId("search"), sort = byId("sort"), highlight = byId("highlight");
  let waiting = 0;
  search.addEventListener("input", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      state.words = wordsOf(search.value);
      update();
    });
  });
  search.addEventListener("keydown", event => {
    if (event.key === "ArrowDown" || (event.key === "Enter" && !event.isComposing)) { event.preventDefault(); grid.moveTo(0); }
    if (event.key === "Escape" && search.value) { search.value = ""; state.words = []; update(); event.preventDefault(); }
  });
  for (const [value, name] of ORDERS) {
    const of = { latency: report.latencyOf, tokens: t => t[TRIAL.tokens], cost: t => t[TRIAL.cost] }[value];
    if (!of || trials.some(trial => of(trial) !== null)) sort.append(make("option", { value }, name));
  }
  sort.addEventListener("change", () => { state.sort = sort.value; update(); });
  const modes = [...(report.width > 1 ? [["columns", "Columns"]] : []), ...(trials.some(trial => trial[TRIAL.before] !== null) ? [["baseline", "Baseline"]] : []), ["off", "Off"]];
  for (const [value, name] of modes) highlight.append(make("option", { value }, name));
  byId("highlight-choice").hidden = modes.length === 1;
  highlight.addEventListener("change", () => grid.setMode(highlight.value));
  function clear() {
    for (const chosen of state.chosen.values()) chosen.clear();
    search.value = "";
    state.words = [];
    update();
    search.focus();
  }
  byId("clear").addEventListener("click", clear);
  byId("show-hidden").addEventListener("click", () => { state.hidden.clear(); update(true); say("All cases are shown again."); });
  byId("hide").addEventListener("click", () => {
    const place = trials[caseView.shown()][TRIAL.case], at = state.shown.indexOf(place);
    caseView.close();
    state.hidden.add(place);
    update(true);
    grid.moveTo(at);
    say(`${visible(rows[place].values[CASE.id])} is hidden.`, () => { state.hidden.delete(place); update(true); grid.moveTo(Math.max(0, state.shown.indexOf(place))); });
  });
  byId("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      say("The link is in the clipboard.");
    } catch { say("This browser does not let pages copy; the link is in the address bar."); }
  });

  // The link in the navigation moves the focus to the search field, so a phone shows its keyboard after one tap.
  byId("find").addEventListener("click", event => { event.preventDefault(); showCases(); search.focus({ preventScroll: true }); search.select(); });

  // Keys of the whole page

  const keys = byId("keys");
  byId("show-keys").addEventListener("click", () => keys.showModal());
  byId("close-keys").addEventListener("click", () => keys.close());
  keys.addEventListener("click", event => { if (event.target === keys) keys.close(); });
  document.addEventListener("keydown", event => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "?" && !keys.open) { event.preventDefault(); keys.showModal(); }
    if (event.key === "/" && !caseView.dialog.open && !keys.open) { event.preventDefault(); search.focus(); search.select(); }
  });

  // The address

  function writeAddress() {
    const chosen = [...state.chosen].flatMap(([key, values]) => [...values].map(value => [key, value]));
    const shown = caseView.shown();
    const fragment = fragmentOf({ chosen, words: state.words, sort: state.sort, case: shown >= 0 ? report.addressOf(trials[shown]) : null });
    // Links to the other pages keep the chosen values.
    const choice = fragmentOf({ chosen, words: state.words, sort: state.sort, case: null });
    for (const other of document.querySelectorAll("a[data-page]")) other.hash = choice || "cases";
    const hash = fragment ? "#" + fragment : "";
    if (location.hash === hash || (!hash && !location.hash.includes("="))) return;
    try { history.replaceState(null, "", hash || location.pathname + location.search); } catch { /* Some browsers forbid it for files on disk. */ }
  }
  // Replaces all chosen values and words, and shows the cases that remain.
  function choose(choices) {
    for (const chosen of state.chosen.values()) chosen.clear();
    for (const [name, value] of choices) state.chosen.get(name)?.add(value);
    state.words = [];
    search.value = "";
    update();
  }
  // Scroll instantly, since moving the focus to the list would stop a smooth scroll.
  const showCases = () => byId("cases").scrollIntoView({ behavior: "instant", block: "start" });
  const dead = byId("dead-link");
  function readAddress() {
    const fragment = location.hash.slice(1);
    if (!fragment.includes("=")) return;
    const wanted = stateOf(fragment);
    for (const chosen of state.chosen.values()) chosen.clear();
    for (const [group, value] of wanted.chosen) state.chosen.get(group)?.add(value);
    state.words = wanted.words;
    search.value = wanted.words.join(" ");
    state.sort = filter.hasOrder(wanted.sort) ? wanted.sort : "";
    sort.value = state.sort;
    const index = wanted.case === null ? -1 : report.find(wanted.case);
    dead.hidden = true;
    if (wanted.case !== null && index < 0) {
      // A link need not name the page of its case: each page without the case passes the link on, until all pages were searched.
      const links = [...document.querySelectorAll("a[data-page]")];
      const files = links.map(other => other.getAttribute("href").split("#")[0]);
      const here = links.findIndex(other => other.hasAttribute("aria-current"));
      const next = nextPage(files, here, wanted.from);
      if (next !== null) {
        const parts = fragment.split("&").filter(part => !part.startsWith("from="));
        return location.replace(next + "#" + parts.join("&") + "&from=" + encodeURIComponent(wanted.from ?? files[here]));
      }
      // In an address, encoded parts contain no slashes. The last part may be a repeat; the id is the part before it.
      const parts = wanted.case.split("/").map(decodedPart);
      const id = parts.length > 1 && /^\d+$/.test(parts.at(-1)) ? parts.at(-2) : parts.at(-1);
      byId("dead-text").textContent = `This report does not have the case '${visible(id)}'` + (suiteNames.includes(parts[0]) ? ` of the suite '${visible(parts[0])}'` : "") + " that the link leads to. It may have been renamed or removed, or the link is to a report of another run.";
      dead.hidden = false;
    }
    caseView.close();
    update(true);
    if (index >= 0) return caseView.open(index);
    showCases();
    if (!dead.hidden) byId("all-cases").focus({ preventScroll: true });
  }
  byId("all-cases").addEventListener("click", () => { dead.hidden = true; clear(); });
  window.addEventListener("hashchange", readAddress);
  document.addEventListener("click", event => {
    const link = event.target.closest?.('a[href^="#"][href*="case="]');
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const wanted = stateOf(link.getAttribute("href").slice(1));
    const index = wanted.case === null ? -1 : report.find(wanted.case);
    if (index < 0) return;
    event.preventDefault();
    // A link with chosen values shows these cases first, so that "next" leads to the next one of them.
    if (wanted.chosen.length > 0) choose(wanted.chosen);
    caseView.open(index);
  });
  document.addEventListener("click", event => {
    const button = event.target.closest?.("[data-choose]");
    if (!button) return;
    choose(stateOf(button.dataset.choose).chosen);
    grid.moveTo(0);
    showCases();
  });

  byId("tools").hidden = byId("find").hidden = false;
  grid.setMode(highlight.value);
  if (location.hash.includes("=")) readAddress(); else update();
  // Prepare the search while the browser is idle, so that the first search is as fast as later ones.
  (window.requestIdleCallback ?? setTimeout)(() => filter.prepare());
})();
