"""Signatures over P-256 with SHA-256, good and bad: Tests/Vectors/ecdsa_der.json and ecdsa_p1363.json.

Each verdict comes three times: from what the signature was made for, from the arithmetic below, and from the package
cryptography. A file is written only where they agree. The files have the form of Project Wycheproof's.
"""

import hashlib
import json

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(a, b):
    """The sum of two points; None is the point at infinity."""
    if a is None or b is None:
        return a or b
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = (3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def multiply(scalar, point):
    """In Jacobian coordinates, (x / z^2, y / z^3), which need one inversion in all."""
    x, y, z = 0, 1, 0
    for bit in bin(scalar % N)[2:]:
        x, y, z = double(x, y, z)
        if bit == "1":
            x, y, z = add_affine(x, y, z, point)
    if z == 0:
        return None
    inverse = pow(z, -1, P)
    return x * inverse * inverse % P, y * inverse * inverse * inverse % P


def double(x, y, z):
    square = y * y % P
    s = 4 * x * square % P
    m = 3 * (x - z * z) * (x + z * z) % P
    double_x = (m * m - 2 * s) % P
    return double_x, (m * (s - double_x) - 8 * square * square) % P, 2 * y * z % P


def add_affine(x, y, z, point):
    if z == 0:
        return *point, 1
    square = z * z % P
    h, r = (point[0] * square - x) % P, (point[1] * square * z - y) % P
    if h == 0:
        return double(x, y, z) if r == 0 else (0, 1, 0)
    h2 = h * h % P
    h3, v = h * h2 % P, x * h2 % P
    sum_x = (r * r - h3 - 2 * v) % P
    return sum_x, (r * (v - sum_x) - y * h3) % P, z * h % P


def lift(x):
    """A point with this x, or None where the curve has none."""
    square = (x * x * x - 3 * x + B) % P
    y = pow(square, (P + 1) // 4, P)
    return (x, y) if y * y % P == square else None


def digest(message):
    return int.from_bytes(hashlib.sha256(message).digest(), "big")


def scalar(name):
    """A number from 1 to n - 1 that looks random and is the same in every run."""
    return digest(b"apns-toolkit " + name.encode()) % (N - 1) + 1


def sign(secret, message, k):
    r = multiply(k, G)[0] % N
    return r, pow(k, -1, N) * (digest(message) + r * secret) % N


def key_for(r, s, point, message):
    """The public key for which (r, s) signs the message, where `point` is the point that a reader comes to."""
    return multiply(pow(r, -1, N), add(multiply(s, point), multiply(-digest(message), G)))


def is_valid(key, message, r, s):
    if not (0 < r < N and 0 < s < N):
        return False
    w = pow(s, -1, N)
    point = add(multiply(digest(message) * w, G), multiply(r * w, key))
    return point is not None and point[0] % N == r


# DER


def length_bytes(count):
    if count < 0x80:
        return bytes([count])
    digits = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(digits)]) + digits


def element(tag, content):
    return bytes([tag]) + length_bytes(len(content)) + content


