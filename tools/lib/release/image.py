"""The container image, as the layout of files that the OCI image specification describes. Nothing else is needed to write it:
no daemon, no registry.

Its root has the libraries that the command asks for, the certificates of public authorities, and the command: no shell, no
package manager. The libraries are those of Debian's packages.
"""

import json
import re
import shutil
from pathlib import Path

from . import debian
from .archive import digest, gzipped, tar
from .build import libraries
from .common import HOMEPAGE, NAME, SUMMARY, Failure, fresh, run

USER = 65532
PORTS = (8443, 8444, 8445)

ENVIRONMENT = {
    "PATH": "/usr/bin",
    "HOME": "/data",
    "SSL_CERT_FILE": "/etc/ssl/certs/ca-certificates.crt",
    "XDG_RUNTIME_DIR": "/tmp",
    "APNS_GATEWAY_HOST": "0.0.0.0",
    "APNS_GATEWAY_CREDENTIALS": "/data/credentials",
}

# Libraries that are opened by name when they are needed, and so are in no list of the linker.
OPENED = ("libgcc_s.so.1", "ossl-modules/legacy.so")


def image(binary, output, scratch, release, depends):
    """Writes the image as a tar archive. Returns the file, and the Debian packages that are in it."""
    mirror = debian.Mirror(scratch / "mirror")
    unpacked = fresh(scratch / "debian")
    versions = {}
    for file in mirror.download(debian.names_in(depends) + ["base-files", "ca-certificates"]):
        facts = debian.fields(file, "Package", "Version", "Source", "Maintainer", "Architecture")
        folder = unpacked / facts["Package"]
        folder.mkdir()
        run("dpkg-deb", "--extract", file, folder)
        versions[facts["Package"]] = (facts, folder)
    system = fresh(scratch / "system")
    used = copy_libraries(binary, versions, system)
    used |= copy_files(versions, system)
    for name in sorted(used):
        facts, folder = versions[name]
        # Scanners of images look here for what is installed.
        status = "".join(f"{key}: {value}\n" for key, value in facts.items()) + "Status: install ok installed\n"
        write(system / "var/lib/dpkg/status.d" / name, status)
        for file in (folder / "usr/share/doc" / name).glob("copyright"):
            write(system / "usr/share/doc" / name / "copyright", file.read_bytes())
    write(system / "etc/passwd", f"root:x:0:0:root:/root:/sbin/nologin\napns:x:{USER}:{USER}:apns:/data:/sbin/nologin\n")
    write(system / "etc/group", f"root:x:0:\napns:x:{USER}:\n")
    write(system / "etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n")
    (system / "tmp").mkdir(mode=0o1777)
    (system / "tmp").chmod(0o1777)
    (system / "data").mkdir()

    command = fresh(scratch / "command")
    (command / "usr/bin").mkdir(parents=True)
    shutil.copy(binary, command / "usr/bin/apns")
    documents = command / f"usr/share/doc/{NAME}"
    shutil.copytree(scratch / f"staged/share/doc/{NAME}", documents)

    layers = [(tar(system, "", release.time), f"libraries of {mirror.system}"), (tar(command, "", release.time), "apns")]
    file = output / f"{NAME}-{release.version}-oci-{release.oci}.tar"
    file.write_bytes(layout(layers, fresh(scratch / "layout"), release, mirror))
    return file, [(name, versions[name][0]["Version"]) for name in sorted(used)], mirror.suite


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def copy_libraries(binary, versions, system):
    """Copies the libraries that the binary asks for, and those that they ask for. Returns the packages that have them."""
    files = {}
    for name, (_, folder) in versions.items():
        for path in folder.glob("**/lib/*-linux-gnu/**/*.so*"):
            files.setdefault(str(path.relative_to(next(parent for parent in path.parents if parent.name.endswith("-linux-gnu")))), (name, folder, path))
    linker = re.search(r"interpreter: (/\S+)\]", run("readelf", "-l", binary))[1]
    used, waiting, seen = set(), [*libraries(binary), *OPENED], set()
    while waiting:
        library = waiting.pop()
        if library in seen:
            continue
        seen.add(library)
        if library not in files:
            raise Failure(f"no package that was downloaded has {library}, which the image needs")
        package, folder, path = files[library]
        used.add(package)
        # Everything is below /usr, as in newer Debian systems.
        place = system / "usr" / re.sub(r"^usr/", "", str(path.relative_to(folder)))
        write(place, path.resolve().read_bytes())
        waiting += libraries(path)
    for name in ("lib", "lib64"):
        (system / "usr" / name).mkdir(exist_ok=True)
        (system / name).symlink_to(f"usr/{name}")
    if not (system / linker[1:]).exists():
        name = Path(linker).name
        found = next((system / "usr/lib").glob(f"*/{name}"))
        (system / "usr" / Path(linker[1:]).parent / name).symlink_to("/" + str(found.relative_to(system)))
    for path in (system / "usr/lib").rglob("ld-linux*"):
        path.chmod(0o755)
    return used


