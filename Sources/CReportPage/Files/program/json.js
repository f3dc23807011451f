"use strict";
// Makes JSON readable without changing values: numbers and texts stay as they are written.

// Returns the tree of a text that is a JSON object or list, or null for any other text.
// A node is {kind: "list", items}, {kind: "object", members: [[name, node]]}, or {kind, text} for any other value.
function jsonTree(text) {
  if (text.length > 200_000 || !/^\s*[{[]/.test(text)) return null;
  try { JSON.parse(text); } catch { return null; }
  // The JSON is valid, so the first character of a token tells its kind.
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g);
  let at = 0;
  const read = depth => {
    if (depth > 60) throw new RangeError("nested too deeply");
    const token = tokens[at++];
    if (token === "[") {
      const items = [];
      while (tokens[at] !== "]") {
        if (tokens[at] === ",") at += 1;
        items.push(read(depth + 1));
      }
      at += 1;
      return { kind: "list", items };
    }
    if (token === "{") {
      const members = [];
      while (tokens[at] !== "}") {
        if (tokens[at] === ",") at += 1;
        const name = tokens[at];
        at += 2;
        members.push([name, read(depth + 1)]);
      }
      at += 1;
      return { kind: "object", members };
    }
    return { kind: token[0] === "\"" ? "text" : "word", text: token };
  };
  try { return read(0); } catch { return null; }
}

// Returns JSON with a line for each member, as parts [kind, text]. The kinds are "key" for names, "text" for texts, "word" for numbers, true,
// false and null, and "" for punctuation. A list or object that is short enough stays on one line. Returns null for any other text.
function prettyJSON(text, width = 76) {
  const tree = jsonTree(text);
  if (!tree) return null;
  const parts = [];
  const put = (kind, piece) => {
    const last = parts[parts.length - 1];
    if (last && last[0] === kind && kind === "") last[1] += piece; else parts.push([kind, piece]);
  };
  const length = (node, left) => {
    if (left < 0) return Infinity;
    if (node.kind === "list") return node.items.reduce((sum, item) => sum + length(item, left - sum) + 2, 2);
    if (node.kind === "object") return node.members.reduce((sum, [name, value]) => sum + name.length + length(value, left - sum) + 4, 2);
    return node.text.length;
  };
  const write = (node, indent, used) => {
    if (node.kind !== "list" && node.kind !== "object") return put(node.kind, node.text);
    const isList = node.kind === "list";
    const entries = isList ? node.items.map(item => [null, item]) : node.members;
    const [open, close] = isList ? "[]" : "{}";
    if (entries.length === 0) return put("", open + close);
    const isFlat = indent > 0 && used + length(node, width) <= width;
    put("", open);
    entries.forEach(([name, value], place) => {
      put("", (place > 0 ? "," : "") + (isFlat ? (place > 0 ? " " : isList ? "" : " ") : "\n" + "  ".repeat(indent + 1)));
      if (name !== null) { put("key", name); put("", ": "); }
      write(value, indent + 1, (indent + 1) * 2 + (name?.length ?? 0) + 2);
    });
    put("", (isFlat ? (isList ? "" : " ") : "\n" + "  ".repeat(indent)) + close);
  };
  write(tree, 0, 0);
  return parts;
}

// Returns JSON on one line for a table, as parts [kind, text], without quotation marks.
// Returns null for a text that is not an object or a list.
function compactJSON(text) {
  const tree = jsonTree(text);
  if (!tree) return null;
  const parts = [];
  const value = node => {
    if (node.kind === "list") {
      if (node.items.length === 0) return parts.push(["", "[]"]);
      return node.items.forEach((item, place) => { if (place > 0) parts.push(["", "; "]); value(item); });
    }
    if (node.kind === "object") {
      if (node.members.length === 0) return parts.push(["", "{}"]);
      return node.members.forEach(([name, member], place) => {
        if (place > 0) parts.push(["", " · "]);
        parts.push(["key", JSON.parse(name) + ": "]);
        value(member);
      });
    }
    parts.push(["", node.kind === "text" ? JSON.parse(node.text) : node.text]);
  };
  value(tree);
  return parts;
}

// Returns the messages of a conversation as [who, text, other members], or null if the text is not a list of messages.
function conversationOf(text) {
  const tree = jsonTree(text);
  if (!tree || tree.kind !== "list" || tree.items.length === 0) return null;
  const list = JSON.parse(text);
  const nameOf = value => typeof value === "string" ? value : typeof value?.name === "string" ? value.name : typeof value?.id === "string" ? value.id : null;
  const messages = list.map(item => {
    if (item === null || typeof item !== "object") return null;
    const who = nameOf(item.role) ?? nameOf(item.from) ?? nameOf(item.sender) ?? nameOf(item.author);
    const words = [item.content, item.text, item.message].find(value => typeof value === "string");
    if (who === null || words === undefined) return null;
    const rest = Object.entries(item).filter(([name, value]) => !["role", "from", "sender", "author", "content", "text", "message"].includes(name) && typeof value !== "object");
    return [who, words, rest.map(([name, value]) => name + " " + value).join(", ")];
  });
  return messages.includes(null) ? null : messages;
}

// Returns the texts in a value: the text itself, or all texts of a list or an object, without names, numbers and flags.
function textsIn(text) {
  if (!jsonTree(text)) return [text];
  const texts = value => typeof value === "string" ? [value] : value && typeof value === "object" ? Object.values(value).flatMap(texts) : [];
  return texts(JSON.parse(text));
}

// Returns true if a value has texts of several words, and the request contains none of them.
function isUnsent(text, request) {
  const texts = textsIn(text).map(one => one.trim()).filter(one => /\S\s+\S/.test(one));
  return texts.length > 0 && !texts.some(one => request.includes(one));
}

// Combines two lists of parts of the same text, cut at different positions: [kind, text] and [mark, text]. Returns [kind, mark, text].
function overlaid(kinds, marks) {
  const parts = [];
  let [i, j, a, b] = [0, 0, 0, 0];
  while (i < kinds.length && j < marks.length) {
    const length = Math.min(kinds[i][1].length - a, marks[j][1].length - b);
    if (length > 0) parts.push([kinds[i][0], marks[j][0], kinds[i][1].slice(a, a + length)]);
    a += length;
    b += length;
    if (a === kinds[i][1].length) { i += 1; a = 0; }
    if (b === marks[j][1].length) { j += 1; b = 0; }
  }
  return parts;
}
