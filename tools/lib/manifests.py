"""Checks docs/kubernetes/worker.yaml: its form, and that its parts agree with each other and with the command.

What belongs to Kubernetes is checked by kubernetes-validate. The forms of KEDA's ScaledObject and of the Prometheus operator's
PodMonitor are written down here, as far as the file uses them: a key that is not known is a fault.
"""

import importlib
import re
import subprocess
import tempfile
from pathlib import Path

import from_pypi

FILE = from_pypi.ROOT / "docs/kubernetes/worker.yaml"
METRICS = from_pypi.ROOT / "Sources/Command/apns/Worker/Port/WorkerMetrics.swift"


def members(required, **optional):
    names = {**required, **optional}
    return {"type": "object", "required": list(required), "properties": names, "additionalProperties": False}


TEXT, COUNT = {"type": "string", "minLength": 1}, {"type": "integer", "minimum": 0}
TEXTS = {"type": "object", "additionalProperties": TEXT}
LENGTH = {"type": "string", "pattern": "^([0-9]+(ms|s|m|h))+$"}
FORMS = {
    ("keda.sh/v1alpha1", "ScaledObject"): members(
        {
            "scaleTargetRef": members({"name": TEXT}, kind=TEXT, apiVersion=TEXT, envSourceContainerName=TEXT),
            "triggers": {"type": "array", "minItems": 1, "items": members(
                {"type": {"const": "prometheus"}, "metadata": {
                    **TEXTS, "required": ["serverAddress", "query", "threshold"], "properties": {
                        "threshold": {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?$"}}}},
                name=TEXT, useCachedMetrics={"type": "boolean"}, metricType={"enum": ["AverageValue", "Value"]},
                authenticationRef=members({"name": TEXT}, kind=TEXT))},
        },
        pollingInterval=COUNT, cooldownPeriod=COUNT, initialCooldownPeriod=COUNT, idleReplicaCount=COUNT, minReplicaCount=COUNT,
        maxReplicaCount=COUNT, fallback=members({"failureThreshold": COUNT, "replicas": COUNT})),
    ("monitoring.coreos.com/v1", "PodMonitor"): members(
        {
            "selector": members({}, matchLabels=TEXTS),
            "podMetricsEndpoints": {"type": "array", "minItems": 1, "items": members(
                {"port": TEXT}, path=TEXT, interval=LENGTH, scrapeTimeout=LENGTH, scheme={"enum": ["http", "https"]})},
        },
        namespaceSelector=members({}, any={"type": "boolean"}, matchNames={"type": "array", "items": TEXT}), jobLabel=TEXT),
}  # fmt: skip


def faults(binary):
    """What is wrong with the file, a sentence each."""
    yaml = importlib.import_module("ruamel.yaml").YAML(typ="safe")
    parts = {part["kind"]: part for part in yaml.load_all(FILE)}
    validator = importlib.import_module("jsonschema").Draft202012Validator
    if set(parts) != {"Deployment", "ScaledObject", "PodMonitor"}:
        return [f"it has {sorted(parts)}"]
    found = []
    for (version, kind), form in FORMS.items():
        part = parts[kind]
        if part["apiVersion"] != version:
            found.append(f"{kind} has the version {part['apiVersion']}, not {version}")
        found += [f"{kind} {'.'.join(map(str, error.absolute_path))}: {error.message}" for error in validator(form).iter_errors(part["spec"])]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        # Only what belongs to Kubernetes itself: the schemas know no other.
        file.write(FILE.read_text().split("\n---\n")[0])
        file.flush()
        done = from_pypi.run(from_pypi.program("kubernetes-validate"), "--strict", file.name)
    if done.returncode != 0:
        found.append((done.stdout + done.stderr).strip())
    return found + disagreements(parts, binary)


def disagreements(parts, binary):
    deployment, scaled, monitor = parts["Deployment"], parts["ScaledObject"], parts["PodMonitor"]
    pod = deployment["spec"]["template"]
    container = pod["spec"]["containers"][0]
    found = []
    if deployment["spec"]["selector"]["matchLabels"] != pod["metadata"]["labels"]:
        found.append("the selector of the Deployment does not match its pods")
    if monitor["spec"]["selector"]["matchLabels"] != pod["metadata"]["labels"]:
        found.append("the PodMonitor does not select the pods")
    if scaled["spec"]["scaleTargetRef"]["name"] != deployment["metadata"]["name"] or "replicas" in deployment["spec"]:
        found.append("the ScaledObject does not decide how many replicas the Deployment has")
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    words = container["args"]
    if ports.get(monitor["spec"]["podMetricsEndpoints"][0]["port"]) != int(words[words.index("--port") + 1]):
        found.append("the PodMonitor does not read the port of --port")
    drain = int(words[words.index("--drain") + 1].removesuffix("s"))
    if pod["spec"]["terminationGracePeriodSeconds"] < drain + 10:
        found.append("terminationGracePeriodSeconds is not ten seconds longer than --drain")
    for metric in re.findall(r"apns_worker_(\w+)", scaled["spec"]["triggers"][0]["metadata"]["query"]):
        if f'"{metric}"' not in METRICS.read_text():
            found.append(f"a worker has no metric apns_worker_{metric}")
    variables = {entry["name"] for entry in container["env"]}
    unset = set(re.findall(r"\$\((\w+)\)", " ".join(words))) - variables
    if unset:
        found.append(f"the variables {sorted(unset)} are not set")
    # Bad options have the status 64. There is no key here, which has 2.
    words = [re.sub(r"\$\((\w+)\)", r"\1", word).replace("/keys/", "/nowhere/") for word in words]
    done = subprocess.run(
        [binary, *words], env={"APNS_QUEUE": "redis://127.0.0.1:1/0"}, capture_output=True, text=True, timeout=60, check=False)  # fmt: skip
    if done.returncode != 2 or "/nowhere/AuthKey.p8" not in done.stderr:
        found.append(f"the command does not take the options: status {done.returncode}, {done.stderr.strip()}")
    return found
