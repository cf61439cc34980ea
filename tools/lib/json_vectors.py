"""JSON texts with what a reader must make of them, judged by Python's json module: Tests/Vectors/json.ndjson."""

import json
import struct

READ, REFUSE, EITHER = "read", "refuse", "either"


class Vector:
    """A text and its verdict: `read` and `refuse` follow from RFC 8259, `either` is left to the reader."""

    def __init__(self, name, text, verdict, times=1):
        self.name, self.verdict, self.times = name, verdict, times
        self.unit = text.encode() if isinstance(text, str) else text

    @property
    def text(self):
        return self.unit * self.times

    def line(self):
        fields = {"name": self.name, "verdict": self.verdict, "hex": self.unit.hex()}
        if self.times > 1:
            fields["times"] = self.times
        if self.verdict == READ:
            fields["value"] = canonical(read(self.text))
        return json.dumps(fields)


class Number(str):
    """A number as it is written."""


class Members(list):
    """The members of an object in their order, with repeated keys."""


def refuse(word):
    raise ValueError(word)


def read(text):
    """The value of a text as json reads it, without its extensions: NaN, Infinity, byte order marks, UTF-16."""
    value = json.loads(
        text.decode(), parse_int=Number, parse_float=Number, parse_constant=refuse, object_pairs_hook=Members
    )
    return value


