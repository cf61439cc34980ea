"""Shared by tools/bench/compare, gateway, growth and stress: building, servers, and measuring one process."""

import json
import os
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, ".build-bench")
SERVER_CORE, CLIENT_CORE = 0, 1
PAYLOAD_BYTES = 170
DEVICE_TOKENS = 1000
LONGEST_RUN = 300  # seconds
APNS_ID = "8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162"


def say(text):
    print(text, file=sys.stderr, flush=True)


def give_up(text):
    """Ends with status 2: the work could not be done."""
    say(text)
    sys.exit(2)


def check_machine():
    if not hasattr(os, "sched_setaffinity"):
        give_up("This needs Linux: elsewhere a process cannot be pinned to a core.")
    cores = os.sched_getaffinity(0)
    if not {SERVER_CORE, CLIENT_CORE} <= cores:
        give_up("Two cores are needed, one for the client and one for the server.")
    load = os.getloadavg()[0]
    if load > 0.5:
        say(f"WARNING: this machine is busy (load {load:.2f}); what is measured now is not worth much.")


def machine():
    """The processor, the number of cores and the kernel, in a line."""
    model = "unknown processor"
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return f"{model}, {os.cpu_count()} cores, Linux {os.uname().release}"


# As in swift_build of tools/lib/setup.sh: without it, every second build compiles everything again.
BUILD_ENVIRONMENT = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}


def build(products, binary_folder):
    """The folder with the release binaries, built unless one is given."""
    if binary_folder:
        folder = os.path.abspath(binary_folder)
    else:
        scratch = os.path.join(FOLDER, "swift")
        for product in products:
            say(f"Building {product} ...")
            command = [
                "swift", "build", "-c", "release", "--package-path", ROOT, "--scratch-path", scratch,
                "--product", product]
            if subprocess.run(command, stdout=sys.stderr, env=BUILD_ENVIRONMENT).returncode != 0:
                give_up(f"{product} could not be built.")
        folder = os.path.join(scratch, "release")
    for product in products:
        if not os.access(os.path.join(folder, product), os.X_OK):
            give_up(f"{folder} has no program {product}.")
    return folder


def environment():
    """The environment without the variables that would replace options."""
    return {name: value for name, value in os.environ.items() if not name.startswith("APNS_")}


class Credentials:
    """The development credentials in .build-bench/credentials, which the gateway and all senders use."""

    def __init__(self, binaries):
        self.folder = os.path.join(FOLDER, "credentials")
        command = [os.path.join(binaries, "apns"), "credentials", "--json", "--output", self.folder]
        answer = subprocess.run(command, capture_output=True, text=True, env=environment())
        if answer.returncode != 0:
            give_up(f"There are no credentials: {answer.stderr.strip()}")
        facts = json.loads(answer.stdout)
        self.ca, self.key = facts["ca"], facts["key"]
        self.key_id, self.team_id, self.topic = facts["key-id"], facts["team-id"], facts["topic"]
        self.certificate = os.path.join(self.folder, "server.pem")
        self.certificate_key = os.path.join(self.folder, "server.key")
        command = [
            os.path.join(binaries, "apns"), "token", "make", "--key", self.key, "--key-id", self.key_id,
            "--team-id", self.team_id]
        answer = subprocess.run(command, capture_output=True, text=True, env=environment())
        if answer.returncode != 0:
            give_up(f"No provider token can be made: {answer.stderr.strip()}")
        self.authorization = "bearer " + answer.stdout.strip()

    def options(self):
        return [
            "--ca", self.ca, "--key", self.key, "--key-id", self.key_id, "--team-id", self.team_id,
            "--topic", self.topic]


def write_payload():
    """A valid silent payload of PAYLOAD_BYTES bytes, the one that `apns bench` sends."""
    start, end = '{"aps":{"content-available":1},"filler":"', '"}'
    path = os.path.join(FOLDER, "payload.json")
    with open(path, "w") as file:
        file.write(start + "x" * (PAYLOAD_BYTES - len(start) - len(end)) + end)
    return path


def write_hints(count):
    """A file of so many envelopes, each with another device token and another changed account, as `apns send --hint` makes."""
    path = os.path.join(FOLDER, f"hints-{count}.ndjson")
    if os.path.exists(path):
        return path
    letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    suffixes = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"
    fields = ("Name", "Owner", "Type", "Phone", "Rating", "Industry")
    generator = random.Random(count)

    def record(number):
        short = ""
        for _ in range(7):
            number, digit = divmod(number, 62)
            short = letters[digit] + short
        short = "001xx000" + short
        groups = (short[0:5], short[5:10], short[10:15])
        return short + "".join(
            suffixes[sum(1 << place for place, letter in enumerate(group) if letter.isupper())] for group in groups)

    with open(path + ".part", "w") as file:
        for number in range(count):
            changed = f"{fields[number % 6]}, {fields[(number + 1 + number // 6 % 5) % 6]}"
            file.write(
                f'{{"token":"{generator.getrandbits(256):064x}","apns-push-type":"background","apns-priority":5,'
                f'"apns-expiration":0,"payload":{{"aps":{{"content-available":1}},"type":"ACCOUNT_UPDATE",'
                f'"accountId":"{record(number * 7919)}","changedFields":"{changed}"}}}}\n')
    os.rename(path + ".part", path)
    return path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def busy_seconds():
    """CPU that all processes of the machine have spent on the two cores."""
    total = 0
    with open("/proc/stat") as file:
        for line in file:
            name, *ticks = line.split()
            if name in (f"cpu{SERVER_CORE}", f"cpu{CLIENT_CORE}"):
                user, nice, system, _, _, irq, softirq, steal = (int(tick) for tick in ticks[:8])
                total += user + nice + system + irq + softirq + steal
    return total / os.sysconf("SC_CLK_TCK")


