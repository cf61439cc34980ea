"""Archives whose bytes follow from their content alone: sorted names, one time, no owner, no name of a machine."""

import gzip
import hashlib
import io
import tarfile
from pathlib import Path


def write_tar(stream, folder, prefix, time):
    """Writes what is below a folder. A file keeps whether it may be executed, and nothing else of its mode."""
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in sorted(Path(folder).rglob("*"), key=lambda path: path.relative_to(folder).parts):
            entry = tarfile.TarInfo(prefix + str(path.relative_to(folder)))
            entry.mtime = time
            if path.is_symlink():
                entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, str(path.readlink()), 0o777
                archive.addfile(entry)
            elif path.is_dir():
                # A folder may be writable by all, as /tmp is.
                mode = path.stat().st_mode & 0o7777
                entry.type, entry.mode = tarfile.DIRTYPE, mode if mode & 0o1000 else 0o755
                entry.uid, entry.gid = OWNED.get(entry.name, (0, 0))
                archive.addfile(entry)
            else:
                entry.size = path.stat().st_size
                entry.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
                with path.open("rb") as file:
                    archive.addfile(entry, file)


# Folders of an image that its user may write.
OWNED = {"data": (65532, 65532)}


def tar(folder, prefix, time):
    stream = io.BytesIO()
    write_tar(stream, folder, prefix, time)
    return stream.getvalue()


def gzipped(data):
    return gzip.compress(data, compresslevel=9, mtime=0)


def digest(data):
    return hashlib.sha256(data).hexdigest()