def canonical(value):
    """A value in ASCII, for a comparison that needs no second reader.

    A string is its UTF-8 in hexadecimal, an integer that fits into 64 bits is decimal, any other number is the bits of
    the nearest double, or `big` beyond its range.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Number):
        return number(value)
    if isinstance(value, str):
        return f"s{value.encode().hex()}"
    if isinstance(value, Members):
        return "{" + ",".join(f"{canonical(key)}:{canonical(member)}" for key, member in value) + "}"
    return "[" + ",".join(canonical(element) for element in value) + "]"


def number(text):
    if not set(text) & set(".eE") and -(2**63) <= int(text) < 2**63:
        return f"i{int(text)}"
    value = float(text)
    return "big" if value in (float("inf"), float("-inf")) else f"d{struct.pack('>d', value).hex()}"


def judge(text):
    """What json makes of a text. It reads a surrogate without its other half, which is left to the reader."""
    try:
        value = read(text)
    except ValueError:
        return REFUSE
    try:
        canonical(value)
    except UnicodeEncodeError:
        return EITHER
    return READ


def vectors():
    found = [*numbers(), *strings(), *encodings(), *structures(), *arrays(), *objects(), *depths(), *cuts(),
        *documents()]
    names = [vector.name for vector in found]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"names that occur twice: {repeated}")
    for vector in found:
        # json stops at Python's own recursion limit, so it cannot judge what is nested deeply.
        if vector.verdict != EITHER and vector.times == 1 and judge(vector.text) != vector.verdict:
            raise ValueError(f"{vector.name}: json does not agree that it is to be {vector.verdict}")
    return found


def group(name, verdict, texts):
    return [Vector(f"{name} {position}: {shown(text)}", text, verdict) for position, text in enumerate(texts, 1)]


def shown(text):
    return ascii(text if isinstance(text, str) else text.decode("latin-1"))[1:-1][:40]


def numbers():
    good = """0 -0 1 -1 9 10 123 -123 1234567890 0.0 -0.0 0.5 1.0 1.50 -2.25 123.456 0.1 0.30000000000000004 0e0 0e1 0E1
        0e+1 0e-1 1e0 1E0 1e5 1E5 1e+5 1E+5 1e-5 1E-5 1e05 1e-05 1E+00 1.5e3 1.5E3 -1.5e3 1.5e+3 1.5e-3 -1.5E-3 1e22 1e23
        5e-324 2.2250738585072014e-308 2.2250738585072011e-308 1.7976931348623157e308 -1.7976931348623157e308
        9007199254740991 9007199254740992 9007199254740993 999999999999999 -999999999999999 1000000000000000
        9223372036854775807 -9223372036854775808 100000000000000000000e-20 0.00000000000000000000001
        123123.123123e-3 9007199254740993.0""".split()
    bad = """- -- + +1 ++1 +-1 -+1 --1 00 01 -00 -01 012 00.5 01.5 -01.5 -012 .5 -.5 +.5 . -. 1. -1. 0. 1.e1 0.e1 1..2 1.2.3
        0.1.2 .e1 e1 E1 1e 1E 1e+ 1e- 1E+ 1E- -1e 0e 0e+ 1.5e 1.5e+ 1ee1 1eE1 1e1.5 1e1e1 1e+-1 1e--1 1_000 1,000 1'000 0x1
        0X1F 0x 0b1 0o7 1f 1L 1a 1a1 1e1a -a -x 1+1 1-1 1/2 NaN -NaN nan Inf -Inf +Inf Infinity -Infinity +Infinity infinity
        Nan INF 1.0. 2.e3 2.e+3 2.e-3 0.3e 0.3e+ 9.e+ ±1 ∞ 1² ½ １ ١ १ −1 1٫5""".split()
    bad += ["- 1", "1 2", "1 .5", "1. 5", "1e 5", "1e5 5", "1\u00a0", "-\n1", b"1\xff", b"1e\xff", b"1.\xff", b"-\xc3",
        b"1e1\x80"]
    large = ["1e309", "-1e309", "1e400", "-1e400", "1e999999", "1e-400", "-1e-400", "1e-999999", "9" * 400,
        "-" + "9" * 400]
    large += ["9223372036854775808", "-9223372036854775809", "18446744073709551616", "123456789012345678901234567890"]
    large += ["0." + "0" * 400 + "1", "1" + "0" * 350 + ".5e-350", "0e999999", "1.7976931348623159e308"]
    result = group("number", READ, good) + group("bad number", REFUSE, bad) + group("large number", EITHER, large)
    result += group("number in an array", READ, [f"[{text}]" for text in good])
    result += group("number with spaces", READ, [f"\t{text}\r\n" for text in good[:12]])
    result += group("bad number in an array", REFUSE,
        [f"[{text}]" for text in bad if isinstance(text, str) and text != "1,000"])
    result += group("bad number in an object", REFUSE, [f'{{"a":{text}}}' for text in bad if isinstance(text, str)])
    short = [a + b + c for a in "-0" for b in "01-.e+" for c in ["", *"01.e+"]]
    for text in short:
        result.append(Vector(f"short number {text}", text, judge(text.encode())))
    return result


def quoted(body):
    body = body.encode() if isinstance(body, str) else body
    return b'["' + body + b'"]'


def strings():
    good = ["", "a", "abc", " ", "  a  ", "/", r"\/", r"\"", r"\\", r"\b\f\n\r\t", r"\"\\\/\b\f\n\r\t", "'", "a/*b*/c",
        "//", "#"]
    good += ["{}[]:,", "\x7f", "a\x7fb", "é", "é\u0301", "€", "😀", "\u0080", "\u07ff", "\u0800", "\uffff", "\ud7ff",
        "\ue000"]
    good += ["\U00010000", "\U0010ffff", "\ufdd0", "\ufffe", "\U0001fffe", "\U0010fffe", "\U0001bfff", "\u200b",
        "\u2028\u2029"]
    good += ["\u2060", "\u2064", "\u00a0", "π", "日本語", "\ufeff", "\ufeffa", "a\ufeffb", r"\n" "\ufeffa", "\u202e",
        "\U0001d11e"]
    good += [r"\u0000", r"\u0001", r"\u001f", r"\u0020", r"\u0022", r"\u005c", r"\u005C", r"\u002f", r"\u007F",
        r"\u00e9"]
    good += [r"\u0123\u4567\u89ab\uCDEF", r"\uABCD\uabcd", r"\u000a", r"\u0060\u012a\u12AB", r"\u0821", r"\u2028\u2029"]
    good += [r"\ufeff", r"\ufeffa", r"\uFFFE", r"\uFFFF", r"\ufdd0", r"\ud7ff\ue000", r"\\u0041", r"\\a", r"\\n",
        r"\\\\", r"\\\""]
    good += [r"\ud800\udc00", r"\uD834\udd1e", r"\ud83d\ude00", r"\uDBFF\uDFFF", r"\ud83d\ude39\ud83d\udc8d",
        r"\udbff\udffe"]
    good += [r"x\ud83d\ude00y", r"\u0061\u30af\u30EA\u30b9", "new\\u000aline", "a" * 300, "\\u0041" * 40, "é" * 100,
        "\\n" * 100]
    bad = [rf"\{letter}" for letter in "acdeghijklmopqsvwxyzABFNRTU0123456789'[{ -+.?`~@!"]
    bad += [r"\U0041", r"\x41", r"\u", r"\u0", r"\u00", r"\u004", r"\u00g0", r"\ug000", r"\u000G", r"\u 041",
        r"\u+041", r"\u-041"]
    bad += [r"\u{41}", r"\u00-1", "\\u００４１", "\\é", "\\😀", "\\\u0000", "\\\t", "\\\n", r"\u00", r"\\\u", r"\\\x",
        r"\u004\u0041"]
    bad += [chr(code) for code in range(0x20)] + [f"a{chr(code)}b" for code in (0, 1, 8, 9, 10, 13, 0x1F)] + ["\r\n"]
    bad += [b"\\\xe5", b"\\u\xe5", b"\\u00\xe5", b"\\u004\xff"]
    # RFC 8259 8.2 leaves a surrogate without its other half to the reader.
    lone = [r"\ud800", r"\udbff", r"\udc00", r"\udfff", r"\uDADA", r"\ud800\ud800", r"\udc00\ud800", r"\udd1e\uD834",
        r"a\ud800b"]
    lone += [r"\ud800\n", r"\ud800\u0041", r"\ud800\ue000", r"\ud888\u1234", r"\ud800\\", r"\udc00\udc00", r"x\udfffx"]
    lone += [r"\ud800\ud800\udc00", r"\ud800\udc00\udc00", r"\uDd1ea", r"\ud834😀"]
    half = [r"\ud800" "\\", r"\ud800\u", r"\ud800\u1", r"\ud800\u1x", r"\ud800\ud", r"\ud800\ud80", r"\ud800\udx00",
        r"\ud800\x"]
    result = group("string", READ, map(quoted, good)) + group("bad string", REFUSE, map(quoted, bad))
    result += group("lone surrogate", EITHER, map(quoted, lone)) + group("cut surrogate pair", REFUSE,
        map(quoted, half))
    result += group("key with a lone surrogate", EITHER, [b'{"' + text.encode() + b'":0}' for text in lone[:4]])
    result += group("key", READ, [b'{"' + text.encode() + b'":0}' for text in good])
    result += group("bad key", REFUSE, [b'{"' + quoted(text)[2:-2] + b'":0}' for text in bad[:12] + bad[-40:]])
    result += group("string alone", READ, ['""', '"a"', ' "a" ', '"\\u0041"', '"é"', '"\ufeff"'])
    unquoted = ['"', '"a', '"\\', '"\\"', '"\\\\\\"', "'a'", "'", "a", "é", "abc", "`a`", "“a”", '"a"b', '"a""b"',
        '"a" "b"', '["a]']
    unquoted += ['["a', '["', "['a']", "[a]", "[\\n]", "\\n", '\\u0022a"', '["a"x]', '["\\u0020"\\n]', '[\\u0020"a"]',
        "a\\", '"a"\\']
    return result + group("bad quotes", REFUSE, unquoted)


def encodings():
    bad = {
        "a continuation byte alone": "80 bf",
        "a lead byte alone": "c2 df e0 ef f0 f4",
        "a byte that never occurs": "c0 c1 f5 f8 fc fe ff",
        "an overlong form": "c080 c0af c1bf e08080 e09fbf f0808080 f08fbfbf f880808080 fc8080808080 fc83bfbfbfbf",
        "a surrogate": "eda080 edadbf edae80 edafbf edb080 edbfbf eda080edb080 edaebfedbfbf",
        "beyond U+10FFFF": "f4908080 f4bfbfbf f5808080 f7bfbfbf f888808080 fbbfbfbfbf",
        "a cut form": "c3 e282 e2 f09f98 f09f f0 e0a0 efbf f48fbf",
        "a wrong continuation": "c320 c3c3 e28261 e22861 e282c3 f09f9861 f09f2861 f0289880 f4288080 c3ff e2ff82 c341",
        "one continuation too many": "c3a980 e282ac80 f09f988080",
        "Latin-1": "e9 e9e8 fc",
    }
    result = []
    for name, forms in bad.items():
        bytes_of_forms = [bytes.fromhex(form) for form in forms.split()]
        result += group(f"not UTF-8, {name}", REFUSE, map(quoted, bytes_of_forms))
        result += group(f"not UTF-8 after eight bytes, {name}", REFUSE,
            [quoted(b"abcdefgh" + form) for form in bytes_of_forms])
        result += group(f"not UTF-8 outside of a string, {name}", REFUSE,
            [b"[" + form + b"]" for form in bytes_of_forms[:4]])
    key = [b'{"' + bytes.fromhex(form) + b'":0}' for form in "80 c3 eda080 c080 ff f4908080".split()]
    result += group("not UTF-8 in a key", REFUSE, key)
    edges = "c280 dfbf e0a080 ec8080 ed9fbf ee8080 efbfbf f0908080 f3bfbfbf f48fbfbf".split()
    result += group("UTF-8 at an edge", READ, [quoted(bytes.fromhex(form)) for form in edges])
    # RFC 8259 8.1: a text may be refused for its byte order mark, and need not be in UTF-8 between parties that agree.
    result += group("byte order mark", EITHER, ["\ufeff{}", "\ufeff[1]", "\ufeff 1"])
    texts = ['{"a":1}', "[]", '["é"]']
    for form in "utf-16-le utf-16-be utf-16 utf-32-le utf-32-be".split():
        mark = "\ufeff" if form == "utf-16" else ""
        encoding = "utf-16-le" if form == "utf-16" else form
        result += group(f"in {form}{' with its mark' if mark else ''}", EITHER,
            [(mark + text).encode(encoding) for text in texts])
    lone_marks = ["\ufeff", b"\xef\xbb", b"\xef\xbb{}", b"\xef", "{}\ufeff", "[\ufeff1]", "{\ufeff}", b"\xff\xfe",
        b"\xfe\xff", "\ufeff\ufeff{}"]
    return result + group("byte order mark in a wrong place", REFUSE, lone_marks)


def structures():
    good = ["true", "false", "null", " true", "false\n", "\r\nnull\t ", "{}", "[]", " {} ", "\t[\n]\r", "{ }", "[ ]",
        "{}\n", "[]\n\n"]
    words = "True TRUE tRue False FALSE Null NULL nil None undefined t tr tru f fa fal fals n nu nul truee trues nulll falsee true1"
    words += " true,false truefalse nulltrue yes no on off void NaN0 tr\u00fce"
    bad = words.split() + ["", " ", "\n", "\t\r\n ", "tr ue", "t\nrue", "true true", "1 true", "{} {}", "[][]", "{}[]",
        "[]{}", "{}}", "[]]"]
    bad += ["}", "]", "{", "[", "[}", "{]", "[1}", '{"a":1]', "{[", "[{", "[[", "{{", "[{]}", "{[}]", ",", ":", ",1",
        "1,", "{},", ",{}", "*"]
    bad += ["<null>", "<.>", "#", "/", "//", "/**/", "{}#", "{}//", "{}/**/", "{}/*", "/**/{}", "[1]//a", "[1/**/]",
        "[//\n1]", "{/**/}", '{"a":1/*']
    bad += ["[#\n1]", "(1)", "(", "@", "&", "$", "%", "!", "=", "?", "|", "~", "^", ";", "[1;2]", "{}x", "[]x", "1x",
        "[1]x", '"a"x', "[]\\n"]
    spaces = "\u000b \u000c \u00a0 \u0085 \u1680 \u2003 \u2028 \u2029 \u200b \u2060 \u3000 \ufeff \u0000 \u001c \u001f \u007f".split(" ")
    result = group("structure", READ, good) + group("bad structure", REFUSE, bad)
    result += group("space that JSON does not have, before", REFUSE,
        [f"{space}[1]" for space in spaces if space != "\ufeff"])
    result += group("space that JSON does not have, inside", REFUSE, [f"[{space}1]" for space in spaces])
    result += group("space that JSON does not have, after", REFUSE, [f"[1]{space}" for space in spaces])
    for byte in range(256):
        text = bytes([byte])
        verdict = READ if 0x30 <= byte < 0x3A else REFUSE
        result.append(Vector(f"one byte {byte:02x}", text, verdict))
        around = READ if byte in b" \t\r\n" else REFUSE
        result.append(Vector(f"byte {byte:02x} between two tokens", b'{"a"' + text + b":[1]}", around))
        result.append(Vector(f"byte {byte:02x} after the end", b"{}" + text, around))
    return result


def arrays():
    good = ["[]", "[ ]", "[1]", "[ 1 ]", "[1,2]", "[1 , 2]", "[\n1,\n2\n]", '[1,"a",null,true,false,{},[],1.5]',
        "[[]]", "[[],[]]", '[""]']
    good += ["[null,1,null,null]", "[[[[[[[[[[1]]]]]]]]]]", "[{}]", '[{"a":[]}]', "[\t\r\n 1\t\r\n ,\t\r\n 2]", " [1]",
        "[2] ", "[true]", "[\n]\n"]
    bad = ["[,]", "[,1]", "[1,]", "[1,,2]", "[1,,]", "[,,]", "[1 2]", "[1", "[1,", "[1,2", "[", "[\n", '["a"', '["a",',
        '["a', "[1]]", "[[1]", "[1],"]
    bad += ["[1 true]", "[1:2]", '["a":1]', "[-]", "[*]", "[x", "[x]", "[1\n,1\n,1", "[1,\n1\n,1,", "[{}", "[{},",
        "[[],", "[3[4]]", '["x"]]', "[1}]", "[a"]
    bad += ["[nul", "[tru", "[fals", "[fals]", "[nul]", "[1,tru]", "1]", "[1]1", "[1][2]", "[=1]", "[1;]", '["",]',
        "[ ,", "[}", "[\u000c]", "[1 000]"]
    return group("array", READ, good) + group("bad array", REFUSE, bad)


def objects():
    good = ["{}", '{"a":1}', '{ "a" : 1 }', '{"a":1,"b":2}', '{"a":{"b":{"c":[]}}}', '{"":0}', '{"":""}', '{"a":null}',
        '{"a\\u0000b":1}', '{"\\u0061":1}']
    good += ['{"a":1,"a":2}', '{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '{"a":1,"b":2,"a":3}', '{"":1,"":2}',
        '{"a":{},"a":[]}', '{"\n":1}'.replace("\n", "\\n")]
    good += ['{"é":1,"é":2}', '{"min":-1.0e+28,"max":1.0e+28}', '{\n"a"\n:\n1\n,\n"b"\n:\n2\n}', '{"a":[],"b":{}}',
        '{"key with spaces":"x"}']
    good += ['{"' + "k" * 200 + '":"' + "v" * 200 + '"}', '{"a":"}","b":"{"}',
        "{" + ",".join(f'"k{index}":{index}' for index in range(60)) + "}"]
    bad = ['{"a"}', '{"a":}', '{"a":1,}', '{"a":1,,}', '{"a":1,,"b":2}', "{,}", '{,"a":1}', '{"a"1}', '{"a" 1}',
        '{"a",1}', '{"a"::1}', '{"a":1:2}', "{:1}"]
    bad += ['{"a":1', '{"a":', '{"a"', '{"a', '{"', "{", "{a:1}", "{'a':1}", '{"a":\'b\'}', "{1:1}", "{null:null}",
        "{null:null,null:null}", "{true:1}", "{[]:1}"]
    bad += ["{{}:1}", "{9999E9999:1}", '{"a":1 "b":2}', '{"a":1;"b":2}', '{"a":1},', '{"a":1}}', '{"a":1}]',
        '{"a":1}x', '{"a":1}#', '{"a":"b"', '{"a":"b', '{"a":b']
    bad += ['{"a":"b"]', '{"a":[1}', '{"a":{"b":1}', '{"a":"a" 123}', '{"a" b}', '{"a"=1}', '{"a"->1}',
        "{\U0001f1e8\U0001f1ed}", '{"a":1,"b"}', '{"a":1,"b":}', '{"a",}', "{}}"]
    bad += ['{"a":"b"}/**/', '{"a":"b"}/**//', '{"a":"b"}//', '{"a":"b"}/', '{"a":/*c*/1}', '{"a":true]', '{"a":[}',
        "{[", '{"a":undefined}', '{a', '{"a":1,a:2}', "{\"a\":1,'b':2}"]
    bad += [b'{"\xb9":"0",}', '{"x"::"b"}', '{"x":[1,2}', '["x",truth]', '{"asd":"asd"', '{ "foo" : "bar", "a" }',
        '{"a":"b",,"c":"d"}', "{,\"a\":1}", '{"a":1,"a"}']
    return group("object", READ, good) + group("bad object", REFUSE, bad)


def depths():
    nested = lambda opening, inner, closing, depth: opening * depth + inner + closing * depth
    result = [Vector(f"{depth} arrays in each other", nested("[", "", "]", depth), READ) for depth in (2, 10, 64, 100)]
    result += [Vector(f"{depth} objects in each other", nested('{"a":', "1", "}", depth), READ) for depth in (2, 10,
        64, 100)]
    result += [Vector(f"{depth} objects and arrays in each other", nested('[{"a":', "1", "}]", depth),
        READ) for depth in (5, 50)]
    # RFC 8259 9: a reader may limit the depth.
    result += [Vector(f"depth {depth}", nested("[", "", "]", depth), EITHER) for depth in (500, 512, 513, 1000)]
    result += [Vector(f"depth {depth} of objects", nested('{"":', "0", "}", depth), EITHER) for depth in (512, 513)]
    result += [Vector("100000 opening brackets", "[", REFUSE, 100_000),
        Vector("50000 opening objects", '{"":', REFUSE, 50_000)]
    result += [Vector("50000 objects in arrays, not closed", '[{"":', REFUSE, 50_000),
        Vector("100000 closing brackets", "]", REFUSE, 100_000)]
    return result


SAMPLE = '{"aps":{"alert":{"title":"Zürich 😀","body":"\\u00e9\\ud83d\\ude00\\n"},"badge":1},"n":[-1.5e+3,true,null,{"k":[false]}]}'


def cuts():
    """A text cut after each byte, and with each byte left out or doubled; json judges these."""
    text = SAMPLE.encode()
    result = [Vector("the sample", text, READ)]
    result += [Vector(f"the sample cut after {count} bytes", text[:count], REFUSE) for count in range(len(text))]
    for place in range(len(text)):
        for name, changed in [
            ("without", text[:place] + text[place + 1 :]),
            ("with twice", text[: place + 1] + text[place:]),
        ]:
            result.append(Vector(f"the sample {name} byte {place}", changed, judge(changed)))
    return result


class Random:
    """Numbers that are the same in every version of Python: SplitMix64."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        word = self.state
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB % 2**64
        return (word ^ (word >> 31)) % bound

    def choice(self, items):
        return items[self.below(len(items))]


