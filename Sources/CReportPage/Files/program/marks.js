"use strict";
// Marks on failures: whose fault each is. Nothing here knows of the page.

const MARKS = [
  { name: "real", key: "r", title: "Real failure", hint: "the answer is wrong" },
  { name: "scorer", key: "s", title: "Scorer's fault", hint: "the answer is fine, the scorer is wrong" },
  { name: "label", key: "l", title: "Label's fault", hint: "the expectation is wrong" },
];
const markTitle = name => MARKS.find(mark => mark.name === name)?.title ?? name;

// A number that tells answers apart (FNV-1a): a mark is about one answer, not about the next one to the same case.
function fingerprintOf(text) {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

// The marks of a browser, by the address of a case: {[address]: [mark, fingerprint]}.
// `storage` is that of the browser; a page that may not use it keeps marks until it is closed.
function createMarks(storage, key = "sluice-marks") {
  let kept = {};
  const read = () => {
    try {
      const value = JSON.parse(storage.getItem(key) ?? "{}");
      if (value && typeof value === "object" && !Array.isArray(value)) kept = value;
    } catch { /* Then those of this page are all there is. */ }
  };
  read();
  return {
    addresses: () => Object.keys(kept),
    // The mark of an answer; null for none, and for one that was about another answer.
    of(address, fingerprint) {
      const mark = Object.hasOwn(kept, address) ? kept[address] : null;
      return Array.isArray(mark) && mark[1] === fingerprint && MARKS.some(known => known.name === mark[0]) ? mark[0] : null;
    },
    set(address, fingerprint, mark) {
      // Another tab may have set marks since.
      read();
      if (mark === null) delete kept[address]; else kept[address] = [mark, fingerprint];
      try { storage.setItem(key, JSON.stringify(kept)); return true; } catch { return false; }
    },
  };
}

// The lines of a labels file, which is a file of outputs: what a person says in place of a model.
// `marks` is a list of {id, prompt, repeat, mark}.
function labelsFile(marks) {
  return marks.map(({ id, prompt, repeat, mark }) =>
    JSON.stringify({ id, prompt, ...(repeat > 1 ? { repeat } : {}), text: mark }) + "\n").join("");
}

// The marks of a labels file; throws what is wrong with the first wrong line.
function readLabels(text) {
  return text.split("\n").map((line, place) => [line.trim(), place + 1]).filter(([line]) => line).map(([line, number]) => {
    let row;
    try { row = JSON.parse(line); } catch { throw new Error(`line ${number} is not JSON`); }
    const { id, prompt, repeat = 1, text: mark } = row ?? {};
    if (typeof id !== "string" || typeof prompt !== "string" || !Number.isInteger(repeat)) throw new Error(`line ${number} has no id and prompt`);
    if (!MARKS.some(known => known.name === mark)) throw new Error(`line ${number}: 'text' is not real, scorer or label`);
    return { id, prompt, repeat, mark };
  });
}

// The name of a labels file, of characters that every disk takes.
const labelsFileName = (suite, backend) => `labels-${suite}-${backend}`.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 100) + ".jsonl";
