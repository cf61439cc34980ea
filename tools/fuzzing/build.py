#!/usr/bin/env python3
"""Builds the programs of tools/fuzz: each module once with coverage counters, then a program for each file of targets.

SwiftPM would build every package that some target needs. The fuzzed modules need none of them but Yams and Logging, so they are
compiled here, in the order of their imports.

usage: build.py FOLDER TARGET...
status: 0 built; 2 something could not be compiled
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TARGETS = os.path.join(ROOT, "tools", "fuzzing", "targets")
CHECKOUTS = os.path.join(ROOT, ".build", "checkouts")
YAMS = os.path.join(CHECKOUTS, "Yams", "Sources")

# Modules of other packages.
OUTSIDE = {"Yams": os.path.join(YAMS, "Yams"), "Logging": os.path.join(CHECKOUTS, "swift-log", "Sources", "Logging")}

# name: folder in Sources, or the one file of a module that needs no others; none for a module of another package. Imports come first.
MODULES = {
    "APNSModel": "Base/APNSModel", "PayloadJSON": "Base/PayloadJSON", "DER": "Base/DER", "SystemFiles": "Base/SystemFiles",
    "Yams": None, "ConfigurationText": "Base/ConfigurationText", "APNSPayload": "Payload/APNSPayload",
    "PayloadLint": "Payload/PayloadLint", "HTTP2Session": "Wire/HTTP2Session", "TLSSession": "Wire/TLSSession",
    "ProviderToken": "Sender/ProviderToken", "APNSProvider": "Sender/APNSProvider/Client/APNSGateway.swift",
    "Logging": None, "DevelopmentCredentials": "Gateway/DevelopmentCredentials", "GatewayCore": "Gateway/GatewayCore",
    "GatewayJSON": "Gateway/GatewayJSON", "GatewayConfiguration": "Gateway/GatewayConfiguration", "PushDispatch": "App/PushDispatch", "SelectiveSync": "App/SelectiveSync",
}

# What is compiled together with a target, because it is internal to a module that needs servers.
FILES = {
    "events": ["Sources/Gateway/DeviceSimulator/EventStreamParser.swift"],
    "yaml": ["Sources/Command/apns/Shared/Profiles/ProfileFile.swift"],
    "soql": [
        *("Sources/Backend/OrgSimulator/Org/" + name for name in (
            "OrgError.swift", "OrgObject.swift", "OrgRecord.swift", "OrgSettings.swift", "ServerDate+Org.swift")),
        *("Sources/Backend/OrgSimulator/Query/" + name for name in (
            "SOQLCondition.swift", "SOQLPattern.swift", "SOQLQuery.swift", "SOQLReader.swift", "SOQLToken.swift",
            "SOQLValue.swift")),
    ],
}

FLAGS = [
    "-swift-version", "6", "-O", "-wmo", "-parse-as-library", "-sanitize=fuzzer", "-package-name", "fuzzing",
    "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "InternalImportsByDefault",
    "-enable-upcoming-feature", "MemberImportVisibility", "-DFUZZING", "-DSender", "-DSimulator", "-DSQLite",
    # Preconditions must hold in optimized code too, and a crash should name its line.
    "-g",
]


def swift_files(folder):
    return sorted(
        os.path.join(place, name) for place, _, names in os.walk(folder) for name in names if name.endswith(".swift"))


def imports(files, seen=None):
    """The modules that files import, directly or not, in the order of MODULES."""
    seen = set() if seen is None else seen
    for path in files:
        with open(path, encoding="utf-8") as file:
            for name in re.findall(r"^(?:\w+ )*import (\w+)", file.read(), re.MULTILINE):
                if name in MODULES and name not in seen:
                    seen.add(name)
                    imports(sources(name), seen)
    return [name for name in MODULES if name in seen]


def sources(module):
    path = OUTSIDE.get(module) or os.path.join(ROOT, "Sources", MODULES[module])
    return [path] if path.endswith(".swift") else swift_files(path)


def is_fresh(product, inputs):
    return os.path.exists(product) and all(os.path.getmtime(path) <= os.path.getmtime(product) for path in inputs)


def run(command, folder):
    """Runs a compiler in a folder that is not checked in, because it leaves files where it runs."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        errors = [line for line in done.stdout.splitlines() if "error:" in line] or done.stdout.splitlines()[-20:]
        print("\n".join(errors[:20]), file=sys.stderr)
        sys.exit(2)


def package_flags():
    found = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "openssl", "libnghttp2"], stdout=subprocess.PIPE, text=True, check=True)
    return found.stdout.split()


class Build:
    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        self.include = ["-I", folder]
        for name in ("CNghttp2", "COpenSSL"):
            self.include += ["-I", os.path.join(ROOT, "Sources", "Base", name)]
        self.include += ["-Xcc", "-fmodule-map-file=" + os.path.join(YAMS, "CYaml", "include", "module.modulemap"),
                         "-I", os.path.join(YAMS, "CYaml", "include")]
        self.libraries = [flag for flag in package_flags() if flag.startswith("-l") or flag.startswith("-L")]

    def path(self, name):
        return os.path.join(self.folder, name)

    def module(self, name, before):
        """- before: when the newest of the modules that it imports was made."""
        product = self.path(name + ".o")
        files = sources(name)
        if is_fresh(product, files) and os.path.getmtime(product) >= before:
            return product
        print(f"compiling {name}", file=sys.stderr, flush=True)
        flags = [flag for flag in FLAGS if name not in OUTSIDE or flag != "-sanitize=fuzzer"]
        if name in OUTSIDE:
            flags = [flag if flag != "6" else "5" for flag in flags]
            flags = ["-DSWIFT_PACKAGE" if flag == "-DFUZZING" else flag for flag in flags if "upcoming" not in flag
                     and flag not in ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility")]
        run(["swiftc", "-module-name", name, "-emit-module", "-emit-module-path", self.path(name + ".swiftmodule"),
             "-emit-object", "-o", product, *flags, *self.include, *files], self.folder)
        return product

    def yaml_library(self):
        product = self.path("cyaml.o")
        folder = os.path.join(YAMS, "CYaml", "src")
        files = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".c"))
        if not is_fresh(product, files):
            print("compiling CYaml", file=sys.stderr, flush=True)
            objects = []
            for path in files:
                objects.append(self.path(os.path.basename(path)[:-2] + ".o"))
                run(["clang", "-O2", "-g", "-fsanitize=fuzzer-no-link", "-I", os.path.join(YAMS, "CYaml", "include"),
                     "-DYAML_DECLARE_STATIC", "-c", path, "-o", objects[-1]], self.folder)
            run(["ld", "-r", "-o", product, *objects], self.folder)
        return product

    def target(self, name):
        main = os.path.join(TARGETS, name + ".swift")
        files = [main] + [os.path.join(ROOT, path) for path in FILES.get(name, [])]
        modules = imports(files)
        objects, before = [], 0.0
        for module in modules:
            objects.append(self.module(module, before))
            before = max(before, os.path.getmtime(objects[-1]))
        if "Yams" in modules:
            objects.append(self.yaml_library())
        product = self.path("fuzz-" + name)
        if is_fresh(product, files + objects):
            return
        print(f"compiling the target {name}", file=sys.stderr, flush=True)
        run(["swiftc", "-module-name", "Fuzz", "-o", product, *FLAGS, *self.include, *files, *objects, *self.libraries],
            self.folder)


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    build = Build(os.path.abspath(sys.argv[1]))
    for name in sys.argv[2:]:
        build.target(name)


if __name__ == "__main__":
    main()
