# SPDX-License-Identifier: GPL-2.0
"""How a program of the tree ends: with all that it printed written, or with a line that says why not, and a status.

Signals that end it, SIGHUP of a closed terminal too, are exceptions here, so that what it made for a time is removed.
"""

import contextlib
import errno
import os
import signal
import sys
import tempfile

from lab.host.units import Refused

ENDING = (signal.SIGHUP, signal.SIGTERM)

# Errors of a disk or a folder. Other errors of the system are defects of the lab, and keep their traceback.
REFUSALS = (errno.EACCES, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC, errno.EPERM, errno.EROFS)


class Unusable(Exception):
    """A folder, file or stream that cannot be used as it is; the text names it."""


def _end(signum, _frame):
    """End as a shell reports a program that this signal ended."""
    raise SystemExit(128 + signum)


def _cache():
    return os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")


def _way_out(path):
    """The setting that has another folder used, or nothing."""
    def inside(folder):
        return os.path.commonpath((os.path.abspath(path), os.path.abspath(folder))) == os.path.abspath(folder)

    if inside(_cache()) or inside(os.path.expanduser("~/.cache")):
        return "; XDG_CACHE_HOME names another folder for what is built and kept"
    if inside(tempfile.tempdir or os.environ.get("TMPDIR") or "/tmp"):
        return "; TMPDIR names another folder for what is there for a time"
    return ""


def explained(why):
    """The line that an OSError comes to: empty where nobody reads on, None if it is none of a disk, a folder or a stream."""
    if why.errno == errno.ENOENT and why.filename is None:    # tempfile's, after it tried all that it knows
        return f"{why.strerror}; TMPDIR names another"
    if why.errno == errno.EPIPE:
        return ""
    if why.errno not in REFUSALS:
        return None
    if why.filename is None:
        return f"cannot write: {why.strerror}"
    path = os.fsdecode(why.filename2 or why.filename)
    return f"{path}: {why.strerror}{_way_out(path)}"


@contextlib.contextmanager
def reading(path):
    """Use a file or a folder that the user named: an error names it."""
    try:
        yield
    except OSError as why:
        raise Unusable(f"{os.fsdecode(why.filename or path)}: {why.strerror}") from None


def output_folder(path):
    """Make a folder that the user named for results, before the time is spent that they take: an error names it."""
    with reading(path):
        os.makedirs(path, exist_ok=True)
    if not os.access(path, os.W_OK | os.X_OK):
        raise Unusable(f"{path}: {os.strerror(errno.EACCES)}")


def check_output(option, path):
    """Refuse a file of an option that could not be written, before the time is spent that its content takes."""
    folder = os.path.dirname(os.path.abspath(path))
    if not path or os.path.isdir(path):
        raise Refused(f"{option}: '{path}' is a folder, not a file")
    if not os.path.isdir(folder):
        raise Refused(f"{option}: {path}: its folder does not exist")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise Refused(f"{option}: {path} cannot be written")


@contextlib.contextmanager
def writing(path):
    """Write a file, or what goes into a folder: an error names it, and leaves no part of a file."""
    try:
        yield
    except OSError as why:
        if os.path.isfile(path):
            os.unlink(path)
        if why.filename is None:
            raise OSError(why.errno, why.strerror, path) from None
        raise


def _closed():
    """Write what is still to be printed: None, or explained() of why it cannot be."""
    try:
        sys.stdout.flush()
        return None
    except OSError as why:
        # Python tries again when it ends.
        with open(os.devnull, "w", encoding="ascii") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        return explained(why)


def _complain(name, line):
    with contextlib.suppress(OSError):
        print(f"{name}: {line}", file=sys.stderr, flush=True)


def catch_signals():
    """From here on the signals that end us are exceptions, those apart that are caught or ignored already; returns which."""
    caught = [signum for signum in ENDING if signal.getsignal(signum) is signal.SIG_DFL]
    for signum in caught:
        signal.signal(signum, _end)
    return caught


def run(name, main):
    """End this process with the status of main(), or with 1 and a line that begins with the program's name."""
    catch_signals()
    status, line = 1, None
    try:
        status = main()
    except SystemExit as end:
        status = end.code
    except Unusable as why:
        line = f"{why}"
    except OSError as why:
        line = explained(why)
        if line is None:
            raise
    unwritten = _closed()
    if unwritten is not None and line is None:
        line, status = unwritten, status or 1
    if line:
        _complain(name, line)
    sys.exit(status)