def two_complement(value):
    return value.to_bytes((value + (value < 0)).bit_length() // 8 + 1, "big", signed=True)


def integer(value):
    return element(2, two_complement(value))


def der(r, s):
    return element(0x30, integer(r) + integer(s))


def read_der(signature):
    """The numbers of a signature in DER, or None where it is not DER to the byte."""
    try:
        outer = 4 if signature[1] < 0x80 else 5
        r_count = signature[outer - 1]
        s_start = outer + r_count + 2
        r = int.from_bytes(signature[outer : outer + r_count], "big", signed=True)
        s = int.from_bytes(signature[s_start : s_start + signature[s_start - 1]], "big", signed=True)
    except IndexError:
        return None
    return (r, s) if der(r, s) == signature else None


# P1363: r and s in 32 bytes each


def raw(r, s):
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def read_raw(signature):
    if len(signature) != 64:
        return None
    return int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")


class Form:
    def __init__(self, name, write, read, malformed):
        self.name, self.write, self.read, self.malformed = name, write, read, malformed

    def holds(self, number):
        return self.name == "der" or 0 <= number < 2**256


class Group:
    """The signatures of one public key."""

    def __init__(self, form, point):
        self.form, self.point, self.tests = form, point, []
        self.key = ec.EllipticCurvePublicNumbers(*point, ec.SECP256R1()).public_key()

    def add(self, comment, message, signature, valid):
        if not isinstance(signature, bytes):
            signature = self.form.write(*signature)
        by_arithmetic = self.form.read(signature) is not None and is_valid(self.point, message,
            *self.form.read(signature))
        if not valid == by_arithmetic == self.is_valid_for_library(message, signature):
            raise ValueError(f"{comment} ({self.form.name}): the judges disagree; meant to be {'good' if valid else 'bad'}")
        self.tests.append(
            {"comment": comment, "msg": message.hex(), "sig": signature.hex(),
            "result": "valid" if valid else "invalid"}
        )

    def is_valid_for_library(self, message, signature):
        if self.form.name == "p1363":
            numbers = read_raw(signature)
            if numbers is None:
                return False
            signature = utils.encode_dss_signature(*numbers)
        try:
            self.key.verify(signature, message, ec.ECDSA(hashes.SHA256()))
            return True
        except InvalidSignature:
            return False

    def pem(self):
        form = serialization.PublicFormat.SubjectPublicKeyInfo
        return self.key.public_bytes(serialization.Encoding.PEM, form).decode()


SECRET = scalar("key")
MESSAGE = b"message"
TOKEN = b"eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyM0RFRkcifQ.eyJpc3MiOiJERUYxMjNHSElKIiwiaWF0IjoxNDM3MTc5MDM2fQ"
# Messages whose hashes have three zero bytes at the beginning or the end, or three bytes of ones; found by trying.
SPECIAL_HASHES = {
    "three leading zero bytes": b"hash 4255087",
    "three trailing zero bytes": b"hash 10001541",
    "three leading bytes of ones": b"hash 4104465",
}


def main_group(form):
    group = Group(form, multiply(SECRET, G))
    for count in [*range(0, 70), 119, 120, 127, 128, 1000]:
        message = (hashlib.sha256(bytes([count % 256])).digest() * 32)[:count]
        group.add(f"message of {count} bytes", message, sign(SECRET, message, scalar(f"nonce {count}")), True)
    for name, message in SPECIAL_HASHES.items():
        group.add(f"hash with {name}", message, sign(SECRET, message, scalar(name)), True)
    r, s = sign(SECRET, MESSAGE, scalar("nonce"))
    group.add("a signature", MESSAGE, (r, s), True)
    group.add("a provider token", TOKEN, sign(SECRET, TOKEN, scalar("token")), True)
    group.add("s replaced by n - s", MESSAGE, (r, N - s), True)
    for name, message in {"another": MESSAGE + b".", "an empty": b"", "a cut": MESSAGE[:-1],
        "a hashed": hashlib.sha256(MESSAGE).digest()}.items():
        group.add(f"{name} message", message, (r, s), False)
    group.add("r and s swapped", MESSAGE, (s, r), False)
    group.add("of another key", MESSAGE, sign(scalar("another key"), MESSAGE, scalar("nonce")), False)
    # A shared nonce: r is right, and s is that of the other message.
    group.add("s of another message", MESSAGE, (r, sign(SECRET, b"another", scalar("nonce"))[1]), False)
    wrong_numbers(group, r, s)
    short_numbers(group)
    good = form.write(r, s)
    for bit in range(0, len(good) * 8, 3):
        changed = bytearray(good)
        changed[bit // 8] ^= 1 << bit % 8
        group.add(f"bit {bit} flipped", MESSAGE, bytes(changed), False)
    for count in range(len(good)):
        group.add(f"cut after {count} bytes", MESSAGE, good[:count], False)
    for comment, signature in form.malformed(r, s).items():
        group.add(comment, MESSAGE, signature, False)
    return group


def wrong_numbers(group, r, s):
    edges = {"0": 0, "1": 1, "-1": -1, "n": N, "n - 1": N - 1, "n + 1": N + 1, "p": P, "p + 1": P + 1,
        "2^256 - 1": 2**256 - 1}
    edges |= {"2^256": 2**256, "2^255": 2**255}
    pairs = [(f"r = {first}, s = {second}", a, b) for first, a in edges.items() for second, b in edges.items()]
    pairs += [(f"r = {name}", value, s) for name, value in edges.items()]
    pairs += [(f"s = {name}", r, value) for name, value in edges.items()]
    shifts = {"n": N, "256 n": 256 * N, "2^256": 2**256, "2^320": 2**320, "-n": -N, "-2^256": -(2**256), "p": P}
    pairs += [(f"r replaced by r + {name}", r + shift, s) for name, shift in shifts.items()]
    pairs += [(f"s replaced by s + {name}", r, s + shift) for name, shift in shifts.items()]
    pairs += [("r negative", -r, s), ("s negative", r, -s), ("r replaced by n - r", N - r, s),
        ("both negated", N - r, N - s)]
    pairs += [("r + 1", r + 1, s), ("s + 1", r, s + 1), ("r inverted", pow(r, -1, N), s),
        ("s inverted", r, pow(s, -1, N))]
    for comment, first, second in pairs:
        if group.form.holds(first) and group.form.holds(second):
            group.add(comment, MESSAGE, (first, second), False)


def short_numbers(group):
    """Numbers that begin with zero bytes, or with a bit that DER would take for a sign."""
    wanted = {
        "r of 31 bytes": lambda r, s: r < 2**248,
        "s of 31 bytes": lambda r, s: s < 2**248,
        "r of 255 bits": lambda r, s: 2**254 <= r < 2**255,
        "s of 255 bits": lambda r, s: 2**254 <= s < 2**255,
        "r and s of 256 bits": lambda r, s: r >= 2**255 and s >= 2**255,
        "r and s below 2^255": lambda r, s: r < 2**255 and s < 2**255,
        "r of 31 bytes with its first bit set": lambda r, s: 2**247 <= r < 2**248,
        "s of 31 bytes with its first bit set": lambda r, s: 2**247 <= s < 2**248,
    }
    start = multiply(scalar("short"), G)
    point, step = start, 0
    while wanted:
        k = scalar("short") + step
        r = point[0] % N
        s = pow(k, -1, N) * (digest(MESSAGE) + r * SECRET) % N
        for name in [name for name, matches in wanted.items() if matches(r, s)]:
            group.add(name, MESSAGE, (r, s), True)
            del wanted[name]
        point, step = add(point, G), step + 1


def malformed_der(r, s):
    """What is not DER to the byte, around numbers that would be right."""
    inner, r_part, s_part = integer(r) + integer(s), integer(r), integer(s)
    r_bytes, s_bytes = two_complement(r), two_complement(s)
    good = der(r, s)
    result = {
        "P1363 in place of DER": raw(r, s),
        "length in long form": b"\x30\x81" + bytes([len(inner)]) + inner,
        "length in long form with a zero": b"\x30\x82\x00" + bytes([len(inner)]) + inner,
        "indefinite length": b"\x30\x80" + inner + b"\x00\x00",
        "indefinite length without an end": b"\x30\x80" + inner,
        "length too small": b"\x30" + bytes([len(inner) - 1]) + inner,
        "length too large": b"\x30" + bytes([len(inner) + 1]) + inner,
        "reserved length ff": b"\x30\xff" + inner,
        "non-minimal tag": b"\x3f\x10" + bytes([len(inner)]) + inner,
        "a byte before": b"\x00" + good,
        "a zero after": good + b"\x00",
        "two zeros after": good + b"\x00\x00",
        "NULL after": good + b"\x05\x00",
        "itself after": good + good,
        "many bytes after": good + bytes(200),
        "a zero inside after s": element(0x30, inner + b"\x00"),
        "NULL inside after s": element(0x30, inner + b"\x05\x00"),
        "a third number": element(0x30, inner + integer(1)),
        "NULL before r": element(0x30, b"\x05\x00" + inner),
        "NULL between": element(0x30, r_part + b"\x05\x00" + s_part),
        "sequence in a sequence": element(0x30, good),
        "sequence in an octet string": element(4, good),
        "sequence in a bit string": element(3, b"\x00" + good),
        "an empty sequence": b"\x30\x00",
        "a lonely tag": b"\x30",
        "r alone": element(0x30, r_part),
        "s alone": element(0x30, s_part),
        "no sequence": inner,
        "NULL": b"\x05\x00",
        "r and s empty": element(0x30, b"\x02\x00\x02\x00"),
        "a lonely tag for s": element(0x30, r_part + b"\x02"),
        "4,000 zero bytes before r": element(0x30, element(2, bytes(4000) + r_bytes) + s_part),
        "4,000 zero bytes before s": element(0x30, r_part + element(2, bytes(4000) + s_bytes)),
        "4,000 zero bytes after r": element(0x30, element(2, r_bytes + bytes(4000)) + s_part),
    }
    for tag in (0x00, 0x02, 0x04, 0x10, 0x20, 0x31, 0x70, 0xA0, 0xB0, 0xFF):
        result[f"sequence with tag {tag:02x}"] = element(tag, inner)
    for tag in (0x00, 0x01, 0x03, 0x04, 0x05, 0x09, 0x0A, 0x0C, 0x22, 0x42, 0x82, 0xFF):
        result[f"r with tag {tag:02x}"] = element(0x30, element(tag, r_bytes) + s_part)
        result[f"s with tag {tag:02x}"] = element(0x30, r_part + element(tag, s_bytes))
    for bits in (31, 32, 40, 63, 64):
        for overflow in (0, 1):
            count = 2**bits - 1 + overflow + (len(inner) if overflow else 0)
            long = length_bytes(count)
            result[f"length {count}"] = b"\x30" + long + inner
            result[f"length {count} of r"] = element(0x30, b"\x02" + long + r_bytes + s_part)
            result[f"length {count} of s"] = element(0x30, r_part + b"\x02" + long + s_bytes)
    for name, content, other in (("r", r_bytes, s_part), ("s", s_bytes, r_part)):
        forms = {
            "a needless zero": element(2, b"\x00" + content),
            "a leading ff": element(2, b"\xff" + content),
            "a zero after it": element(2, content + b"\x00"),
            "no leading zero, so that it is negative": element(2,
            (content[1:] if content[0] == 0 else b"\x80" + content)),
            "a length in long form": b"\x02\x81" + bytes([len(content)]) + content,
            "a length in long form with a zero": b"\x02\x82\x00" + bytes([len(content)]) + content,
            "an indefinite length": b"\x02\x80" + content + b"\x00\x00",
            "a length too small": b"\x02" + bytes([len(content) - 1]) + content,
            "a length too large": b"\x02" + bytes([len(content) + 1]) + content,
            "no content": b"\x02\x00",
            "one zero byte": b"\x02\x01\x00",
            "its first byte missing": element(2, content[1:] or b"\x00"),
            "its last byte missing": element(2, content[:-1]),
            "a NULL in its place": b"\x05\x00",
            "itself in a sequence": element(0x30, element(2, content)),
            "a real 0.25": b"\x09\x03\x80\xfe\x01",
            "true": b"\x01\x01\xff",
            "an empty string": b"\x0c\x00",
            "the string 0": b"\x0c\x01\x30",
            "a non-minimal tag": b"\x1f\x02" + bytes([len(content)]) + content,
            "two parts": b"\x22" + length_bytes(len(content) + 4) + element(2, content[:1]) + element(2, content[1:]),
        }
        for comment, part in forms.items():
            result[f"{name} with {comment}" if comment[0] == "a" else f"{name}: {comment}"] = element(
                0x30, part + other if name == "r" else other + part
            )
    return {comment: signature for comment, signature in result.items() if signature != good}


def malformed_p1363(r, s):
    r_bytes, s_bytes = r.to_bytes(32, "big"), s.to_bytes(32, "big")
    both = r_bytes + s_bytes
    return {
        "DER in place of P1363": der(r, s),
        "a zero after": both + b"\x00",
        "a zero before": b"\x00" + both,
        "a zero before each number": b"\x00" + r_bytes + b"\x00" + s_bytes,
        "a zero after each number": r_bytes + b"\x00" + s_bytes + b"\x00",
        "numbers of 48 bytes": bytes(16) + r_bytes + bytes(16) + s_bytes,
        "numbers of 64 bytes": bytes(32) + r_bytes + bytes(32) + s_bytes,
        "s before r": s_bytes + r_bytes,
        "little-endian numbers": r_bytes[::-1] + s_bytes[::-1],
        "all in reverse": both[::-1],
        "twice": both + both,
        "64 zeros": bytes(64),
        "64 bytes of ones": b"\xff" * 64,
        "128 zeros": bytes(128),
        "r alone": r_bytes,
        "as hexadecimal text": both.hex().encode(),
        "two bytes": b"\x01\x01",
        "r + 2^256 in 33 bytes": (r + 2**256).to_bytes(33, "big") + s.to_bytes(33, "big"),
        "r + n in 33 bytes": (r + N).to_bytes(33, "big") + s.to_bytes(33, "big"),
        "s + n in 33 bytes": r.to_bytes(33, "big") + (s + N).to_bytes(33, "big"),
    }


def small_points(count, start=1):
    """Points with the smallest x from `start` on."""
    x = start
    while count:
        if point := lift(x):
            yield point
            count -= 1
        x += 1


def chosen_groups(form):
    """Numbers chosen first, and a public key for which they are right; each with one that is wrong beside it."""
    cases = []
    k_values = {"1": 1, "2": 2, "3": 3, "n - 1": N - 1, "n - 2": N - 2, "2^128": 2**128, "2^255": 2**255,
        "(n + 1) / 2": (N + 1) // 2}
    k_values |= {"fffffff0 at the end": N - N % 2**32 - 16, "2^224 - 1": 2**224 - 1}
    s_values = {"1": 1, "2": 2, "3": 3, "n - 1": N - 1, "n - 2": N - 2, "2^64": 2**64, "2^100": 2**100,
        "2^128": 2**128, "n - 2^128": N - 2**128}
    s_values |= {"2^160": 2**160, "2^255": 2**255, "(n + 1) / 2": (N + 1) // 2, "(n - 1) / 2": (N - 1) // 2,
        "1 / 3": pow(3, -1, N)}
    s_values |= {"1 / 2^128": pow(2**128, -1, N), "55..": (2**256 - 1) // 3, "aa..": (2**256 - 1) // 3 * 2 - N // 2}
    z = digest(MESSAGE)
    for name, k in k_values.items():
        for s_name in ("1", "n - 1", "2^128", "55.."):
            cases.append((f"k = {name}, s = {s_name}", multiply(k, G), s_values[s_name]))
    for name, s in s_values.items():
        cases.append((f"s = {name}", multiply(scalar("chosen"), G), s))
    for point in small_points(6):
        for s_name in ("1", "3", "n - 1", "2^100"):
            cases.append((f"r = {point[0]}, s = {s_name}", point, s_values[s_name]))
    for bits in (64, 100, 128, 160, 200, 255):
        point = next(small_points(1, 2**bits))
        cases.append((f"r = 2^{bits} + {point[0] - 2**bits}", point, s_values["55.."]))
    for point in small_points(4, N):
        cases.append((f"r = {point[0] - N}, which is n less than x", point, s_values["3"]))
    point = multiply(scalar("chosen"), G)
    cases += [("s = r", point, point[0] % N), ("s = n - r", point, N - point[0] % N)]
    cases += [("s = hash", point, z % N), ("s = n - hash", point, N - z % N), ("s = 2 hash", point, 2 * z % N)]
    groups = []
    for comment, point, s in cases:
        r = point[0] % N
        group = Group(form, key_for(r, s, point, MESSAGE))
        group.add(comment, MESSAGE, (r, s), True)
        group.add(f"{comment}, and r + 1", MESSAGE, ((r + 1) % N, s), False)
        group.add(f"{comment}, and another message", b"", (r, s), False)
        for name, numbers in {"x in place of r": (point[0], s), "r + n": (r + N, s), "s + n": (r, s + N)}.items():
            if numbers != (r, s) and all(map(form.holds, numbers)):
                group.add(f"{comment}, with {name}", MESSAGE, numbers, False)
        groups.append(group)
    return groups + special_keys(form)


def special_keys(form):
    z, groups = digest(MESSAGE), []
    r, s = scalar("special r"), scalar("special s")
    # u1 G + u2 Q is the point at infinity, which has no x.
    infinity = Group(form, multiply(-z * pow(r, -1, N), G))
    for second in (s, 1, N - 1, r):
        infinity.add(f"the sum is the point at infinity, s = {hex(second)[:10]}", MESSAGE, (r, second), False)
    groups.append(infinity)
    # u1 G equals u2 Q, so that the sum is a doubling.
    k = scalar("doubling")
    r = multiply(k, G)[0] % N
    doubling = Group(form, multiply(z * pow(r, -1, N), G))
    doubling.add("the sum is a doubling", MESSAGE, (r, 2 * z * pow(k, -1, N) % N), True)
    groups.append(doubling)
    for name, secret in special_secrets().items():
        group = Group(form, multiply(secret, G))
        for message in (MESSAGE, b"", b"another"):
            numbers = sign(secret, message, scalar(f"{name} {len(message)}"))
            group.add(name, message, numbers, True)
            group.add(f"{name}, with s negated", message, (numbers[0], N - numbers[1]), True)
            group.add(f"{name}, and another message", message + b"x", numbers, False)
            group.add(f"{name}, with r = s = 1", message, (1, 1), False)
        group.add(f"{name}, of the negated key", MESSAGE, sign(N - secret, MESSAGE, scalar("negated")), False)
        groups.append(group)
    for index in range(40):
        secret, message = scalar(f"secret {index}"), hashlib.sha512(bytes([index])).digest()[: index * 2]
        group = Group(form, multiply(secret, G))
        group.add(f"random {index}", message, sign(secret, message, scalar(f"random {index}")), True)
        group.add(f"random {index}, with the nonce of another", message + b"x",
            sign(secret, message, scalar(f"random {index}")), False)
        groups.append(group)
    return groups


def special_secrets():
    """Private numbers at the edges, and such as give public points with zeros or ones where they are seldom."""
    secrets = {"the key is the generator": 1, "the key is the generator negated": N - 1,
        "the key is twice the generator": 2}
    wanted = {
        "x of the key begins with a zero byte": lambda x, y: x < 2**248,
        "y of the key begins with a zero byte": lambda x, y: y < 2**248,
        "x of the key ends with a zero byte": lambda x, y: x % 256 == 0,
        "y of the key ends with a zero byte": lambda x, y: y % 256 == 0,
        "x of the key begins with a byte of ones": lambda x, y: x >> 248 == 255,
        "y of the key begins with a byte of ones": lambda x, y: y >> 248 == 255,
        "x of the key begins with 11 zero bits": lambda x, y: x < 2**245,
        "y of the key begins with 11 zero bits": lambda x, y: y < 2**245,
    }
    secret = scalar("special key")
    point = multiply(secret, G)
    while wanted:
        for name in [name for name, matches in wanted.items() if matches(*point)]:
            secrets[name] = secret
            del wanted[name]
        secret, point = secret + 1, add(point, G)
    return secrets


FORMS = [Form("der", der, read_der, malformed_der), Form("p1363", raw, read_raw, malformed_p1363)]


def files():
    return {f"ecdsa_{form.name}.json": file(form) for form in FORMS}


def file(form):
    """One test a line, so that a change shows what it changes."""
    groups = [main_group(form), *chosen_groups(form)]
    parts, number = [], 0
    for group in groups:
        lines = []
        for test in group.tests:
            number += 1
            lines.append(json.dumps({"tcId": number, **test}))
        tests = ",\n".join(lines)
        parts.append(f'{{"publicKeyPem": {json.dumps(group.pem())}, "tests": [\n{tests}\n]}}')
    body = ",\n".join(parts)
    return f'{{"algorithm": "ECDSA", "numberOfTests": {number}, "testGroups": [\n{body}\n]}}\n'
