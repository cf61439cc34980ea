"""A network of two hosts whose packets this process passes on: it delays, loses and keeps them as a scenario asks.

The other host is a network namespace. Each end is a TUN device, so it needs Linux and the rights of root; the check itself has to be
in a network namespace of its own, because the device gets an address there.
"""

import contextlib
import fcntl
import os
import random
import select
import struct
import subprocess
import threading
import time
from collections import deque

from .engines import LeftOut

HERE, THERE = "10.99.0.1", "10.99.0.2"
PACKET = 1500
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000


def ip(*words):
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise LeftOut(f"ip {' '.join(words)}: {done.stderr.strip()}")


def tun(name):
    try:
        device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        raise LeftOut(f"/dev/net/tun: {error.strerror}") from None
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return device


class Network:
    """From here to the other host and back. `inside` are the words before a command that runs there."""

    def __init__(self):
        self.delay, self.loss, self.is_cut = 0.0, 0.0, False
        self.random = random.Random(7)
        self.passed = self.lost = 0
        self.over = threading.Event()
        # Its only work is to keep the namespace.
        self.host = subprocess.Popen(["unshare", "--net", "sh", "-c", "ip link set lo up; echo; exec sleep 3600"], stdout=subprocess.PIPE)
        self.host.stdout.readline()
        self.inside = ["nsenter", f"--net=/proc/{self.host.pid}/ns/net"]
        self.ends = [tun("here"), tun("there")]
        ip("address", "add", f"{HERE}/30", "dev", "here")
        ip("link", "set", "here", "up")
        ip("link", "set", "there", "netns", str(self.host.pid))
        for words in (["address", "add", f"{THERE}/30", "dev", "there"], ["link", "set", "there", "up"]):
            subprocess.run([*self.inside, "ip", *words], check=True)
        self.thread = threading.Thread(target=self.forward, daemon=True)
        self.thread.start()

    def forward(self):
        under_way = deque()
        while not self.over.is_set():
            wait = 0.05 if not under_way else max(0, min(0.05, under_way[0][0] - time.monotonic()))
            ready, _, _ = select.select(self.ends, [], [], wait)
            for end in ready:
                self.read(end, under_way)
            while under_way and under_way[0][0] <= time.monotonic():
                _, end, packet = under_way.popleft()
                with contextlib.suppress(OSError):
                    os.write(end, packet)

    def read(self, end, under_way):
        other = self.ends[1] if end == self.ends[0] else self.ends[0]
        for _ in range(64):
            try:
                packet = os.read(end, 65536)
            except OSError:
                return
            if self.is_cut or self.random.random() < self.loss:
                self.lost += 1
                continue
            self.passed += 1
            under_way.append((time.monotonic() + self.delay, other, packet))

    def stop(self):
        self.over.set()
        self.thread.join(5)
        for end in self.ends:
            os.close(end)
        self.host.kill()
        self.host.wait()
