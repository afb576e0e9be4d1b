#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Programs that users run, with files that cannot be used: each complaint names the file and the reason, and nothing has changed.

    O=FOLDER unshare --mount selftests/consistency/bad_files.py [TEXT]    those whose command has TEXT; FOLDER is that of make tools

A file to read is missing, a folder, without permission, or empty. One to write is in a folder that is missing, a folder, without
permission, or on a full disk. A folder is missing, a file, without permission, or bare. Standard output is a full device, or a pipe
that nobody reads. Output is TAP.
"""

import contextlib
import os
import stat
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

sys.dont_write_bytecode = True
# pylint: disable=wrong-import-position
import usages  # noqa: E402
from parameters import ROOT, Tap  # noqa: E402
import usage  # noqa: E402

BUILT = {"tc-plugins": ("onrampctl", "onramp-mq", "ecnsharp-mq"), "huygens-lite": ("huygens-lite", "huygensctl"),
         "acc-tuner": ("acc-tuner", "accctl", "acc-train"), "traffic": ("flowgen",)}
PROGRAMS = {name: os.path.join(os.environ.get("O", f"{ROOT}/build"), folder, name) for folder, names in BUILT.items() for name in names}

# Those of which no argument is a file.
FILELESS = ("debian/deps", "ecnsharp-mq", "onramp-mq", "tc-plugins/onramp-mq", "operations/onramp-everywhere", "scripts/netlink-description",
            "lab/kernel/build")

READ, WRITTEN, FOLDER = "read", "written", "folder"
KINDS = {READ: ("missing", "folder", "forbidden", "empty"), WRITTEN: ("missing", "folder", "forbidden", "full"),
         FOLDER: ("missing", "empty", "forbidden folder", "folder")}
REASONS = {"missing": "No such file or directory", "folder": "s a directory", "forbidden": "Permission denied", "full": "No space left on device"}

CDF = f"{ROOT}/lab/traffic/cdf"
KDIR = "kernel/Makefile"
FLOWS = ("id,group,sender,receiver,size_bytes,start_ns,fct_ns,conn,retrans,timeouts,delivered_ce,min_rtt_us,bytes,query,end\n"
         "0,g,a,b,1000,0,50000,new,0,0,0,20,1000,0,done\n")
PEERS = "[mesh]\npeers = 127.0.0.1 127.0.0.2\n"


@dataclass(frozen=True)
class Row:
    """A command with a {file}, in its words or in the files and variables that it is given."""

    command: str
    role: str
    kinds: str = ""                                 # some of the role's, comma between them
    status: int = 1
    reason: str = ""                                # of an empty file; of all kinds of a folder
    reasons: dict = field(default_factory=dict)     # {kind: reason} in the program's words
    given: dict = field(default_factory=dict)       # {name: text}
    env: dict = field(default_factory=dict)
    part: str = ""                                  # what is below a folder and named

    def expects(self, kind):
        """The reason of a complaint."""
        return self.reasons.get(kind) or (self.reason if kind == "empty" or self.role == FOLDER else REASONS[kind])

    def tried(self):
        """Kinds of the file."""
        return self.kinds.split(", ") if self.kinds else KINDS[self.role]


ROWS = (
    Row("huygens-lite -t -f {file}", READ, reason="peers: must be given"),
    Row("huygens-lite -f {file}", READ, reason="peers: must be given"),
    Row("huygens-lite -t -f conf", READ, reason="no key", given={"conf": PEERS + "[security]\nuser = none\nkey_file = {file}\n"}),
    Row("huygensctl -s {file} tracking", READ, reason="non-socket", reasons={"folder": "non-socket"}),
    Row("acc-tuner -t -f {file}", READ, "missing, folder, forbidden"),
    Row("acc-tuner -f {file}", READ, "missing, folder, forbidden"),
    Row("acc-tuner -t -f conf", READ, reason="not a model", given={"conf": "[tuner]\npolicy = ddqn\nmodel = {file}\n"}),
    Row("accctl -s {file} queues", READ, reason="non-socket", reasons={"folder": "non-socket"}),
    Row("accctl -f {file} restore", READ, "folder, forbidden, empty", reason="line 1"),
    Row("accctl -f {file} restore", READ, "missing", status=0, reasons={"missing": "is not there: no queue was left tuned"}),
    Row(f"acc-train evaluate {{file}} --workloads {CDF}", READ, reason="not a model"),
    Row("acc-train gate --workloads {file}", FOLDER, reason=REASONS["missing"],
        reasons={"empty": "Not a directory", "forbidden folder": REASONS["forbidden"]}, part="/websearch.cdf"),
    # It would take minutes to train.
    Row(f"acc-train sim --steps 10000000 --workloads {CDF} -o {{file}}", WRITTEN, "missing, folder, forbidden"),
    Row(f"acc-train sim --steps 1000 --workloads {CDF} -o {{file}}", WRITTEN, "full"),
    Row("flowgen --dry-run --traffic {file}", READ, status=2, reason="there is no group"),
    Row("flowgen --dry-run --traffic traffic", READ, status=2, reason="no point",
        given={"traffic": "host a addr=127.0.0.1\nhost b addr=127.0.0.2\ngroup g kind=poisson cdf={file} rate=1gbit load=0.5 until=1s senders=a receivers=b\n"}),
    Row("flowgen compare {file} after", READ, status=2, reason="no flow", given={"after": FLOWS}),
    Row("flowgen compare before {file}", READ, status=2, reason="no flow", given={"before": FLOWS}),
    Row("flowgen compare before after --page {file}", WRITTEN, given={"before": FLOWS, "after": FLOWS}),
    Row("onrampctl keys add group 1 id 1 file {file}", READ, status=2, reason="fewer than 32"),
    Row("onrampctl metrics file {file}", WRITTEN),
    Row("operations/onramp-host", READ, reason="ONRAMP_PEERS", env={"SHARPRAMP_DEFAULT": "{file}"}),
    Row("operations/onramp-host", READ, "missing, folder, forbidden", given={"settings": "ONRAMP_PEERS=10.0.0.0/8 ONRAMP_HOSTS=10.0.0.1 ONRAMP_KEY={file}\n"}, env={"SHARPRAMP_DEFAULT": "settings"}),
    Row("operations/onramp-rollout {file}", READ, status=2, reason="names no host"),
    Row("lab/run queue --module {file}", READ, "missing, folder, forbidden", status=2, reasons={"missing": "is no file", "folder": "is no file", "forbidden": "cannot be read"}),
    Row("lab/run queue --json {file}", WRITTEN, "missing, folder, forbidden", status=2, reasons={"missing": "its folder does not exist", "folder": "is a folder", "forbidden": "cannot be written"}),
    Row("lab/report/report --render --study lossless --out {file}", FOLDER, status=2, reason="is not there", part="/lossless.jsonl"),
    Row("lab/report/acceptance --render --out {file}", FOLDER, status=2, reason="is not there", part="/acceptance.jsonl"),
    *(Row(f"lab/report/{command} --out {{file}}", FOLDER, "empty, forbidden folder", reasons={"empty": "File exists", "forbidden folder": REASONS["forbidden"]})
      for command in ("report", "acceptance", "demo")),
    Row("scripts/check-descriptions {file}", READ, "missing, folder, forbidden"),
    Row("scripts/check-file-order {file}", FOLDER, reason="no module was built"),
    Row("scripts/copy-sources {file}", FOLDER, "empty", reason="File exists"),
    Row("scripts/build-modules {file} out", FOLDER, reason="no kernel build files"),
    Row("scripts/link-into {file}", FOLDER, reason="no net/sched/Makefile"),
    Row("scripts/make-for {file}", FOLDER, reason="no Makefile"),
    Row("scripts/upstream --linux {file} out", FOLDER, reason="has no MAINTAINERS"),
    Row("scripts/upstream --iproute2 {file} out", FOLDER, reason="has no include/uapi/linux/pkt_sched.h"),
    Row("site/build --root {file} out", FOLDER, reasons={"missing": REASONS["missing"], "empty": "Not a directory", "forbidden folder": "Permission denied", "folder": "not a git repository"}),
    Row("site/build {file}", FOLDER, "empty, folder", reason="is in the way"),
    Row("driver-patches/apply.sh --kernel {file} --out out e1000e", FOLDER, reason="no kernel build files"),
    Row("driver-patches/check.sh --out {file}", FOLDER, "empty", reason="File exists"),
    Row("debian/build {file}", FOLDER, "empty", reason="File exists"),
)

# Commands that only print; --help of each program is tried besides.
PRINTED = ("huygens-lite --help-keys", "acc-tuner --help-keys", "onramp-mq --version", "flowgen --version", "lab/run list", "scripts/netlink-description",
           "debian/deps --list", "flowgen compare before before")

# Scripts that answer badly, and what is found in that.
BAD = (("exit 0", "status 0"), ("echo $1: Permission denied >&2; exit 3", "status 3"), ("echo Permission denied >&2; exit 1", "the file is not named"),
       ("echo $1 >&2; exit 1", "the reason is not given"), ("echo Traceback: $1: Permission denied >&2; exit 1", "a traceback"),
       ("echo $1: Permission denied >&2; echo >out; exit 1", "changed"), ("echo $1: Permission denied >&2; ip link; exit 1", "changed"))

# Programs with which a host would be changed. They only leave a mark.
STAND_INS = ("ip", "tc", "onrampctl", "modprobe", "ssh", "dpkg-buildpackage")
STAND_IN = '#!/bin/sh\necho "$0 $*" >>started\n'
# Without these root, too, is refused.
DROPPED = "-dac_override,-dac_read_search"


def start(command, work, stdout=subprocess.PIPE, **env):
    """Run a command in a folder; returns what subprocess.run() does."""
    name, *words = command.split()
    env = {**os.environ, "PATH": f"{work}/bin:{os.environ['PATH']}", "HOME": f"{work}/home", "XDG_CACHE_HOME": f"{work}/home", **env}
    return subprocess.run(["setpriv", f"--bounding-set={DROPPED}", PROGRAMS.get(name, os.path.join(ROOT, name)), *words], cwd=work, env=env,
                          stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False, timeout=300)


@contextlib.contextmanager
def workplace(scratch, given):
    """A folder with files, stand-ins and a home."""
    with tempfile.TemporaryDirectory(dir=scratch) as work:
        for name in ("bin", "home"):
            os.mkdir(os.path.join(work, name))
        for name, text in ({f"bin/{name}": STAND_IN for name in STAND_INS} | given).items():
            with open(os.path.join(work, name), "w", encoding="ascii") as file:
                file.write(text)
            os.chmod(file.name, 0o755)
        yield work


def full_disk(scratch):
    """A file system without space."""
    path = os.path.join(scratch, "disk")
    os.mkdir(path)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "disk", path], check=True)
    with contextlib.suppress(OSError), open(os.path.join(path, "all"), "wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    return path


def bad_file(kind, folder, written):
    """Make a file of this kind, of a name that each program takes; returns its path."""
    if kind == "full":
        return os.path.join(folder, "../disk/bad.ko")
    parent = os.path.join(folder, "in")
    path = os.path.join(parent, "bad.ko")
    if kind != "missing" or not written:
        os.mkdir(parent)
    if kind.endswith("folder"):
        os.mkdir(path)
    elif kind != "missing":
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    if kind.startswith("forbidden"):
        os.chmod(path, 0o444 if written else 0)
        os.chmod(parent, 0o555)
    return path


def contents(folder):
    """{path: (mode, bytes of a file)} of all below a folder."""
    found = {}
    for where, folders, files in os.walk(folder):
        for path in (os.path.join(where, name) for name in (*folders, *files)):
            mode, data = os.lstat(path).st_mode, None
            if stat.S_ISREG(mode):
                with open(path, "rb") as file:
                    data = file.read()
            found[path] = mode, data
    return found


def complaints(scratch, row, kind):
    """Return what is wrong with the answer to one bad file, and the answer."""
    with workplace(scratch, row.given) as work:
        path = bad_file(kind, work, row.role == WRITTEN)
        for name in row.given:
            with open(os.path.join(work, name), "r+", encoding="ascii") as file:
                text = file.read().replace("{file}", path)
                file.seek(0)
                file.write(text)
        before = contents(scratch)
        done = start(row.command.replace("{file}", path), work, **{name: value.replace("{file}", path) for name, value in row.env.items()})
        after = contents(scratch)
    said = done.stderr if row.status else done.stdout
    found = [what for what, wrong in (
        (f"status {done.returncode} and not {row.status}", done.returncode != row.status),
        ("the file is not named", path + row.part not in said),
        ("the reason is not given", row.expects(kind) not in said.replace(path, "")),
        ("a traceback", "Traceback" in said),
        (f"changed: {[name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]}", before != after)) if wrong]
    return found, done.stderr + done.stdout


def unwritten(scratch, command, to_pipe):
    """Return what is wrong with the answer where standard output is a full device, or a pipe that nobody reads; and the answer."""
    with workplace(scratch, {"before": FLOWS}) as work, contextlib.ExitStack() as opened:
        if to_pipe:
            reader, writer = os.pipe()
            os.close(reader)
            opened.callback(os.close, writer)
        else:
            writer = opened.enter_context(open("/dev/full", "w", encoding="ascii"))
        done = start(command, work, stdout=writer)
    found = [what for what, wrong in (
        ("status 0", not done.returncode),
        ("a traceback", any(word in done.stderr for word in ("Traceback", "Exception ignored"))),
        ("the reason is not given", not to_pipe and not any(reason in done.stderr for reason in (REASONS["full"], "I/O error")))) if wrong]
    return found, done.stderr


def try_files(tap, scratch, only):
    """Each row, with each kind of file."""
    for row in ROWS:
        for kind in row.tried() if only in row.command else ():
            found, said = complaints(scratch, row, kind)
            tap.ok(f"{row.command.replace(ROOT + '/', '')} {' '.join(row.env)}: {kind}", not found, f"{', '.join(found)}\n{said[-600:]}")


def try_output(tap, scratch, only):
    """Each program's help, and what some print."""
    for command in (*(f"{program} --help" for program in programs()), *PRINTED):
        for to_pipe in (False, True) if only in command else ():
            found, said = unwritten(scratch, command, to_pipe)
            tap.ok(f"{command} to {'a pipe that nobody reads' if to_pipe else 'a full device'}", not found, f"{', '.join(found)}\n{said[-600:]}")


