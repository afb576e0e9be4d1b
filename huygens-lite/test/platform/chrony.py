#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Mode sock with the real chronyd, which runs in a namespace of its own and leaves the clock alone (-x). O= has feed.

CHRONY= is a folder with chronyd and chronyc if they are not in the path, nor where debian/deps unpacks them.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../selftests/lib"))
# pylint: disable=wrong-import-position
from tap import Tap

FEED = os.path.join(os.environ["O"], "feed")
UNPACKED = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "sharpramp/unpacked/chrony/usr")
PATH = os.pathsep.join([os.environ.get("CHRONY", ""), os.environ.get("PATH", ""), "/usr/sbin", "/sbin", f"{UNPACKED}/sbin", f"{UNPACKED}/bin"])
CHRONYD, CHRONYC = (shutil.which(name, path=PATH) for name in ("chronyd", "chronyc"))
PATIENCE = 60

CONF = """\
refclock SOCK {0}/sock refid HUYG poll -2 dpoll -4 filter 2
port 0
cmdport 0
bindcmdaddress {0}/cmd
pidfile {0}/pid
"""


def sources(folder):
    """chronyc's fields of our source: offset and number of samples, when there are enough."""
    shown = {}
    for what in ("sources", "sourcestats"):
        done = subprocess.run([CHRONYC, "-h", f"{folder}/cmd", "-n", "-c", what], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=PATIENCE, check=False)
        shown[what] = done.stdout.strip().split(",")
    return shown


def tracking(folder):
    """Seconds that chronyd would add to the clock."""
    done = subprocess.run([CHRONYC, "-h", f"{folder}/cmd", "-n", "-c", "tracking"], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=PATIENCE, check=False)
    fields = done.stdout.split(",")
    return fields[1], float(fields[4]) if len(fields) > 4 else 0


def fed(tap, folder, ahead_ns):
    """Start both, wait until chronyd has chosen us, compare."""
    with open(f"{folder}/conf", "w", encoding="ascii") as file:
        file.write(CONF.format(folder))
    command = ["unshare", "-Urn", CHRONYD, "-x", "-d", "-U", "-u", "root", "-f", f"{folder}/conf"]
    with subprocess.Popen([FEED, f"{folder}/sock", str(ahead_ns), "50"], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as feed, \
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as chronyd:
        end = time.monotonic() + PATIENCE
        shown = {}
        while time.monotonic() < end and chronyd.poll() is None:
            shown = sources(folder)
            if shown["sources"][:3] == ["#", "*", "HUYG"] and len(shown["sourcestats"]) > 1 and int(shown["sourcestats"][1]) >= 4:
                break
            time.sleep(0.2)
        name, offset = tracking(folder)
        chronyd.terminate()
        log = chronyd.communicate(timeout=PATIENCE)[0]
        feed.stdin.close()
        feed.wait(PATIENCE)
    tap.ok(f"{ahead_ns} ns ahead: chronyd takes the samples and selects us", shown.get("sources", [""])[:3] == ["#", "*", "HUYG"],
           (shown, log))
    # Positive if the clock is behind.
    tap.ok(f"{ahead_ns} ns ahead: and would turn the clock by as much", name == "HUYG" and abs(offset - ahead_ns * 1e-9) < 1e-4,
           (name, offset))


def main():
    tap = Tap()
    if not CHRONYD or not CHRONYC or subprocess.run(["unshare", "-Urn", "true"], check=False).returncode:
        tap.ok("with chronyd # SKIP no chronyd, or no namespaces", True)
        tap.end()
    for ahead_ns in (250000000, -3000000):
        with tempfile.TemporaryDirectory() as folder:
            fed(tap, folder, ahead_ns)
    tap.end()


if __name__ == "__main__":
    main()
