"""A browser driven over the WebDriver protocol (W3C), with the standard library only."""

import base64
import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Shift": "\ue008",
    "Escape": "\ue00c",
    "Space": "\ue00d",
    "End": "\ue010",
    "Home": "\ue011",
    "Up": "\ue013",
    "Down": "\ue015",
}
PROGRAMS = (("chromium", "chromium-browser", "google-chrome"), ("chromedriver", "chromium-driver"))


class BrowserError(Exception):
    """A command that the browser could not perform."""


def find_programs():
    """The browser and its driver; None for one that is not installed."""
    return tuple(next((found for name in names if (found := shutil.which(name))), None) for names in PROGRAMS)


def until(condition, what, seconds=120):
    """Calls `condition` until it returns a truthy value, which is returned."""
    deadline = time.monotonic() + seconds
    while True:
        if value := condition():
            return value
        if time.monotonic() > deadline:
            raise BrowserError(f"this did not happen within {seconds} s: {what}")
        time.sleep(0.02)


def key_actions(names):
    """What presses keys one after the other; `Shift+Tab` holds the first."""
    actions = []
    for name in names:
        parts = [KEYS.get(part, part) for part in (name.split("+") if len(name) > 1 else [name])]
        actions += [{"type": "keyDown", "value": part} for part in parts]
        actions += [{"type": "keyUp", "value": part} for part in reversed(parts)]
    return actions


class Driver:
    """chromedriver on a free port, until the end of the `with`."""

    def __enter__(self):
        self.browser, program = find_programs()
        self.process = subprocess.Popen(
            [program, "--port=0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for line in self.process.stdout:
            words = line.strip().rstrip(".").split(" on port ")
            if len(words) == 2 and words[1].isdigit() and int(words[1]) > 0:
                self.address = f"http://127.0.0.1:{words[1]}"
                return self
        raise BrowserError("chromedriver ended without printing its port")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)

    def page(self, **options):
        return Page(self, **options)


class Page:
    """One window of a headless browser with its own profile.

    `trusts_all` takes every certificate of a server.
    """

    def __init__(self, driver, width=1440, height=900, scheme="light", scale=1, trusts_all=False):
        self.address = driver.address
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"]
        arguments += [f"--window-size={width},{height}", f"--force-device-scale-factor={scale}", "--lang=en-US"]
        chrome = {"binary": driver.browser, "args": arguments}
        wanted = {"goog:chromeOptions": chrome, "goog:loggingPrefs": {"browser": "ALL"}, "acceptInsecureCerts": trusts_all}
        self.session = ""
        made = self.call("POST", "", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/{made['sessionId']}"
        size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        self.command("Emulation.setDeviceMetricsOverride", **size)
        self.media(scheme=scheme)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.call("DELETE", "")

    def call(self, method, path, body=None):
        data = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(f"{self.address}/session{self.session}{path}", data, method=method)
        request.add_header("content-type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            said = json.load(error)["value"]
            raise BrowserError(f"{said['error']}: {said['message'].splitlines()[0]}") from None

    def command(self, name, **parameters):
        """A command of the Chrome DevTools Protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def media(self, scheme="light", forced="none"):
        features = [{"name": "prefers-color-scheme", "value": scheme}, {"name": "forced-colors", "value": forced}]
        self.command("Emulation.setEmulatedMedia", features=features)

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """The value of a script's `return`."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script):
        """The value that a script gives to `done`."""
        script = f"const done = arguments[arguments.length - 1];\n{script}"
        return self.call("POST", "/execute/async", {"script": script, "args": []})

    def until(self, script, what=None, seconds=120):
        """Waits until an expression is true in the page, and returns its value."""
        return until(lambda: self.run(f"return {script}"), what or script, seconds)

    def find(self, selector):
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        return found[ELEMENT]

    def click(self, selector):
        """Clicks an element. One that the page has replaced since it was found is found again, a few times."""
        for turn in range(5):
            try:
                return self.call("POST", f"/element/{self.find(selector)}/click")
            except BrowserError as error:
                if turn == 4 or not str(error).startswith("stale element reference"):
                    raise

    def type(self, selector, text):
        """Replaces the content of a field."""
        element = self.find(selector)
        self.call("POST", f"/element/{element}/clear")
        self.call("POST", f"/element/{element}/value", {"text": text})

    def keys(self, *names):
        """Presses keys one after the other; `Shift+Tab` holds the first."""
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": key_actions(names)}]})

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def logs(self):
        """The messages of the console since the last call."""
        return self.call("POST", "/se/log", {"type": "browser"})

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def accessibility(self):
        """The nodes of the accessibility tree that a screen reader gets."""
        nodes = self.command("Accessibility.getFullAXTree")["nodes"]
        return [node for node in nodes if not node.get("ignored")]
