"""Engines of the queue that run for a check, each on a free port and in a folder of its own."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PATIENCE = 240  # seconds until something counts as hung


class Fault(Exception):
    """Something that does not hold."""


class LeftOut(Exception):
    """Why a scenario cannot be run here."""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait(condition, what, pause=0.05, limit=PATIENCE):
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(pause)
    raise Fault(f"waited {limit} s for {what}")


def tail(file):
    """The end of a log; nothing where there is none."""
    return file.read_text(encoding="utf-8", errors="replace")[-3000:].strip() if file.exists() else ""


def listens(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Redis:
    name = "redis"
    programs = ["redis-server", "redis-cli"]

    def __init__(self, folder, *options, fsync="always", host="127.0.0.1"):
        self.folder, self.options, self.fsync, self.host = folder, options, fsync, host
        self.port = free_port()
        self.url = f"redis://{host}:{self.port}/0"
        self.start()

    def start(self):
        with open(self.folder / "redis.log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", *self.bound(), "--protected-mode", "no",
                 "--dir", str(self.folder), "--save", "", "--appendonly", "yes", "--appendfsync", self.fsync, *self.options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)  # fmt: skip
        wait(lambda: listens(self.port) or self.process.poll() is not None, "redis-server")
        wait(lambda: self.process.poll() is not None or self.answers(), "data of redis-server")
        if self.process.poll() is not None:
            raise OSError(f"redis-server did not start: {tail(self.folder / 'redis.log')}")

    def bound(self):
        return [] if self.host == "127.0.0.1" else [self.host]

    def answers(self):
        return self.cli("PING").strip() == "PONG"

    def cli(self, *words, text=None):
        """What redis-cli prints, errors of Redis included."""
        done = subprocess.run(
            ["redis-cli", "-p", str(self.port), *map(str, words)], input=text, capture_output=True, check=False)  # fmt: skip
        return (done.stdout + done.stderr).decode("utf-8", errors="replace")

    def info(self, name):
        for line in self.cli("INFO").splitlines():
            if line.startswith(name + ":"):
                return line.split(":", 1)[1]
        raise Fault(f"INFO of Redis has no {name}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.kill()

    def producer_url(self):
        """The URL of a user who logs in with a password that has a special character."""
        self.cli("ACL", "SETUSER", "producer", "on", ">p@ss", "allkeys", "+@all")
        return self.url.replace("//", "//producer:p%40ss@")

    def produce(self, body, tenant=None, lane="normal"):
        """Adds a job without this package."""
        self.add(["b", body, *(["t", tenant] if tenant else [])], lane)

    def open_producer(self):
        """A process that takes what `produced` returns on its input."""
        return subprocess.Popen(["redis-cli", "-p", str(self.port)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)

    def produced(self, body, tenant):
        return f"XADD push:jobs:normal:0 * b '{body}' t {tenant}\n"

    def add(self, words, lane="normal"):
        """A job with these fields and values; the last one may be bytes."""
        last = words[-1] if isinstance(words[-1], bytes) else str(words[-1]).encode()
        said = self.cli("-x", "XADD", f"push:jobs:{lane}:0", "*", *words[:-1], text=last)
        if not re.fullmatch(r"\d+-\d+\s*", said):
            raise Fault(f"XADD: {said.strip()}")

    def poison(self, envelope):
        """Adds jobs that nobody can send, and says how many dead letters they make."""
        good = json.dumps(envelope)
        jobs = [
            ["x", "no body"], ["b", ""], ["b", "garbage"], ["b", b"\xff\xfe\x00"], ["b", "[" * 5000], ["b", "{}"],
            ["b", "\n".join([good] * 101)], ["a", "many", "b", good], ["t", "nobody", "b", good], ["b", b"x" * (2 << 20)],
        ]  # fmt: skip
        for words in jobs:
            self.add(words)
        # It was delivered again and again, and no worker has settled it.
        self.cli("XGROUP", "CREATE", "push:jobs:bulk:0", "workers", "0", "MKSTREAM")
        self.produce(good, lane="bulk")
        entry = self.cli("XREADGROUP", "GROUP", "workers", "gone", "STREAMS", "push:jobs:bulk:0", ">")
        number = re.search(r"\d+-\d+", entry)[0]
        self.cli("XCLAIM", "push:jobs:bulk:0", "workers", "gone", "0", number, "RETRYCOUNT", 30)
        return len(jobs) + 1

    @contextlib.contextmanager
    def filled(self):
        """The engine takes nothing more."""
        # A cut of a tenth below what is used: what is settled meanwhile makes no room.
        self.cli("CONFIG", "SET", "maxmemory", int(int(self.info("used_memory")) * 0.9))
        try:
            yield
        finally:
            self.cli("CONFIG", "SET", "maxmemory", 0)

    def append_only_bytes(self):
        """The file that Redis appends to, and its size."""
        file = max((self.folder / "appendonlydir").glob("*.incr.aof"), key=lambda path: path.stat().st_mtime)
        return file, file.stat().st_size


class Postgres:
    name = "postgres"
    programs = ["setpriv"] if os.geteuid() == 0 else []

    def __init__(self, folder, host="127.0.0.1", settings=()):
        self.top, self.host, self.settings = folder, host, settings
        self.folder, self.log, self.port = folder / "data", folder / "postgres.log", free_port()
        found = pathlib.Path("/usr/lib/postgresql").glob("*/bin")
        found = sorted(found, key=lambda path: [int(part) for part in path.parent.name.split(".") if part.isdigit()])
        if not found:
            raise FileNotFoundError("there is no PostgreSQL in /usr/lib/postgresql")
        self.bin = found[-1]
        # PostgreSQL refuses to run as root.
        self.prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        if self.prefix:
            for part in [folder, *folder.parents]:
                if part == pathlib.Path(tempfile.gettempdir()):
                    break
                os.chmod(part, 0o711)
            shutil.chown(folder, "postgres")
        self.run(["initdb", "-D", str(self.folder), "-A", "trust", "-U", "push", "-E", "UTF8", "--locale=C"])
        self.url = f"postgres://push@{host}:{self.port}/postgres"
        if host != "127.0.0.1":
            # libpq verifies hosts that are not this machine, and this server has no certificate.
            with open(self.folder / "pg_hba.conf", "a", encoding="utf-8") as rules:
                rules.write("host all all 0.0.0.0/0 trust\n")
        self.local = f"postgres://push@127.0.0.1:{self.port}/postgres"
        self.start()

    def run(self, command):
        done = subprocess.run(
            [*self.prefix, str(self.bin / command[0]), *command[1:]], cwd="/", stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)  # fmt: skip
        if done.returncode != 0:
            raise OSError(f"{command[0]}: {done.stderr.strip()}")

    def start(self):
        # After a kill its children hold the shared memory for a moment, and a start fails.
        for _ in range(50):
            with open(self.log, "a", encoding="utf-8") as log:
                self.process = subprocess.Popen(
                    [*self.prefix, str(self.bin / "postgres"), "-D", str(self.folder), "-p", str(self.port),
                     "-h", ",".join({"127.0.0.1", self.host}), "-k", "", *self.settings],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/")  # fmt: skip
            wait(lambda: self.psql("SELECT 1").returncode == 0 or self.process.poll() is not None, "postgres")
            if self.process.poll() is None:
                return
            time.sleep(0.2)
        raise OSError(f"postgres did not start: {tail(self.log)}")

    def psql(self, sql):
        return subprocess.run(
            [str(self.bin / "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", self.local], input=sql, text=True,
            cwd="/", capture_output=True, check=False)  # fmt: skip

    def make(self, sql):
        """What psql prints."""
        done = self.psql(sql)
        if done.returncode != 0:
            raise OSError(f"psql: {done.stderr.strip()}")
        return done.stdout.strip()

    def session(self, sql):
        """A connection that stays open, in the transaction that `sql` begins, until `close_session`."""
        process = subprocess.Popen(
            [str(self.bin / "psql"), "-X", "-q", "-A", "-t", self.local], text=True, cwd="/",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
        process.stdin.write(sql + "\n\\echo begun\n")
        process.stdin.flush()
        while process.stdout.readline().strip() != "begun":
            if process.poll() is not None:
                raise Fault("psql ended before its transaction")
        return process

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()

    def producer_url(self):
        """The URL of a user who logs in with a password that has a special character."""
        rules = self.folder / "pg_hba.conf"
        rules.write_text(f"host all producer 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")
        self.make("CREATE ROLE producer LOGIN PASSWORD 'p@ss'; GRANT INSERT (body) ON push_job TO producer; SELECT pg_reload_conf()")
        return self.url.replace("//push@", "//producer:p%40ss@")

    def produce(self, body, tenant=None):
        """Adds a job without this package."""
        self.add(f"$e${body}$e$", tenant)

    def open_producer(self):
        """A process that takes what `produced` returns on its input."""
        process = subprocess.Popen([str(self.bin / "psql"), "-X", "-q", self.local], stdin=subprocess.PIPE, text=True, cwd="/")
        # Whoever produces must not be what is slow.
        process.stdin.write("SET synchronous_commit = off;\n")
        return process

    def produced(self, body, tenant):
        return f"INSERT INTO push_job (body, tenant) VALUES ('{body}', '{tenant}');\n"

    def add(self, value, tenant=None, column="body"):
        name = f"$e${tenant}$e$" if tenant else "NULL"
        self.make(f"INSERT INTO push_job ({column}, tenant) VALUES ({value}, {name})")

    def poison(self, envelope):
        """Adds jobs that nobody can send, and says how many dead letters they make."""
        good = json.dumps(envelope)
        for body in ["", "garbage", "[" * 5000, "{}", "\n".join([good] * 101)]:
            self.produce(body)
        self.add("'\\xfffe00'", column="raw")
        self.produce(good, tenant="nobody")
        # It was delivered again and again, and no worker has settled it.
        self.make(
            "INSERT INTO push_job (lane, body, worker, leased_until, deliveries)"
            f" VALUES ('bulk', $e${good}$e$, 'gone', now(), 30)")  # fmt: skip
        return 8

    @contextlib.contextmanager
    def filled(self):
        """The engine takes nothing more: the tables are in a file system of 24 MB, and another file fills it."""
        ballast = self.top / "small" / "ballast"
        with contextlib.suppress(OSError), open(ballast, "wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        try:
            yield
        finally:
            ballast.unlink()
