"use strict";
// Differences between texts, word by word. This file does not use the document.

const tokensOf = text => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

// Returns both texts as lists of [mark, text]. The mark "del" means that only the first text has the part, "ins" that only the second has it.
// Returns null if the texts are too long: `most` is the maximum number of pairs of words to compare.
function markedDifference(before, after, most = 4_000_000) {
  const [a, b] = [tokensOf(before), tokensOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (x.length * y.length > most) return null;
  const width = y.length + 1;
  const lengths = new Uint16Array((x.length + 1) * width);
  for (let i = x.length - 1; i >= 0; i -= 1) {
    for (let j = y.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = x[i] === y[j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const [left, right] = [[], []];
  const add = (list, mark, text) => {
    const last = list[list.length - 1];
    if (last && last[0] === mark) last[1] += text; else list.push([mark, text]);
  };
  const addBoth = text => { add(left, "", text); add(right, "", text); };
  for (const text of a.slice(0, start)) addBoth(text);
  let [i, j] = [0, 0];
  while (i < x.length || j < y.length) {
    if (i < x.length && j < y.length && x[i] === y[j]) { addBoth(x[i]); i += 1; j += 1; }
    else if (j >= y.length || (i < x.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) { add(left, "del", x[i]); i += 1; }
    else { add(right, "ins", y[j]); j += 1; }
  }
  for (const text of a.slice(a.length - end)) addBoth(text);
  return [left, right];
}
