"""The programs of docs/producers.md, as they are on the page, against a real engine."""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess

import from_debian

from .engines import Fault, wait
from .lab import Worker
from .scenario import scenarios

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "producers.md"
# Unless it is told, the driver for PostgreSQL asks for TLS, which the engine of the check does not have.
GO = {"GO111MODULE": "off", "GOFLAGS": "", "GOPATH": "/usr/share/gocode", "PGSSLMODE": "disable"}


@dataclasses.dataclass(frozen=True)
class Language:
    command: list  # how a program is run
    file: str
    probe: list  # ends with status 0 if the client library of the program is there
    packages: list  # of Debian, which bring it
    environment: dict = dataclasses.field(default_factory=dict)

    def is_there(self):
        if not shutil.which(self.probe[0]):
            return False
        environment = {**os.environ, **self.environment}
        return subprocess.run(self.probe, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


def python(library, package):
    return Language(["/usr/bin/python3", "{file}"], "produce.py", ["/usr/bin/python3", "-c", f"import {library}"], ["python3", package])


def node(library, package):
    where = {"NODE_PATH": "/usr/share/nodejs"}  # of Debian's packages
    return Language(["node", "{file}"], "produce.js", ["node", "-e", f"require('{library}')"], ["nodejs", package], where)


def ruby(library, package):
    return Language(["ruby", "{file}"], "produce.rb", ["ruby", "-e", f"require '{library}'"], ["ruby", package])


def php(extension, package):
    probe = ["php", "-r", f"exit(extension_loaded('{extension}') ? 0 : 1);"]
    return Language(["php", "{file}"], "produce.php", probe, ["php-cli", package])


def go(probe, packages):
    return Language(["go", "run", "{file}"], "produce.go", probe, ["golang-go", *packages], GO)


JDBC = "/usr/share/java/postgresql.jar"
LANGUAGES = {
    ("redis", "python"): python("redis", "python3-redis"),
    ("postgres", "python"): python("psycopg", "python3-psycopg"),
    ("redis", "node"): node("redis", "node-redis"),
    ("postgres", "node"): node("pg", "node-pg"),
    ("redis", "ruby"): ruby("redis", "ruby-redis"),
    ("postgres", "ruby"): ruby("pg", "ruby-pg"),
    ("redis", "php"): php("redis", "php-redis"),
    ("postgres", "php"): php("pdo_pgsql", "php-pgsql"),
    ("redis", "go"): go(["go", "version"], []),
    ("postgres", "go"): go(["go", "list", "github.com/lib/pq"], ["golang-github-lib-pq-dev"]),
    ("postgres", "java"): Language(
        ["java", "-cp", JDBC, "{file}"], "Produce.java", ["sh", "-c", f"java --list-modules | grep -q jdk.compiler && test -e {JDBC}"],
        ["default-jdk-headless", "libpostgresql-jdbc-java"]),
    ("redis", "sh"): Language(["sh", "{file}"], "produce.sh", ["redis-cli", "--version"], ["redis-tools"]),
}  # fmt: skip


def programs(engine):
    """Language and text of the programs for an engine."""
    page = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^<!-- producer: (\w+) (\w+) -->\n```\w+\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    if len(found) != page.count("<!-- producer:"):
        raise Fault(f"{PAGE.name}: a marker has no block behind it")
    return [(language, text) for name, language, text in found if name == engine]


def run(check, language, text, tokens, url):
    environment = {
        **check.environment, "REDIS_URL": url, "DATABASE_URL": url,
        "HOME": os.environ.get("HOME", str(check.folder)), **language.environment,
    }  # fmt: skip
    file = check.folder / language.file
    file.write_text(text, encoding="utf-8")
    words = [word.format(file=file) for word in language.command]
    done = subprocess.run([*words, *tokens], env=environment, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise Fault(f"producers: {file.name}: status {done.returncode}, {(done.stderr + done.stdout).strip()[-1000:]}")


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
    found, url = programs(check.engine.name), check.engine.producer_url()
    missing = {name: LANGUAGES[check.engine.name, name] for name, _ in found if name != "outbox"}
    missing = {name: language for name, language in missing.items() if not language.is_there()}
    for language in missing.values():  # apart, so that one that cannot be installed keeps no other out
        from_debian.install(set(language.packages))
    missing = {name for name, language in missing.items() if not language.is_there()}
    for language, text in found:
        if language in missing:
            print(f"LEFT OUT: {check.engine.name} producers: {language}, or its client for the engine, is not installed", flush=True)
            continue
        start = check.first
        check.first += 2
        tokens = [f"{number:08x}" for number in range(start, check.first)]
        if language == "outbox":
            outbox(check, text, tokens)
        else:
            run(check, LANGUAGES[check.engine.name, language], text, tokens, url)
        ran.append(language)
    worker = Worker(check, "--once", waits=False)
    wait(worker.has_ended, "a worker with --once")
    if worker.process.returncode != 0 or not check.is_empty():
        raise Fault(f"apns worker --once ended with status {worker.process.returncode}: {worker.events()[-1:]}")
    if "f" * 8 in check.arrived():
        raise Fault("producers: a push arrived whose transaction was rolled back")
    check.result("producers", 0, also="programs in " + ", ".join(ran))
