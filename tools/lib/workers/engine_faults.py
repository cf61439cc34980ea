"""Scenarios in which the engine is killed, replaced, disturbed or full."""

import json
import os
import subprocess
import time

from .engines import Fault, LeftOut, Postgres, Redis, wait
from .lab import Background, Worker, seconds
from .scenario import scenarios
from .sentinel import WatchedRedis
from .stops import SHORT_LEASE


def two_in_flight(check, delay="200ms"):
    """Two workers with a short lease. The gateway answers late, so that each always has pushes in flight."""
    check.lease = SHORT_LEASE
    check.slow_gateway(delay)
    check.enqueue(check.pushes, 10)
    return [Worker(check), Worker(check)]


@scenarios.add()
def engine(check):
    """The engine is killed by SIGKILL and started again while workers run. Redis has appendfsync always. Nothing is lost; no more
    pushes are double than are in jobs that were delivered again, and those that were sent again."""
    # Few pushes are all in flight at once, and would be done before the first kill.
    workers = two_in_flight(check, "1s")
    met = 0
    for _ in range(3):
        time.sleep(0.5)
        met += check.status()["pending"] > 0
        check.engine.kill()
        time.sleep(0.5)
        check.engine.start()
    check.wait_until_empty()
    if met == 0:
        raise Fault("no job was pending when the engine was killed: give more --pushes")
    check.result("engine", check.end_workers(workers, 10), also=f"{met} of 3 kills met jobs that were pending")


class EverySecond(Redis):
    def __init__(self, folder):
        # Its file only grows, so that a size is a point in time.
        super().__init__(folder, "--auto-aof-rewrite-percentage", "0", fsync="everysec")


@scenarios.add(redis=EverySecond, postgres=None)
def everysec(check):
    """Redis has appendfsync everysec, is killed, and its file is cut to what it had a second before, as when the machine fails. No
    push is lost but those that were added in that second; no more are double than were sent since then or are counted."""
    check.lease = SHORT_LEASE
    check.slow_gateway("100ms")
    sizes, confirmed = [], []

    def sample():
        sizes.append((time.time(), check.engine.append_only_bytes()[1]))

    def produce():
        first = check.first
        # Nobody reads one of the lanes before the end, so that what is lost there was not sent either.
        check.enqueue(50, 5, "--lane", ("normal", "bulk")[len(confirmed) % 2])
        confirmed.append((time.time(), first, check.first))

    workers = [Worker(check, "--lane=normal=1"), Worker(check, "--lane=normal=1")]
    with Background(sample, 0.01), Background(produce, 0.02):
        time.sleep(4)
    killed = time.time()
    check.engine.kill()
    cut = killed - 1
    size = max(bytes for at, bytes in sizes if at <= cut)
    os.truncate(check.engine.append_only_bytes()[0], size)
    check.engine.start()
    for at, start, end in confirmed:
        if at > cut:
            check.losable.update(range(start, end))
    workers.append(Worker(check))
    check.wait_until_empty()
    counted = check.end_workers(workers, 5)
    sent = sum(1 for entry in check.journal("outcome=accepted") if cut - 0.5 <= seconds(entry["received"]) <= killed + 0.5)
    check.result("everysec", sent + counted, also=f"{len(check.losable)} were added in the second that was cut off")


@scenarios.add(redis=WatchedRedis, postgres=None)
def sentinel(check):
    """The master is killed and a sentinel makes its replica the master, while a producer adds jobs with WAIT. Nothing that was
    confirmed is lost; no more is double than was pending, or is counted."""
    workers = two_in_flight(check)
    failed = 0

    def produce():
        nonlocal failed
        first = check.first
        try:
            check.enqueue(20, 10)
        except Fault:
            failed += 1
            check.losable.update(range(first, check.first))

    with Background(produce, 0.1):
        time.sleep(1)
        held = check.status()["pending"]
        check.engine.kill()
        time.sleep(1)
        check.engine.start()
        time.sleep(1)
    check.wait_until_empty()
    check.result(
        "sentinel", held * 10 + check.end_workers(workers, 10), also=f"{failed} batches were not confirmed, {held} jobs were pending")  # fmt: skip


