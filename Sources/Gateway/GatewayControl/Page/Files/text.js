// Formats strings, times and numbers. A character of a notification that is invisible or changes the direction of the
// text is shown by its name instead.

import { h } from "./dom.js";

const controls = "\\u0000-\\u001f\\u007f-\\u009f";
const directions = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
const invisible =
  "\\u00ad\\u115f\\u1160\\u180e\\u200b\\u2028\\u2029\\u2060-\\u2064\\u206a-\\u206f\\u3164\\ufeff\\uffa0";
const hidden = new RegExp(`[${controls}${directions}${invisible}]|[\\ud800-\\udfff]`, "gu");

const name = (character) => "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

/** The string with a name for each hidden character; for attributes and titles. */
export function plain(text) {
  return String(text).replace(hidden, (character) => `[${name(character)}]`);
}

/** Whether no character of the string is hidden. */
export const isPlain = (text) => plain(text) === String(text);

/** JSON text with an escape for each hidden character in a string. */
export function escaped(json) {
  const code = (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0");
  return json.replace(hidden, (character) => (/[\t\n\r]/.test(character) ? character : code(character)));
}

/** The string as nodes, in which hidden characters are named and marked. */
export function shown(text) {
  const nodes = [];
  let end = 0;
  const source = String(text);
  for (const match of source.matchAll(hidden)) {
    if (match.index > end) nodes.push(source.slice(end, match.index));
    nodes.push(h("span", { class: "hidden-character" }, name(match[0])));
    end = match.index + match[0].length;
  }
  if (end < source.length) nodes.push(source.slice(end));
  return nodes;
}

/** At most `count` characters, without splitting one. */
export function cut(text, count) {
  const source = String(text);
  if (source.length <= count) return source;
  return Array.from(source.slice(0, count * 2)).slice(0, count).join("") + "…";
}

/** A device token in lists: its first and last four digits. */
export function shortToken(token) {
  const text = plain(token ?? "");
  return text.length > 12 ? `${text.slice(0, 4)}…${text.slice(-4)}` : text;
}

const two = (number) => String(number).padStart(2, "0");

/** The time of day in UTC with milliseconds, as in the gateway's log. */
export const clockTime = (text) => (text ?? "").slice(11, 23);

/** Day and time in UTC. */
export const dayAndTime = (text) => `${(text ?? "").slice(0, 10)} ${(text ?? "").slice(11, 23)}`;

export const isoTime = (milliseconds) => new Date(milliseconds).toISOString();

/** A span of time in the largest units that tell something. */
export function span(milliseconds) {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${two(Math.floor(seconds / 60) % 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor(seconds / 3600) % 24} h`;
}

const numbers = new Intl.NumberFormat("en-US");

/** A number with a comma at each third digit. */
export const count = (number) => numbers.format(number);

/** A number with its noun in the right form. */
export const counted = (number, one, many = one + "s") => `${count(number)} ${number === 1 ? one : many}`;
