"""A manual page as HTML, from the few requests that tools/lib/man_pages.py writes."""

import html
import re

FONTS = {"B": "b", "I": "i"}


def words(text):
    """A line with its fonts as tags."""
    text = html.escape(text.replace("\\-", "-").replace("\\e", "&#92;").replace("\\&", "").replace("\\(aq", "'"), quote=False)
    text = text.replace("&amp;#92;", "&#92;")
    return re.sub(r"\\f([BI])(.*?)\\f[RP]", lambda match: f"<{FONTS[match[1]]}>{match[2]}</{FONTS[match[1]]}>", text)


def manual_html(text):
    parts, is_term, is_code = [], False, False
    for line in text.splitlines():
        request = line[:3].rstrip() if line.startswith(".") else ""
        rest = line[len(request) :].strip() if request else line
        if request == ".TH":
            title = rest.split('"')[0].replace("\\-", "-").split()[0].lower()
            parts.append(f"<h1>{html.escape(title)}(1)</h1>")
        elif request in (".SH", ".SS"):
            level = "h2" if request == ".SH" else "h3"
            parts.append(f"<{level}>{words(rest)}</{level}>")
        elif request == ".PP":
            parts.append("<p>")
        elif request == ".TP":
            is_term = True
        elif request == ".br":
            parts.append("<br>")
        elif request in (".nf", ".fi"):
            is_code = request == ".nf"
            parts.append('<pre tabindex="0">' if is_code else "</pre>")
        elif request:  # comments and alignment
            continue
        elif is_term:
            parts.append(f'<p class="term">{words(line)}</p>')
            is_term = False
        else:
            parts.append(words(line))
    return "\n".join(parts)