def documents():
    """Random values in random spellings."""
    return [Vector(f"document of seed {seed}", document(Random(seed), 4), READ) for seed in range(1, 101)]


def document(random, depth):
    space = random.choice(["", "", "", " ", "\n  ", "\t", "\r\n"])
    kind = random.below(9 if depth else 6)
    if kind == 0:
        return space + random.choice(["true", "false", "null"])
    if kind <= 2:
        return space + spelled_number(random)
    if kind <= 5:
        return space + spelled_string(random)
    count = random.below(5)
    if kind == 6:
        return space + "[" + ",".join(document(random, depth - 1) + space for _ in range(count)) + space + "]"
    members = [f"{space}{spelled_string(random)}{space}:{document(random, depth - 1)}{space}" for _ in range(count)]
    return space + "{" + ",".join(members) + space + "}"


def spelled_number(random):
    sign = random.choice(["", "", "-"])
    whole = random.choice(["0", str(random.below(10)), str(random.below(10**6)), str(random.below(10**17))])
    fraction = random.choice(["", "", "." + str(random.below(10**6)), ".0" + str(random.below(100))])
    exponent = random.choice(["", "", "", f"{random.choice('eE')}{random.choice(['', '+', '-'])}{random.below(200)}"])
    return sign + str(int(whole)) + fraction + exponent


def spelled_string(random):
    result = '"'
    for _ in range(random.below(14)):
        character = random.choice(list("abcXYZ 019/{}[]:,'") + ['"', "\\", "\n", "\t", "\0", "é", "ß", "€", "語",
            "\ufeff", "😀", "\U0010ffff"])
        if random.below(5) == 0 or character in '"\\\n\t\0':
            for unit in struct.unpack(f">{len(character.encode('utf-16-be')) // 2}H", character.encode("utf-16-be")):
                result += f"\\u{unit:04x}" if random.below(2) else f"\\u{unit:04X}"
        else:
            result += character
    return result + '"'


def file():
    return "".join(vector.line() + "\n" for vector in vectors())