def on_core(core, alone=False):
    """The first thing that a child process does: pin itself to one core (or to a set of them), on request with a priority above
    threads of the kernel.

    A pinned process of the ordinary class still loses its core to work of the kernel (reclaiming memory, writing files) for
    milliseconds at a time. In a real-time class it keeps the core, as on a machine with a spare one.
    """
    def prepare():
        os.sched_setaffinity(0, core if isinstance(core, set) else {core})
        if alone:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    return prepare


def may_be_alone():
    """Whether this process may put its children in a real-time class: root may."""
    try:
        return subprocess.run(["true"], preexec_fn=on_core(CLIENT_CORE, alone=True)).returncode == 0
    except (subprocess.SubprocessError, PermissionError):
        return False


def memory(pid, field="VmRSS"):
    """Memory of one process in bytes; VmRSS is resident now, VmHWM the peak. 0 when it has ended."""
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith(field + ":"):
                    return int(line.split()[1]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0


class Server:
    """A server that runs pinned to its core until `stop`."""

    def __init__(self, command, ready=None, port=None, folder=None, errors=subprocess.DEVNULL, alone=False,
                 core=SERVER_CORE, variables=None):
        """ready: returns the port from the first line of stdout; without it `port` is tried until it answers."""
        self.name = os.path.basename(command[0])
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if ready else subprocess.DEVNULL,
            stderr=errors, text=True, env=environment() | (variables or {}), cwd=folder, preexec_fn=on_core(core, alone))
        if ready:
            line = self.process.stdout.readline()
            if not line:
                give_up(f"{self.name} did not start.")
            self.ready = line
            self.port = ready(line)
        else:
            self.port = port
            for _ in range(100):
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    return
                except OSError:
                    time.sleep(0.05)
            self.stop()
            give_up(f"{self.name} did not start.")

    @property
    def url(self):
        return f"https://127.0.0.1:{self.port}"

    def cpu(self):
        """Seconds of CPU so far, to the nanosecond, of the running threads. Servers here keep their threads."""
        total = 0
        tasks = f"/proc/{self.process.pid}/task"
        for task in os.listdir(tasks):
            try:
                with open(f"{tasks}/{task}/schedstat") as file:
                    total += int(file.read().split()[0])
            except (FileNotFoundError, ProcessLookupError):
                pass
        return total / 1e9

    def memory(self, field="VmRSS"):
        return memory(self.process.pid, field)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Run:
    """One run of a client to its end: wall time, CPU and peak memory, and what the server spent meanwhile."""

    def __init__(self, command, server, alone=False, core=CLIENT_CORE, to_file=False, threads=False):
        """to_file: stdout goes to a file, because it has a line for each notification. threads: `busiest` is measured."""
        self.command = command
        self.thread_cpu = {}
        server_cpu, busy = server.cpu(), busy_seconds()
        with open(os.path.join(FOLDER, "stderr.txt"), "w+") as errors, \
                open(os.path.join(FOLDER, "stdout.txt"), "w") as file:
            start = time.monotonic()
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=file if to_file else subprocess.PIPE, stderr=errors,
                env=environment(), cwd=FOLDER, preexec_fn=on_core(core, alone))
            timer = threading.Timer(LONGEST_RUN, process.kill)
            timer.start()
            if threads:
                threading.Thread(target=self.watch_threads, args=(process.pid,), daemon=True).start()
            self.output = "" if to_file else process.stdout.read().decode(errors="replace")
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.monotonic() - start
            timer.cancel()
            if process.stdout:
                process.stdout.close()
            process.returncode = self.status = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            self.errors = errors.read()
        self.server_cpu = server.cpu() - server_cpu
        self.cpu = usage.ru_utime + usage.ru_stime
        # The share of a core that other processes took meanwhile, including steal by the host of the machine.
        self.others = max(0, busy_seconds() - busy - self.cpu - self.server_cpu) / self.wall
        self.peak_memory = usage.ru_maxrss * 1024

    def watch_threads(self, pid):
        """Notes the CPU of each thread until the process ends."""
        while True:
            try:
                for task in os.listdir(f"/proc/{pid}/task"):
                    with open(f"/proc/{pid}/task/{task}/schedstat") as file:
                        self.thread_cpu[task] = int(file.read().split()[0]) / 1e9
            except OSError:  # a thread has ended, or the process
                if not os.path.exists(f"/proc/{pid}/task"):
                    return
            time.sleep(0.02)

    @property
    def busiest(self):
        """Seconds of CPU of the thread that had the most, up to about 20 ms before the end."""
        return max(self.thread_cpu.values(), default=0)

    def fault(self):
        """Why the run does not count; nothing if it does."""
        if self.status != 0:
            last = (self.errors.strip() or self.output.strip()).splitlines()[-1:]
            return f"{os.path.basename(self.command[0])} ended with status {self.status}: {' '.join(last)}"
        return None


