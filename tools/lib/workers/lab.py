"""Workers of a check, and what is counted: what was enqueued, what a gateway accepted, what may be double."""

import json
import os
import subprocess
import threading
import time
import urllib.request

from .engines import PATIENCE, Fault, tail, wait


class Worker:
    """`apns worker`. What it prints goes to a file, because nobody reads a pipe while it runs."""

    def __init__(self, check, *options, waits=True, prefix=()):
        self.output = check.folder / f"worker-{len(check.workers)}.ndjson"
        credentials = [] if check.tenants else check.gateway.addressing
        with open(self.output, "wb") as output, open(check.folder / "workers.log", "ab") as log:
            self.process = subprocess.Popen(
                [*prefix, str(check.binary), "worker", *(credentials or check.tenants), f"--lease={check.lease}s", "--json",
                 "--port=0", *options],
                stdin=subprocess.DEVNULL, stdout=output, stderr=log, env=check.environment)  # fmt: skip
        check.workers.append(self)
        wait(lambda: self.events() or self.has_ended(), "the first line of a worker")
        events = self.events()
        if not events or events[0]["event"] != "ready":
            raise Fault(f"a worker did not start: {events[:1]} {tail(check.folder / 'workers.log')}")
        self.url, self.name = events[0]["url"], events[0]["name"]
        if waits:
            wait(lambda: self.get("/ready") is not None or self.has_ended(), "a worker that is ready")
            if self.has_ended():
                raise Fault(f"a worker ended: {tail(check.folder / 'workers.log')}")

    def has_ended(self):
        return self.process.poll() is not None

    def events(self):
        """What it has printed so far, in whole lines."""
        text = self.output.read_text(encoding="utf-8")
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]

    def reported(self, name):
        return [event for event in self.events() if event["event"] == name]

    def get(self, path):
        """None where it does not answer, or answers with an error."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=30) as answer:
                return answer.read().decode()
        except OSError:
            return None

    def metric(self, name):
        lines = [line for line in (self.get("/metrics") or "").splitlines() if line.startswith(name)]
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """The counts that it prints at its end."""
        self.process.terminate()
        self.process.wait(PATIENCE)
        last = (self.events() or [{}])[-1]
        if self.process.returncode != 0 or last.get("event") != "summary":
            raise Fault(f"a worker ended with status {self.process.returncode}: {last}")
        left = self.reported("left-behind")
        if left:
            raise Fault(f"a worker that was stopped left jobs behind: {left[0]}")
        return last


class Check:
    """One scenario: an engine, a gateway, workers, and device tokens of which each gets one push."""

    def __init__(self, binary, engine, gateway, folder, options):
        self.binary, self.engine, self.gateway, self.folder, self.options = binary, engine, gateway, folder, options
        self.pushes = options.pushes
        self.first = 0
        self.lease = 60
        self.tenants = []
        self.workers = []
        # What the gateway refuses for good by intention, and what is allowed to be lost.
        self.refused, self.losable = set(), set()
        # What the journal had before it was emptied.
        self.earlier = {}
        # Not an option, because other users of the machine can read these.
        self.environment = {**os.environ, "APNS_QUEUE": engine.url}

    def envelopes(self, count):
        start = self.first
        self.first += count
        return [
            json.dumps({"token": f"{number:08x}", "payload": {"aps": {"alert": "Hi"}}})
            for number in range(start, self.first)
        ]

    def try_call(self, *arguments, text=None):
        return subprocess.run(
            [str(self.binary), "worker", *arguments], input=text, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=self.environment, check=False)  # fmt: skip

    def call(self, *arguments, text=None):
        """What `apns worker` prints."""
        done = self.try_call(*arguments, text=text)
        if done.returncode != 0:
            raise Fault(f"apns worker {' '.join(arguments)} ended with status {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def enqueue(self, count, chunk, *options):
        lines = "\n".join(self.envelopes(count)) + "\n"
        counts = json.loads(self.call("enqueue", "--batch=-", f"--chunk={chunk}", "--json", *options, text=lines))
        if counts["envelopes"] != count or counts["bad"] != 0:
            raise Fault(f"{count} envelopes were to be enqueued: {counts}")

    def slow_gateway(self, delay):
        """Answers come later, so that something is in flight whenever something breaks."""
        self.gateway.call("POST", "/api/faults", {"match": {}, "effect": {"delay": delay}})

    # What the queue has

    def status(self):
        return json.loads(self.call("status", "--json"))

    def pending(self, worker):
        """How many jobs the engine holds for a worker."""
        return sum(entry["pending"] for entry in self.status()["workers"] if entry["name"] == worker.name)

    def is_empty(self, hurry=False):
        """hurry: what the ladder would send in minutes is sent at once."""
        try:
            status = self.status()
            if hurry and status["later"]:
                self.call("later", "retry")
        except Fault:
            return False
        return status["backlog"] + status["pending"] + status["later"] == 0

    def wait_until_empty(self, hurry=False, limit=PATIENCE):
        wait(lambda: self.is_empty(hurry), "an empty queue", pause=0.3, limit=limit)

    # What came

    def journal(self, query):
        cursor = ""
        while True:
            answer = self.gateway.call("GET", f"/api/notifications?{query}&limit=1000{cursor}")
            yield from answer["notifications"]
            if not answer.get("next"):
                return
            cursor = f"&cursor={answer['next']}"

    def arrived(self):
        """How often each device token got a push that was accepted."""
        counts = dict(self.earlier)
        for entry in self.journal("outcome=accepted"):
            counts[entry["token"]] = counts.get(entry["token"], 0) + 1
        return counts

    def empty_journal(self):
        """For scenarios with more pushes than the journal keeps, at a moment when nothing is sent."""
        self.earlier = self.arrived()
        self.gateway.call("DELETE", "/api/notifications")

    def result(self, name, most_doubles, dead=0, also=""):
        """Compares what came with what was enqueued.

        dead: how many dead letters the scenario wants
        """
        found = self.status()["dead"]
        if found != dead:
            raise Fault(f"{name}: {found} dead letters, and {dead} are right: {self.call('dead', '--json')[:500]}")
        counts = self.arrived()
        lost = [number for number in range(self.first) if f"{number:08x}" not in counts and number not in self.refused]
        wrong = [number for number in lost if number not in self.losable]
        if wrong:
            raise Fault(f"{name}: {len(wrong)} of {self.first} pushes were lost, the first {wrong[:3]}")
        doubles = sum(count - 1 for count in counts.values())
        if doubles > most_doubles:
            raise Fault(f"{name}: {doubles} pushes were double, and {most_doubles} are the most")
        limit = f" of at most {most_doubles}" if most_doubles else ""
        print(
            f"{self.engine.name} {name}: {self.first} pushes, {len(lost)} lost, {doubles}{limit} double{also and '; ' + also}",
            flush=True,
        )

    def end_workers(self, workers, chunk):
        """Stops them, and says how many pushes may be double by what they counted."""
        counts = [worker.stop() for worker in workers]
        return sum(count["redelivered"] * chunk + count["resent"] for count in counts)

    def end(self):
        for worker in self.workers:
            worker.kill()


class Background:
    """Calls something again and again, in a thread of its own, for as long as a block lasts."""

    def __init__(self, action, pause):
        self.action, self.pause = action, pause
        self.error, self.calls = None, 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        try:
            while not self.over.wait(self.pause):
                self.action()
                self.calls += 1
        except Exception as error:  # told to whoever waits for the block
            self.error = error

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, kind, *_):
        self.over.set()
        self.thread.join(PATIENCE)
        if self.error and not kind:
            raise self.error


def percentile(values, part):
    """The smallest value that so large a part of them does not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def seconds(text):
    """The time of an RFC 3339 text, since 1970."""
    whole, fraction = text.removesuffix("Z").split(".")
    return time.mktime(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) - time.timezone + float("0." + fraction)
