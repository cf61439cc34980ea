"""Payloads for tools/bench/validate, realistic, and the same for the same seed.

`Payloads` is a mixed stream of 150 to 500 bytes each, one in ten faulty; `CORPORA` are streams of one kind without faults.

Making a million of them takes minutes, and a copy with other ids is made in no time: each id has one digit that is a placeholder.
"""

import json
import random

WORDS = ("order account meeting visit client record update review signed changed today tomorrow please call back new "
         "contract offer report north south team week month price sales lead open closed won lost").split()
NAMES = ("Zürich", "München", "東京", "Café", "Łódź", "São Paulo", "Москва", "😀")


PLACEHOLDER = "~"  # occurs nowhere else


def with_digit(text, number):
    """A text, or bytes, of payloads whose ids are those of this copy; of copy 10 they are those of copy 0 again."""
    digit = str(number % 10)
    if isinstance(text, bytes):
        return text.replace(PLACEHOLDER.encode(), digit.encode())
    return text.replace(PLACEHOLDER, digit)


class Payloads:
    """An endless source of payloads as JSON, without line ends."""

    def __init__(self, seed, share_of_faulty=0.1):
        self.random = random.Random(seed)
        self.share_of_faulty = share_of_faulty

    def __iter__(self):
        return self

    def __next__(self):
        """The JSON, and whether it is faulty."""
        payload = self.random.choice((self.alert, self.alert, self.localised, self.hint, self.rich))()
        payload = self.padded(payload)
        if self.random.random() >= self.share_of_faulty:
            return self.text(payload), False
        return self.random.choice((
            self.wrong_type, self.wrong_place, self.likely_one, self.no_object, self.no_json, self.bad_hint))(payload), True

    @staticmethod
    def text(payload):
        return json.dumps(payload, ensure_ascii=False, separators=(",", ":"))

    def words(self, least, most):
        words = [self.random.choice(WORDS) for _ in range(self.random.randint(least, most))]
        if self.random.random() < 0.1:
            words.append(self.random.choice(NAMES))
        return " ".join(words)

    def id(self):
        return "".join(self.random.choice("0123456789abcdef") for _ in range(23)) + PLACEHOLDER

    # Correct ones

    def alert(self):
        aps = {"alert": {"title": self.words(2, 4).capitalize(), "body": self.words(6, 14).capitalize() + "."},
               "sound": "default"}
        if self.random.random() < 0.5:
            aps["badge"] = self.random.randint(0, 20)
        return {"aps": aps, "id": self.id(), "url": f"https://example.com/r/{self.id()}"}

    def localised(self):
        return {"aps": {"alert": {"title-loc-key": "VISIT_TITLE", "loc-key": "VISIT_BODY",
                                  "loc-args": [self.words(1, 3), str(self.random.randint(1, 60))]},
                        "category": "VISIT", "thread-id": self.id()},
                "visit": {"id": self.id(), "start": 1767225600 + self.random.randint(0, 10 ** 7), "private": False}}

    def hint(self):
        return {"aps": {"content-available": 1}, "event": {"id": self.id(), "kind": "changed", "parts": [1, 2, 3]},
                "sent": 1767225600 + self.random.randint(0, 10 ** 7), "score": round(self.random.random(), 3)}

    def rich(self):
        return {"aps": {"alert": {"title": self.words(2, 4), "subtitle": self.words(2, 3), "body": self.words(5, 12)},
                        "badge": 1, "mutable-content": 1, "interruption-level": "time-sensitive",
                        "relevance-score": 0.5, "thread-id": self.id()},
                "image": f"https://example.com/i/{self.id()}.jpg"}

    def padded(self, payload):
        """Between 150 and 500 bytes, of all lengths."""
        wanted = self.random.randint(150, 500)
        missing = wanted - len(self.text(payload).encode()) - len(',"note":""')
        if missing > 0:
            note = ""
            while len(note) < missing:
                note += self.random.choice(WORDS) + " "
            payload["note"] = note[:missing]
        return payload

    # Wrong ones, each for another rule

    def wrong_type(self, payload):
        payload["aps"]["content-available"] = self.random.choice(["1", 0, False])
        return self.text(payload)

    def wrong_place(self, payload):
        payload["aps"].pop("content-available", None)
        payload["content-available"] = 1
        return self.text(payload)

    def likely_one(self, payload):
        payload["aps"]["content-available"] = self.random.choice([True, 1.0])
        return self.text(payload)

    def no_object(self, payload):
        payload["aps"] = self.words(8, 12)
        return self.text(payload)

    def no_json(self, payload):
        text = self.text(payload)
        return self.random.choice([text[:-1] + ",}", text.replace('"', "'", 2), text[:-1], text + "}"])

    def bad_hint(self, payload):
        payload["type"] = "ACCOUNT_UPDATE"
        payload["accountId"] = self.id()[:10]
        return self.text(payload)


