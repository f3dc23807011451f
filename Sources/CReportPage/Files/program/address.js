"use strict";
// The address of the page: what is chosen, searched and opened can be sent to somebody. Nothing here knows of the page.

// As the writer of the page encodes parts of an address.
const encodedPart = value => encodeURIComponent(value).replace(/'/g, "%27");

function decodedPart(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

// The fragment of a state: {chosen: [[group, value]], words, sort, case}.
function fragmentOf(state) {
  const parts = state.chosen.map(([group, value]) => group + "=" + encodeURIComponent(value));
  if (state.words.length) parts.push("q=" + encodeURIComponent(state.words.join(" ")));
  if (state.sort) parts.push("sort=" + state.sort);
  if (state.case) parts.push("case=" + state.case);
  return parts.join("&");
}

// The state of a fragment. `case` stays encoded, as links have it; `from` is the page that passed the link on.
function stateOf(fragment) {
  const state = { chosen: [], words: [], sort: "", case: null, from: null };
  for (const part of fragment.split("&")) {
    const at = part.indexOf("=");
    if (at < 0) continue;
    const [name, text] = [part.slice(0, at), part.slice(at + 1)];
    if (name === "case") state.case = text;
    else if (name === "from") state.from = decodedPart(text);
    else if (name === "q") state.words = wordsOf(decodedPart(text));
    else if (name === "sort") state.sort = decodedPart(text);
    else state.chosen.push([name, decodedPart(text)]);
  }
  return state;
}

// The next page on which a case is looked for, once around; null where all were.
function nextPage(files, here, start) {
  if (files.length === 0) return null;
  const next = files[(here + 1) % files.length];
  return next === (start ?? files[here]) ? null : next;
}