@scenarios.add(redis=None)
def backends(check):
    """The backends of PostgreSQL are terminated again and again. Nothing is lost; no more is double than is counted."""
    workers = two_in_flight(check)
    ended = 0

    def terminate():
        nonlocal ended
        ended += int(check.engine.make(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"))  # fmt: skip

    with Background(terminate, 0.2):
        time.sleep(3)
    check.wait_until_empty()
    if ended < 10:
        raise Fault(f"only {ended} backends were terminated")
    check.result("backends", check.end_workers(workers, 10), also=f"{ended} backends were terminated")


@scenarios.add(redis=None)
def transaction(check):
    """A transaction of somebody else stays open for --hold seconds, and another one has locked ten jobs. The other jobs are sent
    meanwhile, the ten after it. Nothing is lost, nothing is double."""
    check.enqueue(100, 10)
    old = check.engine.session("BEGIN ISOLATION LEVEL REPEATABLE READ;\nSELECT count(*) FROM push_job;")
    lock = check.engine.session("BEGIN;\nSELECT id FROM push_job ORDER BY id LIMIT 10 FOR UPDATE;")
    worker = Worker(check)
    rates = []
    end = time.monotonic() + check.options.hold
    while time.monotonic() < end or len(rates) < 2:
        start = time.monotonic()
        check.enqueue(check.pushes, 10)
        wait(lambda: check.status()["backlog"] + check.status()["pending"] <= 10, "all jobs but those that are locked")
        rates.append(check.pushes / (time.monotonic() - start))
        check.empty_journal()
    if check.status()["backlog"] != 10:
        raise Fault("jobs were sent that somebody had locked")
    dead = check.engine.make("SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = 'push_job'")
    for session in (old, lock):
        session.communicate("ROLLBACK;\n")
    check.wait_until_empty()
    check.end_workers([worker], 10)
    if min(rates) < max(rates) / 10:
        raise Fault(f"the rate fell from {max(rates):.0f} to {min(rates):.0f} pushes a second")
    check.result(
        "transaction", 0,
        also=f"{rates[0]:.0f} pushes a second in the first round, {rates[-1]:.0f} in the last of {len(rates)}; {dead} dead rows")  # fmt: skip


class SmallPostgres(Postgres):
    """Its tables are in a file system of 24 MB."""

    def __init__(self, folder):
        super().__init__(folder)
        small = folder / "small"
        small.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(small)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            super().stop()
            raise LeftOut(f"mount: {done.stderr.strip()}")
        (small / "tables").mkdir()
        subprocess.run(["chown", "-R", "postgres", str(small)], check=True)
        self.make(f"CREATE TABLESPACE small LOCATION '{small / 'tables'}'")
        self.make("ALTER DATABASE postgres SET default_tablespace = small")

    def stop(self):
        super().stop()
        subprocess.run(["umount", str(self.top / "small")], check=True)


@scenarios.add(postgres=SmallPostgres, isolated=True)
def full(check):
    """The engine takes nothing more for four seconds: nothing can be enqueued, and no feedback be written. Then it does again.
    Nothing is lost, and each dead device token is in the feedback once; no more is double than is counted."""
    refusal = {"refuse": {"status": 410, "reason": "Unregistered"}}
    check.gateway.call("POST", "/api/faults", {"match": {}, "effect": refusal, "probability": 0.05})
    check.slow_gateway("200ms")
    check.enqueue(check.pushes, 10)
    worker = Worker(check)
    wait(lambda: check.status()["pending"] > 0, "a worker with jobs")
    with check.engine.filled():
        time.sleep(4)
        # Many, because a little may still fit.
        said = check.try_call("enqueue", "--batch=-", "--chunk=100", text="\n".join(check.envelopes(20_000)))
        check.losable.update(range(check.pushes, check.first))
        if said.returncode != 2 or "full" not in said.stderr:
            raise Fault(f"apns worker enqueue into a full engine: status {said.returncode}, {said.stderr.strip()}")
        settled = worker.metric("apns_worker_jobs_total")
        if worker.has_ended():
            raise Fault("the worker ended while the engine was full")
    check.wait_until_empty()
    check.refused = {int(entry["token"], 16) for entry in check.journal("outcome=refused")}
    told = [json.loads(line)["token"] for line in check.call("feedback", "--json").splitlines()]
    missing = check.refused - {int(token, 16) for token in told}
    if missing:
        raise Fault(f"{len(missing)} dead device tokens are not in the feedback")
    counted = check.end_workers([worker], 10)
    if len(told) > len(check.refused) + counted:
        raise Fault(f"{len(told)} lines of feedback for {len(check.refused)} dead device tokens")
    check.result("full", counted, also=f"{settled:.0f} jobs were settled while it was full, {len(told)} dead device tokens")
