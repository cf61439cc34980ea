"""What tools/bench/worker measures once for each engine: memory, latency, taking over, the first push."""

import json
import socket
import subprocess
import threading
import time
import urllib.request

from simulator import Gateway

from .engines import Fault, wait
from .lab import seconds

LEASE = 5
ENVELOPE = '{"token":"%064x","payload":{"aps":{"alert":"Hi"}}}'


class Running:
    """`apns worker` that runs until `kill`, with its metrics."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(
            [*command, "--json", "--port=0"], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)  # fmt: skip
        self.url = json.loads(self.process.stdout.readline())["url"]

    def metrics(self):
        with urllib.request.urlopen(self.url + "/metrics", timeout=30) as answer:
            return answer.read().decode().splitlines()

    def metric(self, name):
        return sum(float(line.rsplit(" ", 1)[1]) for line in self.metrics() if line.startswith("apns_worker_" + name))

    def kill(self):
        self.process.kill()
        self.process.wait()


class Commits:
    """Commits one row again and again until `stop`, and measures how long the disk makes each wait: what a job cannot be quicker than."""

    def __init__(self, engine):
        engine.make("CREATE TABLE IF NOT EXISTS committed (at timestamptz)")
        self.process = subprocess.Popen(
            [str(engine.bin / "psql"), "-X", "-q", "-A", "-t", engine.local], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, cwd="/")  # fmt: skip
        self.ends, self.milliseconds = threading.Event(), []
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.ends.wait(0.01):
            start = time.monotonic()
            self.process.stdin.write("INSERT INTO committed VALUES (now());\n\\echo done\n")
            self.process.stdin.flush()
            if self.process.stdout.readline() == "":
                return
            self.milliseconds.append((time.monotonic() - start) * 1000)

    def stop(self):
        """The p99 in milliseconds."""
        self.ends.set()
        self.thread.join()
        self.process.communicate()
        times = sorted(self.milliseconds)
        return times[min(len(times) - 1, len(times) * 99 // 100)] if times else float("inf")


def quantile(before, after, part):
    """In milliseconds, within its bucket by proportion, of what two readings of the histogram have between them."""
    def buckets(lines):
        rows = [line for line in lines if line.startswith("apns_worker_queue_seconds_bucket")]
        return [(float(line.split('"')[1].replace("+Inf", "inf")), float(line.rsplit(" ", 1)[1])) for line in rows]

    counts = [(bound, late - early) for (bound, late), (_, early) in zip(buckets(after), buckets(before))]
    wanted, last_bound, last = counts[-1][1] * part, 0.0, 0.0
    for bound, count in counts:
        if count >= wanted:
            if bound == float("inf"):
                return float("inf")
            return (last_bound + (bound - last_bound) * (wanted - last) / max(count - last, 1)) * 1000
        last_bound, last = bound, count
    return float("inf")


def status(bench, engine):
    return json.loads(bench.worker(engine, "status", "--json"))


def empty(bench, engine):
    found = status(bench, engine)
    return found["backlog"] + found["pending"] == 0


def clear(engine):
    if engine.name == "redis":
        engine.cli("FLUSHALL")
    else:
        engine.make("TRUNCATE push_job")


def memory(bench, engine, environment):
    """Peak MiB of a worker that sends for ten seconds from a long backlog."""
    part = min(bench.options.backlog, 500_000)
    for _ in range(bench.options.backlog // part):
        bench.fill(engine, part, 100)
    worker = Running(bench.sending(engine), environment)
    time.sleep(10)
    with open(f"/proc/{worker.process.pid}/status", encoding="utf-8") as lines:
        peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    left = status(bench, engine)["backlog"] * 100
    worker.kill()
    clear(engine)
    return peak / 1024, left


def warm(engine):
    """Leaves PostgreSQL with files of its log to use again, as a server has that runs for longer. A new one makes each file of 16 MB
    when it is needed, and all commits wait for that."""
    engine.make("CREATE TABLE filler AS SELECT repeat('x', 1000) AS text FROM generate_series(1, 120000)")
    engine.make("DROP TABLE filler")
    engine.make("CHECKPOINT")


def latency(bench, engine, environment, rate):
    """The p50 and p99 in milliseconds from enqueuing to acceptance, with so many jobs of one envelope a second; the rate; and for
    PostgreSQL the p99 of a commit meanwhile."""
    if engine.name == "postgres":
        warm(engine)
    worker = Running(bench.sending(engine), environment)
    stop = time.monotonic() + 6
    producer = engine.open_producer() if engine.name == "postgres" else socket.create_connection(("127.0.0.1", engine.port))
    middle, number, begun = None, 0, time.monotonic()
    while time.monotonic() < stop:
        due = int((time.monotonic() - begun) * rate) - number
        if due > 0:
            bodies = [ENVELOPE % (number + offset) for offset in range(due)]
            number += due
            if engine.name == "postgres":
                values = ", ".join(f"('{body}')" for body in bodies)
                producer.stdin.write(f"INSERT INTO push_job (body) VALUES {values};\n")
                producer.stdin.flush()
            else:
                producer.sendall(b"".join(
                    b"*5\r\n$4\r\nXADD\r\n$18\r\npush:jobs:normal:0\r\n$1\r\n*\r\n$1\r\nb\r\n$%d\r\n%s\r\n" % (len(body), body.encode())
                    for body in bodies))  # fmt: skip
                producer.setblocking(False)
                try:
                    producer.recv(1 << 20)
                except BlockingIOError:
                    pass
                producer.setblocking(True)
        if middle is None and time.monotonic() > begun + 2:
            middle = worker.metrics()
            commits = Commits(engine) if engine.name == "postgres" else None
        time.sleep(0.001)
    after = worker.metrics()
    commit = commits.stop() if commits else None
    producer.communicate() if engine.name == "postgres" else producer.close()
    wait(lambda: empty(bench, engine), "an empty queue", limit=60)
    worker.kill()
    return quantile(middle, after, 0.5), quantile(middle, after, 0.99), number / 6, commit


def takeover(bench, engine, environment):
    """Seconds from the death of a worker until all of its jobs are settled."""
    command = [*bench.sending(engine), f"--lease={LEASE}s"]
    first = Running([*command, "--rate=2000"], environment)
    bench.fill(engine, 20_000, 10)
    wait(lambda: status(bench, engine)["pending"] > 0, "a worker with jobs")
    second = Running(command, environment)
    first.kill()
    held = status(bench, engine)["pending"]
    start = time.monotonic()
    wait(lambda: empty(bench, engine), "an empty queue", limit=60)
    elapsed = time.monotonic() - start
    second.kill()
    if held == 0:
        raise Fault("the worker that was killed had no job")
    return elapsed


def first_push(bench, engine, environment):
    """Milliseconds from the start of a worker until a gateway has its first push."""
    with Gateway(bench.apns, bench.folder) as gateway:
        engine.produce(ENVELOPE % 7)
        start = time.time()
        command = [bench.apns, "worker", "--queue", engine.url, *gateway.addressing]
        worker = Running(command, environment)
        wait(lambda: gateway.call("GET", "/api/notifications")["total"] > 0, "a push", pause=0.01, limit=20)
        came = seconds(gateway.call("GET", "/api/notifications")["notifications"][0]["received"])
        wait(lambda: empty(bench, engine), "an empty queue", limit=20)
        worker.kill()
    return (came - start) * 1000


def run(bench):
    import lab

    environment = lab.environment()
    for name, engine in bench.engines.items():
        lab.say(f"Once, {name}")
        clear(engine)
        bench.find(f"{name}: first push after the start in ms", 300, first_push(bench, engine, environment))
        bench.find(f"{name}: jobs of a killed worker in s, lease {LEASE} s", LEASE + 5, takeover(bench, engine, environment))
        highest = bench.median(f"{name}, 1", "rate") if bench.rounds else 20_000
        p50, p99, rate, commit = latency(bench, engine, environment, highest / 2)
        bench.find(f"{name}: p50 from enqueuing to acceptance in ms at {rate:,.0f} a second", 3, p50)
        disk = "" if commit is None else f", where 1 of 100 commits of a row took {commit:.1f} and more"
        bench.find(f"{name}: p99 from enqueuing to acceptance in ms at {rate:,.0f} a second{disk}", 15, p99)
        peak, left = memory(bench, engine, environment)
        bench.find(f"{name}: peak memory in MiB, {bench.options.backlog:,} waiting at the start and {left:,} at the end", 96, peak)