class Missing(Exception):
    """The tool of a row is not installed."""


class Row:
    """One line of the table."""

    def __init__(self, name, title, group, long, short, command, check=None, reference=None, core=CLIENT_CORE,
                 to_file=False):
        self.to_file = to_file
        self.name, self.title, self.group = name, title, group
        self.long, self.short = long, short
        self.command, self.check, self.reference = command, check, reference
        self.core = core
        self.rounds = []

    def measure(self, server, scale):
        """Adds a round; raises RuntimeError if a run failed."""
        counts = [max(100, int(count * scale)) for count in (self.short, self.long)]
        runs = []
        for count in counts:
            run = Run(self.command(count), server, core=self.core, to_file=self.to_file)
            fault = run.fault() or (self.check and self.check(run, count))
            if fault:
                raise RuntimeError(f"{self.name}: {fault}")
            runs.append(run)
        short, long = runs
        extra = counts[1] - counts[0]
        cpu = (long.server_cpu - short.server_cpu) if self.group == "gateway" else (long.cpu - short.cpu)
        self.rounds.append({
            "rate": extra / max(long.wall - short.wall, 1e-9),
            "cpu-microseconds": cpu / extra * 1e6,
            "server-cpu-microseconds": (long.server_cpu - short.server_cpu) / extra * 1e6,
            "peak-memory-bytes": server.memory("VmHWM") if self.group == "gateway" else long.peak_memory,
            "others": long.others,
        })

    def median(self, key):
        return median([entry[key] for entry in self.rounds])

    def ratio(self, key, rows):
        """The ratio to the reference, computed in each round; None without a reference."""
        other = rows.get(self.reference)
        if not other or not other.rounds or not self.rounds:
            return None
        return median([mine[key] / theirs[key] for mine, theirs in zip(self.rounds, other.rounds)])


def nghttpd(credentials):
    """nghttpd that serves the one small file /small."""
    documents = os.path.join(FOLDER, "documents")
    os.makedirs(documents, exist_ok=True)
    with open(os.path.join(documents, "small"), "w") as file:
        file.write("x" * 32 + "\n")
    port = free_port()
    return Server(
        [have("nghttpd"), "-n", "1", "-m", "1000", "-d", documents, str(port), credentials.certificate_key,
         credentials.certificate], port=port)


def h2load(url, name, credentials, payload, connections, streams=1000, path=None, headers=True):
    """The command for so many requests to `url()`, a function; without a path they go to DEVICE_TOKENS device tokens."""
    tool = have("h2load")
    if not tool:
        raise Missing("there is no h2load (Debian: nghttp2-client)")

    def command(count):
        uris = os.path.join(FOLDER, f"uris-{name}-{'device' if path is None else 'file'}.txt")
        with open(uris, "w") as file:
            if path is None:
                file.writelines(f"{url()}/3/device/{token}\n" for token in device_tokens())
            else:
                file.write(url() + path + "\n")
        arguments = [tool, "-n", str(count), "-c", str(connections), "-m", str(streams), "-i", uris]
        if headers:
            for header in (
                    f"authorization: {credentials.authorization}", f"apns-topic: {credentials.topic}",
                    "apns-push-type: background", f"apns-id: {APNS_ID}", "apns-priority: 5", "apns-expiration: 0"):
                arguments += ["-H", header]
        return arguments + (["-d", payload] if payload else [])
    return command


def device_tokens():
    return [f"{number + 1:064x}" for number in range(DEVICE_TOKENS)]


def check_h2load(run, count, permitted=0):
    match = re.search(r"status codes: (\d+) 2xx", run.output)
    good = int(match.group(1)) if match else 0
    if good >= count - permitted:
        return None
    return f"h2load: {good} of {count} requests were answered with 2xx"


def check_gateway(run, count, connections=1):
    # A token connection begins with one stream. h2load may send a hundred before it has read the limit, and 99 are reset.
    return check_h2load(run, count, permitted=99 * connections)


def warn_of_others(shares):
    """Warns if other processes affected the result. `shares` are those of all runs."""
    share = median(shares) if shares else 0
    if share > 0.1:
        print(f"\nWARNING: other processes took {share:.0%} of a core in the median run, so rates and latencies are "
              "worth little; CPU is the steadier figure.")


def median(values):
    return statistics.median(values)


def have(program):
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/local/sbin")
