"use strict";
// Marks on failed answers, which say whose fault the failure is. This file does not use the document.

const MARKS = [
  { name: "real", key: "r", title: "Real failure", hint: "the answer is wrong" },
  { name: "scorer", key: "s", title: "Scorer's fault", hint: "the answer is fine, the scorer is wrong" },
  { name: "label", key: "l", title: "Label's fault", hint: "the expectation is wrong" },
];
const markTitle = name => MARKS.find(mark => mark.name === name)?.title ?? name;

// Returns a hash of an answer (FNV-1a). A mark is valid only for the answer with the same hash, not for a later answer to the case.
function fingerprintOf(text) {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

// The marks that the browser stores, as {[address of a trial]: [mark, fingerprint]}.
// `storage` is the browser's storage. Without it, a page keeps its marks until it is closed.
function createMarks(storage, key = "sluice-marks") {
  let kept = {};
  const read = () => {
    try {
      const value = JSON.parse(storage.getItem(key) ?? "{}");
      if (value && typeof value === "object" && !Array.isArray(value)) kept = value;
    } catch { /* Without storage, use only the marks of this page. */ }
  };
  read();
  return {
    addresses: () => Object.keys(kept),
    // Returns the mark of an answer, or null if there is none or if it was set for a different answer.
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

// Returns the text of a labels file: a file of outputs that has marks of a person instead of answers of a model.
// `marks` is a list of {id, prompt, repeat, mark}.
function labelsFile(marks) {
  return marks.map(({ id, prompt, repeat, mark }) =>
    JSON.stringify({ id, prompt, ...(repeat > 1 ? { repeat } : {}), text: mark }) + "\n").join("");
}

// Returns the marks of a labels file. Throws an error for the first invalid line.
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

// Returns the name of a labels file, with characters that every file system allows.
const labelsFileName = (suite, backend) => `labels-${suite}-${backend}`.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 100) + ".jsonl";