class Correct(Payloads):
    """Payloads of one kind, all different and without faults."""

    TOPIC = "com.example.agent"

    def __init__(self, seed, kind):
        super().__init__(seed, share_of_faulty=0)
        self.make = getattr(self, kind)

    def __next__(self):
        return self.text(self.make()), False

    def record_id(self, prefix):
        """18 characters, the last three of which encode the capitals among the others."""
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        text = prefix + "".join(self.random.choice(letters) for _ in range(14 - len(prefix))) + PLACEHOLDER
        suffix = ""
        for start in (0, 5, 10):
            bits = sum(1 << place for place, letter in enumerate(text[start:start + 5]) if letter.isupper())
            suffix += "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"[bits]
        return text + suffix

    def account_update(self):
        names = self.random.sample(["Name", "Owner", "Type", "Phone", "Industry"], self.random.randint(1, 3))
        return {"aps": {"content-available": 1}, "type": "ACCOUNT_UPDATE", "accountId": self.record_id("001"),
                "changedFields": ", ".join(names)}

    def interaction(self):
        ids = [self.record_id("0xI") for _ in range(self.random.randint(1, 4))]
        return {"aps": {"content-available": 1}, "type": "INTERACTION", "recordIds": ids}

    def live_activity(self):
        aps = {"timestamp": 1767225600 + self.random.randint(0, 10 ** 7), "event": "update",
               "content-state": {"gate": self.random.choice("ABCD") + str(self.random.randint(1, 40)),
                                 "minutes": self.random.randint(0, 90), "note": self.words(2, 5)}}
        if self.random.random() < 0.3:
            aps["alert"] = {"title": self.words(2, 4), "body": self.words(4, 9)}
        if self.random.random() < 0.3:
            aps["stale-date"] = aps["timestamp"] + 3600
        return {"aps": aps}

    def envelope(self):
        kind = self.random.choice(("alert", "background"))
        identifier = self.id() + self.id()[:8]
        message = {"token": self.id() + self.id() + self.id()[:16], "apns-topic": self.TOPIC, "apns-push-type": kind}
        if kind == "background":
            message["apns-priority"] = 5
            payload = self.account_update()
        else:
            payload = self.alert()
        message["apns-expiration"] = 1767225600 + self.random.randint(0, 10 ** 6)
        message["apns-collapse-id"] = self.id()[:12]
        message["apns-id"] = "-".join(
            (identifier[:8], identifier[8:12], identifier[12:16], identifier[16:20], identifier[20:]))
        return {**message, "payload": payload}


# name, title, what makes it
CORPORA = (
    ("account-update", "silent hints ACCOUNT_UPDATE", "account_update"),
    ("interaction", "silent hints INTERACTION", "interaction"),
    ("alerts", "alerts", "alert"),
    ("live-activities", "Live Activities", "live_activity"),
    ("envelopes", "envelopes of alerts and hints", "envelope"),
)
