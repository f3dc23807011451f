"use strict";
// Creates elements of the page. Texts of models and datasets are always inserted as text, never as markup.

const byId = id => document.getElementById(id);

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false && child !== "") element.append(child);
  }
  return element;
}

// Highlights words in an element without changing the element. `name` is the name of the highlight in CSS.
function highlightWords(name, element, words) {
  if (!globalThis.CSS?.highlights) return;
  const ranges = [];
  const walker = words.length ? document.createTreeWalker(element, NodeFilter.SHOW_TEXT) : null;
  while (walker?.nextNode()) {
    const text = walker.currentNode.data.toLowerCase();
    // Skip texts whose length changes in lower case, since all positions after that letter would be wrong.
    if (text.length !== walker.currentNode.data.length) continue;
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + word.length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set(name, new Highlight(...ranges));
}
