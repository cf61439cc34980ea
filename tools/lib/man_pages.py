#!/usr/bin/env python3
"""Writes the manual pages of `apns`: one for the command and one for each subcommand.

usage: apns --experimental-dump-help | tools/lib/man_pages.py VERSION FOLDER
"""
import json
import pathlib
import re
import sys

# Words of a discussion that begin a section of their own: "EXIT STATUS: 0 done", "EXAMPLES" or "ENVIRONMENT, when …".
HEADING = re.compile(r"^([A-Z]{3,}(?: [A-Z]{2,})*)(?::\s*|,\s+|$)")


def escaped(text):
    """Text for roff, in which a backslash, quotes, hyphens and characters beyond ASCII have escapes."""
    special = {"\\": r"\e", "'": r"\(aq", "`": r"\(ga", "-": r"\-", "^": r"\(ha", "~": r"\(ti"}
    return "".join(special.get(c) or (c if ord(c) < 128 else rf"\[u{ord(c):04X}]") for c in text)


def line(text):
    """A line of text, which must not begin like a request."""
    shown = escaped(text)
    return rf"\&{shown}" if shown.startswith(".") else shown


def bold(text):
    return rf"\fB{escaped(text)}\fR"


def italic(text):
    return rf"\fI{escaped(text)}\fR"


def option(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def shown(arguments):
    return [a for a in arguments if a["shouldDisplay"] and option_names(a) not in (["--version"], ["-h", "--help"])]


def option_names(argument):
    return [option(name) for name in argument.get("names", [])]


def synopsis(name, command):
    words = [bold(name)]
    for argument in shown(command["arguments"]):
        more = " ..." if argument["isRepeating"] else ""
        if argument["kind"] == "positional":
            word = italic(argument["valueName"]) + more
        elif argument["kind"] == "flag":
            word = bold(option(argument["preferredName"]))
        else:
            word = bold(option(argument["preferredName"])) + " " + italic(argument["valueName"]) + more
        words.append(f"[{word}]" if argument["isOptional"] else word)
    if subcommands(command):
        words.append(italic("subcommand"))
    return ["\n".join(words)]


def options(command):
    lines = []
    section = None
    for argument in shown(command["arguments"]):
        title = argument.get("sectionTitle")
        if title != section:
            section = title
            lines += [f".SS {escaped(title or 'Other')}"]
        if argument["kind"] == "positional":
            tag = italic(argument["valueName"])
        else:
            tag = ", ".join(bold(name) for name in option_names(argument))
            if argument["kind"] == "option":
                tag += " " + italic(argument["valueName"])
        text = " ".join(filter(None, [argument.get("abstract"), argument.get("discussion")]))
        default = argument.get("defaultValue")
        if default and "default" not in text:
            text += f" (default: {default})"
        lines += [".TP", tag] + [line(part.strip()) for part in text.split("\n") if part.strip()]
    return lines


def discussion(text):
    """The paragraphs before the first heading, and the sections after it."""
    description, sections = [], []
    target = description
    literal = False
    for paragraph in (text or "").split("\n"):
        if not paragraph.strip():
            if literal:
                target.append(".fi")
                literal = False
            target.append(".PP")
            continue
        heading = HEADING.match(paragraph)
        if heading:
            if literal:
                target.append(".fi")
                literal = False
            target = [f".SH {heading.group(1)}"]
            sections.append(target)
            paragraph = paragraph[heading.end():]
            if not paragraph:
                continue
            if heading.group(1).startswith("EXAMPLE"):
                paragraph = "  " + paragraph
            else:
                paragraph = paragraph[0].upper() + paragraph[1:]
        # A long indented line is prose below a heading, not an example.
        if paragraph.startswith("  ") and len(paragraph) <= 100:
            if not literal:
                target.append(".nf")
                literal = True
            target.append(line(paragraph))
            continue
        if literal:
            target.append(".fi")
            literal = False
        if not heading and target is not description and target[0].startswith(".SH EXAMPLE"):
            target = description
            target.append(".PP")
        target.append(line(paragraph.strip()))
    if literal:
        target.append(".fi")
    return tidy(description), [tidy(section) for section in sections]


def tidy(lines):
    """Without paragraph breaks at the ends, after a heading and in a row."""
    kept = []
    for text in lines:
        if text == ".PP" and (not kept or kept[-1] == ".PP" or kept[-1].startswith(".SH")):
            continue
        kept.append(text)
    while kept and kept[-1] == ".PP":
        kept.pop()
    return kept


def subcommands(command):
    return [c for c in command.get("subcommands", []) if c["commandName"] != "help" and c["shouldDisplay"]]


def page(name, command, version, related):
    title = name.replace(" ", "-")
    abstract = " ".join(command["abstract"].split())
    description, sections = discussion(command.get("discussion"))
    lines = [
        r".\" Made by tools/generate from the help of the command.",
        f'.TH {escaped(title.upper())} 1 "" "apns {escaped(version)}" "apns\\-toolkit"',
        ".SH NAME",
        f"{escaped(title)} \\- {escaped(abstract.rstrip('.'))}",
        ".SH SYNOPSIS",
        ".ad l",
        *synopsis(name, command),
        ".ad",
        ".SH DESCRIPTION",
        *(description or [line(abstract)]),
    ]
    inner = subcommands(command)
    if name == "apns":
        lines += [".SH SUBCOMMANDS"]
        for sub in inner:
            lines += [".TP", bold(f"apns {sub['commandName']}"), line(" ".join(sub["abstract"].split()))]
    if shown(command["arguments"]):
        lines += [".SH OPTIONS", *options(command)]
    for section in sections:
        lines += section
    if name != "apns":
        for sub in inner:
            full = f"{name} {sub['commandName']}"
            described, parts = discussion(sub.get("discussion"))
            lines += [f".SH {escaped(full.upper())}", line(" ".join(sub["abstract"].split())), ".PP"]
            lines += synopsis(full, sub) + ([".PP"] + described if described else [])
            lines += [text.replace(".SS ", ".PP\n") for text in options(sub)]
            for part in parts:
                lines += [".PP", bold(part[0][4:]), ".br", *part[1:]]
    lines += [".SH SEE ALSO", ",\n".join(f"\\fB{escaped(other)}\\fR(1)" for other in related if other != title)]
    return "\n".join(lines) + "\n"


def main():
    version, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    root = json.load(sys.stdin)["command"]
    names = ["apns"] + [f"apns-{sub['commandName']}" for sub in subcommands(root)]
    pages = {"apns": page("apns", root, version, names)}
    for sub in subcommands(root):
        name = f"apns {sub['commandName']}"
        pages[name.replace(" ", "-")] = page(name, sub, version, names)
    for name, text in pages.items():
        (folder / f"{name}.1").write_text(text, encoding="ascii")


main()
