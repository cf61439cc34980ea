"""Scenarios in which the gateway refuses, is slow, loses connections, or is given what nobody can send."""

import json
import signal
import statistics
import subprocess
import time

from .engines import Fault, wait
from .lab import Worker, percentile, seconds
from .scenario import scenarios
from .stops import SHORT_LEASE

# Effects of docs/faults.md, and how many requests each hits.
EFFECTS = [
    ({"refuse": {"status": 503, "reason": "ServiceUnavailable"}}, 20),
    ({"refuse": {"status": 500, "reason": "InternalServerError"}}, 20),
    ({"refuse": {"status": 410, "reason": "Unregistered"}}, 5),
    ({"refuse": {"status": 400, "reason": "BadDeviceToken"}}, 5),
    ({"refuse": {"status": 403, "reason": "InvalidProviderToken"}}, 1),
    ({"refuse": {"status": 503, "reason": "Shutdown", "max-concurrent-streams": 1}}, 1),
    ({"delay": "1s"}, 20),
    ({"delay": "never"}, 3),
    ({"silence": True}, 3),
    ({"silence": "after"}, 3),
    ({"slow-body": "1s"}, 5),
    ({"reset": 7}, 5),
    ({"reset": {"code": 7, "after": True}}, 5),
    ({"reset": 2}, 5),
    ({"goaway": {"reason": "Shutdown"}}, 2),
    ({"goaway": {"last-stream": "previous"}}, 2),
    ({"goaway": {"last-stream": "all", "twice": True}}, 2),
    ({"goaway": {"close": False}}, 2),
    ({"goaway": {"close": "now"}}, 2),
    ({"goaway": {"code": 11, "reason": "Shutdown"}}, 1),
    ({"disconnect": True}, 2),
    ({"disconnect": "after"}, 2),
    ({"disconnect": {"reset": True, "after": False}}, 2),
    ({"half-open": True}, 1),
    ({"half-open": "after"}, 1),
    ({"max-concurrent-streams": 1}, 1),
    ({"window": {"bytes": 0, "for": "1s"}}, 1),
    ({"window": {"bytes": 10, "for": "1s"}}, 1),
    ({"lose": True}, 5),
    ({"duplicate": 2}, 5),
    ({"offline": True}, 5),
    ({"uninstall": "never"}, 5),
]
# It rests the device for half a minute, whatever is retried by hand.
SLOW_EFFECTS = [({"refuse": {"status": 429, "reason": "TooManyRequests"}}, 5)]


