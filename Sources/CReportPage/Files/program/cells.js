"use strict";
// The texts in cells of the grid: short, and cut so that differences are visible. This file does not use the document.

// Returns the text of a cell as parts [kind, text]; JSON loses its punctuation.
const cellParts = text => compactJSON(text) ?? [["", text.replace(/\s+/g, " ").trim()]];
const plainOf = parts => parts.map(part => part[1]).join("");

// Returns the text of a cell as parts [kind, mark, text]. The mark "ins" means that `other` does not have the part.
// A long text is cut to start shortly before the first difference, so that the difference is visible.
function markedCell(text, other, length = 320) {
  const kinds = cellParts(text.length > 6_000 ? text.slice(0, 6_000) : text);
  let parts = kinds.map(([kind, piece]) => [kind, "", piece]);
  let isCut = false;
  if (other !== null && other !== text) {
    const difference = markedDifference(plainOf(cellParts(other.slice(0, 6_000))), plainOf(kinds), 90_000);
    if (difference) parts = overlaid(kinds, difference[1]);
    let before = 0;
    for (const [, mark, piece] of parts) {
      if (mark) break;
      before += piece.length;
    }
    const skipped = before - 40;
    if (before > 110 && before < plainOf(kinds).length) {
      isCut = true;
      let left = skipped;
      parts = parts.flatMap(([kind, mark, piece]) => {
        const cut = Math.min(left, piece.length);
        left -= cut;
        return cut === piece.length ? [] : [[kind, mark, piece.slice(cut)]];
      });
    }
  }
  let left = length;
  const shown = [];
  for (const [kind, mark, piece] of parts) {
    if (left <= 0) break;
    shown.push([kind, mark, piece.slice(0, left)]);
    left -= piece.length;
  }
  return isCut ? [["", "", "… "], ...shown] : shown;
}

// Returns the fields of a case on one line. The name is left out if the only field is a text, but not if it is a value such as "false".
function fieldParts(fields) {
  if (fields.length === 1 && !/^(true|false|null|-?[\d.]+)$/.test(fields[0][1])) return cellParts(fields[0][1]);
  return fields.flatMap(([name, text], place) => [...(place > 0 ? [["", " · "]] : []), ["key", name + ": "], ...cellParts(text)]);
}

// Returns the question of a case on one line: the longest input text with several words, or else the last message of a conversation.
function questionParts(fields) {
  const longer = (best, text) => text.length > best.length ? text : best;
  const asked = fields.map(field => field[1]).filter(text => /\S\s+\S/.test(text) && !jsonTree(text)).reduce(longer, "");
  if (asked) return [["", asked.replace(/\s+/g, " ").trim()]];
  const last = fields.map(field => conversationOf(field[1])?.at(-1)).find(message => message);
  return last ? [["key", last[0] + ": "], ["", last[1].replace(/\s+/g, " ").trim()]] : fieldParts(fields);
}
