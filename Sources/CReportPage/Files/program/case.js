"use strict";
// The view of a case: its question and expected values, an answer, the answer's scores, and differences from other answers.

// `options`: report, markOf(trial), mark(trial, name), words(), onChange(), stepTo(by), placeOf(trial).
function createCaseView(options) {
  const { report } = options;
  const { rows, trials, data, piece } = report;
  const dialog = byId("case");
  let shown = -1, opener = null;

  // Shows a text unchanged, or JSON with a line for each member.
  const jsonElements = parts => parts.map(([kind, text]) => kind ? make("span", { class: "json-" + kind }, visible(text)) : visible(text));
  function textBlock(text, label, width) {
    const pretty = prettyJSON(text, width);
    return make("pre", { tabindex: "0", dir: "auto", class: pretty ? "json" : "prose", "aria-label": label }, pretty ? jsonElements(pretty) : visible(text) || make("span", { class: "quiet" }, "(an empty text)"));
  }
  const markedBlock = (parts, label, isJSON) => make("pre", { tabindex: "0", dir: "auto", class: isJSON ? "json" : "prose", "aria-label": label }, parts.length === 0 ? make("span", { class: "quiet" }, "(an empty text)") : parts.map(([mark, text]) => mark ? make(mark, {}, visible(text)) : visible(text)));
  // A refusal is not an answer, so its text is never shown as an answer.
  const refusalBlock = words => make("div", { class: "refusal" }, make("p", { class: "small quiet" }, "The model refused:"), textBlock(words, "Refusal"));
  const section = (title, ...content) => make("section", { class: "part" }, make("h3", {}, title), ...content);
  const fold = (title, note, ...content) => make("details", { class: "fold" }, make("summary", {}, make("span", {}, title), note ? make("span", { class: "quiet small" }, note) : null), make("div", { class: "body" }, ...content));

  // `request` is the text of the request, to mark input that was not sent; null to mark nothing.
  function fieldBlocks(fields, nothing, request = null) {
    if (fields.length === 0) return [make("p", { class: "quiet" }, nothing)];
    return fields.map(([name, text]) => {
      const messages = conversationOf(text);
      const isShort = !messages && text.length <= 48 && !text.includes("\n");
      const unsent = request !== null && isUnsent(text, request) ? make("span", { class: "badge inconclusive" }, "not in the request") : null;
      const title = name || unsent ? make("div", { class: "field-name" }, visible(name), unsent ? " " : null, unsent) : null;
      if (isShort) return make("div", { class: "field short" }, title, make(/\s/.test(text) && !jsonTree(text) ? "span" : "code", { dir: "auto" }, visible(text) || make("span", { class: "quiet" }, "(empty)")));
      if (messages) {
        return make("div", { class: "field" }, title, make("ol", { class: "conversation" }, messages.map(([who, words, rest]) => make("li", {},
          make("div", { class: "role" }, visible(who), rest ? make("span", { class: "quiet" }, " " + visible(rest)) : null), make("div", { class: "said", dir: "auto" }, visible(words))))));
      }
      return make("div", { class: "field" }, title, textBlock(text, name || "Question", 48));
    });
  }

  function sideBySide(leftTitle, left, rightTitle, right) {
    // JSON is compared in the form in which it is shown, with a line for each member.
    const [a, b] = [prettyJSON(left), prettyJSON(right)];
    const isJSON = a !== null && b !== null;
    const [one, two] = isJSON ? [plainOf(a), plainOf(b)] : [left, right];
    const difference = markedDifference(one, two) ?? [[["", one]], [["", two]]];
    const isSame = one === two;
    return [isSame ? make("p", { class: "quiet" }, "The values are the same; the texts differ only in spaces.") : null,
      make("div", { class: "sides" }, make("div", { class: "side" }, make("h4", {}, leftTitle), markedBlock(difference[0], "Before", isJSON)),
        make("div", { class: "side" }, make("h4", {}, rightTitle), markedBlock(difference[1], "Now", isJSON)))];
  }

  function scores(t) {
    if (!t[TRIAL.scores] || t[TRIAL.scores].length === 0) return make("p", { class: "quiet" }, "Nothing was scored.");
    // Failed scores come first.
    const isFailed = score => score[1] === 1 && !score[3];
    const list = [...t[TRIAL.scores].filter(isFailed), ...t[TRIAL.scores].filter(score => !isFailed(score))];
    return make("ul", { class: "scores" }, list.map(([scorer, outcome, explanation, isAdvisory]) => make("li", { class: outcome === 1 && !isAdvisory ? "is-failed" : null },
      make("span", { class: "score-outcome" }, outcome === 2 ? make("span", { class: "quiet" }, "– not scored") : outcomeWord(outcome)),
      make("span", { class: "score-name" }, make("code", {}, visible(data.scorers[scorer])), isAdvisory ? make("span", { class: "quiet small" }, " advisory") : null),
      make("span", { class: "score-reason", dir: "auto" }, visible(piece(explanation))))));
  }

  function timingBar(t) {
    if (!t[TRIAL.timings] || !t[TRIAL.timings][5]) return make("p", { class: "quiet" }, "No times are known.");
    const [connect, tls, firstByte, firstText, gap, total, server, user] = t[TRIAL.timings];
    const phases = [];
    let last = 0;
    for (const [name, until] of [["connecting", connect], ["TLS", tls], ["waiting for the first byte", firstByte], ["until the first text", firstText], ["the rest of the answer", total]]) {
      if (until === null || until < last) continue;
      if (until > last) phases.push([name, last, until]);
      last = until;
    }
    const svg = (tag, attributes, text) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      if (text !== undefined) element.textContent = text;
      return element;
    };
    // Each phase has its own line, so that the name is next to its bar.
    const picture = svg("svg", { viewBox: `0 0 640 ${phases.length * 34}`, width: 640, role: "img", "aria-label": "Time by phase: " + phases.map(p => `${p[0]} ${timeText(p[2] - p[1])}`).join(", ") });
    phases.forEach(([name, from, until], line) => {
      const x = 640 * from / total, width = Math.max(1.5, 640 * (until - from) / total);
      picture.append(svg("text", { x: 0, y: 13 + line * 34 }, `${name}: ${timeText(until - from)}`));
      picture.append(svg("rect", { x: Math.min(x, 640 - width), y: 18 + line * 34, width, height: 9, class: "front" }));
    });
    const more = [server !== null ? `${timeText(server)} by the server's own clock` : null, gap !== null ? `longest gap between two pieces ${timeText(gap)}` : null, user !== null ? `${timeText(user)} including retries` : null].filter(Boolean);
    return make("div", {}, picture, make("p", { class: "small quiet" }, `Total ${timeText(total)}${more.length ? "; " + more.join("; ") : ""}.`));
  }

  function facts(t, suite, column) {
    const list = [];
    const fact = (name, value) => { if (value !== null && value !== undefined && value !== "") list.push(make("dt", {}, name), make("dd", {}, value)); };
    if (t[TRIAL.usage]) {
      const [input, cached, output, reasoning] = t[TRIAL.usage];
      fact("Tokens", [input !== null ? `${countText(input)} sent` : null, cached ? `${countText(cached)} of them cached` : null, output !== null ? `${countText(output)} answered` : null, reasoning ? `${countText(reasoning)} of them reasoning` : null].filter(Boolean).join(", ") || "unknown");
    }
    if (t[TRIAL.answer] !== null && data.hasCosts) fact("Cost", moneyText(t[TRIAL.cost]));
    if (t[TRIAL.source] >= 0) fact(suite.answers === "recorded" ? "Recorded from" : "Answered by", visible(data.sources[t[TRIAL.source]]));
    fact("Ended with", t[TRIAL.finish] ? visible(t[TRIAL.finish]) : "");
    fact("Prompt", make("code", {}, visible(column.path)));
    fact("Request", t[TRIAL.key] ? make("code", {}, visible(t[TRIAL.key])) : "");
    return make("dl", { class: "facts" }, list);
  }

  // Returns buttons that lead to the answers in other columns and to the other repeats.
  function switches(row, t) {
    const cells = report.cellsOf(row), suite = report.suiteOf(row);
    const button = (index, text, isOn, key) => {
      const other = trials[index];
      return make("button", { type: "button", "aria-pressed": String(isOn), class: "switch", title: key ? `Key ${key}` : null, on: { click: () => open(index) } },
        make("span", { class: isOn ? null : OUTCOMES[other[TRIAL.outcome]], "aria-hidden": "true" }, SIGNS[other[TRIAL.outcome]] + " "), make("span", { class: "hidden-text" }, OUTCOMES[other[TRIAL.outcome]] + ": "), text);
    };
    const answered = cells.map((cell, at) => [cell, at]).filter(([cell]) => cell.length > 0);
    const columns = answered.length > 1 ? make("div", { class: "switches", role: "group", "aria-label": "Columns" },
      answered.map(([cell, at], number) => button(cell.find(index => trials[index][TRIAL.repeat] === t[TRIAL.repeat]) ?? cell[0], visible(suite.columns[at].name), at === t[TRIAL.column], number < 9 ? String(number + 1) : null))) : null;
    const cell = cells[t[TRIAL.column]];
    const repeats = cell.length > 1 ? make("div", { class: "switches", role: "group", "aria-label": "Repeats" },
      cell.map(index => button(index, `Repeat ${trials[index][TRIAL.repeat]}`, index === shown, null))) : null;
    return [columns, repeats];
  }

  function markButtons(index) {
    const current = options.markOf(index);
    return make("div", { class: "marks", role: "group", "aria-label": "Mark this answer" }, make("span", { class: "quiet small" }, "Mark as"),
      MARKS.map(mark => make("button", { type: "button", class: "mark", "data-mark": mark.name, "aria-pressed": String(current === mark.name), title: mark.hint, on: { click: () => options.mark(index, mark.name) } },
        mark.title, " ", make("kbd", { "aria-hidden": "true" }, mark.key))));
  }

  function before(t) {
    if (t[TRIAL.before] === null) return null;
    const [outcome, text, title, refused] = t[TRIAL.before];
    const day = report.pastOf(t).find(version => version.isCurrent)?.day;
    const name = visible(piece(title)) + (day ? `, committed ${day}` : "");
    if (text === 0) return section("Difference from " + name, make("p", { class: "quiet" }, "The answer is the same. It ", outcomeWord(outcome), " there."));
    if (text === null) return section("Difference from " + name, make("p", {}, "The answer is different. It ", outcomeWord(outcome), " there; its text was not kept."));
    if (refused) return section("Difference from " + name, make("p", {}, "It ", outcomeWord(outcome), " there."), refusalBlock(text));
    if (t[TRIAL.answer] === null) return section("Difference from " + name, make("p", {}, "It ", outcomeWord(outcome), " there, with this answer:"), textBlock(text, "Answer of the baseline"));
    return section("Difference from " + name, ...sideBySide(["Baseline ", outcomeWord(outcome)], text, ["Now ", outcomeWord(t[TRIAL.outcome])], t[TRIAL.answer] ?? ""));
  }

  // The change of the request since the baseline, for a case that passes or fails because of it.
  function edit(t) {
    if (t[TRIAL.edit] === undefined) return null;
    const lines = piece(t[TRIAL.edit]).split("\n").map(line =>
      make(line.startsWith("  - ") ? "del" : line.startsWith("  + ") ? "ins" : "span", {}, visible(line)));
    return section("What changed in this request", make("pre", { class: "difference", tabindex: "0", dir: "auto", "aria-label": "Change of the request" }, lines));
  }

  // Lists the case's results in the committed versions of its baseline, and tells if the answer is the same as now.
  function past(t) {
    const versions = report.pastOf(t);
    if (versions.length === 0) return null;
    return section("In committed baselines", make("ol", { class: "past" }, versions.map(version => make("li", {},
      make("span", { class: "num" }, version.day), outcomeWord(version.outcome), make("code", {}, visible(version.commit)), make("span", {}, visible(version.prompt)),
      make("span", { class: "quiet" }, [version.isOtherCase ? "another case then" : version.isSameAnswer ? "same answer as now" : "another answer", version.isCurrent ? "today's baseline" : ""].filter(Boolean).join(", "))))));
  }

  function otherColumns(row, t) {
    const suite = report.suiteOf(row), own = suite.columns[t[TRIAL.column]];
    return report.cellsOf(row).map((cell, at) => {
      const index = at === t[TRIAL.column] ? undefined : cell.find(one => trials[one][TRIAL.repeat] === t[TRIAL.repeat]);
      if (index === undefined) return null;
      const other = trials[index], name = visible(suite.columns[at].name);
      const isLost = one => one[TRIAL.answer] === null;
      const isSame = !isLost(other) && other[TRIAL.answer] === t[TRIAL.answer];
      const details = fold("Against " + name, isSame ? "the same answer" : isLost(other) ? "lost" : OUTCOMES[other[TRIAL.outcome]]);
      // Compare the answers only when the fold is opened for the first time.
      details.addEventListener("toggle", () => {
        if (!details.open || details.dataset.filled) return;
        details.dataset.filled = "true";
        if (isLost(other)) {
          const reason = other[TRIAL.loss] !== null ? visible(piece(other[TRIAL.loss])) : "";
          details.lastElementChild.append(make("p", {}, outcomeWord(other[TRIAL.outcome]), reason ? ": " + reason : null));
          return;
        }
        if (isLost(t)) {
          details.lastElementChild.append(make("h4", {}, name + " ", outcomeWord(other[TRIAL.outcome])), textBlock(report.wordsOf(other), "Answer of " + name));
          return;
        }
        details.lastElementChild.append(...(isSame ? [make("p", { class: "quiet" }, "The answer is the same.")] : sideBySide([name + " ", outcomeWord(other[TRIAL.outcome])], report.wordsOf(other), [visible(own.name) + " ", outcomeWord(t[TRIAL.outcome])], report.wordsOf(t))).filter(Boolean));
      });
      return details;
    });
  }

  function exchange(row, t) {
    const sent = t[TRIAL.request] === null ? [make("p", { class: "quiet" }, "The request is not in this report; the run log and the recordings have it.")]
      : t[TRIAL.request].map(([role, parts]) => make("div", { class: "message" }, make("div", { class: "role" }, visible(data.roles[role])), make("pre", { tabindex: "0", dir: "auto", "aria-label": "Message of " + data.roles[role] }, visible(report.messageOf(row, parts)))));
    const answered = t[TRIAL.answer] === null ? null : make("div", { class: "message" }, make("div", { class: "role" }, "answer, unchanged"), make("pre", { tabindex: "0", dir: "auto", "aria-label": "Unchanged answer" }, visible(t[TRIAL.answer])));
    return fold("Request and raw answer", t[TRIAL.request] === null ? null : plural(t[TRIAL.request].length, "message"), ...sent, answered);
  }

  function content(index) {
    const t = trials[index], row = report.rowOf(t), suite = report.suiteOf(row), column = report.columnOf(t), values = row.values;
    const place = report.placeOf(row);
    const about = [suite.name, values[CASE.tags].length ? "tags " + values[CASE.tags].map(tag => data.tags[tag]).join(", ") : "", values[CASE.split] >= 0 ? "split " + data.splits[values[CASE.split]] : "", values[CASE.class] >= 0 ? "class " + data.classes[values[CASE.class]] : ""].filter(Boolean).map(visible);
    const fault = report.faultOf(t);
    return [
      make("div", { class: "case-question" },
        section("Question", ...fieldBlocks(report.inputOf(row), "The input is not in this report.", report.requestOf(t))),
        section("Expected", ...fieldBlocks(report.expectedOf(row), "The case has no expected values.")),
        make("p", { class: "small quiet about" }, about.join(" · "), place ? make("code", { class: "case-line" }, visible(place)) : null)),
      make("div", { class: "case-answer" },
        ...switches(row, t),
        make("p", { class: "case-verdict" }, outcomeWord(t[TRIAL.outcome]), t[TRIAL.flip] ? make("span", { class: "badge " + (t[TRIAL.flip] === 1 ? "failed" : t[TRIAL.flip] === 2 ? "passed" : "") }, report.flips[t[TRIAL.flip]]) : null,
          make("span", { class: "quiet" }, visible(column.name) + (report.latencyOf(t) !== null ? ", " + timeText(report.latencyOf(t)) : "")),
          t[TRIAL.exempt] !== null ? make("span", { class: "quiet" }, `in quarantine, does not decide: ${visible(t[TRIAL.exempt])}`) : null),
        fault ? make("p", { class: "case-fault " + OUTCOMES[t[TRIAL.outcome]], dir: "auto" }, visible(fault)) : null,
        edit(t),
        section("Answer", t[TRIAL.answer] === null ? make("p", { class: "quiet" }, "There is no answer.") : t[TRIAL.refusal] && !t[TRIAL.answer] ? refusalBlock(t[TRIAL.refusal]) : textBlock(t[TRIAL.answer], "Answer"),
          t[TRIAL.refusal] && t[TRIAL.answer] ? refusalBlock(t[TRIAL.refusal]) : null,
          t[TRIAL.cut] ? make("p", { class: "small quiet" }, "This is the beginning; the run log has the whole text.") : null),
        section("Scores", scores(t)),
        markButtons(index),
        before(t),
        past(t),
        ...otherColumns(row, t),
        fold("Time", report.latencyOf(t) !== null ? timeText(report.latencyOf(t)) : "unknown", timingBar(t)),
        exchange(row, t),
        fold("Usage and origin", t[TRIAL.tokens] !== null ? plural(t[TRIAL.tokens], "token") : null, facts(t, suite, column))),
    ].filter(Boolean);
  }

  function open(index, keepsFocus = false) {
    const t = trials[index], row = report.rowOf(t);
    if (!dialog.open) opener = document.activeElement;
    shown = index;
    const [place, count] = options.placeOf(index);
    byId("case-title").textContent = visible(row.values[CASE.id]) || "(no name)";
    byId("case-body").replaceChildren(...content(index));
    highlightWords("case", byId("case-body"), options.words());
    byId("case-place").textContent = place >= 0 ? `${countText(place + 1)} of ${countText(count)}` : "";
    byId("previous").disabled = place <= 0;
    byId("next").disabled = place < 0 || place >= count - 1;
    if (!dialog.open) dialog.showModal();
    if (!keepsFocus) {
      dialog.scrollTop = 0;
      byId("case-title").focus();
    }
    options.onChange();
  }

  // Updates the buttons after a mark changed, and keeps the focus on them.
  function remark() {
    if (shown < 0 || !dialog.open) return;
    const focused = document.activeElement?.dataset?.mark;
    const own = dialog.querySelector(".marks");
    own.replaceWith(markButtons(shown));
    if (focused) dialog.querySelector(`[data-mark="${focused}"]`)?.focus();
  }

  byId("previous").addEventListener("click", () => options.stepTo(-1));
  byId("next").addEventListener("click", () => options.stepTo(1));
  byId("close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", event => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isText = event.target.tagName === "PRE";
    const mark = MARKS.find(known => known.key === event.key);
    const column = /^[1-9]$/.test(event.key) ? dialog.querySelectorAll('[aria-label="Columns"] button')[Number(event.key) - 1] : null;
    if ((event.key === "ArrowRight" && !isText) || event.key === "j") options.stepTo(1);
    else if ((event.key === "ArrowLeft" && !isText) || event.key === "k") options.stepTo(-1);
    else if (mark) options.mark(shown, mark.name);
    else if (column) column.click();
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("close", () => {
    const last = shown;
    shown = -1;
    options.onClose(last, opener);
  });

  return { dialog, open, remark, close: () => { if (dialog.open) dialog.close(); }, shown: () => shown };
}
