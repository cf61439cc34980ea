"""Scenarios that stop, kill and pause workers."""

import random
import signal
import time

from .engines import Fault, wait
from .lab import Worker
from .scenario import scenarios

SHORT_LEASE = 4  # seconds, where jobs of a worker that is gone have to come again


@scenarios.add()
def rolling(check):
    """Twenty workers are stopped by SIGTERM and replaced, one after the other. Nothing is lost, nothing is double."""
    check.enqueue(check.pushes, 10)
    # So slow that each of them gets something to send.
    limit = f"--rate={max(10, check.pushes // 15)}"
    workers = [Worker(check, limit), Worker(check, limit)]
    for _ in range(18):
        time.sleep(0.3)
        workers.append(Worker(check, limit))
        workers.pop(0).stop()
    check.wait_until_empty()
    check.end_workers(workers, 10)
    check.result("rolling", 0)


@scenarios.add()
def kills(check):
    """Three workers, of which one is killed by SIGKILL again and again until the queue is empty. Nothing is lost; no more pushes
    are double than are in the jobs that the engine held for those that were killed."""
    check.lease = SHORT_LEASE
    check.slow_gateway("400ms")
    check.enqueue(check.pushes, 5)
    # So slow that some are killed before the queue is empty, also where there are few pushes.
    limit = f"--rate={max(10, check.pushes // 8)}"
    workers = [Worker(check, limit) for _ in range(3)]
    doubts = killed = 0
    while not check.is_empty():
        time.sleep(random.uniform(0.75, 1.25) * check.options.every)
        victim = max(workers, key=check.pending)
        # It does nothing more while what it holds is counted.
        victim.process.send_signal(signal.SIGSTOP)
        held = check.pending(victim)
        if held == 0:
            victim.process.send_signal(signal.SIGCONT)
            continue
        victim.kill()
        doubts += held * 5
        killed += 1
        workers.remove(victim)
        workers.append(Worker(check, limit))
    if killed == 0:
        raise Fault("no worker had a job when it was to be killed: give more --pushes")
    resent = sum(worker.stop()["resent"] for worker in workers)
    check.result("kills", doubts + resent, also=f"{killed} workers with jobs were killed")


@scenarios.add()
def paused(check):
    """A worker is stopped by SIGSTOP for longer than its lease, and goes on. Nothing is lost; no more pushes are double than are
    in the jobs that were delivered again, and those that were sent again."""
    check.lease = SHORT_LEASE
    check.slow_gateway("400ms")
    check.enqueue(check.pushes, 5)
    workers = [Worker(check), Worker(check)]
    wait(lambda: check.pending(workers[0]) > 0, "a worker with jobs")
    workers[0].process.send_signal(signal.SIGSTOP)
    held = check.pending(workers[0])
    time.sleep(check.lease + 3)
    workers[0].process.send_signal(signal.SIGCONT)
    check.wait_until_empty()
    if held == 0:
        raise Fault("the worker had no job when it was stopped: give more --pushes")
    check.result("paused", check.end_workers(workers, 5), also=f"{held} jobs were with the worker that was stopped")