@scenarios.add()
def gateway(check):
    """Each fault of docs/faults.md, one after the other; what would be sent in minutes is retried by hand. Nothing is lost: a push
    arrives, or its device token is in the feedback. No more is double than was sent again without knowing."""
    check.lease = SHORT_LEASE
    counted = 0
    effects = EFFECTS + ([] if check.options.short else SLOW_EFFECTS)
    slowest = (0, "")
    for effect, count in effects:
        start = time.monotonic()
        # One of its own for each: after several connections that were lost a sender waits longer with each.
        worker = Worker(check, "--timeout=3")
        # The rule may meet a connection of its own: a limit on streams stays until the connection ends.
        rules = [{"match": {}, "effect": effect, "count": count}]
        if "window" in effect or "max-concurrent-streams" in effect:
            rules = [{"match": {}, "effect": {"slow-accept": "500ms"}, "count": 1}, *rules]
        for rule in rules:
            match = {} if "slow-accept" in rule["effect"] else {"match": {}}
            check.gateway.call("POST", "/api/faults", {**match, **{name: rule[name] for name in ("effect", "count")}})
        check.enqueue(max(50, check.pushes // len(effects)), 10)
        if effect.get("refuse", {}).get("status") == 403:
            wait(lambda: worker.reported("tenant-paused"), "a pause of the tenant")
            worker.process.send_signal(signal.SIGHUP)
        try:
            check.wait_until_empty(hurry=True, limit=90)
        except Fault as fault:
            raise Fault(f"gateway {json.dumps(effect)}: {fault}") from None
        check.gateway.call("DELETE", "/api/faults")
        counted += worker.stop()["resent"]
        slowest = max(slowest, (time.monotonic() - start, json.dumps(effect)))
    gone = ("Unregistered", "BadDeviceToken")
    check.refused = {int(entry["token"], 16) for entry in check.journal("outcome=refused") if entry["reason"] in gone}
    told = {int(json.loads(line)["token"], 16) for line in check.call("feedback", "--json").splitlines()}
    if told != check.refused or not told:
        raise Fault(f"{len(check.refused)} device tokens were refused for good, and {len(told)} are in the feedback")
    check.result("gateway", counted, also=f"{len(effects)} faults, the slowest {slowest[1]} with {slowest[0]:.1f} s")


STREAMS, TIMEOUT = 20, 3
IN_FLIGHT = 1300  # pushes that a sender with one connection takes


def few_streams(folder, binary):
    (folder / "gateway.yaml").write_text(f"max-concurrent-streams: {STREAMS}\n")
    return [f"--config={folder / 'gateway.yaml'}"]


@scenarios.add(gateway=few_streams)
def slow(check):
    """A gateway with 20 streams answers each push after 100 ms, and far more wait than it can answer within --timeout. After the
    first that were late, they wait in the worker, and the breaker stays closed. Nothing is lost; double is at most what was sent again."""
    check.slow_gateway("100ms")
    # As many as are answered in ten times as long as each may wait.
    check.enqueue(STREAMS * 10 * TIMEOUT * 10, 10)
    worker = Worker(check, f"--timeout={TIMEOUT}")
    check.wait_until_empty()
    if "gateway-unreachable" in (check.folder / "workers.log").read_text(encoding="utf-8"):
        raise Fault("slow: a gateway that answers counts as unreachable")
    counts = worker.stop()
    late = counts["unsent"] + counts["unknown"]
    # Those that were handed over before the first late one was reported.
    if late > IN_FLIGHT + 100:
        raise Fault(f"slow: more pushes were late than a sender takes at once: {counts}")
    check.result("slow", counts["resent"], also=f"{late} late")


TENANTS = ["alpha", "beta", "gamma"]
RATE = 60  # pushes a second of each tenant


def three_keys(folder, binary):
    """The options of a gateway that knows a key for each tenant."""
    keys, apps = [], []
    for name in TENANTS:
        done = subprocess.run(
            [str(binary), "credentials", "--json", f"--output={folder / name}"], capture_output=True, text=True, check=True)  # fmt: skip
        facts = json.loads(done.stdout)
        (folder / f"{name}.json").write_text(done.stdout)
        keys.append({"file": facts["key"], "key-id": facts["key-id"], "team-id": facts["team-id"]})
        apps.append({"topic": f"com.example.{name}", "team-id": facts["team-id"]})
    # JSON is YAML.
    (folder / "gateway.yaml").write_text(json.dumps({"keys": keys, "apps": apps}))
    return [f"--config={folder / 'gateway.yaml'}"]


@scenarios.add(gateway=three_keys)
def tenants(check):
    """Three tenants, each with a key. The key of one is revoked while pushes of all go on: it pauses, and the others go on with a p99
    from enqueuing to acceptance of at most 1.2 times the one before. Its pushes arrive when it has the key again."""
    facts = {name: json.loads((check.folder / f"{name}.json").read_text()) for name in TENANTS}
    file = check.folder / "tenants.yaml"
    file.write_text(json.dumps({"tenants": [
        {"name": name, "key": fact["key"], "key-id": fact["key-id"], "team-id": fact["team-id"],
         "topic": f"com.example.{name}", "environment": "sandbox"}
        for name, fact in facts.items()]}))  # fmt: skip
    options = check.gateway.addressing
    check.tenants = [*options[:2], f"--tenants={file}"]
    worker = Worker(check)
    producer = check.engine.open_producer()

    def phase(length):
        """What is enqueued in this time, by device token: when and for whom."""
        begun, pushes = time.monotonic(), {}
        while time.monotonic() - begun < length:
            for name, envelope in zip(TENANTS, check.envelopes(len(TENANTS))):
                pushes[json.loads(envelope)["token"]] = (time.time(), name)
                producer.stdin.write(check.engine.produced(envelope, name))
                producer.stdin.flush()
            time.sleep(1 / RATE)
        return pushes

    def latencies(pushes):
        came = {entry["token"]: seconds(entry["received"]) for entry in check.journal("outcome=accepted")}
        return [came[token] - at for token, (at, name) in pushes.items() if token in came and name != TENANTS[2]]

    phase(1)
    victim = facts[TENANTS[2]]
    before, during = [], []
    for _ in range(2 if check.options.short else 5):
        before.append(phase(3))
        check.gateway.call("DELETE", f"/api/keys/{victim['key-id']}")
        phase(0.5)
        during.append(phase(3))
        if worker.metric('apns_worker_paused{tenant="gamma"}') != 1:
            raise Fault("the tenant whose key was revoked is not paused")
        public = subprocess.run(["openssl", "pkey", "-in", victim["key"], "-pubout"], capture_output=True, text=True, check=True)
        key = {"key-id": victim["key-id"], "team-id": victim["team-id"], "public-key": public.stdout}
        check.gateway.call("POST", "/api/keys", key)
        worker.process.send_signal(signal.SIGHUP)
        check.wait_until_empty(hurry=True, limit=60)
    producer.communicate()
    # Medians, because what else the machine does is in one phase and not in the other.
    figures = [
        statistics.median(percentile(latencies(pushes), 0.99) for pushes in phases) * 1000 for phases in (before, during)
    ]
    counted = check.end_workers([worker], 1)
    check.result("tenants", counted, also=f"p99 of the others {figures[0]:.1f} ms before and {figures[1]:.1f} ms meanwhile")
    # The journal has milliseconds.
    if figures[1] > 1.2 * figures[0] + 1:
        raise Fault(f"tenants: the p99 of the others was {figures[0]:.1f} ms, and {figures[1]:.1f} ms while one was revoked")


@scenarios.add()
def poison(check):
    """Jobs that nobody can send: without a body, with garbage, too many lines, a tenant that nobody knows, or delivered again and
    again. Each is a dead letter with a reason, what is good in them and beside them arrives, and no worker ends."""
    check.lease = SHORT_LEASE
    check.enqueue(check.pushes // 2, 10)
    wanted = check.engine.poison(json.loads(check.envelopes(1)[0]))
    check.losable.add(check.first - 1)
    mixed = check.envelopes(9)
    check.engine.produce("\n".join([*mixed[:4], "garbage", *mixed[4:]]))
    check.enqueue(check.pushes - check.pushes // 2, 10)
    workers = [Worker(check), Worker(check)]
    check.wait_until_empty()
    dead = [json.loads(line) for line in check.call("dead", "--json").splitlines()]
    reasons = {}
    for entry in dead:
        reasons[entry["reason"]] = reasons.get(entry["reason"], 0) + 1
    if any(not entry["why"] for entry in dead):
        raise Fault(f"poison: a dead letter says nothing: {dead[:3]}")
    if any(worker.has_ended() for worker in workers):
        raise Fault("poison: a worker ended")
    counted = check.end_workers(workers, 10)
    check.result("poison", counted, dead=wanted + 1, also=", ".join(f"{count} {name}" for name, count in sorted(reasons.items())))
