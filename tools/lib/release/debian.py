"""The package for Debian and Ubuntu, and what else comes from Debian."""

import os
import re
import shutil
import subprocess
import textwrap
from email.utils import formatdate
from pathlib import Path

from .archive import gzipped
from .common import HOMEPAGE, MAINTAINER, NAME, SUMMARY, Failure, fresh, run

DESCRIPTION = """\
The command apns is a gateway simulator for tests of push notifications,
which answers like the Apple Push Notification service, a sender over
HTTP/2 with provider tokens, and a validator of payloads.
.
It needs no account and no network: apns demo shows the whole loop in one
terminal.
"""

# Says why for each.
OVERRIDES = {
    "embedded-library": "Swift's own libraries are linked statically, and with them what they contain",
}


def dependencies(binary, scratch):
    """The field Depends, as dpkg-shlibdeps derives it from the libraries that the binary asks for."""
    folder = fresh(scratch / "shlibdeps")
    (folder / "debian").mkdir()
    (folder / "debian/control").write_text(f"Source: {NAME}\n\nPackage: {NAME}\nArchitecture: any\n")
    text = run("dpkg-shlibdeps", "-O", f"-e{binary}", cwd=folder)
    found = re.search(r"^shlibs:Depends=(.*)$", text, re.MULTILINE)
    if not found:
        raise Failure(f"dpkg-shlibdeps found no libraries of {binary}")
    return found[1]


def package(staged, output, scratch, release, depends, notices):
    """Makes the package from a folder that is staged for /usr."""
    folder = fresh(scratch / "deb")
    shutil.copytree(staged, folder / "usr")
    documents = folder / f"usr/share/doc/{NAME}"
    (documents / "LICENSE").unlink()  # Debian has its own copy of this license.
    (documents / "copyright").write_text(copyright_file(notices))
    changes = f"""\
{NAME} ({release.version}) stable; urgency=medium

  * Version {release.version}; what is new:
    {HOMEPAGE}/blob/main/CHANGELOG.md

 -- {MAINTAINER}  {formatdate(release.time)}
"""
    (documents / "changelog.gz").write_bytes(gzipped(changes.encode()))
    overrides = folder / f"usr/share/lintian/overrides/{NAME}"
    overrides.parent.mkdir(parents=True)
    overrides.write_text("".join(f"# {why}\n{NAME}: {tag} *\n" for tag, why in OVERRIDES.items()))
    sizes = sum(path.stat().st_size for path in (folder / "usr").rglob("*") if path.is_file())
    description = "\n".join(" " + line for line in DESCRIPTION.strip().split("\n"))
    control = folder / "DEBIAN"
    control.mkdir()
    (control / "control").write_text(
        f"""\
Package: {NAME}
Version: {release.version}
Architecture: {release.debian}
Maintainer: {MAINTAINER}
Installed-Size: {-(-sizes // 1024)}
Depends: {depends}
Recommends: ca-certificates
Section: net
Priority: optional
Homepage: {HOMEPAGE}
Description: {SUMMARY[0].lower() + SUMMARY[1:]}
{description}
"""
    )
    sums = ""
    for path in sorted((folder / "usr").rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        if path.is_file():
            sums += run("md5sum", path.relative_to(folder), cwd=folder)
    (control / "md5sums").write_text(sums)
    for path in (folder, control, folder / "usr"):
        path.chmod(0o755)
    for path in control.iterdir():
        path.chmod(0o644)
    file = output / f"{NAME}_{release.version}_{release.debian}.deb"
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(release.time)}
    # One thread, because the compressor's blocks would depend on the number of processors.
    run("dpkg-deb", "--root-owner-group", "--threads-max=1", "-Zxz", "--build", folder, file, env=environment)
    return file


# Debian has the text of this license once for all packages.
APACHE_LICENSE = re.compile(
    r"^[ \t]*Apache License\n[ \t]*Version 2\.0, January 2004\n.*?END OF TERMS AND CONDITIONS\n", re.MULTILINE | re.DOTALL
)


def copyright_file(notices):
    """Debian's machine-readable copyright file. The licenses of what is linked in follow word for word, but for Apache's."""
    notices = APACHE_LICENSE.sub("Apache License 2.0: /usr/share/common-licenses/Apache-2.0\n", notices)
    body = textwrap.indent(notices, " ", lambda line: True)
    lines = [" ." if not line.strip() else line.rstrip() for line in body.split("\n")]
    return f"""\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: {NAME}
Source: {HOMEPAGE}

Files: *
Copyright: the authors of {NAME} and of the libraries that are named below
License: Apache-2.0
 On Debian systems, the full text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.
Comment:
""" + "\n".join(lines).rstrip("\n .") + "\n"


def system():
    """What /etc/os-release says about this system."""
    return dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', Path("/etc/os-release").read_text(), re.MULTILINE))


def codename():
    return system().get("VERSION_CODENAME", "unknown")


class Mirror:
    """Packages of Debian, resolved as for a system in which nothing is installed yet."""

    def __init__(self, folder):
        self.folder = fresh(folder)
        for place in ("etc/apt.conf.d", "etc/preferences.d", "etc/sources.list.d", "state/lists/partial", "cache/archives/partial"):
            (self.folder / place).mkdir(parents=True)
        (self.folder / "state/status").write_text("")
        facts = system()
        if facts.get("ID") != "debian":
            raise Failure("the image is made of Debian's packages; run this on Debian, for example in a container of it")
        self.suite = codename()
        self.system = f"Debian {facts['VERSION_ID']}"
        keys = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
        (self.folder / "etc/sources.list").write_text(
            f"deb {keys} http://deb.debian.org/debian {self.suite} main\n"
            f"deb {keys} http://deb.debian.org/debian {self.suite}-updates main\n"
            f"deb {keys} http://deb.debian.org/debian-security {self.suite}-security main\n"
        )
        self.apt("update")

    def apt(self, *words):
        options = [
            f"Dir::Etc={self.folder}/etc", f"Dir::State={self.folder}/state", f"Dir::Cache={self.folder}/cache",
            f"Dir::State::status={self.folder}/state/status", "APT::Install-Recommends=false", "APT::Sandbox::User=root",
        ]  # fmt: skip
        flags = [word for option in options for word in ("-o", option)]
        return run("apt-get", "-q", "-q", *flags, *words)

    def download(self, packages):
        """The files of packages and of all that they depend on."""
        self.apt("install", "--download-only", "--yes", *packages)
        return sorted((self.folder / "cache/archives").glob("*.deb"))


def fields(file, *names):
    """Some fields of a package's control file."""
    text = run("dpkg-deb", "--field", file, *names)
    return dict(re.findall(r"^([\w-]+): (.*)$", text, re.MULTILINE))


def names_in(depends):
    """The packages that a field Depends names; of alternatives the first."""
    return [re.split(r"[ |(:]", entry.strip())[0] for entry in depends.split(",")]


def owner(library):
    """The installed package that has a library, with its version."""
    for line in run("ldconfig", "-p").splitlines():
        found = re.match(rf"\s+{re.escape(library)} \(.*\) => (.*)", line)
        if not found:
            continue
        # Where /lib is a link to /usr/lib, dpkg knows either path.
        for path in (found[1], re.sub("^/usr", "", found[1]), "/usr" + found[1]):
            done = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
            if done.returncode == 0:
                name = done.stdout.split(":")[0]
                return name, run("dpkg-query", "-W", "-f", "${Version}", name)
    raise Failure(f"no installed package has {library}")
