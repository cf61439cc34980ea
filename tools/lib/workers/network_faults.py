"""Scenarios with a network between the workers and the rest."""

import time

from .engines import Fault, Postgres, Redis
from .lab import Worker
from .network import HERE, Network
from .scenario import scenarios
from .stops import SHORT_LEASE

TOKEN = "a-token-of-the-check"
LOSS, ROUND_TRIP = 0.01, 0.2


class FarRedis(Redis):
    def __init__(self, folder):
        self.network = Network()
        super().__init__(folder, host=HERE)

    def drop_clients(self):
        self.cli("CLIENT", "KILL", "TYPE", "normal")

    def stop(self):
        super().stop()
        self.network.stop()


class FarPostgres(Postgres):
    def __init__(self, folder):
        self.network = Network()
        super().__init__(folder, host=HERE)
        # This server has no certificate.
        self.url += "?sslmode=disable"

    def drop_clients(self):
        self.make("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")

    def stop(self):
        super().stop()
        self.network.stop()


def reachable(folder, binary):
    return [f"--host={HERE}", f"--name={HERE}", f"--control-token={TOKEN}"]


@scenarios.add(redis=FarRedis, postgres=FarPostgres, gateway=reachable, isolated=True)
def network(check):
    """Workers reach engine and gateway over a network that needs 200 ms for a round trip and loses 1 % of the packets; then it is cut for
    longer than a lease; then it is cut while the engine ends all connections, so that they are half-open. Nothing is lost; no more is
    double than is counted."""
    check.gateway.token = TOKEN
    check.lease = SHORT_LEASE
    line = check.engine.network
    workers = [Worker(check, "--timeout=5", prefix=line.inside, waits=False) for _ in range(2)]
    rounds = []

    def send(prepare, *steps):
        prepare()
        start = time.monotonic()
        check.enqueue(check.pushes // 3, 10)
        for pause, step in steps:
            time.sleep(pause)
            step()
        check.wait_until_empty(hurry=True)
        rounds.append(time.monotonic() - start)

    def spoil():
        line.delay, line.loss = ROUND_TRIP / 2, LOSS

    def heal():
        line.delay, line.loss, line.is_cut = 0.005, 0.0, False

    def cut():
        line.is_cut = True

    send(spoil)
    lost = line.lost
    send(heal, (0.15, cut), (check.lease + 4, heal))
    send(heal, (0.15, cut), (0.1, check.engine.drop_clients), (2, heal))
    if line.lost == 0 or lost == 0:
        raise Fault("the network lost no packet")
    counted = check.end_workers(workers, 10)
    check.result(
        "network", counted,
        also=f"{rounds[0]:.1f} s with 200 ms and 1 % loss, {rounds[1]:.1f} s with a cut of {check.lease + 4} s, {rounds[2]:.1f} s half-open;"
        f" {line.lost} of {line.passed + line.lost} packets lost")  # fmt: skip
