"""The binary of a release, and what belongs beside it."""

import hashlib
import os
import re
import shutil
import struct
from pathlib import Path

from .archive import gzipped
from .common import NAME, ROOT, Failure, run

SWIFT_STATIC = "usr/lib/swift_static/linux"

# Modules that are optimized for speed: what runs once for each notification, connection or job. All others are optimized for
# size.
FAST = """
    APNSModel PayloadJSON DER APNSPayload PayloadLint HTTP2Session TLSSession APNSTransport
    APNSProvider APNSSender LoadGenerator ProviderMetrics ProviderToken ProviderTracing
    GatewayCore GatewayJSON GatewayListener GatewayRuntime DeviceSimulator
    EngineSupport PostgresClient PostgresQueue PushQueue RedisClient RedisQueue WorkerCore WorkerRuntime
    """.split()
FAST_OF_OTHERS = """
    CoreMetrics DequeModule Histogram InternalCollectionsUtilities Logging NIOConcurrencyHelpers NIOCore NIOPosix
    _NIODataStructures
    """.split()


def toolchain():
    """The folder of the Swift that is in PATH."""
    swift = shutil.which("swift")
    if swift is None:
        raise Failure("there is no swift in PATH")
    info = run("swift", "-print-target-info")
    return Path(re.search(r'"runtimeResourcePath": "(.*)/usr/lib/swift"', info)[1])


# `swift build` takes this for the compiler, and passes the same options for every module.
SWIFTC = """\
#!/bin/sh
previous=
for word; do
    if [ "$previous" = -module-name ]; then
        case $word in
            {fast}) exec {swiftc} "$@" ;;
        esac
        exec {swiftc} "$@" -Osize
    fi
    previous=$word
done
exec {swiftc} "$@"
"""


# No folder of a checkout or of a runner has a longer path.
PATH_LENGTH = 120


def of_fixed_length(folder):
    """A folder in this one whose path has as many characters in every build.

    Where code asserts that a closure did not escape, the compiler writes the length of the file's path as it was before
    -file-prefix-map replaced it. So sources and build are both in such a folder.
    """
    missing = PATH_LENGTH - len(str(folder)) - 1
    if missing < 1:
        raise Failure(f"the path of {folder} has more than {PATH_LENGTH - 2} characters; give a shorter one with --scratch")
    return folder / ("_" * missing)


def copy_sources(folder):
    """Makes the folder a copy of what is checked out. Files that did not change are not written, so that they are not compiled again."""
    listed = run("git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    names = {name for name in listed if (ROOT / name).is_file()} | {"Package.resolved"}
    for old in sorted(folder.rglob("*"), reverse=True):
        if old.is_dir():
            if not any(old.iterdir()):
                old.rmdir()
        elif str(old.relative_to(folder)) not in names:
            old.unlink()
    for name in sorted(names):
        source, copy = ROOT / name, folder / name
        if copy.exists() and (copy.stat().st_mtime, copy.stat().st_size) == (source.stat().st_mtime, source.stat().st_size):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, copy)


