#!/usr/bin/env python3
"""Prints docs/images/architecture.svg: the targets of the manifest by part, and what each imports.

An arrow that follows from others (A to C, where A to B and B to C are drawn) is left out.
"""

import json
import os
import subprocess
import sys
from html import escape

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# From the top: a part imports parts below it.
PARTS = ["Command", "Proof", "Worker", "Backend", "Gateway", "Sender", "Payload", "Wire", "Base", "App"]
COLOURS = {
    "Command": "#4c6ef5", "Proof": "#868e96", "Worker": "#f76707", "Backend": "#ae3ec9", "Gateway": "#1098ad",
    "Sender": "#e8590c", "Payload": "#37b24d", "Wire": "#d6336c", "Base": "#495057", "App": "#7048e8",
}
# Two parts on one line where neither imports the other.
BESIDE = [("Command",), ("Proof",), ("Worker",), ("Gateway", "Backend"), ("Sender",), ("Payload", "Wire", "App"), ("Base",)]
WIDTH, BOX, GAP, LINE, LABEL = 1240, 30, 16, 62, 18


def targets():
    answer = subprocess.run(
        ["swift", "package", "--package-path", ROOT, "dump-package"], capture_output=True, text=True)
    if answer.returncode != 0:
        sys.exit(answer.stderr.strip() or "the manifest cannot be read")
    found = {}
    for target in json.loads(answer.stdout)["targets"]:
        path = target.get("path") or ""
        if path.startswith("Sources/"):
            names = [value["byName"][0] for value in target["dependencies"] if "byName" in value]
            found[target["name"]] = (path.split("/")[1], names)
    return {name: (part, [other for other in others if other in found]) for name, (part, others) in found.items()}


def reach(name, graph, known):
    """All that a target imports, directly or by others."""
    if name not in known:
        known[name] = set()
        for other in graph[name][1]:
            known[name] |= {other} | reach(other, graph, known)
    return known[name]


def depth(name, graph):
    """How many targets of its own part lie below it."""
    part, others = graph[name]
    return max([depth(other, graph) + 1 for other in others if graph[other][0] == part], default=0)


def box_width(name):
    return 7.4 * len(name) + 18


def arrange(graph):
    """The place of each target, and of each part: (x, y, width, height)."""
    boxes, bands, y = {}, [], 10
    for group in BESIDE:
        group = [part for part in group if any(value[0] == part for value in graph.values())]
        if not group:
            continue
        rows = {}
        for part in group:
            rows[part] = {}
            for name, (its, _) in sorted(graph.items()):
                if its == part:
                    rows[part].setdefault(depth(name, graph), []).append(name)
        needs = {
            part: max(sum(box_width(name) + GAP for name in names) for names in rows[part].values()) + 2 * GAP
            for part in group}
        spare = (WIDTH - 20 - sum(needs.values())) / len(group)
        height = max(len(rows[part]) for part in group) * LINE + LABEL
        x = 10
        for part in group:
            width = needs[part] + spare
            bands.append((part, x, y, width - 10, height))
            for level, names in rows[part].items():
                row_y = y + height - (level + 1) * LINE + 20
                row_x = x + (width - 10 - sum(box_width(name) + GAP for name in names) + GAP) / 2
                for name in names:
                    boxes[name] = (row_x, row_y, box_width(name), BOX)
                    row_x += box_width(name) + GAP
            x += width
        y += height + 26
    return boxes, bands, y


def main():
    graph = targets()
    unknown = {part for part, _ in graph.values()} - set(PARTS)
    if unknown:
        sys.exit(f"tools/lib/architecture.py has no place for the part {', '.join(sorted(unknown))}")
    known = {}
    boxes, bands, height = arrange(graph)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="system-ui, sans-serif" '
        'font-size="13">',
        "<title>The targets of apns-toolkit and what they import</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#868e96"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for part, x, y, width, band in bands:
        out.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{band:.0f}" rx="8" fill="{COLOURS[part]}" '
            'fill-opacity="0.07"/>')
        out.append(
            f'<text x="{x + 10:.0f}" y="{y + 17:.0f}" font-weight="600" fill="{COLOURS[part]}">{part}</text>')
    for name, (_, others) in sorted(graph.items()):
        for other in sorted(others):
            if any(other in reach(third, graph, known) for third in others if third != other):
                continue
            x1, y1, w1, h1 = boxes[name]
            x2, y2, w2, _ = boxes[other]
            start, end = (x1 + w1 / 2, y1 + h1), (x2 + w2 / 2, y2 - 2)
            if y2 <= y1:  # beside each other, or on the way up to a part that is drawn higher
                start, end = (x1 + w1 / 2, y1), (x2 + w2 / 2, y2 + BOX + 2)
            bend = (end[1] - start[1]) / 2
            out.append(
                f'<path d="M{start[0]:.0f} {start[1]:.0f}C{start[0]:.0f} {start[1] + bend:.0f} {end[0]:.0f} '
                f'{end[1] - bend:.0f} {end[0]:.0f} {end[1]:.0f}" fill="none" stroke="#868e96" stroke-opacity="0.55" '
                'marker-end="url(#tip)"/>')
    for name, (x, y, width, band) in sorted(boxes.items()):
        colour = COLOURS[graph[name][0]]
        out.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{band}" rx="6" fill="#ffffff" '
            f'stroke="{colour}"/>')
        out.append(
            f'<text x="{x + width / 2:.0f}" y="{y + 20:.0f}" text-anchor="middle" fill="#212529">{escape(name)}</text>')
    out.append("</svg>")
    print("\n".join(out))


main()