def try_controls(tap, scratch):
    """The judges find what is wrong with scripts that answer badly."""
    for script, fault in BAD:
        found, said = complaints(scratch, Row("/bin/sh script {file}", READ, given={"script": f"{script}\n"}), "forbidden")
        tap.ok(f"found in '{script}': {fault}", len(found) == 1 + 2 * (script == "exit 0") and any(fault in what for what in found), (found, said))
    for to_pipe in (False, True):
        found, said = unwritten(scratch, "/bin/true", to_pipe)
        tap.ok(f"found in a program that does not see its output fail: {'a pipe' if to_pipe else 'a full device'}", "status 0" in found, (found, said))


def programs():
    """All that users call: programs of the tree, those of its tests apart, and built ones."""
    return [*(path for path in usages.programs() if not path.startswith("selftests/")), *PROGRAMS]


def main():
    usage.check(__doc__, len(sys.argv) <= 2 and not "".join(sys.argv[1:]).startswith("-"))
    only = "".join(sys.argv[1:])
    tap = Tap()
    tried = {row.command.split()[0] for row in ROWS}
    mute = [(row.command, kind) for row in ROWS for kind in row.tried() if not row.expects(kind)]
    tap.ok("each row has a reason for each kind of file", not mute, mute)
    tap.ok("each program has a row, or no file", sorted({*programs()} - tried) == sorted(FILELESS), {*programs()} - tried ^ {*FILELESS})
    with tempfile.TemporaryDirectory() as scratch:
        disk = full_disk(scratch)
        try_controls(tap, scratch)
        try_files(tap, scratch, only)
        try_output(tap, scratch, only)
        subprocess.run(["umount", disk], check=True)
    return tap.plan()


if __name__ == "__main__":
    sys.exit(main())
