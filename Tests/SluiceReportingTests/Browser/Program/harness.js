"use strict";
// A few lines in place of a test framework: rules by name, each with what it found wrong.

const rules = [];

function rule(name, body) {
  try {
    body();
    rules.push([name, null]);
  } catch (error) {
    rules.push([name, String(error.message ?? error)]);
  }
}

// The same value, by its JSON.
function expectEqual(found, expected) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`found ${a}, expected ${b}`);
}
