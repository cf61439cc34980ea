"""Simulators that run for a check, and senders to them."""

import json
import subprocess
import urllib.error
import urllib.request

PATIENCE = 300  # seconds until something counts as hung


class Service:
    """A subcommand that serves a simulated service, as a process on a free port."""

    name = ""

    def __init__(self, binary, folder, *options, port=0):
        log = folder / f"{self.name}.log"
        self.log = open(log, "a", encoding="utf-8")
        self.process = subprocess.Popen(
            [str(binary), self.name, "--json", f"--port={port}", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True,
        )  # fmt: skip
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the service did not start: {log.read_text()}")
        self.ready = json.loads(line)
        self.url = self.ready["url"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self, kill=False):
        if kill:
            self.process.kill()
        else:
            self.process.terminate()
        self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.log.close()

    def call(self, method, path, body=None):
        """The JSON of an answer; None for one without a body. Events go on the path with sign-on."""
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        request = urllib.request.Request(self.url + path, data, method=method)
        request.add_header("content-type", "application/json")
        if path.startswith("/server/"):
            request.add_header("authorization", f"Bearer {self.ready['access-token']}")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.status} {error.read().decode()}") from None
        return json.loads(text) if text else None


class DecisionService(Service):
    """`apns personalization`."""

    name = "personalization"

    def decide(self, point, individual):
        body = {"context": {"individualId": individual}, "personalizationPoints": [{"name": point}]}
        return self.call("POST", "/personalization/decisions", body)["personalizations"][0]

    def send(self, number, kind, device, **members):
        event = {
            "eventId": f"00000000-0000-4000-8000-{number:012d}", "dateTime": "2026-05-08T09:15:30.120Z",
            "deviceId": device, "sessionId": "s-1", "eventType": kind, "channel": "mobile",
            "category": "Profile" if kind == "identity" else "Engagement", **members,
        }  # fmt: skip
        self.call("POST", f"/server/events/{self.ready['app-source-id']}", {"events": [event]})


class OptimizationService(Service):
    """`apns optimization`."""

    name = "optimization"

    def path(self, version, rest):
        return f"/{version}/organizations/{self.ready['client-id']}/environments/{self.ready['environment']}/{rest}"

    def event(self, number, kind, **members):
        time = "2026-05-08T09:15:30.120Z"
        return {
            "type": kind, "channel": "web", "messageId": f"00000000-0000-4000-8000-{number:012d}", "timestamp": time,
            "originalTimestamp": time, "sentAt": time, "context": {}, **members,
        }  # fmt: skip

    def send(self, profile, number, kind, **members):
        body = {"events": [self.event(number, kind, **members)]}
        return self.call("POST", self.path("v2", f"profiles/{profile}"), body)["data"]

    def report(self, profile, number, kind, **members):
        body = [{"profile": {"id": profile}, "events": [self.event(number, kind, **members)]}]
        self.call("POST", self.path("v1", "events"), body)


class Gateway:
    """`apns gateway`, as a process on free ports."""

    def __init__(self, binary, folder, *options, port=0, control_port=0):
        self.binary, self.folder, self.token = binary, folder, None
        self.log = open(folder / "gateway.log", "a", encoding="utf-8")
        command = [binary, "gateway", "--json", f"--port={port}", f"--control-port={control_port}", "--channel-port=0"]
        self.process = subprocess.Popen(
            [*map(str, command), f"--credentials={folder / 'certs'}", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, text=True,
        )  # fmt: skip
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the gateway did not start: {(folder / 'gateway.log').read_text()}")
        self.ready = json.loads(line)
        self.control = self.ready["control"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.log.close()

    def port(self, name):
        return int(self.ready[name].rsplit(":", 1)[1])

    def call(self, method, path, body=None):
        """The answer of the control API; None for one without a body."""
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        request = urllib.request.Request(self.control + path, data, method=method)
        if self.token:
            request.add_header("authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.status} {error.read().decode()}") from None
        return json.loads(text) if text else None

    @property
    def addressing(self):
        """The options of `apns` to send to it."""
        ready = self.ready
        return [
            f"--gateway={ready['gateway']}", f"--ca={ready['ca']}", f"--key={ready['key']}",
            f"--key-id={ready['key-id']}", f"--team-id={ready['team-id']}", f"--topic={ready['topic']}",
        ]  # fmt: skip

    def send(self, *envelopes):
        """Sends with the real command, without validation, and returns its results."""
        lines = "\n".join(json.dumps(envelope, ensure_ascii=False) for envelope in envelopes)
        command = [self.binary, "send", *self.addressing, "--batch=-", "--skip-validation", "--json"]
        done = subprocess.run(
            list(map(str, command)), input=lines + "\n", capture_output=True, text=True, timeout=PATIENCE
        )
        results = [json.loads(line) for line in done.stdout.splitlines()]
        if len(results) != len(envelopes):
            raise RuntimeError(f"apns send gave {len(results)} results for {len(envelopes)}: {done.stderr}")
        return results

    def flood(self, count):
        """Starts to send as fast as possible; returns the process."""
        command = [self.binary, "bench", *self.addressing, f"--count={count}", "--warm-up=1", "--timeout=300"]
        return subprocess.Popen(
            list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
