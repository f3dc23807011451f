"use strict";
// The address of the page. It contains filters, search and open case, so that a link can share them. This file does not use the document.

// Encodes a part of an address in the same way as the Swift code that writes the page.
const encodedPart = value => encodeURIComponent(value).replace(/'/g, "%27");

function decodedPart(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

// Returns the fragment for a state {chosen: [[group, value]], words, sort, case}.
function fragmentOf(state) {
  const parts = state.chosen.map(([group, value]) => group + "=" + encodeURIComponent(value));
  if (state.words.length) parts.push("q=" + encodeURIComponent(state.words.join(" ")));
  if (state.sort) parts.push("sort=" + state.sort);
  if (state.case) parts.push("case=" + state.case);
  return parts.join("&");
}

// Returns the state in a fragment. `case` stays encoded, as in links. `from` is the first page that looked for the case.
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

// Returns the next page on which to look for a case, or null after all pages. `start` is the page where the search began.
function nextPage(files, here, start) {
  if (files.length === 0) return null;
  const next = files[(here + 1) % files.length];
  return next === (start ?? files[here]) ? null : next;
}
