"""Firefox driven over Marionette, the protocol below geckodriver, with the standard library only."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

from browser import ELEMENT, BrowserError, key_actions, until


def find_firefox():
    """The program; None if it is not installed."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One headless window with its own profile, until the end of the `with`. It has the methods of `browser.Page` but those of
    the DevTools Protocol."""

    def __init__(self, width=1440, height=900, forced=False):
        self.profile = tempfile.TemporaryDirectory()
        self.count = 0
        self.size = (width, height)
        # 2 makes every page use the user's colours. Scroll bars take no width, as on a phone.
        preferences = {
            "marionette.port": 0, "browser.display.document_color_use": 2 if forced else 1, "ui.useOverlayScrollbars": 1,
        }  # fmt: skip
        lines = [f'user_pref("{name}", {value});\n' for name, value in preferences.items()]
        Path(self.profile.name, "user.js").write_text("".join(lines))

    def __enter__(self):
        arguments = ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", self.profile.name]
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
            self.set_viewport(*self.size)
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

    def set_viewport(self, width, height):
        """Gives pages this size. A window cannot be as narrow as a phone, what shows the page in it can."""
        self.call("WebDriver:SetWindowRect", width=max(width, 1000), height=height + 200)
        self.call("Marionette:SetContext", value="chrome")
        try:
            self.run("const style = gBrowser.selectedBrowser.style;"
                     "style.width = style.minWidth = style.maxWidth = `${arguments[0]}px`;"
                     "style.height = style.minHeight = style.maxHeight = `${arguments[1]}px`", width, height)  # fmt: skip
        finally:
            self.call("Marionette:SetContext", value="content")

    def run(self, script, *arguments):
        """The value of a script's `return`. It sees what the page's scripts see."""
        return self.call("WebDriver:ExecuteScript", script=script, args=list(arguments), sandbox=None)["value"]

    def run_async(self, script):
        """The value that a script gives to `done`."""
        script = f"const done = arguments[arguments.length - 1];\n{script}"
        return self.call("WebDriver:ExecuteAsyncScript", script=script, args=[], sandbox=None)["value"]

    def find(self, selector):
        return self.call("WebDriver:FindElement", using="css selector", value=selector)["value"][ELEMENT]

    def click(self, selector):
        self.call("WebDriver:ElementClick", id=self.find(selector))

    def type(self, selector, text):
        """Replaces the content of a field."""
        element = self.find(selector)
        self.call("WebDriver:ElementClear", id=element)
        self.call("WebDriver:ElementSendKeys", id=element, text=text)

    def keys(self, *names):
        """Presses keys one after the other; `Shift+Tab` holds the first."""
        actions = [{"type": "key", "id": "keys", "actions": key_actions(names)}]
        self.call("WebDriver:PerformActions", actions=actions)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def until(self, script, what=None, seconds=120):
        """Waits until an expression is true in the page, and returns its value."""
        # An element that the page replaces at this moment cannot be returned, so none is.
        whole = f"const value = {script}; return value instanceof Node || value"
        return until(lambda: self.run(whole), what or script, seconds)