def copy_files(versions, system):
    """Copies what else the command reads. Returns the packages that have it."""
    certificates = versions["ca-certificates"][1] / "usr/share/ca-certificates/mozilla"
    bundle = b"".join(path.read_bytes() for path in sorted(certificates.glob("*.crt")))
    write(system / "etc/ssl/certs/ca-certificates.crt", bundle)
    base = versions["base-files"][1]
    write(system / "usr/lib/os-release", (base / "usr/lib/os-release").read_bytes())
    (system / "etc/os-release").symlink_to("../usr/lib/os-release")
    return {"base-files", "ca-certificates"}


def layout(layers, folder, release, mirror):
    """The files of an OCI image layout, in one tar archive."""
    import datetime

    created = datetime.datetime.fromtimestamp(release.time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    labels = {
        "org.opencontainers.image.title": NAME,
        "org.opencontainers.image.description": SUMMARY,
        "org.opencontainers.image.version": release.version,
        "org.opencontainers.image.revision": release.revision,
        "org.opencontainers.image.created": created,
        "org.opencontainers.image.source": HOMEPAGE,
        "org.opencontainers.image.documentation": f"{HOMEPAGE}/blob/main/docs/containers.md",
        "org.opencontainers.image.licenses": "Apache-2.0",
    }
    second = 1_000_000_000
    configuration = {
        "created": created,
        "architecture": release.oci,
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "ExposedPorts": {f"{port}/tcp": {} for port in PORTS},
            "Env": [f"{name}={value}" for name, value in ENVIRONMENT.items()],
            "Entrypoint": ["/usr/bin/apns"],
            "Cmd": ["gateway"],
            "WorkingDir": "/data",
            "Volumes": {"/data": {}},
            "StopSignal": "SIGTERM",
            "Labels": labels,
            # The OCI specification does not have this key; Docker writes and reads it in the same place.
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/apns", "gateway", "--wait", "--wait-timeout", "0s"],
                "Interval": 10 * second, "Timeout": 6 * second, "StartPeriod": 10 * second,
                "StartInterval": second // 4, "Retries": 3,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest(data)}" for data, _ in layers]},
        "history": [{"created": created, "created_by": "tools/release", "comment": text} for _, text in layers],
    }  # fmt: skip
    blobs = folder / "blobs/sha256"
    blobs.mkdir(parents=True)

    def blob(data, kind, **more):
        (blobs / digest(data)).write_bytes(data)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest(data)}", "size": len(data), **more}

    def document(value):
        return json.dumps(value, separators=(",", ":")).encode()

    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob(document(configuration), "config.v1+json"),
        "layers": [blob(gzipped(data), "layer.v1.tar+gzip") for data, _ in layers],
        "annotations": labels,
    }
    entry = blob(
        document(manifest), "manifest.v1+json", platform={"architecture": release.oci, "os": "linux"},
        annotations={"org.opencontainers.image.ref.name": release.version},
    )  # fmt: skip
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}
    (folder / "index.json").write_bytes(document(index))
    (folder / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')
    return tar(folder, "", release.time)