def build(folder):
    """Builds the command in a folder that `of_fixed_length` gave, with Swift's libraries in it. What only debuggers need is removed from
    a copy.

    Returns the copy and the file that lists what it was linked from.
    """
    sources, scratch = folder / "sources", folder / "build"
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    environment.pop("APNS_WARNINGS", None)
    linker = scratch / "ld"
    scratch.mkdir(parents=True, exist_ok=True)
    # The object has to come first, and `swift build` can only add one at the end.
    # Swift's list of static libraries asks for every symbol to be exported, and then nothing of them can be left out.
    # Swift's runtime finds metadata through the symbols for start and stop of a section. lld keeps such a section only with
    # nostart-stop-gc.
    # Addresses that are set at the start take a bit each instead of 24 bytes; glibc 2.36 and newer, so Debian 12, reads that.
    linker.write_text(
        f"""\
#!/bin/sh
exec "{toolchain()}/usr/bin/ld.lld" "{smaller_data(scratch)}" "$@" --no-export-dynamic --icf=safe \\
    -z pack-relative-relocs -z nostart-stop-gc
"""
    )
    linker.chmod(0o755)
    if missing := [name for name in FAST if not list(ROOT.glob(f"Sources/*/{name}"))]:
        raise Failure(f"there is no module {', '.join(missing)}, which is to be optimized for speed; correct FAST in {__file__}")
    compiler = scratch / "swiftc"
    compiler.write_text(SWIFTC.format(swiftc=shutil.which("swiftc"), fast="|".join(FAST + FAST_OF_OTHERS)))
    compiler.chmod(0o755)
    environment["SWIFT_EXEC"] = str(compiler)
    options = [
        "--configuration", "release", "--product", "apns", "--scratch-path", scratch, "--static-swift-stdlib",
        "--disable-automatic-resolution",
        # Debug information and assertions would name this folder.
        "-Xswiftc", "-file-prefix-map", "-Xswiftc", f"{sources}=/{NAME}",
        "-Xcc", f"-ffile-prefix-map={sources}=/{NAME}",
        # Assertions of C code in other packages name the folder of the build: every folder gets the name of the default one.
        "-Xswiftc", "-file-prefix-map", "-Xswiftc", f"{scratch}=/{NAME}/.build-release",
        "-Xcc", f"-ffile-prefix-map={scratch}=/{NAME}/.build-release",
        # The linker leaves out single functions instead of whole files, and functions that are the same.
        "-Xswiftc", "-Xfrontend", "-Xswiftc", "-function-sections", "-Xcc", "-ffunction-sections",
        "-Xlinker", "--gc-sections", "-Xlinker", "--as-needed",
        "-Xswiftc", "-Xclang-linker", "-Xswiftc", f"--ld-path={linker}",
    ]  # fmt: skip
    forget_other_options(scratch, [*options, linker.read_text(), compiler.read_text()])
    # The same versions for every build of this checkout: those that the first one resolved.
    if not (ROOT / "Package.resolved").exists():
        run("swift", "package", "resolve", "--scratch-path", scratch, cwd=ROOT, env=environment)
    copy_sources(sources)
    run("swift", "build", *options, cwd=sources, env=environment)
    release = scratch / "release"
    stripped = scratch / "stripped/apns"
    stripped.parent.mkdir(exist_ok=True)
    run("objcopy", "--strip-all", "--remove-section=.comment", release / "apns", stripped)
    make_same_each_time(stripped)
    return stripped, release / "apns.product/Objects.LinkFileList"


def make_same_each_time(binary):
    """Removes what differs between two builds of the same sources: the compiler's hashes of its modules, which depend on the folder and
    which nothing reads, and the linker's build id, which depends on them. The build id is then computed from what is left."""
    content = bytearray(binary.read_bytes())
    places = sections(binary)
    start, size = places.get(".swift_modhash", (0, 0))
    content[start : start + size] = bytes(size)
    start, size = places.get(".note.gnu.build-id", (0, 0))
    # A head of 16 bytes, and the id.
    if size != 36:
        raise Failure(f"{binary} has no build id of 20 bytes; link it with --build-id=sha1")
    content[start + 16 : start + size] = bytes(20)
    content[start + 16 : start + size] = hashlib.sha1(content).digest()
    binary.write_bytes(content)


def sections(binary):
    """Where each section of an ELF file begins, and how many bytes it has."""
    listed = re.findall(r"^ *\[ *\d+\] (\S+) +\S+ +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) ", run("readelf", "-SW", binary), re.MULTILINE)
    return {name: (int(start, 16), int(size, 16)) for name, start, size in listed}


def forget_other_options(scratch, options):
    """Removes what was built with other options, because Swift does not compile a module again when some of its options change."""
    said, note = "\n".join(map(str, options)), scratch / "options"
    if note.exists() and note.read_text() == said:
        return
    shutil.rmtree((scratch / "release").resolve(), ignore_errors=True)
    note.write_text(said)


