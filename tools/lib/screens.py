"""Takes the terminal pictures: runs the command in a pseudo-terminal and draws what it prints (tools/screens)."""

import fcntl
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import termios
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
from simulator import Gateway  # noqa: E402
from terminal_svg import picture  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
IMAGES = ROOT / "docs/images"
MOST_BYTES = 100_000
PROMPT = "\x1b[32m$\x1b[0m "
# What differs from run to run.
VARYING = [
    re.compile(form)
    for form in (
        r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",  # ids
        r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?",  # dates
        r"127\.0\.0\.1(:\d+)?|localhost:\d+|port \d+",
        r"process \d+|device token [0-9a-f]{4}…[0-9a-f]{4}",
        r"AuthKey_[A-Z0-9]{10}|(key|team) id is [A-Z0-9]{10}|--team-id [A-Z0-9]{10}",
        r":\d\d UTC",  # the end of a date that a line break cuts
        r"[\d,.]+ (ms|bytes)|\d+ requests",
    )
]
# What differs between machines: what the kernel says of the clock, the advice below it, and the counts that follow from it.
MACHINE = re.compile(r"^<text.*(clock-synchronized: |timedatectl|\d+ failed, ).*\n", re.MULTILINE)


@dataclass
class Screen:
    name: str
    title: str
    description: str  # what the picture shows, for those who do not see it
    lines: list  # the commands, as somebody types them; KEY and TEAM are those of the gateway
    statuses: tuple = (0,)
    columns: int = 100
    shown: int = None  # how many rows the animation shows at a time


SCREENS = [
    Screen(
        "hello", "apns send to a gateway on this machine",
        "The command sends an alert to the gateway simulator. The gateway accepts it, and the summary counts one accepted notification.",
        ["apns send --gateway local --token ab12 --alert 'Hello'"],
        columns=126,
    ),
    Screen(
        "validate", "apns validate with findings in two files",
        "Each finding has file, line and column, severity, a sentence, the id of the rule, and the faulty place marked in the text.",
        ["apns validate payloads/fail/background-alert payloads/fail/badge-form payloads/fail/interruption-level-value"],
        statuses=(1,), columns=126,
    ),
    Screen(
        "send", "apns send --verbose",
        "The connection with its TLS version and certificate, the headers of the request without the provider token, and the answer 200 with its ids.",
        ["apns send --gateway local --token ab12 --title Visit --body 'At noon' --badge 1 --verbose"],
        columns=126,
    ),
    Screen(
        "device", "apns device gets a push",
        "A simulated device connects, gets an alert push, and shows its payload and text.",
        ["apns device --token ab12 --count 1"],
    ),
    Screen(
        "doctor", "apns doctor without a network",
        "The checks of key and clock pass, warn, or are skipped, each with a sentence that says what it saw.",
        ["apns doctor --offline --key certs/KEY --team-id TEAM"],
        columns=126,
    ),
    Screen(
        "help", "apns --help",
        "The subcommands of apns, each with a sentence.",
        ["apns --help"],
        columns=90,
    ),
    Screen(
        "demo", "apns demo, animated",
        "A record changes in a simulated CRM. Its silent push is checked, sent, accepted by the gateway and delivered; the device fetches "
        "the record and stores it. Hard cases with two more devices, a campaign and variants of a story follow.",
        ["apns demo"],
        columns=126, shown=30,
    ),
]  # fmt: skip


class Terminal:
    """A pseudo-terminal with a program in it."""

    def __init__(self, command, columns, environment, folder):
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        self.bytes = b""

    def read(self, until=None):
        """Reads until this text, or until the program ends."""
        while until is None or until not in self.bytes:
            try:
                more = os.read(self.descriptor, 65536)
            except OSError:  # the end, on Linux
                more = b""
            if not more:
                break
            self.bytes += more

    def end(self):
        self.read()
        status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        os.close(self.descriptor)
        return self.bytes.decode(), status


class Stage:
    """Where the commands run: a fresh home folder, a running gateway, and the samples of the repository."""

    def __init__(self, binary, folder):
        self.folder = folder
        (folder / "bin").mkdir()
        (folder / "bin/apns").symlink_to(binary)
        (folder / "payloads").symlink_to(ROOT / "payloads")
        (folder / ".apns-validate.yaml").symlink_to(ROOT / ".apns-validate.yaml")
        self.environment = {
            "HOME": str(folder), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "TERM": "xterm-256color", "LANG": "C.UTF-8",
            "TZ": "UTC",
        }  # fmt: skip
        os.environ.pop("XDG_RUNTIME_DIR", None)
        os.environ.pop("XDG_STATE_HOME", None)
        os.environ["HOME"] = str(folder)
        (folder / "certs").mkdir()
        self.gateway = Gateway(binary, folder)

    def take(self, screen):
        shown = []
        for line in screen.lines:
            ready = self.gateway.ready
            line = line.replace("KEY", Path(ready["key"]).name).replace("TEAM", ready["team-id"])
            terminal = Terminal(["sh", "-c", f"exec {line}"], screen.columns, self.environment, self.folder)
            if screen.name == "device":
                terminal.read(until=b"waiting for pushes")
                send = "apns send --gateway local --token ab12 --alert Hello"
                subprocess.run(shlex.split(send), env=self.environment, cwd=self.folder, check=True, capture_output=True)
            text, status = terminal.end()
            if status not in screen.statuses:
                raise SystemExit(f"{line} ended with status {status}:\n{text}")
            text = text.replace(f"{self.folder}/", "")
            shown.append(f"{PROMPT}\x1b[1m{line}\x1b[0m\r\n{text}")
        return "".join(shown)


def comparable(text):
    """The picture without what differs from run to run."""
    text = MACHINE.sub("", text)
    for form in VARYING:
        text = form.sub("#", text)
    # The places follow from the text.
    return re.sub(r' (x|y|height|viewBox|textLength)="[\d. ]+"', "", text)


def settle(path, fresh, check):
    """Writes the picture where it differs from the kept one; returns whether it did differ."""
    name = path.relative_to(ROOT)
    if len(fresh.encode()) > MOST_BYTES:
        raise SystemExit(f"{name} would have more than {MOST_BYTES:,} bytes")
    if path.exists() and comparable(path.read_text()) == comparable(fresh):
        return False
    if check:
        print(f"{name} is not what the command prints now; run tools/screens and commit the picture.", file=sys.stderr)
    else:
        path.write_text(fresh)
        print(f"wrote {name}, {len(fresh.encode()):,} bytes")
    return True


def main():
    binary, check = Path(sys.argv[1]), "--check" in sys.argv[2:]
    stale = False
    with tempfile.TemporaryDirectory() as name:
        stage = Stage(binary, Path(name).resolve())
        with stage.gateway:
            for screen in SCREENS:
                text = stage.take(screen)
                fresh = picture(text, screen.title, screen.description, screen.columns, screen.shown)
                stale |= settle(IMAGES / f"terminal-{screen.name}.svg", fresh, check)
    if check and not stale:
        print(f"screens: {len(SCREENS)} pictures show what the command prints.")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
