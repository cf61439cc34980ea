// Reads JSON without converting values, so that a number keeps its digits and a repeated key appears twice.

/** Where a value begins and ends in `text`, from `start` on. */
function valueEnd(text, start) {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = stringEnd(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (character === "{" || character === "[") {
      depth += 1;
    } else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
      if (depth < 0) return at;
    } else if (depth === 0 && (character === "," || /\s/.test(character))) {
      return at;
    }
  }
  return text.length;
}

function stringEnd(text, start) {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/** The source of a member of the object in `text`; null if it does not exist. */
export function memberSource(text, key) {
  let at = text.indexOf("{") + 1;
  while (at > 0 && at < text.length) {
    while (at < text.length && text[at] !== '"') at += 1;
    if (at >= text.length) return null;
    const keyEnd = stringEnd(text, at);
    const found = text.slice(at, keyEnd);
    at = text.indexOf(":", keyEnd) + 1;
    while (/\s/.test(text[at] ?? "")) at += 1;
    const end = valueEnd(text, at);
    if (found === JSON.stringify(key)) return text.slice(at, end);
    at = end + 1;
  }
  return null;
}

/** The sources of the elements of the array in `text`. */
export function elementSources(text) {
  const sources = [];
  let at = text.indexOf("[") + 1;
  while (at > 0 && at < text.length) {
    while (/[\s,]/.test(text[at] ?? "")) at += 1;
    if (at >= text.length || text[at] === "]") break;
    const end = valueEnd(text, at);
    sources.push(text.slice(at, end));
    at = end;
  }
  return sources;
}

const escaped = (key) => key.replaceAll("~", "~0").replaceAll("/", "~1");

function keyOf(source) {
  try {
    return JSON.parse(source);
  } catch {
    return source.slice(1, -1);
  }
}

/**
 * The lines of a JSON text, one for each value: its depth, its parts as `{kind, text}`, and the JSON pointer of the
 * value that begins there (null on a line that only closes one). The text must be JSON.
 */
export function prettyLines(text) {
  const lines = [];
  const stack = [];
  let line = null;
  const begin = (pointer) => {
    line = { depth: stack.length, parts: [], pointer };
    lines.push(line);
  };
  const add = (kind, source) => line.parts.push({ kind, text: source });
  const pointer = () => {
    const top = stack.at(-1);
    return top === undefined ? "" : `${top.pointer}/${top.isArray ? top.index : escaped(top.key)}`;
  };
  let at = 0;
  let isAfterKey = false;
  while (at < text.length) {
    const character = text[at];
    if (/\s/.test(character)) {
      at += 1;
      continue;
    }
    const top = stack.at(-1);
    if (character === "," || character === ":") {
      add("mark", character === ":" ? ": " : ",");
      if (character === ",") {
        if (top?.isArray) top.index += 1;
        isAfterKey = false;
      } else {
        isAfterKey = true;
      }
      at += 1;
      continue;
    }
    if (character === "}" || character === "]") {
      const closed = stack.pop();
      if (closed !== undefined && !closed.isEmpty) begin(null);
      add("mark", character);
      at += 1;
      continue;
    }
    const isKey = top !== undefined && !top.isArray && !isAfterKey;
    if (top !== undefined) top.isEmpty = false;
    if (isKey) {
      const end = stringEnd(text, at);
      top.key = keyOf(text.slice(at, end));
      begin(pointer());
      add("key", text.slice(at, end));
      at = end;
      continue;
    }
    if (line === null || top?.isArray) begin(pointer());
    isAfterKey = false;
    if (character === "{" || character === "[") {
      const own = pointer();
      add("mark", character);
      stack.push({ isArray: character === "[", pointer: own, index: 0, key: "", isEmpty: true });
      at += 1;
      continue;
    }
    const end = character === '"' ? stringEnd(text, at) : scalarEnd(text, at);
    add(character === '"' ? "string" : /[-\d]/.test(character) ? "number" : "word", text.slice(at, end));
    at = end;
  }
  return lines;
}

function scalarEnd(text, start) {
  let at = start;
  while (at < text.length && !/[\s,\]}]/.test(text[at])) at += 1;
  return Math.max(at, start + 1);
}

/** The base64 of a string's UTF-8. */
export function base64(text) {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Decodes base64 to a string, with a replacement character for each byte that is not UTF-8. */
export function textOfBase64(text) {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}
