"""Reads the project file of Xcode: a property list in the old format of OpenStep, with comments."""

import re

TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|(?P<mark>[{}()=;,])|"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<plain>[\w.$/:-]+)', re.DOTALL)
IDENTIFIER = re.compile(r"[0-9A-F]{24}")


class Unreadable(Exception):
    """The text is not such a property list, or something in the project does not fit together."""


def tokens(text):
    place = 0
    while place < len(text):
        found = TOKEN.match(text, place)
        if not found:
            raise Unreadable(f"line {text.count(chr(10), 0, place) + 1}: {text[place:place + 20]!r} cannot be read")
        if found["mark"]:
            yield found["mark"], None
        elif found["quoted"] is not None:
            yield "text", re.sub(r"\\(.)", r"\1", found["quoted"])
        elif found["plain"]:
            yield "text", found["plain"]
        place = found.end()
    yield "end", None


class Parser:
    def __init__(self, text):
        self.rest = tokens(text)
        self.kind, self.text = next(self.rest)

    def take(self, kind):
        if self.kind != kind:
            raise Unreadable(f"{self.text or self.kind!r} where {kind!r} belongs")
        text = self.text
        self.kind, self.text = next(self.rest, ("end", None))
        return text

    def value(self):
        if self.kind == "{":
            return self.dictionary()
        if self.kind == "(":
            return self.array()
        return self.take("text")

    def dictionary(self):
        self.take("{")
        found = {}
        while self.kind != "}":
            key = self.take("text")
            if key in found:
                raise Unreadable(f"the key {key} is there twice")
            self.take("=")
            found[key] = self.value()
            self.take(";")
        self.take("}")
        return found

    def array(self):
        self.take("(")
        found = []
        while self.kind != ")":
            found.append(self.value())
            if self.kind != ")":
                self.take(",")
        self.take(")")
        return found


def read(text):
    if not text.startswith("// !$*UTF8*$!\n"):
        raise Unreadable("the first line is not that of a project file")
    parser = Parser(text)
    project = parser.dictionary()
    parser.take("end")
    return project


def identifiers(value):
    """Every text in the value that has the form of an object's identifier; keys too."""
    if isinstance(value, dict):
        for key, element in value.items():
            yield from identifiers(key)
            yield from identifiers(element)
    elif isinstance(value, list):
        for element in value:
            yield from identifiers(element)
    elif IDENTIFIER.fullmatch(value):
        yield value


class Project:
    """The objects of a project, after each reference was followed."""

    def __init__(self, text, folder):
        plist = read(text)
        self.objects = plist.get("objects", {})
        self.folder = folder
        for name, entry in self.objects.items():
            if not IDENTIFIER.fullmatch(name) or "isa" not in entry:
                raise Unreadable(f"{name} is not an object with an identifier of 24 hexadecimal digits")
        reached, waiting = set(), [plist.get("rootObject", "")]
        while waiting:
            name = waiting.pop()
            if name in reached:
                continue
            if name not in self.objects:
                raise Unreadable(f"there is no object {name}")
            reached.add(name)
            waiting += identifiers(self.objects[name])
        if unused := set(self.objects) - reached:
            raise Unreadable(f"nothing refers to {', '.join(sorted(unused))}")
        self.root = self.objects[plist["rootObject"]]
        self.paths = {}
        self.locate(self.root["mainGroup"], folder)

    def of(self, isa):
        return [entry for entry in self.objects.values() if entry["isa"] == isa]

    def all(self, names):
        return [self.objects[name] for name in names]

    def locate(self, name, folder):
        """Finds the path of a group and of all in it; each must exist, products aside."""
        entry = self.objects[name]
        if name in self.paths:
            raise Unreadable(f"{entry.get('path', name)} is in two groups")
        if entry.get("sourceTree") == "BUILT_PRODUCTS_DIR":
            self.paths[name] = None
            return
        if entry.get("sourceTree") != "<group>":
            raise Unreadable(f"{entry.get('path', name)} is not relative to its group")
        path = folder / entry["path"] if "path" in entry else folder
        if not path.exists():
            raise Unreadable(f"{path.relative_to(self.folder)} does not exist")
        self.paths[name] = path
        for child in entry.get("children", []):
            self.locate(child, path)
