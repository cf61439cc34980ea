"""A Redis with a replica, and a sentinel that makes the replica the master when the master is gone."""

import re
import subprocess

from .engines import Redis, free_port, listens, wait

MASTER = "push"


class WatchedRedis(Redis):
    """Calls of `cli` go to the server that is the master now."""

    def __init__(self, folder):
        for name in ("first", "second", "sentinel"):
            (folder / name).mkdir()
        self.first = Redis(folder / "first")
        self.second = Redis(folder / "second", "--replicaof", "127.0.0.1", str(self.first.port))
        self.watcher_port = free_port()
        # Redis writes into this file.
        file = folder / "sentinel" / "sentinel.conf"
        file.write_text(
            f"port {self.watcher_port}\nbind 127.0.0.1\ndir {folder / 'sentinel'}\n"
            f"sentinel monitor {MASTER} 127.0.0.1 {self.first.port} 1\n"
            f"sentinel down-after-milliseconds {MASTER} 1000\nsentinel failover-timeout {MASTER} 5000\n"
        )
        with open(folder / "sentinel.log", "a", encoding="utf-8") as log:
            self.watcher = subprocess.Popen(
                ["redis-sentinel", str(file)], stdin=subprocess.DEVNULL, stdout=log, stderr=log)  # fmt: skip
        wait(lambda: listens(self.watcher_port), "redis-sentinel")
        wait(lambda: "state=online" in self.first.info("slave0"), "the replica")
        wait(lambda: self.asked(f"SENTINEL REPLICAS {MASTER}"), "a sentinel that knows the replica")
        self.url = f"redis://127.0.0.1:{self.watcher_port}/0?sentinel={MASTER}&wait=1"

    def asked(self, question):
        done = subprocess.run(
            ["redis-cli", "-p", str(self.watcher_port), *question.split()], capture_output=True, text=True, check=False)  # fmt: skip
        return done.stdout.strip()

    @property
    def port(self):
        return int(re.findall(r"\d+", self.asked(f"SENTINEL GET-MASTER-ADDR-BY-NAME {MASTER}"))[-1])

    def kill(self):
        """The master is gone. It returns when the other one has its place."""
        first = self.first.port
        self.first.kill()
        wait(lambda: self.port != first, "a failover", pause=0.1)

    def start(self):
        """The former master is back, as a replica."""
        self.first.start()
        wait(lambda: "role:slave" in self.first.cli("INFO", "replication"), "a former master that follows")

    def stop(self):
        self.watcher.kill()
        self.watcher.wait()
        self.first.stop()
        self.second.stop()
