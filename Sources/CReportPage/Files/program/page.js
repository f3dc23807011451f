"use strict";
// The part of a report that answers to a reader: finding cases, and looking at one. All texts of
// models and datasets are put into the page as text, never as markup.
if (document.getElementById("data")) (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const trials = JSON.parse(document.getElementById("trials").textContent);
  const [SUITE, COLUMN, ID, REPEAT, OUTCOME, FLIP, TAGS, CLASS, SPLIT, LATENCY, COST, TOKENS, SCORES, REQUEST, ANSWER, CUT,
    TIMINGS, USAGE, FINISH, SOURCE, BEFORE, LOSS, EXEMPT, KEY, REFUSAL] = Array(25).keys();
  const OUTCOMES = ["passed", "failed", "lost", "unjudged"];
  const SIGNS = ["✓", "✗", "?", "·"];
  const other = data.kind === "compare" ? data.suites[0]?.columns[0]?.key : null;
  const FLIPS = ["", other ? `fails, ${other} passes` : "fails now", other ? `passes, ${other} fails` : "passes now", "wrong in another way", "not compared"];
  // Where there is no room beside a case, what went wrong stands below it; see the style.
  const isNarrow = matchMedia("(max-width: 44rem)");
  let ROW = isNarrow.matches ? 88 : 44;

  // Texts

  const piece = part => typeof part === "number" ? data.pieces[part] : part;
  const whole = parts => parts.map(piece).join("");

  const columnOf = trial => data.suites[trial[SUITE]].columns[trial[COLUMN]];
  const columnName = trial => columnOf(trial).name;

  // What is looked for

  const facets = [
    { key: "outcome", name: "Outcome", of: t => [OUTCOMES[t[OUTCOME]]] },
    { key: "flip", name: "Change", of: t => t[FLIP] ? [FLIPS[t[FLIP]]] : [] },
    { key: "suite", name: "Suite", of: t => [data.suites[t[SUITE]].name] },
    ...(data.kind === "compare" ? [{ key: "configuration", name: "Compared", of: t => [columnName(t)] }] : []),
    { key: "prompt", name: "Prompt", of: t => [columnOf(t).prompt] },
    { key: "backend", name: "Backend", of: t => [columnOf(t).backend] },
    { key: "class", name: "Class", of: t => t[CLASS] < 0 ? [] : [data.classes[t[CLASS]]] },
    { key: "split", name: "Split", of: t => t[SPLIT] < 0 ? [] : [data.splits[t[SPLIT]]] },
    { key: "tag", name: "Tag", of: t => t[TAGS].map(i => data.tags[i]) },
  ];
  const values = new Map(facets.map(facet => [facet.key, trials.map(facet.of)]));
  const state = { chosen: new Map(facets.map(f => [f.key, new Set()])), words: [], sort: null, hidden: new Set(), open: -1, shown: [] };
  let searched = null;

  // The texts that words are looked for in, made when somebody first looks.
  function texts() {
    searched ??= trials.map(t => [
      t[ID], data.suites[t[SUITE]].name, ...(t[SCORES] || []).flatMap(s => [data.scorers[s[0]], piece(s[2])]), t[ANSWER] ?? "",
      t[LOSS] ? piece(t[LOSS]) : "", ...t[TAGS].map(i => data.tags[i]),
      // What all cases of a prompt are sent says nothing about one.
      ...(t[REQUEST] || []).flatMap(m => m[1].filter(p => typeof p === "string" || !data.shared.has(p)).map(piece)),
    ].join("\n").toLowerCase());
    return searched;
  }
  data.shared = new Set(data.shared);

  const matchesWords = index => state.words.length === 0 || state.words.every(word => texts()[index].includes(word));
  function matchesFacet(facet, index) {
    const chosen = state.chosen.get(facet.key);
    return chosen.size === 0 || values.get(facet.key)[index].some(value => chosen.has(value));
  }

  const sortable = {
    outcome: t => [1, 0, 2, 3][t[OUTCOME]], case: t => t[ID], column: t => data.suites[t[SUITE]].name + " " + columnName(t),
    latency: t => t[LATENCY], cost: t => t[COST], tokens: t => t[TOKENS], answer: t => t[ANSWER] ?? "",
  };

  // Unless somebody sorts, what went wrong comes first, and of that what went well before.
  const rank = t => t[OUTCOME] === 1 ? (t[FLIP] === 1 ? 0 : 1) : t[OUTCOME] === 2 ? 2 : t[FLIP] === 2 ? 3 : 4;
  const ranked = trials.map((t, index) => index).sort((a, b) => rank(trials[a]) - rank(trials[b]) || a - b);

  function filter() {
    const counts = new Map(facets.map(f => [f.key, { all: 0, of: new Map() }]));
    const shown = [];
    for (const index of ranked) {
      if (state.hidden.has(index) || !matchesWords(index)) continue;
      const missed = facets.filter(facet => !matchesFacet(facet, index));
      if (missed.length === 0) shown.push(index);
      if (missed.length > 1) continue;
      // A count says how many there would be if this alone were chosen in its group.
      for (const facet of missed.length === 1 ? missed : facets) {
        const count = counts.get(facet.key);
        count.all += 1;
        for (const value of values.get(facet.key)[index]) count.of.set(value, (count.of.get(value) || 0) + 1);
      }
    }
    if (state.sort) {
      const [key, direction] = state.sort;
      const of = sortable[key];
      shown.sort((a, b) => {
        const [x, y] = [of(trials[a]), of(trials[b])];
        // What is unknown stands last, whichever way.
        if (x === null || y === null) return (x === null) - (y === null) || a - b;
        return (x < y ? -1 : x > y ? 1 : 0) * direction || a - b;
      });
    }
    state.shown = shown;
    return counts;
  }

  // Chips

  const chipBox = byId("chips");
  const order = new Map();
  for (const facet of facets) {
    const counts = new Map();
    for (const list of values.get(facet.key)) for (const value of list) counts.set(value, (counts.get(value) || 0) + 1);
    const known = { outcome: OUTCOMES, flip: FLIPS, suite: data.suites.map(s => s.name), class: data.classes }[facet.key];
    const names = known ? known.filter(v => counts.has(v)) : [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? -1 : 1));
    order.set(facet.key, [...new Set(names)]);
  }
  const LONG = 14;
  const unfolded = new Set();

  function drawChips(counts) {
    const focused = document.activeElement?.dataset?.chip;
    chipBox.replaceChildren();
    for (const facet of facets) {
      const names = order.get(facet.key);
      const isTold = names.length > 1 || (names.length === 1 && counts.get(facet.key).of.get(names[0]) !== trials.length && ["flip", "tag", "class", "split"].includes(facet.key));
      if (!isTold) continue;
      const chosen = state.chosen.get(facet.key);
      const count = counts.get(facet.key);
      const chip = (name, number, isOn, act) => make("button", {
        type: "button", class: "chip" + (number === 0 && !isOn ? " none" : ""), "aria-pressed": String(isOn),
        "data-chip": facet.key + "\n" + name, title: visible(name), on: { click: act },
      }, visible(name), make("span", { class: "count" }, number.toLocaleString("en")));
      const isLong = names.length > LONG && !unfolded.has(facet.key);
      const listed = isLong ? names.filter((n, i) => i < LONG || chosen.has(n)) : names;
      chipBox.append(make("fieldset", { class: "chips" }, make("legend", {}, facet.name),
        chip("All", count.all, chosen.size === 0, () => { chosen.clear(); update(); }),
        listed.map(name => chip(name, count.of.get(name) || 0, chosen.has(name), () => {
          if (chosen.has(name)) chosen.delete(name); else chosen.add(name);
          update();
        })),
        isLong ? make("button", { type: "button", class: "chip", "data-chip": facet.key + "\nmore", on: { click: () => { unfolded.add(facet.key); update(); } } },
          `and ${names.length - listed.length} more`) : null));
    }
    if (focused) [...chipBox.querySelectorAll("button")].find(b => b.dataset.chip === focused)?.focus({ preventScroll: true });
  }

  // The table: only the rows that are in sight are in the page.

  const box = byId("rows"), body = byId("row-list"), table = byId("case-table");
  // Where all is of one prompt and backend no row need say so.
  const isAlone = data.suites.length === 1 && data.suites[0].columns.length === 1;
  let active = 0, drawn = [-1, -1];

  function rowOf(place) {
    const index = state.shown[place], t = trials[index];
    const fault = t[LOSS] !== null ? piece(t[LOSS]) : (t[SCORES] || []).filter(s => s[1] === 1 && !s[3]).map(s => piece(s[2])).join("; ");
    const said = visible(fault || t[ANSWER] || (t[REFUSAL] ? `refusal: ${t[REFUSAL]}` : "")).slice(0, 300);
    const repeat = t[REPEAT] > 1 ? ` (repeat ${t[REPEAT]})` : "";
    return make("tr", { class: "row", "aria-rowindex": place + 2, on: { click: event => { if (event.target.tagName !== "A") open(index); } } },
      make("td", { class: "c-outcome" }, make("span", { class: OUTCOMES[t[OUTCOME]] }, make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[t[OUTCOME]] + " "), OUTCOMES[t[OUTCOME]]),
        t[FLIP] === 1 ? make("span", { class: "flip failed" }, FLIPS[1]) : t[FLIP] === 2 ? make("span", { class: "flip passed" }, FLIPS[2]) : null),
      make("td", { class: "c-case", title: visible(t[ID]) }, make("a", { href: link(index), tabindex: place === active ? "0" : "-1", "data-place": place,
        on: { click: event => { event.preventDefault(); open(index); }, focus: () => { active = place; } } }, visible(t[ID]) + repeat), make("span", { class: "below quiet" }, said)),
      isAlone ? null : make("td", { class: "c-column quiet" }, (data.suites.length > 1 ? data.suites[t[SUITE]].name + ": " : "") + columnName(t)),
      make("td", { class: "c-answer quiet" }, said),
      make("td", { class: "c-latency num" }, t[LATENCY] === null ? "" : timeText(t[LATENCY])),
      make("td", { class: "c-tokens num" }, t[TOKENS] === null ? "" : t[TOKENS].toLocaleString("en")),
      data.hasCosts ? make("td", { class: "c-cost num" }, t[COST] === null ? "" : moneyText(t[COST])) : null);
  }

  function drawRows(isForced, keepsFocus = true) {
    const count = state.shown.length;
    const height = box.clientHeight || 600;
    const first = isPrinting ? 0 : Math.max(0, Math.floor(box.scrollTop / ROW) - 10);
    const last = isPrinting ? Math.min(count, 200) : Math.min(count, Math.ceil((box.scrollTop + height) / ROW) + 10);
    if (!isForced && first === drawn[0] && last === drawn[1]) return;
    drawn = [first, last];
    const focused = keepsFocus && body.contains(document.activeElement) ? document.activeElement.dataset.place : null;
    const rows = [];
    const space = pixels => {
      const row = make("tr", { class: "space", "aria-hidden": "true" }, make("td", { colspan: 2 }));
      row.style.height = pixels + "px";
      return row;
    };
    if (first > 0) rows.push(space(first * ROW));
    for (let place = first; place < last; place += 1) rows.push(rowOf(place));
    if (last < count && !isPrinting) rows.push(space((count - last) * ROW));
    body.replaceChildren(...rows);
    if (focused !== null) body.querySelector(`a[data-place="${focused}"]`)?.focus({ preventScroll: true });
  }

  function moveTo(place) {
    if (state.shown.length === 0) return;
    active = Math.max(0, Math.min(state.shown.length - 1, place));
    const top = active * ROW, end = top + ROW + 44;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (end > box.scrollTop + box.clientHeight) box.scrollTop = end - box.clientHeight;
    drawRows(true, false);
    body.querySelector(`a[data-place="${active}"]`)?.focus({ preventScroll: true });
  }

  isNarrow.addEventListener("change", () => {
    ROW = isNarrow.matches ? 88 : 44;
    drawRows(true);
  });
  box.addEventListener("scroll", () => requestAnimationFrame(() => drawRows(false)), { passive: true });
  box.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === "BUTTON") return;
    const page = Math.max(1, Math.floor(box.clientHeight / ROW) - 2);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    moveTo(active + step);
  });
  for (const button of table.querySelectorAll("thead button")) {
    button.addEventListener("click", () => {
      const key = button.dataset.sort;
      const isSame = state.sort && state.sort[0] === key;
      state.sort = isSame && state.sort[1] === -1 ? null : [key, isSame ? -1 : 1];
      update();
    });
  }

  function drawHead() {
    for (const button of table.querySelectorAll("thead button")) {
      const isSorted = state.sort && state.sort[0] === button.dataset.sort;
      button.closest("th").setAttribute("aria-sort", isSorted ? (state.sort[1] === 1 ? "ascending" : "descending") : "none");
      button.querySelector(".arrow").textContent = isSorted ? (state.sort[1] === 1 ? " ▲" : " ▼") : "";
    }
  }

  function update(keepsPlace) {
    drawChips(filter());
    const count = state.shown.length;
    const all = trials.length;
    byId("shown").textContent = count === all ? plural(all, data.noun) : `${count.toLocaleString("en")} of ${plural(all, data.noun)}`;
    byId("none").hidden = count > 0;
    box.hidden = count === 0;
    byId("none-text").textContent = all === 0 ? "There are no cases in this report." : "No case is left: nothing matches all that is chosen" + (state.words.length ? " and typed." : ".");
    byId("clear").hidden = all === 0;
    byId("show-hidden").hidden = state.hidden.size === 0;
    byId("show-hidden").textContent = `Show ${plural(state.hidden.size, "hidden " + data.noun)}`;
    table.setAttribute("aria-rowcount", count + 1);
    if (!keepsPlace) { box.scrollTop = 0; active = 0; }
    active = Math.max(0, Math.min(active, count - 1));
    drawHead();
    drawRows(true);
    writeAddress();
  }

  const search = byId("search");
  
  let waiting = 0;
  search.addEventListener("input", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => {
      state.words = wordsOf(search.value);
      update();
    });
  });
  search.addEventListener("keydown", event => {
    if (event.key === "ArrowDown") { event.preventDefault(); moveTo(0); }
    if (event.key === "Escape" && search.value) { search.value = ""; state.words = []; update(); event.preventDefault(); }
  });
  document.addEventListener("keydown", event => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "/" && !isTyping && !dialog.open && !event.ctrlKey && !event.metaKey) { event.preventDefault(); search.focus(); search.select(); }
  });
  function clear() {
    for (const chosen of state.chosen.values()) chosen.clear();
    search.value = "";
    state.words = [];
    update();
    search.focus();
  }
  byId("clear").addEventListener("click", clear);
  byId("show-hidden").addEventListener("click", () => { state.hidden.clear(); update(true); say("All cases are shown again."); });

  // The address: what is chosen and which case is open can be sent to somebody.

  const encoded = value => encodeURIComponent(value).replace(/'/g, "%27");
  const caseKey = t => [encoded(data.suites[t[SUITE]].name), columnOf(t).key, encoded(t[ID]), t[REPEAT]].join("/");
  const link = index => "#case=" + caseKey(trials[index]);
  function writeAddress() {
    const parts = [];
    for (const facet of facets) for (const value of state.chosen.get(facet.key)) parts.push(facet.key + "=" + encodeURIComponent(value));
    if (state.words.length) parts.push("q=" + encodeURIComponent(state.words.join(" ")));
    if (state.sort) parts.push("sort=" + state.sort[0] + (state.sort[1] < 0 ? "-" : ""));
    if (state.open >= 0) parts.push("case=" + caseKey(trials[state.open]));
    const hash = parts.length ? "#" + parts.join("&") : "";
    // What is chosen stays chosen on the other pages.
    const choice = parts.filter(part => !part.startsWith("case=")).join("&");
    for (const other of document.querySelectorAll("a[data-page]")) other.hash = choice || "cases";
    if (location.hash === hash || (!hash && !location.hash.includes("="))) return;
    try { history.replaceState(null, "", hash || location.pathname + location.search); } catch { /* A page from disk may not be allowed to. */ }
  }
  function readAddress() {
    const hash = location.hash.slice(1);
    if (!hash.includes("=")) return;
    for (const chosen of state.chosen.values()) chosen.clear();
    state.words = [];
    state.sort = null;
    let [wanted, start] = [null, null];
    for (const part of hash.split("&")) {
      const at = part.indexOf("=");
      const name = part.slice(0, at), text = part.slice(at + 1);
      const value = safely(text);
      if (name === "case") wanted = text;
      else if (name === "from") start = value;
      else if (name === "q") state.words = wordsOf(value);
      else if (name === "sort" && Object.hasOwn(sortable, value.replace(/-$/, ""))) state.sort = [value.replace(/-$/, ""), value.endsWith("-") ? -1 : 1];
      else if (state.chosen.has(name)) {
        // What no case here has was chosen on another page, or in an older report: then nothing is left.
        if (!order.get(name).includes(value)) order.get(name).push(value);
        state.chosen.get(name).add(value);
      }
    }
    search.value = state.words.join(" ");
    const index = wanted === null ? -1 : trials.findIndex(t => caseKey(t) === wanted || caseKey(t) === wanted + "/1");
    if (wanted !== null && index < 0) {
      // Whoever wrote the link need not know the page: it is looked for on all of them, once around.
      const links = [...document.querySelectorAll("a[data-page]")];
      const files = links.map(other => other.getAttribute("href").split("#")[0]);
      const here = links.findIndex(other => other.hasAttribute("aria-current"));
      const next = files[(here + 1) % files.length];
      start ??= files[here];
      if (links.length > 0 && next !== start) {
        const parts = hash.split("&").filter(part => !part.startsWith("from="));
        return location.replace(next + "#" + parts.join("&") + "&from=" + encodeURIComponent(start));
      }
      say("The case of this link is not in this report.");
    }
    state.open = -1;
    update(true);
    if (index >= 0) return open(index);
    if (dialog.open) dialog.close();
    byId("cases").scrollIntoView();
  }
  function safely(text) { try { return decodeURIComponent(text); } catch { return text; } }
  window.addEventListener("hashchange", readAddress);
  document.addEventListener("click", event => {
    const target = event.target.closest?.('a[href^="#case="]');
    if (!target || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const wanted = target.getAttribute("href").slice(6);
    const index = trials.findIndex(t => caseKey(t) === wanted);
    if (index < 0) return;
    event.preventDefault();
    open(index);
  });
  document.addEventListener("click", event => {
    const button = event.target.closest?.("[data-choose]");
    if (!button) return;
    for (const chosen of state.chosen.values()) chosen.clear();
    for (const part of button.dataset.choose.split("&")) {
      const [name, value] = part.split("=").map(safely);
      state.chosen.get(name)?.add(value);
    }
    state.words = [];
    search.value = "";
    update();
    byId("cases").scrollIntoView();
    moveTo(0);
  });

  // Notes that pass

  const note = byId("note");
  let undo = null, timer = 0;
  function say(text, act) {
    byId("note-text").textContent = text;
    undo = act ?? null;
    byId("undo").hidden = !act;
    note.hidden = false;
    wait();
  }
  function wait() { clearTimeout(timer); timer = setTimeout(() => { if (!note.matches(":hover, :focus-within")) note.hidden = true; else wait(); }, 8000); }
  byId("undo").addEventListener("click", () => { note.hidden = true; undo?.(); });

  // A case

  const dialog = byId("case");
  let opener = null;

  const block = parts => make("pre", { tabindex: "0", dir: "auto" }, parts.map(([tag, text]) => tag ? make(tag, {}, visible(text)) : visible(text)));
  const answerBlock = (t, label) => t[ANSWER] === null ? make("p", { class: "quiet" }, label || "There is no answer.") : t[REFUSAL] && !t[ANSWER] ? refusalBlock(t[REFUSAL]) : block([["", t[ANSWER] || "(an empty text)"]]);
  // What a model says when it refuses is no text of an answer, so it is never shown as one.
  const refusalBlock = words => make("div", { class: "refusal" }, make("p", { class: "small quiet" }, "The model refused:"), block([["", words]]));
  const outcomeWord = (outcome, text) => make("span", { class: OUTCOMES[outcome] }, make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[outcome] + " "), text ?? OUTCOMES[outcome]);

  function sideBySide(leftTitle, left, rightTitle, right) {
    const difference = left === right ? null : markedDifference(left, right);
    const [one, two] = difference ?? [[["", left || "(an empty text)"]], [["", right || "(an empty text)"]]];
    return [left === right ? make("p", {}, "The texts are the same.") : null,
      make("div", { class: "sides" }, make("div", { class: "side" }, make("h4", {}, leftTitle), block(one)), make("div", { class: "side" }, make("h4", {}, rightTitle), block(two)))];
  }

  function timingBar(t) {
    const [connect, tls, firstByte, firstText, gap, total, server, user] = t[TIMINGS];
    if (!total) return make("p", { class: "quiet" }, "No times are known.");
    const phases = [];
    let last = 0;
    for (const [name, until] of [["connecting", connect], ["TLS", tls], ["waiting for the first byte", firstByte], ["until the first text", firstText], ["the rest of the answer", total]]) {
      if (until === null || until < last) continue;
      if (until > last) phases.push([name, last, until]);
      last = until;
    }
    const space = "http://www.w3.org/2000/svg";
    const svg = (tag, attributes, text) => {
      const element = document.createElementNS(space, tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      if (text !== undefined) element.textContent = text;
      return element;
    };
    const picture = svg("svg", { viewBox: `0 0 640 ${30 + phases.length * 20}`, width: 640, role: "img", "aria-label": "Time by phase: " + phases.map(p => `${p[0]} ${timeText(p[2] - p[1])}`).join(", ") });
    phases.forEach(([name, from, until], line) => {
      const x = 640 * from / total, width = Math.max(1.5, 640 * (until - from) / total);
      picture.append(svg("rect", { x, y: 2, width, height: 16, class: line % 2 ? "front" : "column" }));
      picture.append(svg("text", { x: 0, y: 38 + line * 20 }, `${line % 2 ? "■" : "□"} ${name}: ${timeText(until - from)}`));
    });
    const more = [server !== null ? `the server says ${timeText(server)}` : null, gap !== null ? `the longest gap between two pieces ${timeText(gap)}` : null, user !== null ? `with what was tried in vain ${timeText(user)}` : null].filter(Boolean);
    return make("div", {}, picture, make("p", { class: "small quiet" }, `In all ${timeText(total)}${more.length ? "; " + more.join("; ") : ""}.`));
  }

  function scoreTable(t) {
    if (!t[SCORES] || t[SCORES].length === 0) return make("p", { class: "quiet" }, "Nothing was scored.");
    return make("div", { class: "scroll" }, make("table", { class: "scores stack" }, make("thead", {}, make("tr", {}, ["Scorer", "Outcome", "Explanation"].map(h => make("th", { scope: "col" }, h)))),
      make("tbody", {}, t[SCORES].map(([scorer, outcome, explanation, isAdvisory]) => make("tr", {}, make("th", { scope: "row" }, visible(data.scorers[scorer])),
        make("td", {}, outcome === 2 ? make("span", { class: "quiet" }, "– not scored") : outcomeWord(outcome), isAdvisory ? make("span", { class: "quiet" }, ", advisory") : null),
        make("td", {}, visible(piece(explanation))))))));
  }

  function open(index) {
    const t = trials[index], suite = data.suites[t[SUITE]], column = columnOf(t);
    if (!dialog.open) opener = document.activeElement;
    state.open = index;
    const place = state.shown.indexOf(index);
    if (place >= 0) active = place;
    const beside = trials.map((other, i) => [other, i]).filter(([other, i]) => i !== index && other[SUITE] === t[SUITE] && other[ID] === t[ID]);
    const repeats = beside.filter(([other]) => other[COLUMN] === t[COLUMN]);
    const others = beside.filter(([other]) => other[COLUMN] !== t[COLUMN] && other[REPEAT] === t[REPEAT]);
    const parts = [];
    const status = [outcomeWord(t[OUTCOME]), t[FLIP] ? `; ${FLIPS[t[FLIP]]}` : "", t[LOSS] !== null ? make("span", {}, ": " + visible(piece(t[LOSS]))) : "", t[EXEMPT] !== null ? make("span", { class: "quiet" }, `; in quarantine, does not decide: ${visible(t[EXEMPT])}`) : ""];
    parts.push(make("p", {}, status), make("p", { class: "quiet" }, `${suite.name}, ${columnName(t)}`, t[TAGS].length ? "; tags " + t[TAGS].map(i => visible(data.tags[i])).join(", ") : "", t[SPLIT] >= 0 ? `; split ${visible(data.splits[t[SPLIT]])}` : "", t[CLASS] >= 0 ? `; class ${visible(data.classes[t[CLASS]])}` : ""));
    parts.push(make("h3", {}, "Answer"), answerBlock(t));
    if (t[REFUSAL] && t[ANSWER]) parts.push(refusalBlock(t[REFUSAL]));
    if (t[CUT]) parts.push(make("p", { class: "small quiet" }, "This is the beginning; the run log has the whole text."));
    parts.push(make("h3", {}, "Scores"), scoreTable(t));
    if (t[BEFORE] !== null) {
      const [outcome, text, title, refused] = t[BEFORE];
      parts.push(make("h3", {}, "Against " + visible(piece(title))));
      if (text === 0) parts.push(make("p", {}, "The answer is the same."));
      else if (text === null) parts.push(make("p", {}, "It ", outcomeWord(outcome), " there; the text was not kept."));
      else if (refused) parts.push(make("p", {}, "It ", outcomeWord(outcome), " there."), refusalBlock(text));
      else parts.push(...sideBySide(["Before: ", outcomeWord(outcome)], text, ["Now: ", outcomeWord(t[OUTCOME])], t[ANSWER] ?? ""));
    }
    for (const [other, i] of others) {
      parts.push(make("h3", {}, `Against ${columnName(other)}`), ...sideBySide([`${columnName(other)}: `, outcomeWord(other[OUTCOME])], other[ANSWER] ?? "", [`${columnName(t)}: `, outcomeWord(t[OUTCOME])], t[ANSWER] ?? ""),
        make("p", {}, make("a", { href: link(i) }, `Open the case of ${columnName(other)}`)));
    }
    if (repeats.length) parts.push(make("h3", {}, "Other answers to the same case"), make("ul", {}, repeats.map(([other, i]) => make("li", {}, make("a", { href: link(i) }, `repeat ${other[REPEAT]}`), ": ", outcomeWord(other[OUTCOME])))));
    parts.push(make("h3", {}, "What was sent"));
    if (t[REQUEST] === null) parts.push(make("p", { class: "quiet" }, "The request is not in this report."));
    else parts.push(...t[REQUEST].map(([role, text]) => make("div", { class: "message" }, make("div", { class: "role" }, data.roles[role]), block([["", whole(text)]]))));
    parts.push(make("h3", {}, "Time"), timingBar(t), make("h3", {}, "Usage and origin"));
    const facts = [];
    const fact = (name, value) => { if (value !== null && value !== undefined && value !== "") facts.push(make("dt", {}, name), make("dd", {}, value)); };
    if (t[USAGE]) {
      const [input, cached, output, reasoning] = t[USAGE];
      fact("Tokens", [input !== null ? `${input.toLocaleString("en")} sent` : null, cached ? `${cached.toLocaleString("en")} of them cached` : null, output !== null ? `${output.toLocaleString("en")} answered` : null, reasoning ? `${reasoning.toLocaleString("en")} of them reasoning` : null].filter(Boolean).join(", ") || "unknown");
    }
    if (t[ANSWER] !== null) fact("Cost", moneyText(t[COST]));
    if (t[SOURCE] >= 0) fact(suite.answers === "recorded" ? "Recorded from" : "Answered by", visible(data.sources[t[SOURCE]]));
    fact("Ended with", t[FINISH] ? visible(t[FINISH]) : "");
    fact("Prompt", make("code", {}, visible(column.path)));
    fact("Request", make("code", {}, t[KEY]));
    parts.push(make("dl", { class: "facts" }, facts));

    byId("case-title").textContent = visible(t[ID]) + (t[REPEAT] > 1 ? ` (repeat ${t[REPEAT]})` : "");
    byId("case-body").replaceChildren(...parts.filter(Boolean));
    byId("case-place").textContent = place >= 0 ? `${(place + 1).toLocaleString("en")} of ${state.shown.length.toLocaleString("en")}` : "";
    byId("previous").disabled = place <= 0;
    byId("next").disabled = place < 0 || place >= state.shown.length - 1;
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    byId("case-title").focus();
    writeAddress();
  }
  function step(by) {
    const place = state.shown.indexOf(state.open) + by;
    if (place >= 0 && place < state.shown.length) open(state.shown[place]);
  }
  byId("previous").addEventListener("click", () => step(-1));
  byId("next").addEventListener("click", () => step(1));
  byId("close").addEventListener("click", () => dialog.close());
  byId("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      say("The link is in the clipboard.");
    } catch { say("This browser does not let pages copy; the link is in the address bar."); }
  });
  byId("hide").addEventListener("click", () => {
    const index = state.open, t = trials[index], place = state.shown.indexOf(index);
    dialog.close();
    state.hidden.add(index);
    update(true);
    moveTo(place);
    say(`${visible(t[ID])} is hidden.`, () => { state.hidden.delete(index); update(true); moveTo(Math.max(0, state.shown.indexOf(index))); });
  });
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", event => {
    if (event.target.tagName === "PRE" || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowRight" || event.key === "j") step(1);
    if (event.key === "ArrowLeft" || event.key === "k") step(-1);
  });
  dialog.addEventListener("close", () => {
    // The browser has gone back to where the dialog was opened; whoever leafed on is elsewhere.
    const place = state.shown.indexOf(state.open);
    state.open = -1;
    writeAddress();
    if (opener && opener.isConnected && opener !== document.body && !box.contains(opener)) opener.focus();
    else if (!box.hidden) moveTo(place >= 0 ? place : active);
  });

  // Paper has no room for ten thousand rows.

  let isPrinting = false;
  window.addEventListener("beforeprint", () => { isPrinting = true; drawRows(true); });
  window.addEventListener("afterprint", () => { isPrinting = false; drawRows(true); });
  window.addEventListener("resize", () => drawRows(false));

  byId("tools").hidden = false;
  table.querySelector("th.c-cost").hidden = !data.hasCosts;
  table.querySelector("th.c-column").hidden = isAlone;
  if (location.hash.includes("=")) readAddress(); else update();
  // The first search is as quick as the others where there was a moment before it.
  (window.requestIdleCallback ?? setTimeout)(texts);
})();
