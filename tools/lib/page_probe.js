// Run inside the page by tools/check-page: contrast, names, elements that are too wide.
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
function rgba(color) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}
const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
function luminance([r, g, b]) {
  const [x, y, z] = [r, g, b].map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}
function ratio(left, right) {
  const [high, low] = [luminance(left), luminance(right)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}
// Every colour that may be behind an element: more than one with a gradient.
function grounds(element) {
  const layers = [];
  for (let at = element; at !== null; at = at.parentElement) {
    const style = getComputedStyle(at);
    const image = style.backgroundImage;
    if (image.includes("gradient")) {
      const stops = (image.match(/rgba?\([^)]*\)|color\([^)]*\)/g) ?? []).map(rgba);
      return stops.map((stop) => layers.reduceRight((under, top) => over(top, under), over(stop, [255, 255, 255, 1])));
    }
    const color = rgba(style.backgroundColor);
    if (color[3] > 0) layers.push(color);
    if (color[3] === 1) break;
  }
  const base = matchMedia("(prefers-color-scheme: dark)").matches ? [16, 19, 23, 1] : [255, 255, 255, 1];
  return [layers.reduceRight((under, top) => over(top, under), base)];
}
function isInSight(element) {
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  const box = element.getBoundingClientRect();
  return box.width > 1 && box.height > 1;
}
function faintTexts() {
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === "" || !isInSight(element)) continue;
    if (element.closest("option, :disabled, .switch:has(:disabled), .is-gone .banners, noscript")) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    for (const ground of grounds(element)) {
      const found = ratio(over(rgba(style.color), ground), ground);
      const name = element.className || element.tagName;
      if (found < needed) faint.push(`${found.toFixed(2)} ${name}: ${node.data.trim().slice(0, 40)}`);
    }
  }
  return [...new Set(faint)];
}
// Elements with a meaning in shape and colour only, and the contrast that they need: WCAG 1.4.11 requires 3 to 1.
const shapes = [
  [".dot", null], [".counts dt", "::before"], [".life li", "::before"], [".track", null], [".track", "::after"],
  [".app-icon", null],
];
function lostShapes() {
  const lost = [];
  for (const [selector, part] of shapes) {
    for (const element of document.querySelectorAll(selector)) {
      if (!isInSight(element)) continue;
      const style = getComputedStyle(element, part);
      const behind = part === null ? element.parentElement : element;
      for (const ground of grounds(behind)) {
        const edges = [style.backgroundColor];
        if (parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== "none") edges.push(style.borderTopColor);
        const found = Math.max(...edges.map((color) => ratio(over(rgba(color), ground), ground)));
        if (found < 3) lost.push(`${found.toFixed(2)} ${selector}${part ?? ""}`);
      }
    }
  }
  for (const element of document.querySelectorAll("[aria-selected=true], [aria-pressed=true], nav [aria-current]")) {
    if (!isInSight(element)) continue;
    const style = getComputedStyle(element);
    const isMarked = ["outline", "border", "borderBottom"].some((name) => {
      const [width, line] = [parseFloat(style[`${name}Width`]), style[`${name}Style`]];
      return width > 0 && line !== "none" && rgba(style[`${name}Color`])[3] > 0;
    });
    if (!isMarked) lost.push(`the mark of ${element.id || element.className || element.textContent.trim()}`);
  }
  const lines = [...document.querySelectorAll("nav a")].map((link) => {
    const line = getComputedStyle(link).borderBottomColor;
    return [link.hasAttribute("aria-current"), rgba(line).join()];
  });
  const current = lines.find(([isCurrent]) => isCurrent)?.[1];
  if (lines.some(([isCurrent, line]) => !isCurrent && line === current)) lost.push("which link is the current one");
  return [...new Set(lost)];
}
function tooWide() {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll("body *")]
    .filter((element) => isInSight(element) && element.getBoundingClientRect().right > width + 1)
    .map((element) => element.id || element.className || element.tagName);
}
function focused() {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const shown = [element, element.nextElementSibling, element.closest(".editor")].some((part) => {
    if (part === null) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(part);
    return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  });
  return {
    name: element.id || element.name || element.textContent.trim().slice(0, 30) || element.tagName,
    isVisible: box.width > 0 && box.height > 0 && style.visibility === "visible",
    isMarked: shown,
  };
}
// What is pressed and is lower than 44 px; a control in a label is as high as its label.
function lowTargets() {
  const low = new Set();
  for (const element of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
    if (!isInSight(element.closest("label") ?? element) || element.matches(".skip, :disabled")) continue;
    const label = element.matches("[type=checkbox], [type=radio]") ? element.closest("label") : null;
    const { height } = (label ?? element).getBoundingClientRect();
    if (height < 43.9) low.add(`${element.id || element.className || element.textContent.trim().slice(0, 30)}: ${height}`);
  }
  return [...low];
}
// The links to the views that are not wholly in sight.
function hiddenViews() {
  return [...document.querySelectorAll("nav a")]
    .filter((link) => {
      const box = link.getBoundingClientRect();
      return box.left < 0 || box.right > innerWidth || box.top < 0 || box.width < 24 || link.scrollWidth > link.clientWidth;
    })
    .map((link) => link.textContent);
}
