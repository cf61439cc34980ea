"""The programs of docs/producers.md, as they are on the page, against a real engine."""

import os
import pathlib
import re
import shutil
import subprocess

from .engines import Fault, wait
from .lab import Worker
from .scenario import scenarios

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "producers.md"
# How a program is run, its file, and what shows that its library is there.
LANGUAGES = {
    "python": (["/usr/bin/python3", "{file}"], "produce.py", ["/usr/bin/python3", "-c", "import redis, psycopg"]),
    "node": (["node", "{file}"], "produce.js", ["node", "-e", "require('redis')"]),
    "ruby": (["ruby", "{file}"], "produce.rb", ["ruby", "-e", "require 'redis'"]),
    "php": (["php", "{file}"], "produce.php", ["php", "-r", "exit(extension_loaded('redis') && extension_loaded('pdo_pgsql') ? 0 : 1);"]),
    "go": (["go", "run", "{file}"], "produce.go", ["go", "version"]),
    "sh": (["sh", "{file}"], "produce.sh", ["redis-cli", "--version"]),
}


def programs(engine):
    """Language and text of the programs for an engine."""
    page = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^<!-- producer: (\w+) (\w+) -->\n```\w+\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    if len(found) != page.count("<!-- producer:"):
        raise Fault(f"{PAGE.name}: a marker has no block behind it")
    return [(language, text) for name, language, text in found if name == engine]


def run(check, language, text, tokens):
    command, name, probe = LANGUAGES[language]
    # Where Debian has the packages of Node.
    environment = {
        **check.environment, "REDIS_URL": check.engine.url, "DATABASE_URL": check.engine.url, "NODE_PATH": "/usr/share/nodejs",
        "GO111MODULE": "off", "GOFLAGS": "", "HOME": os.environ.get("HOME", str(check.folder)),
    }  # fmt: skip
    if not shutil.which(probe[0]) or subprocess.run(probe, env=environment, capture_output=True, check=False).returncode != 0:
        return False
    file = check.folder / name
    file.write_text(text, encoding="utf-8")
    words = [word.format(file=file) for word in command]
    done = subprocess.run([*words, *tokens], env=environment, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise Fault(f"producers: the program in {language}: status {done.returncode}, {(done.stderr + done.stdout).strip()[-1000:]}")
    return True


def outbox(check, text, tokens):
    """Two orders change in a transaction that is committed, and one in a transaction that is rolled back."""
    check.engine.make(text)
    for number, token in enumerate([*tokens, "f" * 8]):
        check.engine.make(f"INSERT INTO orders VALUES ({number}, 'new', '{token}')")
    last = len(tokens)
    check.engine.make(
        f"BEGIN; UPDATE orders SET state = 'shipped' WHERE id < {last}; COMMIT;"
        f"BEGIN; UPDATE orders SET state = 'lost' WHERE id = {last}; ROLLBACK;")  # fmt: skip


@scenarios.add()
def producers(check):
    """Jobs of XADD and INSERT without this package: by redis-cli and psql, and by each program of docs/producers.md."""
    for envelope in check.envelopes(3):
        check.engine.produce(envelope)
    ran = []
    for language, text in programs(check.engine.name):
        start = check.first
        check.first += 2
        tokens = [f"{number:08x}" for number in range(start, check.first)]
        if language == "outbox":
            outbox(check, text, tokens)
        elif not run(check, language, text, tokens):
            print(f"LEFT OUT: {check.engine.name} producers: {language}, or its client for the engine, is not installed", flush=True)
            check.first = start
            continue
        ran.append(language)
    worker = Worker(check, "--once", waits=False)
    wait(worker.has_ended, "a worker with --once")
    if worker.process.returncode != 0 or not check.is_empty():
        raise Fault(f"apns worker --once ended with status {worker.process.returncode}: {worker.events()[-1:]}")
    if "f" * 8 in check.arrived():
        raise Fault("producers: a push arrived whose transaction was rolled back")
    check.result("producers", 0, also="programs in " + ", ".join(ran))