def smaller_data(scratch):
    """An object file with the data of Foundation's ICU that the command needs.

    The data is 34 MB, most of it about languages in which the command says nothing, old character sets, and the words of
    languages that are written without spaces. The linker takes this object in place of the one in Swift's archive, because
    it comes first.
    """
    archive = toolchain() / SWIFT_STATIC / "lib_FoundationICU.a"
    folder = scratch / "icu"
    folder.mkdir(parents=True, exist_ok=True)
    run("ar", "x", archive, "icu_packaged_data.cpp.o", cwd=folder)
    member = folder / "icu_packaged_data.cpp.o"
    run("objcopy", "-O", "binary", "--only-section=.rodata", member, folder / "all.dat")
    symbol = re.search(r"R (icudt\d+_dat)$", run("nm", member), re.MULTILINE)
    if not symbol:
        raise Failure(f"{archive} has its data in another form than expected; link without smaller_data")
    (folder / "needed.dat").write_bytes(only_needed((folder / "all.dat").read_bytes()))
    (folder / "needed.S").write_text(
        f"""\
.section .rodata
.balign 16
.globl {symbol[1]}
{symbol[1]}:
.incbin "needed.dat"
.section .note.GNU-stack, "", %progbits
"""
    )
    run("clang", "-c", "needed.S", "-o", "needed.o", cwd=folder)
    return folder / "needed.o"


# The name of a language's file, such as de_AT.res, in one of the folders that have a file for each.
LANGUAGE = re.compile(r"icudt\d+l/((brkitr|coll|curr|lang|rbnf|region|unit|zone)/)?([a-z]{2,3})(_\w+)?\.res")


# Character sets, transliterations, and words by which text without spaces is divided.
NEVER_READ = re.compile(r"icudt\d+l/(.*\.cnv|cnvalias\.icu|translit/.*|brkitr/.*\.dict)")


def only_needed(data):
    """A package of ICU data without the files of other languages, and without those that the command never reads
    (https://unicode-org.github.io/icu/userguide/icu_data).

    It begins with a header, whose length is its first two bytes, and a table: the number of items, and for each the
    offsets of its name and of its data, counted from the table. Items are sorted by name and lie in that order.
    """
    header = struct.unpack_from("<H", data)[0]
    if data[2:4] != b"\xda\x27" or data[12:16] != b"CmnD":
        raise Failure("the ICU data of this Swift has another form than expected")
    table = data[header:]
    count = struct.unpack_from("<I", table)[0]
    places = [struct.unpack_from("<II", table, 4 + 8 * index) for index in range(count)]
    ends = [start for _, start in places[1:]] + [len(table)]
    items = []
    for (name, start), end in zip(places, ends):
        name = table[name : table.index(b"\0", name)]
        language = LANGUAGE.fullmatch(name.decode())
        if NEVER_READ.fullmatch(name.decode()) or language and language[3] not in ("en", "root"):
            continue
        items.append((name, table[start:end]))
    if len(items) == count:
        raise Failure("the ICU data of this Swift has nothing to leave out")
    names, contents = b"", b""
    rows = []
    names_start = 4 + 8 * len(items)
    contents_start = -(-(names_start + sum(len(name) + 1 for name, _ in items)) // 16) * 16
    for name, content in items:
        contents += b"\0" * (-len(contents) % 16)
        rows.append(struct.pack("<II", names_start + len(names), contents_start + len(contents)))
        names += name + b"\0"
        contents += content
    text = struct.pack("<I", len(items)) + b"".join(rows) + names
    return data[:header] + text + b"\0" * (contents_start - len(text)) + contents


def stage(binary, folder, release):
    """Puts everything that is installed into a folder, as below /usr."""
    places = {
        "bin": [binary],
        f"share/doc/{NAME}": [ROOT / "LICENSE", ROOT / "docs/rules.html"],
    }
    for place, files in places.items():
        (folder / place).mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.copy(file, folder / place)
    for shell, place in (
        ("bash", "share/bash-completion/completions/apns"),
        ("zsh", "share/zsh/vendor-completions/_apns"),
        ("fish", "share/fish/vendor_completions.d/apns.fish"),
    ):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        # A shell reads it, and does not run it.
        (folder / place).write_text(re.sub(r"\A#!.*\n", "", run(binary, "completions", shell)))
    manual = folder / "share/man/man1"
    manual.mkdir(parents=True)
    for page in sorted((ROOT / "docs/man").glob("*.1")):
        (manual / f"{page.name}.gz").write_bytes(gzipped(page.read_bytes()))
    if run(binary, "--version").strip() != release.version:
        raise Failure(f"the binary says that it is not version {release.version}; build it again")


def libraries(binary):
    """The libraries of the system that a binary asks for."""
    return re.findall(r"\(NEEDED\)\s+Shared library: \[(.*)\]", run("readelf", "-d", binary))
