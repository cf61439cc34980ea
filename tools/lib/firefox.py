"""Firefox driven over Marionette, the protocol below geckodriver, with the standard library only."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

from browser import BrowserError, until


def find_firefox():
    """The program; None if it is not installed."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One headless window with its own profile, until the end of the `with`."""

    def __init__(self, forced=False):
        self.profile = tempfile.TemporaryDirectory()
        self.count = 0
        # 2 makes every page use the user's colours.
        preferences = {"marionette.port": 0, "browser.display.document_color_use": 2 if forced else 1}
        lines = [f'user_pref("{name}", {value});\n' for name, value in preferences.items()]
        Path(self.profile.name, "user.js").write_text("".join(lines))

    def __enter__(self):
        arguments = ["--headless", "--marionette", "--no-remote", "--profile", self.profile.name]
        self.process = subprocess.Popen(
            [find_firefox(), *arguments], env={**os.environ, "HOME": self.profile.name},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            active = Path(self.profile.name, "MarionetteActivePort")
            port = until(lambda: active.exists() and active.read_text().strip(), "Firefox with its port", 60)
            self.socket = socket.create_connection(("127.0.0.1", int(port)), timeout=60)
            self.stream = self.socket.makefile("rb")
            self.read()
            self.call("WebDriver:NewSession")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        self.profile.cleanup()

    def read(self):
        digits = b""
        while (byte := self.stream.read(1)) != b":":
            if not byte:
                raise BrowserError("Firefox ended")
            digits += byte
        return json.loads(self.stream.read(int(digits)))

    def call(self, name, **parameters):
        self.count += 1
        message = json.dumps([0, self.count, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, value = self.read()
        if error:
            raise BrowserError(f"{error['error']}: {error['message'].splitlines()[0]}")
        return value

    def open(self, url):
        self.call("WebDriver:Navigate", url=url)

    def run(self, script):
        """The value of a script's `return`."""
        return self.call("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def run_async(self, script):
        """The value that a script gives to `done`."""
        script = f"const done = arguments[arguments.length - 1];\n{script}"
        return self.call("WebDriver:ExecuteAsyncScript", script=script, args=[])["value"]

    def until(self, script, what=None, seconds=120):
        """Waits until an expression is true in the page, and returns its value."""
        return until(lambda: self.run(f"return {script}"), what or script, seconds)
