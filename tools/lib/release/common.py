"""Running programs, and the facts about a release that several files of it name."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
NAME = "apns-toolkit"


def repository(environment):
    """The repository on GitHub as OWNER/NAME, and its address: of the one whose workflow runs, or with OWNER for its owner."""
    server, name = environment.get("GITHUB_SERVER_URL"), environment.get("GITHUB_REPOSITORY")
    if not server or not name:
        server, name = "https://github.com", f"OWNER/{NAME}"
    return name, f"{server}/{name}"


REPOSITORY, HOMEPAGE = repository(os.environ)
SUMMARY = "Gateway simulator, sender and payload validator for Apple push notifications"
MAINTAINER = "apns-toolkit contributors <apns-toolkit@users.noreply.github.com>"


class Failure(Exception):
    """What keeps a release from being made, with what to do."""


def run(*command, **options):
    """Runs a program and returns its output; its errors are shown."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, **options)
    except FileNotFoundError:
        raise Failure(f"there is no {words[0]}") from None
    if done.returncode != 0:
        raise Failure(f"{' '.join(words)} ended with status {done.returncode}")
    return done.stdout


def install(*packages):
    """Installs packages of Debian or Ubuntu that are missing."""
    known = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Abbrev}\n", *packages], capture_output=True, text=True
    ).stdout
    missing = [name for name in packages if not re.search(rf"^{re.escape(name)} ii", known, re.MULTILINE)]
    if not missing:
        return
    script = 'root=$0; source "$root/tools/lib/setup.sh"; install_debian_packages "$@"'
    if subprocess.run(["bash", "-c", script, ROOT, *missing], stdin=subprocess.DEVNULL).returncode != 0:
        raise Failure(f"these packages are needed: {' '.join(missing)}")


def install_for_building():
    """Installs the libraries that the package is built with, where they are missing."""
    script = 'root=$0; source "$root/tools/lib/setup.sh"; require_packages'
    if subprocess.run(["bash", "-c", script, ROOT], stdin=subprocess.DEVNULL).returncode != 0:
        raise Failure("the libraries that the package is built with are missing")


@dataclass(frozen=True)
class Release:
    """What is released."""

    version: str
    # The commit, and the time that all files of the release have, in seconds since 1970.
    revision: str
    time: int
    # As Debian, OCI and uname call the processor.
    debian: str
    oci: str
    machine: str

    @property
    def stem(self):
        return f"{NAME}-{self.version}-linux-{self.machine}"

    @staticmethod
    def of_this_checkout():
        command = (ROOT / "Sources/Command/apns/APNSCommand.swift").read_text()
        version = re.search(r'version: "([0-9.]+)"', command)
        if not version:
            raise Failure("Sources/Command/apns/APNSCommand.swift names no version")
        debian = run("dpkg", "--print-architecture").strip()
        machines = {"amd64": "x86_64", "arm64": "aarch64"}
        if debian not in machines:
            raise Failure(f"a release is for x86_64 or aarch64, not for {debian}")
        revision = run("git", "-C", ROOT, "rev-parse", "HEAD").strip()
        time = os.environ.get("SOURCE_DATE_EPOCH") or run("git", "-C", ROOT, "log", "-1", "--format=%ct").strip()
        return Release(version[1], revision, int(time), debian, debian, machines[debian])


def fresh(folder):
    """An empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
