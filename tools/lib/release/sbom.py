"""Software bills of materials in SPDX 2.3, and the licenses of what is linked in."""

import datetime
import hashlib
import json
import re

from .common import HOMEPAGE, NAME, REPOSITORY, ROOT, Failure

SWIFT_SOURCE = "https://github.com/swiftlang/swift"


def license_of(text):
    """The SPDX expression of a license's text."""
    if "Apache License" in text or "Licensed under the Apache" in text:
        return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    raise Failure("a package has a license that tools/lib/release/sbom.py does not know; add it there")


class Linked:
    """A package of Swift that the command is linked from."""

    def __init__(self, folder, pin):
        self.name = pin["identity"]
        self.version = pin["state"].get("version") or pin["state"]["revision"]
        self.revision = pin["state"]["revision"]
        self.source = pin["location"]
        files = [folder / name for name in ("LICENSE", "LICENSE.txt") if (folder / name).exists()]
        if not files:
            raise Failure(f"{folder} has no license")
        text = files[0].read_text()
        self.license = license_of(text)
        notice = folder / "NOTICE.txt"
        self.notices = text.strip() + ("\n\n" + notice.read_text().strip() if notice.exists() else "")


# Modules whose folder has another name.
FOLDERS = {"SystemPackage": "System"}


def linked_packages(link_list, scratch):
    """The packages that have a module in the command, by the names of its object files."""
    modules = sorted(set(re.findall(r"/([^/]+)\.build/", link_list.read_text())))
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    own = {folder.name for folder in ROOT.glob("Sources/*/*")}
    folders = {}
    for pin in pins:
        name = pin["location"].rstrip("/").split("/")[-1].removesuffix(".git")
        folder = scratch / "checkouts" / name
        if folder.is_dir():
            folders[name] = (folder, pin)
    packages, unknown = {}, []
    for module in modules:
        if module in own:
            continue
        for name, (folder, pin) in folders.items():
            if any((folder / place / FOLDERS.get(module, module)).is_dir() for place in ("Sources", "Source", ".")):
                packages[name] = Linked(folder, pin)
                break
        else:
            unknown.append(module)
    if unknown:
        raise Failure(f"of which packages are these modules: {', '.join(unknown)}? tools/lib/release/sbom.py has to know")
    return [packages[name] for name in sorted(packages)]


def notices(packages, swift_version):
    """The licenses of everything that is linked in, one after the other."""
    parts = [
        f"""\
The command apns contains the libraries below, and those of Swift {swift_version} ({SWIFT_SOURCE}): standard library,
Dispatch and Foundation under the Apache License 2.0 with Runtime Library Exception, and in Foundation the data of ICU under
the Unicode License V3 (https://www.unicode.org/license.txt)."""
    ]
    for package in packages:
        title = f"{package.name} {package.version} ({package.source})"
        parts.append(f"{'=' * 80}\n{title}\n{'=' * 80}\n\n{package.notices}")
    return "\n\n".join(parts) + "\n"


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def entry(kind, name, version, license, **more):
    return {
        "SPDXID": identifier(kind, name),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": license,
        "licenseDeclared": license,
        "copyrightText": "NOASSERTION",
        **more,
    }


def reference(locator):
    return {"externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]}


def document(release, title, packages, swift_version, debian, suite):
    """
    - debian: names and versions of Debian's packages that are in it or are needed by it.
    """
    own = entry(
        "Package", NAME, release.version, "Apache-2.0",
        **reference(f"pkg:github/{REPOSITORY}@{release.revision}"), homepage=HOMEPAGE, primaryPackagePurpose="APPLICATION",
    )  # fmt: skip
    swift = entry(
        "Swift", "swift", swift_version, "Apache-2.0 WITH Swift-exception", homepage="https://swift.org",
        **reference(f"pkg:github/swiftlang/swift@swift-{swift_version}-RELEASE"),
        comment="Standard library, Dispatch and Foundation, linked statically. Foundation has data of ICU (Unicode-3.0).",
    )  # fmt: skip
    entries, links = [own, swift], [("SPDXRef-DOCUMENT", "DESCRIBES", own), (own["SPDXID"], "STATIC_LINK", swift)]
    for package in packages:
        path = re.sub(r"^https://|\.git$", "", package.source).split("/", 1)[1]
        item = entry(
            "Swift", package.name, package.version, package.license, downloadLocation=f"git+{package.source}@{package.revision}",
            **reference(f"pkg:swift/github.com/{path}@{package.version}"),
        )  # fmt: skip
        entries.append(item)
        links.append((own["SPDXID"], "STATIC_LINK", item))
    for name, version in debian:
        item = entry(
            "Debian", name, version, "NOASSERTION",
            **reference(f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}?arch={release.debian}&distro={suite}"),
        )  # fmt: skip
        entries.append(item)
        links.append((own["SPDXID"], "DEPENDS_ON", item))
    created = datetime.datetime.fromtimestamp(release.time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    body = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": title,
        "creationInfo": {"created": created, "creators": [f"Tool: {NAME}-release"]},
        "packages": entries,
        "relationships": [
            {"spdxElementId": source, "relationshipType": kind, "relatedSpdxElement": target["SPDXID"]}
            for source, kind, target in links
        ],
    }
    mark = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    body["documentNamespace"] = f"{HOMEPAGE}/releases/spdx/{title}-{mark[:32]}"
    return json.dumps(body, indent=2) + "\n"
