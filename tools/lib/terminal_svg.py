"""A picture of a terminal, as SVG, from the bytes that a program wrote to it."""

import re
from html import escape

CELL, LINE, SIZE = 8.4, 19, 14  # of a character, in pixels: width, height of its row, height of the font
MARGIN, BAR = 16, 34
PER_LINE, HOLD = 0.22, 6  # seconds of the animation: for each row, and at the end
# Colours for a light and a dark page; each has a contrast of 4.5 or more with its background.
LIGHT = {
    "back": "#f6f8fa", "frame": "#d0d7de", "text": "#1f2328", "faint": "#59636e", "red": "#b3261e", "green": "#116329",
    "yellow": "#7a4e00", "blue": "#0550ae", "magenta": "#8250df", "cyan": "#0b5a64",
}  # fmt: skip
DARK = {
    "back": "#0d1117", "frame": "#3d444d", "text": "#e6edf3", "faint": "#9198a1", "red": "#ff8d86", "green": "#56d364",
    "yellow": "#e3b341", "blue": "#79c0ff", "magenta": "#d2a8ff", "cyan": "#76e3ea",
}  # fmt: skip
NAMES = {31: "red", 32: "green", 33: "yellow", 34: "blue", 35: "magenta", 36: "cyan", 2: "faint", 1: "bold"}
LINK = re.compile(r"\x1b\]8;[^\x1b\x07]*(?:\x1b\\|\x07)")
STYLE = re.compile(r"\x1b\[([0-9;]*)m")


def runs(text):
    """The rows of the text; each is a list of (text, names of styles)."""
    rows, style = [], set()
    for line in LINK.sub("", text).replace("\r\n", "\n").rstrip("\n").split("\n"):
        row = []
        for number, part in enumerate(STYLE.split(line)):
            if number % 2 == 0:
                if part:
                    row.append((part, frozenset(style)))
                continue
            for code in map(int, part.split(";") if part else ["0"]):
                if code in (0, 39, 22):
                    style = set() if code == 0 else style - ({"bold", "faint"} if code == 22 else set(NAMES.values()) - {"bold", "faint"})
                elif code in NAMES:
                    style = style | {NAMES[code]}
                else:
                    raise ValueError(f"the picture has no style for the code {code}")
        if any("\x1b" in part for part, _ in row):
            raise ValueError(f"the picture has no form for {line!r}")
        rows.append(row)
    return rows


def wrapped(row, columns):
    """The row as a terminal of this width breaks it."""
    lines, line, used = [], [], 0
    for text, style in row:
        while text:
            piece, text = text[: columns - used], text[columns - used :]
            line.append((piece, style))
            used += len(piece)
            if text:
                lines.append(line)
                line, used = [], 0
    return [*lines, line]


def row_svg(row, y):
    parts, column = [], 0
    for text, style in row:
        bare = text.lstrip(" ")
        column += len(text) - len(bare)
        bare = bare.rstrip(" ")
        if bare:
            kind = f' class="{" ".join(sorted(style))}"' if style else ""
            parts.append(
                f'<tspan x="{number(MARGIN + column * CELL)}" textLength="{number(len(bare) * CELL)}"{kind}>{escape(bare, quote=False)}</tspan>'
            )
        column += len(text.lstrip(" "))
    return f'<text y="{y}">{"".join(parts)}</text>' if parts else ""


def number(value):
    return f"{value:.1f}".removesuffix(".0")


def style_sheet(colours):
    rules = [f".{name}{{fill:{colour}}}" for name, colour in colours.items() if name not in ("back", "frame", "text")]
    return f".back{{fill:{colours['back']}}}.frame{{stroke:{colours['frame']}}}text{{fill:{colours['text']}}}" + "".join(rules)


def animation(count, shown):
    """Uncovers one row after the other, and scrolls where the rows do not fit; then holds the last state."""
    total = count * PER_LINE + HOLD
    cover, scroll = [], []
    for row in range(count + 1):
        share = number(row * PER_LINE / total * 10000) if row else "0"
        share = number(float(share) / 100) if row else "0"
        cover.append(f"{share}%{{transform:translateY({row * LINE}px)}}")
        if row >= shown:
            scroll.append(f"{share}%{{transform:translateY({(shown - row) * LINE}px)}}")
    last = f"100%{{transform:translateY({max(count - shown, 0) * -LINE}px)}}"
    return (
        f"@keyframes cover{{{''.join(cover)}100%{{transform:translateY({count * LINE}px)}}}}"
        f"@keyframes scroll{{0%{{transform:none}}{''.join(scroll)}{last}}}"
        f".cover{{transform:translateY({count * LINE}px)}}"  # for what shows no animations
        f".cover{{animation:cover {number(total)}s step-end infinite}}.rows{{animation:scroll {number(total)}s step-end infinite}}"
        "@media (prefers-reduced-motion:reduce){.cover,.rows{animation:none}.cover{display:none}.rows{transform:none}}"
    )


def picture(text, title, description, columns, shown=None):
    """The text as a picture with a title and a description; with `shown` rows it is animated."""
    rows = [line for row in runs(text) for line in wrapped(row, columns)]
    count = len(rows)
    visible = min(shown or count, count)
    width, height = number(columns * CELL + 2 * MARGIN), BAR + visible * LINE + MARGIN
    body = "\n".join(filter(None, (row_svg(row, BAR + (index + 1) * LINE - 5) for index, row in enumerate(rows))))
    style = f"text{{font:{SIZE}px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}}"
    style += style_sheet(LIGHT) + ".bold{font-weight:700}.frame{fill:none}"
    style += f"@media (prefers-color-scheme:dark){{{style_sheet(DARK)}}}"
    if shown:
        style += animation(count, visible)
        covered = f'<rect class="cover back" x="1" y="{BAR}" width="{number(float(width) - 2)}" height="{(count + 2) * LINE}"/>'
        body = (
            f'<clipPath id="screen"><rect x="0" y="{BAR}" width="{width}" height="{visible * LINE + 6}"/></clipPath>\n'
            f'<g clip-path="url(#screen)"><g class="rows">\n{body}\n{covered}</g></g>'
        )
    dots = "".join(f'<circle class="faint" cx="{18 + 16 * dot}" cy="17" r="5" opacity=".5"/>' for dot in range(3))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-labelledby="title description">
<title id="title">{escape(title, quote=False)}</title>
<desc id="description">{escape(description, quote=False)}</desc>
<style>{style}</style>
<rect class="back" width="{width}" height="{height}" rx="8"/>
<rect class="frame" x=".5" y=".5" width="{number(float(width) - 1)}" height="{height - 1}" rx="7.5"/>
{dots}
{body}
</svg>
"""
