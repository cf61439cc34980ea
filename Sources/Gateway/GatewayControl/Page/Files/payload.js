// A payload as numbered lines, with the validator's findings under the lines that they are about.

import { h, icon } from "./dom.js";
import { memberSource, prettyLines, textOfBase64 } from "./json.js";
import { count, shown } from "./text.js";

const severities = { error: "Error", warning: "Warning", note: "Note" };

/** A finding as a separate line. */
export function findingNode(finding, tag = "p") {
  return h(
    tag,
    { class: `finding ${finding.severity}` },
    icon(finding.severity === "error" ? "cross" : finding.severity === "warning" ? "warning" : "info"),
    h("strong", {}, severities[finding.severity] ?? finding.severity),
    " ",
    h("span", {}, shown(finding.message)),
    " ",
    h("code", { class: "rule" }, finding.rule),
  );
}

/** Whether a finding is about a header instead of the payload. */
export const isOfHeader = (finding) => finding.pointer !== null && finding.pointer !== "" && finding.pointer[0] !== "/";

/**
 * The payload of an API answer, given as text, so that numbers keep their digits. `findings` are those about the
 * payload.
 */
export function payloadNode(answer, findings) {
  const source = memberSource(answer, "payload");
  if (source !== null) return jsonNode(source, findings);
  const encoded = memberSource(answer, "payload-base64");
  const text = encoded === null ? "" : textOfBase64(JSON.parse(encoded));
  return h(
    "div",
    {},
    ...findings.map((finding) => findingNode(finding)),
    text === ""
      ? h("p", { class: "quiet" }, "The payload is empty.")
      : h(
          "pre",
          { class: "raw", tabindex: "0", role: "region", "aria-label": "Payload, which is not JSON" },
          shown(text),
        ),
  );
}

function jsonNode(source, findings) {
  const lines = prettyLines(source);
  const places = new Map();
  const elsewhere = [];
  for (const finding of findings) {
    const line = finding.pointer === null ? -1 : lines.findIndex((line) => line.pointer === finding.pointer);
    if (line < 0) elsewhere.push(finding);
    else places.set(line, [...(places.get(line) ?? []), finding]);
  }
  const items = lines.map((line, index) => {
    const own = places.get(index) ?? [];
    const parts = line.parts.map((part) => h("span", { class: `json-${part.kind}` }, shown(part.text)));
    const code = h("code", {}, ...parts);
    code.style.paddingInlineStart = `${Math.min(line.depth, 40) * 1.25}em`;
    const worst = Object.keys(severities).find((severity) => own.some((finding) => finding.severity === severity));
    return h("li", { class: worst ? `marked ${worst}` : null }, code, ...own.map((finding) => findingNode(finding)));
  });
  return h(
    "div",
    {},
    ...elsewhere.map((finding) => findingNode(finding)),
    h(
      "div",
      { class: "code-box", tabindex: "0", role: "region", "aria-label": `Payload, ${count(lines.length)} lines` },
      h("ol", { class: "code" }, ...items),
    ),
  );
}
