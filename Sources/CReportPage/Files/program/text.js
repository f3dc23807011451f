"use strict";
// Writes texts and figures for people. This file does not use the document.

// Characters that are invisible or change the direction of a line. They are shown as their number in Unicode.
const UNSEEN = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]/g;
const visible = text => text.replace(UNSEEN, c => "\u27E8U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "\u27E9");

const COUNTS = new Intl.NumberFormat("en");
const countText = count => COUNTS.format(count);
const plural = (count, noun) => countText(count) + " " + noun + (count === 1 ? "" : "s");

function timeText(ms) {
  if (ms === null) return "unknown";
  if (ms >= 1000) return (ms / 1000).toFixed(2) + " s";
  return ms.toFixed(ms >= 10 ? 0 : 2) + " ms";
}

function moneyText(value) {
  if (value === null) return "unknown";
  if (value >= 1) return "$" + value.toFixed(2);
  let decimals = 5;
  while (value !== 0 && value < 100 * 10 ** -decimals && decimals < 12) decimals += 1;
  return "$" + value.toFixed(decimals);
}

// Returns the words of a search. A case is found if it contains all of them.
const wordsOf = text => text.toLowerCase().split(/\s+/).filter(Boolean);
