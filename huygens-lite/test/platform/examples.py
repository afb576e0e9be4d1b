#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The commands of huygens-lite(8) and huygensctl(1) as they stand there, with two daemons on loopback, and onrampctl metrics there.

PROGRAMS= the programs. Commands are given to sh one by one; /etc is a folder here, and systemctl starts what the unit starts.
"""

import contextlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
ROOT = os.path.dirname(SOURCE)
sys.path[:0] = [os.path.join(ROOT, "selftests", folder) for folder in ("lib", "consistency", "net")]
# pylint: disable=wrong-import-position
from page import Page, commands
from prometheus import parse
from tap import Tap

PROGRAMS = {os.path.basename(path): path for path in os.environ["PROGRAMS"].split()}
PATIENCE = 120

CONF = """\
[node]
id = {host}
port = {port}
drift_file = none
[mesh]
peers = 1=127.0.0.1 2=127.0.0.2
window = 500ms
interval = 10ms
[coordinator]
dead = 1s
hello = 100ms
[output]
mode = none
[security]
control = {folder}/{host}.sock
user = none
"""

# The program that a unit starts, with the configuration that it has by default; the process is killed by the reader of its number.
SYSTEMCTL = r"""#!/bin/sh
set -e
[ "$1 $2" = "enable --now" ]
line=$(grep '^ExecStart=' "{source}/$3.service")
[ "$line" = "ExecStart=/usr/sbin/huygens-lite" ]
huygens-lite -f '{folder}/etc/huygens-lite.conf' >'{folder}/log' 2>&1 &
echo $! >'{folder}/pid'
# As with Type=notify: until it is ready, and no longer than it lives.
until [ -S '{folder}/1.sock' ]; do kill -0 $!; sleep 0.1; done
"""


def program(folder, name, text):
    """A program of this test's, which others find first."""
    path = os.path.join(folder, "bin", name)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    os.chmod(path, 0o755)


def furnish(folder):
    """Both configurations and the programs' stand-ins."""
    for name in ("bin", "etc"):
        os.mkdir(os.path.join(folder, name))
    port = random.randrange(20000, 30000)
    for host, name in ((1, "huygens-lite.conf"), (2, "other.conf")):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(CONF.format(host=host, port=port, folder=folder))
    program(folder, "huygens-lite", f"#!/bin/sh\nexec '{PROGRAMS['huygens-lite']}' \"$@\"\n")
    program(folder, "huygensctl", f"#!/bin/sh\nexec '{PROGRAMS['huygensctl']}' -s '{folder}/1.sock' \"$@\"\n")
    program(folder, "systemctl", SYSTEMCTL.format(source=SOURCE, folder=folder))


@contextlib.contextmanager
def other_host(folder):
    """Host 2, which has its clock already; and at the end the daemon that an example started goes, too."""
    with subprocess.Popen([PROGRAMS["huygens-lite"], "-f", f"{folder}/other.conf"], stdin=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as daemon:
        try:
            yield
        finally:
            daemon.terminate()
            with contextlib.suppress(FileNotFoundError, ProcessLookupError), open(f"{folder}/pid", encoding="ascii") as file:
                os.kill(int(file.read()), 15)


def type_in(folder, line):
    """A command as a shell runs it."""
    return subprocess.run(["sh", "-c", line.replace("/etc/", f"{folder}/etc/")], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=PATIENCE,
                          env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"})


def page(tap, folder, name, prompt, least):
    """Each command of a page's examples."""
    with open(os.path.join(SOURCE, name), encoding="ascii") as file:
        lines = [line for block in Page(file.read()).examples() for line in commands(block, prompt)]
    tap.ok(f"{name} has examples", len(lines) >= least, lines)
    for line in lines:
        done = type_in(folder, line)
        tap.ok(f"{name}: {line}", not done.returncode and not done.stderr, (done.returncode, done.stdout, done.stderr))


def wrong(tap, folder):
    """Settings that a host would refuse are refused here."""
    for line in ("huygens-lite -t -f other.conf.example", "huygens-lite --test huygens-lite.conf", "systemctl enable huygens-lite",
                 "systemctl enable --now huygens", "huygensctl waitsync 10", "huygensctl -j hots"):
        done = type_in(folder, line)
        tap.ok(f"it would be noticed: {line}", done.returncode or done.stderr, done.stdout)


def metrics(tap, folder):
    """Each counter, and each number of each neighbour, as onrampctl metrics prints it, between those reported before and after."""
    def counters():
        return json.loads(type_in(folder, "huygensctl -j stats").stdout)
    subprocess.run(["make", "-s", "-C", os.path.join(ROOT, "tc-plugins/onrampctl"), f"O={folder}", f"{folder}/onrampctl"], check=True)
    before = counters()
    found = parse(type_in(folder, f"'{folder}/onrampctl' metrics").stdout)
    after = counters()
    tap.ok("onrampctl metrics: the format is Prometheus'", not found.wrong, found.wrong)
    with open(os.path.join(SOURCE, "net/count.h"), encoding="ascii") as file:
        names = re.findall(r"^\tCOUNT\((\w+),", file.read(), re.M)
    tap.ok("onrampctl metrics: every counter of net/count.h", len(names) > 30 and set(names) <= set(before) and
           all(f"huygens_{name}_total" in found.samples for name in before), set(names) - set(before))
    apart = {name: (before[name], found.samples.get(f"huygens_{name}_total"), after[name]) for name in before
             if not before[name] <= found.samples.get(f"huygens_{name}_total", [({}, -1)])[0][1] <= after[name]}
    tap.ok("onrampctl metrics: with its value, as a counter", not apart and before["sent"] and
           all(found.types[f"huygens_{name}_total"] == "counter" for name in before), apart)
    peers = json.loads(type_in(folder, "huygensctl -j peers").stdout)
    wanted = {f"huygens_peer_{re.sub('_ns$', '_seconds', key)}" for key in peers[0] if key != "id"}
    tap.ok("onrampctl metrics: every member of the neighbour, by its number", len(wanted) > 10 and
           all([labels["id"] for labels, _ in found.samples.get(name, ())] == ["2"] for name in wanted),
           wanted - set(found.samples))
    tracking = json.loads(type_in(folder, "huygensctl -j tracking").stdout)
    missing = [key for key, value in tracking.items() if value is not None and
               f"huygens_tracking_{re.sub('_ns$', '_seconds', key)}" not in found.samples]
    tap.ok("onrampctl metrics: every member of tracking", not missing and len(tracking) > 15, missing)


def main():
    tap = Tap()
    if "huygens-lite" not in PROGRAMS:
        tap.ok("examples # SKIP no daemon is built", True)
        tap.end()
        return
    with tempfile.TemporaryDirectory() as folder:
        furnish(folder)
        with other_host(folder):
            page(tap, folder, "huygens-lite.8", "# ", 4)
            page(tap, folder, "huygensctl.1", "$ ", 3)
            metrics(tap, folder)
            wrong(tap, folder)
    tap.end()


if __name__ == "__main__":
    main()
